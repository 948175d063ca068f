#include "joints/joint.h"

namespace carom::inline joints {

namespace {

template <int D>
void build_distance(JointBuilder<D>& joint) {
  const double length = joint.settings.number("length", joint.file_distance);
  joint.set.hold_distance(joint.body(0), joint.point(0), joint.body(1), joint.point(1), length);
}

}  // namespace

JointDescription describe_distance() {
  auto parameters = placement_parameters(false);
  parameters.push_back({.name = "ends",
                        .kind = ParameterKind::points,
                        .unit = "m",
                        .meaning = "the two points, world axes, in the configuration of the file"});
  parameters.push_back({.name = "length",
                        .unit = "m",
                        .meaning = "length of the link",
                        .default_text = "the distance in the configuration of the file",
                        .minimum = 0,
                        .minimum_allowed = false});
  return {{.name = "distance",
           .summary = "A massless rigid link with ball ends: two points keep their distance.",
           .reference = "Nikravesh, Computer-Aided Analysis of Mechanical Systems, 1988, sec. 7.2",
           .parameters = parameters},
          {},
          false,
          build_distance<2>,
          build_distance<3>};
}

}  // namespace carom::inline joints
