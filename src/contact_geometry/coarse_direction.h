#pragma once

#include "contact_geometry/convex_body.h"

// A direction that nearly parts two convex solids best, and the pieces that meet there.
namespace carom::inline contact_geometry {

// Pieces of one solid that are equally far in a direction: a corner, the ends of an edge, three corners of a face.
struct ActivePieces {
  int count = 0;
  int piece[3] = {0, 0, 0};
  double share[3] = {1, 0, 0};  // of the point that touches

  void add(int which) {
    for (int k = 0; k < count; ++k) {
      if (piece[k] == which) return;
    }
    if (count < 3) piece[count++] = which;
  }
  void remove(int index) {
    for (int k = index + 1; k < count; ++k) piece[k - 1] = piece[k], share[k - 1] = share[k];
    --count;
  }
};

struct CoarseDirection {
  Eigen::Vector3d normal = Eigen::Vector3d::UnitX();  // from a to b
  ActivePieces a = {}, b = {};
};

// Of the solids without their rounding; false: there is none. By the nearest points of their difference, where they are
// apart (Gilbert, Johnson and Keerthi); or, `grow`, by growing a polytope inside the difference where it is nearest to
// the origin (van den Bergen), which needs no distance. The tolerance is a part of the distance, or of the size.
bool coarse_direction(const ConvexBody& a, const ConvexBody& b, double tolerance, bool grow, CoarseDirection& result);

}  // namespace carom::inline contact_geometry
