#pragma once

#include <cmath>

#include "integrators/smooth/integrator.h"
#include "math/kkt_solver.h"

namespace carom::inline smooth_integrators {

// Coefficients of Chung and Hulbert for a spectral radius ρ at infinite frequency, and what follows from them.
struct AlphaCoefficients {
  explicit AlphaCoefficients(double rho);
  // Of the θ-method instead: v₁ = v₀ + h ((1 − θ) v̇₀ + θ v̇₁), and q likewise with the velocities.
  static AlphaCoefficients theta(double theta);
  double alpha_m, alpha_f, gamma, beta;
  double early;           // ½ − β, of a₀ in the positions
  double shift;           // a(t₀) ≈ v̇(t₀ + shift h)
  double acceleration;    // v̇ grows by this · Δv / h
  double position_error;  // local error of q: this · h³ v̈
  double velocity_error;  // local error of v: this · h³ d³v/dt³
};

struct AlphaPoint {
  double t = 0;
  double step = 1;  // the pseudo-acceleration a belongs to steps of this length
  Eigen::VectorXd q, v, a, acceleration, lambda, work;
  Eigen::VectorXd rate;           // of [q, v, work, internal], from the index-1 form
  Eigen::VectorXd internal = {};  // states of signals
};

// Forces at the end of a step that are unknowns of it, besides those of joints: Newton's method asks for them in each
// iteration.
class StepCoupling {
 public:
  virtual ~StepCoupling() = default;
  // Adds the present forces, at q, to `load`.
  virtual void add_loads(const Eigen::VectorXd& q, double h, Eigen::VectorXd& load) = 0;
  // Changes the forces so that their law holds for the velocities v + update, and adds what this changes to `update`
  // (velocities, and multipliers times h). False: it cannot be done.
  virtual bool correct(const Eigen::VectorXd& v, KktSolver& matrix, Eigen::VectorXd& update) = 0;
};

// The equations of one step of the generalized-α method on the Lie group of the positions, and their solution by
// modified Newton:
//   q₁ = q₀ ⊕ d,  d = h v₀ + h² ((½ − β) a₀ + β a₁)
//   v₁ = v₀ + h ((1 − γ) a₀ + γ a₁)
//   (1 − α_m) a₁ + α_m a₀ = (1 − α_f) v̇₁ + α_f v̇₀
//   M v̇₁ + Gᵀ λ₁ = f(q₁, v₁, t₁),   g(q₁, t₁) = 0
// With constraints at the velocity level the last equation is G v₁ + g_t = 0 instead. At both levels it is so too, and
// q₁ = q₀ ⊕ (d − A⁻¹ Gᵀ μ) with μ from g(q₁, t₁) = 0; A is the Newton matrix, h⁻¹ M but for stiff forces, so that the
// correction does not stretch stiff springs.
class AlphaStep {
 public:
  enum class Level { position, velocity, both };  // at which constraints hold
  // Which matrices serve the next step, too: those whose Newton iteration converges well, or only those with which two
  // iterations are more than enough.
  enum class Reuse { while_convergent, for_two_iterations };
  AlphaStep(System& system, const SolverSettings& settings, const AlphaCoefficients& coefficients, Level level,
            IntegratorStatistics& statistics, Reuse reuse = Reuse::while_convergent);

  const AlphaCoefficients& coefficients() const { return coefficients_; }

  // A step from `begin` to t_end; `jerk` ≈ v̈ at its beginning, for the first guess, which takes the accelerations of
  // `begin` unless coast_next was called. Fills t, step, q, v, a, acceleration and lambda of `end`. False: not
  // converged.
  bool solve(const AlphaPoint& begin, AlphaPoint& end, const Eigen::VectorXd& jerk, double t_end,
             StepCoupling* coupling = nullptr);

  // The next step begins with a new matrix.
  void forget_matrix() { matrix_.stale = true; }
  // The velocities have jumped: accelerations before it say nothing of the next step.
  void coast_next() { coasts_ = true; }
  // Tangents of the matrix in use.
  const Eigen::SparseMatrix<double>& stiffness() const { return matrix_.stiffness; }
  const Eigen::SparseMatrix<double>& damping() const { return matrix_.damping; }
  const Eigen::VectorXd& load() const { return equations_.load; }  // where the last step ended

 private:
  struct Equations {  // residual
    Eigen::VectorXd load, momentum, residual;
    double largest_gap = 0, largest_gap_rate = 0;
  };
  struct NewtonMatrix {  // renew_matrix
    KktSolver solver;
    Eigen::SparseMatrix<double> stiffness, damping;
    double step = 0;        // s
    int age = 0;            // steps
    double fresh_rate = 1;  // ratio of two updates of Newton's method with a new matrix
    double aging = 0;       // by which it grew in each step afterwards
    bool stale = true;
  };

  // Newton's method in one step. Updates are in units of the tolerance.
  struct Iteration {
    int number = 0;          // with this matrix
    double small, rounding;  // updates that need no further ones, and that lead nowhere
    double guessed;          // change of the velocities that the first guess foresaw
    bool coasted;            // the first guess was that nothing accelerates
    bool useless_guess = false;
    double norm = 0, last_norm = 0;  // of the last updates; 0: none yet
    double rate;                     // ratio of two updates
    int renewals = 0;                // of the matrix
    bool renewed_within = false;     // after the first update, which was made with the old one
    bool converged = false;
  };

  void predict(const AlphaPoint& begin, AlphaPoint& end, const Eigen::VectorXd& jerk);
  void coast(const AlphaPoint& begin, AlphaPoint& end);
  bool iterate(const AlphaPoint& begin, AlphaPoint& end);
  Iteration start_iteration(const AlphaPoint& begin, AlphaPoint& end);
  bool constraints_hold() const;
  bool improve(AlphaPoint& end, Iteration& newton);
  bool renew_in_time(const AlphaPoint& begin, AlphaPoint& end, double foreseen, Iteration& newton);
  bool coast_instead(const AlphaPoint& begin, AlphaPoint& end, Iteration& newton);
  void learn_rate(double foreseen, Iteration& newton);
  void judge(Iteration& newton);
  // Mean of velocities in units of their tolerances.
  template <class Velocities>
  double weighted(const Velocities& v) const {
    return std::sqrt(v.cwiseProduct(weight_).squaredNorm() / nv_);
  }
  double rounding_norm() const;
  bool renew_matrix(const AlphaPoint& begin, AlphaPoint& end);
  bool set_position(const AlphaPoint& begin, AlphaPoint& end);
  void residual(const AlphaPoint& end);
  void update(AlphaPoint& end);

  System& system_;
  IntegratorStatistics& statistics_;
  const int nv_, rows_;
  const AlphaCoefficients coefficients_;
  const double tolerance_, drift_tolerance_;
  const Level level_;
  const Reuse reuse_;
  const double length_;
  const Eigen::SparseMatrix<double> mass_;
  Eigen::VectorXd velocity_scale_;

  // the step
  double h_ = 0;
  Eigen::VectorXd a0_, guess_, increment_, weight_;
  StepCoupling* coupling_ = nullptr;

  Equations equations_;
  NewtonMatrix matrix_;
  Eigen::VectorXd right_;
  bool coasts_ = false;
};

}  // namespace carom::inline smooth_integrators
