#pragma once

#include <string>

#include "model_io/reading.h"
#include "studies/study.h"

namespace carom {

// `values`, `range` or `distribution` of a [[vary]] table. `model_text` is how the model writes the parameter: a unit
// in it is that of all values.
void read_varied(Reading& reading, const Node& table, const KeyPath& key, const std::string& model_text,
                 VariedParameter& varied);

}  // namespace carom
