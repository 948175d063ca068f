#include "joints/joint.h"

namespace carom::inline joints {

namespace {

void build_planar(JointBuilder<3>& joint) {
  joint.hold_axes_parallel();
  joint.set.hold_coordinate(joint.translation(2), "displacement along the normal");
}

}  // namespace

JointDescription describe_planar() {
  return {{.name = "planar",
           .summary = "The second body slides and turns in a plane of the first; axis is the normal of the plane.",
           .reference = "Nikravesh, Computer-Aided Analysis of Mechanical Systems, 1988, sec. 7.2",
           .planar = false,
           .parameters = placement_parameters(true)},
          {},
          false,
          nullptr,
          build_planar};
}

}  // namespace carom::inline joints
