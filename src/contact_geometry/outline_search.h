#pragma once

#include "contact_geometry/outline.h"
#include "contact_geometry/pair.h"

// Contacts of two outlines, by trees over their elements.
namespace carom::inline contact_geometry {

// The axes of b in those of a: x ↦ turn x + offset.
struct OutlinePose {
  Eigen::Matrix2d turn;
  Eigen::Vector2d offset;
  OutlinePose inverse() const { return {turn.transpose(), -(turn.transpose() * offset)}; }
};

inline constexpr int most_outline_points = 24;
// The way out of sides that cross each other where no corner is known to have come through one of them.
inline constexpr Feature escape_feature = feature_of(0x7fffffff, 0);

// A contact in the axes of a.
struct OutlineContact {
  Feature feature = no_feature;
  double gap = 0;
  Eigen::Vector2d normal = Eigen::Vector2d::UnitX();
  Eigen::Vector2d on_a = Eigen::Vector2d::Zero(), on_b = Eigen::Vector2d::Zero();
  bool in_notch = false;  // there several walls are touched by one corner
  bool of_nodes = false;  // two corners or arcs, no wall
};

// The nearest contact, and all others that are farther apart by no more than a small part of the smaller outline; at
// most `capacity`, the nearest ones. Returns how many. `last` holds two numbers by which the next search is fast; zeros
// at first.
int find_outline_contacts(const OutlineView& a, const OutlineView& b, const OutlinePose& pose, OutlineContact* contacts,
                          int capacity, double* last);

// m, how far a point is below the surface of a closed outline, in its axes; outside at most 0.
double depth_below(const OutlineView& view, const Eigen::Vector2d& point);
// Whether they overlap by more than `depth`, m, small beside both.
bool outlines_lie_deeper(const OutlineView& a, const OutlineView& b, const OutlinePose& pose, double depth);

// m, a lower bound of the distance between two instants with the poses `from` and `to`; below the floor as soon as that
// is not excluded. Where contacts touch already, the least of the gaps of all others. The
// bend holds for directions fixed to either outline; of pairs with a special element, to the one that has it.
double least_between_poses(const OutlineView& a, const OutlineView& b, const OutlinePose& from, const OutlinePose& to,
                           const GapMotion& motion);

}  // namespace carom::inline contact_geometry
