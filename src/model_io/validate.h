#pragma once

#include "base/problem.h"
#include "model/model.h"

namespace carom::inline model_io {

// Checks what a model means, whether it was read from a file or built in C++: names are unique and known, masses and
// inertias physical, every element of a known type with the keys of that type, placed in exactly one way, and the
// settings within their ranges. read_model calls it.
void validate(const Model& model, ProblemList& problems);

}  // namespace carom::inline model_io
