#include "impact/slip_series.h"

#include <algorithm>
#include <cmath>

namespace carom::inline impact {
namespace {

constexpr double neglected = 1e-17;  // of the speed and of the direction of slip, by the last terms

// Coefficient k of a product.
double product(const SlipSeries::Series& a, const SlipSeries::Series& b, int k) {
  double sum = 0;
  for (int j = 0; j <= k; ++j) sum += a[j] * b[k - j];
  return sum;
}

}  // namespace

double SlipSeries::value(const Series& series, double sigma) {
  double sum = series[order];
  for (int k = order; k-- > 0;) sum = sum * sigma + series[k];
  return sum;
}

void SlipSeries::expand(const Eigen::Vector3d& velocity) {
  const double speed = std::hypot(velocity[1], velocity[2]);
  cosine_[0] = velocity[1] / speed, sine_[0] = velocity[2] / speed, speed_[0] = speed;
  normal_[0] = velocity[0];
  impulse_[0] = work_[0] = friction_work_[0] = first_[0] = second_[0] = 0;
  const Eigen::Matrix3d& w = delassus_;
  Series f1, f2, g, h;
  for (int k = 0; k < order; ++k) {
    f1[k] = (k == 0 ? w(1, 0) : 0.0) - friction_ * (w(1, 1) * cosine_[k] + w(1, 2) * sine_[k]);
    f2[k] = (k == 0 ? w(2, 0) : 0.0) - friction_ * (w(2, 1) * cosine_[k] + w(2, 2) * sine_[k]);
    g[k] = product(cosine_, f1, k) + product(sine_, f2, k);
    h[k] = product(cosine_, f2, k) - product(sine_, f1, k);
    const double step = 1.0 / (k + 1);
    const double along_first = product(speed_, cosine_, k), along_second = product(speed_, sine_, k);
    cosine_[k + 1] = -step * product(sine_, h, k);
    sine_[k + 1] = step * product(cosine_, h, k);
    speed_[k + 1] = step * product(speed_, g, k);
    impulse_[k + 1] = step * speed_[k];
    first_[k + 1] = -step * friction_ * along_first;
    second_[k + 1] = -step * friction_ * along_second;
    normal_[k + 1] = step * (w(0, 0) * speed_[k] - friction_ * (w(0, 1) * along_first + w(0, 2) * along_second));
    friction_work_[k + 1] = -step * friction_ * product(speed_, speed_, k);
    work_[k + 1] = step * product(speed_, normal_, k);
  }
}

double SlipSeries::reach() const {
  double reach = INFINITY;
  for (int k = order - 1; k <= order; ++k) {
    const double term = std::max({std::abs(cosine_[k]), std::abs(sine_[k]), std::abs(speed_[k]) / speed_[0]});
    if (term > 0) reach = std::min(reach, std::pow(neglected / term, 1.0 / k));
  }
  return reach;
}

Eigen::Vector3d SlipSeries::velocity(double sigma) const {
  const Eigen::Vector2d direction = Eigen::Vector2d(value(cosine_, sigma), value(sine_, sigma)).normalized();
  Eigen::Vector3d result;
  result << value(normal_, sigma), value(speed_, sigma) * direction;
  return result;
}

Eigen::Vector3d SlipSeries::impulses(double sigma) const {
  return {value(impulse_, sigma), value(first_, sigma), value(second_, sigma)};
}

}  // namespace carom::inline impact
