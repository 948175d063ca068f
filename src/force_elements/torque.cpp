#include "force_elements/force_element.h"

namespace carom::inline force_elements {
namespace {

// A torque on one body, given by functions of time in world or body axes.
template <int D>
class BodyTorque final : public ForceElement<D> {
 public:
  explicit BodyTorque(const ForceElementContext& context) {
    const Settings& settings = context.element.settings;
    body_ = body_index(context.model, settings.text("body"));
    in_body_axes_ = settings.text("axes", "world") == "body";
    components_ = settings.functions("torque");
    components_.resize(Space<D>::rotational_dofs);
  }

  std::vector<int> bodies() const override { return {body_}; }

  double apply(const Bodies<D>& bodies, double t, Loads<D>& loads) const override {
    const AngularOf<D> torque = world_torque(bodies, t);
    loads.add_torque(bodies, body_, torque);
    return torque.dot(bodies[body_].angular_velocity);
  }

  double energy(const Bodies<D>&, double) const override { return 0; }
  bool is_conservative() const override { return false; }

  std::vector<OutputDescription> outputs() const override {
    if constexpr (D == 2) return {{"tz", "N m", "torque about z"}};
    return {{"tx", "N m", "torque about world x"},
            {"ty", "N m", "torque about world y"},
            {"tz", "N m", "torque about world z"}};
  }

  void output(const Bodies<D>& bodies, double t, double* values) const override {
    Eigen::Map<AngularOf<D>> result(values);
    result = world_torque(bodies, t);
  }

 private:
  AngularOf<D> world_torque(const Bodies<D>& bodies, double t) const {
    AngularOf<D> torque;
    for (int k = 0; k < Space<D>::rotational_dofs; ++k) torque[k] = components_[k].value(t);
    return in_body_axes_ ? AngularOf<D>(bodies[body_].orientation.angular_to_world(torque)) : torque;
  }

  int body_ = 0;
  bool in_body_axes_ = false;
  std::vector<Function> components_;
};

template <int D>
std::unique_ptr<ForceElement<D>> make_torque(const ForceElementContext& context) {
  return std::make_unique<BodyTorque<D>>(context);
}

}  // namespace

ForceElementDescription describe_torque() {
  auto parameters = given_load_parameters("torque", "N m", "planar: one function of time; spatial: one per component");
  parameters.insert(parameters.begin(),
                    {.name = "body", .kind = ParameterKind::body, .meaning = "the body it acts on", .required = true});
  return {{.name = "torque",
           .summary = "A torque on a body, each component a function of time.",
           .reference = "Euler's second law",
           .parameters = parameters},
          make_torque<2>,
          make_torque<3>,
          true};
}

}  // namespace carom::inline force_elements
