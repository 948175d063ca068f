#include "math/function.h"

#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "../base/derivative_check.h"
#include "base/problem.h"

namespace carom {
namespace {

using std::numbers::pi;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Function formula(const std::string& text, const std::vector<std::string>& arguments = {"t"}) {
  return Function::expression(std::get<Expression>(Expression::compile(text, arguments, {})));
}

TEST(Function, DefaultIsZero) {
  EXPECT_TRUE(Function().is_constant());
  EXPECT_EQ(Function().value(3.0), 0);
  EXPECT_EQ(Function().derivatives(3.0).first, 0);
  EXPECT_THAT(Function().breakpoints(), IsEmpty());
}

TEST(Function, ConstantsAreTheSameEverywhere) {
  const Function five = Function::constant(5);
  EXPECT_TRUE(five.is_constant());
  EXPECT_EQ(five.value(-1e9), 5);
  EXPECT_EQ(five.value(std::array{1.0, 2.0}), 5);
  EXPECT_EQ(five.derivatives(2.0).second, 0);
  EXPECT_EQ(five.description(), "constant 5");
  EXPECT_TRUE(formula("2*pi").is_constant());
  EXPECT_EQ(formula("2*pi").value(0.0), 2 * pi);
}

TEST(Function, ExpressionsTakeAllTheirArguments) {
  const Function spring = formula("1000*x + 50*v*abs(x)", {"x", "v"});
  const std::array at = {0.2, -3.0};
  EXPECT_FALSE(spring.is_constant());
  EXPECT_DOUBLE_EQ(spring.value(at), 170);
  EXPECT_DOUBLE_EQ(spring.derivatives(at, 0).first, 850);
  EXPECT_DOUBLE_EQ(spring.derivatives(at, 1).first, 10);
  EXPECT_THAT(spring.description(), HasSubstr("50*v"));
  EXPECT_THAT(spring.breakpoints(), ElementsAre(0));
}

TEST(Function, TablesUseTheFirstArgument) {
  const Function table = Function::table({0, 1, 3}, {0, 2, 2}, Function::Interpolation::linear);
  EXPECT_EQ(table.value(0.5), 1);
  EXPECT_EQ(table.value(std::array{0.5, 9.0}), 1);
  EXPECT_EQ(table.derivatives(std::array{0.5, 9.0}, 0).first, 2);
  EXPECT_EQ(table.derivatives(std::array{0.5, 9.0}, 1).first, 0);
  EXPECT_EQ(table.value(99.0), 2);
  EXPECT_THAT(table.breakpoints(), ElementsAre(0, 1));
  EXPECT_EQ(table.description(), "linear table of 3 points");
  EXPECT_FALSE(table.is_constant());
  EXPECT_TRUE(Function::table({2}, {7}, Interpolation::cubic).is_constant());
  EXPECT_THROW(Function::table({1, 0}, {0, 0}, Interpolation::cubic), std::invalid_argument);
  EXPECT_THROW(Function::table({}, {}, Interpolation::cubic), std::invalid_argument);
}

TEST(Antiderivative, OfAConstantIsALine) {
  const Function F = Function::constant(3).antiderivative(1, 10, 5);
  EXPECT_DOUBLE_EQ(F.value(3.0), 16);
  EXPECT_DOUBLE_EQ(F.value(-9.0), -20);
  EXPECT_EQ(F.derivatives(2.0).first, 3);
  const Function G = F.antiderivative(1, 2, 5);
  EXPECT_DOUBLE_EQ(G.value(3.0), 2 + 10 * 2 + 1.5 * 4);
  EXPECT_TRUE(Function().antiderivative(0, 4, 1).is_constant());
  EXPECT_EQ(Function().antiderivative(0, 4, 1).value(7.0), 4);
}

TEST(Antiderivative, OfATableIsExact) {
  const Function f = Function::table({0, 1, 3}, {0, 2, 2}, Interpolation::linear);
  const Function F = f.antiderivative(0, 1, 3);
  EXPECT_DOUBLE_EQ(F.value(1.0), 2);
  EXPECT_DOUBLE_EQ(F.value(4.0), 8);
  EXPECT_DOUBLE_EQ(F.antiderivative(0, 0, 3).value(1.0), 1 + 1.0 / 3);
  EXPECT_EQ(F.description(), "integral of linear table of 3 points");
}

// f, F with F(from) = 0, and G with G(from) = 0 for from = 0.
struct ClosedForm {
  const char* text;
  double until;
  std::function<double(double)> once;
  std::function<double(double)> twice;
};

std::ostream& operator<<(std::ostream& out, const ClosedForm& form) {
  return out << form.text;
}

class AntiderivativeOfExpression : public testing::TestWithParam<ClosedForm> {};

TEST_P(AntiderivativeOfExpression, MatchesTheClosedFormInsideAndOutsideTheRange) {
  const auto& [text, until, once, twice] = GetParam();
  const Function f = formula(text);
  const Function F = f.antiderivative(0, 5, until);
  const Function G = f.antiderivative(0, 0, until).antiderivative(0, -3, until);
  double size_of_once = 0, size_of_twice = 0;
  for (int i = 0; i <= 20; ++i) {
    size_of_once = std::max(size_of_once, std::abs(once(until * i / 20)));
    size_of_twice = std::max(size_of_twice, std::abs(twice(until * i / 20)));
  }
  for (int i = -2; i <= 45; ++i) {
    const double t = until * i / 40.3;
    EXPECT_NEAR(F.value(t), 5 + once(t), 2e-14 * (5 + size_of_once)) << t;
    EXPECT_NEAR(G.value(t), -3 + twice(t), 4e-14 * (3 + size_of_twice)) << t;
    EXPECT_EQ(F.derivatives(t).value, F.value(t));
    EXPECT_EQ(F.derivatives(t).first, f.value(t));
    EXPECT_EQ(F.derivatives(t).second, f.derivatives(t).first);
    EXPECT_EQ(G.derivatives(t).second, f.value(t));
  }
  EXPECT_EQ(F.value(0.0), 5);
}

const std::vector<ClosedForm> closed_forms = {
    ClosedForm{"cos(t)", 1, [](double t) { return std::sin(t); }, [](double t) { return 1 - std::cos(t); }},
    ClosedForm{"3*t^2", 10, [](double t) { return t * t * t; }, [](double t) { return t * t * t * t / 4; }},
    ClosedForm{"sin(2*pi*10*t)", 2, [](double t) { return (1 - std::cos(20 * pi * t)) / (20 * pi); },
               [](double t) { return t / (20 * pi) - std::sin(20 * pi * t) / (400 * pi * pi); }},
    ClosedForm{"sin(2*pi*t)", 8, [](double t) { return (1 - std::cos(2 * pi * t)) / (2 * pi); },
               [](double t) { return t / (2 * pi) - std::sin(2 * pi * t) / (4 * pi * pi); }},
    ClosedForm{"exp(-5*t)", 3, [](double t) { return -std::expm1(-5 * t) / 5; },
               [](double t) { return t / 5 + std::expm1(-5 * t) / 25; }},
    ClosedForm{"abs(t - 0.3)", 1, [](double t) { return 0.5 * (t - 0.3) * std::abs(t - 0.3) + 0.045; },
               [](double t) { return (std::pow(std::abs(t - 0.3), 3) - 0.027) / 6 + 0.045 * t; }},
    ClosedForm{"t >= 0.7312 ? 2 : 0", 3, [](double t) { return 2 * std::max(0.0, t - 0.7312); },
               [](double t) { return std::pow(std::max(0.0, t - 0.7312), 2); }},
    // Long after a short rise: only the switching points tell that there is one.
    ClosedForm{"step(t, 0, 0, 0.002, 100)", 1000,
               [](double t) {
                 const double s = std::clamp(t / 0.002, 0.0, 1.0);
                 return 0.2 * (s * s * s - s * s * s * s / 2) + 100 * std::max(0.0, t - 0.002);
               },
               [](double t) {
                 const double s = std::clamp(t / 0.002, 0.0, 1.0), rest = std::max(0.0, t - 0.002);
                 return 4e-4 * (s * s * s * s / 4 - s * s * s * s * s / 10) + 0.1 * rest + 50 * rest * rest;
               }}};

INSTANTIATE_TEST_SUITE_P(ClosedForms, AntiderivativeOfExpression, testing::ValuesIn(closed_forms));

TEST(Antiderivative, FindsJumpsThatTheTextDoesNotShow) {
  const Function F = formula("sin(t) > 0 ? 1 : 0").antiderivative(0, 0, 20);
  EXPECT_NEAR(F.value(2.0), 2, 1e-12);
  EXPECT_NEAR(F.value(7.0), pi + (7 - 2 * pi), 1e-12);
  EXPECT_NEAR(F.value(20.0), 3 * pi + (20 - 6 * pi), 1e-12);
}

TEST(Antiderivative, FindsCornersThatTheTextDoesNotShow) {
  const Function F = formula("abs(sin(t))").antiderivative(0, 0, 20);
  EXPECT_NEAR(F.value(3.5), 2 + 1 + std::cos(3.5), 1e-13);
  EXPECT_NEAR(F.value(6 * pi), 12, 1e-13);
}

TEST(Antiderivative, KeepsItsAccuracyOverManyPeriods) {
  const Function F = formula("100*sin(2*pi*50*t)^2").antiderivative(0, 0, 100);
  EXPECT_NEAR(F.value(100.0), 5000, 1e-9);
  EXPECT_NEAR(F.value(77.7725), 50 * 77.7725 - std::sin(200 * pi * 77.7725) / (4 * pi), 1e-9);
}

TEST(Antiderivative, HoldsAboutOddPoints) {
  const Function F = formula("sin(40*t)").antiderivative(-1, 0, 1);
  for (const double t : {-0.9, -0.33, 0.0, 0.71, 1.0}) {
    EXPECT_NEAR(F.value(t), (std::cos(40.0) - std::cos(40 * t)) / 40, 1e-15);
  }
}

TEST(Antiderivative, MayRunBackwardsOrOverNothing) {
  const Function back = formula("cos(t)").antiderivative(2, 1, -2);
  EXPECT_NEAR(back.value(2.0), 1, 1e-15);
  EXPECT_NEAR(back.value(-1.0), 1 + std::sin(-1.0) - std::sin(2.0), 1e-14);
  const Function nothing = formula("cos(t)").antiderivative(2, 1, 2);
  EXPECT_EQ(nothing.value(2.0), 1);
  EXPECT_NEAR(nothing.value(3.0), 1 + std::sin(3.0) - std::sin(2.0), 1e-13);
}

TEST(Antiderivative, CutsAtSwitchesBeyondTheRange) {
  const Function F = formula("t < 5.123 ? 1 : t > 7.4 ? 0 : 3").antiderivative(0, 0, 1);
  EXPECT_NEAR(F.value(9.0), 5.123 + 3 * (7.4 - 5.123), 1e-12);
  const Function B = formula("t > -5.123 ? 1 : 3").antiderivative(0, 0, 1);
  EXPECT_NEAR(B.value(-7.0), -5.123 - 3 * (7 - 5.123), 1e-12);
}

TEST(Antiderivative, GoesFarBeyondTheRangeWithoutLosingItself) {
  EXPECT_NEAR(formula("2*t").antiderivative(0, 0, 1).value(1e6), 1e12, 1);
}

TEST(Antiderivative, RefusesWhatCannotBeIntegrated) {
  EXPECT_THROW(formula("sqrt(t - 1)").antiderivative(0, 0, 2), ComputationError);
  EXPECT_THROW(formula("sin(1e9*t)").antiderivative(0, 0, 10), ComputationError);
  EXPECT_THROW(formula("sin(t)").antiderivative(0, 0, std::numeric_limits<double>::infinity()), ComputationError);
}

TEST(Antiderivative, EndsItsSearchInNoise) {
  const Function F = formula("(1 + 1e-9*sin(1e7*t)) + t").antiderivative(0, 0, 1);
  EXPECT_NEAR(F.value(1.0), 1.5, 1e-8);
}

TEST(Antiderivative, HasTheBreakpointsOfItsIntegrand) {
  EXPECT_THAT(formula("abs(t - 2)").antiderivative(0, 0, 5).breakpoints(), ElementsAre(2));
  EXPECT_THAT(formula("abs(t - 2)").antiderivative(0, 0, 5).description(), HasSubstr("integral of expression"));
}

TEST(Function, CopiesShareOneImplementation) {
  const Function f = formula("sin(t)");
  const Function copy = f;
  EXPECT_EQ(copy.value(0.3), f.value(0.3));
  check_derivatives([&](double t) { return copy.derivatives(t); }, 0.3, "copy");
}

}  // namespace
}  // namespace carom
