#include <algorithm>
#include <limits>

#include "contact_geometry/outline_of_shape.h"
#include "contact_geometry/pair.h"
#include "contact_geometry/profile_search.h"

// Two profiles touch where their normals are opposite and the line between the points is along them: two equations for
// the two parameters, solved by Newton's method with the analytic Jacobian. A call starts from the roots of the last
// one. Roots that are missing are searched for on the pieces of the profiles, on each of which the normal turns one way
// only: to every sample of one piece belongs one point of the other with the opposite normal, which leaves a sign
// change along one curve to be found.
namespace carom::inline contact_geometry {

namespace {

constexpr int memory_per_slot = 3;  // in use, parameter on a, parameter on b

// All in the axes of shape a.
struct Pose {
  const Profile &a, &b;
  Eigen::Vector2d offset;  // of the origin of b
  Rotation<2> turn;        // axes of b to axes of a
  double angle;

  CurvePoint on_b(double s) const {
    const CurvePoint point = b.at(s);
    return {offset + turn * point.position, turn * point.first, turn * point.second};
  }
};

struct Root {
  double s_a, s_b, gap;
  Eigen::Vector2d point_a, point_b, normal;
};

// Newton on the two equations; false when it does not settle. The step is bounded to a tenth of each profile.
bool solve(const Pose& pose, double& s_a, double& s_b) {
  const double size = pose.a.bounding_radius() + pose.b.bounding_radius();
  constexpr double tolerance = 1e-12;
  bool last = false;
  for (int iteration = 0; iteration < 40; ++iteration) {
    const CurvePoint a = pose.a.at(s_a), b = pose.on_b(s_b);
    const Eigen::Vector2d d = b.position - a.position, n(a.first.y(), -a.first.x());
    const double speed_a = a.first.norm(), speed_b = b.first.norm();
    const double f1 = b.first.dot(n), f2 = d.dot(a.first);
    if (last) return true;
    last = std::abs(f1) < tolerance * speed_a * speed_b && std::abs(f2) < tolerance * speed_a * size;
    const double j11 = b.first.dot(Eigen::Vector2d(a.second.y(), -a.second.x())), j12 = b.second.dot(n);
    const double j21 = d.dot(a.second) - speed_a * speed_a, j22 = a.first.dot(b.first);
    const double determinant = j11 * j22 - j12 * j21;
    if (determinant == 0 || !std::isfinite(determinant)) return false;
    double step_a = -(j22 * f1 - j12 * f2) / determinant, step_b = -(j11 * f2 - j21 * f1) / determinant;
    const double over = std::max(std::abs(step_a) / pose.a.end(), std::abs(step_b) / pose.b.end()) / 0.1;
    if (over > 1) {
      step_a /= over;
      step_b /= over;
    }
    s_a = pose.a.wrapped(s_a + step_a);
    s_b = pose.b.wrapped(s_b + step_b);
    // An open profile has no contact far beyond its ends.
    if (std::abs(s_a) > 10 * pose.a.end() || std::abs(s_b) > 10 * pose.b.end()) return false;
  }
  return false;
}

// A root is a contact when the normals face each other, the distance is least there rather than greatest
// (κ_a + κ_b + κ_a κ_b g > 0), both points lie on their profiles, and a depth is one inside both.
bool accept(const Pose& pose, double s_a, double s_b, Root& root) {
  if (!pose.a.is_within(s_a) || !pose.b.is_within(s_b)) return false;
  const CurvePoint a = pose.a.at(s_a), b = pose.on_b(s_b);
  const Eigen::Vector2d n = outward_of(a.first);
  if (a.first.dot(b.first) >= 0) return false;
  const double gap = n.dot(b.position - a.position);
  const double bend_a = pose.a.curvature(s_a), bend_b = pose.b.curvature(s_b);
  if (!(bend_a + bend_b + bend_a * bend_b * gap > 0)) return false;
  if (gap < -(pose.a.sagitta() + pose.b.sagitta())) {
    if (!pose.a.contains(b.position) || !pose.b.contains(pose.turn.back(a.position - pose.offset))) return false;
  }
  root = {s_a, s_b, gap, a.position, b.position, n};
  return true;
}

double apart(const Profile& profile, double one, double two) {
  const double off = std::abs(one - two);
  return profile.is_closed() ? std::min(off, profile.end() - off) : off;
}

// The roots of this call, by slot.
class Roots {
 public:
  Roots(const Pose& pose, int slots) : pose_(pose), slots_(slots) {}

  bool has(int slot) const { return used_[slot]; }
  const Root& operator[](int slot) const { return roots_[slot]; }

  // m, up to which others than the nearest root are looked for: well before they could touch.
  double farthest_of_interest() const {
    double nearest = std::numeric_limits<double>::infinity();
    for (int slot = 0; slot < slots_; ++slot) {
      if (used_[slot]) nearest = std::min(nearest, roots_[slot].gap);
    }
    return std::max(0.0, nearest) + 0.05 * std::min(pose_.a.bounding_radius(), pose_.b.bounding_radius());
  }

  // From where the slot was in the last call; `memory` is of all slots. Where its root has vanished, it must not take
  // that of another one.
  bool follow(int slot, const double* memory) {
    Root root;
    double s_a = memory[memory_per_slot * slot + 1], s_b = memory[memory_per_slot * slot + 2];
    if (!solve(pose_, s_a, s_b) || !accept(pose_, s_a, s_b, root) || is_known(root)) return false;
    const double own = way_from(memory + memory_per_slot * slot, root);
    for (int other = 0; other < slots_; ++other) {
      const double* const remembered = memory + memory_per_slot * other;
      if (other != slot && remembered[0] != 0 && way_from(remembered, root) < own) return false;
    }
    roots_[slot] = root;
    return used_[slot] = true;
  }

  // A new root goes to the first free slot, or to that of the farthest one if it is nearer. A single slot keeps the
  // root of least depth or greatest distance: two convex profiles are as far apart as the direction that separates them
  // best. False: this start leads to no contact.
  bool try_from(double s_a, double s_b) {
    Root root;
    if (!solve(pose_, s_a, s_b) || !accept(pose_, s_a, s_b, root)) return false;
    if (is_known(root)) return true;
    if (slots_ == 1 && used_[0]) {
      if (root.gap > roots_[0].gap) roots_[0] = root;
      return true;
    }
    int place = 0;
    for (int slot = 0; slot < slots_; ++slot) {
      if (used_[place] && (!used_[slot] || roots_[slot].gap > roots_[place].gap)) place = slot;
    }
    if (used_[place] && root.gap >= roots_[place].gap) return true;
    roots_[place] = root;
    used_[place] = true;
    return true;
  }

 private:
  // Of a root since the last call, by the parts of both profiles.
  double way_from(const double* remembered, const Root& root) const {
    return apart(pose_.a, remembered[1], root.s_a) / pose_.a.end() +
           apart(pose_.b, remembered[2], root.s_b) / pose_.b.end();
  }
  bool is_known(const Root& root) const {
    for (int slot = 0; slot < slots_; ++slot) {
      if (used_[slot] && apart(pose_.a, roots_[slot].s_a, root.s_a) < 1e-6 * pose_.a.end() &&
          apart(pose_.b, roots_[slot].s_b, root.s_b) < 1e-6 * pose_.b.end()) {
        return true;
      }
    }
    return false;
  }

  const Pose& pose_;
  int slots_;
  std::array<Root, most_profile_slots> roots_;
  std::array<bool, most_profile_slots> used_{};
};

// Where on a piece the normal has this angle, between samples; the nearer end when it has it nowhere.
struct Place {
  double s;
  Eigen::Vector2d position;
};

// `low`, a sample of the piece, is where to look first, and then the sample before the place: one angle after another
// is a short way from the last one.
Place place_of_angle(const Profile& profile, const Profile::Piece& piece, double angle, std::size_t& low) {
  const auto samples = profile.samples();
  const auto before = [&](std::size_t k) {
    return piece.concave ? samples[k].angle > angle : samples[k].angle < angle;
  };
  while (low > piece.first && !before(low)) --low;
  while (low + 2 <= piece.last && before(low + 1)) ++low;
  const std::size_t high = low + 1;
  const double span = samples[high].angle - samples[low].angle;
  const double part = span == 0 ? 0.5 : std::clamp((angle - samples[low].angle) / span, 0.0, 1.0);
  return {samples[low].s + part * (samples[high].s - samples[low].s),
          samples[low].position + part * (samples[high].position - samples[low].position)};
}

// The search along a piece of `outer` for points whose distance to the point of `other` with the opposite normal is
// along the normal: starts are where the distance projected on the tangent changes its sign. `offset` and `turn` take
// the axes of `inner` to those of `outer`, `shift` turns an angle of the outer normal into that of the opposite normal
// of inner.
template <typename Try>
struct Scan {
  const Profile& outer;
  const Profile::Piece& piece;
  const Profile& inner;
  const Profile::Piece& other;
  const Eigen::Vector2d& offset;
  const Rotation<2>& turn;
  double shift;
  Try try_from;  // (s on outer, s on inner): does it lead to a contact?

  void run() const {
    constexpr double full = 2 * M_PI, beyond = full / 16;  // a little beyond the ends of the other piece
    const auto samples = outer.samples();
    const int first = static_cast<int>(std::ceil((other.low - beyond - (piece.high + shift)) / full));
    const int last = static_cast<int>(std::floor((other.high + beyond - (piece.low + shift)) / full));
    for (int turns = first; turns <= last; ++turns) {
      const double to_inner = shift + full * turns;
      bool known = false;
      double before = 0;
      Place place_before{};
      std::size_t near = other.first;
      for (std::size_t k = piece.first; k <= piece.last; ++k) {
        const double angle = samples[k].angle + to_inner;
        if (angle < other.low - beyond || angle > other.high + beyond) {
          known = false;
          continue;
        }
        const Place place = place_of_angle(inner, other, angle, near);
        const double here = samples[k].tangent.dot(offset + turn * place.position - samples[k].position);
        if (known && (here > 0) != (before > 0)) {
          const double part = before / (before - here);
          const bool found = try_from(samples[k - 1].s + part * (samples[k].s - samples[k - 1].s),
                                      place_before.s + part * (place.s - place_before.s));
          if (!found) try_closer(k, to_inner, before > 0);
        }
        known = true;
        before = here;
        place_before = place;
      }
    }
  }

  // By bisection between samples k − 1 and k, for curves so sharp that Newton loses its way from there.
  void try_closer(std::size_t k, double to_inner, bool starts_positive) const {
    const Profile::Sample &from = outer.samples()[k - 1], &to = outer.samples()[k];
    double low = from.s, high = to.s;
    Place place{};
    std::size_t near = other.first;
    for (int halving = 0; halving < 20; ++halving) {
      const double s = (low + high) / 2;
      const CurvePoint point = outer.at(s);
      const double turned = std::atan2(cross(from.tangent, point.first)[0], from.tangent.dot(point.first));
      place = place_of_angle(inner, other, from.angle + turned + to_inner, near);
      const Eigen::Vector2d facing = offset + turn * inner.at(place.s).position;
      const bool positive = point.first.dot(facing - point.position) > 0;
      (positive == starts_positive ? low : high) = s;
    }
    try_from((low + high) / 2, place.s);
  }
};

// Of pieces that may be nearer to each other than `farthest`, m.
void search(const Pose& pose, double farthest, Roots& roots) {
  const Rotation<2> back(-pose.angle);
  const Eigen::Vector2d back_offset = -(back * pose.offset);
  for (const Profile::Piece& piece_a : pose.a.pieces()) {
    for (const Profile::Piece& piece_b : pose.b.pieces()) {
      if (piece_a.concave && piece_b.concave) continue;
      const double way = farthest + piece_a.radius + piece_b.radius;
      if ((pose.offset + pose.turn * piece_b.centre - piece_a.centre).squaredNorm() > way * way) continue;
      // Along the piece that turns less, so that the other offers every normal.
      if (piece_a.high - piece_a.low <= piece_b.high - piece_b.low) {
        const auto try_from = [&](double s_a, double s_b) {
          return roots.try_from(pose.a.wrapped(s_a), pose.b.wrapped(s_b));
        };
        Scan<decltype(try_from)>{pose.a, piece_a, pose.b, piece_b, pose.offset, pose.turn, M_PI - pose.angle, try_from}
            .run();
      } else {
        const auto try_from = [&](double s_b, double s_a) {
          return roots.try_from(pose.a.wrapped(s_a), pose.b.wrapped(s_b));
        };
        Scan<decltype(try_from)>{pose.b, piece_b, pose.a, piece_a, back_offset, back, M_PI + pose.angle, try_from}
            .run();
      }
    }
  }
}

int slots_of(const Profile& a, const Profile& b) {
  if (a.is_convex() && b.is_convex()) return 1;
  int count = 0;
  for (const Profile::Piece& piece_a : a.pieces()) {
    for (const Profile::Piece& piece_b : b.pieces()) {
      if (piece_a.concave && piece_b.concave) continue;
      const double turns = std::max(piece_a.high - piece_a.low, piece_b.high - piece_b.low) / (2 * M_PI);
      count += std::max(1, static_cast<int>(std::ceil(turns - 1e-6)));
    }
  }
  return std::min(count, most_profile_slots);
}

int points_of(const Shape<2>& a, const Shape<2>& b) {
  return slots_of(*a.profile, *b.profile);
}

int memory_size(const Shape<2>& a, const Shape<2>& b) {
  return memory_per_slot * points_of(a, b);
}

// Closed profiles that lie so deep in each other that no normals face each other there: their outlines tell the way
// out. False: they are apart, or one of them has no inside.
bool find_way_out(const Pose& pose, Root& root) {
  if (!pose.a.is_closed() || !pose.b.is_closed()) return false;
  if (pose.offset.norm() > pose.a.bounding_radius() + pose.b.bounding_radius()) return false;
  OutlinePose placed;
  placed.turn.col(0) = pose.turn * Eigen::Vector2d::UnitX();
  placed.turn.col(1) = pose.turn * Eigen::Vector2d::UnitY();
  placed.offset = pose.offset;
  std::array<OutlineContact, most_outline_points> contacts;
  double last[2] = {0, 0};
  const int count = find_outline_contacts(pose.a.outline().view(), pose.b.outline().view(), placed, contacts.data(),
                                          most_outline_points, last);
  const auto* const deepest = std::min_element(contacts.data(), contacts.data() + count,
                                               [](const auto& one, const auto& two) { return one.gap < two.gap; });
  if (count == 0 || !(deepest->gap < 0)) return false;
  root = {0, 0, deepest->gap, deepest->on_a, deepest->on_b, deepest->normal};
  return true;
}

void evaluate_profile_profile(const Shape<2>& a, const Shape<2>& b, const BodyState<2>& body_a,
                              const BodyState<2>& body_b, ContactPoint<2>* points, double* memory) {
  const Eigen::Vector2d origin = centre_of<2>(a, body_a);
  const Eigen::Vector2d x = to_shape<2>(a, body_a, axis_of<2>(b, body_b, 0));
  const double angle = std::atan2(x.y(), x.x());
  const Pose pose{*a.profile, *b.profile, to_shape<2>(a, body_a, Eigen::Vector2d(centre_of<2>(b, body_b) - origin)),
                  Rotation<2>(angle), angle};
  const int slots = slots_of(pose.a, pose.b);
  Roots roots(pose, slots);
  for (int slot = 0; slot < slots; ++slot) {
    if (memory[memory_per_slot * slot] != 0) roots.follow(slot, memory);
  }
  if (slots > 1 || !roots.has(0)) search(pose, roots.farthest_of_interest(), roots);
  const auto point_of = [&](const Root& root) -> ContactPoint<2> {
    return {root.gap, to_world<2>(a, body_a, root.normal), origin + to_world<2>(a, body_a, root.point_a),
            origin + to_world<2>(a, body_a, root.point_b)};
  };
  bool found = false;
  for (int slot = 0; slot < slots; ++slot) {
    double* const remembered = memory + memory_per_slot * slot;
    remembered[0] = roots.has(slot) ? 1 : 0;
    points[slot] = {};
    if (!roots.has(slot)) continue;
    found = true;
    remembered[1] = roots[slot].s_a;
    remembered[2] = roots[slot].s_b;
    points[slot] = point_of(roots[slot]);
  }
  if (Root deep; !found && find_way_out(pose, deep)) points[0] = point_of(deep);
}

}  // namespace

PairDescription<2> describe_profile_profile() {
  return {.a = ShapeKind::profile,
          .b = ShapeKind::profile,
          .name = "profile_profile",
          .summary =
              "the nearest points of two profiles; profiles that are not convex have a slot for every local "
              "minimum, at most 8, which follows its minimum from call to call",
          .points = points_of,
          .memory = memory_size,
          .evaluate = evaluate_profile_profile,
          .effective_radius = no_effective_radius<2>};
}

}  // namespace carom::inline contact_geometry
