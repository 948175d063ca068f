#pragma once

#include <string>
#include <vector>

namespace carom::inline plotting {

/// The marks of one axis. `factor` is what was taken out of all labels, in the form "×10⁻⁵" or "×10⁻⁵ + 1.25":
/// value = label · factor + offset.
struct Ticks {
  std::vector<double> major;
  std::vector<std::string> labels;  // one for each major tick
  std::vector<double> minor;        // between the major ones, without labels
  std::string factor;
};

struct Range {
  double low = 0;
  double high = 1;
};

/// Ticks at multiples of 1, 2 or 5 times a power of ten within the range, about `wanted` of them (at least two).
/// Needs low < high, both finite.
Ticks linear_ticks(Range range, int wanted);

/// Ticks at powers of ten, or every few of them; on less than two decades also at their multiples. Needs 0 < low <
/// high.
Ticks log_ticks(Range range, int wanted);

/// A range fit to be drawn: ordered, finite, and not so narrow that its values cannot be told apart. A constant is
/// given some room on both sides.
Range drawable(Range range, bool logarithmic);

/// "⁻¹²"
std::string superscript(int number);

}  // namespace carom::inline plotting
