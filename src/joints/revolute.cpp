#include "joints/joint.h"

namespace carom::inline joints {

namespace {

template <int D>
void build_revolute(JointBuilder<D>& joint) {
  joint.coincide();
  if constexpr (D == 3) joint.hold_axes_parallel();
  joint.add_coordinate(joint.rotation());
}

// A pin has shoulders that keep it in place.
void make_pin(const ClearanceModel& clearance, const Settings&, Shape<3>& bearing, Shape<3>& journal) {
  make_round<3>(clearance, ShapeKind::bore, ShapeKind::cylinder, bearing, journal);
  bearing.half[2] = clearance.radial;
}

}  // namespace

JointDescription describe_revolute() {
  JointDescription joint = {
      {.name = "revolute",
       .summary = "A pin: the two points coincide and the bodies turn about one common axis (z in a planar model).",
       .reference = "Nikravesh, Computer-Aided Analysis of Mechanical Systems, 1988, sec. 4.2 and 7.2",
       .parameters = placement_parameters(true)},
      {"rotation"},
      false,
      build_revolute<2>,
      build_revolute<3>,
      GroundDof::rotation};
  joint.parameters.push_back(released_row());
  joint.attaches = true;
  joint.loose_planar = {{.is_round = true}, make_ball_in_cavity<2>};
  joint.loose_spatial = {{.length_of = "bearing", .is_round = true}, make_pin};
  return joint;
}

}  // namespace carom::inline joints
