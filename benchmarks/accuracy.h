// What "at equal accuracy" means in this folder: converged references, one error measure, and one rule for choosing a
// tolerance. All contestants are judged by these functions.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "mechanisms.h"
#include "minimal_slider_crank.h"

namespace carom::benchmarks {

inline constexpr double target_error = 1e-7;

// Largest error of any body: positions relative to the longest link, angles relative to the larger of one radian and
// the angle itself. Infinite if anything is not finite or a body is missing.
inline double relative_error(std::span<const BodyCoordinates> found, std::span<const BodyCoordinates> expected,
                             double length) {
  if (found.size() != expected.size()) return INFINITY;
  double worst = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const double angle = std::max(1.0, std::abs(expected[i].angle));
    for (const double error :
         {std::abs(found[i].x - expected[i].x) / length, std::abs(found[i].y - expected[i].y) / length,
          std::abs(found[i].angle - expected[i].angle) / angle})
      worst = error <= worst ? worst : std::isfinite(error) ? error : INFINITY;
  }
  return worst;
}

// Integrates an autonomous system by extrapolation of Gragg's midpoint rule, of order 16, in equal steps.
template <class System, class Vector>
Vector extrapolate(const System& system, Vector y, double end_time, int steps) {
  using Real = typename Vector::value_type;
  constexpr std::size_t columns = 8;
  const Real step = Real(end_time) / Real(steps);
  const auto plus = [](const Vector& a, Real factor, const Vector& b) {
    Vector sum = a;
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += factor * b[i];
    return sum;
  };
  for (int n = 0; n < steps; ++n) {
    std::array<Vector, columns> table;
    for (std::size_t row = 0; row < columns; ++row) {
      const std::size_t parts = 2 * (row + 1);
      const Real h = step / Real(parts);
      Vector before = y;
      Vector now = plus(y, h, system(y));
      for (std::size_t i = 1; i < parts; ++i) {
        const Vector next = plus(before, 2 * h, system(now));
        before = now;
        now = next;
      }
      // Neville's scheme along the row just begun; table[j] holds column j of the row above.
      Vector entry = now;
      for (std::size_t j = 0; j < row; ++j) {
        const Real ratio = Real(row + 1) / Real(row - j);
        Vector difference = plus(entry, -1, table[j]);
        table[j] = entry;
        entry = plus(entry, 1 / (ratio * ratio - 1), difference);
      }
      table[row] = entry;
    }
    y = table[columns - 1];
  }
  return y;
}

// Final body coordinates: slider-crank from the minimal coordinate in extended precision (converged to better than
// 1e-13 with the steps chosen here), Andrews' mechanism from the published digits.
inline std::vector<BodyCoordinates> reference_coordinates(Mechanism which, int steps = 400) {
  if (which == Mechanism::andrews) {
    const auto bodies = andrews_coordinates(andrews_end);
    return {bodies.begin(), bodies.end()};
  }
  const BasicMinimalSliderCrank<long double> system;
  const auto end = extrapolate(system, system.start(), SliderCrankData{}.end_time, steps);
  const auto bodies = system.coordinates(end[0]);
  return {bodies.begin(), bodies.end()};
}

// Quarter decades from 1e-5 to 1e-13.
inline std::vector<double> tolerance_ladder() {
  std::vector<double> ladder;
  for (int i = 20; i <= 52; ++i) ladder.push_back(std::pow(10.0, -i / 4.0));
  return ladder;
}

// The loosest tolerance whose error is at most the target and stays so at the next two tighter ones, so that no one
// wins by an error that happens to cancel. Both sequences run from loose to tight.
inline std::optional<std::size_t> loosest_accepted(std::span<const double> errors, double target = target_error) {
  for (std::size_t i = 0; i + 2 < errors.size(); ++i)
    if (errors[i] <= target && errors[i + 1] <= target && errors[i + 2] <= target) return i;
  return std::nullopt;
}

}  // namespace carom::benchmarks
