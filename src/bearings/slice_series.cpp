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
constexpr double looks_without_near = 12;
// Of the depth of the shallowest slice to the reach that is to be expected.
constexpr double expected_depth = 12;
// What is left out, of the load of all slices.
constexpr double tolerance = 1e-11;
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
    const double bound = depth > 0 ? depth / expected_depth : -depth;
    if (bound >= least[packed_width]) continue;
    int place = packed_width;
    for (; place > 0 && least[place - 1] > bound; --place)
      least[place] = least[place - 1], which[place] = which[place - 1];
    least[place] = bound, which[place] = k;
  }
  near_count_ = least[0] > wanted ? 0 : std::min(packed_width, law.slices);
  reach_ = least[near_count_];
  near_place_ = Packed{}, near_drop_ = Packed{} + no_slice;
  for (int k = 0; k < near_count_; ++k)
    near_[k] = which[k], near_place_[k] = law.place[which[k]], near_drop_[k] = law.drop[which[k]];
}

// The sums Σ x^k d^(10/9 − n) become the coefficients of μ^j τ^k with n = j + k, of loads, and with k + 1 of moments.
void SliceSeries::add_far(const RollerLaw& law) {
  Packed sums[order_ + 1][order_ + 2]{}, left{}, least = Packed{} + std::numeric_limits<double>::infinity(),
                                                 free = least;
  for (std::size_t k = 0; k < law.place.size(); k += packed_width) {
    const SlicePacket slices(law, centre_, k);
    Packed depth = slices.depth;
    for (int near = 0; near < near_count_; ++near) {
      const auto place = static_cast<std::size_t>(near_[near]);
      if (place >= k && place < k + packed_width) depth[place - k] = -no_slice;
    }
    const Packed pressed = depth > 0 ? depth : Packed{} + 1.0;
    Packed load = pressed;
    take_ninth_root(load);
    load = depth > 0 ? load * pressed : Packed{};
    least = (depth > 0) & (depth < least) ? depth : least;
    free = (depth <= 0) & (-depth < free) ? -depth : free;
    const Packed inverse = 1 / pressed;
    for (int n = 0; n <= order_; ++n, load *= inverse) {
      Packed each = load;
      for (int x = 0; x <= n + 1; ++x, each *= slices.x) sums[n][x] += each;
    }
    left += load;
  }
  find_reach(totals(sums[0][0], left), smallest(least), smallest(free));
  std::size_t at = 0;
  for (int j = order_; j >= 0; --j) {
    for (int k = order_ - j; k >= 0; --k)
      terms_[at++] = choose(j + k) * choose(j + k, k) * totals(sums[j + k][k], sums[j + k][k + 1]);
  }
}

// Of the load of all and the sum in the first term that is left out.
void SliceSeries::find_reach(const PackedPair& sums, double least, double free) {
  // u ≤ 1/4, which makes 1/(1 − u) no larger than 4/3.
  const double left = std::abs(choose(order_ + 1)) * 4 / 3 * sums[1];
  reach_ = std::min({least / 4, free, std::cbrt(std::sqrt(tolerance * sums[0] / left))});
}

double SliceSeries::distance(const SliceDepths& at) const {
  return std::abs(at.middle - centre_.middle) + half_length_ * std::abs(at.tilt - centre_.tilt);
}

// The factor of μ^j.
template <int j>
[[gnu::always_inline]] inline SliceSeries::Pair SliceSeries::row(double tau) const {
  constexpr int powers = order_ - j, first = powers * (powers + 1) / 2;
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
    ((slope = slope * mu + value, value = value * mu + row<order_ - 1 - j>(tau)), ...);
  }
  (std::make_integer_sequence<int, order_>());
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
  constexpr int order = SliceSeries::order_;
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
  near_root_ = pressed.root, near_load_ = pressed.depth * pressed.root;
  add(unshifted_, near_load_, near_root_, series.near_place_);
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
  const Shifted near = nearest_ > near_shifts * shift ? by_series(near_depth_, near_load_, near_root_, shift)
                                                      : one_by_one(near_depth_, shift);
  add(result.less, near.inner, near.inner_root, series_.near_place_);
  add(result.more, near.outer, near.outer_root, series_.near_place_);
  return result;
}

}  // namespace carom::inline bearings
