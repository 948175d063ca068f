#include "contact_geometry/outline_search.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "contact_geometry/outline_branches.h"

namespace carom::inline contact_geometry {

namespace {

using Kind = OutlineElement::Kind;

// Of the thinner outline, and of the smaller one: how much farther apart than the nearest place others may be, and how
// deep outlines are in each other at the most where places are told apart.
constexpr double band_of_thickness = 0.5, band_of_size = 0.1;
constexpr double touching_part = 1e-6;    // of it: gaps that are as good as none
constexpr double coincident_part = 1e-8;  // of it: contacts that are one

// Is there a point of the outline that is nearer to this one?
bool is_nearer(const OutlineView& view, const Eigen::Vector2d& point, double distance) {
  std::array<int, deepest_tree + 1> open;
  int count = 0;
  open[count++] = 0;
  while (count > 0) {
    const OutlineBranch& branch = view.tree[open[--count]];
    if (bound_of(view, branch, point, 0) > distance) continue;
    if (branch.count == 0) {
      if (distance_from(ref_of(view, view.elements[branch.first]), point) < distance) return true;
      continue;
    }
    for (int k = 0; k < branch.count; ++k) open[count++] = branch.first + k;
  }
  return false;
}

class ContactSearch {
 public:
  ContactSearch(const OutlineView& a, const OutlineView& b, const OutlinePose& pose, OutlineContact* contacts,
                int capacity)
      : a_(a),
        b_(b),
        pose_(pose),
        contacts_(contacts),
        capacity_(capacity),
        size_(std::min(a.size, b.size)),
        band_(std::min(band_of_thickness * std::min(a.thickness, b.thickness), band_of_size * size_)) {}

  int run(double* last) {
    if (last[0] > 0) try_elements(static_cast<int>(last[0]) - 1, static_cast<int>(last[1]) - 1, 0);
    search();
    // Sides that merely touch cross by rounding.
    const bool overlaps = count_ > 0 && best_ < touching_part * size_;
    // Deep in each other, or one wholly in the other: whatever way out is short.
    // What crosses deeper than any place that is known does so where places are not told apart.
    const bool deeper = crossing_depth_ > std::max(0.0, -best_) * (1 + 1e-6) + touching_part * size_;
    if (((crosses_ || deeper_than_band_) && !overlaps) || deeper || count_ == 0 || (!overlaps && is_one_inside())) {
      deep_ = true;
      // No point of what lies in a groove is deeper in its walls than this.
      if (a_.around)
        deepest_ = std::max(0.0, depth_below(a_, pose_.turn * b_.elements[0].start + pose_.offset)) + 2 * b_.size;
      search();
      if (!(best_ < -touching_part * size_) && std::isfinite(escape_.gap)) best_ = escape_.gap, add(escape_);
    }
    last[0] = nearest_a_ + 1, last[1] = nearest_b_ + 1;
    sieve();
    return count_;
  }

 private:
  bool is_one_inside() const {
    return depth_below(a_, pose_.turn * b_.elements[0].start + pose_.offset) > 0 ||
           depth_below(b_, pose_.turn.transpose() * (a_.elements[0].start - pose_.offset)) > 0;
  }

  double cut() const { return deep_ ? deepest_ : std::max(best_, 0.0) + band_; }

  void search() {
    BranchPairs(a_, b_, pose_)
        .visit([this] { return cut(); }, [this](int i, int j, double bound) { try_elements(i, j, bound); });
  }

  // What most pairs of elements show before they are brought into one frame.
  bool cannot_touch(const OutlineElement& one, const OutlineElement& two) const {
    if (one.kind == Kind::node && two.kind == Kind::node) {
      const Eigen::Vector2d between = pose_.turn * two.centre + pose_.offset - one.centre;
      const double distance = between.norm();
      if (distance - one.radius - two.radius > cut()) return true;
      if (!(distance > 0)) return false;
      const Eigen::Vector2d w = between / distance;
      return !reaches_direction(one, w) || !reaches_direction(two, -(pose_.turn.transpose() * w));
    }
    if (one.kind == Kind::node || two.kind == Kind::node) return false;
    if (one.kind != Kind::curve && two.kind != Kind::curve) return true;
    if (one.kind == Kind::curve && two.kind == Kind::curve)
      return (one.from + one.to).dot(pose_.turn * (two.from + two.to)) >= 0;
    return false;
  }

  void try_elements(int i, int j, double bound) {
    const OutlineElement &one = a_.elements[i], &two = b_.elements[j];
    if (bound <= 0 && (!crosses_ || deep_ || (has_depth(one) && has_depth(two)))) note_crossing(one, two);
    if (cannot_touch(one, two)) return;
    ElementHit hit;
    bool in_b = false;
    const bool found =
        in_one_frame(a_, b_, pose_, i, j, [&](const ElementRef& first, const ElementRef& second, bool frame_b) {
          in_b = frame_b;
          return elements_touch(first, second, hit);
        });
    if (!found || hit.gap > cut()) return;
    OutlineContact contact{feature_between(a_, one, two),
                           hit.gap,
                           hit.normal,
                           hit.on_first,
                           hit.on_second,
                           hit.beyond,
                           one.kind == Kind::node && two.kind == Kind::node};
    if (in_b) {
      contact.normal = pose_.turn * hit.normal;
      contact.on_a = pose_.turn * hit.on_first + pose_.offset;
      contact.on_b = pose_.turn * hit.on_second + pose_.offset;
    }
    if (hit.gap < 0 && !is_overlap(one, two, contact)) return note_escape(contact);
    if (hit.gap < best_) best_ = hit.gap, nearest_a_ = i, nearest_b_ = j;
    add(contact);
  }

  // What lies behind a surface has come through it only if no other part of the outline is nearer.
  bool is_overlap(const OutlineElement& one, const OutlineElement& two, const OutlineContact& contact) {
    if (is_endless_wall(a_) || is_endless_wall(b_)) return true;
    if (deep_ || -contact.gap <= band_) return has_come_through(one, two, contact);
    // Deeper than places are told apart: one of them shows that all have to be looked at.
    if (!deeper_than_band_ && !(best_ < touching_part * size_)) deeper_than_band_ = has_come_through(one, two, contact);
    return false;
  }

  bool has_come_through(const OutlineElement& one, const OutlineElement& two, const OutlineContact& contact) const {
    const double depth = -contact.gap * (1 - 1e-6) - 1e-12 * size_;
    if (depth <= 0) return true;
    const auto is_wall = [](const OutlineElement& element) {
      return element.kind == Kind::line || element.kind == Kind::hollow;
    };
    const bool node_a = one.kind == Kind::node, node_b = two.kind == Kind::node;
    const bool wall_a = is_wall(one) || (node_b && !node_a), wall_b = is_wall(two) || (node_a && !node_b);
    // Beside the tip of a part, an arc or a curve that presses on a side may lie nearer to the other side; the side in
    // the arc does not.
    const auto is_round = [](const OutlineElement& element) {
      return element.kind == Kind::node ? element.radius > 0 : element.kind == Kind::curve;
    };
    const bool arc_a = is_round(one), arc_b = is_round(two);
    if ((!wall_b || arc_a) && !is_nearer(a_, contact.on_b, depth)) return true;
    return (!wall_a || arc_b) && !is_nearer(b_, pose_.turn.transpose() * (contact.on_a - pose_.offset), depth);
  }

  void note_escape(const OutlineContact& contact) {
    if (contact.gap < 0 && (contact.gap > escape_.gap || !std::isfinite(escape_.gap))) escape_ = contact;
  }

  void add(const OutlineContact& contact) {
    for (int k = 0; k < count_; ++k) {
      if (contacts_[k].feature != contact.feature) continue;
      if (contact.gap < contacts_[k].gap) contacts_[k] = contact;
      return;
    }
    if (count_ < capacity_) {
      contacts_[count_++] = contact;
      return;
    }
    OutlineContact* farthest = std::max_element(
        contacts_, contacts_ + count_, [](const OutlineContact& x, const OutlineContact& y) { return x.gap < y.gap; });
    if (contact.gap < farthest->gap) *farthest = contact;
  }

  // Of which it is known how deep they are in each other where they cross.
  static bool has_depth(const OutlineElement& element) {
    return element.kind == Kind::line || (element.kind == Kind::node && element.radius > 0);
  }

  // Straight sides that cross without a corner in the other outline are pushed apart past the nearest end.
  void note_crossing(const OutlineElement& one, const OutlineElement& two) {
    if (!may_cross(one) || !may_cross(two)) return;
    const OutlineElement moved = moved_element(two, pose_.turn, pose_.offset);
    if (!elements_cross(one, moved)) return;
    crosses_ = true;
    double depth = std::numeric_limits<double>::infinity();
    const auto note = [&](double height) {
      if (height < 0) depth = std::min(depth, -height);
    };
    // By rounding a tip may lie outside of what its arc or side crosses there.
    const auto note_tip = [&](double height) {
      if (height < coincident_part * size_) depth = std::min(depth, std::max(0.0, -height));
    };
    const Feature feature = escape_feature;
    if (one.kind == Kind::line && two.kind == Kind::line) {
      for (const Eigen::Vector2d& tip : {moved.start, moved.end}) {
        const double height = one.from.dot(tip - one.start);
        note(height);
        note_escape({feature, height, one.from, tip - height * one.from, tip});
      }
      for (const Eigen::Vector2d& tip : {one.start, one.end}) {
        const double height = moved.from.dot(tip - moved.start);
        note(height);
        note_escape({feature, height, -moved.from, tip, tip - height * moved.from});
      }
    } else if (one.kind == Kind::node && two.kind == Kind::node) {
      note((moved.centre - one.centre).norm() - one.radius - moved.radius);
      // An arc that ends inside the other is no deeper there than its end.
      for (const auto& [arc, other] : {std::pair{&one, &moved}, std::pair{&moved, &one}}) {
        if (arc->full) continue;
        for (const Eigen::Vector2d& tip : {arc->start, arc->end})
          note_tip((tip - other->centre).norm() - other->radius);
      }
    } else if (one.kind == Kind::line || two.kind == Kind::line) {
      const OutlineElement &side = one.kind == Kind::line ? one : moved, &arc = one.kind == Kind::line ? moved : one;
      if (arc.kind != Kind::node) return;
      note(side.from.dot(arc.centre - side.start) - arc.radius);
      for (const Eigen::Vector2d& tip : {side.start, side.end}) note_tip((tip - arc.centre).norm() - arc.radius);
      if (arc.full) return note_depth(depth);
      for (const Eigen::Vector2d& tip : {arc.start, arc.end}) note_tip(side.from.dot(tip - side.start));
    }
    note_depth(depth);
  }

  void note_depth(double depth) {
    if (std::isfinite(depth)) crossing_depth_ = std::max(crossing_depth_, depth);
  }

  // Leaves out what is too far apart, and of contacts that coincide all but one: that of a corner of a, if there is
  // one.
  void sieve() {
    deep_ = false;
    const double most = cut(), same = coincident_part * size_;
    int kept = 0;
    std::sort(contacts_, contacts_ + count_,
              [](const OutlineContact& x, const OutlineContact& y) { return rank(x.feature) < rank(y.feature); });
    for (int k = 0; k < count_; ++k) {
      const OutlineContact& contact = contacts_[k];
      if (contact.gap > most) continue;
      const bool known = std::any_of(contacts_, contacts_ + kept, [&](const OutlineContact& other) {
        return (other.on_a - contact.on_a).squaredNorm() <= same * same &&
               (other.on_b - contact.on_b).squaredNorm() <= same * same && other.normal.dot(contact.normal) > 0.9;
      });
      if (!known && !is_deeper_twin(contact)) contacts_[kept++] = contact;
    }
    count_ = kept;
  }
  // A corner that is as deep behind two sides of another one has come in through one of them. A corner in an arc is not
  // behind a side, though the end of the arc, where it lies, may be behind one of its own.
  bool is_deeper_twin(const OutlineContact& contact) const {
    if (contact.in_notch || contact.of_nodes || !(contact.gap < -coincident_part * size_)) return false;
    const bool a_leads = ((contact.feature >> 32) - 1) % 2 == 0;
    const double same = coincident_part * size_;
    return std::any_of(contacts_, contacts_ + count_, [&](const OutlineContact& other) {
      if (!have_same_lead(other.feature, contact.feature) || other.in_notch || !(other.gap < 0)) return false;
      const Eigen::Vector2d apart = a_leads ? other.on_a - contact.on_a : other.on_b - contact.on_b;
      if (!(apart.squaredNorm() <= same * same)) return false;
      return other.gap > contact.gap || (other.gap == contact.gap && other.feature < contact.feature);
    });
  }
  // Those led by a first, then by number.
  static Feature rank(Feature feature) {
    const Feature leading = (feature >> 32) - 1;
    return (leading & 1) << 63 | (feature & ~(Feature{1} << 63));
  }

  const OutlineView &a_, &b_;
  const OutlinePose& pose_;
  OutlineContact* contacts_;
  int capacity_, count_ = 0;
  double size_, band_, best_ = std::numeric_limits<double>::infinity();
  int nearest_a_ = -1, nearest_b_ = -1;
  bool crosses_ = false, deep_ = false;
  double deepest_ = std::numeric_limits<double>::infinity();  // m, how far places are looked for that are deep
  bool deeper_than_band_ = false;                             // something has come through by more than that
  double crossing_depth_ = 0;  // m, by which elements that cross reach through each other at the most
  OutlineContact escape_{no_feature, -std::numeric_limits<double>::infinity()};
};

}  // namespace

int find_outline_contacts(const OutlineView& a, const OutlineView& b, const OutlinePose& pose, OutlineContact* contacts,
                          int capacity, double* last) {
  return ContactSearch(a, b, pose, contacts, capacity).run(last);
}

}  // namespace carom::inline contact_geometry
