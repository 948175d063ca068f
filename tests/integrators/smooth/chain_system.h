#pragma once

#include <cmath>
#include <limits>

#include <Eigen/Cholesky>

#include "dynamics/system.h"

namespace carom {

// n point masses on massless rods in the vertical plane, Cartesian coordinates x, y of each mass, one distance
// constraint per rod. Small enough to be right by inspection, and it allocates nothing once built. The last constraint
// row is unused, as in a padded block; `redundant` adds the first rod a second time.
class ChainSystem final : public System {
 public:
  struct Options {
    int masses = 1;
    double drag = 0;  // N s/m, on every mass; its power is work[0]
    bool redundant = false;
    double nan_from = std::numeric_limits<double>::infinity();  // s; from here on the forces are not numbers
    double mass = 1, length = 1, gravity = 9.81;
  };

  explicit ChainSystem(Options options) : options_(options), n_(options.masses) {
    rows_ = n_ + 1 + (options.redundant ? 1 : 0);
    lambda_.setZero(rows_);
    g_.setZero(rows_);
    normal_.setZero(n_, n_);
    right_.setZero(n_);
    change_.setZero(2 * n_);
    cholesky_.compute(Eigen::MatrixXd::Identity(n_, n_));
    mass_.resize(2 * n_, 2 * n_);
    mass_.setIdentity();
    mass_ *= options.mass;
    std::vector<Eigen::Triplet<double>> entries;
    for (int row = 0; row < rows_; ++row)
      for (int k = 0; k < 4; ++k)
        if (const int column = column_of(row, k); column >= 0) entries.emplace_back(row, column, 1.0);
    jacobian_.resize(rows_, 2 * n_);
    jacobian_.setFromTriplets(entries.begin(), entries.end());
  }

  int position_size() const override { return 2 * n_; }
  int velocity_size() const override { return 2 * n_; }
  int constraint_size() const override { return rows_; }
  int work_size() const override { return 1; }
  int active_constraints() const override { return rows_ - 1; }

  // Straight rods hanging at `angle` from the vertical, at rest.
  State hanging_at(double angle) const {
    State state{0, Eigen::VectorXd(2 * n_), Eigen::VectorXd::Zero(2 * n_), Eigen::VectorXd::Zero(1)};
    for (int i = 0; i < n_; ++i) {
      state.q[2 * i] = (i + 1) * options_.length * std::sin(angle);
      state.q[2 * i + 1] = -(i + 1) * options_.length * std::cos(angle);
    }
    return state;
  }
  State initial_state() const override { return hanging_at(1.0); }

  SolveStatus rates(double t, const double* q, const double* v, double* q_rate, double* v_rate, double* power,
                    double*) override {
    // G M⁻¹ Gᵀ λ = G M⁻¹ f − γ
    const double m = options_.mass, length = options_.length;
    force(t, v, v_rate);
    for (int i = 0; i < n_; ++i) {
      const auto a = rod(q, i), u = rod(v, i), f = rod(v_rate, i);
      right_[i] = (a.dot(f) / m + u.squaredNorm() + 2 * alpha_ * a.dot(u)) / length + beta_ * beta_ * gap(q, i);
    }
    if (!solve_normal(q)) return SolveStatus::failed;
    lambda_.setZero();
    lambda_.head(n_) = right_;
    for (int i = 0; i < 2 * n_; ++i) q_rate[i] = v[i];
    power[0] = 0;
    for (int i = 0; i < 2 * n_; ++i) power[0] -= options_.drag * v[i] * v[i];
    subtract_reactions(q, v_rate);
    for (int i = 0; i < 2 * n_; ++i) v_rate[i] /= m;
    ++rate_calls;
    return SolveStatus::regular;
  }
  const Eigen::VectorXd& multipliers(double, const double*, const double*) override { return lambda_; }
  void forget_turns(const double*) override {}
  void set_baumgarte(double alpha, double beta) override { alpha_ = alpha, beta_ = beta; }

  void position_residual(double, const double* q, Eigen::VectorXd& g) override {
    g.setZero(rows_);
    for (int i = 0; i < n_; ++i) g[i] = gap(q, i);
    if (options_.redundant) g[n_] = g[0];
  }
  void velocity_residual(double, const double* q, const double* v, Eigen::VectorXd& g_rate) override {
    g_rate.setZero(rows_);
    for (int i = 0; i < n_; ++i) g_rate[i] = rod(q, i).dot(rod(v, i)) / options_.length;
    if (options_.redundant) g_rate[n_] = g_rate[0];
  }
  Projection project_position(double t, double* q, double, int) override {
    position_residual(t, q, g_);
    const double before = g_.lpNorm<Eigen::Infinity>();
    int iterations = 0;
    for (; iterations < 20; ++iterations) {
      position_residual(t, q, g_);
      if (g_.lpNorm<Eigen::Infinity>() < 1e-15) break;
      correct(q, q);
    }
    position_residual(t, q, g_);
    return {true, iterations, before, g_.lpNorm<Eigen::Infinity>()};
  }
  Projection project_velocity(double t, const double* q, double* v) override {
    velocity_residual(t, q, v, g_);
    const double before = g_.lpNorm<Eigen::Infinity>();
    correct(q, v);
    velocity_residual(t, q, v, g_);
    return {true, 1, before, g_.lpNorm<Eigen::Infinity>()};
  }
  void normalise(double*) const override {}
  void accept(double t, const double*, const double*) override { last_accepted = t; }

  void retract(const double* q, const double* increment, double* result) const override {
    for (int i = 0; i < 2 * n_; ++i) result[i] = q[i] + increment[i];
  }
  void increment(const double* a, const double* b, double* result) const override {
    for (int i = 0; i < 2 * n_; ++i) result[i] = b[i] - a[i];
  }
  void position_rate(const double*, const double* v, double* q_rate) const override {
    for (int i = 0; i < 2 * n_; ++i) q_rate[i] = v[i];
  }

  void loads(double t, const double*, const double* v, Eigen::VectorXd& f) override {
    f.resize(2 * n_);
    force(t, v, f.data());
  }
  const Eigen::SparseMatrix<double>& mass() const override { return mass_; }
  const Eigen::SparseMatrix<double>& constraint_jacobian(double, const double* q) override {
    for (int column = 0; column < 2 * n_; ++column)
      for (Eigen::SparseMatrix<double>::InnerIterator entry(jacobian_, column); entry; ++entry)
        entry.valueRef() = jacobian_entry(q, static_cast<int>(entry.row()), column);
    return jacobian_;
  }
  void tangents_by_differences(double, const double*, const double*, Eigen::SparseMatrix<double>& stiffness,
                               Eigen::SparseMatrix<double>& damping) override {
    stiffness.resize(2 * n_, 2 * n_), damping.resize(2 * n_, 2 * n_);
  }
  void tangents(double, const double*, const double*, const Eigen::VectorXd& lambda,
                Eigen::SparseMatrix<double>& stiffness, Eigen::SparseMatrix<double>& damping) override {
    if (damping.rows() != 2 * n_) {
      damping = mass_;
      std::vector<Eigen::Triplet<double>> entries;
      for (int i = 0; i < 2 * n_; ++i)
        for (const int j : {i - 2, i, i + 2})
          if (j >= 0 && j < 2 * n_) entries.emplace_back(i, j, 0.0);
      stiffness.resize(2 * n_, 2 * n_);
      stiffness.setFromTriplets(entries.begin(), entries.end());
    }
    for (int i = 0; i < 2 * n_; ++i) damping.valuePtr()[i] = options_.drag;
    const auto tension = [&](int i) {
      if (i >= n_) return 0.0;
      return (lambda[i] + (i == 0 && options_.redundant ? lambda[n_] : 0)) / options_.length;
    };
    for (int column = 0; column < 2 * n_; ++column)
      for (Eigen::SparseMatrix<double>::InnerIterator entry(stiffness, column); entry; ++entry) {
        const int i = static_cast<int>(entry.row()) / 2, j = column / 2;
        entry.valueRef() = i == j ? tension(i) + tension(i + 1) : -tension(std::max(i, j));
      }
  }

  Energy energy(double, const double* q, const double* v) override {
    Energy energy;
    for (int i = 0; i < n_; ++i) {
      energy.kinetic += 0.5 * options_.mass * (v[2 * i] * v[2 * i] + v[2 * i + 1] * v[2 * i + 1]);
      energy.potential += options_.mass * options_.gravity * q[2 * i + 1];
    }
    return energy;
  }
  std::vector<std::string> work_names() const override { return {"force:drag"}; }
  std::vector<RedundantRow> redundant_rows(double, const double*) override { return {}; }
  std::vector<JointResidual> residual_by_joint(double, const double*) override { return {}; }
  const std::vector<ChannelDescription>& channels() const override { return channels_; }
  void record(const State&, const Eigen::VectorXd&, const Eigen::VectorXd&, std::vector<double>&) override {}
  double length_scale() const override { return options_.length; }

  double last_accepted = -1;
  long rate_calls = 0;

 private:
  // From the inner to the outer end of rod i, of positions, velocities or forces alike.
  static Eigen::Vector2d rod(const double* x, int i) {
    Eigen::Vector2d end(x[2 * i], x[2 * i + 1]);
    if (i > 0) end -= Eigen::Vector2d(x[2 * i - 2], x[2 * i - 1]);
    return end;
  }
  double gap(const double* q, int i) const {
    return 0.5 * (rod(q, i).squaredNorm() / options_.length - options_.length);
  }
  void force(double t, const double* v, double* f) const {
    for (int i = 0; i < 2 * n_; ++i) f[i] = -options_.drag * v[i] - (i % 2 == 1 ? options_.mass * options_.gravity : 0);
    if (t >= options_.nan_from) f[0] = std::numeric_limits<double>::quiet_NaN();
  }
  int rod_of(int row) const { return row < n_ ? row : row == n_ && options_.redundant ? 0 : -1; }
  int column_of(int row, int k) const {
    const int i = rod_of(row);
    if (i < 0) return k < 2 ? k : -1;  // the unused row keeps its block, filled with zeros
    return k < 2 ? 2 * i + k : i > 0 ? 2 * i - 4 + k : -1;
  }
  double jacobian_entry(const double* q, int row, int column) const {
    const int i = rod_of(row);
    if (i < 0) return 0;
    return (column / 2 == i ? 1 : -1) * rod(q, i)[column % 2] / options_.length;
  }
  // right_ becomes (G M⁻¹ Gᵀ)⁻¹ right_; the rods couple only with their neighbours.
  bool solve_normal(const double* q) {
    normal_.setZero();
    for (int i = 0; i < n_; ++i) {
      const auto a = rod(q, i);
      normal_(i, i) = a.squaredNorm() * (i == 0 ? 1 : 2);
      if (i > 0) normal_(i, i - 1) = normal_(i - 1, i) = -a.dot(rod(q, i - 1));
    }
    normal_ /= options_.mass * options_.length * options_.length;
    cholesky_.compute(normal_);
    if (cholesky_.info() != Eigen::Success) return false;
    cholesky_.solveInPlace(right_);
    return true;
  }
  // f − Gᵀ right_
  void subtract_reactions(const double* q, double* f) const {
    for (int i = 0; i < n_; ++i) {
      const Eigen::Vector2d pull = right_[i] / options_.length * rod(q, i);
      for (int c = 0; c < 2; ++c) {
        f[2 * i + c] -= pull[c];
        if (i > 0) f[2 * i - 2 + c] += pull[c];
      }
    }
  }
  // Moves positions or velocities by −M⁻¹ Gᵀ (G M⁻¹ Gᵀ)⁻¹ g.
  void correct(const double* q, double* moved) {
    right_ = g_.head(n_);
    if (!solve_normal(q)) return;
    change_.setZero();
    subtract_reactions(q, change_.data());
    for (int i = 0; i < 2 * n_; ++i) moved[i] += change_[i] / options_.mass;
  }

  Options options_;
  int n_, rows_ = 0;
  double alpha_ = 0, beta_ = 0;
  Eigen::VectorXd lambda_, g_, right_, change_;
  Eigen::MatrixXd normal_;
  Eigen::LLT<Eigen::MatrixXd> cholesky_;
  Eigen::SparseMatrix<double> mass_, jacobian_;
  std::vector<ChannelDescription> channels_;
};

}  // namespace carom
