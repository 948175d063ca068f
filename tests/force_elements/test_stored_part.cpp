#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "../support/build_model.h"
#include "force_elements/stored_part.h"

namespace carom {
namespace {

Function of(const std::string& text) {
  return build::function(text, {"x", "v"});
}

StoredPart stored(const std::string& text, double start = 0.1, double panel = 0.02) {
  return StoredPart(of(text), start, panel);
}

// Against the integral in closed form, which is zero at x = 0.
void expect_energy(const StoredPart& part, double (*exact)(double), double tolerance) {
  for (const double x : {-0.9, -0.31, -0.02, 0.0, 1e-9, 0.013, 0.1, 0.77, 2.5})
    EXPECT_NEAR(part.energy(x), exact(x), tolerance * std::max(1.0, std::abs(exact(x)))) << x;
}

TEST(StoredPart, OfAFunctionOfXIsAllOfIt) {
  const StoredPart part = stored("100*x + 2000*x^3");
  EXPECT_TRUE(part.is_all());
  EXPECT_DOUBLE_EQ(part.force(0.4), 168);
  expect_energy(
      part, [](double x) { return 50 * x * x + 500 * x * x * x * x; }, 1e-14);
  EXPECT_TRUE(stored("30 + x").is_all());
  expect_energy(
      stored("30 + x"), [](double x) { return 30 * x + x * x / 2; }, 1e-14);
}

TEST(StoredPart, OfAFunctionOfBothIsWhatItDoesAtRest) {
  const StoredPart part = stored("0.5*x + 0.02*v + 7*x*v");
  EXPECT_FALSE(part.is_all());
  EXPECT_DOUBLE_EQ(part.force(0.4), 0.2);
  expect_energy(
      part, [](double x) { return 0.25 * x * x; }, 1e-14);
}

TEST(StoredPart, OfAFunctionThatDoesNotDependOnXIsNothing) {
  for (const char* motor : {"3 - 2*v", "30"}) {
    const StoredPart part = stored(motor);
    EXPECT_FALSE(part.is_all());
    EXPECT_EQ(part.force(0.3), 0);
    EXPECT_EQ(part.energy(0.3), 0);
  }
  const StoredPart undefined = stored("x*v/abs(v)");  // at rest
  EXPECT_EQ(undefined.force(0.3), 0);
  EXPECT_EQ(undefined.energy(0.3), 0);
}

// Visible in the text, and hidden in it.
TEST(StoredPart, IsResolvedAtCornersAndJumps) {
  expect_energy(
      stored("x > 0.05 ? 100*(x - 0.05) + 3 : 0"),
      [](double x) { return x > 0.05 ? 50 * (x - 0.05) * (x - 0.05) + 3 * (x - 0.05) : 0; }, 1e-13);
  expect_energy(
      stored("100*max(0, x - 0.0531)"), [](double x) { return 50 * std::pow(std::max(0.0, x - 0.0531), 2); }, 1e-9);
}

TEST(StoredPart, CountsFullTurns) {
  const StoredPart part(of("2*sin(x) + 0.3"), 0, 0.5);
  for (const double x : {-400.3, 55.5, 3000.1})
    EXPECT_NEAR(part.energy(x), 2 - 2 * std::cos(x) + 0.3 * x, 1e-12 * std::abs(x));
}

// There is no way from 0: counted from the place of the file.
TEST(StoredPart, StaysOnItsSideOfAPole) {
  for (const std::string text : {"1/x^2", "1/(x - 0.5)^2"}) {
    const bool shifted = text != "1/x^2";
    const double pole = shifted ? 0.5 : 0, start = pole + 1;
    const StoredPart part(of(text), start, 1.0 / 64);
    for (const double x : {0.02, 0.3, 1.0, 2.7})
      EXPECT_NEAR(part.energy(pole + x), 1 - 1 / x, 1e-11 / x) << text << " " << x;
  }
}

// A stiff spring that is asked at tiny deflections, as an oleo strut at its stop is.
TEST(StoredPart, CostsFewEvaluationsHoweverNarrowThePanel) {
  class Counted : public GivenFunction {
   public:
    explicit Counted(long& count) : count_(count) {}
    Jet derivatives(double x) const override {
      ++count_;
      return {4000 * std::pow(0.42 / (0.42 + x), 1.2), 0, 0};
    }
    std::vector<double> breakpoints() const override { return {}; }
    std::string description() const override { return "counted"; }

   private:
    long& count_;
  };
  long count = 0;
  const StoredPart part(Function::given(std::make_shared<Counted>(count)), 0, 0.01);
  for (double x = 1e-9; x < 9e-3; x *= 2) {
    count = 0;
    EXPECT_NEAR(part.energy(x), -4000 * 0.42 / 0.2 * std::expm1(-0.2 * std::log1p(x / 0.42)), 1e-12 * 4000 * x);
    EXPECT_LE(count, 45) << x;
  }
}

TEST(StoredPart, DoesNotDependOnWhatWasAskedBefore) {
  const StoredPart once = stored("exp(x)*sin(30*x)"), often = stored("exp(x)*sin(30*x)");
  for (const double x : {3.3, -1.7, 0.4, -0.1, 2.2}) often.energy(x);
  for (const double x : {0.2, -0.4, 3.1}) EXPECT_EQ(once.energy(x), often.energy(x));
}

}  // namespace
}  // namespace carom
