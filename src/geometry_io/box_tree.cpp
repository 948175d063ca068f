#include "geometry_io/box_tree.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

namespace carom::inline geometry_io {

namespace {

constexpr int bins = 16;
constexpr int deepest_by_area = 32;  // levels, below which halves are equal, so that no tree is deeper than it may be
constexpr double margin = 0.01;      // of the whole: by which a box is met from farther away

// How likely a box is met by another one: its area, with a margin.
double area_of(const AxisBox& box, double around) {
  const Eigen::Vector3d size = (box.high - box.low).array() + around;
  return size[0] * size[1] + size[1] * size[2] + size[2] * size[0];
}

// Where to cut the boxes of a branch: at the plane, of sixteen along each axis, for which the areas of both halves,
// weighted by what is in them, are least. So a flat side becomes a branch of its own.
struct Cut {
  int axis = -1;  // −1: none is better than equal halves
  double at = 0;

  Cut(std::span<const AxisBox> boxes, std::span<const int> items, const AxisBox& centres, double around) {
    double least = std::numeric_limits<double>::infinity();
    for (int k = 0; k < 3; ++k) {
      const double low = centres.low[k], width = (centres.high[k] - low) / bins;
      if (!(width > 0)) continue;
      std::array<AxisBox, bins> box;
      std::array<int, bins> count{};
      for (const int item : items) {
        const int bin = std::clamp(static_cast<int>((boxes[item].centre()[k] - low) / width), 0, bins - 1);
        box[bin].add(boxes[item]), ++count[bin];
      }
      std::array<double, bins> right{};  // cost of what is from a bin on
      AxisBox whole;
      int number = 0;
      for (int bin = bins - 1; bin > 0; --bin) {
        whole.add(box[bin]), number += count[bin];
        right[bin] = number > 0 ? number * area_of(whole, around) : 0;
      }
      whole = {}, number = 0;
      for (int bin = 0; bin + 1 < bins; ++bin) {
        whole.add(box[bin]), number += count[bin];
        if (number == 0 || number == static_cast<int>(items.size())) continue;
        const double cost = number * area_of(whole, around) + right[bin + 1];
        if (cost < least) least = cost, axis = k, at = low + (bin + 1) * width;
      }
    }
  }
};

// Puts the things of a branch in order, and says where its second half starts.
std::ptrdiff_t divide(std::span<const AxisBox> boxes, std::span<int> items, const AxisBox& centres, int level,
                      double around) {
  const auto begin = items.begin(), end = items.end();
  if (level < deepest_by_area) {
    const Cut cut(boxes, items, centres, around);
    const auto middle = cut.axis < 0 ? begin : std::stable_partition(begin, end, [&](int item) {
      return boxes[item].centre()[cut.axis] < cut.at;
    });
    if (middle != begin && middle != end) return middle - begin;
  }
  Eigen::Index axis = 0;
  (centres.high - centres.low).maxCoeff(&axis);
  const std::ptrdiff_t middle = std::ssize(items) / 2;
  std::nth_element(begin, begin + middle, end, [&](int one, int two) {
    const double a = boxes[one].centre()[axis], b = boxes[two].centre()[axis];
    return a < b || (a == b && one < two);
  });
  return middle;
}

}  // namespace

BoxTree::BoxTree(std::span<const AxisBox> boxes) {
  if (boxes.empty()) return;
  order_.resize(boxes.size());
  std::iota(order_.begin(), order_.end(), 0);
  struct Range {
    int node, first, last, level;
  };
  std::vector<Range> open = {{0, 0, static_cast<int>(boxes.size()), 0}};
  nodes_.reserve(boxes.size() + 1);
  nodes_.emplace_back();
  double around = 0;
  while (!open.empty()) {
    const Range range = open.back();
    open.pop_back();
    AxisBox box, centres;
    for (int k = range.first; k < range.last; ++k) {
      box.add(boxes[order_[k]]);
      centres.add(boxes[order_[k]].centre());
    }
    nodes_[range.node].box = box;
    if (range.level == 0) around = margin * (box.high - box.low).norm();
    if (range.last - range.first <= leaf_size) {
      nodes_[range.node].first = range.first;
      nodes_[range.node].count = range.last - range.first;
      continue;
    }
    const std::span<int> own(order_.data() + range.first, range.last - range.first);
    const int middle = range.first + static_cast<int>(divide(boxes, own, centres, range.level, around));
    const int left = static_cast<int>(nodes_.size());
    nodes_[range.node].first = left;
    nodes_.emplace_back(), nodes_.emplace_back();
    open.push_back({left + 1, middle, range.last, range.level + 1});
    open.push_back({left, range.first, middle, range.level + 1});
  }
}

}  // namespace carom::inline geometry_io
