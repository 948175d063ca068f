#include <gtest/gtest.h>

#include <cmath>

#include "contact_laws/normal_law.h"

namespace carom {
namespace {

// φ(h) of the exact equation, in long double.
long double residual(long double h, long double e) {
  return std::log1p(h) - std::log1p(-e * h) - h * (1 + e);
}

TEST(free_impact, exact_factor_returns_what_is_asked_for) {
  double worst = 0;
  for (int k = 1; k <= 1000; ++k) {
    const double e = k / 1000.0;
    worst = std::max(worst, std::abs(output_restitution(exact_hysteresis(e)) - e));
  }
  for (double e = 1e-6; e < 1; e *= 1.01)
    worst = std::max(worst, std::abs(output_restitution(exact_hysteresis(e)) / e - 1));
  for (double gap = 1e-15; gap < 0.5; gap *= 1.5)
    worst = std::max(worst, std::abs(output_restitution(exact_hysteresis(1 - gap)) - (1 - gap)));
  EXPECT_LT(worst, 1e-12);
  RecordProperty("worst_error", testing::PrintToString(worst));
}

TEST(free_impact, exact_factor_solves_its_equation) {
  for (double e : {0.05, 0.1, 0.2, 0.35, 0.5, 0.7, 0.9, 0.95}) {
    const double h = exact_hysteresis(e);
    // A relative error ε of h changes φ by about ε h φ′.
    const double slope = h * std::abs(1 / (1 + h) + e / (1 - e * h) - 1 - e);
    EXPECT_LT(std::abs(static_cast<double>(residual(h, e))), 1e-13 * (slope + 1)) << e;
  }
  EXPECT_EQ(exact_hysteresis(1), 0);
  EXPECT_NEAR(exact_hysteresis(1e-6) * 1e-6, 1, 1e-15);
  EXPECT_NEAR(exact_hysteresis(1 - 1e-7) / 1e-7, 1.5, 1e-6);
}

TEST(free_impact, restitution_that_comes_out) {
  EXPECT_EQ(output_restitution(0), 1);
  EXPECT_NEAR(output_restitution(1.5), 0.4877, 5e-5);
  EXPECT_NEAR(output_restitution(0.75), 0.6630, 5e-5);
  EXPECT_NEAR(output_restitution(0.75 * std::exp(2.0)), 0.1787, 5e-5);
  for (double h : {1e-14, 1e-12, 1e-10, 1e-8, 1e-6, 1e-4})
    EXPECT_NEAR(output_restitution(h), 1 - 2 * h / 3 + 4 * h * h / 9, 1e-15 + h * h * h) << h;
  for (double h : {1e2, 1e5, 1e9}) EXPECT_NEAR(output_restitution(h) * h, 1, 1e-14);
  double previous = 1;
  for (double h = 1e-9; h < 1e6; h *= 1.1) {
    const double out = output_restitution(h);
    EXPECT_LT(out, previous) << h;
    previous = out;
  }
}

TEST(free_impact, undamped_duration_and_least_peak) {
  const auto hertz = ElasticLaw::power(5.5e9, 1.5);
  const FreeImpact impact = free_impact(0, hertz, 0.046, 0.3);
  EXPECT_NEAR(impact.duration * 0.3 / impact.max_penetration, 2.943275, 5e-7);
  EXPECT_NEAR(impact.max_force, 334.573306, 5e-7);
  // Section 3.2: the peak falls to 0.90324 of the undamped one at h = 0.715 and is back at h = 2.496.
  EXPECT_NEAR(free_impact(0.715, hertz, 0.046, 0.3).max_force / impact.max_force, 0.90324, 5e-6);
  EXPECT_NEAR(free_impact(2.496, hertz, 0.046, 0.3).max_force / impact.max_force, 1, 5e-5);
  // Any exponent: a linear spring takes half a period.
  const FreeImpact linear = free_impact(0, ElasticLaw::power(1e6, 1), 0.25, 2);
  EXPECT_NEAR(linear.duration, M_PI * std::sqrt(0.25 / 1e6), 1e-16);
}

struct Point {
  const char* name;
  double out[4];  // at 0.8, 0.6, 0.4, 0.2
};

TEST(free_impact, published_points) {
  for (const Point& point : {Point{"hunt-crossley", {0.83287, 0.71195, 0.61974, 0.54685}},
                             {"herbert-mcwhannell", {0.80698, 0.65107, 0.55031, 0.50078}},
                             {"lee-wang", {0.90902, 0.83287, 0.76800, 0.71195}},
                             {"lankarani-nikravesh", {0.84710, 0.75615, 0.70163, 0.67226}},
                             {"gonthier-approximate", {0.76800, 0.57728, 0.39779, 0.20461}},
                             {"zhiying-qishao", {0.78736, 0.57690, 0.39884, 0.26642}},
                             {"flores", {0.78854, 0.57728, 0.36287, 0.15554}},
                             {"hu", {0.78449, 0.58900, 0.40041, 0.20537}},
                             {"zhang", {0.79973, 0.59952, 0.40069, 0.20021}},
                             {"carvalho-martins", {0.79999, 0.59997, 0.40109, 0.21159}},
                             {"hu-guo", {0.79920, 0.59362, 0.37965, 0.16560}},
                             {"safaeifar", {0.82707, 0.63831, 0.42793, 0.19698}},
                             {"gonthier", {0.8, 0.6, 0.4, 0.2}},
                             {"exact", {0.8, 0.6, 0.4, 0.2}},
                             {"goldsmith", {0.8, 0.6, 0.4, 0.2}}}) {
    const NormalLawDescription* law = find_normal_law(point.name);
    ASSERT_TRUE(law) << point.name;
    for (int k = 0; k < 4; ++k)
      EXPECT_NEAR(law->restitution_out(0.8 - 0.2 * k), point.out[k], 5.1e-6) << point.name << " " << 0.8 - 0.2 * k;
  }
  EXPECT_NEAR(find_normal_law("kelvin-voigt")->restitution_out(0.4), 0.4720, 5e-5);
}

TEST(free_impact, limits_at_full_restitution) {
  for (const auto& [name, limit] : std::vector<std::pair<std::string, double>>{{"hunt-crossley", 1.5},
                                                                               {"herbert-mcwhannell", 1.5},
                                                                               {"lee-wang", 0.75},
                                                                               {"lankarani-nikravesh", 1.5},
                                                                               {"gonthier", 1.5},
                                                                               {"exact", 1.5},
                                                                               {"gonthier-approximate", 2},
                                                                               {"zhiying-qishao", 1.5},
                                                                               {"flores", 1.6},
                                                                               {"hu", 1.729},
                                                                               {"zhang", 1.497},
                                                                               {"carvalho-martins", 1.5},
                                                                               {"hu-guo", 1.5},
                                                                               {"safaeifar", 1.25}}) {
    const auto* law = find_normal_law(name);
    EXPECT_NEAR(law->factor(1 - 1e-6) / 1e-6, limit, 1e-3) << name;
    EXPECT_EQ(law->factor(1), 0) << name;
  }
  EXPECT_EQ(find_normal_law("gharib-hurmuzlu")->factor(1), 1);
}

// The pole of Hu's fit lies just below the range that is accepted.
TEST(free_impact, pole_of_hu) {
  const auto* hu = find_normal_law("hu");
  const double pole = std::exp(-3.85238);
  EXPECT_NEAR(pole, 0.02123, 5e-6);
  EXPECT_LT(pole, hu->least_restitution);
  EXPECT_FALSE(hu->least_allowed);
  EXPECT_LT(hu->factor(0.999 * pole), 0);
  EXPECT_GT(hu->factor(1.001 * pole), 1000);
  EXPECT_GT(hu->factor(hu->least_restitution), 0);
}

// What the catalogue says of the error of the explicit factors.
TEST(free_impact, stated_errors) {
  for (const auto& [name, from, bound] :
       std::vector<std::tuple<std::string, double, double>>{{"gonthier-approximate", 0.001, 0.0325},
                                                            {"flores", 0.001, 0.0455},
                                                            {"hu", 0.05, 0.0165},
                                                            {"zhang", 0.001, 0.0011},
                                                            {"carvalho-martins", 0.3, 0.004}}) {
    const auto* law = find_normal_law(name);
    double worst = 0;
    for (double e = from; e <= 1; e += 0.001) worst = std::max(worst, std::abs(law->restitution_out(e) - e));
    EXPECT_LT(worst, bound) << name;
    EXPECT_GT(worst, 0.7 * bound) << name;
  }
}

}  // namespace
}  // namespace carom
