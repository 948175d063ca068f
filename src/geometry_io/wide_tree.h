#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "geometry_io/box_tree.h"

// The boxes of a tree, four at a time and in single precision, rounded outwards: a walk looks at four for little more
// than the price of one. What it finds near is to be looked at again in full precision.
namespace carom::inline geometry_io {

using Four = float __attribute__((vector_size(16)));

// Where there are fewer than four the last ones are empty.
struct FourBoxes {
  Four centre[3], half[3];
  int child[4];  // not negative: a node; else ~ the thing
  int count = 0;
};

struct SmallBox {
  float centre[3], half[3];
  float size;  // square of half its diagonal
};

class WideTree {
 public:
  static constexpr int deepest = BoxTree::deepest;

  WideTree() = default;
  // Over the things that the tree is over, with their boxes.
  WideTree(const BoxTree& tree, std::span<const AxisBox> boxes);

  bool empty() const { return nodes_.empty(); }
  const FourBoxes& children(int node) const { return nodes_[node]; }
  const SmallBox& box(int child) const { return child >= 0 ? boxes_[child] : things_[~child]; }
  float reach() const { return reach_; }  // of its boxes from the origin, at the most

 private:
  std::vector<FourBoxes> nodes_;
  std::vector<SmallBox> boxes_, things_;
  float reach_ = 0;
};

// Two trees in one place: the second, stretched along its own axes, is turned and moved into the axes of the first.
class WidePlaces {
 public:
  WidePlaces(const WideTree& a, const WideTree& b, const Eigen::Matrix3d& turn, const Eigen::Vector3d& offset,
             const Eigen::Vector3d& stretch);

  // Calls visit(thing of a, thing of b) with all whose boxes are no farther apart than within(), m, and with some
  // others, nearer boxes first; a negative number ends it.
  template <typename Within, typename Visit>
  void visit(const Within& within, const Visit& visit) const;

  // The same in any order, sooner, and no farther apart than a fixed way; visit() returns false to end it.
  template <typename Visit>
  void visit_all(double within, const Visit& visit) const;

  // Of a node or thing of each, not both things: whether the first is to be opened, as the larger of the two.
  bool opens_a(int of_a, int of_b) const {
    return of_a >= 0 && (of_b < 0 || a_.box(of_a).size >= most_stretch_ * b_.box(of_b).size);
  }
  // m², at most: squares of the distances of four boxes, of the first where that is opened, from one of the other.
  // Where all are farther than `enough`, m², it is not looked at how much.
  Four bounds(const FourBoxes& four, bool of_first, const SmallBox& other, float enough = 1e30F) const {
    return of_first ? bounds_of_a(four, other, enough) : bounds_of_b(four, other, enough);
  }

 private:
  struct Open {
    int a, b;
    float bound;  // m²
  };
  Four bounds_of_a(const FourBoxes& four, const SmallBox& b, float enough) const;
  Four bounds_of_b(const FourBoxes& four, const SmallBox& a, float enough) const;
  static Four bounds(const Four* apart, const Four* half, const float* along_own, const float* along_other,
                     const float (*axes)[3], const float (*sizes)[3], float enough);

  const WideTree &a_, &b_;
  float turn_[3][3], turned_[3][3];  // axes of b in those of a, and of a in those of b, each a row
  float turn_size_[3][3], turned_size_[3][3];
  float offset_[3], stretch_[3], most_stretch_;
  float slack_;  // m, for rounding
};

template <typename Mask>
bool any_lane(Mask mask) {
  using Halves = long long __attribute__((vector_size(16)));
  const auto halves = reinterpret_cast<Halves>(mask);
  return (halves[0] | halves[1]) != 0;
}
inline Four magnitude(Four x) {
  return x < 0 ? -x : x;
}
inline Four square_of_positive(Four x) {
  const Four positive = x > 0 ? x : Four{};
  return positive * positive;
}

// apart[k], half[k]: of the four from the one and their own, along the axes of the four; axes[k]: of the one.
inline Four WidePlaces::bounds(const Four* apart, const Four* half, const float* along_own, const float* along_other,
                               const float (*axes)[3], const float (*sizes)[3], float enough) {
  Four own{}, other{};
  for (int k = 0; k < 3; ++k) own += square_of_positive(magnitude(apart[k]) - half[k] - along_own[k]);
  if (!any_lane(own <= enough)) return own;
  // A thin box that lies askew is thin along its own axes alone.
  for (int k = 0; k < 3; ++k) {
    const Four along = apart[0] * axes[k][0] + apart[1] * axes[k][1] + apart[2] * axes[k][2],
               size = half[0] * sizes[k][0] + half[1] * sizes[k][1] + half[2] * sizes[k][2];
    other += square_of_positive(magnitude(along) - size - along_other[k]);
  }
  return own > other ? own : other;
}

inline Four WidePlaces::bounds_of_a(const FourBoxes& four, const SmallBox& b, float enough) const {
  float centre[3], half[3], own[3], other[3];
  for (int k = 0; k < 3; ++k) centre[k] = stretch_[k] * b.centre[k], half[k] = stretch_[k] * b.half[k];
  Four apart[3];
  for (int k = 0; k < 3; ++k) {
    apart[k] = four.centre[k] -
               (offset_[k] + (turned_[k][0] * centre[0] + turned_[k][1] * centre[1] + turned_[k][2] * centre[2]));
    own[k] = turned_size_[k][0] * half[0] + turned_size_[k][1] * half[1] + turned_size_[k][2] * half[2] + slack_;
    other[k] = half[k] + slack_;
  }
  return bounds(apart, four.half, own, other, turn_, turn_size_, enough);
}

inline Four WidePlaces::bounds_of_b(const FourBoxes& four, const SmallBox& a, float enough) const {
  float own[3], other[3];
  const float centre[3] = {a.centre[0] - offset_[0], a.centre[1] - offset_[1], a.centre[2] - offset_[2]};
  Four apart[3], half[3];
  for (int k = 0; k < 3; ++k) {
    apart[k] =
        four.centre[k] * stretch_[k] - (turn_[k][0] * centre[0] + turn_[k][1] * centre[1] + turn_[k][2] * centre[2]);
    half[k] = four.half[k] * stretch_[k];
    own[k] = turn_size_[k][0] * a.half[0] + turn_size_[k][1] * a.half[1] + turn_size_[k][2] * a.half[2] + slack_;
    other[k] = a.half[k] + slack_;
  }
  return bounds(apart, half, own, other, turned_, turned_size_, enough);
}

template <typename Within, typename Visit>
void WidePlaces::visit(const Within& within, const Visit& visit) const {
  constexpr float above_rounding = 1.0001F;
  if (a_.empty() || b_.empty()) return;
  Open stack[6 * WideTree::deepest];
  int size = 0;
  stack[size++] = {0, 0, 0};
  while (size > 0) {
    const Open open = stack[--size];
    const double limit = within();
    if (limit < 0) return;
    const float most = limit < 1e15 ? above_rounding * static_cast<float>(limit * limit) : 1e30F;
    if (open.bound > most) continue;
    if (open.a < 0 && open.b < 0) {
      visit(~open.a, ~open.b);
      continue;
    }
    const bool open_a = opens_a(open.a, open.b);
    const FourBoxes& four = open_a ? a_.children(open.a) : b_.children(open.b);
    const Four bound = bounds(four, open_a, open_a ? b_.box(open.b) : a_.box(open.a), most);
    const int first = size;
    for (int k = 0; k < four.count; ++k) {
      if (bound[k] > most) continue;
      const Open next = open_a ? Open{four.child[k], open.b, bound[k]} : Open{open.a, four.child[k], bound[k]};
      int place = size++;
      for (; place > first && stack[place - 1].bound < next.bound; --place) stack[place] = stack[place - 1];
      stack[place] = next;
    }
  }
}

template <typename Visit>
void WidePlaces::visit_all(double within, const Visit& visit) const {
  constexpr float above_rounding = 1.0001F;
  if (a_.empty() || b_.empty()) return;
  struct Pair {
    int a, b;
  };
  const float most = within < 1e15 ? above_rounding * static_cast<float>(within * within) : 1e30F;
  Pair stack[6 * WideTree::deepest];
  int size = 0;
  stack[size++] = {0, 0};
  while (size > 0) {
    const Pair open = stack[--size];
    const bool open_a = opens_a(open.a, open.b);
    const FourBoxes& four = open_a ? a_.children(open.a) : b_.children(open.b);
    const Four bound = bounds(four, open_a, open_a ? b_.box(open.b) : a_.box(open.a), most);
    for (int k = 0; k < four.count; ++k) {
      if (bound[k] > most) continue;
      const Pair next = open_a ? Pair{four.child[k], open.b} : Pair{open.a, four.child[k]};
      if (next.a >= 0 || next.b >= 0) {
        stack[size++] = next;
      } else if (!visit(~next.a, ~next.b)) {
        return;
      }
    }
  }
}

}  // namespace carom::inline geometry_io
