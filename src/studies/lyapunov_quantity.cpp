#include "studies/lyapunov_quantity.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "base/problem.h"
#include "simulation/model_lyapunov.h"

namespace carom::inline studies {

bool is_lyapunov(const StudyQuantity& quantity) {
  return quantity.reduce == "lyapunov" || quantity.reduce == "lyapunov_error";
}

std::map<std::string, double> lyapunov_quantities(const Study& study, const Model& model, const Window& window,
                                                  std::span<const double> parameters,
                                                  const std::atomic<bool>* interrupted) {
  // The exponent and its error are two quantities of one computation.
  std::map<std::tuple<bool, double, double, double, double>, LyapunovEstimate> done;
  std::map<std::string, double> values;
  for (const StudyQuantity& quantity : study.quantities) {
    if (!is_lyapunov(quantity) || !quantity.asked_of(window.model)) continue;
    const bool varied = quantity.how == "variation";
    const ModelLyapunovSettings settings = {
        .interval = quantity.interval ? quantity.interval->value(parameters) : window.period,
        .from = quantity.from.value_or(window.from),
        .to = std::min(model.solver.end, quantity.to.value_or(window.to)),
        .separation = quantity.separation};
    if (!(settings.interval > 0))
      throw ComputationError(
          fmt::format("the interval of {} is {:g} s and should be positive", quantity.name, settings.interval));
    const auto key = std::tuple(varied, settings.interval, settings.from, settings.to, settings.separation);
    if (!done.contains(key))
      done[key] = varied ? model_lyapunov_by_variation(model, settings, interrupted)
                         : model_lyapunov_by_separation(model, settings, interrupted);
    values[quantity.name] = quantity.reduce == "lyapunov" ? done[key].exponent : done[key].error;
  }
  return values;
}

}  // namespace carom::inline studies
