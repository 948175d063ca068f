#include <cmath>

#include "force_elements/joint_angle.h"

namespace carom::inline force_elements {
namespace {

// L di/dt = u − R i − k ω with ω = n · speed of the joint; torque n (k i − b ω). Without an inductance the current
// follows at once. Supplied: u i; stored: ½ L i²; lost: R i² + b ω².
template <int D>
class DcMotor final : public RotaryElement<D> {
 public:
  explicit DcMotor(const ForceElementContext& context)
      : RotaryElement<D>(context),
        voltage_(context.element.settings.function("voltage")),
        resistance_(context.element.settings.number("resistance")),
        inductance_(context.element.settings.number("inductance")),
        constant_(context.element.settings.number("torque_constant")),
        friction_(context.element.settings.number("friction")),
        ratio_(context.element.settings.number("ratio", 1)),
        initial_(context.element.settings.number("initial_current")) {}

  int states() const override { return inductance_ > 0 ? 1 : 0; }
  void initial_states(double* states) const override {
    if (inductance_ > 0) states[0] = initial_;
  }
  void use_states(const double* states) override { current_ = states; }
  void rates(const Bodies<D>& bodies, double t, double* rates) const override {
    if (inductance_ > 0)
      rates[0] = (voltage_.value(t) - resistance_ * *current_ - constant_ * shaft(bodies)) / inductance_;
  }

  double apply(const Bodies<D>& bodies, double t, Loads<D>& loads) const override {
    const double i = current(bodies, t);
    this->angle_.turn(bodies, torque(bodies, i), loads);
    return voltage_.value(t) * i;
  }
  bool has_loss() const override { return true; }
  double loss(const Bodies<D>& bodies, double t) const override {
    const double i = current(bodies, t), w = shaft(bodies);
    return resistance_ * i * i + friction_ * w * w;
  }
  double energy(const Bodies<D>&, double) const override {
    return inductance_ > 0 ? 0.5 * inductance_ * *current_ * *current_ : 0;
  }

  std::vector<OutputDescription> outputs() const override {
    return {{"current", "A", "of the winding"},
            {"voltage", "V", "at the terminals"},
            {"torque", "N m", "on the second body of the joint"},
            {"speed", "rad/s", "of the joint"}};
  }
  void output(const Bodies<D>& bodies, double t, double* values) const override {
    values[0] = current(bodies, t);
    values[1] = voltage_.value(t);
    values[2] = torque(bodies, values[0]);
    values[3] = this->speed(bodies);
  }

 private:
  double shaft(const Bodies<D>& bodies) const { return ratio_ * this->speed(bodies); }  // rad/s, of the rotor
  double current(const Bodies<D>& bodies, double t) const {
    return inductance_ > 0 ? *current_ : (voltage_.value(t) - constant_ * shaft(bodies)) / resistance_;
  }
  double torque(const Bodies<D>& bodies, double i) const {
    return ratio_ * (constant_ * i - friction_ * shaft(bodies));
  }

  Function voltage_;                                              // V
  double resistance_, inductance_, constant_, friction_, ratio_;  // Ω, H, N m/A, N m s/rad
  double initial_;                                                // A
  const double* current_ = nullptr;
};

template <int D>
std::unique_ptr<ForceElement<D>> make_dc_motor(const ForceElementContext& context) {
  return std::make_unique<DcMotor<D>>(context);
}

}  // namespace

ForceElementDescription describe_dc_motor() {
  return {{.name = "dc-motor",
           .summary = "A direct-current motor on a joint: L di/dt = u − R i − k ω, torque k i, with a gear in between "
                      "if asked. Supplied is u i, stored ½ L i², lost R i² and friction.",
           .reference = "Åström and Murray, Feedback Systems, 2nd ed., 2021, sec. 3.4",
           .parameters = {JointAngle<2>::row(),
                          {.name = "voltage",
                           .kind = ParameterKind::function,
                           .unit = "V",
                           .meaning = "u, a function of t and of signals",
                           .required = true,
                           .arguments = {"t"}},
                          {.name = "resistance",
                           .unit = "ohm",
                           .meaning = "R of the winding",
                           .required = true,
                           .minimum = 0,
                           .minimum_allowed = false},
                          {.name = "inductance",
                           .unit = "H",
                           .meaning = "L; 0: the current follows at once",
                           .default_text = "0",
                           .minimum = 0},
                          {.name = "torque_constant",
                           .unit = "N m/A",
                           .meaning = "k, torque per current and voltage per speed",
                           .required = true,
                           .minimum = 0,
                           .minimum_allowed = false},
                          {.name = "friction",
                           .unit = "N m s/rad",
                           .meaning = "viscous, of the rotor",
                           .default_text = "0",
                           .minimum = 0},
                          {.name = "ratio", .meaning = "turns of the rotor for one of the joint", .default_text = "1"},
                          {.name = "initial_current", .unit = "A", .meaning = "at the start", .default_text = "0"}}},
          make_dc_motor<2>,
          make_dc_motor<3>,
          true};
}

}  // namespace carom::inline force_elements
