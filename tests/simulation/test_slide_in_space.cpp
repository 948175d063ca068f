#include <gtest/gtest.h>

#include "model_io/read_model.h"
#include "run_scene.h"

// A prismatic joint in space with clearance: a block that knocks about in its guide.
namespace carom {
namespace {

using scene::Folder;
using scene::into;

// Pushed to and fro beside its axis, so that it knocks and tilts in its guide of 20 mm × 30 mm.
TEST(SlideInSpace, StaysInItsGuideAndBalancesItsEnergy) {
  ProblemList problems;
  const Model model = read_model_text(R"toml(
[model]
gravity = [0, 0, -9.81]
[contact.dry]
restitution = 0.6
stiffness = 1e8
friction = { law = "tanh", coefficient = 0.1, slip_scale = 1e-2 }
[[body]]
name = "block"
mass = 0.5
inertia = [5e-5, 1e-4, 1e-4]
position = [0.05, 0.002, 0.01]
[[joint]]
name = "guide"
type = "prismatic"
bodies = ["ground", "block"]
points = [[0, 0, 0], [0, 0, 0]]
axes = [[1, 0, 0], [1, 0, 0]]
clearance = { diametric = "0.2 mm", bearing_diameter = "20 mm", bearing_height = "30 mm", length = "40 mm", contact = "dry" }
[[force]]
name = "push"
type = "force"
body = "block"
point = [0, 0.005, 0.003]
force = ["=20*cos(60*t)", "=8*sin(70*t)", "=6*cos(90*t)"]
[solver]
end = 0.2
integrator = "rk"
tolerance = 1e-9
[output]
every = "0.5 ms"
)toml",
                                      "guide.toml", problems);
  ASSERT_EQ(problems.errors(), 0u) << problems.text();
  const Folder folder;
  const RunSummary summary = run(model, into(folder / "slide.h5"));
  ASSERT_EQ(summary.status, RunStatus::complete) << summary.reason;
  EXPECT_GT(summary.contacts.begun, 20);
  EXPECT_LT(summary.energy.largest_residual, 1e-7 * summary.energy.largest);
  const ResultReader result(folder / "slide.h5");
  // Put together as if the joint were ideal.
  EXPECT_NEAR(result.column("body:block.y").front(), 0, 1e-12);
  EXPECT_NEAR(result.column("body:block.z").front(), 0, 1e-12);
  EXPECT_NEAR(result.column("joint:guide.penetration").front(), -1e-4, 1e-12);
  double travel = 0, across = 0;
  for (const double x : result.column("joint:guide.ex")) travel = std::max(travel, std::abs(x - 0.05));
  for (const char* name : {"joint:guide.ey", "joint:guide.ez"}) {
    for (const double x : result.column(name)) across = std::max(across, std::abs(x));
  }
  EXPECT_GT(travel, 1e-3);
  EXPECT_GT(across, 0.9e-4);
  EXPECT_LT(across, 1.3e-4);
}

}  // namespace
}  // namespace carom
