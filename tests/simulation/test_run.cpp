#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "run_scene.h"

namespace carom {
namespace {

using namespace scene;
using testing::ElementsAre;
using testing::HasSubstr;

// Ten samples a second until the end, which is in the grid, beside it, within rounding of it, or not reached by it.
class OutputTimes : public testing::TestWithParam<std::pair<double, double>> {};

TEST_P(OutputTimes, AreMultiplesOfTheIntervalAndTheEndOnce) {
  const auto [end, every] = GetParam();
  const Folder folder;
  for (const Analysis analysis : {Analysis::dynamic, Analysis::kinematic}) {
    Model model = pendulum();
    model.solver.analysis = analysis;
    model.solver.start = 0.5;
    model.solver.end = end;
    model.output.every = every;
    if (model.solver.analysis == Analysis::kinematic) model.motions = {build::drive("turn", "pivot", "t")};
    if (model.solver.analysis == Analysis::kinematic)
      model.bodies = {build::link("rod", 1, {0, 0}, {std::cos(0.5), std::sin(0.5)})};
    const RunSummary summary = run(model, into(folder / "run.h5"));
    ASSERT_EQ(summary.status, RunStatus::complete) << summary.reason;
    const auto times = ResultReader(folder / "run.h5").times();
    ASSERT_GE(times.size(), 2u);
    EXPECT_EQ(static_cast<std::size_t>(summary.samples), times.size());
    for (std::size_t k = 0; k + 1 < times.size(); ++k)
      EXPECT_EQ(times[k], 0.5 + static_cast<double>(k) * every) << name_of(analysis);
    EXPECT_EQ(times.back(), end);
    EXPECT_GT(times.back() - times[times.size() - 2], 1e-6 * every);
    EXPECT_LE(times.back() - times[times.size() - 2], every * (1 + 1e-8));
  }
}

INSTANTIATE_TEST_SUITE_P(Ends, OutputTimes,
                         testing::Values(std::pair(1.5, 0.1), std::pair(1.55, 0.1), std::pair(1.5, 1.0 / 3),
                                         std::pair(1.5 + 1e-12, 0.1), std::pair(1.5, 2.0), std::pair(0.7, 0.001)));

TEST(Run, EnergiesThatOverflowAreReported) {
  Model model = pendulum();
  model.joints.clear();
  model.bodies[0].mass = 1e300;
  model.bodies[0].velocity = {1e10, 0, 0};
  EXPECT_THAT(run(model).warnings, testing::Contains(HasSubstr("energies are not finite")));
}

TEST(Run, WithoutAnIntervalTakesAThousandth) {
  Model model = pendulum();
  model.output.every = 0;
  EXPECT_EQ(run(model).samples, 1001);
}

TEST(Run, RecordsWhatThePatternsName) {
  const Folder folder;
  Model model = pendulum();
  model.output.record = {"body:rod.x", "energy.kinetic", "joint:*"};
  run(model, into(folder / "run.h5"));
  const auto quantities = ResultReader(folder / "run.h5").quantities();
  EXPECT_THAT(quantities, testing::Contains("body:rod.x"));
  EXPECT_THAT(quantities, testing::Contains("energy.kinetic"));
  EXPECT_THAT(quantities, testing::Contains("joint:pivot.fx"));
  EXPECT_THAT(quantities, testing::Not(testing::Contains("body:rod.y")));
  EXPECT_THAT(quantities, testing::Not(testing::Contains("energy.potential")));
}

TEST(Run, GivesTheMotionAndItsEnergies) {
  const Folder folder;
  Model model = pendulum();
  model.output.every = 0.25;
  const RunSummary summary = run(model, into(folder / "run.h5"));
  const ResultReader result(folder / "run.h5");
  const auto kinetic = result.column("energy.kinetic"), potential = result.column("energy.potential"),
             residual = result.column("energy.residual");
  ASSERT_EQ(kinetic.size(), 5u);
  for (std::size_t k = 0; k < kinetic.size(); ++k) {
    EXPECT_NEAR(kinetic[k] + potential[k], kinetic[0] + potential[0], 1e-6);
    EXPECT_NEAR(residual[k], 0, 1e-6);
  }
  EXPECT_GT(summary.statistics.steps, 10);
  EXPECT_EQ(summary.statistics.restarts, 1);
  EXPECT_EQ(summary.t, 1);
  EXPECT_LT(summary.drift.position, 1e-6);
  EXPECT_EQ(summary.assembly.degrees_of_freedom, 1);
  EXPECT_TRUE(summary.warnings.empty());
}

TEST(Run, TheStatisticsAreInTheFileAndDoNotDependOnTheClock) {
  const Folder folder;
  const RunSummary summary = run(pendulum(), into(folder / "run.h5"));
  const ResultReader result(folder / "run.h5");
  EXPECT_EQ(result.status(), "complete");
  EXPECT_EQ(result.statistics_json(), to_json(summary));
  const auto json = nlohmann::json::parse(result.statistics_json());
  EXPECT_EQ(json["steps"], summary.statistics.steps);
  EXPECT_EQ(json["samples"], 11);
  EXPECT_FALSE(json.contains("wall_seconds"));
  run(pendulum(), into(folder / "again.h5"));
  std::ifstream a(folder / "run.h5", std::ios::binary), b(folder / "again.h5", std::ios::binary);
  EXPECT_TRUE(std::equal(std::istreambuf_iterator<char>(a), {}, std::istreambuf_iterator<char>(b), {}));
}

TEST(Run, StopsWhenAsked) {
  const Folder folder;
  std::atomic<bool> interrupted = true;
  const RunSummary summary =
      run(pendulum(), {.output = folder / "run.h5", .progress = {}, .interrupted = &interrupted});
  EXPECT_EQ(summary.status, RunStatus::interrupted);
  EXPECT_LT(summary.t, 1);
  EXPECT_GE(summary.samples, 1);
  const ResultReader result(folder / "run.h5");
  EXPECT_EQ(result.status(), "interrupted");
  EXPECT_EQ(result.sample_count(), static_cast<std::size_t>(summary.samples));
}

TEST(Run, ShowsProgress) {
  Model model = pendulum();
  model.solver.end = 1e6;
  int calls = 0;
  double last = 0;
  std::atomic<bool> interrupted = false;
  run(model, {.output = {},
              .progress =
                  [&](const Progress& progress) {
                    ++calls;
                    EXPECT_GE(progress.t, last);
                    EXPECT_EQ(progress.end, 1e6);
                    last = progress.t;
                    if (calls == 3) interrupted = true;
                  },
              .interrupted = &interrupted});
  EXPECT_EQ(calls, 3);
}

class FailuresOf : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(All, FailuresOf, testing::Values("adams", "bdf", "rk", "generalized-alpha"),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::erase(name, '-');
                           return name;
                         });

TEST_P(FailuresOf, AForceThatCeasesToBeFiniteEndsTheRunWithItsSamples) {
  const Folder folder;
  Model model = cart(build::function("sqrt(0.5-t)"));
  model.solver.integrator = GetParam();
  const RunSummary summary = run(model, into(folder / "run.h5"));
  EXPECT_EQ(summary.status, RunStatus::failed);
  EXPECT_NEAR(summary.t, 0.5, 1e-3);
  EXPECT_GE(summary.samples, 5);
  EXPECT_THAT(summary.reason, HasSubstr("Look for forces that are not finite"));
  EXPECT_THAT(summary.reason, HasSubstr("force.pull.force (expression `sqrt(0.5-t)`) is not finite near t = 0.5 s"));
  const ResultReader result(folder / "run.h5");
  EXPECT_THAT(result.status(), HasSubstr("failed: "));
  EXPECT_EQ(result.sample_count(), static_cast<std::size_t>(summary.samples));
  for (const double x : result.column("body:cart.x")) EXPECT_TRUE(std::isfinite(x));
}

TEST_P(FailuresOf, AForceThatIsNeverFiniteEndsTheRunAtOnce) {
  Model model = cart(build::function("sqrt(-1-t)"));
  model.solver.integrator = GetParam();
  const RunSummary summary = run(model);
  EXPECT_EQ(summary.status, RunStatus::failed);
  EXPECT_EQ(summary.samples, 0);
  EXPECT_THAT(summary.reason, HasSubstr("at the starting point"));
  EXPECT_THAT(summary.reason, HasSubstr("force.pull.force"));
}

TEST(Run, AnUnassemblableModelIsAnInputErrorAndLeavesTheOldResult) {
  const Folder folder;
  std::ofstream(folder / "run.h5") << "old";
  Model model = build::four_bar(4, 1, 3, 3, 0.5);
  model.joints.back() = build::Element("B0", "revolute").between("ground", "rocker").points({40, 0, 0}, {0, 0, 0});
  try {
    run(model, into(folder / "run.h5"));
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_THAT(error.problems().text(), HasSubstr("B0"));
    EXPECT_THAT(error.problems().text(), HasSubstr("stay open"));
  }
  EXPECT_EQ(std::filesystem::file_size(folder / "run.h5"), 3u);
}

TEST(Run, AFolderThatIsMissingIsAResultError) {
  EXPECT_THROW(run(pendulum(), into("/nowhere/at/all.h5")), ResultError);
}

TEST(Analyses, AKinematicOneFollowsItsDrive) {
  const Folder folder;
  Model model = pendulum();
  model.solver.analysis = Analysis::kinematic;
  model.motions = {build::drive("turn", "pivot", "2*t")};
  const RunSummary summary = run(model, into(folder / "run.h5"));
  EXPECT_EQ(summary.status, RunStatus::complete);
  EXPECT_EQ(summary.samples, 11);
  const auto x = ResultReader(folder / "run.h5").column("body:rod.x");
  for (std::size_t k = 0; k < x.size(); ++k) EXPECT_NEAR(x[k], 0.5 * std::cos(0.2 * static_cast<double>(k)), 1e-12);
}

TEST(Analyses, AStaticOneFindsTheEquilibriumAndItsStability) {
  const Folder folder;
  Model model = pendulum();
  model.solver.analysis = Analysis::statics;
  const RunSummary summary = run(model, into(folder / "run.h5"));
  EXPECT_EQ(summary.status, RunStatus::complete) << summary.reason;
  EXPECT_EQ(summary.verdict, "stable");
  EXPECT_EQ(summary.samples, 1);
  EXPECT_NEAR(ResultReader(folder / "run.h5").column("body:rod.y").front(), -0.5, 1e-8);
}

TEST(Analyses, ALinearOneGivesTheFrequencies) {
  Model model = build::planar_model();
  model.bodies = {build::link("rod", 1, {0, 0}, {0, -1})};
  model.joints = {build::pin("pivot", "ground", "rod", {0, 0})};
  model.solver.analysis = Analysis::linear;
  const RunSummary summary = run(model);
  EXPECT_EQ(summary.status, RunStatus::complete);
  ASSERT_EQ(summary.modes.size(), 1u);
  EXPECT_NEAR(summary.modes[0].frequency, std::sqrt(1.5 * 9.81) / (2 * M_PI), 1e-6);
  EXPECT_TRUE(summary.warnings.empty());
  EXPECT_THAT(to_text(summary), HasSubstr("frequency [Hz]"));

  Model leaning = pendulum();
  leaning.solver.analysis = Analysis::linear;
  EXPECT_THAT(run(leaning).warnings, ElementsAre(HasSubstr("not an equilibrium")));
}

}  // namespace
}  // namespace carom
