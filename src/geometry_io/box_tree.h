#pragma once

#include <span>
#include <vector>

#include <Eigen/Core>

// A tree of boxes along the axes over many small things, mostly triangles.
//
// Our own, since the libraries at hand do not give what contact needs: FCL and libccd report one nearest pair, or all
// pairs that overlap, but no features within a distance; Embree works in single precision. A tree of plain numbers
// allocates nothing when it is asked, and gives the same answer each time.
namespace carom::inline geometry_io {

struct AxisBox {
  Eigen::Vector3d low = Eigen::Vector3d::Constant(1e300), high = Eigen::Vector3d::Constant(-1e300);

  void add(const Eigen::Vector3d& point) { low = low.cwiseMin(point), high = high.cwiseMax(point); }
  void add(const AxisBox& box) { low = low.cwiseMin(box.low), high = high.cwiseMax(box.high); }
  Eigen::Vector3d centre() const { return 0.5 * (low + high); }
  Eigen::Vector3d half() const { return 0.5 * (high - low); }
  double distance_squared(const Eigen::Vector3d& point) const {
    return (low - point).cwiseMax(point - high).cwiseMax(0.0).squaredNorm();
  }
  // Number by number: the innermost of all searches.
  double distance_squared(const AxisBox& box) const {
    double sum = 0;
    for (int k = 0; k < 3; ++k) {
      const double below = low[k] - box.high[k], above = box.low[k] - high[k];
      const double gap = below > above ? below : above;
      sum += gap > 0 ? gap * gap : 0;
    }
    return sum;
  }
  double diagonal_squared() const { return (high - low).squaredNorm(); }
  bool meets(const AxisBox& box) const {
    return (low.array() <= box.high.array()).all() && (box.low.array() <= high.array()).all();
  }
};

class BoxTree {
 public:
  static constexpr int leaf_size = 2;
  static constexpr int deepest = 64;  // levels; a traversal needs no more places than twice that

  struct Node {
    AxisBox box;
    int first = 0;  // of a leaf: its first entry in order(); else its left child, the right one follows it
    int count = 0;  // of a leaf: entries; else 0
    bool is_leaf() const { return count > 0; }
  };

  BoxTree() = default;
  explicit BoxTree(std::span<const AxisBox> boxes);

  bool empty() const { return nodes_.empty(); }
  const Node& root() const { return nodes_.front(); }
  const Node& node(int index) const { return nodes_[index]; }
  // The things of a leaf.
  std::span<const int> items(const Node& leaf) const { return {order_.data() + leaf.first, std::size_t(leaf.count)}; }

  // Calls visit(item) with everything in leaves for whose boxes wanted(box) is true on the way from the root.
  template <typename Wanted, typename Visit>
  void visit(const Wanted& wanted, const Visit& each) const {
    if (nodes_.empty()) return;
    int stack[2 * deepest];
    int size = 0;
    stack[size++] = 0;
    while (size > 0) {
      const Node& here = nodes_[stack[--size]];
      if (!wanted(here.box)) continue;
      if (here.is_leaf()) {
        for (const int item : items(here)) each(item);
      } else {
        stack[size++] = here.first + 1;
        stack[size++] = here.first;
      }
    }
  }

 private:
  std::vector<Node> nodes_;
  std::vector<int> order_;
};

}  // namespace carom::inline geometry_io
