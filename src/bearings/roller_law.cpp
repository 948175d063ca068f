#include "bearings/roller_law.h"

#include <algorithm>
#include <cmath>

#include "base/hot_kernel.h"
#include "bearings/ninth_root.h"

namespace carom::inline bearings {
namespace {

using Eigen::Vector2d;

// One contact is twice as stiff in deflection as both together: c₁ = 2^(10/9) c.
constexpr double single_factor = 2.160119477784612;

// Where no slice is: relieved by a metre.
constexpr double no_slice = 1;

// Both contacts of a slice take half of what the races have come closer, and the shift of the roller: their depths are
// middle + tilt x − P ± shift with middle = ½w and tilt = ½ψ. Sums are without c₁, which `scale` puts in.
struct Depths {
  double middle, tilt;
  explicit Depths(const Vector2d& approach) : middle(approach[0] / 2), tilt(approach[1] / 2) {}
};

double scale(const RollerLaw& law) {
  return single_factor * law.slice_stiffness;
}

// Slices in packets; those that fill up the last packet are relieved so much that nothing presses them.
struct Packet {
  Packed x, depth;  // m

  [[gnu::always_inline]] Packet(const RollerLaw& law, const Depths& at, std::size_t k)
      : x(*reinterpret_cast<const Packed*>(&law.place[k])),
        depth(at.middle + at.tilt * x - *reinterpret_cast<const Packed*>(&law.drop[k])) {}
};

// Of depths d: d, or nothing where it is negative, and d^(1/9).
struct Pressed {
  Packed depth, root;

  [[gnu::always_inline]] explicit Pressed(const Packed& given)
      : depth(given > least_for_root ? given : Packed{} + least_for_root), root(depth) {
    take_ninth_root(root);
  }
};

double total(const Packed& each) {
  return (each[0] + each[1]) + (each[2] + each[3]);
}

// Σ d^(10/9), with x, and the derivatives of both by middle and tilt.
struct Sum {
  double load = 0, moment = 0;
  double slope = 0, slope_moment = 0, slope_second = 0;
  double energy = 0;  // ∫ load d(middle)
};

CAROM_HOT_KERNEL Sum add_slices(const RollerLaw& law, const Depths& at, double shift) {
  Packed load{}, moment{}, slope{}, slope_moment{}, slope_second{}, energy{};
  for (std::size_t k = 0; k < law.place.size(); k += packed_width) {
    const Packet slices(law, at, k);
    const Pressed pressed(slices.depth + shift);
    const Packed each = pressed.root * pressed.depth, turned = pressed.root * slices.x;
    load += each, moment += each * slices.x;
    slope += pressed.root, slope_moment += turned, slope_second += turned * slices.x;
    energy += each * pressed.depth;
  }
  constexpr double power = 10.0 / 9;
  return {total(load),
          total(moment),
          power * total(slope),
          power * total(slope_moment),
          power * total(slope_second),
          9.0 / 19 * total(energy)};
}

// Loads and moments alone.
CAROM_HOT_KERNEL Vector2d add_loads(const RollerLaw& law, const Depths& at) {
  Packed load{}, moment{};
  for (std::size_t k = 0; k < law.place.size(); k += packed_width) {
    const Packet slices(law, at, k);
    const Pressed pressed(slices.depth);
    const Packed each = pressed.root * pressed.depth;
    load += each, moment += each * slices.x;
  }
  return {total(load), total(moment)};
}

// Of both races, as far as it needs to settle the roller and to say what it does to the inner one; and of the roller
// that stands in the middle.
struct BothRaces {
  double standing = 0, standing_moment = 0;
  double inner = 0, inner_moment = 0, inner_slope = 0, inner_slope_moment = 0, outer = 0, outer_slope = 0;
};

// Of slices of depths d: (d ± s)^(10/9) and (d ± s)^(1/9).
struct Shifted {
  Packed inner, inner_root, outer, outer_root;
};

[[gnu::always_inline]] inline Shifted one_by_one(const Packed& depth, double shift) {
  const Pressed inner(depth - shift), outer(depth + shift);
  return {inner.root * inner.depth, inner.root, outer.root * outer.depth, outer.root};
}

// Depths to shifts that are larger than this allow series, in u = s/d: the terms left out are 1e-13 and, of the roots,
// which are derivatives, 1e-9.
constexpr double far_from_edge = 32;

[[gnu::always_inline]] inline Shifted by_series(const Pressed& middle, const Packed& load, double shift) {
  constexpr double c1 = 10.0 / 9, c2 = c1 / 18, c3 = -c2 * 8 / 27, c4 = -c3 * 17 / 36, c5 = -c4 * 26 / 45,
                   c6 = -c5 * 35 / 54;
  constexpr double d1 = 1.0 / 9, d2 = -d1 * 4 / 9, d3 = -d2 * 17 / 27, d4 = -d3 * 26 / 36;
  const Packed share = shift / middle.depth;
  // Of a slice that nothing presses it is infinite, and counts nothing.
  const Packed u = share < 1 / far_from_edge ? share : Packed{} + 1 / far_from_edge, square = u * u;
  const Packed even = load * (1 + square * (c2 + square * (c4 + square * c6))),
               odd = load * (u * (c1 + square * (c3 + square * c5)));
  const Packed even_root = middle.root * (1 + square * (d2 + square * d4)),
               odd_root = middle.root * (u * (d1 + square * d3));
  return {even - odd, even_root - odd_root, even + odd, even_root + odd_root};
}

CAROM_HOT_KERNEL BothRaces add_both(const RollerLaw& law, const Depths& at, double shift) {
  Packed standing{}, standing_moment{}, inner{}, inner_moment{}, inner_slope{}, inner_slope_moment{}, outer{},
      outer_slope{};
  const double far = far_from_edge * shift;
  for (std::size_t k = 0; k < law.place.size(); k += packed_width) {
    const Packet slices(law, at, k);
    const Pressed middle(slices.depth);
    const Packed load = middle.root * middle.depth;
    const auto near = (slices.depth < far) & (slices.depth > -shift);
    const bool any_near = ((near[0] | near[1]) | (near[2] | near[3])) != 0;
    const Shifted each = any_near ? one_by_one(slices.depth, shift) : by_series(middle, load, shift);
    standing += load, standing_moment += load * slices.x;
    inner += each.inner, inner_moment += each.inner * slices.x;
    inner_slope += each.inner_root, inner_slope_moment += each.inner_root * slices.x;
    outer += each.outer, outer_slope += each.outer_root;
  }
  constexpr double power = 10.0 / 9;
  return {total(standing),     total(standing_moment),     total(inner),
          total(inner_moment), power * total(inner_slope), power * total(inner_slope_moment),
          total(outer),        power * total(outer_slope)};
}

// By how much the roller moves outwards: the outer race carries the centrifugal force besides the load of the inner
// one. Newton's method within bounds that close in, from nothing.
double outward_shift(const RollerLaw& law, const Depths& at, double thrown) {
  const double wanted = thrown / scale(law);
  // Between no load inside, and all of the force outside on every slice as if none were relieved.
  double low = 0, high = 0;
  for (int k = 0; k < law.slices; ++k)
    high = std::max(high, 2 * std::abs(at.middle + law.place[k] * at.tilt - law.drop[k]));
  high = high + std::pow(wanted, 0.9) + wanted / static_cast<double>(law.slices);
  double shift = 0;
  for (int k = 0; k < 60; ++k) {
    const BothRaces sum = add_both(law, at, shift);
    const double rest = sum.outer - sum.inner - wanted, slope = sum.outer_slope + sum.inner_slope;
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

// The roller settled anew from where it was, without c₁. What the last of Newton's steps changes is added to the sums
// of before: it is so small that the square of it is lost.
RollerLoads settle_roller(const RollerLaw& law, const Depths& at, double thrown, RollerRest& rest) {
  const double wanted = thrown / scale(law);
  double shift = rest.shift + rest.by_middle * (at.middle - rest.middle) + rest.by_thrown * (thrown - rest.thrown);
  if (!rest.known || !(shift > 0)) shift = outward_shift(law, at, thrown);
  for (int k = 0; k < 6; ++k) {
    const BothRaces sum = add_both(law, at, shift);
    const double all = sum.outer_slope + sum.inner_slope, step = (wanted + sum.inner - sum.outer) / all;
    if (!(all > 0) || !(shift + step > 0)) break;
    shift += step;
    if (std::abs(step) > 1e-7 * (shift + std::abs(at.middle))) continue;
    rest = {.known = true,
            .shift = shift,
            .middle = at.middle,
            .thrown = thrown,
            .by_middle = (sum.inner_slope - sum.outer_slope) / all,
            .by_thrown = 1 / (all * scale(law))};
    return {{sum.inner - sum.inner_slope * step, sum.inner_moment - sum.inner_slope_moment * step},
            {sum.standing, sum.standing_moment}};
  }
  rest.known = false;
  const BothRaces sum = add_both(law, at, outward_shift(law, at, thrown));
  return {{sum.inner, sum.inner_moment}, {sum.standing, sum.standing_moment}};
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
    rest.known = false;
    return {};
  }
  const double round = round_speed(law, speeds), thrown = law.centrifugal * round * round;
  const Depths at(approach);
  RollerLoads result;
  if (thrown > 0) {
    result = settle_roller(law, at, thrown, rest);
  } else {
    result.force = result.standing = add_loads(law, at);
  }
  result.force *= scale(law), result.standing *= scale(law);
  return result;
}

RollerForce roller_force(const RollerLaw& law, const Vector2d& approach, const RingSpeeds& speeds) {
  const double round = round_speed(law, speeds), thrown = law.centrifugal * round * round;
  RollerForce result;
  result.outer_load = thrown;
  if (is_free(law, approach)) return result;
  const Depths at(approach);
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
  const Depths at(approach);
  const double shift = thrown > 0 ? outward_shift(law, at, thrown) : 0, factor = scale(law);
  for (int k = 0; k < law.slices; ++k) {
    const double depth = at.middle + at.tilt * law.place[k] - law.drop[k];
    const auto load = [&](double pressed) { return pressed > 0 ? factor * std::pow(pressed, 10.0 / 9) : 0; };
    inner[k] = load(depth - shift), outer[k] = load(depth + shift);
  }
}

}  // namespace carom::inline bearings
