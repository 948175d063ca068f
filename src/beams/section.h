#pragma once

#include <string>
#include <vector>

#include "model/description.h"
#include "model/model.h"

namespace carom::inline beams {

// A shape of cross-section: which keys it takes, and what follows from them. The axes y and z are those of the section,
// x runs along the beam.
struct SectionShape {
  std::string name, summary;
  std::vector<std::string> required, optional;
  // Poisson's ratio enters the shear factors (Cowper, J. Appl. Mech. 33 (1966) 335–340).
  BeamModel::Section (*make)(const Settings&, double poisson) = nullptr;
};

const std::vector<SectionShape>& section_shapes();
const SectionShape* find_section_shape(const std::string& name);
// Of all shapes.
const std::vector<ParameterDescription>& section_parameters();

// Why no body can have such a section, or "". The keys are there and positive.
struct SectionFlaw {
  std::string key, found, expected;
};
std::vector<SectionFlaw> flaws_of(const SectionShape& shape, const Settings& settings);

}  // namespace carom::inline beams
