#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "recording/result_reader.h"
#include "validation/run_case.h"

namespace carom {
namespace {

// Largest error over the times of the reference up to the end of the run; NaN if a sample is missing.
double largest_error(const Case& the_case, const ResultReader& reader, const std::string& quantity, double end) {
  const std::vector<double> time = reader.times(), values = reader.column(quantity);
  const std::vector<double>& column = *the_case.reference.find(quantity);
  double largest = 0, scale = 0;
  for (std::size_t k = 0; k < column.size() && the_case.reference.time[k] <= end * (1 + 1e-12); ++k) {
    const std::size_t sample = sample_at(time, the_case.reference.time[k]);
    if (sample == no_sample) return not_given;
    largest = std::max(largest, std::abs(values[sample] - column[k]));
    scale = std::max(scale, std::abs(column[k]));
  }
  return scale > 0 ? largest / scale : largest;
}

Finding judge_order(const Convergence& convergence, const std::string& quantity, const std::vector<double>& errors) {
  Finding finding{.check = convergence.name, .kind = "convergence", .quantity = quantity};
  finding.reference = convergence.order;
  finding.allowed = convergence.tolerance;
  for (std::size_t k = 0; k + 1 < errors.size(); ++k) {
    const double order =
        std::log(errors[k] / errors[k + 1]) / std::log(convergence.steps[k] / convergence.steps[k + 1]);
    const double error = std::abs(order - convergence.order);
    if (k > 0 && error <= finding.error) continue;
    finding.computed = order;
    finding.error = error;
    if (!std::isfinite(error)) break;
  }
  finding.passed = finding.error <= finding.allowed;
  return finding;
}

}  // namespace

void measure_convergence(const Case& the_case, const Model& model, const Convergence& convergence,
                         const std::filesystem::path& folder, CaseResult& result) {
  ConvergenceCurves curves{convergence.name, convergence.order, convergence.steps, convergence.quantities, {}};
  curves.errors.resize(convergence.quantities.size());
  Model with_step = model;
  with_step.solver.integrator = convergence.integrator;
  if (!convergence.constraints.empty()) with_step.solver.constraints = convergence.constraints;
  if (convergence.rho_infinity) with_step.solver.rho_infinity = *convergence.rho_infinity;
  if (convergence.end) with_step.solver.end = *convergence.end;
  const std::filesystem::path file = folder / (the_case.name + "_convergence.h5");
  for (const double step : convergence.steps) {
    with_step.solver.step = step;
    const RunSummary summary = run(with_step, {.output = file, .progress = {}});
    if (summary.status != RunStatus::complete) {
      result.failure = fmt::format("{} with step {:g} s: {}", convergence.name, step, summary.reason);
      return;
    }
    const ResultReader reader(file);
    for (std::size_t k = 0; k < convergence.quantities.size(); ++k) {
      curves.errors[k].push_back(largest_error(the_case, reader, convergence.quantities[k], with_step.solver.end));
    }
  }
  std::error_code ignored;
  std::filesystem::remove(file, ignored);
  for (std::size_t k = 0; k < convergence.quantities.size(); ++k) {
    result.findings.push_back(judge_order(convergence, convergence.quantities[k], curves.errors[k]));
  }
  result.convergences.push_back(std::move(curves));
}

}  // namespace carom
