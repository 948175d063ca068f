#include <gtest/gtest.h>

#include "model_io/read_model.h"
#include "viewing/drawn_parts.h"

namespace carom {
namespace {

// A box without a lid: the floor at z = 0 and walls at x = ±1 and y = ±2, and a ball in it that does not touch them.
const char* const open_box = R"toml(
[model]
[[ground.geometry]]
name = "floor"
shape = "plane"
[[ground.geometry]]
name = "left"
shape = "plane"
position = [-1, 0, 0]
orientation = { axis = [0, 1, 0], angle = "90 deg" }
[[ground.geometry]]
name = "right"
shape = "plane"
position = [1, 0, 0]
orientation = { axis = [0, 1, 0], angle = "-90 deg" }
[[ground.geometry]]
name = "near"
shape = "plane"
position = [0, -2, 0]
orientation = { axis = [1, 0, 0], angle = "-90 deg" }
[[ground.geometry]]
name = "far"
shape = "plane"
position = [0, 2, 0]
orientation = { axis = [1, 0, 0], angle = "90 deg" }
[[body]]
name = "ball"
mass = 1
inertia = [1, 1, 1]
position = [0, 0, 1]
[[body.geometry]]
shape = "sphere"
radius = 0.5
)toml";

double area_of(const Solid& solid) {
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  for (const std::vector<int>& face : solid.faces) {
    const auto at = [&](std::size_t k) { return solid.points[static_cast<std::size_t>(face[k % face.size()])]; };
    for (std::size_t k = 0; k < face.size(); ++k) sum += at(k).cross(at(k + 1)) / 2;
  }
  return sum.norm();
}

TEST(Planes, OfTheGroundEndWhereTheyMeet) {
  ProblemList problems;
  const Model model = read_model_text(open_box, "box.toml", problems);
  ASSERT_EQ(problems.errors(), 0) << problems.text();
  const Eigen::AlignedBox3d box(Eigen::Vector3d(-0.5, -0.5, 0.5), Eigen::Vector3d(0.5, 0.5, 1.5));
  const auto parts = drawn_parts(model, box);
  ASSERT_EQ(parts.size(), 6u);
  const Eigen::AlignedBox3d inside(Eigen::Vector3d(-1, -2, 0), Eigen::Vector3d(1, 2, 10));
  for (std::size_t k = 0; k < 5; ++k) {
    for (const Eigen::Vector3d& point : parts[k].solid.points)
      EXPECT_LT(inside.exteriorDistance(point), 1e-12) << k << ": " << point.transpose();
    EXPECT_TRUE(parts[k].solid.hollow);
  }
  EXPECT_NEAR(area_of(parts[0].solid), 2 * 4, 1e-12);
  // Walls reach a little above the scene: 3 % of its diagonal.
  const double height = 1.5 + 0.03 * std::sqrt(3);
  EXPECT_NEAR(area_of(parts[1].solid), 4 * height, 1e-12);
  EXPECT_NEAR(area_of(parts[3].solid), 2 * height, 1e-12);
}

}  // namespace
}  // namespace carom
