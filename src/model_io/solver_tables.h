#pragma once

#include <string>
#include <vector>

#include "model/description.h"
#include "model/model.h"

// What the catalogues of schemes and solvers say about the keys of [solver].
namespace carom::inline model_io {

// A key of [solver] that names a type of a catalogue.
struct SolverChoice {
  std::string key;
  std::string SolverSettings::*name;
  std::vector<const TypeDescription*> types;

  const TypeDescription* chosen(const SolverSettings& settings) const;  // null: no such type
  std::vector<std::string> names() const;
};

const std::vector<SolverChoice>& solver_choices();
// The key must name one of them.
const SolverChoice& solver_choice(const std::string& key);

}  // namespace carom::inline model_io
