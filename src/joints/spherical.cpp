#include "joints/joint.h"

namespace carom::inline joints {

namespace {

void build_spherical(JointBuilder<3>& joint) {
  joint.coincide();
}

}  // namespace

JointDescription describe_spherical() {
  JointDescription joint = {{.name = "spherical",
                             .summary = "A ball joint: the two points coincide, the bodies turn freely.",
                             .reference = "Nikravesh, Computer-Aided Analysis of Mechanical Systems, 1988, sec. 7.2",
                             .planar = false,
                             .parameters = placement_parameters(false)},
                            {},
                            false,
                            nullptr,
                            build_spherical};
  joint.loose_spatial = {{}, make_ball_in_cavity<3>};
  return joint;
}

}  // namespace carom::inline joints
