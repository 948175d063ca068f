#pragma once

#include <span>
#include <vector>

// One quantity in two runs. Times are in s and ascend; every curve has at least one sample.
namespace carom::inline validation {

struct TimeSpan {
  double begin = 0, end = 0;  // s
  double length() const { return end - begin; }
};

// The times that both have; `end` lies before `begin` if they have none.
TimeSpan common_span(std::span<const double> a, std::span<const double> b);

// Both have the same samples in a span, up to a millionth of the interval of samples.
bool same_times(std::span<const double> a, std::span<const double> b, TimeSpan span);

// B − A at the samples of A in a span; between its own samples B is interpolated linearly. Samples at which one of them
// is not finite are left out.
struct CurveDifference {
  std::size_t samples = 0;  // compared
  double rms = 0;           // over time
  double largest = 0;       // magnitude
  double time = 0;          // s, of the largest
  double range = 0;         // largest − smallest value of A
};

struct Curve {
  std::span<const double> t, x;
};

CurveDifference compare_curves(const Curve& a, const Curve& b, TimeSpan span);

// Sum of values that each tell what has come since the sample before: those after the start of a span, until its end.
double sum_of_increments(const Curve& curve, TimeSpan span);

}  // namespace carom::inline validation
