#include "contacts/patch.h"

#include <cmath>

#include <gtest/gtest.h>

#include "contact_laws/stiffness.h"

namespace carom {
namespace {

// The bearing of the thesis of E. Sánchez, chapter 4: radii of the races, of a ball and of the groove, m.
constexpr double inner = 0.01277125, outer = 0.02071875, ball = 0.00396875, groove = 0.00397875;

Patch patch_on(ShapeKind kind, double radius, double groove_radius) {
  const Shape<2> race{.kind = kind, .radius = radius, .groove_radius = groove_radius};
  const Shape<2> sphere{.kind = ShapeKind::sphere, .radius = ball};
  return patch_of(*find_pair<2>(kind, ShapeKind::sphere), race, sphere);
}

// Formulation 7.3 and 7.4: b/a = 0.02126 and K = 7.02e10 N/m^1.5 at B/A = 521.5, for steel of 200 GPa and 0.3.
TEST(Patch, OfABallOnTheInnerRaceIsLongAndStiff) {
  const Patch patch = patch_on(ShapeKind::inner_race, inner, groove);
  EXPECT_NEAR(patch.axis_ratio, 0.02126, 1e-5);
  const double modulus = composite_modulus(200e9, 0.3, 200e9, 0.3);
  EXPECT_NEAR(hertz_stiffness(modulus, patch.effective_radius), 7.02e10, 5e7);
}

// B/A = 321.7 of the table in formulation 7.3.
TEST(Patch, OfABallInTheOuterRaceIsRounder) {
  const Patch patch = patch_on(ShapeKind::outer_race, outer, groove);
  EXPECT_NEAR(patch.axis_ratio, 0.02798, 1e-5);
}

// Surfaces of revolution about the normal: a sphere on a sphere, and one in a spherical shell.
TEST(Patch, OfRoundSurfacesIsRound) {
  const Patch shell = patch_on(ShapeKind::outer_race, outer, outer);
  EXPECT_NEAR(shell.axis_ratio, 1, 1e-9);
  EXPECT_NEAR(shell.effective_radius, 1 / (1 / ball - 1 / outer), 1e-12);
  const Shape<2> sphere{.kind = ShapeKind::sphere, .radius = ball};
  const Patch round = patch_of(*find_pair<2>(ShapeKind::sphere, ShapeKind::sphere), sphere, sphere);
  EXPECT_EQ(round.axis_ratio, 1);
  EXPECT_DOUBLE_EQ(round.effective_radius, ball / 2);
}

TEST(Patch, OfABallInAGrooveOfItsOwnRadiusIsNone) {
  EXPECT_TRUE(std::isnan(patch_on(ShapeKind::inner_race, inner, ball).effective_radius));
}

}  // namespace
}  // namespace carom
