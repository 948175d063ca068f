#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

// Whether a motion repeats itself, nearly so, or never.
namespace carom::inline signals {

// The 0–1 test for chaos: the correlation K of a mean square displacement with time, near 0 for regular and near 1 for
// chaotic motions. The median over many frequencies. The series is sampled
// coarsely, for example once a turn. Below 100 entries there are too few displacements to correlate, and the answer is
// NaN. A constant series gives 0. Regularised form of G. A.
// Gottwald and I. Melbourne, SIAM J. Appl. Dyn. Syst. 8 (2009) 129–145.
double zero_one_test(std::span<const double> series, std::size_t frequencies = 100);

enum class MotionKind { unclear, periodic, quasi_periodic, chaotic };
const std::string& name_of(MotionKind kind);

struct MotionVerdict {
  MotionKind kind = MotionKind::unclear;
  std::size_t period = 0;  // points until a periodic motion repeats
  double repetition = 0;   // largest difference between points that many apart, relative to `scale`
  double zero_one = 0;     // K of the 0–1 test
  std::string evidence() const;
};

// From points taken once a turn. Periodic: points n apart, n at most a quarter of them, are equal within `tolerance` of
// `scale`, the size of the whole motion. Otherwise the 0–1 test decides, and leaves what is between 0.2 and 0.8 open.
MotionVerdict classify_motion(std::span<const double> points, double scale, double tolerance = 1e-3);

// Takes a state on by a time, s, or a map by one application.
using Flow = std::function<void(std::vector<double>& state, double duration)>;
// The same, and a small difference of the state along with it, by the linearised equations.
using TangentFlow = std::function<void(std::vector<double>& state, std::vector<double>& tangent, double duration)>;

struct LyapunovSettings {
  double interval = 1;          // s, between renormalisations
  std::size_t transient = 100;  // intervals that are not counted
  std::size_t count = 1000;     // intervals that are
  double separation = 1e-8;     // by_separation: in units of the state
};

struct LyapunovEstimate {
  double exponent = 0;  // 1/s
  double error = 0;     // standard error, from ten parts of the run
};

// The mean of what `stretch` reports, over the intervals that are counted. It goes on by an interval and reports the
// logarithm of how much a small difference has grown.
LyapunovEstimate mean_stretch(const LyapunovSettings& settings, const std::function<double()>& stretch);

// The largest exponent from two trajectories that are kept near each other (G. Benettin, L. Galgani and J.-M. Strelcyn,
// Phys. Rev. A 14 (1976) 2338–2345). Works across impacts, too.
LyapunovEstimate lyapunov_by_separation(const Flow& flow, std::vector<double> state, const LyapunovSettings& settings);

// The same from the variational equations: no separation to choose; for smooth motions.
LyapunovEstimate lyapunov_by_variation(const TangentFlow& flow, std::vector<double> state,
                                       const LyapunovSettings& settings);

// Flows of x' = f(x) by the classical Runge-Kutta scheme with equal steps of at most `step`. Where the time drives the
// motion, it is one more entry of the state, with the rate 1.
using Rates = std::function<void(std::span<const double> state, std::span<double> rates)>;
// df/dx times a vector.
using TangentRates =
    std::function<void(std::span<const double> state, std::span<const double> tangent, std::span<double> rates)>;
Flow smooth_flow(Rates rates, double step);
TangentFlow smooth_tangent_flow(Rates rates, TangentRates tangent_rates, double step);

}  // namespace carom::inline signals
