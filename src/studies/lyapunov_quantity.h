#pragma once

#include <atomic>
#include <map>
#include <span>
#include <string>

#include "studies/reductions.h"
#include "studies/study.h"

// Quantities of a study that no samples tell: the model is run again, along with a motion beside it.
namespace carom::inline studies {

bool is_lyapunov(const StudyQuantity& quantity);

// By name. Throws ComputationError where one cannot be reported, with the reason.
std::map<std::string, double> lyapunov_quantities(const Study& study, const Model& model, const Window& window,
                                                  std::span<const double> parameters,
                                                  const std::atomic<bool>* interrupted);

}  // namespace carom::inline studies
