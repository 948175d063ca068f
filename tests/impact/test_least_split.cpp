#include "impact/least_split.h"

#include <gtest/gtest.h>

#include "impact/body_contact_problem.h"
#include "impact/gauss_seidel_solver.h"
#include "impact/impulse_solver.h"

namespace carom {
namespace {

BodyContact<3> corner(double x, double y, double friction) {
  BodyContact<3> contact;
  contact.a = 0, contact.b = 1;
  contact.normal = Eigen::Vector3d::UnitZ(), contact.tangent = Eigen::Vector3d::UnitX();
  contact.lever_a.setZero(), contact.lever_b = {x, y, -0.5};
  contact.offset.setZero(), contact.impulse.setZero();
  contact.friction = friction;
  return contact;
}

// A cube of 1 kg that falls on the ground with its corners, and with the middles of its edges.
ContactProblem box_on_plane(const std::vector<Eigen::Vector2d>& points, double friction, double slip) {
  BodyContactProblem<3> problem;
  problem.bodies.resize(2);
  problem.bodies[1].inverse_mass = 1;
  problem.bodies[1].inverse_inertia = 6 * Eigen::Matrix3d::Identity();
  problem.bodies[1].velocity = {slip, 0, -1};
  std::vector<int> chosen;
  for (const Eigen::Vector2d& point : points) {
    BodyContact<3> contact = corner(point.x(), point.y(), friction);
    problem.set_weights(contact);
    chosen.push_back(static_cast<int>(problem.contacts.size()));
    problem.contacts.push_back(contact);
  }
  ContactProblem assembled;
  std::vector<double> impulses;
  problem.assemble(chosen, assembled, impulses);
  return assembled;
}

ContactSolution least(const ContactProblem& problem, ContactSolver& solver, const std::vector<double>& guess) {
  ContactSolution solution;
  solution.impulses = guess;
  solve(problem, solver, solution);
  EXPECT_TRUE(solution.outcome.converged);
  EXPECT_TRUE(LeastSplit().apply(problem, solution));
  EXPECT_LT(solution.residual.relative, 1e-9);
  return solution;
}

TEST(LeastSplit, SharesTheLoadOfABoxByItsCorners) {
  const ContactProblem problem = box_on_plane({{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}}, 0.4, 0);
  ImpulseSolver newton;
  std::vector<double> askew(problem.rows, 0.0);
  askew[0] = 0.5, askew[6] = 0.5;  // two of them carry all
  for (const std::vector<double>& guess : {std::vector<double>(problem.rows, 0.0), askew}) {
    const ContactSolution solution = least(problem, newton, guess);
    for (const ProblemContact& contact : problem.contacts)
      EXPECT_NEAR(solution.impulses[contact.row], 0.25, 1e-3 * 0.25);
  }
}

// Whatever solver and first guess.
TEST(LeastSplit, IsTheSameForBothSolvers) {
  for (const double slip : {0.0, 0.1, 2.0}) {
    const ContactProblem problem =
        box_on_plane({{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}, {0, -0.5}, {0.2, 0.5}}, 0.4, slip);
    ImpulseSolver newton;
    GaussSeidelSolver gauss_seidel_iterations;
    gauss_seidel_iterations.most_iterations = 200000;
    const ContactSolution one = least(problem, newton, {}), other = least(problem, gauss_seidel_iterations, {});
    double sum = 0, sum_other = 0;
    for (int i = 0; i < problem.rows; ++i) {
      EXPECT_NEAR(one.impulses[i], other.impulses[i], 1e-3 * 0.25) << slip << " row " << i;
      EXPECT_NEAR(one.velocities[i], other.velocities[i], 1e-6) << slip << " row " << i;
    }
    for (const ProblemContact& contact : problem.contacts)
      sum += one.impulses[contact.row], sum_other += other.impulses[contact.row];
    EXPECT_NEAR(sum, sum_other, 1e-6);
  }
}

// Two driven jaws hold a box in the plane between them, each with two points: friction carries its weight, half each.
TEST(LeastSplit, SharesTheLoadOfAGripper) {
  BodyContactProblem<2> problem;
  problem.bodies.resize(4);
  for (const int b : {1, 2, 3}) {
    problem.bodies[b].inverse_mass = 1;
    problem.bodies[b].inverse_inertia(0, 0) = b == 1 ? 6 : 0;
  }
  problem.bodies[1].velocity = {0, -0.1};
  problem.bodies[2].velocity = {1, 0}, problem.bodies[3].velocity = {-1, 0};
  std::vector<int> chosen;
  for (int c = 0; c < 4; ++c) {
    const double side = c < 2 ? -1 : 1, height = c % 2 == 0 ? -0.25 : 0.25;
    BodyContact<2> contact;
    contact.a = c < 2 ? 2 : 3, contact.b = 1;
    contact.normal = {-side, 0}, contact.tangent = {0, 1};
    contact.lever_b = {0.5 * side, height}, contact.lever_a = {-0.5 * side, height};
    contact.offset.setZero(), contact.impulse.setZero();
    contact.friction = 0.5;
    problem.set_weights(contact);
    problem.contacts.push_back(contact);
    chosen.push_back(c);
  }
  ContactProblem assembled;
  std::vector<double> guess;
  problem.assemble(chosen, assembled, guess);
  ImpulseSolver newton;
  const ContactSolution solution = least(assembled, newton, guess);
  for (const ProblemContact& contact : assembled.contacts) {
    EXPECT_NEAR(solution.impulses[contact.row], solution.impulses[0], 1e-3 * solution.impulses[0]);
    EXPECT_NEAR(solution.impulses[contact.row + 1], solution.impulses[1], 1e-3 * solution.impulses[1]);
    EXPECT_NEAR(solution.velocities[contact.row + 1], 0, 1e-8);
  }
}

TEST(LeastSplit, LeavesAloneWhatIsNotRedundant) {
  const ContactProblem problem = box_on_plane({{-0.5, -0.5}, {0.5, -0.5}, {0, 0.5}}, 0, 0);
  ImpulseSolver newton;
  ContactSolution solution;
  solve(problem, newton, solution);
  EXPECT_FALSE(LeastSplit().apply(problem, solution));
}

}  // namespace
}  // namespace carom
