#include "force_elements/joint_angle.h"

namespace carom::inline force_elements {
namespace {

// In the axes of the rotor, with ω = p · speed of the joint:
//   L_d di_d/dt = u_d − R i_d + ω L_q i_q,   L_q di_q/dt = u_q − R i_q − ω (L_d i_d + ψ),
// torque 3/2 p (ψ i_q + (L_d − L_q) i_d i_q). Supplied: 3/2 u·i; stored: ¾ (L_d i_d² + L_q i_q²); lost: 3/2 R i².
template <int D>
class SynchronousMotor final : public RotaryElement<D> {
 public:
  explicit SynchronousMotor(const ForceElementContext& context)
      : RotaryElement<D>(context),
        direct_(context.element.settings.function("voltage_d")),
        quadrature_(context.element.settings.function("voltage_q")),
        resistance_(context.element.settings.number("resistance")),
        ld_(context.element.settings.number("inductance_d")),
        lq_(context.element.settings.number("inductance_q", ld_)),
        flux_(context.element.settings.number("flux")),
        pairs_(context.element.settings.number("pole_pairs", 1)) {}

  int states() const override { return 2; }
  void initial_states(double* states) const override { states[0] = states[1] = 0; }
  void use_states(const double* states) override { current_ = states; }
  void rates(const Bodies<D>& bodies, double t, double* rates) const override {
    const double w = pairs_ * this->speed(bodies), d = current_[0], q = current_[1];
    rates[0] = (direct_.value(t) - resistance_ * d + w * lq_ * q) / ld_;
    rates[1] = (quadrature_.value(t) - resistance_ * q - w * (ld_ * d + flux_)) / lq_;
  }

  double apply(const Bodies<D>& bodies, double t, Loads<D>& loads) const override {
    this->angle_.turn(bodies, torque(), loads);
    return 1.5 * (direct_.value(t) * current_[0] + quadrature_.value(t) * current_[1]);
  }
  bool has_loss() const override { return true; }
  double loss(const Bodies<D>&, double) const override {
    return 1.5 * resistance_ * (current_[0] * current_[0] + current_[1] * current_[1]);
  }
  double energy(const Bodies<D>&, double) const override {
    return 0.75 * (ld_ * current_[0] * current_[0] + lq_ * current_[1] * current_[1]);
  }

  std::vector<OutputDescription> outputs() const override {
    return {{"current_d", "A", "along the poles of the rotor, amplitude"},
            {"current_q", "A", "across them"},
            {"torque", "N m", "on the second body of the joint"},
            {"speed", "rad/s", "of the joint"}};
  }
  void output(const Bodies<D>& bodies, double, double* values) const override {
    values[0] = current_[0], values[1] = current_[1];
    values[2] = torque();
    values[3] = this->speed(bodies);
  }

 private:
  double torque() const { return 1.5 * pairs_ * (flux_ + (ld_ - lq_) * current_[0]) * current_[1]; }

  Function direct_, quadrature_;                // V
  double resistance_, ld_, lq_, flux_, pairs_;  // Ω, H, H, Wb
  const double* current_ = nullptr;
};

template <int D>
std::unique_ptr<ForceElement<D>> make_synchronous_motor(const ForceElementContext& context) {
  return std::make_unique<SynchronousMotor<D>>(context);
}

}  // namespace

ForceElementDescription describe_synchronous_motor() {
  const auto voltage = [](const std::string& name, const std::string& meaning) {
    return ParameterDescription{.name = name,
                                .kind = ParameterKind::function,
                                .unit = "V",
                                .meaning = meaning,
                                .required = true,
                                .arguments = {"t"}};
  };
  const auto positive = [](const std::string& name, const std::string& unit, const std::string& meaning, bool required,
                           const std::string& usual) {
    return ParameterDescription{.name = name,
                                .unit = unit,
                                .meaning = meaning,
                                .required = required,
                                .default_text = usual,
                                .minimum = 0,
                                .minimum_allowed = false};
  };
  return {
      {.name = "synchronous-motor",
       .summary = "A synchronous motor with permanent magnets on a joint, in the axes of its rotor: voltages along "
                  "(d) and across (q) the poles, as a current control sets them.",
       .reference = "Krause, Wasynczuk, Sudhoff and Pekarek, Analysis of Electric Machinery, 3rd ed., 2013, ch. 4",
       .parameters =
           {JointAngle<2>::row(),
            voltage("voltage_d", "along the poles, amplitude of a phase"),
            voltage("voltage_q", "across the poles"),
            positive("resistance", "ohm", "of a phase", true, ""),
            positive("inductance_d", "H", "along the poles", true, ""),
            positive("inductance_q", "H", "across the poles", false, "as inductance_d"),
            positive("flux", "Wb", "ψ of the magnets, amplitude of a phase", true, ""),
            {.name = "pole_pairs", .kind = ParameterKind::integer, .meaning = "p", .default_text = "1", .minimum = 1}}},
      make_synchronous_motor<2>,
      make_synchronous_motor<3>,
      true};
}

}  // namespace carom::inline force_elements
