#include <gmock/gmock.h>

#include "sample_models.h"

namespace carom {
namespace {

using testing::HasSubstr;

std::string problems_of(const std::string& velocity) {
  ProblemList problems;
  sample::read("[model]\n[[body]]\nname = \"ball\"\nmass = 1\ninertia = [1, 1, 1]\n" + velocity + "\n", problems);
  return problems.text();
}

// Squares of such numbers overflow: a run would end well, with energies that are not finite and no word about it.
TEST(ExtremeModels, HaveNoSpeedsBeyondAllBodies) {
  EXPECT_THAT(
      problems_of("velocity = [1e308, -0.7, -2]"),
      HasSubstr("6:12: error: body.ball.velocity: found 1e+308 m/s; expected at most 1e+12 m/s; check its exponent"));
  EXPECT_THAT(problems_of("angular_velocity = [0, -1e200, 0]"),
              HasSubstr("body.ball.angular_velocity: found 1e+200 rad/s; expected at most 1e+12 rad/s"));
  EXPECT_EQ(problems_of("velocity = [3e8, 0, 0]\nangular_velocity = [0, 0, 1e10]"), "");
}

}  // namespace
}  // namespace carom
