#include <gtest/gtest.h>

#include "model_io/read_model.h"
#include "run_scene.h"

// Static analyses in load steps.
namespace carom {
namespace {

using scene::Folder;
using scene::into;

Model read(const std::string& text) {
  ProblemList problems;
  Model model = read_model_text(text, "arm.toml", problems);
  EXPECT_EQ(problems.errors(), 0u) << problems.text();
  return model;
}

// A torsion spring against a growing torque, on an axle that is turned meanwhile.
TEST(LoadSteps, FollowLoadsAndDrives) {
  const Folder folder;
  const RunSummary summary = run(read(R"(
[model]
plane = "xy"
[[body]]
name = "hub"
mass = 1
inertia = 1
[[body]]
name = "arm"
mass = 1
inertia = 1
[[joint]]
name = "axle"
type = "revolute"
bodies = ["ground", "hub"]
at = [0, 0]
[[joint]]
name = "pivot"
type = "revolute"
bodies = ["hub", "arm"]
at = [0, 0]
[[motion]]
name = "turn"
joint = "axle"
position = "=0.5*t"
[[force]]
name = "spring"
type = "torsion-spring"
joint = "pivot"
stiffness = 10
[[force]]
name = "load"
type = "torque"
body = "arm"
torque = "=3*t"
[solver]
analysis = "static"
load_steps = 4
end = 2
)"),
                                 into(folder / "arm.h5"));
  ASSERT_EQ(summary.status, RunStatus::complete) << summary.reason;
  const ResultReader result(folder / "arm.h5");
  const auto times = result.times(), axle = result.column("joint:axle.rotation"),
             pivot = result.column("joint:pivot.rotation");
  ASSERT_EQ(times.size(), 5u);
  for (std::size_t k = 0; k < times.size(); ++k) {
    EXPECT_DOUBLE_EQ(times[k], 0.5 * static_cast<double>(k));
    EXPECT_NEAR(axle[k], 0.5 * times[k], 1e-12);
    EXPECT_NEAR(pivot[k], 0.3 * times[k], 1e-9);
  }
  EXPECT_TRUE(std::isnan(result.column("energy.residual").back()));
}

// Nothing holds the body once the load grows: what was found before is kept, and the reason is reported.
TEST(LoadSteps, KeepWhatWasFoundBeforeTheyFail) {
  const Folder folder;
  const RunSummary summary = run(read(R"(
[model]
plane = "xy"
[[body]]
name = "block"
mass = 1
inertia = 1
[[joint]]
name = "slide"
type = "prismatic"
bodies = ["ground", "block"]
at = [0, 0]
axis = [1, 0]
[[force]]
name = "push"
type = "force"
body = "block"
force = ["=3*t", 0]
[solver]
analysis = "static"
load_steps = 4
end = 2
)"),
                                 into(folder / "block.h5"));
  EXPECT_EQ(summary.status, RunStatus::failed);
  EXPECT_NE(summary.reason.find("block"), std::string::npos) << summary.reason;
  EXPECT_GE(ResultReader(folder / "block.h5").sample_count(), 1u);
}

// A column that is thin for its length, and cut finely: its softest mode is far below 1e-8 of its stiffest, and yet it
// is stable as long as the force is below Euler's; beyond, it still has nowhere to turn while it is straight.
TEST(LoadSteps, TellSoftFromNeutral) {
  const double euler = M_PI * M_PI * 210e9 * (1e-3 * 1e-9 * 20 / 12) / 4;  // clamped and free, 1 m
  for (const auto& [share, verdict] : {std::pair(0.9, "stable"), {1.1, "unstable"}}) {
    for (const std::string elements : {"40", "160"}) {  // dense and sparse algebra
      const Folder folder;
      const RunSummary summary =
          run(read("[model]\nplane = \"xy\"\n"
                   "[material.steel]\ndensity = 7850\nyoung = 210e9\npoisson = 0.3\n"
                   "[section.strip]\nshape = \"rectangle\"\nwidth = 1e-3\nheight = 0.02\n"
                   "[[beam]]\nname = \"column\"\npoints = [[0, 0], [1, 0]]\nsection = \"strip\"\nmaterial = "
                   "\"steel\"\nelements = " +
                   elements +
                   "\n[[joint]]\nname = \"clamp\"\ntype = \"fixed\"\nbodies = [\"ground\", \"column\"]\nat = [0, 0]\n"
                   "[[force]]\nname = \"load\"\ntype = \"force\"\nbody = \"column\"\nat = [1, 0]\nforce = [" +
                   std::to_string(-share * euler) + ", 0]\n[solver]\nanalysis = \"static\"\n"),
              into(folder / "column.h5"));
      ASSERT_EQ(summary.status, RunStatus::complete) << summary.reason;
      EXPECT_EQ(summary.verdict, verdict) << elements << " elements, " << share << " of Euler's force";
    }
  }
}

}  // namespace
}  // namespace carom
