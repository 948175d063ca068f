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

double count_of(const RollerLaw& law) {
  return static_cast<double>(law.slices);
}

// Sum over the slices of c (share · D + shift)^(10/9) and what belongs to it.
struct Sum {
  double load = 0, moment = 0;                           // N, N m
  double slope = 0, slope_moment = 0, slope_second = 0;  // ∂load/∂w, ∂load/∂ψ = ∂moment/∂w, ∂moment/∂ψ
  double energy = 0;                                     // J
};

// Slices in packets; those that fill up the last packet are relieved so much that nothing presses them.
CAROM_HOT_KERNEL Sum add_slices(const RollerLaw& law, const Vector2d& approach, double stiffness, double share,
                                double shift) {
  Packed load{}, moment{}, slope_sum{}, slope_moment{}, slope_second{}, energy{};
  const double middle = share * approach[0] + shift, tilt = share * approach[1];
  for (std::size_t k = 0; k < law.place.size(); k += packed_width) {
    const Packed x = *reinterpret_cast<const Packed*>(&law.place[k]),
                 relief = *reinterpret_cast<const Packed*>(&law.relief[k]);
    Packed depth = middle + tilt * x - share * relief;
    // Nothing where it is negative.
    depth = (Packed)((PackedBits)depth & (PackedBits)(depth > 0));
    Packed slope = depth;
    take_ninth_root(slope);
    slope *= stiffness;
    const Packed pressed = slope * depth;
    load += pressed, moment += pressed * x;
    slope_sum += slope, slope_moment += slope * x, slope_second += slope * x * x;
    energy += pressed * depth;
  }
  const auto total = [](const Packed& each) { return (each[0] + each[1]) + (each[2] + each[3]); };
  return {total(load),
          total(moment),
          10.0 / 9 * total(slope_sum),
          10.0 / 9 * total(slope_moment),
          10.0 / 9 * total(slope_second),
          9.0 / 19 * total(energy)};
}

// By how much the roller moves outwards: the outer race carries the centrifugal force besides the load of the inner
// one.
double outward_shift(const RollerLaw& law, const Vector2d& approach, double thrown) {
  const double stiffness = single_factor * law.slice_stiffness;
  const double count = count_of(law);
  // Between no load inside, and all of the force outside on every slice as if none were relieved.
  double low = 0, high = 0;
  for (int k = 0; k < law.slices; ++k)
    high = std::max(high, std::abs(approach[0] + law.place[k] * approach[1] - law.relief[k]));
  high = high + std::pow(thrown / stiffness, 0.9) + thrown / (stiffness * count);
  double shift = 0;
  for (int k = 0; k < 60; ++k) {
    const Sum outer = add_slices(law, approach, stiffness, 0.5, shift),
              inner = add_slices(law, approach, stiffness, 0.5, -shift);
    const double rest = outer.load - inner.load - thrown, slope = outer.slope + inner.slope;
    (rest > 0 ? high : low) = shift;
    const double next = slope > 0 ? shift - rest / slope : high;
    const double accepted = next > low && next < high ? next : (low + high) / 2;
    // After Newton's step that is so small the next one would be lost in rounding.
    const bool last = std::abs(accepted - shift) <= (accepted == next ? 1e-8 : 1e-15) * std::abs(accepted);
    if (last) return accepted;
    shift = accepted;
  }
  return shift;
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
    law.relief.push_back(2 * crown_drop(geometry, x));
  }
  law.slices = geometry.slices, law.half_length = geometry.length / 2;
  while (law.place.size() % packed_width != 0) law.place.push_back(0), law.relief.push_back(no_slice);
  return law;
}

RollerForce roller_force(const RollerLaw& law, const Vector2d& approach, const RingSpeeds& speeds) {
  const double round = round_speed(law, speeds), thrown = law.centrifugal * round * round;
  RollerForce result;
  // Its ends are relieved, and the middle is not: nothing presses it.
  const bool free = approach[0] + law.half_length * std::abs(approach[1]) <= 0;
  result.outer_load = thrown;
  if (free) return result;
  const Sum standing = add_slices(law, approach, law.slice_stiffness, 1, 0);
  result.energy = standing.energy;
  if (thrown == 0) {
    result.force = {standing.load, standing.moment};
    result.stiffness << standing.slope, standing.slope_moment, standing.slope_moment, standing.slope_second;
    result.outer_load = standing.load;
    return result;
  }
  const double shift = outward_shift(law, approach, thrown), stiffness = single_factor * law.slice_stiffness;
  const Sum inner = add_slices(law, approach, stiffness, 0.5, -shift),
            outer = add_slices(law, approach, stiffness, 0.5, shift);
  // Each contact takes half of what the races have come closer, and the shift.
  result.force = {inner.load, inner.moment};
  result.outer_load = outer.load;
  const double all = outer.slope + inner.slope;
  const Vector2d inner_slope(inner.slope, inner.slope_moment), outer_slope(outer.slope, outer.slope_moment);
  // rest(approach, shift) = 0: ∂shift/∂approach = −½ (outer − inner)/(outer + inner).
  const Vector2d shift_by = all > 0 ? Vector2d(-0.5 * (outer_slope - inner_slope) / all) : Vector2d(Vector2d::Zero());
  result.stiffness << inner.slope / 2, inner.slope_moment / 2, inner.slope_moment / 2, inner.slope_second / 2;
  result.stiffness -= inner_slope * shift_by.transpose();
  const double shift_by_round = all > 0 ? 2 * law.centrifugal * round / all : 0;
  result.by_round = -inner_slope * shift_by_round;
  return result;
}

void slice_loads(const RollerLaw& law, const Vector2d& approach, const RingSpeeds& speeds, double* inner,
                 double* outer) {
  const double round = round_speed(law, speeds), thrown = law.centrifugal * round * round;
  const double shift = thrown > 0 ? outward_shift(law, approach, thrown) : 0;
  const double stiffness = single_factor * law.slice_stiffness;
  for (int k = 0; k < law.slices; ++k) {
    const double half = (approach[0] + law.place[k] * approach[1] - law.relief[k]) / 2;
    const auto load = [&](double depth) { return depth > 0 ? stiffness * std::pow(depth, 10.0 / 9) : 0; };
    inner[k] = load(half - shift), outer[k] = load(half + shift);
  }
}

}  // namespace carom::inline bearings
