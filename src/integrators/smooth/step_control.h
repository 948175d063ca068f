#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/packed.h"
#include "dynamics/system.h"

// What the integrators share: error weights, drift tolerance, landing on a given time.
namespace carom::inline smooth_integrators {

// Drift of the constraints that is left alone, as a fraction of the tolerance, but never below what rounding allows.
// Times the length scale of the system. Far below the tolerance, because contact gaps are measured against the joints.
inline constexpr double drift_fraction = 1e-3;
inline constexpr double smallest_drift = 1e-13;

inline double drift_tolerance(const System& system, double tolerance) {
  return std::max(drift_fraction * tolerance, smallest_drift) * system.length_scale();
}

// m, of the deflection of bristles.
inline constexpr double bristle_scale = 1e-5;
// Of states of signals, in SI, whatever they are.
inline constexpr double signal_scale = 1e-3;

// Absolute tolerances of [q, v, work, internal], the weight of an entry y being 1 / (absolute + tolerance |y|):
//   positions   tolerance · L          angles, quaternions  tolerance · 1
//   velocities  tolerance · max(L, 1 mm) / s   spins        tolerance · 1 rad/s
//   work        tolerance · max(1 J, kinetic energy at the start)
// with L the length scale of the system. Which entries are angles follows from the layout of math/space.h: 3
// coordinates and 3 degrees of freedom per body in the plane, 7 and 6 in space; any other layout counts as positions
// only.
inline Eigen::VectorXd absolute_tolerances(System& system, double tolerance, double energy = 0) {
  const int nq = system.position_size(), nv = system.velocity_size(), nw = system.work_size(),
            nz = system.internal_size();
  const double length = system.length_scale();
  const bool planar = nq == nv && nq % 3 == 0, spatial = nq != nv && 6 * nq == 7 * nv;
  Eigen::VectorXd scale(nq + nv + nw + nz);
  for (int i = 0; i < nq; ++i) scale[i] = (planar && i % 3 == 2) || (spatial && i % 7 >= 3) ? 1 : length;
  for (int i = 0; i < nv; ++i)
    scale[nq + i] = (planar && i % 3 == 2) || (spatial && i % 6 >= 3) ? 1 : std::max(length, 1e-3);
  scale.segment(nq + nv, nw).setConstant(std::max(1.0, energy));
  scale.tail(nz).setConstant(signal_scale);
  scale.segment(nq + nv + nw, system.bristle_size()).setConstant(bristle_scale);
  return tolerance * scale;
}

// Length of the next step, and whether it ends exactly at the limit.
struct Landing {
  double h = 0;
  bool on_limit = false;
};

// A step that would end just short of the limit is stretched to it, one that would leave a stub is halved. A fixed step
// is only shortened, or stretched by rounding.
inline Landing land(double t, double h, double t_limit, bool fixed) {
  const double remaining = t_limit - t;
  const double stretch = fixed ? 1 + 1e-9 : 1.01;
  if (!(h * stretch < remaining)) return {remaining, true};
  if (!fixed && 2 * h > remaining) h = 0.5 * remaining;
  return {(t + h) - t, false};  // the time that the clock will show as passed, so that motion and clock stay together
}

// Steps below this are lost in the rounding of t.
inline double smallest_step(double t, double t_limit) {
  return 16 * std::numeric_limits<double>::epsilon() * std::max(std::abs(t), std::abs(t_limit));
}

inline bool all_finite(const double* values, int count) {
  Packed sums = {};  // NaN as soon as one entry is infinite or NaN
  int i = 0;
  for (; i + packed_width <= count; i += packed_width) sums += 0.0 * *reinterpret_cast<const Packed*>(values + i);
  double sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  for (; i < count; ++i) sum += 0 * values[i];
  return sum == 0;
}

}  // namespace carom::inline smooth_integrators
