#pragma once

#include <array>

#include <Eigen/Core>

namespace carom::inline impact {

// Sliding in space while the normal impulse p grows, as series of Taylor in σ with dp = |u_T| dσ. With the direction of
// slip (c, s), its speed r and the tangential rates f = W_TN − μ W_TT (c, s),
//   g = c f_1 + s f_2,  h = c f_2 − s f_1,
//   c' = −s h,  s' = c h,  r' = r g,  p' = r,  u_N' = r (W_NN − μ W_NT·(c, s)),  w' = r u_N,  P_T' = −μ r (c, s)
//   w_T' = −μ r²,
// where w is the work of the normal impulse and w_T that of friction. All right-hand sides are polynomials; the
// coefficients follow one by one.
class SlipSeries {
 public:
  static constexpr int order = 24;
  using Series = std::array<double, order + 1>;

  SlipSeries(const Eigen::Matrix3d& delassus, double friction) : delassus_(delassus), friction_(friction) {}

  // Expands about a state with slip; p, w and P_T are counted from it.
  void expand(const Eigen::Vector3d& velocity);
  // How far the series may be used: what is left out is below rounding.
  double reach() const;

  double normal_velocity(double sigma) const { return value(normal_, sigma); }
  double impulse(double sigma) const { return value(impulse_, sigma); }
  double work(double sigma) const { return value(work_, sigma); }  // of the normal impulse
  double friction_work(double sigma) const { return value(friction_work_, sigma); }
  Eigen::Vector3d velocity(double sigma) const;
  Eigen::Vector3d impulses(double sigma) const;

 private:
  static double value(const Series& series, double sigma);

  Eigen::Matrix3d delassus_;
  double friction_;
  Series cosine_{}, sine_{}, speed_{}, normal_{}, impulse_{}, work_{}, friction_work_{};
  Series first_{}, second_{};  // of P_T
};

}  // namespace carom::inline impact
