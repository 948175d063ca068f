#include "contact_geometry/outline_touch.h"

#include <algorithm>
#include <cmath>

namespace carom::inline contact_geometry {

namespace {

using Kind = OutlineElement::Kind;

constexpr double straight = 1e-9;   // rad, and parts of a length: what rounding may do where elements join
constexpr double touching = 1e-12;  // m, below which centres coincide

enum class FootPlace { within, before, beyond };

// Whether the normals of a node or a hollow reach this direction. Those of a hollow turn clockwise.
bool sees(const OutlineElement& element, const Eigen::Vector2d& w) {
  if (element.full) return true;
  const bool node = element.kind == Kind::node;
  const Eigen::Vector2d &low = node ? element.from : element.to, &high = node ? element.to : element.from;
  if (element.reflex) return !(cross_of(high, w) > straight && cross_of(w, low) > straight && w.dot(low + high) > 0);
  return cross_of(low, w) >= -straight && cross_of(w, high) >= -straight && w.dot(low + high) >= -straight;
}

// The disc by which a node touches what lies in a direction. Beyond the side of a line its end stands for the line.
struct Ball {
  Eigen::Vector2d centre;
  double radius;
};

bool ball_towards(const OutlineElement& node, const Eigen::Vector2d& w, Ball& ball) {
  if (sees(node, w)) {
    ball = {node.centre, node.radius};
    return true;
  }
  const int side = w.dot(node.from) >= w.dot(node.to) ? 0 : 1;
  if (!node.wide[side]) return false;
  ball = {node.centre + node.radius * (side == 0 ? node.from : node.to), 0};
  return true;
}

// A wall that ends in a notch goes on straight into the material for what has already entered the other wall there.
bool touch_beyond_notch(const OutlineElement& wall, int side, const Ball& ball, ElementHit& hit) {
  if (!wall.notch[side]) return false;
  const Eigen::Vector2d &end = side == 0 ? wall.start : wall.end, &n = side == 0 ? wall.from : wall.to;
  const Eigen::Vector2d along = side == 0 ? Eigen::Vector2d(n.y(), -n.x()) : Eigen::Vector2d(-n.y(), n.x());
  const Eigen::Vector2d point = ball.centre - ball.radius * n;
  const double over = along.dot(point - end), depth = -wall.beyond[side].dot(point - end);
  // Where it is as far in as the wall reaches, its height is zero: the contact starts there, whatever the angle.
  const double lean = std::abs(cross_of(n, wall.beyond[side]));
  if (!(depth > 0 && over >= 0 && over * lean <= 2 * depth && depth < 0.5 * wall.reach)) return false;
  const double height = n.dot(point - end);
  hit = {height, n, point - height * n, point, true};
  return true;
}

bool ball_on_line(const OutlineElement& line, const Ball& ball, ElementHit& hit) {
  const Eigen::Vector2d& n = line.from;
  const Eigen::Vector2d from_start = ball.centre - line.centre;
  const double along = line.tangent().dot(from_start), height = n.dot(from_start);
  if (!line.endless) {
    const double slack = straight * line.radius;
    if (along < -slack) return touch_beyond_notch(line, 0, ball, hit);
    if (along > line.radius + slack) return touch_beyond_notch(line, 1, ball, hit);
  }
  hit = {height - ball.radius, n, ball.centre - height * n, ball.centre - ball.radius * n};
  return true;
}

bool ball_in_hollow(const OutlineElement& hollow, const OutlineElement* node, Ball ball, ElementHit& hit) {
  const auto direction = [&](const Eigen::Vector2d& point) -> Eigen::Vector2d {
    const Eigen::Vector2d out = point - hollow.centre;
    const double distance = out.norm();
    if (distance > touching) return out / distance;
    const Eigen::Vector2d middle = hollow.full ? hollow.from : Eigen::Vector2d(hollow.from + hollow.to);
    return middle.norm() > touching ? Eigen::Vector2d((hollow.reflex ? 1.0 : -1.0) * middle.normalized())
                                    : Eigen::Vector2d(hollow.tangent());
  };
  Eigen::Vector2d out = direction(ball.centre);
  if (node) {
    if (!ball_towards(*node, out, ball)) return false;
    out = direction(ball.centre);
  }
  if (!(ball.radius < hollow.radius * (1 - 1e-12))) return false;
  if (!sees(hollow, -out)) {
    const int side = out.dot(hollow.from) < out.dot(hollow.to) ? 0 : 1;
    return touch_beyond_notch(hollow, side, ball, hit);
  }
  const double distance = out.dot(ball.centre - hollow.centre);
  hit = {hollow.radius - ball.radius - distance, -out, hollow.centre + hollow.radius * out,
         ball.centre + ball.radius * out};
  return true;
}

// A zero of a function that falls from u = 0 to u = 1 with these values there, by Newton's iteration within a bracket.
// `value(u, slope)`.
template <typename Value>
double falling_root(double first, double last, const Value& value) {
  if (first <= 0) return 0;
  if (last >= 0) return 1;
  double low = 0, high = 1, slope = 0, u = first / (first - last);
  for (int pass = 0; pass < 60; ++pass) {
    const double here = value(u, slope);
    if (here == 0) return u;
    (here > 0 ? low : high) = u;
    double next = u - here / slope;
    if (!(next > low && next < high)) next = (low + high) / 2;
    if (std::abs(next - u) <= 1e-15) return next;
    u = next;
  }
  return u;
}

Eigen::Vector2d left_of(const Eigen::Vector2d& normal) {
  return {-normal.y(), normal.x()};
}

// Where the distance of a point from a curve is least (sign = 1) or greatest (−1). Most curves are none of a point's
// business, which their ends show.
FootPlace foot_on(const ElementRef& ref, const Eigen::Vector2d& point, double sign, double& u) {
  const OutlineElement& element = ref.element;
  const double slack = straight * element.reach;
  const double first = sign * left_of(element.from).dot(point - element.start);
  if (first < -slack) return FootPlace::before;
  const double last = sign * left_of(element.to).dot(point - element.end);
  if (last > slack) return FootPlace::beyond;
  u = falling_root(first, last, [&](double at, double& slope) {
    const CurvePoint on = ref.curve->at(at);
    const Eigen::Vector2d to = point - on.position;
    slope = sign * (on.second.dot(to) - on.first.squaredNorm());
    return sign * on.first.dot(to);
  });
  return FootPlace::within;
}

// Where the curve has the tangent T, a unit vector.
FootPlace place_of_tangent(const ElementRef& ref, const Eigen::Vector2d& tangent, double& u) {
  const OutlineElement& element = ref.element;
  const double sign = element.convex ? 1 : -1;
  const Eigen::Vector2d start = left_of(element.from), end = left_of(element.to);
  if ((start + end).dot(tangent) <= 0)
    return start.dot(tangent) > end.dot(tangent) ? FootPlace::before : FootPlace::beyond;
  const double first = sign * cross_of(start, tangent), last = sign * cross_of(end, tangent);
  if (first < -straight) return FootPlace::before;
  if (last > straight) return FootPlace::beyond;
  u = falling_root(first, last, [&](double at, double& slope) {
    const CurvePoint on = ref.curve->at(at);
    slope = sign * cross_of(on.second, tangent);
    return sign * cross_of(on.first, tangent);
  });
  return FootPlace::within;
}

// Whether a node and a curve have a common normal at all.
bool may_face(const OutlineElement& node, const OutlineElement& curve) {
  if (node.full || node.reflex || node.wide[0] || node.wide[1] || curve.notch[0] || curve.notch[1]) return true;
  if (sees(node, -curve.from) || sees(node, -curve.to)) return true;
  const double sign = curve.convex ? 1 : -1;
  return sign * cross_of(curve.from, -node.from) > 0 && sign * cross_of(-node.from, curve.to) > 0 &&
         node.from.dot(curve.from + curve.to) < 0;
}

bool ball_on_curve(const ElementRef& wall, const OutlineElement* node, Ball ball, ElementHit& hit) {
  for (int pass = 0;; ++pass) {
    double u = 0;
    const FootPlace place = foot_on(wall, ball.centre, 1, u);
    if (place != FootPlace::within) {
      const int side = place == FootPlace::before ? 0 : 1;
      const Eigen::Vector2d& n = side == 0 ? wall.element.from : wall.element.to;
      Ball end = ball;
      if (node && !ball_towards(*node, -n, end)) return false;
      return touch_beyond_notch(wall.element, side, end, hit);
    }
    const CurvePoint on = wall.curve->at(u);
    const Eigen::Vector2d n = right_of(on.first.normalized());
    Ball seen = ball;
    if (node && pass == 0) {
      // A straight side on a convex curve touches that itself, up to where its end does.
      if (wall.element.convex && !sees(*node, -n)) return false;
      if (!ball_towards(*node, -n, seen)) return false;
      if (seen.centre != ball.centre) {
        ball = seen;
        continue;
      }
    }
    const double height = n.dot(ball.centre - on.position);
    hit = {height - ball.radius, n, on.position, ball.centre - ball.radius * n};
    return true;
  }
}

bool nodes_touch(const OutlineElement& first, const OutlineElement& second, ElementHit& hit) {
  const Eigen::Vector2d between = second.centre - first.centre;
  const double distance = between.norm(), radii = first.radius + second.radius;
  if (distance < touching && radii == 0) return false;
  const Eigen::Vector2d w =
      distance < touching ? Eigen::Vector2d(Eigen::Vector2d::UnitX()) : Eigen::Vector2d(between / distance);
  if (!sees(first, w) || !sees(second, -w)) return false;
  hit = {distance - radii, w, first.centre + first.radius * w, second.centre - second.radius * w};
  return true;
}

// The point of a convex curve that is next to a wall with the normal n; its end where a line goes on from there.
bool point_towards(const ElementRef& curve, const Eigen::Vector2d& n, Eigen::Vector2d& point) {
  double u = 0;
  const FootPlace place = place_of_tangent(curve, Eigen::Vector2d(n.y(), -n.x()), u);
  if (place == FootPlace::within) {
    point = curve.curve->at(u).position;
    return true;
  }
  const int side = place == FootPlace::before ? 0 : 1;
  point = side == 0 ? curve.element.start : curve.element.end;
  return curve.element.wide[side];
}

bool curve_on_line(const OutlineElement& line, const ElementRef& curve, ElementHit& hit) {
  Eigen::Vector2d point;
  return curve.element.convex && point_towards(curve, line.from, point) && ball_on_line(line, {point, 0}, hit);
}

bool curve_in_hollow(const OutlineElement& hollow, const ElementRef& curve, ElementHit& hit) {
  if (!curve.element.convex) return false;
  double u = 0;
  const FootPlace place = foot_on(curve, hollow.centre, -1, u);
  if (place != FootPlace::within) return false;
  const CurvePoint on = curve.curve->at(u);
  if (right_of(on.first).dot(on.position - hollow.centre) <= 0) return false;
  return ball_in_hollow(hollow, nullptr, {on.position, 0}, hit);
}

double radius_of_bend(const CurvePoint& point) {
  const double speed = point.first.norm();
  return speed * speed * speed / cross_of(point.first, point.second);
}

// Common normals of two curves, of which one is convex at least. Along the directions that both have, the distance
// between the points with this normal, seen along the tangent, changes its sign where they face each other.
class CurvePair {
 public:
  CurvePair(const ElementRef& first, const ElementRef& second) : a_(first), b_(second) {}

  bool solve(ElementHit& hit) {
    if (!common_directions()) return false;
    CurvePoint on_a, on_b;
    const double low = slip(low_, on_a, on_b), slack = straight * (a_.element.reach + b_.element.reach);
    const double low_u = u_, low_v = v_;
    const double high = slip(high_, on_a, on_b);
    const double high_u = u_, high_v = v_;
    if (low > slack && high > slack) return false;
    if (low < -slack && high < -slack) return false;
    const double part = low == high ? 0.5 : std::clamp(low / (low - high), 0.0, 1.0);
    u_ = low_u + part * (high_u - low_u), v_ = low_v + part * (high_v - low_v);
    if (!polish(std::minmax(low_u, high_u), std::minmax(low_v, high_v))) bisect(low > 0);
    on_a = a_.curve->at(u_), on_b = b_.curve->at(v_);
    const Eigen::Vector2d n = right_of(on_a.first.normalized());
    const double gap = n.dot(on_b.position - on_a.position);
    const bool both = a_.element.convex && b_.element.convex;
    const double stiff = radius_of_bend(on_a) + radius_of_bend(on_b) + gap;
    if (both ? stiff < 0 : stiff > 0) return false;
    // Points on each other across the normal, to the last digit.
    hit = {gap, n, on_a.position, on_a.position + gap * n};
    return true;
  }

 private:
  // Tangents of a that b has too, turned round, as unit vectors; counter-clockwise from low_ to high_.
  bool common_directions() {
    const auto tangent = [](const Eigen::Vector2d& normal) -> Eigen::Vector2d { return {-normal.y(), normal.x()}; };
    Eigen::Vector2d a0 = tangent(a_.element.from), a1 = tangent(a_.element.to);
    Eigen::Vector2d b0 = -tangent(b_.element.from), b1 = -tangent(b_.element.to);
    if (!a_.element.convex) std::swap(a0, a1);
    if (!b_.element.convex) std::swap(b0, b1);
    if ((a0 + a1).dot(b0 + b1) <= 0) return false;
    low_ = cross_of(a0, b0) > 0 ? b0 : a0;
    high_ = cross_of(a1, b1) < 0 ? b1 : a1;
    return cross_of(low_, high_) >= -straight;
  }
  double slip(const Eigen::Vector2d& direction, CurvePoint& on_a, CurvePoint& on_b) {
    const auto find = [](const ElementRef& curve, const Eigen::Vector2d& tangent) {
      double u = 0;
      const FootPlace place = place_of_tangent(curve, tangent, u);
      return place == FootPlace::within ? u : place == FootPlace::before ? 0.0 : 1.0;
    };
    u_ = find(a_, direction), v_ = find(b_, -direction);
    on_a = a_.curve->at(u_), on_b = b_.curve->at(v_);
    return direction.dot(on_b.position - on_a.position);
  }
  // Newton's iteration on both parameters.
  bool polish(std::pair<double, double> us, std::pair<double, double> vs) {
    for (int pass = 0; pass < 12; ++pass) {
      const CurvePoint a = a_.curve->at(u_), b = b_.curve->at(v_);
      const Eigen::Vector2d between = b.position - a.position;
      const double turn = cross_of(a.first, b.first), along = a.first.dot(between);
      const double turn_u = cross_of(a.second, b.first), turn_v = cross_of(a.first, b.second);
      const double along_u = a.second.dot(between) - a.first.squaredNorm(), along_v = a.first.dot(b.first);
      const double determinant = turn_u * along_v - turn_v * along_u;
      const double change_u = (-turn * along_v + along * turn_v) / determinant;
      const double change_v = (-along * turn_u + turn * along_u) / determinant;
      u_ += change_u, v_ += change_v;
      const double slack = 1e-9;
      if (!(u_ >= us.first - slack && u_ <= us.second + slack && v_ >= vs.first - slack && v_ <= vs.second + slack))
        return false;
      if (std::abs(change_u) + std::abs(change_v) < 1e-14) return true;
    }
    return true;
  }
  void bisect(bool starts_positive) {
    Eigen::Vector2d low = low_, high = high_;
    CurvePoint on_a, on_b;
    for (int halving = 0; halving < 60; ++halving) {
      const Eigen::Vector2d middle = (low + high).normalized();
      (slip(middle, on_a, on_b) > 0) == starts_positive ? low = middle : high = middle;
    }
  }

  const ElementRef &a_, &b_;
  Eigen::Vector2d low_, high_;
  double u_ = 0, v_ = 0;
};

// The first is a wall or a node, the second a node.
bool touch_node(const ElementRef& wall, const OutlineElement& node, ElementHit& hit) {
  switch (wall.element.kind) {
    case Kind::node:
      return nodes_touch(wall.element, node, hit);
    case Kind::line: {
      Ball ball{};
      return ball_towards(node, -wall.element.from, ball) && ball_on_line(wall.element, ball, hit);
    }
    case Kind::hollow:
      return ball_in_hollow(wall.element, &node, {node.centre, node.radius}, hit);
    case Kind::curve:
      return may_face(node, wall.element) && ball_on_curve(wall, &node, {node.centre, node.radius}, hit);
  }
  return false;
}

bool touch_curve(const ElementRef& wall, const ElementRef& curve, ElementHit& hit) {
  switch (wall.element.kind) {
    case Kind::line:
      return curve_on_line(wall.element, curve, hit);
    case Kind::hollow:
      return curve_in_hollow(wall.element, curve, hit);
    case Kind::curve:
      return (wall.element.convex || curve.element.convex) && CurvePair(wall, curve).solve(hit);
    default:
      return false;
  }
}

bool swapped(bool found, ElementHit& hit) {
  if (found) hit = {hit.gap, -hit.normal, hit.on_second, hit.on_first, hit.beyond};
  return found;
}

}  // namespace

bool reaches_direction(const OutlineElement& element, const Eigen::Vector2d& direction) {
  return sees(element, direction);
}

bool elements_touch(const ElementRef& first, const ElementRef& second, ElementHit& hit) {
  const Kind a = first.element.kind, b = second.element.kind;
  if (b == Kind::node) return touch_node(first, second.element, hit);
  if (a == Kind::node) return swapped(touch_node(second, first.element, hit), hit);
  if (b == Kind::curve) return touch_curve(first, second, hit);
  if (a == Kind::curve) return swapped(touch_curve(second, first, hit), hit);
  return false;
}

double distance_from(const ElementRef& ref, const Eigen::Vector2d& point) {
  const OutlineElement& element = ref.element;
  if (element.kind == Kind::line) {
    const Eigen::Vector2d to = point - element.centre;
    const double along = element.tangent().dot(to), height = element.from.dot(to);
    const double over = element.endless ? 0 : along - std::clamp(along, 0.0, element.radius);
    return std::hypot(height, over);
  }
  if (element.kind == Kind::curve) {
    double u = 0;
    if (foot_on(ref, point, 1, u) == FootPlace::within) return (point - ref.curve->at(u).position).norm();
  } else {
    const Eigen::Vector2d to = point - element.centre;
    const double distance = to.norm();
    const Eigen::Vector2d w = (element.kind == Kind::node ? 1 : -1) * to;
    if (element.radius == 0 || distance < touching || sees(element, Eigen::Vector2d(w / distance)))
      return std::abs(distance - element.radius);
  }
  return std::sqrt(std::min((point - element.start).squaredNorm(), (point - element.end).squaredNorm()));
}

double height_over(const ElementRef& ref, const Eigen::Vector2d& point) {
  const OutlineElement& element = ref.element;
  if (element.kind == Kind::line) return element.from.dot(point - element.start);
  if (element.kind == Kind::curve) {
    double u = 0;
    if (foot_on(ref, point, 1, u) == FootPlace::within) {
      const CurvePoint on = ref.curve->at(u);
      return right_of(on.first.normalized()).dot(point - on.position);
    }
  } else {
    const double side = element.kind == Kind::node ? 1 : -1;
    const Eigen::Vector2d to = point - element.centre;
    const double distance = to.norm();
    if (distance < touching || sees(element, Eigen::Vector2d(side / distance * to)))
      return side * (distance - element.radius);
  }
  const bool at_start = (point - element.start).squaredNorm() < (point - element.end).squaredNorm();
  return at_start ? element.from.dot(point - element.start) : element.to.dot(point - element.end);
}

double farthest_from(const ElementRef& ref, const Eigen::Vector2d& point) {
  const OutlineElement& element = ref.element;
  double most = std::max((element.start - point).norm(), (element.end - point).norm());
  if (element.kind == Kind::curve) {
    double u = 0;
    if (foot_on(ref, point, -1, u) == FootPlace::within)
      most = std::max(most, (ref.curve->at(u).position - point).norm());
  } else if (element.kind != Kind::line && element.radius > 0) {
    const Eigen::Vector2d out = element.centre - point;
    const double distance = out.norm(), sign = element.kind == Kind::node ? 1 : -1;
    if (distance < touching || sees(element, Eigen::Vector2d(sign * out / distance)))
      most = std::max(most, distance + element.radius);
  }
  return most;
}

double distance_between(const ElementRef& first, const ElementRef& second) {
  const bool curved = first.element.kind == Kind::curve || second.element.kind == Kind::curve;
  if (!curved && elements_cross(first.element, second.element)) return 0;
  double least = std::numeric_limits<double>::infinity();
  ElementHit hit;
  if (elements_touch(first, second, hit)) least = std::max(0.0, hit.gap);
  const auto offer_ends = [&](const ElementRef& one, const ElementRef& other) {
    if (one.element.endless || one.element.full) return;
    least = std::min({least, distance_from(other, one.element.start), distance_from(other, one.element.end)});
  };
  offer_ends(first, second), offer_ends(second, first);
  return std::isfinite(least) ? least : 0;
}

double lowest_of(const ElementRef& ref, const Eigen::Vector2d& n) {
  const OutlineElement& element = ref.element;
  if (element.endless) return -std::numeric_limits<double>::infinity();
  double least = std::min(n.dot(element.start), n.dot(element.end));
  if (element.kind == Kind::curve) {
    const Eigen::Vector2d tangent = element.convex ? Eigen::Vector2d(n.y(), -n.x()) : Eigen::Vector2d(-n.y(), n.x());
    double u = 0;
    if (place_of_tangent(ref, tangent, u) == FootPlace::within)
      least = std::min(least, n.dot(ref.curve->at(u).position));
  } else if (element.kind != Kind::line && element.radius > 0) {
    if (sees(element, element.kind == Kind::node ? Eigen::Vector2d(-n) : n))
      least = std::min(least, n.dot(element.centre) - element.radius);
  }
  return least;
}

namespace {

bool has_chord(const OutlineElement& element) {
  return (element.kind == Kind::line && !element.endless) || (element.kind == Kind::curve && element.convex);
}

bool is_arc(const OutlineElement& element) {
  return (element.kind == Kind::node || element.kind == Kind::hollow) && element.radius > 0;
}

bool is_on_arc(const OutlineElement& arc, const Eigen::Vector2d& point) {
  const double sign = arc.kind == Kind::node ? 1 : -1;
  return sees(arc, Eigen::Vector2d(sign * (point - arc.centre) / arc.radius));
}

bool chords_cross(const OutlineElement& first, const OutlineElement& second) {
  const Eigen::Vector2d a = first.end - first.start, b = second.end - second.start, to = second.start - first.start;
  const double across = cross_of(a, b), small = 1e-9;
  if (std::abs(across) < 1e-300) return false;
  const double on_a = cross_of(to, b) / across, on_b = cross_of(to, a) / across;
  return on_a > small && on_a < 1 - small && on_b > small && on_b < 1 - small;
}

bool chord_crosses_arc(const OutlineElement& side, const OutlineElement& arc) {
  const Eigen::Vector2d along = side.end - side.start, to = arc.centre - side.start;
  const double length = along.norm(), middle = along.dot(to) / length, height = cross_of(along, to) / length;
  const double square = arc.radius * arc.radius - height * height;
  if (square <= 0) return false;
  const double half = std::sqrt(square);
  for (const double at : {middle - half, middle + half}) {
    if (at > 0 && at < length && is_on_arc(arc, Eigen::Vector2d(side.start + at / length * along))) return true;
  }
  return false;
}

bool arcs_cross(const OutlineElement& first, const OutlineElement& second) {
  const Eigen::Vector2d between = second.centre - first.centre;
  const double distance = between.norm(), r = first.radius, s = second.radius;
  if (distance >= r + s || distance <= std::abs(r - s) || distance < touching) return false;
  const Eigen::Vector2d u = between / distance, left(-u.y(), u.x());
  const double along = (distance * distance + r * r - s * s) / (2 * distance);
  const double across = std::sqrt(std::max(0.0, r * r - along * along));
  for (const double side : {-across, across}) {
    const Eigen::Vector2d point = first.centre + along * u + side * left;
    if (is_on_arc(first, point) && is_on_arc(second, point)) return true;
  }
  return false;
}

}  // namespace

bool may_cross(const OutlineElement& element) {
  return has_chord(element) || is_arc(element);
}

bool elements_cross(const OutlineElement& first, const OutlineElement& second) {
  const bool arc_a = is_arc(first), arc_b = is_arc(second);
  if (arc_a && arc_b) return arcs_cross(first, second);
  if (has_chord(first))
    return arc_b ? chord_crosses_arc(first, second) : has_chord(second) && chords_cross(first, second);
  return arc_a && has_chord(second) && chord_crosses_arc(second, first);
}

OutlineElement moved_element(const OutlineElement& element, const Eigen::Matrix2d& turn,
                             const Eigen::Vector2d& offset) {
  OutlineElement result = element;
  for (Eigen::Vector2d* point : {&result.centre, &result.start, &result.end, &result.middle})
    *point = turn * *point + offset;
  result.from = turn * element.from, result.to = turn * element.to;
  if (element.notch[0]) result.beyond[0] = turn * element.beyond[0];
  if (element.notch[1]) result.beyond[1] = turn * element.beyond[1];
  return result;
}

}  // namespace carom::inline contact_geometry
