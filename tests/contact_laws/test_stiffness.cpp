#include <gtest/gtest.h>

#include <limits>

#include "contact_laws/elastic_catalogue.h"
#include "contact_laws/elliptic_contact.h"
#include "contact_laws/stiffness.h"

namespace carom {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Section 2.1 of the formulation: steel, E = 207 GPa, ν = 0.3.
TEST(stiffness, published_values) {
  const double modulus = composite_modulus(207e9, 0.3, 207e9, 0.3);
  EXPECT_NEAR(hertz_stiffness(modulus, effective_radius(0.05, infinity)), 3.3910e10, 5e5);
  EXPECT_NEAR(hertz_stiffness(modulus, effective_radius(9.5e-3, -10e-3)), 6.6102e10, 5e5);
  EXPECT_NEAR(hertz_stiffness(modulus, effective_radius(9.975e-3, -10e-3)), 3.02917e11, 5e5);
  EXPECT_NEAR(hertz_stiffness(modulus, effective_radius(9.95e-3, -10e-3)), 2.13926e11, 5e5);
  EXPECT_NEAR(hertz_stiffness(modulus, effective_radius(9.75e-3, -10e-3)), 9.47044e10, 5e4);
}

TEST(stiffness, rigid_partner_and_conforming_radii) {
  const double rigid = composite_modulus(207e9, 0.3, infinity, 0.3);
  EXPECT_NEAR(rigid, 207e9 / (1 - 0.09), 1e-3);
  EXPECT_EQ(rigid, composite_modulus(207e9, 0.3, 0, 0));
  EXPECT_EQ(composite_modulus(0, 0, 0, 0), infinity);
  EXPECT_TRUE(is_conforming(0.01, -0.01));
  EXPECT_TRUE(is_conforming(0.011, -0.01));
  EXPECT_TRUE(is_conforming(infinity, infinity));
  EXPECT_FALSE(is_conforming(0.0099, -0.01));
  EXPECT_FALSE(is_conforming(0.01, infinity));
}

// Circular patches: a ball on a plane, and equal cylinders crossed at a right angle.
TEST(elliptic_contact, circular_patch) {
  const double expected = hertz_stiffness(1e11, 0.02);
  const auto ball = elliptic_contact({0.02, 0.02}, {infinity, infinity}, 0.3);
  ASSERT_TRUE(ball);
  EXPECT_NEAR(ball->stiffness(1e11) / expected, 1, 1e-14);
  EXPECT_NEAR(ball->major_half_axis(1e-5), std::sqrt(0.02 * 1e-5), 1e-15);
  const auto crossed = elliptic_contact({0.02, infinity}, {0.02, infinity}, M_PI / 2);
  ASSERT_TRUE(crossed);
  EXPECT_NEAR(crossed->stiffness(1e11) / expected, 1, 1e-12);
  const auto socket = elliptic_contact({9.5e-3, 9.5e-3}, {-10e-3, -10e-3}, 0);
  EXPECT_NEAR(socket->stiffness(1e11) / hertz_stiffness(1e11, effective_radius(9.5e-3, -10e-3)), 1, 1e-12);
}

// Harris, Rolling Bearing Analysis, table of a*, b*, δ* over F(ρ) = (B − A)/(A + B).
TEST(elliptic_contact, tabulated_values) {
  const double table[][4] = {{0.1075, 1.0760, 0.9318, 0.9974},
                             {0.3204, 1.2623, 0.8114, 0.9761},
                             {0.4795, 1.4556, 0.7278, 0.9429},
                             {0.5916, 1.6440, 0.6687, 0.9077},
                             {0.6716, 1.8258, 0.6245, 0.8733}};
  for (const auto& [ratio, major, minor, approach] : table) {
    const double sum = 100, a = sum / 2 * (1 - ratio) / 2, b = sum / 2 * (1 + ratio) / 2;  // A + B = Σρ/2
    const auto contact = elliptic_contact({1 / (2 * a), 1 / (2 * b)}, {infinity, infinity}, 0);
    ASSERT_TRUE(contact);
    const double modulus = 1e11, penetration = 1e-5, force = contact->stiffness(modulus) * std::pow(penetration, 1.5);
    const double scale = std::cbrt(3 * force / (2 * sum * modulus));
    EXPECT_NEAR(contact->major_half_axis(penetration) / scale, major, 5e-4 * major) << ratio;
    EXPECT_NEAR(contact->minor_half_axis(penetration) / scale, minor, 5e-4 * minor) << ratio;
    EXPECT_NEAR(penetration / (scale * scale * sum / 2), approach, 5e-4 * approach) << ratio;
  }
}

// Turning both bodies, or exchanging them, changes nothing; slender ellipses are still found.
TEST(elliptic_contact, symmetries_and_limits) {
  const auto one = elliptic_contact({0.02, 0.05}, {-0.3, 0.4}, 0.7);
  const auto two = elliptic_contact({-0.3, 0.4}, {0.02, 0.05}, -0.7);
  const auto three = elliptic_contact({0.05, 0.02}, {-0.3, 0.4}, 0.7 + M_PI / 2);
  EXPECT_NEAR(one->stiffness(1) / two->stiffness(1), 1, 1e-13);
  EXPECT_NEAR(one->stiffness(1) / three->stiffness(1), 1, 1e-13);
  double previous = 1.1;
  for (double angle = M_PI / 2; angle > 1e-5; angle *= 0.5) {
    const auto crossed = elliptic_contact({0.02, infinity}, {0.02, infinity}, angle);
    ASSERT_TRUE(crossed) << angle;
    EXPECT_LT(crossed->axis_ratio, previous);
    EXPECT_GT(crossed->stiffness(1), 0);
    previous = crossed->axis_ratio;
  }
  EXPECT_FALSE(elliptic_contact({0.02, infinity}, {0.02, infinity}, 0));
  EXPECT_FALSE(elliptic_contact({0.01, 0.01}, {-0.01, infinity}, 0));
  EXPECT_FALSE(elliptic_contact({infinity, infinity}, {infinity, infinity}, 0));
}

TEST(elastic_law, shapes) {
  const auto liu = ElasticLaw::liu(1e11, 0.02, 1e-4);
  const double full = M_PI / 2 * 1e11 * 0.02;
  for (double penetration : {1e-9, 1e-6, 3e-5, 1e-4, 2e-3})
    EXPECT_NEAR(liu.force(penetration), full * penetration * std::sqrt(penetration / (2 * (1e-4 + penetration))),
                1e-12 * liu.force(penetration));
  EXPECT_NEAR(liu.force(1e-12) / (liu.stiffness() * std::pow(1e-12, 1.5)), 1, 1e-7);
  EXPECT_NEAR(liu.force(10.0) / (full / std::sqrt(2.0) * 10), 1, 1e-5);
  EXPECT_EQ(liu.force(-1e-5), 0);
  EXPECT_EQ(liu.evaluate(0).slope, 0);
  EXPECT_EQ(ElasticLaw::liu(1e11, 0.02, 0).exponent(), 1);
  EXPECT_NEAR(ElasticLaw::power(3, 2.5).force(0.49), 3 * std::pow(0.49, 2.5), 1e-15);
  EXPECT_NEAR(ElasticLaw::power(3, 1.5).force(0.49), 3 * std::pow(0.49, 1.5), 1e-15);
}

// The energy of Liu's law against Simpson's rule, on both sides of the series.
TEST(elastic_law, energy_of_liu) {
  const auto liu = ElasticLaw::liu(1e11, 0.02, 1e-4);
  for (double penetration : {1e-7, 4e-6, 5.9e-6, 6.1e-6, 3e-5, 1e-3}) {
    const int n = 4000;
    double sum = 0;  // in s with δ = penetration s⁴, which smooths the start
    for (int k = 0; k <= n; ++k) {
      const double s = double(k) / n;
      const double weight = k == 0 || k == n ? 1 : k % 2 ? 4 : 2;
      sum += weight * liu.force(penetration * s * s * s * s) * 4 * s * s * s * penetration;
    }
    EXPECT_NEAR(liu.evaluate(penetration).energy / (sum / (3 * n)), 1, 1e-9) << penetration;
  }
}

TEST(elastic_law, curvature) {
  for (const auto& law : {ElasticLaw::power(5e9, 1.5), ElasticLaw::power(4e7, 1.08), ElasticLaw::liu(1e11, 0.02, 1e-5),
                          ElasticLaw::power(1e7, 1)})
    for (double penetration : {1e-7, 5e-6, 1e-5, 4e-4}) {
      const double step = 1e-4 * penetration;
      const double difference =
          (law.evaluate(penetration + step).slope - law.evaluate(penetration - step).slope) / (2 * step);
      EXPECT_NEAR(law.curvature(penetration), difference,
                  1e-7 * std::abs(difference) + 1e-11 * law.evaluate(penetration).slope / step);
    }
}

TEST(elastic_catalogue, entries_make_their_shape) {
  Settings settings;
  settings.set("length", 0.02);
  const ElasticContext context{1e11, 0.05, 1e-4, settings};
  EXPECT_NEAR(find_elastic("hertz")->make(context).stiffness(), hertz_stiffness(1e11, 0.05), 1);
  EXPECT_NEAR(find_elastic("gear")->make(context).stiffness(), M_PI / 2 * 1e11 * 0.02, 1);
  EXPECT_NEAR(find_elastic("liu")->make(context).force(1e-5), ElasticLaw::liu(1e11, 0.02, 1e-4).force(1e-5), 1e-9);
  settings.set("stiffness", 7e8);
  for (const char* name : {"hertz", "gear", "linear", "brandlein", "power"})
    EXPECT_EQ(find_elastic(name)->make(context).stiffness(), 7e8) << name;
  EXPECT_EQ(find_elastic("brandlein")->make(context).exponent(), 1.08);
  EXPECT_EQ(elastic_catalogue().size(), 6u);
}

}  // namespace
}  // namespace carom
