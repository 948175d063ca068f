#include "studies/sampling.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/weibull.hpp>
#include <boost/random/sobol.hpp>

namespace carom::inline studies {
namespace {

using Points = std::vector<std::vector<double>>;

// In double precision: what the library prepares in a longer one overflows where that is emulated, and the program then
// ends before it begins (under valgrind).
using Plain = boost::math::policies::policy<boost::math::policies::promote_double<false>>;
using Normal = boost::math::normal_distribution<double, Plain>;
using Weibull = boost::math::weibull_distribution<double, Plain>;

// The distributions of the standard library differ from one library to the next; its generator does not.
class Random {
 public:
  explicit Random(std::uint64_t seed) : bits_(seed) {}
  // In the middle of one of 2⁵² equal parts of 0 … 1, and therefore never at an end.
  double part() { return (static_cast<double>(bits_() >> 12) + 0.5) * 0x1p-52; }
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(part() * static_cast<double>(count)); }

 private:
  std::mt19937_64 bits_;
};

template <class Distribution>
double truncated(const Distribution& distribution, double lower, double upper, double u) {
  const double below = std::isfinite(lower) ? cdf(distribution, lower) : 0,
               until = std::isfinite(upper) ? cdf(distribution, upper) : 1;
  constexpr double below_one = 1 - 0x1p-53;
  if (below < 0.5)
    return std::clamp(quantile(distribution, std::min(below + u * (until - below), below_one)), lower, upper);
  // Far out in the upper tail only what is left of the whole can be told from nothing.
  const double above = cdf(complement(distribution, lower)),
               beyond = std::isfinite(upper) ? cdf(complement(distribution, upper)) : 0;
  return std::clamp(quantile(complement(distribution, above + u * (beyond - above))), lower, upper);
}

template <class Distribution>
double share_between(const Distribution& distribution, double lower, double upper) {
  const bool in_tail = std::isfinite(lower) && cdf(distribution, lower) >= 0.5;
  if (in_tail)
    return cdf(complement(distribution, lower)) - (std::isfinite(upper) ? cdf(complement(distribution, upper)) : 0);
  return (std::isfinite(upper) ? cdf(distribution, upper) : 1) - (std::isfinite(lower) ? cdf(distribution, lower) : 0);
}

Points grid(const Study& study) {
  Points points = {{}};
  for (const VariedParameter& varied : study.varied) {
    Points more;
    more.reserve(points.size() * varied.values.size());
    for (const auto& point : points) {
      for (const double value : varied.values) {
        more.push_back(point);
        more.back().push_back(value);
      }
    }
    points = std::move(more);
  }
  return points;
}

Points list(const Study& study) {
  Points points(study.varied.empty() ? 1 : study.varied.front().values.size());
  for (std::size_t k = 0; k < points.size(); ++k)
    for (const VariedParameter& varied : study.varied) points[k].push_back(varied.values[k]);
  return points;
}

// Parts of the unit cube.
Points latin_hypercube(std::size_t samples, std::size_t dimensions, Random random) {
  Points points(samples, std::vector<double>(dimensions));
  std::vector<std::size_t> order(samples);
  for (std::size_t d = 0; d < dimensions; ++d) {
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t k = samples; k > 1; --k) std::swap(order[k - 1], order[random.below(k)]);
    for (std::size_t k = 0; k < samples; ++k)
      points[k][d] = (static_cast<double>(order[k]) + random.part()) / static_cast<double>(samples);
  }
  return points;
}

Points random_points(std::size_t samples, std::size_t dimensions, Random random) {
  Points points(samples, std::vector<double>(dimensions));
  for (auto& point : points)
    for (double& part : point) part = random.part();
  return points;
}

Points sobol(std::size_t samples, std::size_t dimensions, std::uint64_t seed) {
  Points points(samples, std::vector<double>(dimensions));
  if (dimensions == 0) return points;
  boost::random::sobol sequence(dimensions);
  std::vector<double> shift(dimensions, 0);
  Random random(seed);
  if (seed != 0)
    for (double& each : shift) each = random.part();
  for (auto& point : points) {
    for (std::size_t d = 0; d < dimensions; ++d) {
      const double part = (static_cast<double>(sequence() >> 12) + 0.5) * 0x1p-52 + shift[d];
      point[d] = part < 1 ? part : part - 1;
    }
  }
  return points;
}

double value_of(const VariedParameter& varied, double u) {
  if (varied.spread) return quantile(*varied.spread, u);
  const auto count = static_cast<double>(varied.values.size());
  return varied.values[std::min(varied.values.size() - 1, static_cast<std::size_t>(u * count))];
}

}  // namespace

double quantile(const Spread& spread, double u) {
  switch (spread.kind) {
    case Spread::Kind::uniform:
      return spread.from + (spread.to - spread.from) * u;
    case Spread::Kind::log_uniform:
      return spread.from * std::pow(spread.to / spread.from, u);
    case Spread::Kind::normal:
      return truncated(Normal(spread.mean, spread.deviation), spread.lower, spread.upper, u);
    case Spread::Kind::weibull:
      return spread.location + truncated(Weibull(spread.shape, spread.scale),
                                         std::max(0.0, spread.lower - spread.location), spread.upper - spread.location,
                                         u);
  }
  return 0;
}

double share_between_bounds(const Spread& spread) {
  const auto sound = [](double number) { return std::isfinite(number) && number > 0; };
  if (spread.kind == Spread::Kind::normal && !(sound(spread.deviation) && std::isfinite(spread.mean))) return 1;
  if (spread.kind == Spread::Kind::weibull && !(sound(spread.shape) && sound(spread.scale))) return 1;
  if (spread.kind == Spread::Kind::normal)
    return share_between(Normal(spread.mean, spread.deviation), spread.lower, spread.upper);
  if (spread.kind != Spread::Kind::weibull) return 1;
  const double upper = spread.upper - spread.location;
  if (upper <= 0) return 0;
  return share_between(Weibull(spread.shape, spread.scale), std::max(0.0, spread.lower - spread.location), upper);
}

Points sample_points(const Study& study) {
  if (study.sampling == Sampling::grid) return grid(study);
  if (study.sampling == Sampling::list) return list(study);
  const std::size_t samples = study.samples, dimensions = study.varied.size();
  Points points = study.sampling == Sampling::sobol    ? sobol(samples, dimensions, study.seed)
                  : study.sampling == Sampling::random ? random_points(samples, dimensions, Random(study.seed))
                                                       : latin_hypercube(samples, dimensions, Random(study.seed));
  for (auto& point : points)
    for (std::size_t d = 0; d < dimensions; ++d) point[d] = value_of(study.varied[d], point[d]);
  return points;
}

StudyPlan::StudyPlan(const Study& study)
    : models_(study.models.size()), methods_(study.methods.size()), points_(sample_points(study)) {}

PlannedRun StudyPlan::run(std::size_t index) const {
  return {index / points_.size() / methods_, index / points_.size() % methods_, index % points_.size()};
}

}  // namespace carom::inline studies
