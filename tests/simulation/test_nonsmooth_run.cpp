#include <numeric>
#include <random>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "../support/falling_ball.h"
#include "model_io/read_model.h"
#include "run_scene.h"

// Runs with contact by impulses: what is recorded, and what is refused.
namespace carom {
namespace {

using scene::Folder;
using scene::into;

Model falling_ball(const std::string& solver, const std::string& height = "0.6") {
  const build::FallingBall ball{.planar = false,
                                .height = height,
                                .contact = "restitution = 0.5\nstiffness = 1e9\nfriction = 0.2",
                                .solver = "end = 1.5\n" + solver};
  ProblemList problems;
  Model model = read_model_text(ball.text(), "ball.toml", problems);
  EXPECT_EQ(problems.errors(), 0u) << problems.text();
  return model;
}

double sum(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

TEST(NonsmoothRun, RecordsEveryImpulse) {
  const Folder folder;
  const RunSummary summary =
      run(falling_ball("method = \"nonsmooth\"\nstep = 1e-3\n[output]\nevery = 0.05"), into(folder / "ball.h5"));
  ASSERT_EQ(summary.status, RunStatus::complete) << summary.reason;
  const ResultReader result(folder / "ball.h5");
  // Momentum: the ball ends at rest, so that impulses have taken up all of its weight.
  EXPECT_EQ(result.column("body:ball.vz").back(), 0);
  EXPECT_NEAR(sum(result.column("contact:bounce.normal_impulse")), 2 * 10 * 1.5, 1e-9);
  EXPECT_NEAR(sum(result.column("contact:bounce.iz")), 2 * 10 * 1.5, 1e-9);
  EXPECT_NEAR(result.column("contact:bounce.closed_force").back(), 20, 1e-9);
  EXPECT_EQ(result.component("contact:bounce.normal_impulse").unit, "N s");
  // Speeds 3.16, 1.58, …: each half of the last.
  const auto events = result.events();
  ASSERT_GE(events.size(), 4u);
  EXPECT_EQ(events[0].kind, "impact");
  EXPECT_NEAR(events[0].values[0], std::sqrt(10.0), 0.02);
  EXPECT_NEAR(events[0].values[1] / events[0].values[0], 0.5, 1e-9);
  EXPECT_NEAR(events[1].values[0] / events[0].values[1], 1, 0.02);
  EXPECT_LE(summary.energy.largest_residual, 1e-10);
  EXPECT_LE(summary.nonsmooth->energy_gain, 0);
  // Samples are where they were asked for.
  EXPECT_EQ(result.sample_count(), 31u);
  EXPECT_NEAR(result.times()[7], 0.35, 1e-12);
}

TEST(NonsmoothRun, TellsTheSameAsForcesDo) {
  const Folder folder;
  const RunSummary hard = run(falling_ball("method = \"nonsmooth\"\nstep = 1e-4"), into(folder / "hard.h5"));
  const RunSummary soft = run(falling_ball("integrator = \"rk\""), into(folder / "soft.h5"));
  ASSERT_EQ(hard.status, RunStatus::complete) << hard.reason;
  ASSERT_EQ(soft.status, RunStatus::complete) << soft.reason;
  EXPECT_NEAR(hard.energy.at_end.dissipated, soft.energy.at_end.dissipated, 0.01 * soft.energy.at_end.dissipated);
  const ResultReader a(folder / "hard.h5"), b(folder / "soft.h5");
  const auto at = [](const ResultReader& result) {
    return result.column("body:ball.z")[400];
  };  // 0.6 s, after a bounce
  EXPECT_NEAR(at(a), at(b), 2e-3);
}

TEST(NonsmoothRun, RefusesBodiesThatOverlapAtTheStart) {
  try {
    run(falling_ball("method = \"nonsmooth\"", "0.09"));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::AllOf(testing::HasSubstr("contact:bounce"), testing::HasSubstr("0.01 m deep"),
                                             testing::HasSubstr("allow_initial_penetration")));
  }
}

// Numbers that overflow: a status with its reason, and no sample.
TEST(NonsmoothRun, FailsWhereTheStartCannotBeSolved) {
  Model model = scene::pendulum();
  model.solver.method = ContactMethod::nonsmooth;
  model.solver.step = 1e-3;
  model.bodies[0].mass = 1e308;
  model.bodies[0].inertia *= 1e308;
  model.bodies[0].angular_velocity = {0, 0, 1e10};
  const Folder folder;
  const RunSummary summary = run(model, into(folder / "run.h5"));
  EXPECT_EQ(summary.status, RunStatus::failed);
  EXPECT_THAT(summary.reason, testing::HasSubstr("cannot be solved at the starting point"));
  EXPECT_EQ(ResultReader(folder / "run.h5").sample_count(), 0u);
}

TEST(NonsmoothRun, ChoosesAStepWhereNoneIsGiven) {
  const RunSummary summary = run(falling_ball("method = \"nonsmooth\""));
  EXPECT_EQ(summary.status, RunStatus::complete);
  EXPECT_NEAR(summary.statistics.largest_step, 1e-3, 5e-4);
}

// A bob on a loose ball joint that swings a hundred clearances far in one step: it stays in its cavity, and moves as on
// an ideal joint, but for the clearance.
TEST(NonsmoothRun, TakesStepsFarLongerThanAClearance) {
  const auto pendulum = [](const std::string& joint, const std::string& solver) {
    ProblemList problems;
    Model model = read_model_text(R"(
[model]
gravity = [0, 0, -9.81]
[[body]]
name = "bob"
mass = 2
inertia = [0.02, 0.03, 0.01]
position = [0.5, 0, 0]
velocity = [0, 1, 0]
angular_velocity = [0, 0, 2]
[[joint]]
name = "ball"
type = "spherical"
bodies = ["ground", "bob"]
at = [0, 0, 0]
)" + joint + "[solver]\nend = 0.6\n" + solver +
                                      "[output]\nevery = 0.06\n",
                                  "pendulum.toml", problems);
    EXPECT_EQ(problems.errors(), 0u) << problems.text();
    return model;
  };
  const Folder folder;
  const std::string loose =
      "[joint.clearance]\ndiametric = 1e-4\nbearing_diameter = 0.02\ncontact = \"bare\"\n"
      "[contact.bare]\nrestitution = 0\nfriction = 0\n";
  const RunSummary ideal = run(pendulum("", "tolerance = 1e-9\n"), into(folder / "ideal.h5"));
  ASSERT_EQ(ideal.status, RunStatus::complete) << ideal.reason;
  const ResultReader expected(folder / "ideal.h5");
  const auto error = [&](double step) {
    const auto path = folder / fmt::format("{}.h5", step);
    const RunSummary summary =
        run(pendulum(loose, fmt::format("method = \"nonsmooth\"\nstep = {}\n", step)), into(path));
    EXPECT_EQ(summary.status, RunStatus::complete) << summary.reason;
    EXPECT_EQ(summary.nonsmooth->halved_steps, 0);
    EXPECT_LE(summary.nonsmooth->position.most, 12);
    const ResultReader found(path);
    for (const double eccentricity : found.column("joint:ball.eccentricity")) {
      EXPECT_LE(eccentricity, 5e-5 * (1 + 1e-8));
    }
    double largest = 0;
    for (const char* name : {"body:bob.x", "body:bob.y", "body:bob.z"}) {
      const auto x = found.column(name), y = expected.column(name);
      for (std::size_t k = 0; k < x.size(); ++k) largest = std::max(largest, std::abs(x[k] - y[k]));
    }
    return largest;
  };
  // Of 1.5 m, with order one: contacts push at the end of a step.
  const double coarse = error(2e-3), fine = error(5e-4);
  EXPECT_LE(coarse, 0.01);
  EXPECT_LE(fine, 0.3 * coarse);
}

Model journal(const std::string& offset, const std::string& solver) {
  ProblemList problems;
  Model model = read_model_text(
      "[model]\nplane = \"xy\"\n[contact.dry]\nrestitution = 0.5\nstiffness = 1e9\nfriction = 0\n"
      "[[body]]\nname = \"a\"\nmass = 1\ninertia = 1\nmarker = [{ name = \"m\", position = [0.1, 0] }]\n"
      "[[body]]\nname = \"b\"\nmass = 1\ninertia = 1\nposition = [" +
          offset +
          ", 0]\nmarker = [{ name = \"m\", position = [0, 0] }]\n"
          "[[joint]]\nname = \"pin\"\ntype = \"revolute\"\nmarkers = [\"a.m\", \"b.m\"]\n"
          "[joint.clearance]\nradial = 1e-4\nbearing_radius = 0.01\ncontact = \"dry\"\n[solver]\nend = 1e-3\n" +
          solver,
      "journal.toml", problems);
  EXPECT_EQ(problems.errors(), 0u) << problems.text();
  return model;
}

// A journal starts where the file puts it, if that is inside its bearing.
TEST(NonsmoothRun, StartsAnywhereInThePlay) {
  for (const char* method : {"method = \"nonsmooth\"\nstep = 1e-4", ""}) {
    for (const auto& [offset, eccentricity] : {std::pair("0.10005", 5e-5), {"0.1001", 1e-4}, {"0.103", 0.0}}) {
      const Folder folder;
      const RunSummary summary = run(journal(offset, method), into(folder / "journal.h5"));
      ASSERT_EQ(summary.status, RunStatus::complete) << summary.reason;
      const ResultReader result(folder / "journal.h5");
      EXPECT_NEAR(result.column("joint:pin.eccentricity").front(), eccentricity, 1e-12) << offset << method;
    }
  }
}

// Times of samples are multiples of their interval however many steps lie between.
TEST(NonsmoothRun, CountsSteps) {
  const Folder folder;
  const RunSummary summary = run(
      falling_ball("method = \"nonsmooth\"\nstep = 3e-6\n[output]\nevery = 0.003\nrecord = [\"body:ball.z\"]", "20"),
      into(folder / "ball.h5"));
  ASSERT_EQ(summary.status, RunStatus::complete) << summary.reason;
  const auto times = ResultReader(folder / "ball.h5").times();
  ASSERT_EQ(times.size(), 501u);
  for (std::size_t k = 0; k < times.size(); ++k) ASSERT_NEAR(times[k], 0.003 * static_cast<double>(k), 1e-12);
}

// Columns of boxes beside each other, their lowest faces so high above the floor.
RecordedRun run_wall(int columns, int rows, double height, double end) {
  const std::string text = fmt::format(R"(
[model]
gravity = [0, 0, -9.81]
[ground]
geometry = [{{ shape = "plane" }}]
[[body]]
name = "brick"
mass = 4
inertia = [0.00666667, 0.01666667, 0.01666667]
position = [-2.4, 0, {}]
geometry = [{{ shape = "box", size = [0.2, 0.1, 0.1] }}]
[body.grid]
count = [{}, 1, {}]
spacing = [0.2001, 1, 0.1]
[contact.dry]
friction = 0.5
restitution = 0
[[pair]]
name = "bricks"
bodies = ["brick*", "brick*"]
contact = "dry"
[[pair]]
name = "floor"
bodies = ["brick*", "ground"]
contact = "dry"
[solver]
method = "nonsmooth"
end = {}
step = 1e-3
[output]
every = 1e-3
record = ["energy"]
)",
                                       0.05 + height, columns, rows, end);
  ProblemList problems;
  const Model model = read_model_text(text, "wall.toml", problems);
  EXPECT_EQ(problems.errors(), 0u) << problems.text();
  RecordedRun recorded;
  RunOptions options;
  options.memory = &recorded;
  const RunSummary summary = run(model, options);
  EXPECT_EQ(summary.status, RunStatus::complete) << summary.reason;
  return recorded;
}

// More than a thousand contact points, that hang together in columns only.
TEST(NonsmoothRun, AWallRestsHoweverManyBoxesItHas) {
  const RecordedRun recorded = run_wall(26, 10, 0, 0.005);
  for (const double kinetic : recorded.column("energy.kinetic")) EXPECT_LT(kinetic, 1e-20);
}

// Impulses must reach the top of a column, or it sinks into the corrections, which would lift it step after step.
TEST(NonsmoothRun, AFallenWallGetsNoEnergyFromItsContacts) {
  const RecordedRun recorded = run_wall(5, 20, 0.005, 0.07);
  const std::vector<double> total = recorded.column("energy.total"), kinetic = recorded.column("energy.kinetic");
  double least = total.front(), rise = 0;
  for (const double energy : total) least = std::min(least, energy), rise = std::max(rise, energy - least);
  const double fall = 100 * 4 * 9.81 * 0.005;  // J
  EXPECT_LT(rise, 0.005 * fall);
  EXPECT_LT(kinetic.back(), 1e-3 * fall);
}

// Boxes and balls in a heap, or boxes in columns, that fall upon each other, solved as coarsely as may be asked for.
std::string random_heap(std::mt19937& random) {
  const auto uniform = [&](double from, double to) { return std::uniform_real_distribution<double>(from, to)(random); };
  const bool columns = uniform(0, 1) < 0.5;
  const double disorder = columns ? 0 : 1, apart = columns ? 0.0901 : 0.15, high = columns ? 0.08 : 0.15;
  std::string bodies;
  for (int k = 0; k < 24; ++k) {
    bodies += fmt::format(R"(
[[body]]
name = "part{}"
density = {}
position = [{}, {}, {}]
orientation = {{ axis = [{}, {}, 1], angle = {} }}
velocity = [{}, {}, {}]
geometry = [{}]
)",
                          k, std::pow(10, uniform(2, 4)), apart * (k % 2) + 0.01 * disorder * uniform(-1, 1),
                          apart * (k / 2 % 2) + 0.01 * disorder * uniform(-1, 1), 0.05 + high * (k / 4 + disorder),
                          uniform(-1, 1), uniform(-1, 1), disorder * uniform(-0.3, 0.3), disorder * uniform(-1, 1),
                          disorder * uniform(-1, 1), -1 - 0.2 * disorder * k,
                          !columns && k % 3 == 0 ? R"({ shape = "sphere", radius = 0.045 })"
                                                 : R"({ shape = "box", size = [0.09, 0.09, 0.08] })");
  }
  return fmt::format(R"(
[model]
gravity = [0, 0, -9.81]
[ground]
geometry = [{{ shape = "plane" }}]
{}
[contact.any]
friction = {}
restitution = {}
[[pair]]
name = "parts"
bodies = ["*", "*"]
contact = "any"
[[pair]]
name = "floor"
bodies = ["*", "ground"]
contact = "any"
[solver]
method = "nonsmooth"
end = 0.03
step = {}
contact_tolerance = {}
contact_solver = "iterative"
)",
                     bodies, uniform(0, 1), uniform(0, 1) < 0.6 ? 0 : uniform(0, 1), std::pow(10, uniform(-3.3, -2.6)),
                     std::pow(10, uniform(0, 2)));
}

TEST(NonsmoothRun, NoImpactOfAHeapGainsEnergy) {
  std::mt19937 random(5);
  for (int k = 0; k < 16; ++k) {
    const std::string text = random_heap(random);
    ProblemList problems;
    const Model model = read_model_text(text, "heap.toml", problems);
    ASSERT_EQ(problems.errors(), 0u) << problems.text();
    RecordedRun recorded;
    RunOptions options;
    options.memory = &recorded;
    const RunSummary summary = run(model, options);
    ASSERT_TRUE(summary.nonsmooth) << summary.reason;
    EXPECT_LE(summary.nonsmooth->energy_gain, 1e-12 * summary.energy.largest) << text;
  }
}

}  // namespace
}  // namespace carom
