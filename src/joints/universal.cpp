#include "joints/joint.h"

namespace carom::inline joints {

namespace {

void build_universal(JointBuilder<3>& joint) {
  joint.coincide();
  // The first axis belongs to body 1 and is the joint frame's z; the second belongs to body 2 and is the frame's x
  // there.
  joint.set.hold_perpendicular(joint.body(0), joint.direction(0, 2), joint.body(1), joint.direction(1, 0),
                               "angle between the two axes");
}

}  // namespace

JointDescription describe_universal() {
  auto parameters = placement_parameters(true);
  parameters.push_back(
      {.name = "axis2",
       .kind = ParameterKind::vector,
       .meaning = "direction of the second axis, on the second body, world axes; perpendicular to axis"});
  return {{.name = "universal",
           .summary = "A Cardan joint: the two points coincide and an axis of the first body stays perpendicular to an "
                      "axis of the second. "
                      "With markers: z of the first and x of the second.",
           .reference = "Nikravesh, Computer-Aided Analysis of Mechanical Systems, 1988, sec. 7.2",
           .planar = false,
           .parameters = parameters},
          {},
          false,
          nullptr,
          build_universal};
}

}  // namespace carom::inline joints
