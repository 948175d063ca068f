#pragma once

#include "model/model.h"

namespace carom::inline model_io {

// Whether two models say the same, field by field, and have become the same; their files and the places in them do not
// matter.
bool same_model(const Model& a, const Model& b);

}  // namespace carom::inline model_io
