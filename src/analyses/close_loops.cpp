#include "analyses/close_loops.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <Eigen/QR>
#include <Eigen/SparseCholesky>

namespace carom::inline analyses {
namespace {

constexpr double largest_loop_turn = 0.5;       // rad, of a body in one step: the linearisation means little beyond
constexpr Eigen::Index dense_loop_limit = 300;  // degrees of freedom up to which least squares are solved by a dense QR

struct Residual {
  double largest = 0, norm = 0;
};

Residual measure(System& system, double t, const Eigen::VectorXd& q) {
  Eigen::VectorXd g;
  system.position_residual(t, q.data(), g);
  if (g.size() == 0) return {};
  return {g.cwiseAbs().maxCoeff(), g.norm()};
}

int body_count(const System& system) {
  return system.position_size() == system.velocity_size() ? system.velocity_size() / 3 : system.velocity_size() / 6;
}

void limit_turns(const System& system, Eigen::VectorXd& step) {
  const int bodies = body_count(system);
  if (bodies == 0) return;
  const Eigen::Index dofs = system.velocity_size() / bodies, rotational_dofs = dofs == 3 ? 1 : 3;
  double largest = 0;
  for (int b = 0; b < bodies; ++b)
    largest = std::max(largest, step.segment(dofs * (b + 1) - rotational_dofs, rotational_dofs).norm());
  if (largest > largest_loop_turn) step *= largest_loop_turn / largest;
}

Eigen::VectorXd moved(const System& system, const Eigen::VectorXd& q, const Eigen::VectorXd& step) {
  Eigen::VectorXd result(q.size());
  system.retract(q.data(), step.data(), result.data());
  system.normalise(result.data());
  return result;
}

// Solves min |g + G δ|² + damping · δᵀ M δ. Masses are the natural measure of how far a body moves: light ones follow.
class DampedStep {
 public:
  explicit DampedStep(System& system) : system_(system) {
    const Eigen::SimplicialLLT<Eigen::SparseMatrix<double>, Eigen::Lower, Eigen::NaturalOrdering<int>> cholesky(
        system.mass());
    mass_root_ = cholesky.matrixL();
  }

  void linearise(double t, const Eigen::VectorXd& q) {
    jacobian_ = system_.constraint_jacobian(t, q.data());
    system_.position_residual(t, q.data(), residual_);
    unit_ = jacobian_.squaredNorm() / mass_root_.squaredNorm();
  }

  double slope() const { return (jacobian_.transpose() * residual_).norm(); }

  Eigen::VectorXd solve(double damping) const {
    const Eigen::Index n = jacobian_.cols(), m = jacobian_.rows();
    if (n <= dense_loop_limit) {
      Eigen::MatrixXd stacked(m + n, n);
      stacked << Eigen::MatrixXd(jacobian_), std::sqrt(damping * unit_) * Eigen::MatrixXd(mass_root_.transpose());
      Eigen::VectorXd right = Eigen::VectorXd::Zero(m + n);
      right.head(m) = -residual_;
      return stacked.householderQr().solve(right);
    }
    const Eigen::SparseMatrix<double> normal = Eigen::SparseMatrix<double>(jacobian_.transpose() * jacobian_) +
                                               Eigen::SparseMatrix<double>(damping * unit_ * system_.mass());
    const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factor(normal);
    return factor.solve(Eigen::VectorXd(-(jacobian_.transpose() * residual_)));
  }

 private:
  System& system_;
  Eigen::SparseMatrix<double> mass_root_, jacobian_;
  Eigen::VectorXd residual_;
  double unit_ = 1;
};

Closure minimise_residual(System& system, State& state) {
  Closure result;
  DampedStep step(system);
  Residual now = measure(system, state.t, state.q);
  double damping = 1e-3;
  while (result.iterations < 200 && damping < 1e8 && now.largest > 1e-8 * closing_tolerance(system)) {
    ++result.iterations;
    step.linearise(state.t, state.q);
    if (step.slope() < 1e-13 * now.norm) break;
    Eigen::VectorXd change = step.solve(damping);
    if (!change.allFinite()) break;
    limit_turns(system, change);
    const Eigen::VectorXd trial = moved(system, state.q, change);
    const Residual then = measure(system, state.t, trial);
    if (then.norm < now.norm) {
      const bool standstill = then.norm > (1 - 1e-9) * now.norm;
      state.q = trial;
      system.accept(state.t, state.q.data(), state.v.data());
      now = then;
      damping = std::max(1e-12, 0.2 * damping);
      if (standstill) break;
    } else {
      damping *= 5;
    }
  }
  result.residual = now.largest;
  result.closed = now.largest <= closing_tolerance(system);
  return result;
}

// Reproducible disturbances: a start in a position where loops can only shrink or stretch has no way out of its own.
void disturb(const System& system, double size, std::uint64_t seed, Eigen::VectorXd& q) {
  Eigen::VectorXd step(system.velocity_size());
  for (double& entry : step) {
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    entry = size * (static_cast<double>(seed >> 11) / 4503599627370496.0 - 1);
  }
  q = moved(system, q, step);
}

}  // namespace

double closing_tolerance(const System& system) {
  return 1e-10 * std::max(1.0, system.length_scale());
}

Closure close_loops(System& system, State& state) {
  Closure result;
  Residual now = measure(system, state.t, state.q);
  const double rounding = 1e-16 * system.length_scale();
  Eigen::VectorXd change(system.velocity_size());
  while (result.iterations < 60 && now.largest > rounding) {
    ++result.iterations;
    Eigen::VectorXd trial = state.q;
    system.project_position(state.t, trial.data(), 0, 1);
    if (!trial.allFinite()) break;
    system.increment(state.q.data(), trial.data(), change.data());
    double share = 1;
    Residual then;
    for (;; share /= 2) {
      trial = moved(system, state.q, share * change);
      then = measure(system, state.t, trial);
      if (then.norm < (1 - 0.1 * share) * now.norm || share < 0.05) break;
    }
    const bool closed = now.largest <= closing_tolerance(system);
    if (!(then.norm < now.norm)) break;
    const bool converged = closed && then.norm > 0.3 * now.norm;
    state.q = trial;
    system.accept(state.t, state.q.data(), state.v.data());
    now = then;
    if (converged) break;
  }
  result.residual = now.largest;
  result.closed = now.largest <= closing_tolerance(system);
  return result;
}

Closure close_loops_from_afar(System& system, State& state) {
  const State start = state;
  Closure best = close_loops(system, state);
  if (best.closed) return best;
  State best_state = state;
  int iterations = best.iterations;
  for (int attempt = 0; attempt < 6 && !best.closed; ++attempt) {
    State trial = start;
    if (attempt > 0) disturb(system, 0.05 * attempt, static_cast<std::uint64_t>(attempt), trial.q);
    system.forget_turns(trial.q.data());
    Closure closure = minimise_residual(system, trial);
    iterations += closure.iterations;
    const Closure polished = close_loops(system, trial);
    iterations += polished.iterations;
    if (polished.residual <= closure.residual) closure = polished;
    if (closure.closed || closure.residual < best.residual) best = closure, best_state = trial;
  }
  // Turns are counted along the way to the position that was chosen, which is the last one if it is closed.
  if (!best.closed) system.forget_turns(best_state.q.data());
  state = best_state;
  best.iterations = iterations;
  return best;
}

}  // namespace carom::inline analyses
