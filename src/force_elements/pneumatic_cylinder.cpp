#include <algorithm>
#include <cmath>

#include "force_elements/line_of_action.h"

namespace carom::inline force_elements {
namespace {

constexpr double gas_constant = 287.05;  // J/(kg K), of air

// Mass flow through an opening from p, T to a lower pressure; choked where that is low enough. Near no difference the
// flow is laminar, so that it does not oscillate between two sides that are alike.
double flow_through(double area, double pressure, double temperature, double lower, double kappa) {
  const double critical = std::pow(2 / (kappa + 1), kappa / (kappa - 1));
  constexpr double laminar = 0.999;
  const auto psi = [&](double ratio) {
    return std::sqrt(2 * kappa / (kappa - 1) * (std::pow(ratio, 2 / kappa) - std::pow(ratio, (kappa + 1) / kappa)));
  };
  const double ratio = lower / pressure;
  const double share = ratio > laminar ? psi(laminar) * (1 - ratio) / (1 - laminar) : psi(std::max(ratio, critical));
  return area * pressure / std::sqrt(gas_constant * temperature) * share;
}

// A chamber of ideal gas behind a piston, V = V₀ + A (l − l₀), with mass m and inner energy U = p V / (κ − 1), that
// takes gas in from a supply and lets it out, without heat through its walls:
//   ṁ = in − out,   U̇ = c_p (T_s in − T out) − p V̇.
// States: m over that of the start, U over that of the start. Supplied: enthalpy of what comes in less that of what
// goes out, and the work of the air outside; stored: U.
template <int D>
class PneumaticCylinder final : public ForceElement<D> {
 public:
  explicit PneumaticCylinder(const ForceElementContext& context)
      : line_(attach_pair(context.model, context.element.settings)),
        length_(file_length(context.model, attach_pair(context.model, context.element.settings))) {
    const Settings& settings = context.element.settings;
    area_ = settings.number("area");
    volume_ = settings.number("volume");
    ambient_ = settings.number("ambient", 101325);
    temperature_ = settings.number("temperature", 293.15);
    kappa_ = settings.number("kappa", 1.4);
    supply_ = settings.number("supply_pressure", ambient_);
    delivery_ = settings.number("delivery_pressure", ambient_);
    inlet_ = settings.function("inlet");
    outlet_ = settings.function("outlet");
    const double pressure = settings.number("pressure", ambient_);
    mass_ = pressure * volume_ / (gas_constant * temperature_);
    inner_ = pressure * volume_ / (kappa_ - 1);
  }

  std::vector<int> bodies() const override { return line_.moving_bodies(); }
  int states() const override { return 2; }
  void initial_states(double* states) const override { states[0] = states[1] = 1; }
  void use_states(const double* states) override { states_ = states; }
  void rates(const Bodies<D>& bodies, double t, double* rates) const override {
    const auto line = line_.evaluate(bodies);
    const Flow flow = flows(line.length, t);
    rates[0] = (flow.in - flow.out) / mass_;
    rates[1] = (flow.enthalpy - pressure(line.length) * area_ * line.rate) / inner_;
  }

  double apply(const Bodies<D>& bodies, double t, Loads<D>& loads) const override {
    const auto line = line_.evaluate(bodies);
    line_.pull(bodies, line, -push(line.length), loads);
    return flows(line.length, t).enthalpy - ambient_ * area_ * line.rate;
  }
  double energy(const Bodies<D>&, double) const override { return inner_ * states_[1]; }
  bool is_conservative() const override { return false; }

  std::vector<OutputDescription> outputs() const override {
    return {{"length", "m", "distance between the ends"},
            {"pressure", "Pa", "of the gas, absolute"},
            {"volume", "m^3", "of the gas"},
            {"temperature", "K", "of the gas"},
            {"mass", "kg", "of the gas"},
            {"inflow", "kg/s", "from the supply; negative: back into it"},
            {"outflow", "kg/s", "to the delivery; negative: back from it"},
            {"force", "N", "that presses the ends apart"}};
  }
  void output(const Bodies<D>& bodies, double t, double* values) const override {
    const double length = line_.evaluate(bodies).length;
    const Flow flow = flows(length, t);
    values[0] = length;
    values[1] = pressure(length);
    values[2] = volume(length);
    values[3] = temperature();
    values[4] = mass_ * states_[0];
    values[5] = flow.in, values[6] = flow.out;
    values[7] = push(length);
  }

 private:
  struct Flow {
    double in = 0, out = 0;  // kg/s
    double enthalpy = 0;     // W, that they bring less what they take
  };
  double volume(double length) const { return volume_ + area_ * (length - length_); }
  double pressure(double length) const { return (kappa_ - 1) * inner_ * states_[1] / volume(length); }
  double temperature() const { return temperature_ * states_[1] / states_[0]; }
  double push(double length) const { return (pressure(length) - ambient_) * area_; }

  Flow flows(double length, double t) const {
    const double p = pressure(length), own = temperature();
    const double heat = kappa_ / (kappa_ - 1) * gas_constant;   // c_p
    const auto between = [&](double opening, double outside) {  // into the chamber
      if (!(opening > 0)) return 0.0;
      return outside > p ? flow_through(opening, outside, temperature_, p, kappa_)
                         : -flow_through(opening, p, own, outside, kappa_);
    };
    Flow flow;
    flow.in = between(inlet_.value(t), supply_);
    flow.out = -between(outlet_.value(t), delivery_);
    flow.enthalpy =
        heat * (flow.in * (flow.in > 0 ? temperature_ : own) - flow.out * (flow.out > 0 ? own : temperature_));
    return flow;
  }

  LineOfAction<D> line_;
  double length_, area_, volume_, ambient_, temperature_, kappa_, supply_, delivery_;  // m, m², m³, Pa, K, 1, Pa, Pa
  Function inlet_, outlet_;                                                            // m²
  double mass_ = 1, inner_ = 1;                                                        // kg, J, at the start
  const double* states_ = nullptr;
};

template <int D>
std::unique_ptr<ForceElement<D>> make_pneumatic_cylinder(const ForceElementContext& context) {
  return std::make_unique<PneumaticCylinder<D>>(context);
}

}  // namespace

ForceElementDescription describe_pneumatic_cylinder() {
  auto parameters = two_end_parameters();
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
  const auto opening = [](const std::string& name, const std::string& meaning) {
    return ParameterDescription{.name = name,
                                .kind = ParameterKind::function,
                                .unit = "m^2",
                                .meaning = meaning,
                                .default_text = "0",
                                .arguments = {"t"}};
  };
  parameters.insert(parameters.end(),
                    {positive("area", "m^2", "of the piston", true, ""),
                     positive("volume", "m^3", "of the gas in the configuration of the file", true, ""),
                     positive("pressure", "Pa", "of the gas there, absolute", false, "ambient"),
                     positive("ambient", "Pa", "pressure outside", false, "101325 Pa"),
                     positive("temperature", "K", "of the gas at the start, of supply and delivery", false, "293.15 K"),
                     positive("supply_pressure", "Pa", "before the inlet, absolute", false, "ambient"),
                     positive("delivery_pressure", "Pa", "behind the outlet, absolute", false, "ambient"),
                     opening("inlet", "effective opening to the supply, a function of t and of signals"),
                     opening("outlet", "effective opening to the delivery, likewise"),
                     {.name = "kappa",
                      .meaning = "ratio of specific heats",
                      .default_text = "1.4",
                      .minimum = 1,
                      .minimum_allowed = false}});
  return {
      {.name = "pneumatic-cylinder",
       .summary = "A chamber of air behind a piston that presses two points apart, with an inlet and an outlet whose "
                  "openings may follow signals: a pneumatic drive, or the cylinder of a compressor with its valves.",
       .reference = "Beater, Pneumatic Drives, 2007, ch. 4 and 5",
       .parameters = parameters},
      make_pneumatic_cylinder<2>,
      make_pneumatic_cylinder<3>,
      true};
}

}  // namespace carom::inline force_elements
