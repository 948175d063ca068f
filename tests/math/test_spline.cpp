#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "../base/derivative_check.h"
#include "math/spline.h"

namespace carom {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::vector<double> knots = {-1, 0, 0.5, 2, 2.25, 4};
const std::vector<double> ordinates = {3, -1, 2, 2, 0.5, 7};

TEST(Spline, PassesThroughItsPointsAndHoldsItsEnds) {
  for (const Interpolation interpolation : {Interpolation::linear, Interpolation::cubic}) {
    const Spline spline = Spline::through(knots, ordinates, interpolation);
    for (std::size_t i = 0; i < knots.size(); ++i) EXPECT_NEAR(spline.value(knots[i]), ordinates[i], 1e-14);
    EXPECT_EQ(spline.value(-100), 3);
    EXPECT_EQ(spline.value(100), 7);
    EXPECT_EQ(spline.derivatives(-100).first, 0);
    EXPECT_EQ(spline.derivatives(100).second, 0);
  }
}

TEST(Spline, LinearIsStraightBetweenPoints) {
  const Spline spline = Spline::through(knots, ordinates, Interpolation::linear);
  EXPECT_DOUBLE_EQ(spline.value(-0.75), 2);
  EXPECT_DOUBLE_EQ(spline.derivatives(-0.75).first, -4);
  EXPECT_DOUBLE_EQ(spline.derivatives(0).first, 6);  // at a knot: the piece on its right
  EXPECT_EQ(spline.derivatives(0.2).second, 0);
}

TEST(Spline, CubicIsTheNaturalSpline) {
  // Points 0, 1, 0 at 0, 1, 2: by symmetry M₁ = −3, so y(s) = s + (1 − s²)·s/2 on the first piece.
  const Spline spline = Spline::through({0, 1, 2}, std::vector<double>{0, 1, 0}, Interpolation::cubic);
  for (const double s : {0.1, 0.5, 0.9}) {
    EXPECT_NEAR(spline.value(s), s + (1 - s * s) * s / 2, 1e-15);
    EXPECT_NEAR(spline.value(2 - s), s + (1 - s * s) * s / 2, 1e-15);
    EXPECT_NEAR(spline.derivatives(s).second, -3 * s, 1e-14);
  }
}

TEST(Spline, CubicIsTwiceContinuousAndHasNoCurvatureAtItsEnds) {
  const Spline spline = Spline::through(knots, ordinates, Interpolation::cubic);
  for (std::size_t i = 1; i + 1 < knots.size(); ++i) {
    const Jet left = spline.derivatives(std::nextafter(knots[i], -10)), right = spline.derivatives(knots[i]);
    EXPECT_NEAR(left.value, right.value, 1e-12);
    EXPECT_NEAR(left.first, right.first, 1e-11);
    EXPECT_NEAR(left.second, right.second, 1e-10);
  }
  EXPECT_NEAR(spline.derivatives(knots.front()).second, 0, 1e-12);
  EXPECT_NEAR(spline.derivatives(std::nextafter(knots.back(), 0)).second, 0, 1e-11);
}

TEST(Spline, LastPointBelongsToTheTable) {
  for (const Interpolation interpolation : {Interpolation::linear, Interpolation::cubic}) {
    const Spline spline = Spline::through({0, 0.1, 5, 6}, std::vector<double>{1, 1.2, 11, 13}, interpolation);
    EXPECT_NEAR(spline.derivatives(6).value, 13, 1e-14);
    EXPECT_NEAR(spline.derivatives(6).first, 2, 1e-14);
    EXPECT_EQ(spline.derivatives(std::nextafter(6, 7)).first, 0);
  }
}

TEST(Spline, CubicReproducesALine) {
  const Spline spline = Spline::through({0, 0.1, 5, 6}, std::vector<double>{1, 1.2, 11, 13}, Interpolation::cubic);
  EXPECT_NEAR(spline.value(3.3), 7.6, 1e-14);
  EXPECT_THAT(spline.breakpoints(), ElementsAre(0, 6));  // only where the end value begins to be held
}

TEST(Spline, DerivativesAndAntiderivativesFitTogether) {
  for (const Interpolation interpolation : {Interpolation::linear, Interpolation::cubic}) {
    const Spline f = Spline::through(knots, ordinates, interpolation);
    const Spline F = f.antiderivative(0.7, 5);
    const Spline G = F.antiderivative(-3, -2);
    EXPECT_DOUBLE_EQ(F.value(0.7), 5);
    EXPECT_DOUBLE_EQ(G.value(-3), -2);
    for (const double x : {-2.5, -0.4, 0.3, 1.0, 2.1, 3.0, 6.0}) {
      check_derivatives([&](double y) { return f.derivatives(y); }, x, "f");
      check_derivatives([&](double y) { return F.derivatives(y); }, x, "F");
      check_derivatives([&](double y) { return G.derivatives(y); }, x, "G");
      EXPECT_EQ(f.value(x), f.derivatives(x).value);
      EXPECT_NEAR(F.derivatives(x).first, f.value(x), 1e-13);
      EXPECT_NEAR(G.derivatives(x).second, f.value(x), 1e-13);
    }
  }
}

TEST(Spline, AntiderivativeOfALinearTableIsTheTrapezoidSum) {
  const Spline F = Spline::through(knots, ordinates, Interpolation::linear).antiderivative(-1, 0);
  double sum = 0;
  for (std::size_t i = 1; i < knots.size(); ++i) {
    sum += (knots[i] - knots[i - 1]) * (ordinates[i] + ordinates[i - 1]) / 2;
    EXPECT_NEAR(F.value(knots[i]), sum, 1e-13);
  }
  EXPECT_NEAR(F.value(6), sum + 2 * 7, 1e-13);
  EXPECT_NEAR(F.value(-3), -2 * 3, 1e-13);
}

TEST(Spline, BreakpointsAreWhereSlopeOrCurvatureJump) {
  const Spline table = Spline::through({0, 1, 2, 3}, std::vector<double>{0, 1, 2, 0}, Interpolation::linear);
  EXPECT_THAT(table.breakpoints(), ElementsAre(0, 2, 3));  // at 1 the slope goes on
  const Spline integral = table.antiderivative(0, 0);
  EXPECT_THAT(integral.breakpoints(), ElementsAre(0, 2, 3));
  EXPECT_THAT(integral.antiderivative(0, 0).breakpoints(), IsEmpty());
  EXPECT_THAT(Spline::line(3, 1, 2).breakpoints(), IsEmpty());
}

TEST(Spline, LineGoesOnForEver) {
  const Spline line = Spline::line(3, 1, 2);
  EXPECT_EQ(line.value(3), 1);
  EXPECT_EQ(line.value(-7), -19);
  EXPECT_EQ(line.value(10), 15);
}

TEST(Spline, OnePointIsAConstant) {
  for (const Interpolation interpolation : {Interpolation::linear, Interpolation::cubic}) {
    const Spline spline = Spline::through({2}, std::vector<double>{4}, interpolation);
    EXPECT_EQ(spline.value(-5), 4);
    EXPECT_EQ(spline.value(2), 4);
    EXPECT_EQ(spline.value(9), 4);
  }
}

TEST(Spline, RejectsUnsoundTables) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  using List = std::vector<double>;
  EXPECT_THAT(table_error(List{}, List{}), HasSubstr("one point or more"));
  EXPECT_THAT(table_error(List{1, 2}, List{1}), HasSubstr("2 arguments but 1 values"));
  EXPECT_THAT(table_error(List{1, 2, 2}, List{1, 2, 3}), HasSubstr("must increase: point 3 has 2 after 2"));
  EXPECT_THAT(table_error(List{1, 3, 2}, List{1, 2, 3}), HasSubstr("must increase"));
  EXPECT_THAT(table_error(List{1, nan}, List{1, 2}), HasSubstr("point 2 is not finite"));
  EXPECT_THAT(table_error(List{1, 2}, List{infinity, 2}), HasSubstr("point 1 is not finite"));
  EXPECT_EQ(table_error(List{1, 2}, List{1, 1}), "");
  EXPECT_THROW(Spline::through({2, 1}, List{0, 0}, Interpolation::cubic), std::invalid_argument);
}

}  // namespace
}  // namespace carom
