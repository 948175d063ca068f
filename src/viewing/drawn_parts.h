#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include <Eigen/Geometry>

#include "model/model.h"
#include "viewing/frames.h"
#include "viewing/solid.h"

namespace carom::inline viewing {

/// Where the axes of a body lie in the world.
struct Pose {
  Eigen::Vector3d origin = Eigen::Vector3d::Zero();
  Eigen::Quaterniond turn = Eigen::Quaterniond::Identity();

  Eigen::Vector3d operator*(const Eigen::Vector3d& point) const { return origin + turn * point; }
};

/// Of a body (0: the ground) in a row of frames.
Pose pose_of(const FrameLayout& layout, const float* row, int body);

/// A thing to draw that moves with a body.
struct DrawnPart {
  int body = 0;              // 0: the ground
  std::optional<int> color;  // 0xRRGGBB as the model says; none: free to choose
  Solid solid;               // body axes, from the body's origin
};

/// The space that moving bodies, their joints and bounded shapes take in these rows of frames; never without size.
Eigen::AlignedBox3d scene_box(const Model& model, const FrameLayout& layout, const std::vector<float>& rows);

/// The shapes of all bodies. Bodies without any are drawn as the viewer does: bars between their joints, else a block
/// with their inertia or a mark at the mass centre. Planes reach along the box and little farther, wherever their
/// origin is; other unbounded shapes end somewhat outside the box. Balls have `sides` faces around; none of the faces
/// is needed by who draws circles.
std::vector<DrawnPart> drawn_parts(const Model& model, const Eigen::AlignedBox3d& box, int sides = 32);

/// Points of a body in its own axes where joints and bearings hold it, in the order of the model.
std::vector<Eigen::Vector3d> held_points(const Model& model, int body);

/// A point of a body, in its own axes.
struct SpringEnd {
  int body = 0;  // 0: the ground
  Eigen::Vector3d point = Eigen::Vector3d::Zero();
};

/// A force element that is drawn between two points, or, torsion, at its first one.
struct DrawnSpring {
  enum class Kind { coil, line, torsion };
  Kind kind = Kind::coil;
  std::array<SpringEnd, 2> ends;
};
std::vector<DrawnSpring> drawn_springs(const Model& model);

/// The lines that a joint has on its first body, in the axes of that body from its origin.
std::vector<std::vector<Eigen::Vector3d>> joint_lines(const Model& model, const ElementModel& joint);

/// The spline that contacts feel, not the polygon of its points.
FlatPoints profile_outline(const Geometry& geometry);

/// Half the thickness to draw a beam with: as far as its material reaches, else that of a round bar of its area.
double beam_radius(const BeamModel& beam);

/// The bent line of an element of a beam in `parts` pieces: through its nodes, along the directions that they have.
std::vector<Eigen::Vector3d> element_line(const BeamModel& beam, std::size_t element, const Pose& a, const Pose& b,
                                          int parts);

}  // namespace carom::inline viewing
