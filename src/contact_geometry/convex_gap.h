#pragma once

#include "contact_geometry/coarse_direction.h"

// The gap of two convex solids: the greatest separation
//   s(n) = (least n · p over b) − (greatest n · p over a)
// over all directions n from a to b. Apart it is the distance; where the solids overlap, the least way that parts them.
namespace carom::inline contact_geometry {

struct ConvexGap {
  Eigen::Vector3d normal = Eigen::Vector3d::UnitX();  // from a to b
  double gap = 0;                                     // m
  Eigen::Vector3d on_a = Eigen::Vector3d::Zero(), on_b = Eigen::Vector3d::Zero();
  ActivePieces a = {}, b = {};  // what meets there
  // Of the solid whose flat face gives the direction: 1: a, 2: b, and which face or end; 0: none does.
  int face_of = 0, face = -1;
};

// m, without the rounding of the solids.
double separation_along(const ConvexBody& a, const ConvexBody& b, const Eigen::Vector3d& n);

// Moves a direction to where the separation of these pieces is stationary while those of each solid stay equally far;
// finds their shares. False: it did not settle. Newton's method, with the second derivatives of the pieces; the gap may
// have any sign, since curvatures and not distances stand in it.
bool settle(const ConvexBody& a, const ConvexBody& b, ConvexGap& gap);

// All of the above, the rounding taken into account.
ConvexGap convex_gap(const ConvexBody& a, const ConvexBody& b);

}  // namespace carom::inline contact_geometry
