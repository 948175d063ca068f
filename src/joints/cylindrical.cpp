#include "joints/joint.h"

namespace carom::inline joints {

namespace {

void build_cylindrical(JointBuilder<3>& joint) {
  joint.hold_axes_parallel();
  joint.hold_on_axis();
  joint.add_coordinate(joint.rotation());
  joint.add_coordinate(joint.translation(2));
}

// It slides: there are no shoulders.
void make_sleeve(const ClearanceModel& clearance, const Settings&, Shape<3>& bearing, Shape<3>& journal) {
  make_round<3>(clearance, ShapeKind::bore, ShapeKind::cylinder, bearing, journal);
}

}  // namespace

JointDescription describe_cylindrical() {
  JointDescription joint = {{.name = "cylindrical",
                             .summary = "The second body slides along and turns about one common axis.",
                             .reference = "Nikravesh, Computer-Aided Analysis of Mechanical Systems, 1988, sec. 7.2",
                             .planar = false,
                             .parameters = placement_parameters(true)},
                            {"rotation", "translation"},
                            false,
                            nullptr,
                            build_cylindrical};
  joint.loose_spatial = {{.length_of = "bearing", .is_round = true}, make_sleeve};
  return joint;
}

}  // namespace carom::inline joints
