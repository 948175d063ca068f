#include "analyses/consistent_velocity.h"

#include <cmath>

#include <fmt/format.h>
#include <Eigen/QR>
#include <Eigen/SparseCholesky>

#include "analyses/reduced_space.h"
#include "math/kkt_solver.h"

namespace carom::inline analyses {
namespace {

constexpr int dense_velocity_limit = 600;  // degrees of freedom

// What the file asks for, in the degrees of freedom of the system. Velocities are given in world axes, angular
// velocities in space are counted in body axes, and assembly has turned the bodies.
struct Wish {
  Eigen::VectorXd velocity;
  std::vector<bool> given;

  Wish(const Model& model, const State& state, int size) : velocity(Eigen::VectorXd::Zero(size)), given(size, false) {
    const int axes = model.planar ? 2 : 3, dofs = model.planar ? 3 : 6;
    for (int b = 0; b < static_cast<int>(model.bodies.size()); ++b) {
      const BodyModel& body = model.bodies[b];
      // Models made by a program may leave out the flags; a velocity that is not zero is meant.
      if (body.velocity_given || !body.velocity.isZero(0)) {
        velocity.segment(dofs * b, axes) = body.velocity.head(axes);
        for (int k = 0; k < axes; ++k) given[dofs * b + k] = true;
      }
      if (!body.angular_velocity_given && body.angular_velocity.isZero(0)) continue;
      if (model.planar) {
        velocity[3 * b + 2] = body.angular_velocity.z();
      } else {
        const Eigen::Quaterniond turn(state.q[7 * b + 3], state.q[7 * b + 4], state.q[7 * b + 5], state.q[7 * b + 6]);
        velocity.segment<3>(6 * b + 3) = turn.normalized().conjugate() * body.angular_velocity;
      }
      for (int k = axes; k < dofs; ++k) given[dofs * b + k] = true;
    }
  }
};

// All consistent velocities are v₀ + B y, with v₀ that of least energy and B orthonormal in the metric of the masses:
// the shortest y among those nearest to the wish is what is wanted.
Eigen::VectorXd nearest_dense(System& system, const State& state, const Wish& wish, const Eigen::VectorXd& time_rate) {
  const ReducedSpace space(system, state.t, state.q.data());
  Eigen::VectorXd v = space.particular(-time_rate);
  std::vector<Eigen::Index> rows;
  for (std::size_t k = 0; k < wish.given.size(); ++k) {
    if (wish.given[k]) rows.push_back(static_cast<Eigen::Index>(k));
  }
  if (rows.empty() || space.dofs() == 0) return v;
  // Deviations count with the mass, which makes metres and radians comparable.
  const Eigen::VectorXd weight = system.mass().diagonal().cwiseSqrt();
  Eigen::MatrixXd effect(rows.size(), space.dofs());
  Eigen::VectorXd wanted(rows.size());
  for (Eigen::Index k = 0; k < wanted.size(); ++k) {
    const Eigen::Index row = rows[static_cast<std::size_t>(k)];
    effect.row(k) = weight[row] * space.basis().row(row);
    wanted[k] = weight[row] * (wish.velocity[row] - v[row]);
  }
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition;
  decomposition.setThreshold(ReducedSpace::dependence);
  decomposition.compute(effect);
  v += space.basis() * decomposition.solve(wanted);
  return v;
}

// For many bodies: projection in a metric in which what is not given weighs little, repeated from its own result until
// what is given does not change any more.
Eigen::VectorXd nearest_sparse(System& system, const State& state, const Wish& wish, const Eigen::VectorXd& time_rate) {
  constexpr double lightness = 1e-5;
  const Eigen::SparseMatrix<double> jacobian = system.constraint_jacobian(state.t, state.q.data());
  const Eigen::VectorXd mass = system.mass().diagonal();
  Eigen::VectorXd ease(mass.size());
  for (Eigen::Index k = 0; k < mass.size(); ++k)
    ease[k] = 1 / (wish.given[static_cast<std::size_t>(k)] ? mass[k] : lightness * mass[k]);
  const Eigen::SparseMatrix<double> eased = ease.asDiagonal() * Eigen::SparseMatrix<double>(jacobian.transpose());
  Eigen::SparseMatrix<double> schur = jacobian * eased;
  // Redundant and spare rows leave the matrix singular; a trace of stiffness picks one solution, repetition removes it.
  const Eigen::VectorXd diagonal = schur.diagonal();
  const double floor = 1e-9 * std::max(diagonal.size() > 0 ? diagonal.maxCoeff() : 0.0, 1e-300);
  for (Eigen::Index k = 0; k < diagonal.size(); ++k) schur.coeffRef(k, k) += std::max(1e-9 * diagonal[k], floor);
  const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factor(schur);
  const auto project = [&](Eigen::VectorXd& v) {
    for (int k = 0; k < 4; ++k) v -= eased * factor.solve(Eigen::VectorXd(jacobian * v + time_rate));
  };
  Eigen::VectorXd v = wish.velocity;
  for (int pass = 0; pass < 6; ++pass) {
    for (Eigen::Index k = 0; k < v.size(); ++k) {
      if (wish.given[static_cast<std::size_t>(k)]) v[k] = wish.velocity[k];
    }
    project(v);
  }
  return v;
}

// Beams start as if they were rigid: of the velocities that are not given those count as the best that bend them least,
//   min ½ (v − w)ᵀ M (v − w) + ½ τ² vᵀ K v,   G v + g_t = 0,
// with given velocities w in a much heavier metric. τ is as long as rounding allows: rigid motions, for which K v
// vanishes, must still be told apart by their masses.
Eigen::VectorXd nearest_unbent(System& system, const State& state, const Wish& wish, const Eigen::VectorXd& time_rate) {
  constexpr double heaviness = 1e3, stiffness_over_mass = 1e9;
  constexpr int refinements = 4;
  const Eigen::Index n = wish.velocity.size(), rows = time_rate.size();
  const Eigen::VectorXd rest = Eigen::VectorXd::Zero(n), no_force = Eigen::VectorXd::Zero(rows);
  Eigen::SparseMatrix<double> stiffness, damping, mass = system.mass();
  system.tangents(state.t, state.q.data(), rest.data(), no_force, stiffness, damping);
  const double fastest = stiffness.diagonal().cwiseQuotient(mass.diagonal()).maxCoeff();
  Eigen::VectorXd weight(n);
  for (Eigen::Index k = 0; k < n; ++k) weight[k] = wish.given[static_cast<std::size_t>(k)] ? heaviness : 1;
  mass = weight.asDiagonal() * mass * weight.asDiagonal();
  const double factor = fastest > 0 ? stiffness_over_mass / fastest : 0;
  const Eigen::SparseMatrix<double>& jacobian = system.constraint_jacobian(state.t, state.q.data());
  KktSolver solver;
  Eigen::VectorXd solution = Eigen::VectorXd::Zero(n + rows), rest_of(n + rows);
  if (!solver.factor({.mass = 1, .damping = 0, .stiffness = factor}, mass, damping, stiffness, jacobian))
    return wish.velocity;
  for (int pass = 0; pass < refinements; ++pass) {
    rest_of.head(n) = mass * (wish.velocity - solution.head(n)) - factor * (stiffness * solution.head(n)) -
                      jacobian.transpose() * solution.tail(rows);
    rest_of.tail(rows) = -time_rate - jacobian * solution.head(n);
    solver.solve(rest_of);
    solution += rest_of;
  }
  return solution.head(n);
}

std::string describe_changes(const Model& model, const Wish& wish, const Eigen::VectorXd& v, double& largest) {
  const int axes = model.planar ? 2 : 3, dofs = model.planar ? 3 : 6;
  const double scale = wish.velocity.size() > 0 ? wish.velocity.cwiseAbs().maxCoeff() : 0;
  std::string text;
  for (int b = 0; b < static_cast<int>(model.bodies.size()); ++b) {
    const auto change = [&](int first, int count, const char* what, const char* unit) {
      if (!wish.given[static_cast<std::size_t>(dofs * b + first)]) return;
      const double size = (v - wish.velocity).segment(dofs * b + first, count).norm();
      largest = std::max(largest, (v - wish.velocity).segment(dofs * b + first, count).cwiseAbs().maxCoeff());
      if (!(size > 1e-9 * std::max(scale, v.cwiseAbs().maxCoeff()))) return;
      text +=
          fmt::format("{}body {}: {} by {:.3g} {}", text.empty() ? "" : "; ", model.bodies[b].name, what, size, unit);
    };
    change(0, axes, "velocity", "m/s");
    change(axes, dofs - axes, "angular velocity", "rad/s");
  }
  if (text.empty()) return text;
  return "given velocities contradict the constraints and were changed: " + text;
}

}  // namespace

VelocityReport find_consistent_velocity(System& system, const Model& model, State& state) {
  VelocityReport report;
  const int size = system.velocity_size();
  if (size == 0) return report;
  const Wish wish(model, state, size);
  Eigen::VectorXd residual;
  if (system.constraint_size() == 0) {
    state.v = wish.velocity;
    return report;
  }
  const Eigen::VectorXd rest = Eigen::VectorXd::Zero(size);
  Eigen::VectorXd time_rate;
  system.velocity_residual(state.t, state.q.data(), rest.data(), time_rate);
  if (!model.beams.empty()) {
    state.v = nearest_unbent(system, state, wish, time_rate);
  } else {
    state.v = size <= dense_velocity_limit ? nearest_dense(system, state, wish, time_rate)
                                           : nearest_sparse(system, state, wish, time_rate);
  }
  report.residual = system.project_velocity(state.t, state.q.data(), state.v.data()).after;
  report.warning = describe_changes(model, wish, state.v, report.change);
  return report;
}

}  // namespace carom::inline analyses
