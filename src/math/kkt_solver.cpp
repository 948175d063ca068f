#include "math/kkt_solver.h"

#include <cmath>

namespace carom::inline math {

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
  std::vector<bool> massless(static_cast<std::size_t>(matrix_.nonZeros()), true);
  for (const int each_place : mass_places_) massless[each_place] = false;
  for (int k = 0; k < matrix_.nonZeros(); ++k) {
    if (massless[k]) massless_places_.push_back(k);
  }
  row_weight_.setZero(rows_);
}

void KktSolver::scatter(const Sparse& matrix, const std::vector<int>& places, double factor) {
  if (factor == 0) return;
  const double* value = matrix.valuePtr();
  for (std::size_t k = 0; k < places.size(); ++k) matrix_.valuePtr()[places[k]] += factor * value[k];
}

bool KktSolver::factor(const Factors& factors, const Sparse& mass, const Sparse& damping, const Sparse& stiffness,
                       const Sparse& jacobian) {
  if (velocities_ == 0) analyse(mass, damping, stiffness, jacobian);
  Eigen::Map<Eigen::VectorXd> values(matrix_.valuePtr(), matrix_.nonZeros());
  for (const int place : massless_places_) values[place] = 0;
  for (std::size_t k = 0; k < mass_places_.size(); ++k) values[mass_places_[k]] = factors.mass * mass.valuePtr()[k];
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
  return lu_.factor(matrix_);
}

}  // namespace carom::inline math
