#include "math/kkt_solver.h"

#include <cmath>

#include <klu.h>

namespace carom {

struct KktSolver::Klu {
  klu_common common;
  klu_symbolic* symbolic = nullptr;
  klu_numeric* numeric = nullptr;

  explicit Klu(Sparse& matrix) {
    klu_defaults(&common);
    symbolic = klu_analyze(static_cast<int>(matrix.cols()), matrix.outerIndexPtr(), matrix.innerIndexPtr(), &common);
  }
  ~Klu() {
    klu_free_numeric(&numeric, &common);
    klu_free_symbolic(&symbolic, &common);
  }
  Klu(const Klu&) = delete;
  Klu& operator=(const Klu&) = delete;

  // Keeps the pivots of the last full factorisation as long as they serve.
  bool factor(Sparse& matrix) {
    constexpr double smallest_growth = 1e-8;  // reciprocal pivot growth below which the old pivots are given up
    int* start = matrix.outerIndexPtr();
    int* row = matrix.innerIndexPtr();
    double* value = matrix.valuePtr();
    if (!symbolic) return false;
    if (numeric && klu_refactor(start, row, value, symbolic, numeric, &common) && common.status == KLU_OK &&
        klu_rgrowth(start, row, value, symbolic, numeric, &common) && common.rgrowth > smallest_growth)
      return true;
    klu_free_numeric(&numeric, &common);
    numeric = klu_factor(start, row, value, symbolic, &common);
    return numeric != nullptr && common.status == KLU_OK;
  }
};

KktSolver::KktSolver() = default;
KktSolver::~KktSolver() = default;

void KktSolver::analyse(const Sparse& mass, const Sparse& damping, const Sparse& stiffness, const Sparse& jacobian) {
  velocities_ = static_cast<int>(mass.rows());
  rows_ = static_cast<int>(jacobian.rows());
  std::vector<Eigen::Triplet<double>> entries;
  const auto each = [](const Sparse& matrix, auto&& visit) {
    for (int column = 0; column < matrix.outerSize(); ++column)
      for (Sparse::InnerIterator entry(matrix, column); entry; ++entry) visit(static_cast<int>(entry.row()), column);
  };
  for (const Sparse* matrix : {&mass, &damping, &stiffness})
    each(*matrix, [&](int row, int column) { entries.emplace_back(row, column, 0.0); });
  each(jacobian, [&](int row, int column) {
    entries.emplace_back(velocities_ + row, column, 0.0);
    entries.emplace_back(column, velocities_ + row, 0.0);
  });
  for (int i = 0; i < velocities_ + rows_; ++i) entries.emplace_back(i, i, 0.0);
  matrix_.resize(velocities_ + rows_, velocities_ + rows_);
  matrix_.setFromTriplets(entries.begin(), entries.end());
  matrix_.makeCompressed();

  const auto place = [&](int row, int column) {
    return static_cast<int>(&matrix_.coeffRef(row, column) - matrix_.valuePtr());
  };
  const auto square_places = [&](const Sparse& matrix, std::vector<int>& places) {
    each(matrix, [&](int row, int column) { places.push_back(place(row, column)); });
  };
  square_places(mass, mass_places_);
  square_places(damping, damping_places_);
  square_places(stiffness, stiffness_places_);
  each(jacobian, [&](int row, int column) {
    jacobian_places_.push_back(place(velocities_ + row, column));
    transpose_places_.push_back(place(column, velocities_ + row));
  });
  for (int i = 0; i < velocities_ + rows_; ++i) diagonal_places_.push_back(place(i, i));
  row_weight_.setZero(rows_);
  solution_.setZero(velocities_ + rows_);
  if (velocities_ + rows_ <= largest_dense) {
    dense_.setZero(velocities_ + rows_, velocities_ + rows_);
  } else {
    klu_ = std::make_unique<Klu>(matrix_);
  }
}

void KktSolver::scatter(const Sparse& matrix, const std::vector<int>& places, double factor) {
  const double* value = matrix.valuePtr();
  for (std::size_t k = 0; k < places.size(); ++k) matrix_.valuePtr()[places[k]] += factor * value[k];
}

bool KktSolver::factor(const Factors& factors, const Sparse& mass, const Sparse& damping, const Sparse& stiffness,
                       const Sparse& jacobian) {
  if (velocities_ == 0) analyse(mass, damping, stiffness, jacobian);
  Eigen::Map<Eigen::VectorXd> values(matrix_.valuePtr(), matrix_.nonZeros());
  values.setZero();
  scatter(mass, mass_places_, factors.mass);
  row_weight_.setZero();
  for (int column = 0; column < velocities_; ++column) {
    const double inertia = matrix_.valuePtr()[diagonal_places_[column]];  // only the mass so far
    for (Sparse::InnerIterator entry(jacobian, column); entry; ++entry)
      row_weight_[entry.row()] += entry.value() * entry.value() / inertia;
  }
  scatter(damping, damping_places_, factors.damping);
  scatter(stiffness, stiffness_places_, factors.stiffness);
  scatter(jacobian, jacobian_places_, 1);
  scatter(jacobian, transpose_places_, 1);
  for (int i = 0; i < rows_; ++i)
    matrix_.valuePtr()[diagonal_places_[velocities_ + i]] = row_weight_[i] > 0 ? -regularisation * row_weight_[i] : -1;
  if (!std::isfinite(values.sum())) return false;
  if (klu_) return klu_->factor(matrix_);
  dense_ = matrix_;
  lu_.compute(dense_);
  return true;
}

void KktSolver::solve(Eigen::VectorXd& right_hand_side) {
  if (klu_) {
    klu_solve(klu_->symbolic, klu_->numeric, velocities_ + rows_, 1, right_hand_side.data(), &klu_->common);
    return;
  }
  solution_ = lu_.solve(right_hand_side);
  right_hand_side = solution_;
}

}  // namespace carom
