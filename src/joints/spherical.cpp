#include "joints/joint.h"

namespace carom {

namespace {

void build(JointBuilder<3>& joint) {
  joint.coincide();
}

}  // namespace

JointDescription describe_spherical() {
  return {{.name = "spherical",
           .summary = "A ball joint: the two points coincide, the bodies turn freely.",
           .reference = "Nikravesh, Computer-Aided Analysis of Mechanical Systems, 1988, sec. 7.2",
           .planar = false,
           .parameters = placement_parameters(false)},
          {},
          false,
          nullptr,
          build};
}

}  // namespace carom
