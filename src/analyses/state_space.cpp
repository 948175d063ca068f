#include "analyses/state_space.h"

#include <algorithm>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include "analyses/linearisation.h"

namespace carom::inline analyses {
namespace {

constexpr double way = 1e-6;             // of the length of the model, by which bodies are moved
constexpr double share_of_state = 1e-5;  // by which internal states are changed, at least that of 0.01

class Linearising {
 public:
  Linearising(System& system, const State& state, const Linearisation& motion, const std::vector<int>& inputs,
              const std::vector<int>& outputs)
      : system_(system), state_(state), motion_(motion), outputs_(outputs), dofs_(motion.basis.cols()) {
    for (const int signal : inputs) inputs_.push_back(system.signals()->state_of(signal));
    for (int k = 0; k < static_cast<int>(state.internal.size()); ++k) {
      if (std::find(inputs_.begin(), inputs_.end(), k) == inputs_.end()) kept_.push_back(k);
    }
  }

  StateSpace make() {
    const auto states = 2 * dofs_ + static_cast<Eigen::Index>(kept_.size()),
               ny = static_cast<Eigen::Index>(outputs_.size()), nu = static_cast<Eigen::Index>(inputs_.size());
    StateSpace result;
    result.a.setZero(states, states), result.b.setZero(states, nu);
    result.c.setZero(ny, states), result.d.setZero(ny, nu);
    result.a.block(0, dofs_, dofs_, dofs_).setIdentity();
    result.a.block(dofs_, 0, dofs_, dofs_) = -motion_.stiffness;
    result.a.block(dofs_, dofs_, dofs_, dofs_) = -motion_.damping;
    for (Eigen::Index k = 0; k < dofs_; ++k) add_motion(k, result);
    for (std::size_t k = 0; k < kept_.size(); ++k)
      add_internal(kept_[k], result.a, result.c, 2 * dofs_ + static_cast<Eigen::Index>(k));
    for (std::size_t k = 0; k < inputs_.size(); ++k)
      add_internal(inputs_[k], result.b, result.d, static_cast<Eigen::Index>(k));
    system_.set_internal(state_.internal.data());
    return result;
  }

 private:
  // Rates of internal states, then outputs.
  Eigen::VectorXd seen(const State& state) {
    const Eigen::Index internal = state.internal.size();
    Eigen::VectorXd all(internal + static_cast<Eigen::Index>(outputs_.size()));
    system_.set_internal(state.internal.data());
    system_.internal_rates(state.t, state.q.data(), state.v.data(), all.data());
    for (std::size_t k = 0; k < outputs_.size(); ++k)
      all[internal + static_cast<Eigen::Index>(k)] = system_.signals()->signal_at(state, outputs_[k]);
    return all;
  }
  Eigen::VectorXd loads(const State& state) {
    Eigen::VectorXd f;
    system_.set_internal(state.internal.data());
    system_.loads(state.t, state.q.data(), state.v.data(), f);
    return f;
  }
  void put(const State& ahead, const State& back, double step, Eigen::MatrixXd& rows, Eigen::MatrixXd& out,
           Eigen::Index column) {
    const Eigen::VectorXd slope = (seen(ahead) - seen(back)) / (2 * step);
    for (std::size_t k = 0; k < kept_.size(); ++k)
      rows(2 * dofs_ + static_cast<Eigen::Index>(k), column) = slope[kept_[k]];
    out.col(column) = slope.tail(out.rows());
  }
  void add_motion(Eigen::Index k, StateSpace& result) {
    const Eigen::VectorXd direction = motion_.basis.col(k);
    const double step = way * system_.length_scale() / direction.cwiseAbs().maxCoeff();
    const Eigen::VectorXd forward = step * direction, backward = -forward;
    State ahead = state_, back = state_;
    system_.retract(state_.q.data(), forward.data(), ahead.q.data());
    system_.retract(state_.q.data(), backward.data(), back.q.data());
    put(ahead, back, step, result.a, result.c, k);
    ahead = back = state_;
    ahead.v += forward, back.v += backward;
    put(ahead, back, step, result.a, result.c, dofs_ + k);
  }
  void add_internal(int place, Eigen::MatrixXd& rows, Eigen::MatrixXd& out, Eigen::Index column) {
    const double step = share_of_state * std::max(std::abs(state_.internal[place]), 1e-2);
    State ahead = state_, back = state_;
    ahead.internal[place] += step, back.internal[place] -= step;
    put(ahead, back, step, rows, out, column);
    rows.block(dofs_, column, dofs_, 1) = motion_.basis.transpose() * (loads(ahead) - loads(back)) / (2 * step);
  }

  System& system_;
  const State& state_;
  const Linearisation& motion_;
  const std::vector<int>& outputs_;
  const Eigen::Index dofs_;
  std::vector<int> inputs_, kept_;  // internal states that are inputs, and the others
};

}  // namespace

StateSpace make_state_space(System& system, const State& state, const Eigen::VectorXd& multipliers,
                            const std::vector<int>& inputs, const std::vector<int>& outputs) {
  system.set_internal(state.internal.data());
  const Linearisation motion = linearise(system, state, multipliers);
  StateSpace result = Linearising(system, state, motion, inputs, outputs).make();
  if (result.a.size() == 0) return result;
  const Eigen::VectorXcd roots = Eigen::EigenSolver<Eigen::MatrixXd>(result.a, false).eigenvalues();
  result.poles.assign(roots.begin(), roots.end());
  std::sort(result.poles.begin(), result.poles.end(), [](const auto& a, const auto& b) {
    return std::abs(a) != std::abs(b) ? std::abs(a) < std::abs(b) : a.imag() > b.imag();
  });
  return result;
}

std::complex<double> StateSpace::response(int output, int input, double frequency) const {
  const std::complex<double> s(0, frequency);
  const Eigen::MatrixXcd matrix = s * Eigen::MatrixXcd::Identity(a.rows(), a.cols()) - a;
  const Eigen::VectorXcd x = matrix.partialPivLu().solve(b.col(input).cast<std::complex<double>>());
  return (c.row(output).cast<std::complex<double>>() * x)(0) + d(output, input);
}

}  // namespace carom::inline analyses
