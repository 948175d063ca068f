#include "force_elements/stored_part.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include <boost/math/quadrature/gauss_kronrod.hpp>

namespace carom::inline force_elements {
namespace {

using Quadrature = boost::math::quadrature::gauss_kronrod<double, 15>;

constexpr int most_halvings = 12;             // of a panel, about a corner that the text does not show
constexpr double resolution = 1e-13;          // of the integral of |f| over a panel
constexpr std::size_t most_panels = 1 << 20;  // farther away one integral leads on
constexpr double plausible = 100;  // an energy at the file's place beyond that of a constant force means a pole

// ∫ f from a to b, to an error of `allowed`, or of the resolution where that is negative.
template <class Force>
double resolved(const Force& f, double a, double b, double allowed, int halvings) {
  double error = 0, magnitude = 0;
  const double sum = Quadrature::integrate(f, a, b, 0, 0.0, &error, &magnitude);
  error *= 0.5 * (b - a);  // Boost reports that of an interval of length two
  if (allowed < 0) allowed = resolution * magnitude;
  if (!(error > allowed) || halvings == 0) return sum;
  const double middle = 0.5 * (a + b);
  return resolved(f, a, middle, allowed, halvings - 1) + resolved(f, middle, b, allowed, halvings - 1);
}

}  // namespace

StoredPart::StoredPart(Function force, double start, double panel)
    : force_(std::move(force)), stores_(force_.depends_on(0)), panel_(panel) {
  if (!stores_) return;
  if (!std::isfinite(this->force(start))) {
    stores_ = false;  // not defined at rest, as v/abs(v)
    return;
  }
  marks_ = force_.breakpoints();
  if (start == 0) return;
  const double largest =
      std::max({std::abs(this->force(0)), std::abs(this->force(0.5 * start)), std::abs(this->force(start))});
  const double to_start = from_reference(start);
  if (std::isfinite(largest) && std::abs(to_start) <= plausible * largest * std::abs(start)) return;
  reference_ = start;
  ahead_.clear();
  back_.clear();
}

double StoredPart::force(double x) const {
  if (!stores_) return 0;
  const std::array<double, 3> at_rest = {x, 0, 0};
  return force_.value(at_rest);
}

double StoredPart::energy(double x) const {
  return stores_ ? from_reference(x) : 0;
}

double StoredPart::integral(double from, double to) const {
  const double low = std::min(from, to), high = std::max(from, to);
  double sum = 0, reached = low;
  const auto add = [&](double next) {
    if (next > reached) sum += resolved([this](double x) { return force(x); }, reached, next, -1, most_halvings);
    reached = next;
  };
  for (auto mark = std::upper_bound(marks_.begin(), marks_.end(), low); mark != marks_.end() && *mark < high; ++mark)
    add(*mark);
  add(high);
  return from < to ? sum : -sum;
}

// By panels of fixed places, so that the value does not depend on what was asked before.
double StoredPart::from_reference(double x) const {
  if (!std::isfinite(x)) return std::numeric_limits<double>::quiet_NaN();
  const double way = x - reference_, signed_panel = std::copysign(panel_, way);
  std::vector<double>& ends = way < 0 ? back_ : ahead_;
  const auto whole = static_cast<std::size_t>(std::min(std::floor(std::abs(way) / panel_), double{most_panels}));
  const auto border = [&](std::size_t k) { return reference_ + static_cast<double>(k) * signed_panel; };
  while (ends.size() < whole)
    ends.push_back((ends.empty() ? 0.0 : ends.back()) + integral(border(ends.size()), border(ends.size() + 1)));
  return (whole == 0 ? 0.0 : ends[whole - 1]) + integral(border(whole), x);
}

}  // namespace carom::inline force_elements
