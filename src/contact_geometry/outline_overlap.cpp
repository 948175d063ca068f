#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "contact_geometry/dive.h"
#include "contact_geometry/outline_branches.h"

// Whether outlines lie in each other, and how deep, whatever their contact points show.
namespace carom::inline contact_geometry {

namespace {

using Kind = OutlineElement::Kind;

constexpr int most_halvings_of_curve = 5;  // of an arc or a curve

// Elements that were looked at against the whole of the other outline: a long side near many small pieces is looked at
// once, not once for each of them. Of more than there is room for some are looked at again.
class LookedAt {
 public:
  // False: it was noted before.
  bool note(const OutlineElement& element) {
    const OutlineElement*& kept = kept_[(reinterpret_cast<std::uintptr_t>(&element) / sizeof(element)) % kept_.size()];
    return std::exchange(kept, &element) != &element;
  }

 private:
  std::array<const OutlineElement*, 64> kept_ = {};
};

class OutlineDive {
 public:
  OutlineDive(const OutlineView& a, const OutlineView& b, const OutlinePose& pose, double depth)
      : a_(a), b_(b), pose_(pose), back_(pose.inverse()), depth_(depth) {}

  bool run() {
    if (below(a_, pose_, b_.elements[0].start) > depth_ || below(b_, back_, a_.elements[0].start) > depth_) return true;
    BranchPairs(a_, b_, pose_)
        .visit([this] { return found_ ? -std::numeric_limits<double>::infinity() : depth_; },
               [this](int i, int j, double) {
                 const OutlineElement &one = a_.elements[i], &two = b_.elements[j];
                 found_ =
                     found_ || lies_in(ref_of(a_, one), two, b_, back_) || lies_in(ref_of(b_, two), one, a_, pose_);
               });
    return found_;
  }

 private:
  // m, of a point, in axes that the pose brings to those of the outline.
  static double below(const OutlineView& view, const OutlinePose& pose, const Eigen::Vector2d& point) {
    return depth_below(view, pose.turn * point + pose.offset);
  }

  // Whether the element of one outline is deeper in the other than it may be, near a wall of that.
  bool lies_in(const ElementRef& ref, const OutlineElement& wall, const OutlineView& other, const OutlinePose& pose) {
    const OutlineElement& element = ref.element;
    if (element.endless || (element.kind == Kind::node && element.radius == 0)) return false;
    if (element.kind == Kind::line && wall.kind == Kind::line) return comes_through(element, wall, other, pose);
    if (wall.kind == Kind::node && wall.radius == 0) return false;  // its sides are walls, too
    return looked_at_.note(element) && is_deep(ref, other, pose, 0, 1, 0);
  }

  // Between two parts of the element. It is no deeper anywhere than in the middle and by the way from there.
  bool is_deep(const ElementRef& ref, const OutlineView& other, const OutlinePose& pose, double from, double to,
               int halvings) const {
    const double middle = 0.5 * (from + to), here = below(other, pose, point_at(ref, middle));
    if (here > depth_) return true;
    if (here + 0.5 * (to - from) * length_of(ref.element) <= depth_ || halvings == most_halvings_of_curve) return false;
    return is_deep(ref, other, pose, from, middle, halvings + 1) || is_deep(ref, other, pose, middle, to, halvings + 1);
  }

  bool comes_through(const OutlineElement& side, const OutlineElement& wall, const OutlineView& other,
                     const OutlinePose& pose) const {
    Eigen::Vector2d high = pose.turn * side.start + pose.offset, low = pose.turn * side.end + pose.offset;
    double over = wall.from.dot(high - wall.start), under = wall.from.dot(low - wall.start);
    if (over < under) std::swap(high, low), std::swap(over, under);
    const Entry entry(over, under, depth_);
    if (!entry.enters) return false;
    const Eigen::Vector2d at = high + entry.part * (low - high);
    const double along = wall.tangent().dot(at - wall.start);
    if (!wall.endless && (along < -depth_ || along > wall.radius + depth_)) return false;
    return dives(at, low, depth_, [&](const Eigen::Vector2d& point) { return depth_below(other, point); });
  }

  // rad, by which an arc turns: those of corners to the left, hollow ones to the right.
  static double turn_of(const OutlineElement& arc) {
    if (arc.full) return 2 * M_PI;
    const double side = arc.kind == Kind::node ? 1 : -1;
    const double turn = std::atan2(side * cross_of(arc.from, arc.to), arc.from.dot(arc.to));
    return turn < 0 ? turn + 2 * M_PI : turn;
  }

  // m, at the most.
  static double length_of(const OutlineElement& element) {
    if (element.kind == Kind::line) return element.radius;
    // The normal of a curve turns by no more than 0.6 rad; its parameter need not grow evenly.
    if (element.kind == Kind::curve) return 2 * (element.end - element.start).norm();
    return element.radius * turn_of(element);
  }

  static Eigen::Vector2d point_at(const ElementRef& ref, double part) {
    const OutlineElement& element = ref.element;
    if (element.kind == Kind::line) return element.start + part * (element.end - element.start);
    if (element.kind == Kind::curve) return ref.curve->at(part).position;
    const double side = element.kind == Kind::node ? 1 : -1;
    const double angle = side * part * turn_of(element), c = std::cos(angle), s = std::sin(angle);
    const Eigen::Vector2d out = element.start - element.centre;
    return element.centre + Eigen::Vector2d(c * out.x() - s * out.y(), s * out.x() + c * out.y());
  }

  const OutlineView &a_, &b_;
  const OutlinePose &pose_, back_;
  double depth_;
  bool found_ = false;
  LookedAt looked_at_;
};

}  // namespace

// Of pieces that join in the nearest point the one counts that sees the point from farthest above or below.
double depth_below(const OutlineView& view, const Eigen::Vector2d& point) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  if (!view.closed || is_endless_wall(view)) return -infinite;
  if (const double far = point.norm(); !(far < view.size) && !view.around) return view.size - far;
  struct Open {
    int branch;
    double bound;
  };
  std::array<Open, 128> open;
  int count = 0;
  open[count++] = {0, 0};
  double nearest = infinite, height = 0;
  const double slack = 1e-12 * view.size;
  while (count > 0) {
    const Open top = open[--count];
    if (top.bound > nearest + slack) continue;
    const OutlineBranch& branch = view.tree[top.branch];
    // The nearest of its parts comes first.
    const int first = count;
    for (int k = 0; k < branch.count && count < static_cast<int>(open.size()); ++k) {
      const double bound = bound_of(view, view.tree[branch.first + k], point, 0);
      if (!(bound > nearest + slack)) open[count++] = {branch.first + k, bound};
    }
    std::sort(open.begin() + first, open.begin() + count,
              [](const Open& one, const Open& other) { return one.bound > other.bound; });
    if (branch.count > 0) continue;
    const OutlineElement& element = view.elements[branch.first];
    if (element.kind == Kind::node && element.radius == 0) continue;
    const double distance = distance_from(ref_of(view, element), point);
    if (distance > nearest + slack) continue;
    const double own = height_over(ref_of(view, element), point);
    if (distance < nearest - slack || std::abs(own) > std::abs(height)) height = own;
    nearest = std::min(nearest, distance);
  }
  return height < 0 ? std::max(nearest, std::numeric_limits<double>::min()) : -nearest;
}

bool outlines_lie_deeper(const OutlineView& a, const OutlineView& b, const OutlinePose& pose, double depth) {
  return OutlineDive(a, b, pose, depth).run();
}

}  // namespace carom::inline contact_geometry
