#include <gtest/gtest.h>

#include "run_scene.h"

namespace carom {
namespace {

using namespace scene;

constexpr double degree = M_PI / 180;

Marker marker(const std::string& name, const Eigen::Vector3d& position, double about_z) {
  Marker result;
  result.name = name;
  result.position = position;
  result.orientation = Eigen::AngleAxisd(about_z, Eigen::Vector3d::UnitZ());
  return result;
}

// A block at rest on an incline of 30 degrees, with markers only: x of the ground's marker points up the incline, and
// the block's own marker is turned against its axes.
Model incline(const std::string& type, double marker_on_block) {
  Model model = build::planar_model();
  const double angle = 30 * degree - marker_on_block;
  model.bodies = {
      build::planar_body("block", 2, 0.3).at(1 - 0.1 * std::cos(angle), 2 - 0.1 * std::sin(angle)).turned(angle)};
  model.bodies[0].markers = {marker("foot", {0.1, 0, 0}, marker_on_block)};
  model.ground.markers = {marker("base", {1, 2, 0}, 30 * degree)};
  model.joints = {build::Element("slide", type).with("markers", std::vector<std::string>{"ground.base", "block.foot"})};
  model.solver.end = 0.5;
  model.solver.tolerance = 1e-10;
  model.output.every = 0.1;
  return model;
}

TEST(PlanarMarkers, GiveThePrismaticJointItsAxis) {
  const Folder folder;
  const RunSummary summary = run(incline("prismatic", 25 * degree), into(folder / "run.h5"));
  ASSERT_EQ(summary.status, RunStatus::complete) << summary.reason;
  const ResultReader result(folder / "run.h5");
  const auto t = result.times(), x = result.column("body:block.x"), y = result.column("body:block.y"),
             angle = result.column("body:block.angle"), along = result.column("joint:slide.translation");
  for (std::size_t k = 0; k < t.size(); ++k) {
    const double s = -0.5 * 9.81 * 0.5 * t[k] * t[k];  // g sin 30°, downhill
    EXPECT_NEAR(along[k], s, 1e-9) << t[k];
    EXPECT_NEAR(x[k] - x[0], s * std::cos(30 * degree), 1e-9) << t[k];
    EXPECT_NEAR(y[k] - y[0], s * std::sin(30 * degree), 1e-9) << t[k];
    EXPECT_NEAR(angle[k], 5 * degree, 1e-9) << t[k];
  }
}

// On the line the block may turn. Its mass centre lies in the line at the start and no couple acts, so it keeps its
// angle if and only if the marker's x axis is the line.
TEST(PlanarMarkers, GiveThePointOnLineJointItsAxis) {
  const Folder folder;
  Model model = incline("point-on-line", 0);
  model.bodies[0].position = {1, 2, 0};
  model.bodies[0].markers = {marker("foot", {0, 0, 0}, 0)};
  const RunSummary summary = run(model, into(folder / "run.h5"));
  ASSERT_EQ(summary.status, RunStatus::complete) << summary.reason;
  const ResultReader result(folder / "run.h5");
  const auto t = result.times(), along = result.column("joint:slide.translation"), x = result.column("body:block.x"),
             y = result.column("body:block.y");
  for (std::size_t k = 0; k < t.size(); ++k) {
    const double s = -0.5 * 9.81 * 0.5 * t[k] * t[k];
    EXPECT_NEAR(along[k], s, 1e-9) << t[k];
    EXPECT_NEAR(x[k], 1 + s * std::cos(30 * degree), 1e-9) << t[k];
    EXPECT_NEAR(y[k], 2 + s * std::sin(30 * degree), 1e-9) << t[k];
  }
}

// A fixed joint makes the two markers coincide, whatever angle the file gives the body.
TEST(PlanarMarkers, AreTurnedAlikeByTheFixedJoint) {
  const Folder folder;
  Model model = incline("fixed", 25 * degree);
  model.bodies[0].angle = 0.2;
  model.bodies[0].orientation = Eigen::AngleAxisd(0.2, Eigen::Vector3d::UnitZ());
  const RunSummary summary = run(model, into(folder / "run.h5"));
  ASSERT_EQ(summary.status, RunStatus::complete) << summary.reason;
  const auto angle = ResultReader(folder / "run.h5").column("body:block.angle");
  EXPECT_NEAR(angle.front(), 5 * degree, 1e-10);
  EXPECT_NEAR(angle.back(), 5 * degree, 1e-10);
}

}  // namespace
}  // namespace carom
