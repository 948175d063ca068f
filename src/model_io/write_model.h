#pragma once

#include <string>

#include "base/problem.h"
#include "model/model.h"

namespace carom {

// The model as the text of a model file that reads back to the same model: for result files of models built in C++.
//
// Numbers are written so that they come back to the last bit, expressions as their text. A function that has no form in
// a file (an integral, or an expression over names that are not parameters of the model) is written as a comment, and
// reported as an error if a list is given.
std::string write_model(const Model& model, ProblemList* problems = nullptr);

}  // namespace carom
