#include "contact_laws/hertz_stress.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include <boost/math/special_functions/ellint_rd.hpp>
#include <boost/math/tools/minima.hpp>

namespace carom::inline contact_laws {
namespace {

// The strip: Johnson, section 4.2(c). (B − z)² = (b² + 2z²) − 2z B, written so that nothing cancels in the depth.
// Lengths in units of b, stresses in units of p₀.
AxisStress strip_stress(double poisson, double depth) {
  const double B = std::hypot(1.0, depth);
  AxisStress stress;
  stress.along_minor = -1 / (B * (B + depth) * (B + depth));
  stress.normal = -1 / B;
  stress.along_major = poisson * (stress.along_minor + stress.normal);
  return stress;
}

AxisStress ellipse_stress(double a, double poisson, double depth) {
  const double A = std::hypot(a, depth), B = std::hypot(1.0, depth);
  const double first = a * 2 / 3 * depth * boost::math::ellint_rd(depth * depth, B * B, A * A);
  const double second = a * 2 / 3 * depth * boost::math::ellint_rd(depth * depth, A * A, B * B);
  const double slender = a / A;
  AxisStress stress;
  stress.along_major = first + poisson * second - slender * (2 * poisson / B + (1 - 2 * poisson) / (A + B));
  stress.along_minor = second + poisson * first - slender * 2 * poisson / B - (1 - 2 * poisson) * a / (B * (A + B));
  stress.normal = -slender / B;
  return stress;
}

// Same, at a depth in units of b and with stresses in units of p₀.
AxisStress scaled_stress(const HertzPatch& patch, double poisson, double depth) {
  const double ratio = patch.major_half_axis / patch.minor_half_axis;
  return std::isinf(ratio) ? strip_stress(poisson, depth) : ellipse_stress(ratio, poisson, depth);
}

// The largest value of a measure of the stress over the depth. The shear stress is the larger of several smooth curves
// and may have one peak at the surface and one below, so the curve is sampled before a peak is refined. Peaks lie above
// 0.8 b.
template <class Measure>
StressPeak peak(const HertzPatch& patch, double poisson, const Measure& measure) {
  if (!(patch.minor_half_axis > 0)) return {};
  constexpr int samples = 48;
  constexpr double spacing = 1.5 / samples;
  const auto value = [&](double depth) { return measure(scaled_stress(patch, poisson, depth)); };
  int best = 0;
  double largest = value(0);
  for (int k = 1; k <= samples; ++k)
    if (const double here = value(k * spacing); here > largest) {
      largest = here;
      best = k;
    }
  const double low = std::max(0, best - 1) * spacing, high = (best + 1) * spacing;
  const auto refined = boost::math::tools::brent_find_minima([&](double depth) { return -value(depth); }, low, high,
                                                             std::numeric_limits<double>::digits / 2);
  // At the surface itself the search ends near, not at, the end of its interval.
  const bool at_surface = best == 0 && -refined.second <= largest;
  const double depth = at_surface ? 0 : refined.first;
  return {.value = patch.max_pressure * (at_surface ? largest : -refined.second),
          .depth = patch.minor_half_axis * depth};
}

}  // namespace

HertzPatch point_contact_patch(const EllipticContact& contact, double force, double composite_modulus) {
  if (!(force > 0)) return {};
  const double penetration = std::pow(force / contact.stiffness(composite_modulus), 2.0 / 3);
  HertzPatch patch;
  patch.major_half_axis = contact.major_half_axis(penetration);
  patch.minor_half_axis = contact.minor_half_axis(penetration);
  patch.mean_pressure = force / (M_PI * patch.major_half_axis * patch.minor_half_axis);
  patch.max_pressure = 1.5 * patch.mean_pressure;
  return patch;
}

HertzPatch line_contact_patch(double effective_radius, double force_per_length, double composite_modulus) {
  if (!(force_per_length > 0)) return {};
  assert(effective_radius > 0 && composite_modulus > 0);
  HertzPatch patch;
  patch.major_half_axis = std::numeric_limits<double>::infinity();
  patch.minor_half_axis = std::sqrt(4 * force_per_length * effective_radius / (M_PI * composite_modulus));
  patch.max_pressure = 2 * force_per_length / (M_PI * patch.minor_half_axis);
  patch.mean_pressure = force_per_length / (2 * patch.minor_half_axis);
  return patch;
}

// b = p₀ E/(E* (A + B)), F = ⅔ π p₀ b²/(b/a).
double force_at_pressure(const EllipticContact& contact, double max_pressure, double composite_modulus) {
  if (!(max_pressure > 0)) return 0;
  const double b = max_pressure * contact.second_integral / (composite_modulus * contact.curvature);
  return 2 * M_PI / 3 * max_pressure * b * b / contact.axis_ratio;
}

double AxisStress::max_shear() const {
  const auto [least, most] = std::minmax({along_major, along_minor, normal});
  return (most - least) / 2;
}

double AxisStress::octahedral_shear() const {
  return std::hypot(along_major - along_minor, along_minor - normal, normal - along_major) / 3;
}

AxisStress axis_stress(const HertzPatch& patch, double poisson, double depth) {
  assert(depth >= 0 && poisson >= 0 && poisson <= 0.5);
  if (!(patch.minor_half_axis > 0)) return {};
  AxisStress stress = scaled_stress(patch, poisson, depth / patch.minor_half_axis);
  stress.along_major *= patch.max_pressure;
  stress.along_minor *= patch.max_pressure;
  stress.normal *= patch.max_pressure;
  return stress;
}

StressMaxima stress_maxima(const HertzPatch& patch, double poisson) {
  StressMaxima maxima;
  maxima.normal = -patch.max_pressure;
  maxima.shear = peak(patch, poisson, [](const AxisStress& stress) { return stress.max_shear(); });
  maxima.octahedral = peak(patch, poisson, [](const AxisStress& stress) { return stress.octahedral_shear(); });
  return maxima;
}

StressPeak orthogonal_shear(const HertzPatch& patch, RollingDirection direction) {
  if (!(patch.minor_half_axis > 0)) return {};
  const bool minor = direction == RollingDirection::along_minor;
  // Across a line contact nothing changes: no stress swings there.
  if (!minor && std::isinf(patch.major_half_axis)) return {};
  const double along = minor ? patch.minor_half_axis : patch.major_half_axis;
  const double across = minor ? patch.major_half_axis : patch.minor_half_axis;
  const double square = (along / across) * (along / across);
  // s = t − 1 from s (2 + s)(1 + 2s) = square: convex and increasing, so Newton's steps come down from above.
  double s = std::min(square / 2, std::cbrt(square / 2));
  for (int k = 0; k < 60 && s > 0; ++k) {
    const double step = (s * (2 + s) * (1 + 2 * s) - square) / (2 + s * (10 + 6 * s));
    s -= step;
    if (std::abs(step) <= 1e-15 * s) break;
  }
  const double t = 1 + s, root = std::sqrt(1 + 2 * s);
  return {.value = patch.max_pressure * root / (2 * t * (t + 1)), .depth = along / ((t + 1) * root)};
}

}  // namespace carom::inline contact_laws
