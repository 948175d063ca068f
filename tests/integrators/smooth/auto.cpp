#include <gmock/gmock.h>

#include "chain_system.h"
#include "integrators/smooth/integrator.h"
#include "integrators/smooth/stiffness_estimate.h"

// The integrator that chooses among the others, and the estimate that it goes by.
namespace carom {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

SolverSettings settings_for(const std::string& integrator, double end) {
  SolverSettings settings;
  settings.integrator = integrator;
  settings.end = end;
  return settings;
}

struct Course {
  State end;
  IntegratorStatistics statistics;
  std::string methods;
  std::vector<std::string> remarks;
  bool accepted = true;
};

Course follow(ChainSystem::Options options, const SolverSettings& settings) {
  ChainSystem system(options);
  const auto integrator = make_integrator(system, settings);
  integrator->start(system.hanging_at(1));
  bool accepted = true;
  while (accepted && integrator->state().t < settings.end) accepted = integrator->step(settings.end).accepted();
  return {integrator->state(), integrator->statistics(), integrator->methods_used(), integrator->method_remarks(),
          accepted};
}

TEST(StiffnessEstimate, IsTheRateOfADamper) {
  ChainSystem system({.masses = 2, .drag = 500});
  StiffnessEstimate stiffness(system);
  EXPECT_NEAR(stiffness.look(system.hanging_at(0.3), 10), 500, 5);
  EXPECT_EQ(stiffness.evaluations(), 21);
}

TEST(StiffnessEstimate, IsTheFrequencyOfAVibration) {
  ChainSystem system({.masses = 1, .length = 0.01});
  StiffnessEstimate stiffness(system);
  EXPECT_NEAR(stiffness.look(system.hanging_at(0), 10), std::sqrt(9.81 / 0.01), 0.5);
}

TEST(StiffnessEstimate, FollowsASystemThatChanges) {
  ChainSystem system({.masses = 1, .length = 0.01});
  StiffnessEstimate stiffness(system);
  stiffness.look(system.hanging_at(0), 10);
  // The pendulum upside down grows as fast as it swings when it hangs.
  EXPECT_NEAR(stiffness.look(system.hanging_at(M_PI), 4), std::sqrt(9.81 / 0.01), 0.5);
}

TEST(AutoIntegrator, IsAdamsWhereNothingIsStiff) {
  const Course chosen = follow({.masses = 3, .drag = 0.1}, settings_for("auto", 5));
  const Course adams = follow({.masses = 3, .drag = 0.1}, settings_for("adams", 5));
  EXPECT_EQ(chosen.methods, "adams");
  EXPECT_TRUE(chosen.remarks.empty());
  EXPECT_EQ(chosen.statistics.steps, adams.statistics.steps);
  EXPECT_EQ(chosen.end.q, adams.end.q);
  EXPECT_LE(10 * chosen.statistics.evaluations, 11 * adams.statistics.evaluations + 200);
}

TEST(AutoIntegrator, ChangesToBdfWhereADamperHoldsTheSteps) {
  const ChainSystem::Options stiff = {.masses = 2, .drag = 3e4};
  const Course chosen = follow(stiff, settings_for("auto", 1)), bdf = follow(stiff, settings_for("bdf", 1)),
               adams = follow(stiff, settings_for("adams", 1));
  EXPECT_THAT(chosen.methods, StartsWith("adams, bdf from t = "));
  EXPECT_THAT(chosen.remarks, ElementsAre(AllOf(HasSubstr("auto changed from adams to bdf at t = "),
                                                HasSubstr("the fastest part of the motion (3e+04 1/s)"))));
  EXPECT_LT(10 * chosen.statistics.evaluations, adams.statistics.evaluations);
  EXPECT_LT(chosen.statistics.evaluations, bdf.statistics.evaluations + 2000);
  EXPECT_LT((chosen.end.q - bdf.end.q).norm(), 1e-6);
  EXPECT_GT(chosen.statistics.factorisations, 0);
}

TEST(AutoIntegrator, BeginsWithBdfWhereTheStartIsStiff) {
  const Course chosen = follow({.masses = 2, .drag = 1e6}, settings_for("auto", 1));
  EXPECT_EQ(chosen.methods, "bdf");
  EXPECT_TRUE(chosen.remarks.empty());
}

TEST(AutoIntegrator, TakesAStepThatIsGivenForABound) {
  SolverSettings settings = settings_for("auto", 1);
  settings.step = 2e-3;
  const Course chosen = follow({.masses = 1}, settings);
  EXPECT_LE(chosen.statistics.largest_step, 2e-3 * (1 + 1e-12));
}

TEST(AutoIntegrator, SaysWhyNoMethodGoesOn) {
  const Course chosen = follow({.masses = 1, .nan_from = 0.5}, settings_for("auto", 1));
  EXPECT_FALSE(chosen.accepted);
  EXPECT_NEAR(chosen.end.t, 0.5, 1e-3);
}

TEST(AutoIntegrator, IsTheSameEveryTime) {
  const ChainSystem::Options stiff = {.masses = 2, .drag = 3e4};
  EXPECT_EQ(follow(stiff, settings_for("auto", 1)).end.q, follow(stiff, settings_for("auto", 1)).end.q);
}

}  // namespace
}  // namespace carom
