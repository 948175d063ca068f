#include <gtest/gtest.h>

#include "impact/contact_solver.h"
#include "impact/problem_solver.h"
#include "random_problems.h"

// What holds for every contact solver of the catalogue.
namespace carom {
namespace {

using random_problems::Scene;

struct Posed {
  ContactProblem problem;
  std::vector<double> guess;
};

template <int D>
Posed assembled(std::mt19937& random, const Scene& scene) {
  const BodyContactProblem<D> bodies = random_problems::random_problem<D>(random, scene);
  std::vector<int> all;
  for (int c = 0; c < scene.contacts; ++c) all.push_back(c);
  Posed posed;
  bodies.assemble(all, posed.problem, posed.guess);
  return posed;
}

std::vector<Posed> many(Scene scene, int count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<Posed> all;
  for (int k = 0; k < count; ++k) {
    scene.contacts = 1 + k % 12;
    scene.bodies = std::min(scene.contacts, 1 + (k / 12) % (scene.contacts / 2 + 1));
    all.push_back(assembled<2>(random, scene));
    all.push_back(assembled<3>(random, scene));
  }
  return all;
}

struct Count {
  int all = 0, solved = 0;
  int both = 0, same = 0;  // with Newton's method: solved by both, with the same velocities
  int silent = 0;          // called solved, and the natural map does not agree
};

Count count_solved(const ContactSolverDescription& type, const std::vector<Posed>& problems) {
  constexpr double tolerance = 1e-9;
  const auto solver = type.make({}), newton = find_contact_solver("direct")->make({});
  Count count;
  for (const Posed& posed : problems) {
    ContactSolution solution, reference;
    solution.impulses = reference.impulses = posed.guess;
    solve(posed.problem, *solver, solution);
    solve(posed.problem, *newton, reference);
    const bool solved = solution.residual.relative < tolerance;
    ++count.all;
    count.solved += solved;
    count.silent += solution.outcome.converged && !solved && solution.residual.velocity > posed.problem.negligible &&
                    solution.residual.relative > 1.1 * solution.outcome.residual;
    if (!solved || !(reference.residual.relative < tolerance)) continue;
    ++count.both;
    double largest = 0;
    for (int k = 0; k < posed.problem.rows; ++k)
      largest = std::max(largest, std::abs(solution.velocities[k] - reference.velocities[k]));
    count.same += largest < 1e-6;
  }
  EXPECT_EQ(count.silent, 0);
  return count;
}

class EverySolver : public testing::TestWithParam<std::string> {
 protected:
  const ContactSolverDescription& type() const { return *find_contact_solver(GetParam()); }
};

TEST_P(EverySolver, AgreesWithoutFriction) {
  const Count count = count_solved(type(), many({}, 96, 1));
  EXPECT_GE(count.solved, 0.97 * count.all);
  EXPECT_EQ(count.same, count.both);
}

TEST_P(EverySolver, AgreesWhereContactsAreRedundant) {
  const Count count = count_solved(type(), many({.friction = 0.5, .redundant = true}, 96, 6));
  EXPECT_GE(count.solved, 0.97 * count.all);
  EXPECT_EQ(count.same, count.both);
}

// With much friction on bodies that turn there may be several solutions, or none: solvers may differ there.
TEST_P(EverySolver, AgreesWithFrictionButForSeveralSolutions) {
  for (const double friction : {0.3, 1.0, 2.0}) {
    const Count count = count_solved(type(), many({.friction = friction}, 96, 2));
    EXPECT_GE(count.solved, 0.88 * count.all) << friction;
    EXPECT_GE(count.same, (friction < 0.5 ? 0.97 : 0.88) * count.both) << friction;
  }
}

TEST_P(EverySolver, AgreesWithRollingAndSpinningResistance) {
  const Count count = count_solved(type(), many({.friction = 0.5, .resistance = 0.05}, 96, 5));
  EXPECT_GE(count.solved, 0.88 * count.all);
  EXPECT_GE(count.same, 0.88 * count.both);
}

TEST_P(EverySolver, AgreesWithRatiosOfMassesToAMillion) {
  const Count count = count_solved(type(), many({.friction = 0.5, .largest_ratio = 1e6}, 48, 7));
  RecordProperty("solved", count.solved);
  EXPECT_GE(count.solved, 0.75 * count.all);
  EXPECT_GE(count.same, 0.88 * count.both);
}

// What is bilateral bears loads of either sign.
TEST_P(EverySolver, HoldsBilateralContacts) {
  std::mt19937 random(11);
  for (int trial = 0; trial < 20; ++trial) {
    Posed posed = assembled<2>(random, {.contacts = 4, .bodies = 2, .friction = 0.3});
    for (double& each : posed.problem.offset) each = std::abs(each);  // all would part
    posed.problem.hold(0);
    ContactSolution solution;
    const auto solver = type().make({});
    solve(posed.problem, *solver, solution);
    ASSERT_TRUE(solution.outcome.converged) << trial;
    EXPECT_NEAR(solution.velocities[0], 0, 1e-8);
    EXPECT_LT(solution.impulses[0], 0);
  }
}

// From a solution as the first guess nothing is left to do.
TEST_P(EverySolver, StaysAtASolution) {
  std::mt19937 random(3);
  for (int trial = 0; trial < 20; ++trial) {
    const Posed posed = assembled<3>(random, {.contacts = 6, .bodies = 3, .friction = 0.3});
    const auto solver = type().make({});
    ContactSolution first;
    solve(posed.problem, *solver, first);
    if (!first.outcome.converged || first.outcome.closed_form) continue;
    ContactSolution again = first;
    solve(posed.problem, *solver, again);
    EXPECT_TRUE(again.outcome.converged) << trial;
    EXPECT_LE(again.outcome.iterations, 2) << trial;
  }
}

// On problems from files: to the tolerance, or an outcome that says so.
TEST_P(EverySolver, SolvesProblemsOfFiles) {
  int solved = 0, all = 0;
  for (const Posed& posed : many({.friction = 0.4}, 24, 8)) {
    const SolvedProblem found = solve_problem(posed.problem, {.solver = GetParam(), .tolerance = 1e-9});
    const bool holds = found.residual.relative <= std::max(1e-9, found.residual.rounding);
    EXPECT_EQ(found.converged, holds);
    ++all, solved += holds;
  }
  EXPECT_GE(solved, 0.97 * all);
}

std::vector<std::string> names() {
  std::vector<std::string> result;
  for (const ContactSolverDescription& each : contact_solver_catalogue()) result.push_back(each.name);
  return result;
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EverySolver, testing::ValuesIn(names()), [](const auto& named) {
  std::string name = named.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(ContactSolvers, AreSortedAndComplete) {
  const auto& all = contact_solver_catalogue();
  EXPECT_TRUE(std::is_sorted(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.name < b.name; }));
  for (const ContactSolverDescription& each : all) {
    EXPECT_FALSE(each.summary.empty()) << each.name;
    EXPECT_GT(each.usual_iterations, 0) << each.name;
    EXPECT_NE(each.make, nullptr) << each.name;
    EXPECT_EQ(find_contact_solver(each.name), &each);
    for (const std::string& alias : each.aliases) EXPECT_EQ(find_contact_solver(alias), &each);
  }
  EXPECT_EQ(find_contact_solver("simplex"), nullptr);
}

// One iteration solves hardly anything; what is left is solved by Newton's method, and counted. Without friction there
// is one motion only.
TEST(StepSolver, HandsOverWhatIsUnsolved) {
  Settings one;
  one.set("contact_iterations", 1.0);
  StepSolver hasty("admm", one), patient("admm", {}), direct("direct", {});
  int compared = 0;
  for (const Posed& posed : many({}, 24, 4)) {
    std::vector<ContactSolution> solutions(3);
    StepSolver* solvers[] = {&hasty, &patient, &direct};
    for (int k = 0; k < 3; ++k) solve(posed.problem, *solvers[k], solutions[k]);
    for (const ContactSolution& each : solutions) {
      ASSERT_TRUE(each.outcome.converged);
      // Newton's method may end with less where that is all it gets.
      if (std::max(each.residual.relative, solutions[2].residual.relative) > 1e-9) continue;
      ++compared;
      for (int k = 0; k < posed.problem.rows; ++k) EXPECT_NEAR(each.velocities[k], solutions[2].velocities[k], 1e-6);
    }
  }
  EXPECT_GE(compared, 0.95 * 3 * 48);
  EXPECT_GT(hasty.handed_over(), 24);
  EXPECT_LT(patient.handed_over(), 4);
  EXPECT_EQ(direct.handed_over(), 0);
}

}  // namespace
}  // namespace carom
