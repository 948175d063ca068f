#include "joints/joint.h"

namespace carom::inline joints {

namespace {

template <int D>
void build_gear(JointBuilder<D>& joint) {
  joint.tie({1, -joint.settings.number("ratio")}, "gear ratio");
}

}  // namespace

JointDescription describe_gear() {
  return {
      {.name = "gear",
       .summary = "Ties two joint coordinates, counted from the configuration of the file: x_a = ratio · x_b. "
                  "External gears have a negative ratio.",
       .reference = "Haug, Computer-Aided Kinematics and Dynamics of Mechanical Systems, 1989, sec. 3.4",
       .parameters =
           {{.name = "joints", .kind = ParameterKind::joints, .meaning = "the two joints a and b", .required = true},
            {.name = "ratio",
             .meaning = "x_a per x_b; unit by the two coordinates (rad, m), SI",
             .required = true,
             .unit_depends = true}}},
      {},
      true,
      build_gear<2>,
      build_gear<3>};
}

}  // namespace carom::inline joints
