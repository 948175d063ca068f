#include "analyses/statics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>
#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>

#include "analyses/close_loops.h"
#include "analyses/reduced_space.h"
#include "math/dense_decompositions.h"

namespace carom::inline analyses {
namespace {

constexpr int dense_limit = 400;  // degrees of freedom
constexpr int most_iterations = 400;
constexpr double largest_turn = 0.3;  // rad in one step
constexpr double far_away = 300;      // typical lengths: what has gone that far is not coming back

using SparseMatrix = Eigen::SparseMatrix<double>;

// Forces and stiffness in one position, and displacements that bring the forces into balance.
class Balance {
 public:
  virtual ~Balance() = default;
  // Leaves λ() at the multipliers that carry the forces at q, and residual() at what they cannot carry.
  virtual void evaluate(const State& state) = 0;
  virtual void stiffen(const State& state) = 0;
  virtual Eigen::VectorXd step(double shift) = 0;
  // Bounds of the spectrum of the reduced stiffness over the mass, 1/s².
  virtual double softest() const = 0;
  virtual double stiffest() const = 0;
  // Where the last stiffness was found.
  Stability stability(const State& state) {
    const double error = std::max(stiffness_error(state), std::numeric_limits<double>::min());
    if (!is_below(error)) return Stability::stable;
    return is_below(-error) ? Stability::unstable : Stability::neutral;
  }
  // Of all loads, whether joints carry them or not, in the measure of residual().
  double load_size(const System& system) const {
    return std::sqrt((load_.array().square() / system.mass().diagonal().array()).sum());
  }
  const Eigen::VectorXd& lambda() const { return lambda_; }
  double residual() const { return residual_; }
  const Eigen::VectorXd& acceleration() const { return acceleration_; }

 protected:
  Eigen::VectorXd load_, lambda_, acceleration_;  // acceleration_: from rest, of what is out of balance
  double residual_ = 0;

 private:
  // Of the reduced stiffness over the mass, 1/s²: a softest mode that is not larger may be none.
  virtual double stiffness_error(const State& state) = 0;
  virtual bool is_below(double bound) = 0;  // the softest mode
};

// Relative errors of a stiffness: of its parts that are made by differences, and by rounding.
constexpr double difference_error = 1e-8, rounding_error = 1e-13;

class DenseBalance final : public Balance {
 public:
  explicit DenseBalance(System& system) : system_(system), rest_(Eigen::VectorXd::Zero(system.velocity_size())) {}

  void evaluate(const State& state) override {
    system_.loads(state.t, state.q.data(), rest_.data(), load_);
    space_.emplace(system_, state.t, state.q.data());
    lambda_ = space_->multipliers(load_);
    reduced_load_ = space_->reduce(load_);
    residual_ = reduced_load_.norm();
    acceleration_ = space_->basis() * reduced_load_;
  }

  void stiffen(const State& state) override {
    system_.tangents(state.t, state.q.data(), rest_.data(), lambda_, stiffness_, damping_);
    reduced_ = space_->reduce(stiffness_);
    if (reduced_.size() == 0) return;
    const Eigen::VectorXd spectrum = symmetric_eigenvalues(0.5 * (reduced_ + reduced_.transpose()));
    softest_ = spectrum.minCoeff();
    stiffest_ = spectrum.cwiseAbs().maxCoeff();
  }

  Eigen::VectorXd step(double shift) override {
    if (reduced_.size() == 0) return Eigen::VectorXd::Zero(rest_.size());
    const Eigen::MatrixXd shifted = reduced_ + shift * Eigen::MatrixXd::Identity(reduced_.rows(), reduced_.cols());
    return space_->basis() * solve_by_lu(shifted, reduced_load_);
  }

  double softest() const override { return softest_; }
  double stiffest() const override { return stiffest_; }

 private:
  double stiffness_error(const State& state) override {
    system_.tangents_by_differences(state.t, state.q.data(), rest_.data(), stiffness_, damping_);
    return difference_error * space_->reduce(stiffness_).norm() + rounding_error * stiffest_;
  }
  bool is_below(double bound) override { return reduced_.size() > 0 && softest_ < bound; }

  System& system_;
  Eigen::VectorXd rest_, reduced_load_;
  std::optional<ReducedSpace> space_;
  SparseMatrix stiffness_, damping_;
  Eigen::MatrixXd reduced_;
  double softest_ = 0, stiffest_ = 0;
};

// [K + σM, Gᵀ; G, −ε] for many bodies. ε, small against G M⁻¹Gᵀ, makes room for redundant and spare rows.
class SparseBalance final : public Balance {
 public:
  explicit SparseBalance(System& system) : system_(system), rest_(Eigen::VectorXd::Zero(system.velocity_size())) {}

  void evaluate(const State& state) override {
    system_.loads(state.t, state.q.data(), rest_.data(), load_);
    jacobian_ = system_.constraint_jacobian(state.t, state.q.data());
    acceleration_ = solve(system_.mass(), load_).head(rest_.size());
    lambda_ = last_.tail(jacobian_.rows());
    residual_ = std::sqrt(std::max(0.0, acceleration_.dot(system_.mass() * acceleration_)));
  }

  void stiffen(const State& state) override {
    system_.tangents(state.t, state.q.data(), rest_.data(), lambda_, stiffness_, damping_);
    stiffest_ = bound_of(stiffness_);
    definite_ = count_negative(1e-12 * stiffest_) == 0;
  }

  Eigen::VectorXd step(double shift) override {
    return solve(SparseMatrix(stiffness_ + shift * system_.mass()), load_ - jacobian_.transpose() * lambda_)
        .head(rest_.size());
  }

  // Only its sign is known; a negative one is met by a shift that is found by trial.
  double softest() const override {
    if (definite_) return 0;
    double shift = 1e-9 * stiffest_;
    while (shift < stiffest_ && count_negative(shift) > 0) shift *= 4;
    return -shift;
  }
  double stiffest() const override { return stiffest_; }

 private:
  double stiffness_error(const State& state) override {
    SparseMatrix rough, ignored;
    system_.tangents_by_differences(state.t, state.q.data(), rest_.data(), rough, ignored);
    return difference_error * bound_of(rough) + rounding_error * stiffest_;
  }
  bool is_below(double bound) override { return count_negative(-bound) > 0; }

  // Gershgorin's circles in the metric of the masses.
  double bound_of(const SparseMatrix& stiffness) const {
    const Eigen::VectorXd mass = system_.mass().diagonal();
    double bound = 0;
    for (int column = 0; column < stiffness.outerSize(); ++column) {
      double sum = 0;
      for (SparseMatrix::InnerIterator entry(stiffness, column); entry; ++entry)
        sum += std::abs(entry.value()) / std::sqrt(mass[entry.row()] * mass[column]);
      bound = std::max(bound, sum);
    }
    return bound;
  }

  // Negative eigenvalues of K + shift · M on allowed displacements: a stiff penalty takes the others out.
  int count_negative(double shift) const {
    const SparseMatrix symmetric = 0.5 * (stiffness_ + SparseMatrix(stiffness_.transpose()));
    const double penalty = 1e4 * stiffest_ * system_.mass().diagonal().maxCoeff();
    const SparseMatrix matrix =
        symmetric + shift * system_.mass() + SparseMatrix(penalty * (jacobian_.transpose() * jacobian_));
    const Eigen::SimplicialLDLT<SparseMatrix> factor(matrix);
    return static_cast<int>((factor.vectorD().array() < 0).count());
  }

  Eigen::VectorXd solve(const SparseMatrix& upper, const Eigen::VectorXd& load) {
    const Eigen::Index n = upper.rows(), m = jacobian_.rows();
    std::vector<Eigen::Triplet<double>> entries;
    for (int column = 0; column < upper.outerSize(); ++column) {
      for (SparseMatrix::InnerIterator entry(upper, column); entry; ++entry)
        entries.emplace_back(entry.row(), entry.col(), entry.value());
    }
    for (int column = 0; column < jacobian_.outerSize(); ++column) {
      for (SparseMatrix::InnerIterator entry(jacobian_, column); entry; ++entry) {
        entries.emplace_back(n + entry.row(), entry.col(), entry.value());
        entries.emplace_back(entry.col(), n + entry.row(), entry.value());
      }
    }
    const double slack = 1e-10 / upper.diagonal().cwiseAbs().maxCoeff();
    for (Eigen::Index k = 0; k < m; ++k) entries.emplace_back(n + k, n + k, -slack);
    SparseMatrix matrix(n + m, n + m);
    matrix.setFromTriplets(entries.begin(), entries.end());
    Eigen::SparseLU<SparseMatrix> factor(matrix);
    Eigen::VectorXd right = Eigen::VectorXd::Zero(n + m);
    right.head(n) = load;
    last_ = factor.solve(right);
    // The slack is taken back by repeating with what it let through.
    for (int pass = 0; pass < 2; ++pass) {
      Eigen::VectorXd rest = right - matrix * last_;
      rest.tail(m) -= slack * last_.tail(m);
      last_ += factor.solve(rest);
    }
    return last_;
  }

  System& system_;
  Eigen::VectorXd rest_, last_;
  SparseMatrix jacobian_, stiffness_, damping_;
  double stiffest_ = 0;
  bool definite_ = true;
};

double limited(const System& system, Eigen::VectorXd& step) {
  const Eigen::Index dofs = system.position_size() == system.velocity_size() ? 3 : 6,
                     rotational_dofs = dofs == 3 ? 1 : 3;
  double turn = 0, shift = 0;
  for (Eigen::Index end = dofs; end <= step.size(); end += dofs) {
    turn = std::max(turn, step.segment(end - rotational_dofs, rotational_dofs).norm());
    shift = std::max(shift, step.segment(end - dofs, dofs - rotational_dofs).norm());
  }
  const double size = std::max(turn / largest_turn, shift / system.length_scale());
  if (size > 1) step /= size;
  return size;
}

// The body that what is out of balance accelerates most, by its share of the power.
std::string unbalanced(const System& system, const Eigen::VectorXd& acceleration) {
  const bool planar = system.position_size() == system.velocity_size();
  const Eigen::Index dofs = planar ? 3 : 6, axes = planar ? 2 : 3;
  const Eigen::VectorXd force = system.mass() * acceleration;
  Eigen::Index worst = 0;
  double most = -1;
  for (Eigen::Index first = 0; first < force.size(); first += dofs) {
    const double power = force.segment(first, dofs).dot(acceleration.segment(first, dofs));
    if (power > most) most = power, worst = first;
  }
  std::string name = system.channels()[static_cast<std::size_t>(worst / dofs)].name;  // body:…
  name = name.substr(name.find(':') + 1);
  const Eigen::VectorXd load = force.segment(worst, axes);
  return fmt::format("body {} is left with a force of {:.4g} N along ({:.3g}, {:.3g}{}) and a torque of {:.4g} N m",
                     name, load.norm(), load[0] / std::max(load.norm(), 1e-300),
                     load[1] / std::max(load.norm(), 1e-300),
                     planar ? "" : fmt::format(", {:.3g}", load[2] / std::max(load.norm(), 1e-300)),
                     force.segment(worst + axes, dofs - axes).norm());
}

std::unique_ptr<Balance> balance_of(System& system) {
  if (system.velocity_size() <= dense_limit) return std::make_unique<DenseBalance>(system);
  return std::make_unique<SparseBalance>(system);
}

// Newton's method with a shift of its matrix that falls as the forces come into balance.
class EquilibriumSearch {
 public:
  EquilibriumSearch(System& system, const State& start)
      : system_(system),
        start_(start),
        balance_(balance_of(system)),
        length_(system.length_scale()),
        root_mass_(std::sqrt(system.mass().diagonal().maxCoeff())),
        travelled_(system.velocity_size()) {}

  // `result` holds the state to begin with.
  void run(StaticEquilibrium& result);

 private:
  bool in_balance(StaticEquilibrium& result);
  bool is_exhausted(StaticEquilibrium& result);
  std::string move(StaticEquilibrium& result);  // why it cannot; empty: moved, or it needs a larger shift
  double trace() const { return 1e-12 * balance_->stiffest() + 1e-300; }

  System& system_;
  const State& start_;
  const std::unique_ptr<Balance> balance_;
  const double length_, root_mass_;
  double largest_load_ = 0;
  double shift_ = -1;  // 1/s²; negative: none yet
  // Of the states whose residual may be rounding, the one where it is least.
  State best_;
  double best_residual_ = std::numeric_limits<double>::infinity();
  Eigen::VectorXd travelled_;
};

void EquilibriumSearch::run(StaticEquilibrium& result) {
  State& state = result.state;
  const auto fail = [&](const std::string& why) {
    result.multipliers = balance_->lambda();
    result.outcome = AnalysisOutcome::failure(why + ": " + unbalanced(system_, balance_->acceleration()));
  };
  const bool closed = close_loops(system_, state).closed;  // where the drives are now
  balance_->evaluate(state);
  if (!closed) return fail("the joints cannot follow the drives");
  for (;; ++result.iterations) {
    balance_->stiffen(state);
    result.residual = balance_->residual();
    if (in_balance(result)) break;
    if (result.iterations == most_iterations) return fail("no equilibrium was found");
    if (const std::string why = move(result); !why.empty()) return fail(why);
  }
  result.multipliers = balance_->lambda();
  result.stability = balance_->stability(state);
}

// Forces are in balance when Newton's method has nothing left to move, or when only their rounding is left, which moves
// a body that nothing holds.
bool EquilibriumSearch::in_balance(StaticEquilibrium& result) {
  largest_load_ = std::max(largest_load_, balance_->load_size(system_));
  const double rounding = 1e-14 * largest_load_ + 1e-16 * balance_->stiffest() * length_ * root_mass_;
  const bool settled = balance_->step(trace()).cwiseAbs().maxCoeff() <= 1e-13 * std::max(1.0, length_);
  return settled || (result.residual <= rounding && is_exhausted(result));
}

// That rounding may be of forces long gone, as where bodies were deep in each other: go on while it helps.
bool EquilibriumSearch::is_exhausted(StaticEquilibrium& result) {
  if (result.residual <= 0.5 * best_residual_) {
    best_ = result.state;
    best_residual_ = result.residual;
    return false;
  }
  if (result.residual > best_residual_) {
    result.state = best_;
    balance_->evaluate(result.state);
    balance_->stiffen(result.state);
    result.residual = balance_->residual();
  }
  return true;
}

std::string EquilibriumSearch::move(StaticEquilibrium& result) {
  State& state = result.state;
  const double softest = balance_->softest(), safe = softest < 0 ? -2 * softest : 0;
  if (shift_ < 0) shift_ = std::max(balance_->stiffest(), result.residual / (length_ * root_mass_));
  Eigen::VectorXd step = balance_->step(std::max({shift_, safe, trace()}));
  const double size = limited(system_, step);
  State trial = state;
  system_.retract(state.q.data(), step.data(), trial.q.data());
  system_.normalise(trial.q.data());
  if (!step.allFinite() || !close_loops(system_, trial).closed) {
    shift_ = 4 * std::max(shift_, trace());
    return std::isfinite(shift_) ? "" : "the joints cannot follow";
  }
  state = std::move(trial);
  system_.accept(state.t, state.q.data(), state.v.data());
  const double before = balance_->residual();
  balance_->evaluate(state);
  const double ratio = before > 0 ? balance_->residual() / before : 0;
  shift_ *= size > 1 ? 0.7 : std::clamp(ratio * ratio, 1e-3, 2.0) * 0.7;
  system_.increment(start_.q.data(), state.q.data(), travelled_.data());
  const bool gone = travelled_.cwiseAbs().maxCoeff() > far_away * length_;
  return gone ? "there is no equilibrium, something moves away without end" : "";
}

}  // namespace

StaticEquilibrium find_static_equilibrium(System& system, const State& start) {
  StaticEquilibrium result;
  result.state = start;
  result.state.v.setZero();
  if (system.velocity_size() > 0) EquilibriumSearch(system, start).run(result);
  return result;
}

}  // namespace carom::inline analyses
