#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../support/build_model.h"
#include "analyses/assembly.h"
#include "analyses/statics.h"
#include "model_io/read_model.h"

namespace carom {
namespace {

using ::testing::HasSubstr;

StaticEquilibrium settle(const Model& model) {
  const auto system = System::create(model);
  State state = system->initial_state();
  const AssemblyReport report = assemble(*system, model, state);
  EXPECT_TRUE(report.assembled) << unassemblable_message(report);
  return find_static_equilibrium(*system, state);
}

Model pendulum(double angle) {
  Model model = build::planar_model();
  model.bodies = {build::link("rod", 2, {0, 0}, {std::cos(angle), std::sin(angle)})};
  model.joints = {build::pin("pivot", "ground", "rod", {0, 0})};
  return model;
}

TEST(Statics, BodyHangsOnASpring) {
  Model model = build::planar_model();
  model.bodies = {build::planar_body("bob", 3, 0.1).at(0.2, -1.5)};
  model.forces = {build::Element("spring", "spring")
                      .between("ground", "bob")
                      .points({0, 0, 0}, {0, 0.1, 0})
                      .with("stiffness", 400.0)
                      .with("free_length", 1.0)};
  const StaticEquilibrium result = settle(model);
  ASSERT_TRUE(result.outcome) << result.outcome.reason;
  EXPECT_NEAR(result.state.q[0], 0, 1e-12);
  EXPECT_NEAR(result.state.q[1], -1.1 - 3 * 9.81 / 400, 1e-12);
  EXPECT_NEAR(std::remainder(result.state.q[2], 2 * M_PI), 0, 1e-11);
  EXPECT_EQ(result.stability, Stability::stable);
}

TEST(Statics, PendulumFindsItsLowestPosition) {
  for (const double angle : {-0.3, 1.2, 1.5, 3.0}) {
    const StaticEquilibrium result = settle(pendulum(angle));
    ASSERT_TRUE(result.outcome) << result.outcome.reason;
    EXPECT_NEAR(result.state.q[1], -0.5, 1e-12) << angle;
    EXPECT_EQ(result.stability, Stability::stable);
    EXPECT_LT(result.iterations, 60);
  }
}

TEST(Statics, AStartInAnUnstableEquilibriumStaysAndIsCalledUnstable) {
  Model model = pendulum(0);
  model.bodies[0].position = {0, 0.5, 0};
  model.bodies[0].angle = 0;
  model.bodies[0].orientation.setIdentity();
  model.joints = {build::pin("pivot", "ground", "rod", {0, 0})};
  const StaticEquilibrium result = settle(model);
  ASSERT_TRUE(result.outcome) << result.outcome.reason;
  EXPECT_NEAR(result.state.q[1], 0.5, 1e-14);
  EXPECT_EQ(result.stability, Stability::unstable);
}

TEST(Statics, SaysWhatFalls) {
  Model model = pendulum(0.4);
  model.bodies.push_back(build::planar_body("ball", 0.5, 0.1).at(1, 1));
  const StaticEquilibrium result = settle(model);
  EXPECT_FALSE(result.outcome);
  EXPECT_THAT(result.outcome.reason, HasSubstr("body ball is left with a force of 4.905 N along (0, -1)"));
}

TEST(Statics, NothingHoldsABallOnATableAndNothingNeedsTo) {
  Model model = build::spatial_model();
  model.bodies = {build::Body("puck", 1, {0.1, 0.1, 0.1}).at(0.3, 0.1, 0)};
  model.joints = {build::Element("table", "planar").between("ground", "puck").at({0, 0, 0}).axis({0, 0, 1})};
  const StaticEquilibrium result = settle(model);
  ASSERT_TRUE(result.outcome) << result.outcome.reason;
  EXPECT_EQ(result.stability, Stability::neutral);
  const Eigen::VectorXd& lambda = result.multipliers;
  EXPECT_NEAR(lambda.cwiseAbs().maxCoeff(), 9.81, 1e-12);
}

TEST(Statics, RedundantLinksDoNoHarm) {
  Model model = build::planar_model();
  model.bodies = {build::link("left", 1, {0, 0}, {0.3, 0.9}), build::link("middle", 1, {1, 0}, {1.3, 0.9}),
                  build::link("right", 1, {2, 0}, {2.3, 0.9}), build::link("top", 1, {0.3, 0.9}, {2.3, 0.9})};
  int k = 0;
  for (const std::string body : {"left", "middle", "right"}) {
    model.joints.push_back(build::pin("foot " + body, "ground", body, {k, 0}));
    model.joints.push_back(build::pin("head " + body, body, "top", {k + 0.3, 0.9}));
    ++k;
  }
  const StaticEquilibrium result = settle(model);
  ASSERT_TRUE(result.outcome) << result.outcome.reason;
  EXPECT_NEAR(result.state.q[10], -std::sqrt(0.9), 1e-9);
  EXPECT_EQ(result.stability, Stability::stable);
}

TEST(Statics, LongChainHangsStraight) {
  Model model = build::planar_model();
  constexpr int count = 150;
  for (int k = 0; k < count; ++k) {
    const double x = 0.1 * k, y = 0.02 * k;
    model.bodies.push_back(build::link("link" + std::to_string(k), 0.2, {x, y}, {x + 0.1, y + 0.02}));
    model.joints.push_back(build::pin("pin" + std::to_string(k), k == 0 ? "ground" : "link" + std::to_string(k - 1),
                                      "link" + std::to_string(k), {x, y}));
  }
  const StaticEquilibrium result = settle(model);
  ASSERT_TRUE(result.outcome) << result.outcome.reason;
  EXPECT_NEAR(result.state.q[3 * count - 3], 0, 1e-9);
  EXPECT_NEAR(result.state.q[3 * count - 2], -(count - 0.5) * std::hypot(0.1, 0.02), 1e-9);
  EXPECT_EQ(result.stability, Stability::stable);
}

TEST(Statics, DrivesHoldTheirPosition) {
  Model model = build::slider_crank(0.05, 0.12, 0.4);
  model.motions = {build::drive("motor", "main", "0.4 + 100*t")};
  const StaticEquilibrium result = settle(model);
  ASSERT_TRUE(result.outcome) << result.outcome.reason;
  EXPECT_NEAR(result.state.q[2], 0.4, 1e-14);
  EXPECT_EQ(result.stability, Stability::stable);
}

// A shaft that is free in its bearing at first, with the speed of a run: wherever the search throws it, balls that
// nothing presses must not hinder it.
TEST(Statics, AShaftFindsItsPlaceInABearingWithClearanceAtSpeed) {
  for (const std::string clearance : {"0", "\"1 nm\"", "\"5 um\"", "\"200 um\"", "\"-1 um\""}) {
    for (const std::string designation : {"6206", "NU206"}) {
      ProblemList problems;
      const Model model = read_model_text(R"(
[model]
gravity = [0, 0, 0]
[material.steel]
young = "207 GPa"
poisson = 0.3
density = 7800
[[body]]
name = "shaft"
mass = 5
inertia = [0.05, 0.05, 0.005]
[[force]]
name = "load"
type = "force"
body = "shaft"
force = ["2 kN", 0, 0]
[[bearing]]
name = "support"
bodies = ["ground", "shaft"]
at = [0, 0, 0]
axis = [0, 0, 1]
material = "steel"
speed = "3000 rpm"
designation = ")" + designation +
                                              "\"\nclearance = " + clearance,
                                          "shaft.toml", problems);
      ASSERT_TRUE(problems.empty()) << problems.text();
      const StaticEquilibrium result = settle(model);
      ASSERT_TRUE(result.outcome) << designation << " " << clearance << ": " << result.outcome.reason;
      const double free = clearance == "\"200 um\"" ? 200e-6 : 0;
      EXPECT_GT(result.state.q[0], free);
      EXPECT_LT(result.state.q[0], free + 50e-6);
      EXPECT_NEAR(result.state.q[1], 0, 1e-12);
    }
  }
}

}  // namespace
}  // namespace carom
