#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "recording/result_reader.h"
#include "validation/run_case.h"

namespace carom::inline validation {
namespace {

constexpr int halvings = 7;
constexpr double rounding_floor = 1e4 * std::numeric_limits<double>::epsilon();  // of the largest magnitude
constexpr int points = 4;                                                        // of a slope

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

double largest_error(const Case& the_case, const ResultReader& reader, const std::vector<std::string>& group,
                     double end) {
  double largest = 0;
  for (const std::string& quantity : group) {
    const double error = largest_error(the_case, reader, quantity, end);
    if (!(error <= largest)) largest = error;  // NaN stays
    if (std::isnan(largest)) break;
  }
  return largest;
}

// The first step is the longest that divides the interval of the reference, so that every time of the reference is the
// end of a step, and that is not longer than the rule allows.
std::vector<double> steps_for(const Convergence& convergence, const std::vector<double>& times) {
  double interval = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k + 1 < times.size(); ++k) interval = std::min(interval, times[k + 1] - times[k]);
  const double span = times.back() - times.front();
  interval = span / std::round(span / interval);  // differences of times carry rounding
  const double longest = convergence.period / steps_per_period(convergence.integrator);
  std::vector<double> steps = {interval / std::ceil(interval / longest)};
  for (int k = 0; k < halvings; ++k) steps.push_back(0.5 * steps.back());
  return steps;
}

// The first time of the reference at which a period is over.
double end_for(const Convergence& convergence, const std::vector<double>& times) {
  const auto found =
      std::find_if(times.begin(), times.end(), [&](double time) { return time - times.front() >= convergence.period; });
  return found == times.end() ? times.back() : *found;
}

// Least squares through log(error) over log(step) of the finest steps whose errors rounding does not reach; NaN if
// they are too few.
double slope_of(const std::vector<double>& steps, const std::vector<double>& errors) {
  double count = 0, sum_x = 0, sum_y = 0, sum_xx = 0, sum_xy = 0;
  for (std::size_t k = steps.size(); k-- > 0 && count < points;) {
    if (!(errors[k] > rounding_floor)) continue;
    const double x = std::log(steps[k]), y = std::log(errors[k]);
    count += 1, sum_x += x, sum_y += y, sum_xx += x * x, sum_xy += x * y;
  }
  return count < points ? not_given : (count * sum_xy - sum_x * sum_y) / (count * sum_xx - sum_x * sum_x);
}

Finding judge_order(const Convergence& convergence, const std::string& quantity, double slope) {
  Finding finding{.check = convergence.name, .kind = "convergence", .quantity = quantity};
  finding.reference = convergence.order;
  finding.allowed = convergence.tolerance;
  finding.computed = slope;
  finding.error = std::abs(slope - convergence.order);
  finding.passed = finding.error <= finding.allowed;
  return finding;
}

}  // namespace

int steps_per_period(const std::string& integrator) {
  return integrator == "generalized-alpha" ? 40 : integrator == "rk" ? 20 : 0;
}

void measure_convergence(const Case& the_case, const Model& model, const Convergence& convergence,
                         const std::filesystem::path& folder, CaseResult& result) {
  const std::vector<double>& times = the_case.reference.time;
  ConvergenceCurves curves{convergence.name, convergence.order, steps_for(convergence, times), {}, {}, {}};
  for (const std::vector<std::string>& group : convergence.groups)
    curves.groups.push_back(fmt::format("{}", fmt::join(group, ", ")));
  curves.errors.resize(convergence.groups.size());
  Model with_step = model;
  with_step.solver.integrator = convergence.integrator;
  if (const auto treatment = find_named<ConstraintTreatment>(convergence.constraints))
    with_step.solver.constraints = *treatment;
  if (convergence.rho_infinity) with_step.solver.rho_infinity = *convergence.rho_infinity;
  with_step.solver.end = end_for(convergence, times);
  const std::filesystem::path file = folder / (the_case.name + "_convergence.h5");
  for (const double step : curves.steps) {
    with_step.solver.step = step;
    const RunSummary summary = run(with_step, {.output = file, .progress = {}});
    if (summary.status != RunStatus::complete) {
      result.failure = fmt::format("{} with step {:g} s: {}", convergence.name, step, summary.reason);
      return;
    }
    const ResultReader reader(file);
    for (std::size_t k = 0; k < convergence.groups.size(); ++k) {
      curves.errors[k].push_back(largest_error(the_case, reader, convergence.groups[k], with_step.solver.end));
    }
  }
  std::error_code ignored;
  std::filesystem::remove(file, ignored);
  for (std::size_t k = 0; k < convergence.groups.size(); ++k) {
    curves.slopes.push_back(slope_of(curves.steps, curves.errors[k]));
    result.findings.push_back(judge_order(convergence, curves.groups[k], curves.slopes.back()));
  }
  result.convergences.push_back(std::move(curves));
}

}  // namespace carom::inline validation
