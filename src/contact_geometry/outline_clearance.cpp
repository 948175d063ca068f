#include <algorithm>
#include <cmath>

#include "contact_geometry/outline_branches.h"
#include "contact_geometry/separation.h"

// How near two outlines come to each other between two instants, element by element.
namespace carom::inline contact_geometry {

namespace {

using Kind = OutlineElement::Kind;

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double rounding = 1e-9;  // of a length, where elements join

// Elements of which none ever touches another one by itself: their ends do, which are elements of their own.
bool never_touch(const OutlineElement& one, const OutlineElement& two) {
  const auto is_wall = [](const OutlineElement& element) {
    return element.kind == Kind::line || element.kind == Kind::hollow ||
           (element.kind == Kind::curve && !element.convex);
  };
  if (is_wall(one) && is_wall(two)) return true;
  // Two true corners: one that comes through the other comes through a side that ends there.
  return one.kind == Kind::node && two.kind == Kind::node && one.radius + two.radius == 0;
}

// The elements of a contact by their numbers.
struct Place {
  std::uint32_t a, b;
  bool a_leads;
};

Place place_of(Feature feature) {
  const auto lead = static_cast<std::uint32_t>((feature >> 32) - 1), other = static_cast<std::uint32_t>(feature);
  return lead % 2 == 0 ? Place{lead / 2, other, true} : Place{other, lead / 2, false};
}

bool is_beside(const OutlineElement& element, std::uint32_t id) {
  return element.id == id || element.joined[0] == id || element.joined[1] == id;
}

class Clearance {
 public:
  Clearance(const OutlineView& a, const OutlineView& b, const OutlinePose& from, const OutlinePose& to,
            const GapMotion& motion)
      : a_(a), b_(b), from_(from), to_(to), back_from_(from.inverse()), back_to_(to.inverse()), motion_(motion) {}

  double run() {
    double least = infinite;
    BranchPairs(a_, b_, from_)
        .visit([&] { return least < motion_.floor ? -infinite : motion_.way; },
               [&](int i, int j, double) { least = std::min(least, of_elements(i, j)); });
    return least;
  }

 private:
  // One of two elements, in whose axes the other is seen at both instants.
  struct Seen {
    ElementRef wall, at_first, at_second;
  };

  double of_elements(int i, int j) const {
    const OutlineElement &one = a_.elements[i], &two = b_.elements[j];
    if (never_touch(one, two) || is_known(one, two)) return infinite;
    double apart = 0;
    const auto distance = [&](const ElementRef& x, const ElementRef& y, bool) {
      return apart += distance_between(x, y);
    };
    in_one_frame(a_, b_, from_, i, j, distance);
    if (apart >= motion_.way) return apart - motion_.way;
    in_one_frame(a_, b_, to_, i, j, distance);
    if (const double by_way = 0.5 * (apart - motion_.way); by_way >= motion_.floor) return by_way;
    if (const double by_distance = disc_apart(i, j); by_distance >= motion_.floor) return by_distance;
    double least = -infinite;
    const auto look = [&](const Seen& seen) { least = std::max(least, across(seen, leads(one, two))); };
    // From straight sides first. Beside walls without an end, bounds of the motion hold for directions fixed to those.
    const bool b_first = two.kind == Kind::line && !a_.around;
    for (const bool from_b : {b_first, !b_first}) {
      if (least >= motion_.floor || (from_b ? one : two).is_special() || (from_b && a_.around)) continue;
      from_b ? seen_from(b_, a_, j, i, back_from_, back_to_, look) : seen_from(a_, b_, i, j, from_, to_, look);
    }
    return least;
  }

  // m, least distance of a disc from an outline, by that of its centre from material points: it bends by the
  // acceleration and the square of the speed over the distance, so that a roller may lie in a seat of nearly its own
  // radius, where no slab lies between the two.
  double disc_apart(int i, int j) const {
    const OutlineElement &one = a_.elements[i], &disc = b_.elements[j];
    const double way = motion_.way;
    if (disc.kind != Kind::node || !disc.full || one.is_special() || !(disc.radius > 2 * way)) return -infinite;
    const auto apart = [&](const OutlinePose& pose) {
      return distance_from(ref_of(a_, one), pose.turn * disc.centre + pose.offset) - disc.radius;
    };
    return least_between(apart(from_), apart(to_), motion_.bend_world + way * way / (disc.radius - way));
  }

  // The contact that touches already, or one that it slides to: onto what its leading element touches next, or along a
  // smooth curve. What has slid there is looked at where the intervals end.
  bool is_known(const OutlineElement& one, const OutlineElement& two) const {
    return std::any_of(motion_.closed.begin(), motion_.closed.end(), [&](const ClosedPoint& closed) {
      const Place place = place_of(closed.feature);
      if (a_.around)
        return (two.id == place.b && are_beside(one.id, place.a)) ||
               (is_beside(two, place.b) && is_beside(one, place.a));
      if (one.id == place.a && is_beside(two, place.b))
        return place.a_leads || two.kind != Kind::line || two.id == place.b;
      return two.id == place.b && is_beside(one, place.a) &&
             (!place.a_leads || one.kind != Kind::line || one.id == place.a);
    });
  }

  // Whether the leading element of the two touches something.
  bool leads(const OutlineElement& one, const OutlineElement& two) const {
    const Feature own = feature_between(a_, one, two);
    return std::any_of(motion_.closed.begin(), motion_.closed.end(),
                       [&](const ClosedPoint& closed) { return have_same_lead(own, closed.feature); });
  }

  template <typename Use>
  static void seen_from(const OutlineView& own, const OutlineView& other, int mine, int theirs,
                        const OutlinePose& first, const OutlinePose& second, const Use& use) {
    const OutlineElement& body = other.elements[theirs];
    const OutlineElement there = moved_element(body, first.turn, first.offset),
                         then = moved_element(body, second.turn, second.offset);
    CurvePiece curves[2];
    if (body.curve >= 0) {
      curves[0] = other.curves[body.curve].mapped(first.turn, first.offset);
      curves[1] = other.curves[body.curve].mapped(second.turn, second.offset);
    }
    use(Seen{ref_of(own, own.elements[mine]),
             {there, body.curve >= 0 ? &curves[0] : nullptr},
             {then, body.curve >= 0 ? &curves[1] : nullptr}});
  }

  // m, least distance across a direction that is fixed to the wall. `leads`: the other one touches elsewhere.
  double across(const Seen& seen, bool leads) const {
    const OutlineElement& wall = seen.wall.element;
    if (wall.kind == Kind::hollow && wall.full) {
      return least_between(wall.radius - farthest_from(seen.at_first, wall.centre),
                           wall.radius - farthest_from(seen.at_second, wall.centre), motion_.bend);
    }
    if (a_.around && is_hollow(wall))
      return least_between(least_in(seen.wall, seen.at_first), least_in(seen.wall, seen.at_second), motion_.bend);
    Eigen::Vector2d n = wall.from;
    if (wall.kind != Kind::line) {
      ElementHit hit;
      if (!elements_touch(seen.wall, seen.at_first, hit)) return -infinite;
      n = hit.normal;
    }
    const double base = wall.endless ? n.dot(wall.centre) : -lowest_of(seen.wall, -n);
    const double before = lowest_of(seen.at_first, n) - base, after = lowest_of(seen.at_second, n) - base;
    const double least = least_between(before, after, motion_.bend);
    if (least >= motion_.floor || motion_.closed.empty() || wall.kind != Kind::line || wall.endless) return least;
    const bool comes_not_in = (leads && before < motion_.floor) || stays_behind(seen, before) || stays_beside(seen);
    return comes_not_in ? infinite : least;
  }

  static bool is_hollow(const OutlineElement& wall) {
    return wall.kind == Kind::hollow || (wall.kind == Kind::curve && !wall.convex);
  }

  // m, least distance of a body from the tangents of a hollow wall, below them: negative. Each of them has a direction
  // that is fixed to the wall. The least is at an end of the wall, over an end of the body, or where both have a common
  // normal.
  static double least_in(const ElementRef& wall, const ElementRef& body) {
    const OutlineElement &own = wall.element, &other = body.element;
    double least =
        std::min(lowest_of(body, own.from) - own.from.dot(own.start), lowest_of(body, own.to) - own.to.dot(own.end));
    for (const Eigen::Vector2d& end : {other.start, other.end}) least = std::min(least, height_over(wall, end));
    ElementHit hit;
    if (elements_touch(wall, body, hit)) least = std::min(least, hit.gap);
    return least;
  }

  // m, greatest value of n · p + offset between the instants, of a material point.
  double greatest(const Eigen::Vector2d& n, const Eigen::Vector2d& first, const Eigen::Vector2d& second) const {
    return -least_between(-n.dot(first), -n.dot(second), motion_.bend);
  }

  // What is behind a side and stays there does not come in through it.
  bool stays_behind(const Seen& seen, double before) const {
    if (!(before < motion_.floor)) return false;
    const OutlineElement &wall = seen.wall.element, &first = seen.at_first.element, &second = seen.at_second.element;
    return greatest(wall.from, first.start - wall.start, second.start - wall.start) <= 0 ||
           greatest(wall.from, first.end - wall.start, second.end - wall.start) <= 0;
  }

  // Nor does what is not over it. In a notch a side goes on for what has come in through the other one.
  bool stays_beside(const Seen& seen) const {
    const OutlineElement &wall = seen.wall.element, &first = seen.at_first.element, &second = seen.at_second.element;
    if (first.kind != Kind::node) return false;
    const Eigen::Vector2d along = wall.tangent();
    const double slack = rounding * wall.radius;
    for (const int side : {0, 1}) {
      if (wall.notch[side]) continue;
      const Eigen::Vector2d end = side == 0 ? wall.start : wall.end, out = side == 0 ? Eigen::Vector2d(-along) : along;
      const auto is_out = [&](const Eigen::Vector2d& x, const Eigen::Vector2d& y) {
        return greatest(-out, x - end, y - end) <= slack;
      };
      if (is_out(first.start, second.start) && is_out(first.end, second.end) && is_out(first.centre, second.centre))
        return true;
    }
    return false;
  }

  const OutlineView &a_, &b_;
  const OutlinePose &from_, &to_;
  const OutlinePose back_from_, back_to_;
  const GapMotion& motion_;
};

}  // namespace

double least_between_poses(const OutlineView& a, const OutlineView& b, const OutlinePose& from, const OutlinePose& to,
                           const GapMotion& motion) {
  return Clearance(a, b, from, to, motion).run();
}

}  // namespace carom::inline contact_geometry
