#include <algorithm>
#include <cmath>

#include "force_elements/joint_angle.h"

namespace carom::inline force_elements {
namespace {

// Dry friction about a joint with true stick: the linings give by an angle z up to z₀, where they slip,
//   ż = ω − |ω| z / z₀,   torque = capacity(t) · z / z₀ against the motion.
// At rest z stays, and so does the torque: nothing creeps under a load below the capacity.
template <int D>
class Clutch final : public RotaryElement<D> {
 public:
  explicit Clutch(const ForceElementContext& context)
      : RotaryElement<D>(context),
        capacity_(context.element.settings.function("capacity")),
        give_(context.element.settings.number("give", 1e-3)) {}

  int states() const override { return 1; }
  void initial_states(double* states) const override { states[0] = 0; }
  // In units of z₀.
  void use_states(const double* states) override { bent_ = states; }
  void rates(const Bodies<D>& bodies, double, double* rates) const override {
    const double w = this->speed(bodies);
    rates[0] = (w - std::abs(w) * *bent_) / give_;
  }

  double apply(const Bodies<D>& bodies, double t, Loads<D>& loads) const override {
    const double torque = -resistance(t);
    this->angle_.turn(bodies, torque, loads);
    return torque * this->speed(bodies);
  }
  double energy(const Bodies<D>&, double) const override { return 0; }

  std::vector<OutputDescription> outputs() const override {
    return {{"torque", "N m", "against the turning of the second body"},
            {"slip", "rad/s", "speed of the joint"},
            {"share", "1", "of the capacity that is used; 1 or −1: it slips"}};
  }
  void output(const Bodies<D>& bodies, double t, double* values) const override {
    values[0] = resistance(t);
    values[1] = this->speed(bodies);
    values[2] = *bent_;
  }

 private:
  double resistance(double t) const { return std::max(0.0, capacity_.value(t)) * *bent_; }
  Function capacity_;  // N m
  double give_;        // rad
  const double* bent_ = nullptr;
};

template <int D>
std::unique_ptr<ForceElement<D>> make_clutch(const ForceElementContext& context) {
  return std::make_unique<Clutch<D>>(context);
}

ForceElementDescription describe(const std::string& name, const std::string& summary) {
  return {{.name = name,
           .summary = summary,
           .reference = "Dahl, A solid friction model, Aerospace Corporation TOR-158, 1968; Olsson et al., Eur. J. "
                        "Control 4 (1998) 176–195",
           .parameters = {JointAngle<2>::row(),
                          {.name = "capacity",
                           .kind = ParameterKind::function,
                           .unit = "N m",
                           .meaning = "largest torque, a function of t and of signals; below 0 counts as 0",
                           .required = true,
                           .arguments = {"t"}},
                          {.name = "give",
                           .unit = "rad",
                           .meaning = "angle by which the linings give before they slip",
                           .default_text = "1 mrad",
                           .minimum = 0,
                           .minimum_allowed = false}}},
          make_clutch<2>,
          make_clutch<3>};
}

}  // namespace

ForceElementDescription describe_clutch() {
  return describe("clutch",
                  "Dry friction between the two bodies of a joint, up to a capacity that may change: it "
                  "slips, locks by itself where the speeds meet, and holds.");
}

ForceElementDescription describe_brake() {
  return describe("brake", "Dry friction that holds a joint up to a capacity that may change, as a clutch does.");
}

}  // namespace carom::inline force_elements
