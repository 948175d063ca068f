#include "joints/joint.h"

namespace carom {

namespace {

template <int D>
void build(JointBuilder<D>& joint) {
  joint.hold_on_axis();
  joint.hold_orientation();
  joint.add_coordinate(joint.translation(2));
}

}  // namespace

JointDescription describe_prismatic() {
  auto parameters = placement_parameters(true);
  return {{.name = "prismatic",
           .summary = "A slide: the second body moves along one axis of the first and does not turn against it.",
           .reference = "Nikravesh, Computer-Aided Analysis of Mechanical Systems, 1988, sec. 4.2 and 7.2",
           .parameters = parameters},
          {"translation"},
          false,
          build<2>,
          build<3>,
          GroundDof::translation};
}

}  // namespace carom
