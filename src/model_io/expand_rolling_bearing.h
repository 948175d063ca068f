#pragma once

#include "model/model.h"

// A ball bearing in space whose balls and cage are bodies: detail = "dynamic".
namespace carom::inline model_io {

// Grooves on the two bodies, balls, a cage for every row, and the pairs between them. Its keys and its bodies are
// sound. What it cannot be made of for want of a material is left to the validation.
void expand_rolling_bearing(Model& model, BearingModel& bearing);

}  // namespace carom::inline model_io
