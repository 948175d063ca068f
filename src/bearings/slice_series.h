#pragma once

#include <array>

#include "base/packed.h"

// Sums over the slices of a roller, near depths at which they were summed once.
namespace carom::inline bearings {

struct RollerLaw;

// How deep the slices at x are pressed at one contact: middle + tilt x − P(x), with the crowning P.
struct SliceDepths {
  double middle = 0, tilt = 0;  // m, rad
};

using PackedPair [[gnu::vector_size(2 * sizeof(double))]] = double;

// Σ d^(10/9) and Σ x d^(10/9), and their derivatives by the middle depth.
struct SliceSum {
  PackedPair value{}, slope{};
  double load() const { return value[0]; }
  double moment() const { return value[1]; }
};

// Slices of depth d₀ give (d₀ + δ)^(10/9), whose series in δ = μ + x τ becomes a polynomial in μ and τ: its
// coefficients are sums over slices that are done once. Up to the fifth order it leaves out less than 0.0033 u⁶/(1 − u)
// of a slice's load with u = |δ|/d₀. How far it reaches is how large δ may be until that is 5e-11 of the load of all,
// or a slice comes into contact. The four slices that would bound it most are summed one by one.
class SliceSeries {
 public:
  // For shifts to both sides by about `shift`, while from one look to the next depths change by about `moved`. False
  // where that is too much for it to pay.
  bool build(const RollerLaw& law, const SliceDepths& centre, double shift, double moved);
  double reach() const { return reach_; }  // |μ| + |x τ|, m
  bool reaches(const SliceDepths& at) const { return distance(at) <= reach_; }
  double distance(const SliceDepths& at) const;  // from its centre, m
  SliceSum sum(const SliceDepths& at) const;

 private:
  friend class ShiftedSeries;
  static constexpr int order = 5, term_count = (order + 1) * (order + 2) / 2;
  using Pair = PackedPair;  // of load and moment

  void choose_near(const RollerLaw& law, double wanted);
  void add_far(const RollerLaw& law);
  template <int j>
  Pair row(double tau) const;

  SliceDepths centre_;
  double reach_ = 0, half_length_ = 0;
  // By falling powers of μ, and of each by falling powers of τ.
  std::array<Pair, term_count> terms_{};
  int near_count_ = 0;
  Packed near_place_{}, near_drop_{};
};

// Of slices at depths that are less and more than these.
struct ShiftedSums {
  SliceSum less, more;
};

// The series at depths that are more or less by shifts.
class ShiftedSeries {
 public:
  ShiftedSeries(const SliceSeries& series, const SliceDepths& at);
  const SliceSum& unshifted() const { return unshifted_; }
  bool reaches(double shift) const { return away_ + shift <= series_.reach_; }
  // Slopes are good to a hundredth.
  ShiftedSums sums(double shift) const;

 private:
  using Pair = SliceSeries::Pair;
  const SliceSeries& series_;
  double away_;
  SliceSum unshifted_;
  std::array<Pair, SliceSeries::order + 1> powers_;  // factors of the powers of the shift
  Packed near_depth_, near_pressed_, near_load_;
  Pair near_slope_{};
  double nearest_ = 0;  // the least |d| of them
};

}  // namespace carom::inline bearings
