#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "base/expression.h"

namespace carom {

// Five-point central difference, error of order h⁴.
inline double central_difference(const std::function<double(double)>& f, double x, double h) {
  return (8 * (f(x + h) - f(x - h)) - (f(x + 2 * h) - f(x - 2 * h))) / (12 * h);
}

// The one check of every value-and-derivatives pair: the slope against differences of the value, the curvature against
// differences of the slope. The function must be smooth within 0.001 · max(1, |x|) of x.
inline void check_derivatives(const std::function<Jet(double)>& f, double x, const std::string& what,
                              double tolerance = 1e-9) {
  const double h = 4e-4 * std::max(1.0, std::abs(x));
  const Jet jet = f(x);
  const double slope = central_difference([&](double y) { return f(y).value; }, x, h);
  const double curvature = central_difference([&](double y) { return f(y).first; }, x, h);
  const double scale = std::max({1.0, std::abs(jet.value), std::abs(jet.first), std::abs(jet.second)});
  EXPECT_NEAR(jet.first, slope, tolerance * scale) << "slope of " << what << " at " << x;
  EXPECT_NEAR(jet.second, curvature, tolerance * scale) << "curvature of " << what << " at " << x;
}

}  // namespace carom
