#pragma once

#include <array>
#include <cmath>
#include <limits>

#include "contact_geometry/outline_search.h"
#include "contact_geometry/outline_touch.h"

// What searches over two outlines are made of.
namespace carom::inline contact_geometry {

inline ElementRef ref_of(const OutlineView& view, const OutlineElement& element) {
  return {element, element.curve >= 0 ? view.curves + element.curve : nullptr};
}

// Cavities, slots and half planes: what has gone into their walls, however deep, has no other way out.
inline bool is_endless_wall(const OutlineView& view) {
  return view.thickness == std::numeric_limits<double>::infinity();
}

// m, least distance of a branch of a from a disc, in the axes of a; beside endless walls less than zero behind them.
inline double bound_of(const OutlineView& view, const OutlineBranch& branch, const Eigen::Vector2d& middle,
                       double reach) {
  if (branch.special) {
    const OutlineElement& element = view.elements[branch.first];
    if (element.endless) return element.from.dot(middle - element.centre) - reach;
    const double inside = element.radius - (middle - element.centre).norm();
    return (is_endless_wall(view) ? inside : std::abs(inside)) - reach;
  }
  return (middle - branch.middle).norm() - branch.reach - reach;
}

// Pairs of branches, the nearest first.
class BranchPairs {
 public:
  BranchPairs(const OutlineView& a, const OutlineView& b, const OutlinePose& pose) : a_(a), b_(b), pose_(pose) {
    open_[count_++] = {0, 0, bound(0, 0)};
  }
  // Calls leaf(element of a, element of b, lower bound of their distance) for pairs that may be nearer than cut(), a
  // function since it changes.
  template <typename Cut, typename Leaf>
  void visit(const Cut& cut, const Leaf& leaf) {
    while (count_ > 0) {
      const Entry entry = open_[--count_];
      if (entry.bound > cut()) continue;
      const OutlineBranch &one = a_.tree[entry.a], &two = b_.tree[entry.b];
      if (one.count == 0 && two.count == 0) {
        leaf(one.first, two.first, entry.bound);
        continue;
      }
      const bool split_a = two.count == 0 || (one.count > 0 && one.reach >= two.reach);
      split_a ? add_children<true>(entry, cut()) : add_children<false>(entry, cut());
    }
  }

 private:
  static constexpr int most = 2 * deepest_tree + 1;  // that wait: every split leaves one behind
  struct Entry {
    int a, b;
    double bound;
  };
  // Those that may be nearer than the cut, the nearest last, which is taken next.
  template <bool split_a>
  void add_children(const Entry& entry, double cut) {
    const OutlineBranch& split = split_a ? a_.tree[entry.a] : b_.tree[entry.b];
    const OutlineBranch& other = split_a ? b_.tree[entry.b] : a_.tree[entry.a];
    const bool plain = other.is_plain();
    const Eigen::Vector2d middle = split_a ? Eigen::Vector2d(pose_.turn * other.middle + pose_.offset) : other.middle;
    const int first = count_;
    for (int k = 0; k < split.count; ++k) {
      const int number = split.first + k;
      Entry child = entry;
      (split_a ? child.a : child.b) = number;
      const OutlineBranch& branch = (split_a ? a_ : b_).tree[number];
      if (plain && branch.is_plain()) {
        const Eigen::Vector2d own =
            split_a ? branch.middle : Eigen::Vector2d(pose_.turn * branch.middle + pose_.offset);
        const double reach = branch.reach + other.reach, far = cut + reach, square = (own - middle).squaredNorm();
        if (!(far >= 0) || square > far * far) continue;
        child.bound = std::sqrt(square) - reach;
      } else {
        child.bound = bound(child.a, child.b);
        if (child.bound > cut) continue;
      }
      int place = count_++;
      for (; place > first && open_[place - 1].bound < child.bound; --place) open_[place] = open_[place - 1];
      open_[place] = child;
    }
  }

  double bound(int a, int b) const {
    const OutlineBranch &one = a_.tree[a], &two = b_.tree[b];
    if (two.special || two.reach == std::numeric_limits<double>::infinity()) {
      if (!std::isfinite(one.reach)) return -std::numeric_limits<double>::infinity();
      return bound_of(b_, two, pose_.turn.transpose() * (one.middle - pose_.offset), one.reach);
    }
    return bound_of(a_, one, pose_.turn * two.middle + pose_.offset, two.reach);
  }

  const OutlineView &a_, &b_;
  const OutlinePose& pose_;
  std::array<Entry, most> open_;
  int count_ = 0;
};

// Two elements in one frame: that of a, or of b where b alone is a curve.
template <typename Use>
auto in_one_frame(const OutlineView& a, const OutlineView& b, const OutlinePose& pose, int i, int j, const Use& use) {
  const OutlineElement &one = a.elements[i], &two = b.elements[j];
  if (two.kind == OutlineElement::Kind::curve && one.kind != OutlineElement::Kind::curve) {
    const OutlinePose back = pose.inverse();
    const OutlineElement moved = moved_element(one, back.turn, back.offset);
    return use(ElementRef{moved, nullptr}, ref_of(b, two), true);
  }
  const OutlineElement moved = moved_element(two, pose.turn, pose.offset);
  if (two.kind != OutlineElement::Kind::curve) return use(ref_of(a, one), ElementRef{moved, nullptr}, false);
  const CurvePiece curve = b.curves[two.curve].mapped(pose.turn, pose.offset);
  return use(ref_of(a, one), ElementRef{moved, &curve}, false);
}

// The leading feature is the one that keeps touching while the contact slides: along the walls of a groove `a` that of
// the other one, if that has a place where it touches.
inline Feature feature_between(const OutlineView& view_a, const OutlineElement& a, const OutlineElement& b) {
  const bool node_a = a.kind == OutlineElement::Kind::node && !a.tail,
             node_b = b.kind == OutlineElement::Kind::node && !b.tail;
  const bool curve_a = a.kind == OutlineElement::Kind::curve || a.tail,
             curve_b = b.kind == OutlineElement::Kind::curve || b.tail;
  bool a_leads = true;
  if (view_a.around) {
    a_leads = b.kind != OutlineElement::Kind::node && !(b.kind == OutlineElement::Kind::curve && b.convex);
  } else if (node_a && node_b) {
    a_leads = a.radius >= b.radius;
  } else if (node_a != node_b) {
    a_leads = node_a;
  } else if (curve_b && !curve_a) {
    a_leads = false;
  }
  return a_leads ? feature_of(2 * a.id, b.id) : feature_of(2 * b.id + 1, a.id);
}

}  // namespace carom::inline contact_geometry
