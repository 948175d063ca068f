#include "geometry_io/wide_tree.h"

#include <array>
#include <limits>

namespace carom::inline geometry_io {

namespace {

constexpr float infinite = std::numeric_limits<float>::infinity();
constexpr float rounding = 4e-6F;  // of all lengths, of a distance in single precision

SmallBox outwards(const AxisBox& box) {
  SmallBox small{};
  for (int k = 0; k < 3; ++k) {
    small.centre[k] = static_cast<float>(0.5 * (box.low[k] + box.high[k]));
    const double half = std::max(box.high[k] - small.centre[k], small.centre[k] - box.low[k]);
    small.half[k] = std::nextafter(static_cast<float>(half), infinite);
    small.size += small.half[k] * small.half[k];
  }
  return small;
}

// A node of the tree by halves, or one of the things in a leaf.
struct Part {
  int node = -1, thing = -1;
  double size = 0;
};

}  // namespace

WideTree::WideTree(const BoxTree& tree, std::span<const AxisBox> boxes) {
  if (tree.empty()) return;
  for (const AxisBox& box : boxes) things_.push_back(outwards(box));
  const auto part_of = [&](int node) { return Part{node, -1, tree.node(node).box.diagonal_squared()}; };
  std::vector<int> origin = {0};  // of each node, in the tree by halves
  for (std::size_t own = 0; own < origin.size(); ++own) {
    std::array<Part, 4> parts = {part_of(origin[own])};
    int count = 1;
    // The largest that can be opened is, while there is room.
    for (bool opened = true; opened;) {
      int largest = -1;
      for (int k = 0; k < count; ++k) {
        if (parts[k].node < 0 || (largest >= 0 && !(parts[k].size > parts[largest].size))) continue;
        const BoxTree::Node& node = tree.node(parts[k].node);
        if (count + (node.is_leaf() ? node.count : 2) - 1 <= 4) largest = k;
      }
      opened = largest >= 0;
      if (!opened) break;
      const BoxTree::Node& node = tree.node(parts[largest].node);
      if (node.is_leaf()) {
        const std::span<const int> items = tree.items(node);
        parts[largest] = {-1, items[0], 0};
        for (const int item : items.subspan(1)) parts[count++] = {-1, item, 0};
      } else {
        parts[largest] = part_of(node.first), parts[count++] = part_of(node.first + 1);
      }
    }
    FourBoxes four{};
    four.count = count;
    for (int k = 0; k < 4; ++k) {
      four.child[k] = k >= count ? 0 : parts[k].node >= 0 ? static_cast<int>(origin.size()) : ~parts[k].thing;
      if (k < count && parts[k].node >= 0) origin.push_back(parts[k].node);
      const SmallBox box = k >= count           ? SmallBox{}
                           : parts[k].node >= 0 ? outwards(tree.node(parts[k].node).box)
                                                : things_[parts[k].thing];
      for (int l = 0; l < 3; ++l) four.centre[l][k] = box.centre[l], four.half[l][k] = box.half[l];
    }
    nodes_.push_back(four);
    boxes_.push_back(outwards(tree.node(origin[own]).box));
  }
  for (int k = 0; k < 3; ++k) reach_ += std::abs(boxes_[0].centre[k]) + boxes_[0].half[k];
}

WidePlaces::WidePlaces(const WideTree& a, const WideTree& b, const Eigen::Matrix3d& turn, const Eigen::Vector3d& offset,
                       const Eigen::Vector3d& stretch)
    : a_(a), b_(b) {
  float away = 0;
  for (int k = 0; k < 3; ++k) {
    for (int l = 0; l < 3; ++l) {
      turn_[l][k] = turned_[k][l] = static_cast<float>(turn(k, l));
      turn_size_[l][k] = turned_size_[k][l] = std::abs(turned_[k][l]);
    }
    offset_[k] = static_cast<float>(offset[k]), stretch_[k] = static_cast<float>(stretch[k]);
    away += std::abs(offset_[k]);
  }
  const float widest = std::max({stretch_[0], stretch_[1], stretch_[2]});
  most_stretch_ = (stretch_[0] * stretch_[0] + stretch_[1] * stretch_[1] + stretch_[2] * stretch_[2]) / 3;
  slack_ = rounding * (a.reach() + widest * b.reach() + away);
}

}  // namespace carom::inline geometry_io
