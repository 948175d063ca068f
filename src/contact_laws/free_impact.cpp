#include "contact_laws/free_impact.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>

#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <boost/math/special_functions/log1p.hpp>
#include <boost/math/tools/roots.hpp>

namespace carom::inline contact_laws {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

// exp(x) − 1 − x without cancellation, any x.
double expm1_minus(double x) {
  if (std::abs(x) > 0.5) return std::expm1(x) - x;
  double term = x * x / 2, sum = 0;
  for (int k = 3; std::abs(term) > epsilon * std::abs(sum) && k < 30; ++k) {
    sum += term;
    term *= x / k;
  }
  return sum;
}

// x − ln(1 + x), x ≥ 0.
double loss(double x) {
  return -boost::math::log1pmx(x);
}

// s = −ln(1 − h e) of the impact with hysteresis h: the root of s + exp(−s) − 1 = h − ln(1 + h).
double release_logarithm(double h) {
  const double target = loss(h);
  double s = target < 1 ? std::sqrt(2 * target) : target + 1;
  for (int k = 0; k < 60; ++k) {
    const double step = (expm1_minus(-s) - target) / -std::expm1(-s);
    s -= step;
    if (std::abs(step) <= 2 * epsilon * s) break;
  }
  return s;
}

// de_out/dh.
double restitution_slope(double h, double e) {
  if (h < 1e-4) return -2.0 / 3 + 8.0 / 9 * h;
  const double remaining = std::exp(-release_logarithm(h));  // 1 − h e
  return (remaining / (1 + h) - e * e) / (h * e);
}

// W(1) − W(u) with p = 1 − u.
double compression_work(double h, double p) {
  const double y = h * p / (1 + h), ratio = p / (1 + h);
  const double quadratic = y < 1e-5 ? 0.5 + y / 3 + y * y / 4 : -boost::math::log1pmx(-y) / (y * y);
  return ratio - ratio * ratio * quadratic;
}

template <class F>
double integrate(const F& f) {
  return boost::math::quadrature::gauss_kronrod<double, 61>::integrate(f, 0.0, 1.0, 12, 1e-13);
}

}  // namespace

double output_restitution(double h) {
  assert(h >= 0);
  if (h < 1e-12) return 1 - 2 * h / 3;
  return -std::expm1(-release_logarithm(h)) / h;
}

double exact_hysteresis(double restitution) {
  const double e = restitution;
  assert(0 < e && e <= 1);
  if (e == 1) return 0;
  // Zhang et al. 2020 is within 0.0011 everywhere; Newton on 1/e_out, which is nearly straight in h.
  double h = 3 * (1 - e) / (2 * e * (0.6181 * std::exp(-3.52 * e) + 0.899 * std::exp(0.09025 * e)));
  for (int k = 0; k < 40; ++k) {
    const double out = output_restitution(h);
    const double step = (1 / out - 1 / e) / (-restitution_slope(h, out) / (out * out));
    h = std::max(h - step, h / 4);
    if (std::abs(step) <= 2 * epsilon * h) break;
  }
  return h;
}

double elastic_penetration(const ElasticLaw& elastic, double mass, double impact_speed) {
  const double n = elastic.exponent();
  return std::pow((n + 1) * mass * impact_speed * impact_speed / (2 * elastic.stiffness()), 1 / (n + 1));
}

FreeImpact free_impact(double h, const ElasticLaw& elastic, double mass, double impact_speed) {
  assert(elastic.is_power() && mass > 0 && impact_speed > 0);
  h = std::max(h, 1e-30);  // the formulas below keep their accuracy but divide by h
  const double n = elastic.exponent();
  const double deepest_elastic = elastic_penetration(elastic, mass, impact_speed);
  const auto penetration = [&](double work) { return deepest_elastic * std::pow(2 * work, 1 / (n + 1)); };
  const double s = h < 1e-12 ? h : release_logarithm(h);

  FreeImpact impact;
  impact.restitution = output_restitution(h);
  impact.max_penetration = penetration(compression_work(h, 1));

  // With p = 1 − u, which keeps its digits near first touch.
  const auto force = [&](double p) { return elastic.force(penetration(compression_work(h, p))) * (1 + h * (1 - p)); };
  const auto force_slope = [&](double u) { return n * u - (n + 1) * h * compression_work(h, 1 - u); };
  std::uintmax_t iterations = 100;
  const auto peak = boost::math::tools::toms748_solve(force_slope, 0.0, 1.0, -(n + 1) * h * compression_work(h, 1), n,
                                                      boost::math::tools::eps_tolerance<double>(), iterations);
  impact.max_force = force(1 - (peak.first + peak.second) / 2);

  // dt = m v₀ du/F. Compression with 1 − u = τⁿ⁺¹; restitution with ln(1 + h u) = −s + s τⁿ⁺¹: both integrands are
  // bounded at the ends, where f_e vanishes.
  const double momentum = mass * impact_speed;
  impact.compression_time = momentum * integrate([&](double tau) {
                              const double p = std::pow(tau, n + 1);
                              if (p == 0) return 0.0;
                              return (n + 1) * std::pow(tau, n) / force(p);
                            });
  const double remaining = -std::expm1(-s);
  const double restitution_time = momentum * (s / h) * integrate([&](double tau) {
                                    const double q = s * std::pow(tau, n + 1);
                                    if (q == 0) return 0.0;
                                    const double work = (q * remaining - std::exp(-s) * expm1_minus(q)) / (h * h);
                                    return (n + 1) * std::pow(tau, n) / elastic.force(penetration(work));
                                  });
  impact.duration = impact.compression_time + restitution_time;
  return impact;
}

}  // namespace carom::inline contact_laws
