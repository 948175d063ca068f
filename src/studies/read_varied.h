#pragma once

#include <optional>
#include <string>

#include "documents/reading.h"
#include "studies/study.h"

namespace carom::inline studies {

// What is known of the unit of a parameter before its values are read.
struct ParameterUnit {
  std::string text = {};                    // how the model writes the parameter, if that is a quantity
  std::optional<Dimension> dimension = {};  // of the parameter in the model; none if it may have any
};

// `values`, `range` or `distribution` of a [[vary]] table. All values are of the kind that the model gives the
// parameter; where it gives none, of that of the first value with a unit.
void read_varied(Reading& reading, const Node& table, const KeyPath& key, const ParameterUnit& in_model,
                 VariedParameter& varied);

}  // namespace carom::inline studies
