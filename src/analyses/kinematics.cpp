#include "analyses/kinematics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "analyses/close_loops.h"

namespace carom::inline analyses {
namespace {

constexpr double step_turn = 0.25;  // rad, of a body in one step: prediction stays near, and turns are counted
constexpr double wrong_turn = 0.2;  // rad, between prediction and position: the mechanism has closed another way
constexpr int most_halvings = 24;

double largest_angular_velocity(const System& system, const Eigen::VectorXd& v) {
  const Eigen::Index dofs = system.position_size() == system.velocity_size() ? 3 : 6, rotational_dofs = dofs / 2;
  const Eigen::Index count = dofs == 3 ? 1 : rotational_dofs;
  double largest = 0;
  for (Eigen::Index end = dofs; end <= v.size(); end += dofs) {
    largest = std::max(largest, v.segment(end - count, count).norm());
  }
  return largest;
}

}  // namespace

KinematicAnalysis::KinematicAnalysis(System& system, State start)
    : system_(system),
      state_(std::move(start)),
      accelerations_(Eigen::VectorXd::Zero(system.velocity_size())),
      multipliers_(Eigen::VectorXd::Zero(system.constraint_size())),
      powers_(Eigen::VectorXd::Zero(system.work_size())),
      position_rate_(system.position_size()) {}

// Names the rows that have become dependent, or the joints that could not be closed a little later.
std::string KinematicAnalysis::singular_message(const State& at, const State* later) const {
  std::string text =
      fmt::format("singular position at t = {:.6g} s: the drives do not determine the motion there", at.t);
  std::string joints;
  for (const RedundantRow& row : system_.redundant_rows(at.t, at.q.data())) {
    const bool usual = std::any_of(redundant_.begin(), redundant_.end(), [&](const RedundantRow& other) {
      return other.joint == row.joint && other.what == row.what;
    });
    if (!usual) joints += fmt::format("{}{} ({})", joints.empty() ? "" : ", ", row.joint, row.what);
  }
  if (!joints.empty()) return text + "; dependent: " + joints;
  if (!later) return text;
  auto open = system_.residual_by_joint(later->t, later->q.data());
  std::stable_sort(open.begin(), open.end(), [](const auto& a, const auto& b) { return a.residual > b.residual; });
  for (std::size_t k = 0; k < open.size() && k < 3 && open[k].residual > 0.01 * open[0].residual; ++k) {
    joints += fmt::format("{}{} by {:.3g}", joints.empty() ? "" : ", ", open[k].joint, open[k].residual);
  }
  return joints.empty() ? text : fmt::format("{}; at t = {:.6g} s joints stay open: {}", text, later->t, joints);
}

AnalysisOutcome KinematicAnalysis::begin() {
  const Closure closure = close_loops(system_, state_);
  if (!closure.closed)
    return AnalysisOutcome::failure(fmt::format("the mechanism is not assembled: residual {:.3g}", closure.residual));
  redundant_ = system_.redundant_rows(state_.t, state_.q.data());
  const int left = system_.velocity_size() - system_.active_constraints() + static_cast<int>(redundant_.size());
  if (left > 0) {
    return AnalysisOutcome::failure(
        fmt::format("a kinematic analysis needs a drive for every degree of freedom; {} {} not driven", left,
                    left == 1 ? "is" : "are"));
  }
  begun_ = true;
  return solve_velocities(state_);
}

AnalysisOutcome KinematicAnalysis::solve_velocities(State& state) {
  // Repeated once, the projection removes the rounding that the squared condition of G M⁻¹Gᵀ lets through.
  double residual = 0;
  for (int pass = 0; pass < 2; ++pass)
    residual = system_.project_velocity(state.t, state.q.data(), state.v.data()).after;
  const SolveStatus status = system_.rates(state.t, state.q.data(), state.v.data(), position_rate_.data(),
                                           accelerations_.data(), powers_.data());
  const double speed = state.v.size() > 0 ? state.v.cwiseAbs().maxCoeff() : 0;
  if (status == SolveStatus::failed || !(residual <= 1e-8 * std::max(speed, system_.length_scale()))) {
    return AnalysisOutcome::failure(singular_message(state));
  }
  multipliers_ = system_.multipliers(state.t, state.q.data(), state.v.data());
  if (system_.redundant_rows(state.t, state.q.data()).size() > redundant_.size())
    return AnalysisOutcome::failure(singular_message(state));
  system_.accept(state.t, state.q.data(), state.v.data());
  return {};
}

// Positions in steps small enough for the predicted position to be near.
AnalysisOutcome KinematicAnalysis::step_to(double t) {
  Eigen::VectorXd increment(system_.velocity_size()), correction(system_.velocity_size());
  int halvings = 0;
  double step = t - state_.t;
  std::optional<State> open;
  while (state_.t < t) {
    const double angular_velocity = largest_angular_velocity(system_, state_.v);
    step = std::min({step, t - state_.t, angular_velocity > 0 ? step_turn / angular_velocity : step});
    const bool last = step >= t - state_.t;
    State next = state_;
    next.t = last ? t : state_.t + step;
    if (next.t <= state_.t || halvings > most_halvings) {
      return AnalysisOutcome::failure(singular_message(state_, open ? &*open : nullptr));
    }
    increment = step * state_.v + (0.5 * step * step) * accelerations_;
    // Near a singular position accelerations grow without bound; the velocity alone then predicts better.
    if (increment.cwiseAbs().maxCoeff() > 2 * step * state_.v.cwiseAbs().maxCoeff()) increment = step * state_.v;
    system_.retract(state_.q.data(), increment.data(), next.q.data());
    system_.normalise(next.q.data());
    const Eigen::VectorXd predicted = next.q;
    const Closure closure = close_loops(system_, next);
    system_.increment(predicted.data(), next.q.data(), correction.data());
    next.v = state_.v + step * accelerations_;
    if (!closure.closed || largest_angular_velocity(system_, correction) > wrong_turn || !next.q.allFinite()) {
      step *= 0.5;
      ++halvings;
      if (!open && !closure.closed) open = std::move(next);
      system_.accept(state_.t, state_.q.data(), state_.v.data());
      continue;
    }
    const AnalysisOutcome outcome = solve_velocities(next);
    if (!outcome) return outcome;
    state_ = std::move(next);
    halvings = std::max(0, halvings - 1);
    if (halvings == 0) open.reset();
    step *= 2;
  }
  return {};
}

// The work of the drives and of the lossy elements over one step, by Gauss quadrature of their power.
AnalysisOutcome KinematicAnalysis::step_with_work(double t) {
  static const double root = std::sqrt(0.6);
  const std::array<double, 3> nodes = {0.5 * (1 - root), 0.5, 0.5 * (1 + root)},
                              weights = {5.0 / 18, 8.0 / 18, 5.0 / 18};
  const double start = state_.t, step = t - start;
  Eigen::VectorXd work = state_.work;
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    const AnalysisOutcome outcome = step_to(start + nodes[k] * step);
    if (!outcome) return outcome;
    work += weights[k] * step * powers_;
  }
  const AnalysisOutcome outcome = step_to(t);
  if (outcome) state_.work = work;
  return outcome;
}

AnalysisOutcome KinematicAnalysis::advance(double t) {
  if (!begun_) {
    const AnalysisOutcome outcome = begin();
    if (!outcome) return outcome;
  }
  if (t <= state_.t) return {};
  return system_.work_size() > 0 ? step_with_work(t) : step_to(t);
}

}  // namespace carom::inline analyses
