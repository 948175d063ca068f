#include "bearings/roller_law.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "bearings/slice_packet.h"

namespace carom::inline bearings {
namespace {

using Eigen::Vector2d;

// One contact is twice as stiff in deflection as both together: c₁ = 2^(10/9) c.
constexpr double single_factor = 2.160119477784612;

// Both contacts of a slice take half of what the races have come closer, and the shift of the roller: their depths are
// middle + tilt x − P ± shift with middle = ½w and tilt = ½ψ. Sums are without c₁, which `scale` puts in.
SliceDepths half_of(const Vector2d& approach) {
  return {approach[0] / 2, approach[1] / 2};
}

double scale(const RollerLaw& law) {
  return single_factor * law.slice_stiffness;
}

Vector2d as_vector(const PackedPair& pair) {
  return {pair[0], pair[1]};
}

// Σ d^(10/9), with x, and the derivatives of both by middle and tilt.
struct Sum {
  double load = 0, moment = 0;
  double slope = 0, slope_moment = 0, slope_second = 0;
  double energy = 0;  // ∫ load d(middle)
};

Sum add_slices(const RollerLaw& law, const SliceDepths& at, double shift) {
  Packed load{}, moment{}, slope{}, slope_moment{}, slope_second{}, energy{};
  for (std::size_t k = 0; k < law.place.size(); k += packed_width) {
    const SlicePacket slices(law, at, k);
    const Pressed pressed(slices.depth + shift);
    const Packed each = pressed.root * pressed.depth, turned = pressed.root * slices.x;
    load += each, moment += each * slices.x;
    slope += pressed.root, slope_moment += turned, slope_second += turned * slices.x;
    energy += each * pressed.depth;
  }
  constexpr double power = 10.0 / 9;
  const PackedPair sums = totals(load, moment), slopes = power * totals(slope, slope_moment),
                   seconds = totals(slope_second, energy);
  return {sums[0], sums[1], slopes[0], slopes[1], power * seconds[0], 9.0 / 19 * seconds[1]};
}

// Loads and moments alone.
Vector2d add_loads(const RollerLaw& law, const SliceDepths& at) {
  Packed load{}, moment{};
  for (std::size_t k = 0; k < law.place.size(); k += packed_width) {
    const SlicePacket slices(law, at, k);
    const Pressed pressed(slices.depth);
    const Packed each = pressed.root * pressed.depth;
    load += each, moment += each * slices.x;
  }
  return as_vector(totals(load, moment));
}

// Of both races, as far as it needs to settle the roller and to say what it does to the inner one; and of the roller
// that stands in the middle.
struct BothRaces {
  SliceSum standing;
  SliceSum inner, outer;
};

BothRaces add_both(const RollerLaw& law, const SliceDepths& at, double shift) {
  Packed standing{}, standing_moment{}, inner{}, inner_moment{}, inner_slope{}, inner_slope_moment{}, outer{},
      outer_moment{}, outer_slope{}, outer_slope_moment{};
  const double far = far_from_edge * shift;
  for (std::size_t k = 0; k < law.place.size(); k += packed_width) {
    const SlicePacket slices(law, at, k);
    const Pressed middle(slices.depth);
    const Packed load = middle.root * middle.depth;
    const auto near = (slices.depth < far) & (slices.depth > -shift);
    const bool any_near = ((near[0] | near[1]) | (near[2] | near[3])) != 0;
    const Shifted each = any_near ? one_by_one(slices.depth, shift) : by_series(middle, load, shift);
    standing += load, standing_moment += load * slices.x;
    inner += each.inner, inner_moment += each.inner * slices.x;
    inner_slope += each.inner_root, inner_slope_moment += each.inner_root * slices.x;
    outer += each.outer, outer_moment += each.outer * slices.x;
    outer_slope += each.outer_root, outer_slope_moment += each.outer_root * slices.x;
  }
  constexpr double power = 10.0 / 9;
  return {{totals(standing, standing_moment)},
          {totals(inner, inner_moment), power * totals(inner_slope, inner_slope_moment)},
          {totals(outer, outer_moment), power * totals(outer_slope, outer_slope_moment)}};
}

// By how much the roller moves outwards: the outer race carries the centrifugal force besides the load of the inner
// one. Newton's method within bounds that close in, from nothing.
double outward_shift(const RollerLaw& law, const SliceDepths& at, double thrown) {
  const double wanted = thrown / scale(law);
  // Between no load inside, and all of the force outside on every slice as if none were relieved.
  double low = 0, high = 0;
  for (int k = 0; k < law.slices; ++k)
    high = std::max(high, 2 * std::abs(at.middle + law.place[k] * at.tilt - law.drop[k]));
  high = high + std::pow(wanted, 0.9) + wanted / static_cast<double>(law.slices);
  double shift = 0;
  for (int k = 0; k < 60; ++k) {
    const BothRaces sum = add_both(law, at, shift);
    const double rest = sum.outer.load() - sum.inner.load() - wanted, slope = sum.outer.slope[0] + sum.inner.slope[0];
    (rest > 0 ? high : low) = shift;
    const double next = slope > 0 ? shift - rest / slope : high;
    const double accepted = next > low && next < high ? next : (low + high) / 2;
    // After Newton's step that is so small the next one would be lost in rounding.
    const bool last = std::abs(accepted - shift) <= (accepted == next ? 1e-8 : 1e-15) * std::abs(accepted);
    shift = accepted;
    if (last) break;
  }
  return shift;
}

double largest_change(const RollerLaw& law, const SliceDepths& from, const SliceDepths& to) {
  return std::abs(to.middle - from.middle) + law.half_length * std::abs(to.tilt - from.tilt);
}

// The sums at a shift of the roller, by the series that was built where its middle was.
struct BySeries {
  static constexpr double last_step = 1e-8;
  ShiftedSeries series;

  bool reaches(double shift) const { return series.reaches(shift); }
  BothRaces operator()(double shift) const {
    const ShiftedSums sums = series.sums(shift);
    return {series.unshifted(), sums.less, sums.more};
  }
};

// Slice by slice.
struct BySlices {
  static constexpr double last_step = 1e-7;
  const RollerLaw& law;
  const SliceDepths& at;
  static bool reaches(double) { return true; }
  BothRaces operator()(double shift) const { return add_both(law, at, shift); }
};

double expected_shift(const RollerRest& rest, const SliceDepths& at, double thrown) {
  return rest.shift + rest.by_depths[0] * (at.middle - rest.at.middle) + rest.by_depths[1] * (at.tilt - rest.at.tilt) +
         rest.by_thrown * (thrown - rest.thrown);
}

// The roller settled anew from where it was, without c₁. What the last of Newton's steps changes is added to the sums
// of before: it is so small that the square of it is lost.
template <class Sums>
bool settle_by(const Sums& sums, const RollerLaw& law, const SliceDepths& at, double shift, double thrown,
               RollerRest& rest, RollerLoads& result) {
  const double wanted = thrown / scale(law);
  for (int k = 0; k < 6; ++k) {
    if (!(shift > 0) || !sums.reaches(shift)) return false;
    const BothRaces sum = sums(shift);
    const double all = sum.outer.slope[0] + sum.inner.slope[0],
                 step = (wanted + sum.inner.load() - sum.outer.load()) / all;
    if (!(all > 0) || !(shift + step > 0)) return false;
    shift += step;
    if (std::abs(step) > Sums::last_step * (shift + std::abs(at.middle))) continue;
    rest.known = true, rest.shift = shift, rest.at = at, rest.thrown = thrown;
    rest.by_depths = (sum.inner.slope - sum.outer.slope) / all;
    rest.by_thrown = 1 / (all * scale(law));
    result = {as_vector(sum.inner.value - sum.inner.slope * step), as_vector(sum.standing.value)};
    return true;
  }
  return false;
}

RollerLoads settle_by_slices(const RollerLaw& law, const SliceDepths& at, double thrown, RollerRest& rest) {
  RollerLoads result;
  const BySlices sums{law, at};
  double shift = rest.known ? expected_shift(rest, at, thrown) : 0;
  if (!(shift > 0)) shift = outward_shift(law, at, thrown);
  if (settle_by(sums, law, at, shift, thrown, rest, result)) return result;
  rest.known = false;
  const BothRaces sum = sums(outward_shift(law, at, thrown));
  return {as_vector(sum.inner.value), as_vector(sum.standing.value)};
}

// Where a series did not pay, the next looks do not ask again.
void renew_series(const RollerLaw& law, const SliceDepths& at, double shift, double moved, RollerRest& rest) {
  constexpr int looks = 8;
  rest.has_series = rest.wait == 0 && rest.series.build(law, at, shift, moved);
  rest.wait = rest.has_series ? 0 : (rest.wait + 1) % looks;
}

// Loads without c₁.
RollerLoads settle_roller(const RollerLaw& law, const SliceDepths& at, double thrown, RollerRest& rest) {
  const double moved = rest.seen ? largest_change(law, rest.last, at) : std::numeric_limits<double>::infinity();
  rest.seen = true, rest.last = at;
  const bool by_series = rest.has_series && rest.series.reaches(at);
  RollerLoads result;
  if (!(thrown > 0)) {
    if (by_series) {
      result.force = as_vector(rest.series.sum(at).value);
    } else {
      result.force = add_loads(law, at);
      renew_series(law, at, 0, moved, rest);
    }
    result.standing = result.force;
    return result;
  }
  if (by_series && rest.known) {
    const BySeries sums{{rest.series, at}};
    const double shift = rest.share * thrown / (scale(law) * sums.series.unshifted().slope[0]);
    if (settle_by(sums, law, at, shift, thrown, rest, result)) {
      rest.share *= rest.shift / shift;
      return result;
    }
  }
  result = settle_by_slices(law, at, thrown, rest);
  rest.share = 0.5;
  renew_series(law, at, rest.shift, moved, rest);
  return result;
}

// Its ends are relieved, and the middle is not: nothing presses it.
bool is_free(const RollerLaw& law, const Vector2d& approach) {
  return approach[0] + law.half_length * std::abs(approach[1]) <= 0;
}

double round_speed(const RollerLaw& law, const RingSpeeds& speeds) {
  return speeds.outer + law.orbit_share * speeds.spin;
}

}  // namespace

double crown_drop(const RollingGeometry& geometry, double x) {
  const double along = 2 * x / geometry.length;
  switch (geometry.profile) {
    case RollerProfile::straight:
      return 0;
    case RollerProfile::circular: {
      // An arc through the middle and both ends: R = (L²/4 + h²)/(2h).
      const double drop = geometry.crowning, half = geometry.length / 2;
      if (!(drop > 0)) return 0;
      const double radius = (half * half + drop * drop) / (2 * drop);
      return x * x / (radius + std::sqrt(radius * radius - x * x));
    }
    case RollerProfile::logarithmic:
      return -geometry.crowning * std::log1p(-along * along);
  }
  return 0;
}

RollerLaw roller_law(const RollingGeometry& geometry) {
  constexpr double of_steel = 35948, mm = 1e-3;  // N/mm^(10/9), with mm^(8/9)
  constexpr double steel = 207e9 / (2 * (1 - 0.3 * 0.3));
  const double modulus = 2 / (1 / geometry.composite_modulus[0] + 1 / geometry.composite_modulus[1]);
  RollerLaw law;
  law.slice_stiffness =
      of_steel * std::pow(geometry.length / mm, 8.0 / 9) / geometry.slices * std::pow(mm, -10.0 / 9) * modulus / steel;
  const double cosine = std::cos(geometry.contact_angle);
  law.centrifugal = geometry.mass * geometry.pitch_diameter / 2 * cosine;
  law.orbit_share = (1 - geometry.element_diameter * cosine / geometry.pitch_diameter) / 2;
  for (int k = 0; k < geometry.slices; ++k) {
    const double x = ((k + 0.5) / geometry.slices - 0.5) * geometry.length;
    law.place.push_back(x);
    law.drop.push_back(crown_drop(geometry, x));
  }
  law.slices = geometry.slices, law.half_length = geometry.length / 2;
  while (law.place.size() % packed_width != 0) law.place.push_back(0), law.drop.push_back(no_slice);
  return law;
}

RollerLoads roller_loads(const RollerLaw& law, const Vector2d& approach, const RingSpeeds& speeds, RollerRest& rest) {
  if (is_free(law, approach)) {
    rest.known = rest.seen = false;
    return {};
  }
  const double round = round_speed(law, speeds), thrown = law.centrifugal * round * round;
  const SliceDepths at = half_of(approach);
  RollerLoads result = settle_roller(law, at, thrown, rest);
  result.force *= scale(law), result.standing *= scale(law);
  return result;
}

RollerForce roller_force(const RollerLaw& law, const Vector2d& approach, const RingSpeeds& speeds) {
  const double round = round_speed(law, speeds), thrown = law.centrifugal * round * round;
  RollerForce result;
  result.outer_load = thrown;
  if (is_free(law, approach)) return result;
  const SliceDepths at = half_of(approach);
  const double factor = scale(law), half = factor / 2;  // each contact feels half of what changes w and ψ
  const Sum standing = add_slices(law, at, 0);
  result.energy = 2 * factor * standing.energy;
  if (thrown == 0) {
    result.force = factor * Vector2d(standing.load, standing.moment);
    result.stiffness << half * standing.slope, half * standing.slope_moment, half * standing.slope_moment,
        half * standing.slope_second;
    result.outer_load = factor * standing.load;
    return result;
  }
  const double shift = outward_shift(law, at, thrown);
  const Sum inner = add_slices(law, at, -shift), outer = add_slices(law, at, shift);
  result.force = factor * Vector2d(inner.load, inner.moment);
  result.outer_load = factor * outer.load;
  const double all = outer.slope + inner.slope;
  const Vector2d inner_slope(inner.slope, inner.slope_moment), outer_slope(outer.slope, outer.slope_moment);
  // rest(approach, shift) = 0: ∂shift/∂approach = −½ (outer − inner)/(outer + inner).
  const Vector2d shift_by = all > 0 ? Vector2d(-0.5 * (outer_slope - inner_slope) / all) : Vector2d(Vector2d::Zero());
  result.stiffness << half * inner.slope, half * inner.slope_moment, half * inner.slope_moment,
      half * inner.slope_second;
  result.stiffness -= factor * inner_slope * shift_by.transpose();
  const double shift_by_round = all > 0 ? 2 * law.centrifugal * round / all : 0;
  result.by_round = -inner_slope * shift_by_round;
  return result;
}

void slice_loads(const RollerLaw& law, const Vector2d& approach, const RingSpeeds& speeds, double* inner,
                 double* outer) {
  const double round = round_speed(law, speeds), thrown = law.centrifugal * round * round;
  const SliceDepths at = half_of(approach);
  const double shift = thrown > 0 ? outward_shift(law, at, thrown) : 0, factor = scale(law);
  for (int k = 0; k < law.slices; ++k) {
    const double depth = at.middle + at.tilt * law.place[k] - law.drop[k];
    const auto load = [&](double pressed) { return pressed > 0 ? factor * std::pow(pressed, 10.0 / 9) : 0; };
    inner[k] = load(depth - shift), outer[k] = load(depth + shift);
  }
}

}  // namespace carom::inline bearings
