#include "bearings/slice_series.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "bearings/slice_packet.h"

namespace carom::inline bearings {
namespace {

constexpr double power = 10.0 / 9;
// A series costs as much as several looks at the slices: it is built where at least so many are likely to be within its
// reach.
constexpr double least_looks = 3;
// Where so many would be too far, slices near the edge of contact are taken one by one.
constexpr double looks_without_near = 5;
// Of a depth, that its change may be.
constexpr double largest_share = 1.0 / 8;
// What is left out, of the load of all slices.
constexpr double tolerance = 5e-11;
// Shifts of slices that are taken one by one: a few of many, the shallowest, whose relative error may be larger.
constexpr double near_shifts = 10;

// n over k.
constexpr double choose(int n, int k) {
  double result = 1;
  for (int i = 0; i < k; ++i) result *= static_cast<double>(n - i) / (i + 1);
  return result;
}

// 10/9 over n.
constexpr double choose(int n) {
  double result = 1;
  for (int i = 0; i < n; ++i) result *= (power - i) / (i + 1);
  return result;
}

// Of the terms that are left out, all together, to the first of them: (10/9 over 6) u⁶/(1 − u).
constexpr int first_left_out = 6;
constexpr double factor_left_out = choose(first_left_out) / (1 - largest_share);

template <int count, class F>
[[gnu::always_inline]] inline void for_each(const F& call) {
  [&]<int... k>(std::integer_sequence<int, k...>) {
    (call(std::integral_constant<int, k>()), ...);
  }
  (std::make_integer_sequence<int, count>());
}

double smallest(const Packed& each) {
  return std::min(std::min(each[0], each[1]), std::min(each[2], each[3]));
}

[[gnu::always_inline]] inline void add(SliceSum& sum, const Packed& load, const Packed& root, const Packed& x) {
  sum.value += totals(load, load * x);
  sum.slope += power * totals(root, root * x);
}

}  // namespace

bool SliceSeries::build(const RollerLaw& law, const SliceDepths& centre, double shift, double moved) {
  centre_ = centre, half_length_ = law.half_length;
  choose_near(law, shift + looks_without_near * moved);
  const double least = shift + least_looks * moved;
  if (!(reach_ > least)) return false;
  add_far(law);
  return reach_ > least;
}

// The four slices that bound the reach most, and what the fifth makes of it; or the first, if that is enough.
void SliceSeries::choose_near(const RollerLaw& law, double wanted) {
  std::array<double, packed_width + 1> least;
  least.fill(std::numeric_limits<double>::infinity());
  std::array<int, packed_width + 1> which{};
  for (int k = 0; k < law.slices; ++k) {
    const double depth = centre_.middle + centre_.tilt * law.place[k] - law.drop[k];
    const double bound = depth > 0 ? depth * largest_share : -depth;
    if (bound >= least[packed_width]) continue;
    int place = packed_width;
    for (; place > 0 && least[place - 1] > bound; --place)
      least[place] = least[place - 1], which[place] = which[place - 1];
    least[place] = bound, which[place] = k;
  }
  reach_ = least[0] > wanted ? least[0] : least[packed_width];
  near_count_ = 0, near_place_ = Packed{}, near_drop_ = Packed{} + no_slice;
  for (int k = 0; k < packed_width && least[k] < reach_; ++k)
    near_place_[k] = law.place[which[k]], near_drop_[k] = law.drop[which[k]], ++near_count_;
}

// The sums Σ x^k d^(10/9 − n) become the coefficients of μ^j τ^k with n = j + k, of loads, and with k + 1 of moments.
void SliceSeries::add_far(const RollerLaw& law) {
  static_assert(first_left_out == order + 1 && factor_left_out > 0);
  Packed sums[order + 1][order + 2]{}, left{};
  for (std::size_t k = 0; k < law.place.size(); k += packed_width) {
    const SlicePacket slices(law, centre_, k);
    const auto far = slices.depth * largest_share >= reach_;
    const Pressed pressed(far ? slices.depth : Packed{} + 1.0);
    Packed load = far ? pressed.depth * pressed.root : Packed{};
    const Packed inverse = 1 / pressed.depth;
    for_each<order + 1>([&]<int n>(std::integral_constant<int, n>) {
      Packed each = load;
      for_each<n + 2>([&]<int x>(std::integral_constant<int, x>) { sums[n][x] += each, each *= slices.x; });
      load *= inverse;
    });
    left += load;
  }
  const PackedPair all = totals(sums[0][0], left);
  if (all[1] > 0) reach_ = std::min(reach_, std::cbrt(std::sqrt(tolerance * all[0] / (factor_left_out * all[1]))));
  for_each<order + 1>([&]<int i>(std::integral_constant<int, i>) {
    for_each<i + 1>([&]<int m>(std::integral_constant<int, m>) {
      constexpr int j = order - i, k = i - m;
      terms_[i * (i + 1) / 2 + m] = choose(j + k) * choose(j + k, k) * totals(sums[j + k][k], sums[j + k][k + 1]);
    });
  });
}

double SliceSeries::distance(const SliceDepths& at) const {
  return std::abs(at.middle - centre_.middle) + half_length_ * std::abs(at.tilt - centre_.tilt);
}

// The factor of μ^j.
template <int j>
[[gnu::always_inline]] inline SliceSeries::Pair SliceSeries::row(double tau) const {
  constexpr int powers = order - j, first = powers * (powers + 1) / 2;
  return [&]<int... k>(std::integer_sequence<int, k...>) {
    Pair sum{};
    ((sum = k == 0 ? terms_[first] : sum * tau + terms_[first + k]), ...);
    return sum;
  }
  (std::make_integer_sequence<int, powers + 1>());
}

SliceSum SliceSeries::sum(const SliceDepths& at) const {
  const double mu = at.middle - centre_.middle, tau = at.tilt - centre_.tilt;
  Pair value = terms_[0], slope{};
  [&]<int... j>(std::integer_sequence<int, j...>) {
    ((slope = slope * mu + value, value = value * mu + row<order - 1 - j>(tau)), ...);
  }
  (std::make_integer_sequence<int, order>());
  SliceSum result{value, slope};
  if (near_count_ == 0) return result;
  const Pressed pressed(at.middle + at.tilt * near_place_ - near_drop_);
  add(result, pressed.depth * pressed.root, pressed.root, near_place_);
  return result;
}

ShiftedSeries::ShiftedSeries(const SliceSeries& series, const SliceDepths& at)
    : series_(series),
      away_(series.distance(at)),
      near_depth_(at.middle + at.tilt * series.near_place_ - series.near_drop_) {
  constexpr int order = SliceSeries::order;
  const double mu = at.middle - series.centre_.middle, tau = at.tilt - series.centre_.tilt;
  [&]<int... j>(std::integer_sequence<int, j...>) {
    ((powers_[j] = series.row<j>(tau)), ...);
  }
  (std::make_integer_sequence<int, order + 1>());
  // From powers of μ + s to those of s.
  [&]<int... i>(std::integer_sequence<int, i...>) {
    const auto shift_from = [&]<int first, int... j>(std::integral_constant<int, first>,
                                                     std::integer_sequence<int, j...>) {
      ((powers_[order - 1 - j] += mu * powers_[order - j]), ...);
    };
    (shift_from(std::integral_constant<int, i>(), std::make_integer_sequence<int, order - i>()), ...);
  }
  (std::make_integer_sequence<int, order>());
  unshifted_ = {powers_[0], powers_[1]};
  if (series.near_count_ == 0) return;
  const Pressed pressed(near_depth_);
  near_pressed_ = pressed.depth, near_load_ = pressed.depth * pressed.root;
  unshifted_.value += totals(near_load_, near_load_ * series.near_place_);
  near_slope_ = power * totals(pressed.root, pressed.root * series.near_place_);
  unshifted_.slope += near_slope_;
  const Packed size = near_depth_ > 0 ? near_depth_ : -near_depth_;
  nearest_ = smallest(size);
}

ShiftedSums ShiftedSeries::sums(double shift) const {
  const auto& g = powers_;
  const double square = shift * shift;
  const Pair even = g[0] + square * (g[2] + square * g[4]), odd = shift * (g[1] + square * (g[3] + square * g[5]));
  const Pair even_slope = g[1] + square * (3 * g[3] + square * (5 * g[5])),
             odd_slope = shift * (2 * g[2] + square * (4 * g[4]));
  ShiftedSums result{{even - odd, even_slope - odd_slope}, {even + odd, even_slope + odd_slope}};
  if (series_.near_count_ == 0) return result;
  const Packed& x = series_.near_place_;
  if (nearest_ <= near_shifts * shift) {
    const Shifted near = one_by_one(near_depth_, shift);
    add(result.less, near.inner, near.inner_root, x);
    add(result.more, near.outer, near.outer_root, x);
    return result;
  }
  const LoadSeries near(near_pressed_, near_load_, shift);
  const Pair near_even = totals(near.even, near.even * x), near_odd = totals(near.odd, near.odd * x);
  result.less.value += near_even - near_odd, result.more.value += near_even + near_odd;
  result.less.slope += near_slope_, result.more.slope += near_slope_;
  return result;
}

}  // namespace carom::inline bearings
