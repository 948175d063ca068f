#include "joints/joint.h"

namespace carom::inline joints {

namespace {

template <int D>
void build_point_on_line(JointBuilder<D>& joint) {
  joint.hold_on_axis();
  joint.add_coordinate(joint.translation(2));
}

}  // namespace

JointDescription describe_point_on_line() {
  return {{.name = "point-on-line",
           .summary = "A point of the second body stays on a line of the first; rotations are free.",
           .reference = "Nikravesh, Computer-Aided Analysis of Mechanical Systems, 1988, sec. 7.2",
           .parameters = placement_parameters(true)},
          {"translation"},
          false,
          build_point_on_line<2>,
          build_point_on_line<3>};
}

}  // namespace carom::inline joints
