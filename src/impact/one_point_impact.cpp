#include "impact/one_point_impact.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Eigenvalues>

#include "impact/slip_series.h"

namespace carom::inline impact {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double rounding = 1e-15;   // of the speeds, and of the rates of slip
constexpr double singular = 1e-13;   // of the largest entries of W: a direction that nothing moves
constexpr double locking = 1e-12;    // of W_NN: no normal velocity comes from an impulse any more
constexpr int most_steps = 4000;     // of series, pieces and changes of regime
constexpr int samples = 8;           // of a series, that no event slips through
constexpr int most_bisections = 80;  // down to neighbouring numbers

template <int D>
class Process {
 public:
  explicit Process(const OnePointImpact<D>& impact)
      : impact_(impact), w_(impact.delassus), u_(impact.before), speed_(impact.before.norm()) {}

  OnePointOutcome<D> run();

 private:
  using Tangent = Eigen::Matrix<double, D - 1, 1>;

  bool slide();
  bool slide_in_series();
  bool stay_or_leave();
  bool move_straight(const Tangent& friction, double length, bool sticks = false);
  void add(const VectorOf<D>& impulse, double work, double friction_work);
  bool end_stage();
  double straight_to_end(double rate) const;
  double over_the_end(double normal_velocity, double impulse, double work) const;
  Tangent sticking() const;
  Tangent leaving(double& rate) const;
  void note(ImpactRegime regime);
  Tangent slip() const { return u_.template tail<D - 1>(); }

  const OnePointImpact<D>& impact_;
  const Eigen::Matrix<double, D, D>& w_;
  VectorOf<D> u_;
  const double speed_;  // m/s, that speeds are compared with
  OnePointOutcome<D> out_;
  double restitution_impulse_ = 0;
  bool restituting_ = false;
};

template <int D>
void Process<D>::note(ImpactRegime regime) {
  if (out_.regime_count > 0 && out_.regimes[out_.regime_count - 1] == regime) return;
  if (out_.regime_count < OnePointOutcome<D>::most_regimes) out_.regimes[out_.regime_count++] = regime;
}

template <int D>
void Process<D>::add(const VectorOf<D>& impulse, double work, double friction_work) {
  out_.impulse += impulse;
  out_.friction_work += friction_work;
  if (restituting_) {
    restitution_impulse_ += impulse[0], out_.restitution_work += work;
  } else {
    out_.compression_impulse += impulse[0], out_.compression_work += work;
  }
}

// Normal impulse until restitution ends, while u_N grows by `rate` per impulse; infinite where it does not get there.
template <int D>
double Process<D>::straight_to_end(double rate) const {
  const double e = impact_.restitution, now = u_[0];
  switch (impact_.end) {
    case ImpactEnd::newton: {
      const double missing = -e * impact_.before[0] - now;
      return missing <= 0 ? 0 : rate > 0 ? missing / rate : infinite;
    }
    case ImpactEnd::poisson:
      return std::max(0.0, e * out_.compression_impulse - restitution_impulse_);
    case ImpactEnd::energetic:
      break;
  }
  const double missing = -e * e * out_.compression_work - out_.restitution_work;
  if (missing <= 0) return 0;
  const double square = now * now + 2 * rate * missing;
  const double sum = square < 0 ? 0 : now + std::sqrt(square);
  return sum > 0 ? 2 * missing / sum : infinite;
}

// Not negative: the stage is over, `impulse` and `work` after the state.
template <int D>
double Process<D>::over_the_end(double normal_velocity, double impulse, double work) const {
  if (!restituting_) return normal_velocity;
  const double e = impact_.restitution;
  switch (impact_.end) {
    case ImpactEnd::newton:
      return normal_velocity + e * impact_.before[0];
    case ImpactEnd::poisson:
      return restitution_impulse_ + impulse - e * out_.compression_impulse;
    default:
      return out_.restitution_work + work + e * e * out_.compression_work;
  }
}

// Compression or restitution is over. True: so is the process.
template <int D>
bool Process<D>::end_stage() {
  if (restituting_) return true;
  u_[0] = 0;
  restituting_ = true;
  return impact_.restitution == 0;
}

// A piece with constant tangential impulse per normal impulse, `length` long at the most. True: the process is over.
template <int D>
bool Process<D>::move_straight(const Tangent& friction, double length, bool sticks) {
  VectorOf<D> direction;
  direction << 1.0, friction;
  VectorOf<D> rate = w_ * direction;
  if (sticks) rate.template tail<D - 1>().setZero();
  if (std::abs(rate[0]) <= locking * w_(0, 0)) rate[0] = 0;
  for (int stage = 0; stage < most_steps; ++stage) {
    // Restitution turns into compression again where friction jams.
    if (restituting_ && u_[0] <= 0 && rate[0] < 0) restituting_ = false;
    const double to_zero = u_[0] * rate[0] < 0 ? -u_[0] / rate[0] : infinite;
    const double to_end = !restituting_ ? to_zero : straight_to_end(rate[0]);
    const double part = std::min({to_end, to_zero, length});
    if (part == infinite || (rate[0] == 0 && length == infinite)) {
      out_.locked = true;
      return true;
    }
    add(part * direction, part * (u_[0] + 0.5 * part * rate[0]),
        part * friction.dot(slip() + 0.5 * part * rate.template tail<D - 1>()));
    u_ += part * rate;
    length -= part;
    if (to_end <= part) {
      if (end_stage()) return true;
    } else if (to_zero <= part) {
      u_[0] = 0;
      restituting_ = false;
    } else {
      return false;
    }
  }
  return true;
}

// Tangential impulse per normal impulse that leaves the slip as it is; none in directions that nothing moves.
template <int D>
typename Process<D>::Tangent Process<D>::sticking() const {
  const Tangent coupling = w_.template bottomLeftCorner<D - 1, 1>();
  const double negligible = singular * w_.diagonal().maxCoeff();
  if constexpr (D == 2) {
    return w_(1, 1) > negligible ? Tangent(-coupling / w_(1, 1)) : Tangent(Tangent::Zero());
  } else {
    Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> axes;
    axes.computeDirect(w_.template bottomRightCorner<2, 2>());
    Tangent result = Tangent::Zero();
    for (int k = 0; k < 2; ++k) {
      const Tangent axis = axes.eigenvectors().col(k);
      if (axes.eigenvalues()[k] > negligible) result -= axis.dot(coupling) / axes.eigenvalues()[k] * axis;
    }
    return result;
  }
}

// Direction s in which slip sets in where friction cannot hold it: W_TN − μ W_TT s = g s with g > 0, so that
// |(μ W_TT + g)⁻¹ W_TN| = 1. The left side falls with g, and is above 1 at g = 0: there is one such g.
template <int D>
typename Process<D>::Tangent Process<D>::leaving(double& rate) const {
  const Tangent coupling = w_.template bottomLeftCorner<D - 1, 1>();
  const double mu = impact_.friction;
  if constexpr (D == 2) {
    rate = std::abs(coupling[0]) - mu * w_(1, 1);
    return Tangent(std::copysign(1.0, coupling[0]));
  } else {
    const Eigen::Matrix2d tangential = w_.template bottomRightCorner<2, 2>();
    const auto direction = [&](double g) -> Tangent {
      const Eigen::Matrix2d matrix = mu * tangential + g * Eigen::Matrix2d::Identity();
      return Tangent(matrix(1, 1) * coupling[0] - matrix(0, 1) * coupling[1],
                     matrix(0, 0) * coupling[1] - matrix(0, 1) * coupling[0]) /
             matrix.determinant();
    };
    double low = 0, high = coupling.norm();
    for (int k = 0; k < most_bisections; ++k) {
      rate = 0.5 * (low + high);
      if (rate <= low || rate >= high) break;
      (direction(rate).squaredNorm() > 1 ? low : high) = rate;
    }
    rate = high;
    return direction(high).normalized();
  }
}

// From rest.
template <int D>
bool Process<D>::stay_or_leave() {
  u_.template tail<D - 1>().setZero();
  const Tangent holding = sticking();
  if (holding.norm() <= impact_.friction) {
    note(ImpactRegime::stick);
    return move_straight(holding, infinite, true);
  }
  double rate = 0;
  const Tangent direction = leaving(rate);
  note(out_.regime_count > 0 ? ImpactRegime::reversed_slide : ImpactRegime::slide);
  return move_straight(-impact_.friction * direction, infinite);
}

// From slip, until it vanishes or its direction has to be looked at again.
template <int D>
bool Process<D>::slide() {
  const double size = slip().norm(), mu = impact_.friction;
  const Tangent direction = slip() / size;
  VectorOf<D> impulse;
  impulse << 1.0, -mu * direction;
  const VectorOf<D> rate = w_ * impulse;
  note(rate[0] < -locking * w_(0, 0) ? ImpactRegime::jam : ImpactRegime::slide);
  const Tangent tangential = rate.template tail<D - 1>();
  const double slowing = tangential.dot(direction);
  if constexpr (D == 3) {
    const double turning = (tangential - slowing * direction).norm();
    const double largest = w_.template bottomRows<2>().norm() * (1 + mu);
    // A turn that rounding alone makes, or what is left of one while slip ends.
    const bool straight =
        turning <= rounding * largest || (slowing < 0 && turning * size <= rounding * largest * speed_);
    if (!straight) return slide_in_series();
  }
  if (slowing >= 0) return move_straight(-mu * direction, infinite);
  if (move_straight(-mu * direction, -size / slowing)) return true;
  u_.template tail<D - 1>().setZero();
  return false;
}

template <int D>
bool Process<D>::slide_in_series() {
  if constexpr (D == 3) {
    SlipSeries series(w_, impact_.friction);
    series.expand(u_);
    const double reach = series.reach();
    const auto over = [&](double sigma) {
      return over_the_end(series.normal_velocity(sigma), series.impulse(sigma), series.work(sigma));
    };
    const auto jams = [&](double sigma) { return restituting_ && series.normal_velocity(sigma) < 0; };
    const auto happens = [&](double sigma) { return over(sigma) >= 0 || jams(sigma); };
    double before = 0, sigma = reach;
    bool event = false;
    for (int k = 1; k <= samples && !event; ++k) {
      sigma = reach * k / samples;
      event = happens(sigma);
      if (!event) before = sigma;
    }
    for (int k = 0; event && k < most_bisections; ++k) {
      const double middle = 0.5 * (before + sigma);
      if (middle <= before || middle >= sigma) break;
      (happens(middle) ? sigma : before) = middle;
    }
    const bool is_over = event && over(sigma) >= 0;
    add(series.impulses(sigma), series.work(sigma), series.friction_work(sigma));
    u_ = series.velocity(sigma);
    if (is_over) return end_stage();
    if (event) {
      u_[0] = 0;
      restituting_ = false;
    }
  }
  return false;
}

template <int D>
OnePointOutcome<D> Process<D>::run() {
  if (u_[0] < 0 && w_(0, 0) > 0) {
    if (impact_.friction == 0) {
      note(ImpactRegime::slide);
      move_straight(Tangent::Zero(), infinite);
    } else {
      bool over = false;
      for (int step = 0; !over && step < most_steps; ++step)
        over = slip().norm() <= rounding * speed_ ? stay_or_leave() : slide();
    }
  }
  out_.after = u_;
  return out_;
}

}  // namespace

template <int D>
OnePointOutcome<D> follow_impact(const OnePointImpact<D>& impact) {
  return Process<D>(impact).run();
}

template OnePointOutcome<2> follow_impact<2>(const OnePointImpact<2>&);
template OnePointOutcome<3> follow_impact<3>(const OnePointImpact<3>&);

}  // namespace carom::inline impact
