#include "joints/joint.h"

namespace carom::inline joints {

namespace {

template <int D>
void build_coupler(JointBuilder<D>& joint) {
  joint.tie(joint.settings.numbers("coefficients"), "coupling");
}

}  // namespace

JointDescription describe_coupler() {
  return {{.name = "coupler",
           .summary = "Ties two or more joint coordinates, counted from the configuration of the file: Σ c_k x_k = 0.",
           .reference = "Haug, Computer-Aided Kinematics and Dynamics of Mechanical Systems, 1989, sec. 3.4",
           .parameters = {{.name = "joints",
                           .kind = ParameterKind::joints,
                           .meaning = "the joints that are constrained",
                           .required = true},
                          {.name = "coefficients",
                           .kind = ParameterKind::numbers,
                           .meaning = "c_k, one per joint",
                           .required = true,
                           .unit_depends = true}}},
          {},
          true,
          build_coupler<2>,
          build_coupler<3>};
}

}  // namespace carom::inline joints
