#include "joints/joint.h"

namespace carom {

namespace {

void build(JointBuilder<3>& joint) {
  joint.hold_axes_parallel();
  joint.hold_on_axis();
  joint.add_coordinate(joint.rotation());
  joint.add_coordinate(joint.translation(2));
}

}  // namespace

JointDescription describe_cylindrical() {
  return {{.name = "cylindrical",
           .summary = "The second body slides along and turns about one common axis.",
           .reference = "Nikravesh, Computer-Aided Analysis of Mechanical Systems, 1988, sec. 7.2",
           .planar = false,
           .parameters = placement_parameters(true)},
          {"rotation", "translation"},
          false,
          nullptr,
          build};
}

}  // namespace carom
