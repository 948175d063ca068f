#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../support/build_model.h"
#include "analyses/assembly.h"
#include "analyses/kinematics.h"

namespace carom {
namespace {

using ::testing::HasSubstr;

struct Motion {
  std::unique_ptr<System> system;
  std::unique_ptr<KinematicAnalysis> analysis;
  explicit Motion(const Model& model) : system(System::create(model)) {
    State state = system->initial_state();
    const AssemblyReport report = assemble(*system, model, state);
    EXPECT_TRUE(report.assembled) << unassemblable_message(report);
    analysis = std::make_unique<KinematicAnalysis>(*system, state);
  }
};

constexpr double crank = 0.05, rod = 0.12, speed = 500;

TEST(Kinematics, SliderCrankFollowsItsClosedForm) {
  Model model = build::slider_crank(crank, rod, 0);
  model.motions = {build::drive("motor", "main", "500*t")};
  Motion run(model);
  for (int k = 0; k <= 100; ++k) {
    const double t = 3e-4 * k, angle = speed * t, s = std::sin(angle), c = std::cos(angle);
    ASSERT_TRUE(run.analysis->advance(t)) << run.analysis->advance(t).reason;
    const State& state = run.analysis->state();
    const double root = std::sqrt(rod * rod - crank * crank * s * s);
    // Velocity and acceleration of the slider from x = r cos + √(l² − r² sin²).
    const double root_rate = -crank * crank * s * c * speed / root;
    const double root_rate2 = (-crank * crank * speed * speed * (c * c - s * s) - root_rate * root_rate) / root;
    EXPECT_NEAR(state.q[2], angle, 1e-12);
    EXPECT_NEAR(state.q[6], crank * c + root, 1e-14);
    EXPECT_NEAR(state.v[6], -crank * s * speed + root_rate, 1e-11);
    EXPECT_NEAR(run.analysis->accelerations()[6], -crank * c * speed * speed + root_rate2, 1e-8);
  }
}

TEST(Kinematics, ReactionsBalanceForcesAndTheDrivePaysForTheEnergy) {
  Model model = build::slider_crank(crank, rod, 0);
  model.motions = {build::drive("motor", "main", "20*t + 40*t^2")};
  Motion run(model);
  ASSERT_TRUE(run.analysis->advance(0));
  const State start = run.analysis->state();
  const double before = run.system->energy(0, start.q.data(), start.v.data()).total();
  for (int k = 1; k <= 20; ++k) {
    ASSERT_TRUE(run.analysis->advance(0.01 * k));
    const State& state = run.analysis->state();
    Eigen::VectorXd load;
    run.system->loads(state.t, state.q.data(), state.v.data(), load);
    const Eigen::VectorXd balance =
        run.system->mass() * run.analysis->accelerations() +
        run.system->constraint_jacobian(state.t, state.q.data()).transpose() * run.analysis->multipliers() - load;
    EXPECT_LT(balance.cwiseAbs().maxCoeff(), 1e-10);
    const double gained = run.system->energy(state.t, state.q.data(), state.v.data()).total() - before;
    EXPECT_NEAR(state.work[0], gained, 1e-6 * std::max(1.0, std::abs(gained)));
  }
}

TEST(Kinematics, SaysHowManyFreedomsAreNotDriven) {
  Motion run(build::slider_crank(crank, rod, 0.3));
  const AnalysisOutcome outcome = run.analysis->advance(0);
  EXPECT_FALSE(outcome);
  EXPECT_THAT(outcome.reason, HasSubstr("1 is not driven"));
}

TEST(Kinematics, StopsBeforeADeadPointThatTheDriveCannotPass) {
  Model model = build::slider_crank(crank, rod, 0.7);
  model.motions = {build::drive("ram", "guide", std::to_string(model.bodies[2].position.x()) + " + 0.01*t")};
  Motion run(model);
  // The slider reaches its outermost position, crank and rod in line, after about a second and a half.
  const double dead = (crank + rod - model.bodies[2].position.x()) / 0.01;
  EXPECT_TRUE(run.analysis->advance(0.5 * dead));
  const AnalysisOutcome outcome = run.analysis->advance(1.2 * dead);
  EXPECT_FALSE(outcome);
  EXPECT_THAT(outcome.reason, HasSubstr("singular position at t = "));
  EXPECT_THAT(outcome.reason, HasSubstr("dependent: pin"));
  EXPECT_NEAR(run.analysis->state().t, dead, 1e-3 * dead);
}

TEST(Kinematics, NamesTheJointsOfASingularPosition) {
  // A parallelogram in line: the rocker may turn either way.
  Model model = build::four_bar(2, 1, 2, 1, 1.0);
  model.motions = {build::drive("motor", "A0", "1 + t")};
  Motion run(model);
  EXPECT_TRUE(run.analysis->advance(2));
  const AnalysisOutcome outcome = run.analysis->advance(M_PI - 1);
  EXPECT_FALSE(outcome);
  EXPECT_THAT(outcome.reason, HasSubstr("dependent: "));
}

TEST(Kinematics, CountsTurnsInSpaceOverLongIntervals) {
  Model model = build::spatial_model();
  model.bodies = {build::Body("door", 2, {0.1, 0.2, 0.3}).at(0.5, 0, 0)};
  model.joints = {build::Element("hinge", "revolute").between("ground", "door").at({0, 0, 0}).axis({0, 0, 1})};
  model.motions = {build::drive("motor", "hinge", "7*t")};
  Motion run(model);
  for (const double t : {1.0, 5.0, 20.0}) {
    ASSERT_TRUE(run.analysis->advance(t));
    const State& state = run.analysis->state();
    std::vector<double> values;
    run.system->record(state, run.analysis->accelerations(), run.analysis->multipliers(), values);
    double angle = 0;
    std::size_t place = 0;
    for (const auto& channel : run.system->channels()) {
      for (const auto& component : channel.components) {
        if (channel.name == "joint:hinge" && component.name == "rotation") angle = values[place];
        ++place;
      }
    }
    EXPECT_NEAR(angle, 7 * t, 1e-10);
    EXPECT_NEAR(state.q[0], 0.5 * std::cos(7 * t), 1e-10);
  }
}

}  // namespace
}  // namespace carom
