#include <gmock/gmock.h>

#include <cmath>

#include "bearings/balls_as_bodies.h"
#include "model_io/same_model.h"
#include "model_io/write_model.h"
#include "sample_models.h"

// Bearings in space whose balls are bodies: what the reader makes of them, and what it refuses.
namespace carom {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string bearing_with(const std::string& keys, const std::string& method = "compliant") {
  return R"(
[model]
gravity = [0, 0, 0]
[material.steel]
young = "200 GPa"
poisson = 0.3
density = 7800
restitution = 0.5
[[body]]
name = "shaft"
mass = 1
inertia = [1e-4, 1e-4, 1e-4]
[[bearing]]
name = "left"
detail = "dynamic"
bodies = ["ground", "shaft"]
at = [0, 0, 0]
axis = [0, 0, 1]
balls = 8
pitch_diameter = "33.49 mm"
ball_diameter = "7.9375 mm"
conformity = 0.52
material = "steel"
)" + keys +
         "\n[solver]\nmethod = \"" + method + "\"\n" + (method == "nonsmooth" ? "step = 1e-5\n" : "");
}

std::string problems_of(const std::string& text) {
  ProblemList problems;
  sample::read(text, problems);
  return problems.text();
}

Model read(const std::string& text) {
  ProblemList problems;
  Model model = sample::read(text, problems);
  EXPECT_EQ(problems.text(), "");
  return model;
}

TEST(BallsInSpace, BecomeBodiesBetweenGrooves) {
  const Model model =
      read(bearing_with("rows = 2\nrow_distance = \"12 mm\"\n[bearing.cage]\ntype = \"rigid\"\n"
                        "pocket_clearance = \"0.1 mm\"\nmass = 0.01\ninertia = 1e-6\n"
                        "[[bearing.spall]]\nrace = \"outer\"\nrow = 2\nextent = \"1 mm\"\ndepth = \"0.1 mm\"\n"
                        "[[bearing.spall]]\nball = 3\nextent = \"1 mm\"\ndepth = \"0.1 mm\"\n"));
  ASSERT_EQ(model.bodies.size(), 1u + 16u + 2u);
  EXPECT_EQ(model.bodies[model.bearings[0].cage - 1].name, "left-cage");
  EXPECT_EQ(model.bodies[model.bearings[0].cage].name, "left-cage-2");
  EXPECT_EQ(model.pairs.size(), 16u * 3u);
  ASSERT_EQ(model.ground.geometry.size(), 2u);
  EXPECT_TRUE(model.ground.geometry[0].settings.numbers("spalls").empty());
  EXPECT_EQ(model.ground.geometry[1].settings.numbers("spalls").size(), 3u);
  EXPECT_NEAR(model.ground.geometry[1].position.z(), 6e-3, 1e-15);
  EXPECT_EQ(model.bodies[3].geometry[0].settings.numbers("spalls").size(), 3u);
  EXPECT_TRUE(same_model(model, read(write_model(model))));
}

// Pure rolling on both races, and a ball half way between them, wherever the rings are and however they turn.
TEST(BallsInSpace, RollBetweenRingsThatAreAskew) {
  for (const double contact_angle : {0.0, 0.6, M_PI / 2}) {
    RollingGeometry geometry{.elements = 9,
                             .element_diameter = 9e-3,
                             .pitch_diameter = 46e-3,
                             .contact_angle = contact_angle,
                             .rows = {{.position = 3e-3, .direction = -1}},
                             .groove_radius = {4.7e-3, 4.8e-3}};
    const BallsBetweenRings between(geometry, true);
    RingStates rings;
    rings.outer.angular_velocity = {1, -2, 30};
    rings.outer.velocity = {0.1, 0.2, -0.1};
    rings.inner.centre = {3e-6, -4e-6, 2e-6};
    rings.inner.angular_velocity = {-3, 1, -200};
    for (int k = 0; k < 9; ++k) {
      const PartState ball = between.ball(rings, k);
      const Eigen::Vector3d normal = ball.orientation * Eigen::Vector3d::UnitX();
      const auto slip = [&](const RingState& ring, double side) {
        const Eigen::Vector3d arm = side * 4.5e-3 * normal, place = ball.position + arm;
        return (ring.velocity + ring.angular_velocity.cross(place - ring.centre) - ball.velocity -
                ball.angular_velocity.cross(arm))
            .cross(normal)
            .norm();
      };
      EXPECT_NEAR(slip(rings.outer, 1), 0, 1e-12) << contact_angle << k;
      EXPECT_NEAR(slip(rings.inner, -1), 0, 1e-12) << contact_angle << k;
      EXPECT_NEAR(ball.angular_velocity.dot(normal), 0, 1e-9) << "it spins on neither race more than on the other";
    }
    // The rings are apart by less than 6 µm.
    EXPECT_LT(std::abs(between.tightest(rings)), 6e-6);
    rings.inner.centre.z() = 5e-3;
    EXPECT_GT(std::abs(between.tightest(rings)), 1e-3);
  }
}

TEST(BallsInSpace, ThatCannotBeAreRefused) {
  const auto changed = [](std::string text, const std::string& from, const std::string& to) {
    return text.replace(text.find(from), from.size(), to);
  };
  EXPECT_THAT(problems_of(bearing_with("friction = \"palmgren\"\n")),
              AllOf(HasSubstr("bearing.left.friction"), HasSubstr("`contact`")));
  EXPECT_THAT(problems_of(bearing_with("speed = \"100 rpm\"\n")),
              AllOf(HasSubstr("model.toml:24"), HasSubstr("bearing.left.speed"), HasSubstr("quasi-static")));
  EXPECT_THAT(problems_of(bearing_with("clearance = \"-5 um\"\n", "nonsmooth")),
              AllOf(HasSubstr("bearing.left.clearance"), HasSubstr("compliant")));
  EXPECT_THAT(
      problems_of(bearing_with("preload = \"100 N\"\ntype = \"angular-contact\"\ncontact_angle = 0.4\n", "nonsmooth")),
      AllOf(HasSubstr("bearing.left.preload"), HasSubstr("compliant")));
  EXPECT_THAT(problems_of(changed(bearing_with(""), "conformity = 0.52", "conformity = 1.5")),
              AllOf(HasSubstr("bearing.left.conformity"), HasSubstr("would meet in the axis")));
  std::string rollers =
      changed(bearing_with(""), "balls = 8",
              "rollers = 8\nroller_diameter = \"7 mm\"\nroller_length = \"7 mm\"\ntype = \"cylindrical-roller\"");
  rollers = changed(changed(rollers, "ball_diameter = \"7.9375 mm\"\n", ""), "conformity = 0.52\n", "");
  EXPECT_THAT(problems_of(rollers), AllOf(HasSubstr("bearing.left.detail"), HasSubstr("quasi-static")));

  const std::string spall = "[[bearing.spall]]\nrace = \"outer\"\nextent = \"1 mm\"\ndepth = \"0.1 mm\"\n";
  EXPECT_THAT(problems_of(bearing_with(changed(spall, "race = \"outer\"\n", ""))),
              AllOf(HasSubstr("spall[1].race"), HasSubstr("which race it has broken out of")));
  EXPECT_THAT(problems_of(bearing_with(changed(spall, "race = \"outer\"", "race = \"outer\"\nball = 1"))),
              HasSubstr("both `race` and `ball`"));
  EXPECT_THAT(problems_of(bearing_with(changed(spall, "race = \"outer\"", "ball = 9"))), HasSubstr("at most 8"));
  EXPECT_THAT(problems_of(bearing_with(changed(spall, "race = \"outer\"", "race = \"outer\"\nrow = 2"))),
              HasSubstr("at most 1"));
  EXPECT_THAT(problems_of(changed(bearing_with(spall), "detail = \"dynamic\"", "detail = \"quasi-static\"")),
              AllOf(HasSubstr("bearing.left.spall"), HasSubstr("take detail = \"dynamic\"")));
}

}  // namespace
}  // namespace carom
