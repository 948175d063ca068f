#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <queue>
#include <vector>

// Least values of functions, found by looking everywhere: for distances that shapes are checked against.
namespace carom::reference {

template <int N>
struct Place {
  double value = std::numeric_limits<double>::infinity();
  std::array<double, N> at = {};
};

// Grids about a place, each half as wide as the one before once the best point is not at their border.
template <int N, typename Function>
Place<N> zoom_in(const Function& function, Place<N> best, std::array<double, N> half) {
  constexpr int reach = N == 1 ? 4 : 3, width = 2 * reach + 1;
  int points = 1;
  for (int k = 0; k < N; ++k) points *= width;
  for (int round = 0; round < 200 && *std::max_element(half.begin(), half.end()) > 1e-14; ++round) {
    const std::array<double, N> middle = best.at;
    bool at_border = false;
    for (int point = 0; point < points; ++point) {
      std::array<double, N> at = middle;
      bool border = false;
      for (int k = 0, rest = point; k < N; ++k, rest /= width) {
        const int step = rest % width - reach;
        at[k] = std::clamp(middle[k] + half[k] * step / reach, 0.0, 1.0);
        border = border || std::abs(step) == reach;
      }
      const double value = function(at);
      if (value < best.value) best = {value, at}, at_border = border;
    }
    if (at_border) continue;
    for (double& each : half) each *= 0.5;
  }
  return best;
}

// The least value along one variable between two bounds, by golden sections.
template <typename Function>
double golden_section(const Function& function, double low, double high, double& at) {
  const double golden = 0.5 * (std::sqrt(5.0) - 1);
  double one = high - golden * (high - low), two = low + golden * (high - low);
  double at_one = function(one), at_two = function(two);
  for (int k = 0; k < 40; ++k) {
    if (at_one < at_two) {
      high = two, two = one, at_two = at_one, one = high - golden * (high - low);
      at_one = function(one);
    } else {
      low = one, one = two, at_one = at_two, two = low + golden * (high - low);
      at_two = function(two);
    }
  }
  at = at_one < at_two ? one : two;
  return std::min(at_one, at_two);
}

// Beside an edge a distance has a sharp valley across the variables, along which grids do not find the way: sections
// within sections, about a place, in ever smaller windows.
template <typename Function>
Place<2> follow_valley(const Function& function, Place<2> best, double window) {
  for (int round = 0; round < 12 && window > 1e-10; ++round) {
    const auto bound = [&](double at, double side) { return std::clamp(at + side * window, 0.0, 1.0); };
    const Place<2> start = best;
    const auto along = [&](double u) {
      double v = 0;
      const double value = golden_section(
          [&](double each) {
            return function(std::array<double, 2>{u, each});
          },
          bound(start.at[1], -1), bound(start.at[1], 1), v);
      if (value < best.value) best = {value, {u, v}};
      return value;
    };
    double u = 0;
    golden_section(along, bound(start.at[0], -1), bound(start.at[0], 1), u);
    const bool at_border = std::abs(std::abs(best.at[0] - start.at[0]) - window) < 1e-3 * window ||
                           std::abs(std::abs(best.at[1] - start.at[1]) - window) < 1e-3 * window;
    if (!at_border) window /= 50;
  }
  return best;
}

// The least value over 0 … 1 in N variables of a function that changes by at most slope[k] along each of them: cells,
// the most promising first, until none can hold less. Cells in which it changes by less than `fine` are searched by
// ever smaller grids, the best few of them. Values of `known` and more are of no interest.
template <int N, typename Function>
Place<N> least_over_cube(const Function& function, const std::array<double, N>& slope, double fine,
                         double known = std::numeric_limits<double>::infinity()) {
  struct Cell {
    double bound, value;
    std::array<double, N> at, half;
    bool operator<(const Cell& other) const { return bound > other.bound; }
  };
  Place<N> best;
  best.value = known;
  std::priority_queue<Cell> cells;
  const auto add = [&](const std::array<double, N>& at, const std::array<double, N>& half) {
    const double value = function(at);
    double change = 0;
    for (int k = 0; k < N; ++k) change += slope[k] * half[k];
    if (value < best.value) best = {value, at};
    if (value - change < best.value) cells.push({value - change, value, at, half});
  };
  std::array<double, N> middle, whole;
  middle.fill(0.5), whole.fill(0.5);
  add(middle, whole);
  int searched = 0, looked = 0;
  std::vector<Cell> done;
  while (!cells.empty() && searched < 12 && ++looked < 200'000) {
    const Cell cell = cells.top();
    cells.pop();
    if (!(cell.bound < best.value)) break;
    if (cell.value - cell.bound > fine) {
      int widest = 0;
      for (int k = 1; k < N; ++k) {
        if (slope[k] * cell.half[k] > slope[widest] * cell.half[widest]) widest = k;
      }
      std::array<double, N> half = cell.half;
      half[widest] /= 3;
      for (const int side : {-1, 0, 1}) {
        std::array<double, N> at = cell.at;
        at[widest] += 2 * side * half[widest];
        add(at, half);
      }
      continue;
    }
    const bool beside = std::any_of(done.begin(), done.end(), [&](const Cell& other) {
      for (int k = 0; k < N; ++k) {
        if (std::abs(other.at[k] - cell.at[k]) > 4 * cell.half[k]) return false;
      }
      return true;
    });
    if (beside) continue;
    done.push_back(cell);
    ++searched;
    const Place<N> found = zoom_in<N>(function, {cell.value, cell.at}, cell.half);
    if (found.value < best.value) best = found;
  }
  if constexpr (N == 2) {
    if (searched > 0 && best.value > 0 && best.value < known) {
      const Place<2> other = follow_valley(function, best, done[0].half[0]);
      if (other.value < best.value) best = other;
    }
  }
  return best;
}

}  // namespace carom::reference
