#pragma once

#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>

namespace carom::inline math {

// The point d of the ball |d| ≤ radius that is nearest to x in the metric A⁻¹: of all reactions p with d = x + A p it
// needs the least ½ pᵀ A p. On the surface d = (I + μ A)⁻¹ x with μ > 0 such that |d| = radius, and p = −μ d. A is
// symmetric and positive semidefinite. Where it is singular the ball may be out of reach; then |d| stays larger.
template <int N>
struct NearestInBall {
  Eigen::Matrix<double, N, 1> point;
  double multiplier = 0;  // μ; 0: x lies in the ball
  Eigen::Matrix<double, N, 1> reaction() const { return -multiplier * point; }
};

// Eigenvalues and eigenvectors of a symmetric matrix.
template <int N>
struct SymmetricModes {
  Eigen::Matrix<double, N, 1> values;
  Eigen::Matrix<double, N, N> vectors;
};

template <int N>
SymmetricModes<N> symmetric_modes(const Eigen::Matrix<double, N, N>& A) {
  Eigen::SelfAdjointEigenSolver<Eigen::Matrix<double, N, N>> solver;
  if constexpr (N == 2) {
    // It is tridiagonal as it is. To make it so, as Eigen would, takes the compiler ten seconds and gives the same
    // bits.
    const double largest = std::max({std::abs(A(0, 0)), std::abs(A(1, 0)), std::abs(A(1, 1))});
    const double scale = largest == 0 ? 1 : largest;
    solver.computeFromTridiagonal(Eigen::Vector2d(A(0, 0) / scale, A(1, 1) / scale),
                                  Eigen::Matrix<double, 1, 1>(A(1, 0) / scale));
    return {solver.eigenvalues() * scale, solver.eigenvectors()};
  } else {
    solver.compute(A);
    return {solver.eigenvalues(), solver.eigenvectors()};
  }
}

template <int N>
NearestInBall<N> nearest_in_ball(const Eigen::Matrix<double, N, N>& A, const Eigen::Matrix<double, N, 1>& x,
                                 double radius) {
  using Vector = Eigen::Matrix<double, N, 1>;
  if (x.norm() <= radius) return {x};
  const SymmetricModes<N> modes = symmetric_modes<N>(A);
  const Vector response = modes.values.cwiseMax(0.0);
  const Vector start = modes.vectors.transpose() * x;
  const auto at = [&](double multiplier) -> Vector { return start.array() / (1 + multiplier * response.array()); };
  // 1/|d| is nearly straight over μ, and bends so that Newton's method approaches the root from below.
  double multiplier = 0;
  for (int iteration = 0; iteration < 50; ++iteration) {
    const Vector d = at(multiplier);
    const double length = d.norm();
    const double slope = (d.array().square() * response.array() / (1 + multiplier * response.array())).sum();
    if (!(length > radius * (1 + 1e-14)) || !(slope > 0)) break;
    const double next = multiplier + length * length / slope * (length / radius - 1);
    if (!std::isfinite(next)) break;
    multiplier = next;
  }
  return {modes.vectors * at(multiplier), multiplier};
}

}  // namespace carom::inline math
