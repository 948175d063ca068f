#include "joints/joint.h"

namespace carom::inline joints {

namespace {

template <int D>
void build_fixed(JointBuilder<D>& joint) {
  joint.coincide();
  joint.hold_orientation();
}

}  // namespace

JointDescription describe_fixed() {
  JointDescription joint = {{.name = "fixed",
                             .summary = "A weld: no relative motion.",
                             .reference = "Nikravesh, Computer-Aided Analysis of Mechanical Systems, 1988, sec. 7.2",
                             .parameters = placement_parameters(false)},
                            {},
                            false,
                            build_fixed<2>,
                            build_fixed<3>};
  joint.parameters.push_back(released_row());
  joint.attaches = true;
  return joint;
}

}  // namespace carom::inline joints
