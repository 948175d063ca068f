#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include <boost/math/quadrature/gauss.hpp>
#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <boost/math/tools/minima.hpp>

#include "contact_laws/hertz_stress.h"
#include "contact_laws/stiffness.h"

namespace carom {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

HertzPatch ellipse(double ratio) {
  return {.major_half_axis = 1 / ratio, .minor_half_axis = 1, .max_pressure = 1, .mean_pressure = 2.0 / 3};
}

constexpr HertzPatch strip{
    .major_half_axis = infinity, .minor_half_axis = 1, .max_pressure = 1, .mean_pressure = M_PI / 4};

// Boussinesq's stresses under a unit force at the origin of the half-space, at cylinder coordinates; Johnson (3.19).
AxisStress boussinesq(double poisson, double radius, double angle, double depth) {
  const double distance = std::hypot(radius, depth), cube = distance * distance * distance;
  const double cosine = std::cos(angle), sine = std::sin(angle);
  const double turning = (cosine * cosine - sine * sine) / (distance * (distance + depth));
  const double sinking = 3 * depth * radius * radius / (cube * distance * distance);
  const double factor = 1 / (2 * M_PI), incompressible = 1 - 2 * poisson;
  return {
      .along_major = factor * (incompressible * (turning + depth * sine * sine / cube) - sinking * cosine * cosine),
      .along_minor = factor * (incompressible * (-turning + depth * cosine * cosine / cube) - sinking * sine * sine),
      .normal = -3 * factor * depth * depth * depth / (cube * distance * distance)};
}

// ∬ p × kernel(x, y) dS over the ellipse with half axes 1/ratio and 1 and unit p₀, over the quarter x, y > 0, four
// times: x = a sin u cos θ, y = sin u sin θ.
template <class Kernel>
double integrate_quarter(double ratio, const Kernel& kernel) {
  using Rule = boost::math::quadrature::gauss_kronrod<double, 31>;
  const auto ring = [&](double u) {
    const double s = std::sin(u), c = std::cos(u);
    const auto point = [&](double angle) { return kernel(s * std::cos(angle) / ratio, s * std::sin(angle)); };
    return s * c * c / ratio * Rule::integrate(point, 0.0, M_PI / 2, 12, 1e-12);
  };
  return 4 * Rule::integrate(ring, 0.0, M_PI / 2, 12, 1e-11);
}

TEST(hertz_stress, axis_formulas_against_integration_of_boussinesq) {
  for (const double ratio : {1.0, 0.6, 0.2, 0.05})
    for (const double poisson : {0.0, 0.3, 0.5})
      for (const double depth : {0.15, 0.5, 1.0, 4.0}) {
        const AxisStress stress = axis_stress(ellipse(ratio), poisson, depth);
        const auto at = [&](double x, double y) {
          return boussinesq(poisson, std::hypot(x, y), std::atan2(y, x), depth);
        };
        const double major = integrate_quarter(ratio, [&](double x, double y) { return at(x, y).along_major; });
        const double minor = integrate_quarter(ratio, [&](double x, double y) { return at(x, y).along_minor; });
        const double normal = integrate_quarter(ratio, [&](double x, double y) { return at(x, y).normal; });
        EXPECT_NEAR(stress.along_major, major, 2e-10) << ratio << ' ' << poisson << ' ' << depth;
        EXPECT_NEAR(stress.along_minor, minor, 2e-10) << ratio << ' ' << poisson << ' ' << depth;
        EXPECT_NEAR(stress.normal, normal, 2e-10) << ratio << ' ' << poisson << ' ' << depth;
      }
}

// Under a circle all is elementary; Johnson (3.45).
TEST(hertz_stress, circle_and_strip_in_elementary_functions) {
  for (const double poisson : {0.1, 0.3, 0.5})
    for (const double depth : {0.0, 1e-8, 0.3, 0.48, 2.0, 30.0, 1e3}) {
      const AxisStress stress = axis_stress(ellipse(1), poisson, depth);
      const double radial = -(1 + poisson) * (1 - depth * std::atan2(1, depth)) + 1 / (2 * (1 + depth * depth));
      EXPECT_NEAR(stress.along_major, radial, 1e-14);
      EXPECT_NEAR(stress.along_minor, radial, 1e-14);
      EXPECT_NEAR(stress.normal, -1 / (1 + depth * depth), 1e-15);
      const AxisStress line = axis_stress(strip, poisson, depth), slender = axis_stress(ellipse(1e-7), poisson, depth);
      const double root = std::sqrt(1 + depth * depth);
      EXPECT_NEAR(line.along_minor, -((1 + 2 * depth * depth) / root - 2 * depth), 1e-13 * (1 + depth));
      EXPECT_NEAR(line.normal, -1 / root, 1e-15);
      EXPECT_NEAR(slender.along_minor, line.along_minor, 1e-6);
      EXPECT_NEAR(slender.along_major, line.along_major, 1e-6);
      EXPECT_NEAR(slender.normal, line.normal, 1e-6);
    }
  // At the surface; Johnson (4.29).
  const AxisStress surface = axis_stress(ellipse(0.4), 0.3, 0);
  EXPECT_NEAR(surface.along_major, -(0.6 + 0.4 * 0.4 / 1.4), 1e-15);
  EXPECT_NEAR(surface.along_minor, -(0.6 + 0.4 * 1.0 / 1.4), 1e-15);
  EXPECT_EQ(surface.normal, -1);
}

// Thomas and Hoersch's own form, as quoted by Seely and Smith and by Boresi: incomplete integrals by quadrature.
TEST(hertz_stress, form_of_thomas_and_hoersch) {
  const double ratio = 0.35, poisson = 0.25, depth = 0.7;
  const double square = ratio * ratio, modulus = 1 - square, angle = std::atan2(1, ratio * depth);
  const double n = std::sqrt((square + square * depth * depth) / (1 + square * depth * depth));
  using Rule = boost::math::quadrature::gauss_kronrod<double, 31>;
  const auto root = [&](double t) { return std::sqrt(1 - modulus * std::sin(t) * std::sin(t)); };
  const double F = Rule::integrate([&](double t) { return 1 / root(t); }, 0.0, angle, 10, 1e-13);
  const double H = Rule::integrate(root, 0.0, angle, 10, 1e-13);
  const double M = 2 * ratio / modulus, sinking = ratio * depth;
  const double first = -(1 - n) / 2 + sinking * (F - H), first_poisson = 1 - n / square + sinking * (H / square - F);
  const double second = 1 / (2 * n) + 0.5 - n / square + sinking * (H / square - F);
  const double second_poisson = -1 + n + sinking * (F - H);
  const AxisStress stress = axis_stress(ellipse(ratio), poisson, depth);
  EXPECT_NEAR(stress.along_major, M * (first + poisson * first_poisson), 1e-12);
  EXPECT_NEAR(stress.along_minor, M * (second + poisson * second_poisson), 1e-12);
  EXPECT_NEAR(stress.normal, -M / 2 * (1 / n - n), 1e-12);
}

// Coefficients c = stress Δ/b = (stress/p₀)/E over B/A, for ν = 0.3: table in section 7.3 of the formulation, whose
// depths are those of a scan.
TEST(hertz_stress, peaks_of_general_patches) {
  const double table[][6] = {
      {1, 1, 0.1974, 0.481, 0.1861, 0.481},         {2, 0.63060, 0.2477, 0.586, 0.2237, 0.582},
      {5, 0.34600, 0.2901, 0.687, 0.2528, 0.669},   {20, 0.14433, 0.3090, 0.759, 0.2650, 0.714},
      {100, 0.05498, 0.3074, 0.781, 0.2649, 0.716}, {1000, 0.01473, 0.3029, 0.786, 0.2635, 0.709}};
  for (const auto& [curvatures, ratio, shear, shear_depth, octahedral, octahedral_depth] : table) {
    const auto contact = elliptic_contact({1.0, 1 / curvatures}, {infinity, infinity}, 0);
    ASSERT_TRUE(contact);
    EXPECT_NEAR(contact->axis_ratio, ratio, 6e-6);
    const StressMaxima maxima = stress_maxima(ellipse(contact->axis_ratio), 0.3);
    EXPECT_NEAR(maxima.shear.value / contact->second_integral, shear, 6e-5) << curvatures;
    EXPECT_NEAR(maxima.shear.depth, shear_depth, 1e-3) << curvatures;
    EXPECT_NEAR(maxima.octahedral.value / contact->second_integral, octahedral, 6e-5) << curvatures;
    EXPECT_NEAR(maxima.octahedral.depth, octahedral_depth, 1e-3) << curvatures;
  }
}

TEST(hertz_stress, textbook_values_of_circle_and_line) {
  const StressMaxima circle = stress_maxima(ellipse(1), 0.3), line = stress_maxima(strip, 0.3);
  EXPECT_EQ(circle.normal, -1);
  EXPECT_NEAR(circle.shear.value, 0.310, 5e-4);
  EXPECT_NEAR(circle.shear.depth, 0.48, 5e-3);
  EXPECT_NEAR(line.shear.value, 0.300, 5e-4);
  EXPECT_NEAR(line.shear.depth, 0.786, 5e-4);
  // Equal transverse stresses: the octahedral shear stress is √8/3 of the largest one.
  EXPECT_NEAR(circle.octahedral.value, std::sqrt(8.0) / 3 * circle.shear.value, 1e-12);
  EXPECT_NEAR(line.octahedral.value * 3 / std::sqrt(2.0), 0.558, 5e-4);  // von Mises
  // Without transverse contraction a strip has its largest shear stress at the surface, where σ_x = 0.
  const StressMaxima brittle = stress_maxima(strip, 0);
  EXPECT_EQ(brittle.shear.value, 0.5);
  EXPECT_EQ(brittle.shear.depth, 0);
  const StressMaxima slender = stress_maxima(ellipse(1e-6), 0.3);
  EXPECT_NEAR(slender.shear.value, line.shear.value, 1e-5);
  EXPECT_NEAR(slender.octahedral.depth, line.octahedral.depth, 1e-4);
  // A peak: nothing on the axis is above it. About ν = 0.24 a slender patch has two of nearly the same height.
  for (const double ratio : {1.0, 0.5, 0.1, 0.01})
    for (const double poisson : {0.0, 0.15, 0.23, 0.24, 0.3, 0.5}) {
      const StressMaxima maxima = stress_maxima(ellipse(ratio), poisson);
      for (double depth = 0; depth < 20; depth = 1.02 * depth + 0.003) {
        const AxisStress stress = axis_stress(ellipse(ratio), poisson, depth);
        EXPECT_LE(stress.max_shear(), maxima.shear.value * (1 + 1e-12));
        EXPECT_LE(stress.octahedral_shear(), maxima.octahedral.value * (1 + 1e-12));
      }
      const AxisStress there = axis_stress(ellipse(ratio), poisson, maxima.shear.depth);
      EXPECT_NEAR(there.max_shear(), maxima.shear.value, 1e-13);
    }
}

// τ_yz in the plane x = 0 by integration over the whole patch: Gauss in u, the even rule around.
double orthogonal_stress(double ratio, bool along_minor, double place, double depth) {
  constexpr int around = 720;
  const auto ring = [&](double u) {
    const double s = std::sin(u), c = std::cos(u);
    double sum = 0;
    for (int k = 0; k < around; ++k) {
      const double angle = 2 * M_PI * (k + 0.5) / around;
      const double x = s * std::cos(angle) / ratio, y = s * std::sin(angle);
      const double along = place - (along_minor ? y : x), across = along_minor ? x : y;
      const double distance = std::hypot(along, across, depth);
      sum += along / std::pow(distance, 5);
    }
    return s * c * c / ratio * sum * 2 * M_PI / around;
  };
  return 3 / (2 * M_PI) * depth * depth * boost::math::quadrature::gauss<double, 60>::integrate(ring, 0.0, M_PI / 2);
}

TEST(hertz_stress, orthogonal_shear_against_integration) {
  for (const double ratio : {1.0, 0.5, 0.2})
    for (const bool minor : {true, false}) {
      const StressPeak peak =
          orthogonal_shear(ellipse(ratio), minor ? RollingDirection::along_minor : RollingDirection::along_major);
      const double reach = minor ? 1 : 1 / ratio;
      // The largest value over the place, at a depth.
      const auto largest = [&](double depth) {
        const auto f = [&](double place) { return -orthogonal_stress(ratio, minor, place, depth); };
        return -boost::math::tools::brent_find_minima(f, 0.3 * reach, 1.4 * reach, 20).second;
      };
      EXPECT_NEAR(largest(peak.depth) / peak.value, 1, 1e-8) << ratio << minor;
      EXPECT_LT(largest(0.93 * peak.depth), peak.value * (1 - 1e-4)) << ratio << minor;
      EXPECT_LT(largest(1.07 * peak.depth), peak.value * (1 - 1e-4)) << ratio << minor;
    }
}

TEST(hertz_stress, orthogonal_shear_of_circle_and_line) {
  const StressPeak line = orthogonal_shear(strip), circle = orthogonal_shear(ellipse(1));
  EXPECT_NEAR(line.value, 0.25, 1e-15);
  EXPECT_NEAR(line.depth, 0.5, 1e-15);
  EXPECT_NEAR(circle.value, 0.2139, 5e-5);
  EXPECT_NEAR(circle.depth, 0.3509, 5e-5);
  const StressPeak slender = orthogonal_shear(ellipse(1e-5));
  EXPECT_NEAR(slender.value, 0.25, 1e-10);
  EXPECT_NEAR(slender.depth, 0.5, 1e-10);
  EXPECT_EQ(orthogonal_shear(strip, RollingDirection::along_major).value, 0);
  const StressPeak square = orthogonal_shear(ellipse(1), RollingDirection::along_major);
  EXPECT_EQ(square.value, circle.value);
}

// Forces and pressures of whole contacts.
TEST(hertz_stress, patches) {
  const double modulus = composite_modulus(207e9, 0.3, 207e9, 0.3);
  const auto ball = elliptic_contact({0.01, 0.01}, {infinity, infinity}, 0);
  const HertzPatch patch = point_contact_patch(*ball, 50, modulus);
  EXPECT_NEAR(patch.major_half_axis, std::cbrt(3 * 50 * 0.01 / (4 * modulus)), 1e-15);
  EXPECT_NEAR(patch.max_pressure / std::cbrt(6 * 50 * modulus * modulus / (M_PI * M_PI * M_PI * 1e-4)), 1, 1e-13);
  EXPECT_NEAR(patch.mean_pressure * M_PI * patch.major_half_axis * patch.minor_half_axis, 50, 1e-12);
  const auto groove = elliptic_contact({0.004, 0.004}, {-0.0042, 0.013}, 0);
  for (const double force : {1e-3, 1.0, 4e4})
    EXPECT_NEAR(force_at_pressure(*groove, point_contact_patch(*groove, force, modulus).max_pressure, modulus) / force,
                1, 1e-12);
  // Johnson (4.43)–(4.45); the pressure carries the force.
  const HertzPatch line = line_contact_patch(0.02, 3e5, modulus);
  EXPECT_NEAR(line.max_pressure / std::sqrt(3e5 * modulus / (M_PI * 0.02)), 1, 1e-14);
  EXPECT_NEAR(M_PI / 2 * line.minor_half_axis * line.max_pressure, 3e5, 1e-7);
  EXPECT_NEAR(line.mean_pressure / line.max_pressure, M_PI / 4, 1e-14);
  // No force, no stress.
  const HertzPatch none = point_contact_patch(*ball, -1, modulus);
  EXPECT_EQ(none.max_pressure, 0);
  EXPECT_EQ(stress_maxima(none, 0.3).shear.value, 0);
  EXPECT_EQ(axis_stress(none, 0.3, 0.1).normal, 0);
  EXPECT_EQ(orthogonal_shear(line_contact_patch(0.02, 0, modulus)).value, 0);
}

// The ball bearing of the source (case D1) at 100 N: −7.06, 2.11, 1.90 · 10⁸ Pa are printed there. Read from charts
// they come out; elliptic integrals give other numbers, which are the right ones.
TEST(hertz_stress, bearing_of_the_source) {
  const double ball = 0.00396875, groove = 0.00397875, inner = 0.01277125, force = 100;
  const double modulus = composite_modulus(200e9, 0.3, 200e9, 0.3);
  const double A = (1 / ball - 1 / groove) / 2, B = (1 / ball + 1 / inner) / 2, delta = 1 / (modulus * (A + B));
  const double chart_b = 0.22, chart_sigma = 1, chart_tau = 0.3, chart_octahedral = 0.27;
  const double width = chart_b * std::cbrt(force * delta);
  EXPECT_NEAR(-chart_sigma * width / delta, -7.06e8, 5e5);
  EXPECT_NEAR(chart_tau * width / delta, 2.11e8, 1e6);
  EXPECT_NEAR(chart_octahedral * width / delta, 1.90e8, 1e6);

  const auto contact = elliptic_contact({ball, ball}, {-groove, inner}, 0);
  ASSERT_TRUE(contact);
  const HertzPatch patch = point_contact_patch(*contact, force, modulus);
  const StressMaxima maxima = stress_maxima(patch, 0.3);
  EXPECT_NEAR(maxima.normal, -6.944e8, 5e4);
  EXPECT_NEAR(maxima.shear.value, 2.112e8, 5e4);
  EXPECT_NEAR(maxima.octahedral.value, 1.834e8, 1e5);
  EXPECT_NEAR(patch.major_half_axis, 1.80e-3, 5e-6);
}

// What stiffness and ratio of axes leave of the curvatures is all that stresses need.
TEST(HertzStress, OfAContactKnownByItsStiffness) {
  const double modulus = 115e9;
  const EllipticContact groove = *elliptic_contact({0.004, 0.004}, {0.02, -0.0042}, 0);
  const EllipticContact found = elliptic_contact_of(groove.stiffness(modulus), groove.axis_ratio, modulus);
  const HertzPatch a = point_contact_patch(groove, 500, modulus), b = point_contact_patch(found, 500, modulus);
  EXPECT_NEAR(b.max_pressure, a.max_pressure, 1e-10 * a.max_pressure);
  EXPECT_NEAR(b.major_half_axis, a.major_half_axis, 1e-10 * a.major_half_axis);
}

}  // namespace
}  // namespace carom
