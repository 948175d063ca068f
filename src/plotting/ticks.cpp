#include "plotting/ticks.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <utility>

namespace carom::inline plotting {

namespace {

constexpr double largest_drawn = 1e300;

/// 1, 2 or 5 times a power of ten, kept apart so that multiples are rounded once.
struct Step {
  int digit;
  int exponent;

  double multiple(double n) const {
    const double count = n * digit;
    return exponent >= 0 ? count * std::pow(10.0, exponent) : count / std::pow(10.0, -exponent);
  }
  double size() const { return multiple(1); }
};

Step nice_step(double span, int wanted) {
  const double rough = span / std::max(wanted, 1);
  const int exponent = static_cast<int>(std::floor(std::log10(rough)));
  for (const int digit : {1, 2, 5}) {
    if (const Step step{digit, exponent}; step.size() >= rough * (1 - 1e-9)) return step;
  }
  return {1, exponent + 1};
}

Step finer(Step step) {
  if (step.digit == 1) return {5, step.exponent - 1};
  return {step.digit == 2 ? 1 : 2, step.exponent};
}

std::vector<double> multiples(Step step, Range range) {
  const double slack = 1e-9 * (range.high - range.low) / step.size();
  const double first = std::ceil(range.low / step.size() - slack), last = std::floor(range.high / step.size() + slack);
  std::vector<double> values;
  for (double n = first; n <= last && values.size() < 1000; ++n) values.push_back(step.multiple(n) + 0.0);
  return values;
}

std::string fixed(double value, int decimals) {
  char digits[400];
  std::snprintf(digits, sizeof digits, "%.*f", std::clamp(decimals, 0, 60), value);
  std::string text = digits;
  const bool zero = text.find_first_of("123456789") == std::string::npos;
  if (text.front() == '-') text = zero ? text.substr(1) : "−" + text.substr(1);
  return text;
}

std::string without_trailing_zeros(std::string text) {
  if (text.find('.') == std::string::npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string power_of_ten(int exponent) {
  return "×10" + superscript(exponent);
}

double scaled(double value, int exponent) {
  return exponent >= 0 ? value / std::pow(10.0, exponent) : value * std::pow(10.0, -exponent);
}

/// Exponent taken out of all labels: none for ordinary sizes, else a multiple of three, as the SI prefixes.
int common_exponent(double largest) {
  if (largest == 0) return 0;
  const int exponent = static_cast<int>(std::floor(std::log10(largest) + 1e-9));
  if (exponent >= -2 && exponent <= 4) return 0;
  return 3 * static_cast<int>(std::floor(exponent / 3.0));
}

double largest_size(const std::vector<double>& values) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

/// Labels that would need many equal leading digits are counted from an offset, written once.
void label(Ticks& ticks, Step step) {
  std::vector<double> values = ticks.major;
  std::string offset_text;
  if (largest_size(values) > 2e4 * step.size()) {
    const int coarse = step.exponent + 2;
    const double unit = std::pow(10.0, coarse);
    const double offset = std::round(values[values.size() / 2] / unit) * unit;
    for (double& value : values) value = std::round((value - offset) / step.size()) * step.size();
    const int exponent = common_exponent(std::abs(offset));
    offset_text = offset < 0 ? " − " : " + ";
    offset_text += without_trailing_zeros(fixed(std::abs(scaled(offset, exponent)), std::max(0, exponent - coarse)));
    if (exponent != 0) offset_text += "·10" + superscript(exponent);
  }
  const int exponent = common_exponent(largest_size(values));
  for (const double value : values) ticks.labels.push_back(fixed(scaled(value, exponent), exponent - step.exponent));
  if (exponent != 0) ticks.factor = power_of_ten(exponent);
  if (!offset_text.empty()) ticks.factor += ticks.factor.empty() ? offset_text.substr(1) : offset_text;
}

/// A single value without a common factor: "0.02", "500", "2×10⁻⁵".
std::string plain(int digit, int exponent) {
  const double value = Step{digit, exponent}.size();
  if (exponent >= -3 && exponent <= 3) return fixed(value, std::max(0, -exponent));
  return (digit == 1 ? "10" : std::to_string(digit) + "×10") + superscript(exponent);
}

}  // namespace

std::string superscript(int number) {
  static const char* const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text;
  for (const char c : std::to_string(number)) text += c == '-' ? "⁻" : digits[c - '0'];
  return text;
}

Ticks linear_ticks(Range range, int wanted) {
  Ticks ticks;
  Step step = nice_step(range.high - range.low, wanted);
  ticks.major = multiples(step, range);
  while (ticks.major.size() < 2) {
    step = finer(step);
    ticks.major = multiples(step, range);
  }
  const Step small =
      step.digit == 2 ? Step{5, step.exponent - 1} : Step{step.digit == 5 ? 1 : 2, step.exponent - (step.digit == 1)};
  for (const double value : multiples(small, range)) {
    const double n = value / step.size();
    if (std::abs(n - std::round(n)) > 1e-6) ticks.minor.push_back(value);
  }
  label(ticks, step);
  return ticks;
}

Ticks log_ticks(Range range, int wanted) {
  const double low = std::log10(range.low), high = std::log10(range.high);
  Ticks ticks;
  if (high - low < 0.7) {
    ticks = linear_ticks(range, wanted);
    return ticks;
  }
  const int first = static_cast<int>(std::floor(low)), last = static_cast<int>(std::ceil(high));
  const int every = std::max(1, static_cast<int>(std::ceil((high - low) / std::max(wanted, 1))));
  const bool subdivided = high - low < 2;
  const bool ordinary = subdivided && first >= -3 && last <= 4;
  for (int exponent = first; exponent <= last; ++exponent) {
    for (int digit = 1; digit < 10; ++digit) {
      const double value = Step{digit, exponent}.size();
      if (value < range.low * (1 - 1e-9) || value > range.high * (1 + 1e-9)) continue;
      const bool power = digit == 1 && exponent % every == 0;
      if (power || (subdivided && (digit == 2 || digit == 5))) {
        ticks.major.push_back(value);
        ticks.labels.push_back(ordinary || digit != 1 ? plain(digit, exponent) : "10" + superscript(exponent));
      } else if (every == 1 || digit == 1) {
        ticks.minor.push_back(value);
      }
    }
  }
  return ticks;
}

Range drawable(Range range, bool logarithmic) {
  if (!(range.low <= range.high)) return logarithmic ? Range{1, 10} : Range{0, 1};
  range.low = std::clamp(range.low, -largest_drawn, largest_drawn);
  range.high = std::clamp(range.high, -largest_drawn, largest_drawn);
  if (logarithmic) {
    range.low = std::max(range.low, 1 / largest_drawn);
    range.high = std::max(range.high, range.low);
    if (range.high / range.low < 1.001) return {range.low / 3, range.high * 3};
    return range;
  }
  const double size = std::max(std::abs(range.low), std::abs(range.high));
  if (range.high - range.low > 1e-10 * size) return range;
  const double middle = range.low / 2 + range.high / 2;
  const double room = middle == 0 ? 1 : std::abs(middle) * 0.1;
  return {middle - room, middle + room};
}

}  // namespace carom::inline plotting
