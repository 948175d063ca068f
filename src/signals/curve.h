#pragma once

#include <span>
#include <vector>

// What happens between the samples of a curve. Times ascend.
namespace carom::inline signals {

// A point of a curve.
struct CurvePoint {
  double t = 0, x = 0;
};

// The largest or smallest sample, the first of equals. Needs at least one sample.
CurvePoint extreme_sample(std::span<const double> t, std::span<const double> x, bool largest);

// Where a smooth curve is largest or smallest, as nearly as samples tell, possibly beyond all of them: the vertex of
// the parabola through the extreme sample and its neighbours; at an end of the curve the sample itself. Needs at least
// one sample.
CurvePoint extreme_of(std::span<const double> t, std::span<const double> x, bool largest);

// Times at which x goes from below zero to zero or above, by the cubic through the four samples around.
std::vector<double> upward_crossings(std::span<const double> t, std::span<const double> x);

// On the straight line between the samples about an instant, never beyond them; before the first and after the last,
// those. Needs at least one sample.
double value_at(std::span<const double> t, std::span<const double> x, double at);

// Of the straight lines between samples, from `begin` to `end`, both within the curve: the trapezoidal rule. Pieces
// with a value that is not finite count nothing.
double integral_of(std::span<const double> t, std::span<const double> x, double begin, double end);

}  // namespace carom::inline signals
