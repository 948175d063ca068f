#pragma once

#include <vector>

#include "viewing/drawn_parts.h"

// Rings, elements and cages of rolling bearings in space whose elements are no bodies.
namespace carom::inline viewing {

/// A ball, or a roller along `axis`; in the axes of the body that carries the outer ring, from its origin.
struct DrawnElement {
  Eigen::Vector3d center = Eigen::Vector3d::Zero(), axis = Eigen::Vector3d::UnitZ();
};

struct DrawnBearing {
  std::array<int, 2> body{};           // that carry the outer and the inner ring; 0: the ground
  std::array<Solid, 2> ring;           // each in the axes of its body, from its origin
  Solid cage;                          // with the outer ring
  std::vector<DrawnElement> elements;  // with the outer ring, in the order of their loads
  double radius = 0, length = 0;       // m, of an element; length 0: a ball
};

/// Of a bearing that is an element. What its keys do not say of rings is drawn in the usual proportions.
DrawnBearing drawn_bearing(const Model& model, const BearingModel& bearing, int sides);

/// m, from its centre to the outside of its rings.
double bearing_reach(const BearingModel& bearing);

/// The same as parts that stand still in their bodies.
void add_bearings(const Model& model, int sides, std::vector<DrawnPart>& parts);

}  // namespace carom::inline viewing
