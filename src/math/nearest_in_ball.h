#pragma once

#include <cmath>

#include <Eigen/Dense>

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

template <int N>
NearestInBall<N> nearest_in_ball(const Eigen::Matrix<double, N, N>& A, const Eigen::Matrix<double, N, 1>& x,
                                 double radius) {
  using Vector = Eigen::Matrix<double, N, 1>;
  if (x.norm() <= radius) return {x};
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix<double, N, N>> modes(A);
  const Vector response = modes.eigenvalues().cwiseMax(0.0);
  const Vector start = modes.eigenvectors().transpose() * x;
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
  return {modes.eigenvectors() * at(multiplier), multiplier};
}

}  // namespace carom::inline math
