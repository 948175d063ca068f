#pragma once

#include <string>

#include "base/problem.h"
#include "model/model.h"

namespace carom::inline model_io {

// The model as a file that read_model reads back to the same model. Parameters are written in SI, expressions of
// functions keep using them; tables that came from files are written out; beams, bearings and grids are written as they
// were said. Functions that have no written form become comments and, if a list is given, problems in it; so does a
// model with beams, bearings or grids whose bodies, joints, forces or pairs were changed after it was read.
std::string write_model(const Model& model, ProblemList* problems = nullptr);

// The settings of a run for its result, after defaults: those of solver and output, and the parameters, in JSON.
std::string recorded_settings(const Model& model);

}  // namespace carom::inline model_io
