#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "base/expression.h"
#include "derivative_check.h"

namespace carom {
namespace {

Expression compiled(const std::string& text) {
  return std::get<Expression>(Expression::compile(text, {"t", "x"}, {{"omega", 3.0}}));
}

Jet derivatives(const std::string& text, double t, double x = 1.3, int with_respect_to = 0) {
  const std::array<double, 2> at = {t, x};
  return compiled(text).derivatives(at, with_respect_to);
}

class ExpressionDerivatives : public testing::TestWithParam<const char*> {};

TEST_P(ExpressionDerivatives, MatchCentralDifferencesAlongEachArgument) {
  const Expression expression = compiled(GetParam());
  for (const double t : {0.23, 0.61, 0.87}) {
    for (const double x : {0.37, 1.3}) {
      const auto along_t = [&](double s) { return expression.derivatives(std::array{s, x}, 0); };
      const auto along_x = [&](double s) { return expression.derivatives(std::array{t, s}, 1); };
      check_derivatives(along_t, t, expression.text() + " along t", 2e-9);
      check_derivatives(along_x, x, expression.text() + " along x", 2e-9);
      EXPECT_EQ(along_t(t).value, expression.value(std::array{t, x}));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Functions, ExpressionDerivatives,
    testing::Values("t", "7", "x", "-t^2", "t + x*t", "t - x/t", "t*x*t", "x/(t*t)", "(t + x)^3", "t^2.5", "x^t",
                    "2^(x*t)", "t^-1", "(-t - x)^3", "!t", "t < x", "t && x", "t || x", "t > 0.5 ? t^2 : x^3",
                    "if(x > 1, sin(t*x), cos(t*x))", "sin(t*x)", "cos(omega*t*x)", "tan(0.5*t*x)", "asin(0.5*t*x)",
                    "acos(0.5*t*x)", "atan(t*x)", "atan2(t, x)", "atan2(-x*t, t - 3)", "atan2(1, t) + atan2(t, -1)",
                    "sinh(t*x)", "cosh(t*x)", "tanh(t*x)", "exp(t*x)", "log(t*x)", "ln(t + x)", "log10(t*x)",
                    "sqrt(t*x)", "cbrt(t*x)", "cbrt(-t*x)", "abs(t*x)", "abs(-t*x)", "sign(t*x)", "floor(t)",
                    "ceil(t*0.1)", "min(t^2, 4*x)", "max(t^2, 4*x, t)", "mod(t*t, 2)", "mod(7*x + 0.1*t, 20*x)",
                    "mod(-0.1*t*t - 0.1*x, 5)", "hypot(t, x)", "hypot(t*x, 2)", "pow(t, 3)", "pow(x + t, t*x)",
                    "step(t*x, -1, 2, 3, 5)", "step(t, -x, 2*x*t, 3 + x*t, t^3)", "step(t, 2, 4*t, 3, 1)",
                    "step(t, -2, 4, -1, x*t)", "smoothstep5(t*x, -1, 2, 3, 5)", "smoothstep5(t, -x, 2*x, 3 + x*t, t^3)",
                    "exp(-0.3*t)*sin(omega*t)^2/(1 + x^2)"));

TEST(ExpressionDerivatives, CornersTakeTheBranchOfTheValue) {
  EXPECT_EQ(derivatives("abs(t)", 0).first, 0);
  EXPECT_EQ(derivatives("max(t, 0)", 0).first, 1);
  EXPECT_EQ(derivatives("t < 0 ? -t : 2*t", 0).first, 2);
}

TEST(ExpressionDerivatives, PowersAreSmoothAtZero) {
  EXPECT_EQ(derivatives("t^2", 0).first, 0);
  EXPECT_EQ(derivatives("t^2", 0).second, 2);
  EXPECT_EQ(derivatives("t^1", 0).first, 1);
  EXPECT_EQ(derivatives("t^1", 0).second, 0);
  EXPECT_EQ(derivatives("t^0", 0).first, 0);
  EXPECT_EQ(derivatives("t^3", 0).second, 0);
  EXPECT_EQ(derivatives("0^(1 + t)", 0.5).first, 0);
}

TEST(ExpressionDerivatives, InfiniteSlopesDoNotSpoilWhatStandsStill) {
  const Jet jet = derivatives("sqrt(x) + log(x + 1) + t^2 + asin(x + 1)", 3, 0);
  EXPECT_EQ(jet.first, 6);
  EXPECT_EQ(jet.second, 2);
  EXPECT_TRUE(std::isinf(derivatives("sqrt(t)", 0).first));
}

TEST(ExpressionDerivatives, StepBeginsToRiseAtItsFirstBorder) {
  EXPECT_EQ(derivatives("step(t, 0, 0, 1, 1)", 0).second, 6);
  EXPECT_EQ(derivatives("step(t, 0, 0, 1, 1)", -1e-9).second, 0);
  EXPECT_EQ(derivatives("step(t, 0, 0, 1, 1)", 1).second, 0);
  EXPECT_NEAR(derivatives("step(t, 0, 0, 1, 1)", 1 - 1e-12).first, 0, 1e-11);
  EXPECT_NEAR(derivatives("smoothstep5(t, 0, 0, 1, 1)", 1 - 1e-12).second, 0, 1e-10);
}

}  // namespace
}  // namespace carom
