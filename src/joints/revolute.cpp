#include "joints/joint.h"

namespace carom {

namespace {

template <int D>
void build(JointBuilder<D>& joint) {
  joint.coincide();
  if constexpr (D == 3) joint.hold_axes_parallel();
  joint.add_coordinate(joint.rotation());
}

}  // namespace

JointDescription describe_revolute() {
  return {{.name = "revolute",
           .summary = "A pin: the two points coincide and the bodies turn about one common axis (z in a planar model).",
           .reference = "Nikravesh, Computer-Aided Analysis of Mechanical Systems, 1988, sec. 4.2 and 7.2",
           .parameters = placement_parameters(true)},
          {"rotation"},
          false,
          build<2>,
          build<3>,
          GroundDof::rotation};
}

}  // namespace carom
