#pragma once

#include <utility>
#include <vector>

#include "base/problem.h"
#include "carom/errors.h"
#include "documents/document.h"
#include "facade/model_text.h"
#include "model/model.h"
#include "recording/result_types.h"

namespace carom::v1 {

using carom::built_in_cpp;

std::vector<Problem> translate(const carom::ProblemList& problems);

// The model of the rooms behind a model of the façade; problems are added to the list.
carom::Model read(const Model& model, carom::ProblemList& problems);

// The same; throws the façade's InputError if there are errors.
carom::Model read(const Model& model);

// Runs something of the rooms; their errors leave it as errors of the façade.
template <class Function>
auto translating_errors(Function function) {
  try {
    return function();
  } catch (const carom::InputError& error) {
    throw InputError(translate(error.problems()));
  } catch (const carom::ResultError& error) {
    throw ResultError(error.what());
  } catch (const carom::ComputationError& error) {
    throw Error(error.what());
  }
}

}  // namespace carom::v1
