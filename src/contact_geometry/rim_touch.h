#pragma once

#include "contact_geometry/solid_field.h"

// Straight edges beside the side and the rims of cylinders and cones, in the axes of the solid. Each has a gap of its
// own that is smooth in the motion: an edge that has gone over a rim crosses it as two edges cross.
namespace carom::inline contact_geometry {

struct RimTouch {
  bool exists = false;
  bool in_solid = false;  // the place belongs to the side, or the rim looks along the normal
  double gap = 0;         // m, along the normal
  double part = 0;        // of the edge, from its start; the line goes on beyond both ends
  Eigen::Vector3d on_edge = Eigen::Vector3d::Zero(), normal = Eigen::Vector3d::UnitX();  // out of the solid
};

// Where the line from + part · way is nearest to the side, or deepest below it.
RimTouch touch_side(const Shape<3>& solid, const Eigen::Vector3d& from, const Eigen::Vector3d& way);

// Where it crosses the rim of an end (0: that of negative z), coming in over it or going out.
RimTouch touch_rim(const Shape<3>& solid, int end, const Eigen::Vector3d& from, const Eigen::Vector3d& way,
                   bool coming_in);

}  // namespace carom::inline contact_geometry
