#include "force_elements/joint_angle.h"

namespace carom::inline force_elements {
namespace {

// Torque throttle(t) · f(v) of the speed v of the joint.
template <int D>
class TorqueSpeedMotor final : public RotaryElement<D> {
 public:
  explicit TorqueSpeedMotor(const ForceElementContext& context)
      : RotaryElement<D>(context),
        torque_(context.element.settings.function("torque")),
        throttle_(context.element.settings.has("throttle") ? context.element.settings.function("throttle")
                                                           : Function::constant(1)) {}

  double apply(const Bodies<D>& bodies, double t, Loads<D>& loads) const override {
    const double v = this->speed(bodies), torque = torque_at(v, t);
    this->angle_.turn(bodies, torque, loads);
    return torque * v;
  }
  double energy(const Bodies<D>&, double) const override { return 0; }

  std::vector<OutputDescription> outputs() const override {
    return {{"torque", "N m", "on the second body of the joint"}, {"speed", "rad/s", "of the joint"}};
  }
  void output(const Bodies<D>& bodies, double t, double* values) const override {
    values[1] = this->speed(bodies);
    values[0] = torque_at(values[1], t);
  }

 private:
  double torque_at(double v, double t) const { return throttle_.value(t) * torque_.value(v); }
  Function torque_, throttle_;  // N m of rad/s; of s
};

template <int D>
std::unique_ptr<ForceElement<D>> make_torque_speed_motor(const ForceElementContext& context) {
  return std::make_unique<TorqueSpeedMotor<D>>(context);
}

}  // namespace

ForceElementDescription describe_torque_speed_motor() {
  return {{.name = "torque-speed-motor",
           .summary = "A motor or an engine on a joint by its torque over its speed, times a throttle.",
           .reference = "",
           .parameters = {JointAngle<2>::row(),
                          {.name = "torque",
                           .kind = ParameterKind::function,
                           .unit = "N m",
                           .meaning = "of the speed v of the joint: a table [[speed, torque], …] or an expression",
                           .required = true,
                           .arguments = {"v"},
                           .argument_units = {"rad/s"}},
                          {.name = "throttle",
                           .kind = ParameterKind::function,
                           .meaning = "factor of the torque, a function of t and of signals",
                           .default_text = "1",
                           .arguments = {"t"}}}},
          make_torque_speed_motor<2>,
          make_torque_speed_motor<3>,
          true};
}

}  // namespace carom::inline force_elements
