#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../support/build_model.h"
#include "analyses/assembly.h"

namespace carom {
namespace {

using ::testing::HasSubstr;

struct Assembled {
  std::unique_ptr<System> system;
  State state;
  AssemblyReport report;
  explicit Assembled(const Model& model) : system(System::create(model)), state(system->initial_state()) {
    report = assemble(*system, model, state);
  }
};

TEST(Assembly, ClosesAFourBarFromARoughDrawing) {
  Model model = build::four_bar(2, 1, 2.5, 2, 1.0);
  const Eigen::Vector2d exact = model.bodies[1].position.head<2>();
  for (BodyModel& body : model.bodies) {
    body.position.x() += 0.05;
    body.position.y() -= 0.03;
    body.angle += 0.04;
  }
  const Assembled result(model);
  EXPECT_TRUE(result.report.assembled);
  EXPECT_LT(result.report.residual, 1e-14);
  EXPECT_EQ(result.report.degrees_of_freedom, 1);
  EXPECT_TRUE(result.report.redundant.empty());
  EXPECT_GT(result.report.moved, 0.01);
  EXPECT_LT(result.report.moved, 0.2);
  EXPECT_LT((result.state.q.segment<2>(3) - exact).norm(), 0.2);
}

TEST(Assembly, LeavesAClosedMechanismWhereItIs) {
  const Assembled result(build::slider_crank(0.05, 0.12, 0.7));
  EXPECT_TRUE(result.report.assembled);
  EXPECT_LT(result.report.moved, 1e-15);
  EXPECT_TRUE(result.report.warning.empty());
  EXPECT_EQ(result.state.v.norm(), 0);
}

TEST(Assembly, OtherVelocitiesFollowTheCrank) {
  Model model = build::slider_crank(0.05, 0.12, 0.7);
  model.bodies[0].angular_velocity = {0, 0, 50};
  model.bodies[0].angular_velocity_given = true;
  const Assembled result(model);
  EXPECT_TRUE(result.report.warning.empty()) << result.report.warning;
  EXPECT_NEAR(result.state.v[2], 50, 1e-12);
  const double rod_rate = -0.05 * std::cos(0.7) / std::sqrt(0.12 * 0.12 - std::pow(0.05 * std::sin(0.7), 2)) * 50;
  EXPECT_NEAR(result.state.v[5], rod_rate, 1e-11);
  EXPECT_LT(result.report.velocity_residual, 1e-13);
  EXPECT_LT(result.report.velocity_change, 1e-12);
}

TEST(Assembly, ContradictingVelocitiesAreNamed) {
  Model model = build::slider_crank(0.05, 0.12, 0.7);
  model.bodies[0].angular_velocity = {0, 0, 50};
  model.bodies[0].angular_velocity_given = true;
  model.bodies[2].velocity = {3, 1, 0};
  model.bodies[2].velocity_given = true;
  const Assembled result(model);
  EXPECT_THAT(result.report.warning, HasSubstr("body slider: velocity by"));
  EXPECT_GT(result.report.velocity_change, 0.5);
  EXPECT_LT(result.report.velocity_residual, 1e-13);
}

TEST(Assembly, AGivenRestIsAWish) {
  Model model = build::slider_crank(0.05, 0.12, 0.7);
  model.bodies[0].angular_velocity = {0, 0, 50};
  model.bodies[0].angular_velocity_given = true;
  model.bodies[2].velocity_given = true;
  EXPECT_THAT(Assembled(model).report.warning, HasSubstr("body slider"));
}

TEST(Assembly, NamesTheJointsOfALoopThatCannotClose) {
  const Model model = build::four_bar(5, 1, 1.5, 2, 1.0);
  const Assembled result(model);
  EXPECT_FALSE(result.report.assembled);
  // 4.5 m of links for 5 m of ground: half a metre is missing, shared by the joints.
  double missing = 0;
  for (const auto& joint : result.report.worst) missing += joint.residual;
  EXPECT_NEAR(missing, 0.5, 1e-6);
  EXPECT_GE(result.report.worst[0].residual, result.report.worst[1].residual);
  const std::string text = unassemblable_message(result.report);
  EXPECT_THAT(text, HasSubstr("cannot be assembled"));
  EXPECT_THAT(text, HasSubstr(result.report.worst[0].joint + " by 0.1"));
}

// Links drawn in one line cannot tell to which side they should fold; a disturbed start can.
TEST(Assembly, FoldsLinksThatAreDrawnInOneLine) {
  Model model = build::four_bar(2, 1, 2.5, 2, 1.0);
  const double x[] = {0.5, 2.25, 2.75};
  for (int b = 0; b < 3; ++b) {
    model.bodies[b].position = {x[b], 0, 0};
    model.bodies[b].angle = 0;
    model.bodies[b].orientation.setIdentity();
  }
  const Assembled result(model);
  EXPECT_TRUE(result.report.assembled) << unassemblable_message(result.report);
  EXPECT_LT(result.report.residual, 1e-13);
}

TEST(Assembly, DrivesSetTheStartingPosition) {
  Model model = build::slider_crank(0.05, 0.12, 0.2);
  model.motions = {build::drive("motor", "main", "0.9 + 10*t")};
  const Assembled result(model);
  EXPECT_TRUE(result.report.assembled);
  EXPECT_EQ(result.report.degrees_of_freedom, 0);
  EXPECT_NEAR(result.state.q[2], 0.9, 1e-14);
  EXPECT_NEAR(result.state.v[2], 10, 1e-12);
}

Model spatial_door(const std::string& angle) {
  Model model = build::spatial_model();
  model.bodies = {build::Body("door", 2, {0.1, 0.2, 0.3}).at(0.5, 0, 0)};
  model.joints = {build::Element("hinge", "revolute").between("ground", "door").at({0, 0, 0}).axis({0, 0, 1})};
  model.motions = {build::drive("motor", "hinge", angle)};
  return model;
}

TEST(Assembly, DrivesInSpaceMayStartBeyondHalfATurn) {
  for (const double angle : {3.5, -4.0, 9.0}) {
    const Assembled result(spatial_door(std::to_string(angle)));
    EXPECT_TRUE(result.report.assembled) << angle;
    EXPECT_NEAR(result.state.q[0], 0.5 * std::cos(angle), 1e-12);
    EXPECT_NEAR(result.state.q[1], 0.5 * std::sin(angle), 1e-12);
  }
}

// The angular velocity of a body is given in world axes, and assembly turns the body.
TEST(Assembly, GivenSpinsAreKeptInWorldAxes) {
  Model model = build::spatial_model();
  model.bodies = {build::Body("top", 1, {0.1, 0.1, 0.2}).at(0, 0.02, 1).spinning({0.3, -0.2, 5}),
                  build::Body("cup", 1, {0.1, 0.1, 0.2}).at(0, 0, 0)};
  model.joints = {build::Element("ball", "spherical").between("ground", "top").points({0, 0, 0}, {0, 0.1, -1}),
                  build::Element("weld", "fixed").between("ground", "cup").at({0, 0, 0})};
  const Assembled result(model);
  ASSERT_TRUE(result.report.assembled);
  EXPECT_GT(result.report.turned, 1e-3);
  const Eigen::VectorXd& q = result.state.q;
  const Eigen::Vector3d world =
      Eigen::Quaterniond(q[3], q[4], q[5], q[6]) * Eigen::Vector3d(result.state.v.segment<3>(3));
  EXPECT_LT((world - Eigen::Vector3d(0.3, -0.2, 5)).norm(), 1e-12);
  EXPECT_TRUE(result.report.warning.empty()) << result.report.warning;
}

TEST(Assembly, ManyBodiesKeepWhatIsGiven) {
  Model model = build::planar_model();
  constexpr int count = 250;
  for (int k = 0; k < count; ++k) {
    model.bodies.push_back(build::link("link" + std::to_string(k), 1, {k, 0}, {k + 1, 0}));
    const std::string before = k == 0 ? "ground" : "link" + std::to_string(k - 1);
    model.joints.push_back(build::pin("pin" + std::to_string(k), before, "link" + std::to_string(k), {k, 0}));
  }
  for (const int k : {0, 100, 249}) {
    model.bodies[k].angular_velocity = {0, 0, 1.0 + k};
    model.bodies[k].angular_velocity_given = true;
  }
  const Assembled result(model);
  EXPECT_TRUE(result.report.assembled);
  EXPECT_TRUE(result.report.warning.empty()) << result.report.warning;
  EXPECT_NEAR(result.state.v[3 * 100 + 2], 101, 1e-7);
  EXPECT_LT(result.report.velocity_residual, 1e-10);
}

}  // namespace
}  // namespace carom
