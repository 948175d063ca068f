#include "impact/interior_point.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace carom::inline impact {
namespace {

constexpr double boundary_share = 0.99;  // of the way to the boundary
constexpr double short_step = 0.1;       // of a predictor, after which the target hardly moves
constexpr double timid_target = 0.8;     // of the gap, then
constexpr double stalled_step = 1e-3;
constexpr int most_stalls = 4;
constexpr int most_cuts_of_a_step = 10;
constexpr double cut_of_a_step = 0.8;
constexpr double least_radius_seen = 0.05;  // smaller ones would begin with impulses that are far too large
constexpr double held_regularisation = 1e-12;

double tail_length(const ConePoint& v, int size) {
  return norm_of(v.entry + 1, size);
}

// x₀² − |x̄|², without cancelling.
double cone_square(const ConePoint& v, int size) {
  const double tail = tail_length(v, size);
  return (v.entry[0] - tail) * (v.entry[0] + tail);
}

double tail_product(const ConePoint& a, const ConePoint& b, int size) {
  double sum = 0;
  for (int k = 1; k <= size; ++k) sum += a.entry[k] * b.entry[k];
  return sum;
}

// P v, or P⁻¹ v where `inverse`.
ConePoint scaled_point(const ConeScaling& scaling, const ConePoint& v, int size, bool inverse) {
  const ConePoint& w = scaling.direction;
  const double sign = inverse ? -1 : 1, root = inverse ? 1 / std::sqrt(scaling.factor) : std::sqrt(scaling.factor);
  const double along = tail_product(w, v, size);
  ConePoint result;
  result.entry[0] = root * (w.entry[0] * v.entry[0] + sign * along);
  const double share = sign * v.entry[0] + along / (1 + w.entry[0]);
  for (int k = 1; k <= size; ++k) result.entry[k] = root * (v.entry[k] + share * w.entry[k]);
  return result;
}

// P² v
ConePoint twice_scaled_point(const ConeScaling& scaling, const ConePoint& v, int size) {
  const ConePoint& w = scaling.direction;
  const double along = 2 * (w.entry[0] * v.entry[0] + tail_product(w, v, size));
  ConePoint result;
  result.entry[0] = scaling.factor * (along * w.entry[0] - v.entry[0]);
  for (int k = 1; k <= size; ++k) result.entry[k] = scaling.factor * (along * w.entry[k] + v.entry[k]);
  return result;
}

// False: one of them is not inside its cone any more, as far as rounding tells.
bool find_scaling(const ConePoint& x, const ConePoint& z, int size, ConeScaling& scaling) {
  const double xx = cone_square(x, size), zz = cone_square(z, size);
  if (!(xx > 0) || !(zz > 0) || !std::isfinite(xx) || !std::isfinite(zz)) return false;
  const double a = std::sqrt(xx), b = std::sqrt(zz);
  const double product = (x.entry[0] * z.entry[0] + tail_product(x, z, size)) / (a * b);
  const double half = 2 * std::sqrt(std::max(0.0, (1 + product) / 2));
  scaling.factor = b / a;
  scaling.direction.entry[0] = (x.entry[0] / a + z.entry[0] / b) / half;
  for (int k = 1; k <= size; ++k) scaling.direction.entry[k] = (z.entry[k] / b - x.entry[k] / a) / half;
  scaling.middle = scaled_point(scaling, x, size, false);
  return half > 0;
}

// The largest α with x + α dx in the cone.
double way_to_boundary(const ConePoint& x, const ConePoint& dx, int size) {
  constexpr double none = std::numeric_limits<double>::infinity();
  double way = dx.entry[0] < 0 ? -x.entry[0] / dx.entry[0] : none;
  if (size == 0) return way;
  const double a = dx.entry[0] * dx.entry[0] - tail_product(dx, dx, size);
  const double b = x.entry[0] * dx.entry[0] - tail_product(x, dx, size), c = cone_square(x, size);
  const double square = b * b - a * c;
  if (square < 0) return way;
  const double q = -(b + std::copysign(std::sqrt(square), b));
  const double roots[] = {a != 0 ? q / a : none, q != 0 ? c / q : none};
  for (const double root : roots) {
    if (root > 0) way = std::min(way, root);
  }
  return way;
}

}  // namespace

template <int B>
void InteriorPoint<B>::start(const ContactBlocks<B>& blocks, const InteriorStart& from) {
  from_ = from;
  const int n = blocks.size();
  cones_.clear(), x_.clear(), z_.clear();
  size_ = blocks.free_size > 0 ? blocks.free_size / std::sqrt(n) : 1;
  r_.assign(n, Vector::Zero());
  free_.resize(n);
  for (int c = 0; c < n; ++c) {
    free_[c] = blocks.free[c] / size_;
    const auto& contact = blocks.contacts[c];
    if (contact.bilateral) continue;
    double largest = contact.balls > 0 ? least_radius_seen : 1;
    for (int b = contact.first_ball; b < contact.first_ball + contact.balls; ++b) {
      const auto& ball = blocks.balls[b];
      cones_.push_back({c, ball.first, ball.size, ball.radius});
      largest = std::max(largest, ball.radius);
    }
    if (contact.balls == 0) cones_.push_back({c, 1, 0, 1});
    r_[c][0] = from.size / std::pow(largest, from.radius_power);
  }
  x_.resize(cones_.size()), z_.resize(cones_.size());
  take_cones(r_, x_);
  for (std::size_t k = 0; k < cones_.size(); ++k) z_[k] = {}, z_[k].entry[0] = from.size / x_[k].entry[0];
  for (auto* points : {&dx_, &dz_, &complement_, &rest_, &cone_work_}) points->resize(cones_.size());
  for (auto* vectors : {&dr_, &residual_, &work_, &out_}) vectors->resize(n);
  scaling_.resize(cones_.size());
  factorisations_ = stalls_ = 0;
  find_residual(blocks);
}

// x = G r
template <int B>
void InteriorPoint<B>::take_cones(const Vectors& r, ConePoints& x) const {
  for (std::size_t k = 0; k < cones_.size(); ++k) {
    const Cone& cone = cones_[k];
    const Vector& own = r[cone.contact];
    x[k].entry[0] = cone.radius * own[0];
    for (int l = 0; l < cone.size; ++l) x[k].entry[1 + l] = own[cone.first + l];
  }
}

// W r of the rows that act: friction of contacts that are held has no bound here.
template <int B>
void InteriorPoint<B>::multiply(const ContactBlocks<B>& blocks, const Vectors& r, Vectors& product) const {
  for (int c = 0; c < blocks.size(); ++c) {
    product[c].setZero();
    for (int k = blocks.first[c]; k < blocks.first[c + 1]; ++k)
      product[c].noalias() += blocks.delassus[k] * r[blocks.columns[k]];
    if (blocks.contacts[c].bilateral) product[c].template tail<B - 1>() = r[c].template tail<B - 1>();
  }
}

// to += f E z: Gᵀ z less the derivative of μ |z̄| e_N, unless that is frozen.
template <int B>
void InteriorPoint<B>::add_bounds(const ConePoints& z, double factor, Vectors& to) const {
  for (std::size_t k = 0; k < cones_.size(); ++k) {
    const Cone& cone = cones_[k];
    const double slip = tail_length(z_[k], cone.size);
    const double along = slip > 0 && !frozen_ ? tail_product(z_[k], z[k], cone.size) / slip : 0;
    Vector& own = to[cone.contact];
    own[0] += factor * cone.radius * (z[k].entry[0] - along);
    for (int l = 0; l < cone.size; ++l) own[cone.first + l] += factor * z[k].entry[1 + l];
  }
}

template <int B>
void InteriorPoint<B>::find_residual(const ContactBlocks<B>& blocks) {
  frozen_ = false;
  multiply(blocks, r_, residual_);
  for (int c = 0; c < blocks.size(); ++c) {
    if (blocks.contacts[c].bilateral) {
      residual_[c][0] += free_[c][0];
    } else {
      residual_[c] += free_[c];
    }
  }
  add_bounds(z_, -1, residual_);
  double product = 0, square = 0;
  for (std::size_t k = 0; k < cones_.size(); ++k)
    product += x_[k].entry[0] * z_[k].entry[0] + tail_product(x_[k], z_[k], cones_[k].size);
  for (const Vector& each : residual_) square += each.squaredNorm();
  gap_ = cones_.empty() ? 0 : product / static_cast<double>(cones_.size());
  imbalance_ = std::sqrt(square / std::max(1, blocks.size()));
}

template <int B>
bool InteriorPoint<B>::scale() {
  for (std::size_t k = 0; k < cones_.size(); ++k) {
    if (!find_scaling(x_[k], z_[k], cones_[k].size, scaling_[k])) return false;
  }
  return true;
}

// W + E P² G
template <int B>
void InteriorPoint<B>::fill_matrix(const ContactBlocks<B>& blocks, BlockLu<B>& lu) {
  lu.clear();
  for (int c = 0; c < blocks.size(); ++c) {
    const auto& contact = blocks.contacts[c];
    for (int k = blocks.first[c]; k < blocks.first[c + 1]; ++k) {
      Block& entry = lu.entry(k);
      entry = blocks.delassus[k];
      if (contact.bilateral) entry.template bottomRows<B - 1>().setZero();
    }
    Block& own = lu.entry(contact.diagonal);
    int rows = 1;
    for (int b = contact.first_ball; b < contact.first_ball + contact.balls; ++b) rows += blocks.balls[b].size;
    if (contact.bilateral) rows = 1, own(0, 0) += held_regularisation;
    for (int k = rows; k < B; ++k) own(k, k) += 1;
  }
  for (std::size_t k = 0; k < cones_.size(); ++k) {
    const Cone& cone = cones_[k];
    Block& own = lu.entry(blocks.contacts[cone.contact].diagonal);
    const double slip = tail_length(z_[k], cone.size);
    for (int j = 0; j <= cone.size; ++j) {  // columns of P² G
      ConePoint unit;
      unit.entry[j] = j == 0 ? cone.radius : 1;
      const ConePoint column = twice_scaled_point(scaling_[k], unit, cone.size);
      const int at = j == 0 ? 0 : cone.first + j - 1;
      const double along = slip > 0 && !frozen_ ? tail_product(z_[k], column, cone.size) / slip : 0;
      own(0, at) += cone.radius * (column.entry[0] - along);
      for (int l = 0; l < cone.size; ++l) own(cone.first + l, at) += column.entry[1 + l];
    }
  }
}

// W dr − E dz = −imbalance, dz = −P² dx + complement, dx = G dr.
template <int B>
void InteriorPoint<B>::solve_once(BlockLu<B>& lu, const Vectors& imbalance, const ConePoints& complement, bool add) {
  for (std::size_t c = 0; c < imbalance.size(); ++c) out_[c] = -imbalance[c];
  add_bounds(complement, 1, out_);
  lu.solve(out_.data());
  take_cones(out_, cone_work_);
  for (std::size_t c = 0; c < out_.size(); ++c) dr_[c] = add ? Vector(dr_[c] + out_[c]) : out_[c];
  for (std::size_t k = 0; k < cones_.size(); ++k) {
    const ConePoint product = twice_scaled_point(scaling_[k], cone_work_[k], cones_[k].size);
    for (int l = 0; l <= cones_[k].size; ++l) {
      const double change = complement[k].entry[l] - product.entry[l];
      dx_[k].entry[l] = cone_work_[k].entry[l] + (add ? dx_[k].entry[l] : 0);
      dz_[k].entry[l] = change + (add ? dz_[k].entry[l] : 0);
    }
  }
}

// With one refinement: where contacts open, P² is very large.
template <int B>
void InteriorPoint<B>::direction(const ContactBlocks<B>& blocks, BlockLu<B>& lu) {
  solve_once(lu, residual_, complement_, false);
  multiply(blocks, dr_, work_);
  for (std::size_t c = 0; c < work_.size(); ++c) work_[c] += residual_[c];
  add_bounds(dz_, -1, work_);
  for (std::size_t k = 0; k < cones_.size(); ++k) {
    const ConePoint product = twice_scaled_point(scaling_[k], dx_[k], cones_[k].size);
    for (int l = 0; l <= cones_[k].size; ++l)
      rest_[k].entry[l] = complement_[k].entry[l] - product.entry[l] - dz_[k].entry[l];
  }
  solve_once(lu, work_, rest_, true);
}

template <int B>
double InteriorPoint<B>::longest_step() const {
  double longest = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < cones_.size(); ++k) {
    const int size = cones_[k].size;
    longest = std::min({longest, way_to_boundary(x_[k], dx_[k], size), way_to_boundary(z_[k], dz_[k], size)});
  }
  return longest;
}

// −z + P v⁻¹ ∘ (σ e − P dx ∘ P⁻¹ dz), of the predictor's dx and dz.
template <int B>
void InteriorPoint<B>::set_corrector(double target) {
  for (std::size_t k = 0; k < cones_.size(); ++k) {
    const int size = cones_[k].size;
    const ConePoint a = scaled_point(scaling_[k], dx_[k], size, false),
                    b = scaled_point(scaling_[k], dz_[k], size, true);
    const ConePoint& v = scaling_[k].middle;
    ConePoint right, ratio;
    right.entry[0] = target - a.entry[0] * b.entry[0] - tail_product(a, b, size);
    for (int l = 1; l <= size; ++l) right.entry[l] = -a.entry[0] * b.entry[l] - b.entry[0] * a.entry[l];
    ratio.entry[0] = (v.entry[0] * right.entry[0] - tail_product(v, right, size)) / cone_square(v, size);
    for (int l = 1; l <= size; ++l) ratio.entry[l] = (right.entry[l] - ratio.entry[0] * v.entry[l]) / v.entry[0];
    complement_[k] = scaled_point(scaling_[k], ratio, size, false);
    for (int l = 0; l <= size; ++l) complement_[k].entry[l] -= z_[k].entry[l];
  }
}

template <int B>
bool InteriorPoint<B>::factor(const ContactBlocks<B>& blocks, BlockLu<B>& lu) {
  fill_matrix(blocks, lu);
  ++factorisations_;
  return lu.factor();
}

// x · z, on average, after that part of the step.
template <int B>
double InteriorPoint<B>::product_after(double part) const {
  double product = 0;
  for (std::size_t k = 0; k < cones_.size(); ++k) {
    for (int l = 0; l <= cones_[k].size; ++l)
      product += (x_[k].entry[l] + part * dx_[k].entry[l]) * (z_[k].entry[l] + part * dz_[k].entry[l]);
  }
  return cones_.empty() ? 0 : product / static_cast<double>(cones_.size());
}

template <int B>
void InteriorPoint<B>::aim_at_the_solution(const ContactBlocks<B>& blocks, BlockLu<B>& lu) {
  for (std::size_t k = 0; k < cones_.size(); ++k) {
    for (int l = 0; l <= cones_[k].size; ++l) complement_[k].entry[l] = -z_[k].entry[l];
  }
  direction(blocks, lu);
  const double predicted = std::min(1.0, boundary_share * longest_step());
  const double left = product_after(predicted) / gap_;
  set_corrector(gap_ * (predicted > short_step ? std::min(1.0, left * left * left) : timid_target));
  direction(blocks, lu);
}

template <int B>
void InteriorPoint<B>::aim_at_the_middle(const ContactBlocks<B>& blocks, BlockLu<B>& lu) {
  std::fill(dx_.begin(), dx_.end(), ConePoint{});
  std::fill(dz_.begin(), dz_.end(), ConePoint{});
  set_corrector(from_.centring * gap_);
  direction(blocks, lu);
}

// No cone is much nearer to its boundary than the others are on average.
template <int B>
bool InteriorPoint<B>::keeps_share(double part) const {
  const double least = from_.least_share * product_after(part);
  for (std::size_t k = 0; k < cones_.size(); ++k) {
    const int size = cones_[k].size;
    ConePoint x = x_[k], z = z_[k];
    for (int l = 0; l <= size; ++l) x.entry[l] += part * dx_[k].entry[l], z.entry[l] += part * dz_[k].entry[l];
    ConeScaling scaling;
    if (!find_scaling(x, z, size, scaling)) return false;
    const double smaller = scaling.middle.entry[0] - tail_length(scaling.middle, size);
    if (smaller * smaller < least) return false;
  }
  return true;
}

template <int B>
double InteriorPoint<B>::guarded_step() const {
  double part = std::min(1.0, boundary_share * longest_step());
  if (from_.least_share == 0) return part;
  for (int cut = 0; cut < most_cuts_of_a_step && !keeps_share(part); ++cut) part *= cut_of_a_step;
  return part;
}

template <int B>
InteriorState InteriorPoint<B>::step(const ContactBlocks<B>& blocks, BlockLu<B>& lu) {
  factorisations_ = 0;
  if (!scale() || !factor(blocks, lu)) return InteriorState::stalled;
  aim_at_the_solution(blocks, lu);
  double part = guarded_step();
  if (!(part >= short_step)) {
    frozen_ = true;
    if (!factor(blocks, lu)) return InteriorState::stalled;
    aim_at_the_middle(blocks, lu);
    part = guarded_step();
  }
  if (!std::isfinite(part)) return InteriorState::stalled;
  for (std::size_t c = 0; c < r_.size(); ++c) r_[c] += part * dr_[c];
  take_cones(r_, x_);
  for (std::size_t k = 0; k < cones_.size(); ++k) {
    for (int l = 0; l <= cones_[k].size; ++l) z_[k].entry[l] += part * dz_[k].entry[l];
  }
  find_residual(blocks);
  stalls_ = part < stalled_step ? stalls_ + 1 : 0;
  return stalls_ >= most_stalls || !std::isfinite(imbalance_) ? InteriorState::stalled : InteriorState::steps;
}

template <int B>
const typename InteriorPoint<B>::Vectors& InteriorPoint<B>::impulses(const ContactBlocks<B>& blocks) {
  for (int c = 0; c < blocks.size(); ++c) out_[c] = size_ * r_[c];
  return out_;
}

template class InteriorPoint<2>;
template class InteriorPoint<3>;
template class InteriorPoint<6>;

}  // namespace carom::inline impact
