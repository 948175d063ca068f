#pragma once

#include "contact_geometry/manifold.h"
#include "contact_geometry/outline.h"

// Contacts of two outlines, by trees over their elements.
namespace carom::inline contact_geometry {

// The axes of b in those of a: x ↦ turn x + offset.
struct OutlinePose {
  Eigen::Matrix2d turn;
  Eigen::Vector2d offset;
  OutlinePose inverse() const { return {turn.transpose(), -(turn.transpose() * offset)}; }
};

inline constexpr int most_outline_points = 24;

// A contact in the axes of a.
struct OutlineContact {
  Feature feature = no_feature;
  double gap = 0;
  Eigen::Vector2d normal = Eigen::Vector2d::UnitX();
  Eigen::Vector2d on_a = Eigen::Vector2d::Zero(), on_b = Eigen::Vector2d::Zero();
};

// The nearest contact, and all others that are farther apart by no more than a small part of the smaller outline; at
// most `capacity`, the nearest ones. Returns how many. `last` holds two numbers by which the next search is fast; zeros
// at first.
int find_outline_contacts(const OutlineView& a, const OutlineView& b, const OutlinePose& pose, OutlineContact* contacts,
                          int capacity, double* last);

// Bounds of the motion between two instants.
struct OutlineMotion {
  double way = 0;    // m, by which the distance of any two points changes at the most
  double bend = 0;   // m, second derivative of what is seen along a direction fixed to one of them, times span²
  double floor = 0;  // m, least value of interest
};

// m, a lower bound of the distance between two instants with the poses `from` and `to`; below the floor as soon as that
// is not excluded.
double least_between_poses(const OutlineView& a, const OutlineView& b, const OutlinePose& from, const OutlinePose& to,
                           const OutlineMotion& motion);

}  // namespace carom::inline contact_geometry
