#pragma once

#include <string>
#include <vector>

#include "joints/constraint_set.h"
#include "joints/loose_form.h"
#include "model/attachment.h"
#include "model/description.h"

namespace carom::inline joints {

// What a joint type needs to write down its constraint rows.
template <int D>
struct JointBuilder {
  using Vector = VectorOf<D>;
  ConstraintSet<D>& set;
  const AttachmentPair& placement;
  const Settings& settings;
  double file_distance = 0;                     // m, between the two attachment points in the configuration of the file
  std::vector<int> constrained = {};            // gear, coupler: the joint coordinates that are constrained together
  std::vector<double> constrained_values = {};  // their values in the configuration of the file
  std::vector<int> coordinates = {};            // filled by the joint, in the order of its description

  int body(int side) const { return placement.at[side].body; }
  Vector point(int side) const { return placement.at[side].point.head<D>(); }
  Vector direction(int side, int column) const { return placement.at[side].frame.col(column).head<D>(); }

  Coordinate<D> translation(int column) const {
    Coordinate<D> x;
    x.body_i = body(0), x.body_j = body(1);
    x.axis = direction(0, column);
    x.point_i = point(0), x.point_j = point(1);
    return x;
  }
  Coordinate<D> rotation() const {
    Coordinate<D> x;
    x.kind = CoordinateKind::rotation;
    x.body_i = body(0), x.body_j = body(1);
    if constexpr (D == 3) {
      x.axis = direction(0, 2);
      x.reference_i = direction(0, 0), x.reference_j = direction(1, 0);
      x.zero = placement.twist;
    }
    return x;
  }
  void add_coordinate(const Coordinate<D>& x) { coordinates.push_back(set.add_coordinate(x)); }

  void coincide() { set.coincide(body(0), point(0), body(1), point(1)); }
  // The axes of the two bodies stay parallel (two rows in space).
  void hold_axes_parallel() {
    set.hold_perpendicular(body(0), direction(0, 0), body(1), direction(1, 2), "tilt about y of the joint");
    set.hold_perpendicular(body(0), direction(0, 1), body(1), direction(1, 2), "tilt about x of the joint");
  }
  // No relative rotation at all.
  void hold_orientation() {
    if constexpr (D == 2) {
      // The directions fixed on the two bodies stay parallel, by however much the bodies' own axes are turned.
      Coordinate<2> angle = rotation();
      const Vector i = direction(0, 2), j = direction(1, 2);
      angle.zero = std::atan2(j.y(), j.x()) - std::atan2(i.y(), i.x());
      set.hold_coordinate(angle, "rotation");
    } else {
      hold_axes_parallel();
      set.hold_perpendicular(body(0), direction(0, 0), body(1), direction(1, 1), "rotation about the joint axis");
    }
  }
  // The second point stays on the line through the first along the joint axis.
  void hold_on_axis() {
    set.hold_coordinate(translation(0), D == 2 ? "displacement across the axis" : "displacement along x of the joint");
    if constexpr (D == 3) set.hold_coordinate(translation(1), "displacement along y of the joint");
  }
  // Σ coefficient · (coordinate − its value in the file) = 0
  void tie(const std::vector<double>& coefficients, const std::string& what) {
    std::vector<typename ConstraintSet<D>::Term> terms;
    double at_start = 0;
    for (std::size_t k = 0; k < constrained.size(); ++k) {
      terms.push_back({constrained[k], coefficients[k]});
      at_start += coefficients[k] * constrained_values[k];
    }
    set.hold_combination(terms, Function::constant(at_start), what);
  }
};

// What a joint to the ground leaves a body: the equations of motion treat a body on one pin or one slide as a single
// freedom.
enum class GroundDof { several, rotation, translation };

// What is wrong with a key of a joint.
struct KeyFault {
  std::string key, found, expected, remedy;
};

// A line to draw on the first body, in its axes, from the mass centre as attachments are.
using JointLine = std::vector<Eigen::Vector3d>;

struct JointDescription : TypeDescription {
  std::vector<std::string> coordinates = {};  // names of the joint coordinates that can be driven and recorded
  bool ties_joints = false;                   // gear, coupler: takes joints instead of bodies
  void (*build_planar)(JointBuilder<2>&) = nullptr;
  void (*build_spatial)(JointBuilder<3>&) = nullptr;
  GroundDof ground_dof = GroundDof::several;
  LooseForm<2> loose_planar = {};   // with clearance, in the plane
  LooseForm<3> loose_spatial = {};  // in space
  // What the table of keys cannot say of them; null: nothing. The clearance is null where the joint has none.
  std::vector<KeyFault> (*check)(const Settings& keys, const ClearanceModel* clearance) = nullptr;
  // Lines of the joint on its first body, which then is held along them and not at its point; null: it has none.
  std::vector<JointLine> (*lines)(const Settings& keys, const ClearanceModel* clearance,
                                  const Attachment& first) = nullptr;
  // Whether events can attach it: its bodies are held where its points and axes coincide.
  bool attaches = false;

  template <int D>
  const LooseForm<D>& loose() const {
    if constexpr (D == 2) {
      return loose_planar;
    } else {
      return loose_spatial;
    }
  }
  // Null: it cannot have a clearance in such models.
  const LooseTraits* loose(bool in_plane) const {
    if (in_plane) return loose_planar.make ? &loose_planar : nullptr;
    return loose_spatial.make ? &loose_spatial : nullptr;
  }
};

// The rows of the parameter table that place a joint between two bodies.
std::vector<ParameterDescription> placement_parameters(bool with_axis);
// That of joints which events can attach: whether they are open at the start.
ParameterDescription released_row();

// The catalogue, sorted by name.
const std::vector<JointDescription>& joint_catalogue();
const JointDescription* find_joint(const std::string& type);
// Null: there is no such joint, or it cannot have a clearance in such models.
const LooseTraits* find_loose(const std::string& type, bool planar);

}  // namespace carom::inline joints
