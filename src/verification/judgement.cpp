#include "verification/judgement.h"

#include <algorithm>
#include <cmath>

namespace carom::inline verification {
namespace {

constexpr double least_share_of_range = 0.1;
constexpr double confident = 1.25, careful = 3;  // factors of safety of P. J. Roache, J. Fluids Eng. 116 (1994) 405
constexpr double converging = 0.7;               // ratio of differences, of refinements that come nearer
constexpr double lowest_order = 0.3, highest_order = 8;
constexpr double beyond_samples = 4.0 / 3;  // what is left when the intervals were quartered, of first order
constexpr double clearly = 3;               // times as much
constexpr double rounding = 1e-13;          // of the scale

// Differences of the runs of one method from the model's own, at its sample times.
struct Differences {
  double finer = not_reported, finest = not_reported, between = not_reported, other = not_reported;

  double largest() const {
    double most = 0;
    for (const double each : {finer, finest, other})
      if (std::isfinite(each)) most = std::max(most, each);
    return most;
  }
  bool any() const { return std::isfinite(finer) || std::isfinite(finest) || std::isfinite(other); }
};

double coarse(const Readings& readings, Role role) {
  return of_role(readings, role).coarse;
}

// Of a static analysis, which has no other integrator, the other start.
double other_reading(const Readings& readings) {
  const double integrator = coarse(readings, Role::other_integrator);
  return std::isfinite(integrator) ? integrator : coarse(readings, Role::other_start);
}

Differences differences_of(const Readings& readings) {
  const double own = coarse(readings, Role::model), finer = coarse(readings, Role::finer),
               finest = coarse(readings, Role::finest);
  return {std::abs(own - finer), std::abs(own - finest), std::abs(finer - finest),
          std::abs(own - other_reading(readings))};
}

// Order and limit of three steps, each half of the one before; nothing where they do not come nearer evenly.
void extrapolate(const Readings& readings, double scale, Judgement& judgement) {
  const double own = coarse(readings, Role::model), finer = coarse(readings, Role::finer),
               finest = coarse(readings, Role::finest);
  const double first = finer - own, second = finest - finer;
  if (!(first * second > 0) || std::abs(second) < rounding * scale) return;
  const double order = std::log2(first / second);
  if (order < lowest_order || order > highest_order) return;
  judgement.order = order;
  judgement.estimate = finest + second / (std::exp2(order) - 1);
}

// By the densest samples, and by others that are nearly as dense.
double sampling_error(const Readings& readings) {
  const auto between = [&](Role role) {
    const AnswerReading& reading = of_role(readings, role);
    const double difference = std::abs(reading.value - reading.coarse);
    return std::isfinite(difference) ? difference : 0;
  };
  if (!std::isfinite(coarse(readings, Role::finest))) return 2 * between(Role::finer);
  return beyond_samples * std::max(between(Role::finest), between(Role::other_integrator));
}

double numerical_error(const Readings& readings, const Differences& differences, const Judgement& judgement) {
  double error = differences.largest();
  const double own = coarse(readings, Role::model);
  if (judgement.estimate) error = std::max(error, std::abs(own - *judgement.estimate));
  if (differences.between > differences.finer) error = std::max(error, differences.between);
  const bool comes_nearer = differences.between <= converging * differences.finer || differences.between == 0;
  return (comes_nearer ? confident : careful) * error;
}

// What an answer depends on that does not hold.
Standing weakness(const Differences& differences, double numerical, double sampling, const Circumstances& all) {
  if (all.chaotic) return Standing::chaotic;
  if (sampling > numerical) return Standing::samples;
  if (all.refinement == Refinement::nothing) return Standing::start;
  const double refined = std::max(std::isfinite(differences.finer) ? differences.finer : 0,
                                  std::isfinite(differences.finest) ? differences.finest : 0);
  return differences.other > clearly * refined ? Standing::integrator : Standing::refinement;
}

// By more than the other method is sure of itself.
bool differs_by_method(const Judgement& judgement, const Circumstances& all) {
  return judgement.method && all.other_method_poor.empty() && *judgement.method > methods_within &&
         *judgement.method > 2 * judgement.method_change;
}

int digits_of(double error, double scale) {
  if (!(error < scale)) return 0;
  return std::clamp(static_cast<int>(std::floor(-std::log10(std::max(error / scale, rounding)))), 0, most_digits);
}

}  // namespace

double by_other_method(const Readings& readings) {
  const double finer = of_role(readings, Role::other_method_finer).value;
  return std::isfinite(finer) ? finer : of_role(readings, Role::other_method).value;
}

const std::string& name_of(Standing standing) {
  static const std::vector<std::string> names = {"holds", "samples", "refinement", "integrator",
                                                 "start", "method",  "chaotic",    "unknown"};
  return names[static_cast<std::size_t>(standing)];
}

Judgement judge(const ModelAnswer& answer, const Readings& readings, double range, double least,
                const Circumstances& circumstances) {
  Judgement judgement;
  const double own = of_role(readings, Role::model).value;
  const Differences differences = differences_of(readings);
  if (!std::isfinite(own) || !differences.any()) return judgement;
  judgement.scale = std::max({std::abs(own), least_share_of_range * range, least});
  if (!(judgement.scale > 0)) judgement.scale = 1;
  const double scale = judgement.scale;
  if (circumstances.refinement == Refinement::step && !answer.is_count) extrapolate(readings, scale, judgement);
  const double sampling = sampling_error(readings);
  const double numerical = answer.is_count ? differences.largest() : numerical_error(readings, differences, judgement);
  judgement.error = std::max(numerical + sampling, rounding * scale);
  judgement.digits = digits_of(judgement.error, scale);
  judgement.change = differences.finer / scale;
  judgement.sampling = sampling / scale;
  judgement.integrator = differences.other / scale;
  const double other = by_other_method(readings);
  const double best = of_role(readings, Role::finest).value;
  if (std::isfinite(other)) judgement.method = std::abs((std::isfinite(best) ? best : own) - other) / scale;
  const double change = std::abs(of_role(readings, Role::other_method).value - other);
  if (std::isfinite(change)) judgement.method_change = change / scale;
  if (judgement.error > holds_within * scale) {
    judgement.standing = weakness(differences, numerical, sampling, circumstances);
  } else {
    judgement.standing = differs_by_method(judgement, circumstances) ? Standing::method : Standing::holds;
  }
  return judgement;
}

}  // namespace carom::inline verification
