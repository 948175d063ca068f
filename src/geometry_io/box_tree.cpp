#include "geometry_io/box_tree.h"

#include <algorithm>
#include <numeric>

namespace carom::inline geometry_io {

// Halves at the median of the centres along the longest side, so that the depth is that of a full tree.
BoxTree::BoxTree(std::span<const AxisBox> boxes) {
  if (boxes.empty()) return;
  order_.resize(boxes.size());
  std::iota(order_.begin(), order_.end(), 0);
  struct Range {
    int node, first, last;
  };
  std::vector<Range> open = {{0, 0, static_cast<int>(boxes.size())}};
  nodes_.reserve(boxes.size() + 1);
  nodes_.emplace_back();
  while (!open.empty()) {
    const Range range = open.back();
    open.pop_back();
    AxisBox box, centres;
    for (int k = range.first; k < range.last; ++k) {
      box.add(boxes[order_[k]]);
      centres.add(boxes[order_[k]].centre());
    }
    nodes_[range.node].box = box;
    if (range.last - range.first <= leaf_size) {
      nodes_[range.node].first = range.first;
      nodes_[range.node].count = range.last - range.first;
      continue;
    }
    Eigen::Index axis = 0;
    (centres.high - centres.low).maxCoeff(&axis);
    const int middle = range.first + (range.last - range.first) / 2;
    std::nth_element(order_.begin() + range.first, order_.begin() + middle, order_.begin() + range.last,
                     [&](int one, int two) {
                       const double a = boxes[one].centre()[axis], b = boxes[two].centre()[axis];
                       return a < b || (a == b && one < two);
                     });
    const int left = static_cast<int>(nodes_.size());
    nodes_[range.node].first = left;
    nodes_.emplace_back(), nodes_.emplace_back();
    open.push_back({left + 1, middle, range.last});
    open.push_back({left, range.first, middle});
  }
}

}  // namespace carom::inline geometry_io
