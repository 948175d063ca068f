#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "run_scene.h"
#include "simulation/time_functions.h"

namespace carom {
namespace {

using namespace scene;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

Function ramps() {
  return Function::table({0, 0.25, 0.6, 2}, {0, 1, 0, 0}, Interpolation::linear);
}

TEST(Breakpoints, ComeFromDrivesAndLoads) {
  Model model = cart(build::function("t < 0.35 ? 1 : 2"));
  model.forces.push_back(build::Element("twist", "torque").with("body", std::string("cart")).with("torque", ramps()));
  model.forces.push_back(
      build::Element("spring", "spring").with("force", build::function("x < 0.5 ? 0 : x", {"x", "v"})));
  MotionModel motion = build::drive("drive", "rail", "abs(3*t - 1)");
  motion.level = MotionLevel::speed;
  model.motions = {motion};
  const auto functions = time_functions(model);
  ASSERT_EQ(functions.size(), 4u);  // the spring is no function of the time
  EXPECT_EQ(functions[0].key, "motion.drive.speed");
  EXPECT_EQ(functions[0].motion, 0);
  EXPECT_EQ(functions[1].key, "force.pull.force");
  EXPECT_EQ(functions[3].key, "force.twist.torque");

  const auto breakpoints = find_breakpoints(functions, 0, 1);
  ASSERT_EQ(breakpoints.size(), 4u);  // not those at the ends and outside
  const double expected[] = {0.25, 1.0 / 3, 0.35, 0.6};
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_LT(breakpoints[k].before, expected[k]);
    EXPECT_GT(breakpoints[k].after, expected[k]);
    EXPECT_LT(breakpoints[k].after - breakpoints[k].before, 1e-14);
  }
  EXPECT_THAT(breakpoints[1].functions, ElementsAre(0));
  EXPECT_THAT(breakpoints[3].functions, ElementsAre(3));
}

TEST(Breakpoints, ThatRoundingCannotTellApartAreOne) {
  const std::vector<TimeFunction> functions = {{"a", build::function("abs(10*t - 3)")},
                                               {"b", build::function("t < 0.3 ? 0 : 1")},
                                               {"c", build::function("abs(t - 0.3000001)")}};
  const auto breakpoints = find_breakpoints(functions, 0, 1);
  ASSERT_EQ(breakpoints.size(), 2u);
  EXPECT_THAT(breakpoints[0].functions, ElementsAre(0, 1));
}

TEST(Breakpoints, OfACubicTableAreOnlyItsEnds) {
  const std::vector<TimeFunction> functions = {
      {"a", Function::table({0.1, 0.2, 0.4, 0.9}, {0, 1, 0, 0.5}, Interpolation::cubic)}};
  EXPECT_EQ(find_breakpoints(functions, 0, 1).size(), 2u);
  EXPECT_EQ(find_breakpoints(functions, 0.1, 0.8).size(), 0u);
  const auto last = find_breakpoints(functions, 0, 0.9);
  ASSERT_EQ(last.size(), 2u);
  EXPECT_GT(last.back().after, 0.9);
  EXPECT_LT(last.back().before, 0.9);
}

class BreakpointsWith : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(All, BreakpointsWith, testing::Values("adams", "bdf", "rk", "generalized-alpha"),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::erase(name, '-');
                           return name;
                         });

// Force 1 N until 0.3 s, then −1 N until 0.7 s, then none: v = 0.3 − 0.4 = −0.1 m/s at the end.
TEST_P(BreakpointsWith, AForceThatSwitchesIsMetExactly) {
  const Folder folder;
  Model model = cart(build::function("t < 0.3 ? 1 : (t < 0.7 ? -1 : 0)"));
  model.solver.integrator = GetParam();
  model.solver.tolerance = 1e-10;
  const RunSummary summary = run(model, into(folder / "run.h5"));
  ASSERT_EQ(summary.status, RunStatus::complete) << summary.reason;
  EXPECT_EQ(summary.statistics.restarts, 3);
  const ResultReader result(folder / "run.h5");
  const auto x = result.column("body:cart.x"), v = result.column("body:cart.vx"), t = result.times();
  ASSERT_EQ(t.size(), 11u);
  for (std::size_t k = 0; k < t.size(); ++k) {
    const double late = std::max(0.0, t[k] - 0.3), later = std::max(0.0, t[k] - 0.7);
    EXPECT_NEAR(v[k], t[k] - 2 * late + later, 2e-9) << t[k];
    EXPECT_NEAR(x[k], 0.5 * t[k] * t[k] - late * late + 0.5 * later * later, 2e-9) << t[k];
  }
  EXPECT_LT(summary.energy.largest_residual, 2e-9);
  EXPECT_TRUE(summary.warnings.empty());
}

TEST_P(BreakpointsWith, ADriveByTableOfSpeedsIsFollowed) {
  const Folder folder;
  Model model = cart(Function::constant(0));
  model.solver.integrator = GetParam();
  MotionModel motion = build::drive("drive", "rail", "0");
  motion.level = MotionLevel::speed;
  motion.value = ramps();
  model.motions = {motion};
  const RunSummary summary = run(model, into(folder / "run.h5"));
  ASSERT_EQ(summary.status, RunStatus::complete) << summary.reason;
  EXPECT_EQ(summary.statistics.restarts, 3);
  EXPECT_NEAR(ResultReader(folder / "run.h5").column("body:cart.x").back(), 0.3, 1e-9);
  EXPECT_LT(summary.energy.largest_residual, 1e-6 * summary.energy.largest);
  EXPECT_TRUE(summary.warnings.empty());
}

TEST_P(BreakpointsWith, ADriveThatJumpsInSpeedKnocksTheMechanism) {
  Model model = cart(Function::constant(0));
  model.solver.integrator = GetParam();
  model.motions = {build::drive("drive", "rail", "t < 0.5 ? 0 : 2*(t - 0.5)")};
  const RunSummary summary = run(model);
  ASSERT_EQ(summary.status, RunStatus::complete) << summary.reason;
  EXPECT_THAT(summary.warnings,
              ElementsAre(AllOf(HasSubstr("motion.drive.position jumps in speed by 2"), HasSubstr("t = 0.5 s"))));
  EXPECT_NEAR(summary.energy.at_end.kinetic, 2, 1e-9);
  EXPECT_NEAR(summary.energy.at_end.supplied, 2, 1e-9);
  EXPECT_LT(summary.energy.largest_residual, 1e-9);
}

// Behind its last point a table holds its value, but the run does not get there.
TEST_P(BreakpointsWith, ATableThatEndsWithTheRunIsSeenFromTheInside) {
  const Folder folder;
  for (const Analysis analysis : {Analysis::dynamic, Analysis::kinematic}) {
    Model model = cart(Function::constant(0));
    model.solver.integrator = GetParam();
    model.solver.analysis = analysis;
    model.motions = {build::drive("drive", "rail", "0")};
    model.motions[0].value = Function::table({0, 1}, {0, 2}, Interpolation::linear);
    const RunSummary summary = run(model, into(folder / "run.h5"));
    ASSERT_EQ(summary.status, RunStatus::complete) << summary.reason;
    EXPECT_EQ(summary.samples, 11);
    EXPECT_EQ(summary.t, 1);
    const ResultReader result(folder / "run.h5");
    EXPECT_EQ(result.times().back(), 1);
    EXPECT_NEAR(result.column("body:cart.vx").back(), 2, 1e-9);
    EXPECT_LT(summary.energy.largest_residual, 1e-9);
    EXPECT_TRUE(summary.warnings.empty());
  }
}

TEST_P(BreakpointsWith, ADriveThatJumpsInPositionFails) {
  Model model = cart(Function::constant(0));
  model.solver.integrator = GetParam();
  model.motions = {build::drive("drive", "rail", "t < 0.5 ? 0 : 1")};
  const RunSummary summary = run(model);
  EXPECT_EQ(summary.status, RunStatus::failed);
  EXPECT_THAT(summary.reason, AllOf(HasSubstr("motion.drive.position jumps by 1"), HasSubstr("Make it continuous")));
  EXPECT_EQ(summary.samples, 5);
}

// A parallelogram is singular when it lies flat.
TEST(Singularity, IsNamedWithItsTime) {
  Model model = build::planar_model({0, 0});
  model.bodies = {build::link("left", 1, {0, 0}, {0, 1}).spinning({0, 0, -1}), build::link("top", 1, {0, 1}, {2, 1}),
                  build::link("right", 1, {2, 0}, {2, 1}).spinning({0, 0, -1})};
  model.joints = {build::pin("A0", "ground", "left", {0, 0}), build::pin("A", "left", "top", {0, 1}),
                  build::pin("B", "top", "right", {2, 1}), build::pin("B0", "ground", "right", {2, 0})};
  model.solver.tolerance = 1e-11;
  model.solver.end = M_PI / 2;
  model.output.every = M_PI / 8;
  const RunSummary summary = run(model);
  EXPECT_TRUE(summary.assembly.redundant.empty());
  EXPECT_NEAR(summary.singular_time, M_PI / 2, 1e-12) << to_text(summary);
  EXPECT_THAT(summary.warnings,
              Contains(AllOf(HasSubstr("singular position at t = 1.5708 s"), HasSubstr("1 dependent constraint row"))));
  EXPECT_THAT(to_json(summary), HasSubstr("singular_time"));
}

TEST(Singularity, IsNotSeenWhereRowsAreRedundantAllTheWay) {
  Model model = build::parallelogram_of_three();
  model.solver.end = 0.3;
  const RunSummary summary = run(model);
  EXPECT_EQ(summary.assembly.redundant.size(), 1u);
  EXPECT_EQ(summary.singular_time, -1);
  EXPECT_THAT(summary.warnings, ElementsAre(HasSubstr("1 redundant constraint row: ")));
}

TEST(EnergyResidual, ThatIsLargeIsWarnedOf) {
  Model model = pendulum();
  model.solver.integrator = "generalized-alpha";
  model.solver.step = 0.02;
  model.solver.rho_infinity = 0.2;
  const RunSummary summary = run(model);
  EXPECT_THAT(summary.warnings, ElementsAre(AllOf(HasSubstr("the energy balance is off by"),
                                                  HasSubstr("numerical damping (rho_infinity = 0.2)"))));
  EXPECT_THAT(to_text(summary), HasSubstr("energy balance is off"));
}

}  // namespace
}  // namespace carom
