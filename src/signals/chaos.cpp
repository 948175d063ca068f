#include "signals/chaos.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include <fmt/format.h>

namespace carom::inline signals {
namespace {

constexpr std::size_t shortest_series = 100;  // a tenth of it is what K correlates

double mean_of(std::span<const double> x) {
  return std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size());
}

// Of x with 1, 2, 3, …
double correlation_with_time(std::span<const double> x) {
  const double mean = mean_of(x), middle = 0.5 * (static_cast<double>(x.size()) + 1);
  double both = 0, of_time = 0, of_x = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const double time = static_cast<double>(k + 1) - middle, value = x[k] - mean;
    both += time * value;
    of_time += time * time;
    of_x += value * value;
  }
  return of_x > 0 ? both / std::sqrt(of_time * of_x) : 0;
}

// K for one frequency c: of the mean square displacement of p, q = Σ φ cos jc, Σ φ sin jc, less its oscillation.
double displacement_growth(std::span<const double> series, double c) {
  const std::size_t count = series.size(), cut = count / 10;
  std::vector<double> p(count + 1, 0), q(count + 1, 0);
  for (std::size_t j = 0; j < count; ++j) {
    const double angle = c * static_cast<double>(j + 1);
    p[j + 1] = p[j] + series[j] * std::cos(angle);
    q[j + 1] = q[j] + series[j] * std::sin(angle);
  }
  const double mean = mean_of(series);
  std::vector<double> displacement;
  for (std::size_t n = 1; n <= cut; ++n) {
    double sum = 0;
    for (std::size_t j = 1; j <= count - cut; ++j) {
      const double dp = p[j + n] - p[j], dq = q[j + n] - q[j];
      sum += dp * dp + dq * dq;
    }
    displacement.push_back(sum / static_cast<double>(count - cut) -
                           mean * mean * (1 - std::cos(static_cast<double>(n) * c)) / (1 - std::cos(c)));
  }
  return correlation_with_time(displacement);
}

double length_of(std::span<const double> x) {
  return std::sqrt(std::inner_product(x.begin(), x.end(), x.begin(), 0.0));
}

// One step of x' = f for a state of which the rates are taken by `rates`.
template <class RatesOf>
void runge_kutta_step(std::vector<double>& x, double h, const RatesOf& rates, std::vector<std::vector<double>>& work) {
  const std::size_t size = x.size();
  for (auto& each : work) each.resize(size);
  std::vector<double>&k = work[0], &sum = work[1], &probe = work[2];
  std::fill(sum.begin(), sum.end(), 0.0);
  probe = x;
  const double ahead[] = {0.5, 0.5, 1, 0}, weight[] = {1, 2, 2, 1};
  for (int stage = 0; stage < 4; ++stage) {
    rates(probe, k);
    for (std::size_t i = 0; i < size; ++i) {
      sum[i] += weight[stage] * k[i];
      probe[i] = x[i] + ahead[stage] * h * k[i];
    }
  }
  for (std::size_t i = 0; i < size; ++i) x[i] += h / 6 * sum[i];
}

template <class RatesOf>
void go_on(std::vector<double>& x, double duration, double step, const RatesOf& rates) {
  std::vector<std::vector<double>> work(3);
  const double steps = std::max(1.0, std::ceil(duration / step - 1e-9));
  for (int k = 0; k < static_cast<int>(steps); ++k) runge_kutta_step(x, duration / steps, rates, work);
}

}  // namespace

double zero_one_test(std::span<const double> series, std::size_t frequencies) {
  if (series.size() < shortest_series) return std::numeric_limits<double>::quiet_NaN();
  const auto [least, most] = std::minmax_element(series.begin(), series.end());
  if (*least == *most) return 0;
  // Spread without a pattern that could fit one of the motion, over π/5 … 4π/5: nearer to 0 and π resonances disturb.
  std::vector<double> growth;
  for (std::size_t k = 0; k < frequencies; ++k) {
    const double part = std::fmod(0.5 + static_cast<double>(k) * std::numbers::phi, 1.0);
    growth.push_back(displacement_growth(series, std::numbers::pi * (0.2 + 0.6 * part)));
  }
  std::nth_element(growth.begin(), growth.begin() + static_cast<std::ptrdiff_t>(growth.size() / 2), growth.end());
  return growth[growth.size() / 2];
}

const std::string& name_of(MotionKind kind) {
  static const std::string names[] = {"unclear", "periodic", "quasi-periodic", "chaotic"};
  return names[static_cast<std::size_t>(kind)];
}

std::string MotionVerdict::evidence() const {
  if (kind == MotionKind::periodic)
    return fmt::format("repeats after {} turns within {:.1e} of its size", period, repetition);
  return fmt::format("does not repeat (best: {:.1e} of its size after {} turns), 0–1 test K = {:.2f}", repetition,
                     period, zero_one);
}

MotionVerdict classify_motion(std::span<const double> points, double scale, double tolerance) {
  MotionVerdict verdict;
  verdict.repetition = std::numeric_limits<double>::infinity();
  verdict.zero_one = zero_one_test(points);
  for (std::size_t n = 1; n <= points.size() / 4; ++n) {
    double largest = 0;
    for (std::size_t k = 0; k + n < points.size(); ++k)
      largest = std::max(largest, std::abs(points[k + n] - points[k]));
    const double relative = scale > 0 ? largest / scale : 0;
    if (relative < verdict.repetition) {
      verdict.repetition = relative;
      verdict.period = n;
    }
    if (relative > tolerance) continue;
    verdict.kind = MotionKind::periodic;
    return verdict;
  }
  if (verdict.zero_one > 0.8) verdict.kind = MotionKind::chaotic;
  if (verdict.zero_one < 0.2) verdict.kind = MotionKind::quasi_periodic;
  return verdict;
}

LyapunovEstimate mean_stretch(const LyapunovSettings& settings, const std::function<double()>& stretch) {
  for (std::size_t k = 0; k < settings.transient; ++k) stretch();
  constexpr std::size_t parts = 10;
  std::vector<double> means(parts, 0);
  const std::size_t each = std::max<std::size_t>(1, settings.count / parts);
  for (double& mean : means) {
    for (std::size_t k = 0; k < each; ++k) mean += stretch();
    mean /= static_cast<double>(each) * settings.interval;
  }
  const double mean = mean_of(means);
  double squares = 0;
  for (const double part : means) squares += (part - mean) * (part - mean);
  return {mean, std::sqrt(squares / (parts * (parts - 1)))};
}

LyapunovEstimate lyapunov_by_separation(const Flow& flow, std::vector<double> state, const LyapunovSettings& settings) {
  std::vector<double> beside = state;
  beside.front() += settings.separation;
  return mean_stretch(settings, [&] {
    flow(state, settings.interval);
    flow(beside, settings.interval);
    std::vector<double> difference(state.size());
    for (std::size_t i = 0; i < state.size(); ++i) difference[i] = beside[i] - state[i];
    double length = length_of(difference);
    if (length == 0) {  // both have met: begin again
      difference.front() = length = settings.separation;
    }
    for (std::size_t i = 0; i < state.size(); ++i) beside[i] = state[i] + difference[i] * settings.separation / length;
    return std::log(length / settings.separation);
  });
}

LyapunovEstimate lyapunov_by_variation(const TangentFlow& flow, std::vector<double> state,
                                       const LyapunovSettings& settings) {
  std::vector<double> tangent(state.size(), 0);
  tangent.front() = 1;
  return mean_stretch(settings, [&] {
    flow(state, tangent, settings.interval);
    const double length = length_of(tangent);
    for (double& each : tangent) each /= length;
    return std::log(length);
  });
}

Flow smooth_flow(Rates rates, double step) {
  return [rates = std::move(rates), step](std::vector<double>& state, double duration) {
    go_on(state, duration, step, rates);
  };
}

TangentFlow smooth_tangent_flow(Rates rates, TangentRates tangent_rates, double step) {
  return [rates = std::move(rates), tangent_rates = std::move(tangent_rates), step](
             std::vector<double>& state, std::vector<double>& tangent, double duration) {
    const std::size_t size = state.size();
    std::vector<double> both = state;
    both.insert(both.end(), tangent.begin(), tangent.end());
    go_on(both, duration, step, [&](std::span<const double> x, std::span<double> x_rates) {
      rates(x.first(size), x_rates.first(size));
      tangent_rates(x.first(size), x.subspan(size), x_rates.subspan(size));
    });
    std::copy_n(both.begin(), size, state.begin());
    std::copy_n(both.begin() + static_cast<std::ptrdiff_t>(size), size, tangent.begin());
  };
}

}  // namespace carom::inline signals
