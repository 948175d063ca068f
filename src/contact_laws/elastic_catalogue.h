#pragma once

#include <string>
#include <vector>

#include "contact_laws/elastic_law.h"
#include "model/description.h"
#include "model/settings.h"

namespace carom::inline contact_laws {

// What an elastic shape is made from; geometry and materials only where the description asks for them.
struct ElasticContext {
  double composite_modulus = 0;  // E*, Pa
  double effective_radius = 0;   // m, positive
  double radial_clearance = 0;   // m, of a journal in its bearing
  const Settings& settings;
};

// A shape f_e(δ), usable with every law that adds the loss. When `stiffness` may be given, it replaces what the shape
// needs of materials and geometry.
struct ElasticDescription : TypeDescription {
  std::string formula = {};        // UTF-8
  bool needs_materials = false;    // composite_modulus
  bool needs_radii = false;        // effective_radius
  bool needs_clearance = false;    // radial_clearance
  bool stiffness_suffices = true;  // `stiffness` may be given instead
  ElasticLaw (*make)(const ElasticContext&) = nullptr;
};

// The catalogue, sorted by name.
const std::vector<ElasticDescription>& elastic_catalogue();
const ElasticDescription* find_elastic(const std::string& name);

}  // namespace carom::inline contact_laws
