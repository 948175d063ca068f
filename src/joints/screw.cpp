#include "joints/joint.h"

namespace carom::inline joints {

namespace {

void build_screw(JointBuilder<3>& joint) {
  joint.hold_axes_parallel();
  joint.hold_on_axis();
  joint.add_coordinate(joint.rotation());
  joint.add_coordinate(joint.translation(2));
  const double advance = joint.settings.number("pitch") / (2 * M_PI);  // m per rad
  // Counted from the configuration of the file, where the two coordinates need not be zero.
  joint.set.hold_combination({{joint.coordinates[1], 1}, {joint.coordinates[0], -advance}},
                             Function::constant(-advance * joint.placement.twist), "advance of the thread");
}

}  // namespace

JointDescription describe_screw() {
  auto parameters = placement_parameters(true);
  parameters.push_back(
      {.name = "pitch",
       .unit = "m",
       .meaning = "advance of the second body along the axis per turn; negative for a left-hand thread",
       .required = true});
  return {{.name = "screw",
           .summary = "A nut on a thread: the second body advances along the axis in proportion to its rotation.",
           .reference = "Nikravesh, Computer-Aided Analysis of Mechanical Systems, 1988, sec. 7.2",
           .planar = false,
           .parameters = parameters},
          {"rotation", "translation"},
          false,
          nullptr,
          build_screw};
}

}  // namespace carom::inline joints
