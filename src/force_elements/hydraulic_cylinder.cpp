#include <algorithm>
#include <cmath>

#include "force_elements/line_of_action.h"

namespace carom::inline force_elements {
namespace {

constexpr double smooth_difference = 1e3;  // Pa, below which flow through an opening is laminar

// √|Δp| with the sign of Δp, straight near 0.
double root(double difference) {
  const double size = std::abs(difference);
  return difference / std::sqrt(std::max(size, smooth_difference));
}

// Two chambers of oil on either side of a piston; the first presses the ends apart. With volumes V₁ = D₁ + A₁ x and
// V₂ = D₂ + A₂ (s − x), x = l − l_min:
//   V ṗ = β (Q − V̇),   Q by a valve of opening y: to the supply on one side, to the tank on the other, Q = C |y| √Δp.
// Supplied: p_s Q_s − p_t Q_t; stored: V p² / (2 β); lost: the rest, in the valve and by leakage.
template <int D>
class HydraulicCylinder final : public ForceElement<D> {
 public:
  explicit HydraulicCylinder(const ForceElementContext& context)
      : line_(attach_pair(context.model, context.element.settings)) {
    const Settings& settings = context.element.settings;
    const double length = file_length(context.model, attach_pair(context.model, settings));
    area_[0] = settings.number("area");
    area_[1] = area_[0] - settings.number("rod_area");
    stroke_ = settings.number("stroke");
    least_ = settings.number("least_length", length - 0.5 * stroke_);
    dead_ = settings.number("dead_volume", 0.05 * area_[0] * stroke_);
    bulk_ = settings.number("bulk_modulus", 1.4e9);
    supply_ = settings.number("supply_pressure");
    tank_ = settings.number("tank_pressure");
    flow_ = settings.number("valve");
    leakage_ = settings.number("leakage");
    initial_ = settings.number("initial_pressure", 0.5 * (supply_ + tank_));
    opening_ = settings.function("opening");
  }

  std::vector<int> bodies() const override { return line_.moving_bodies(); }
  int states() const override { return 2; }
  // Pressures over that of the supply.
  void initial_states(double* states) const override { states[0] = states[1] = initial_ / supply_; }
  void use_states(const double* states) override { states_ = states; }
  void rates(const Bodies<D>& bodies, double t, double* rates) const override {
    const auto line = line_.evaluate(bodies);
    const Flow flow = flows(t);
    for (const int k : {0, 1})
      rates[k] = bulk_ / volume(k, line.length) * (flow.into[k] - swept(k, line.rate)) / supply_;
  }

  double apply(const Bodies<D>& bodies, double t, Loads<D>& loads) const override {
    const auto line = line_.evaluate(bodies);
    line_.pull(bodies, line, -push(), loads);
    return flows(t).supplied;
  }
  bool has_loss() const override { return true; }
  double loss(const Bodies<D>& bodies, double t) const override {
    const auto line = line_.evaluate(bodies);
    const Flow flow = flows(t);
    double left = flow.supplied;
    for (const int k : {0, 1}) {
      const double p = pressure(k), sweep = swept(k, line.rate);
      left -= p * sweep;                                                 // to the piston
      left -= p * (flow.into[k] - sweep) + p * p * sweep / (2 * bulk_);  // d(V p² / 2β)/dt
    }
    return left;
  }
  double energy(const Bodies<D>& bodies, double) const override {
    const double length = line_.evaluate(bodies).length;
    double sum = 0;
    for (const int k : {0, 1}) sum += volume(k, length) * pressure(k) * pressure(k) / (2 * bulk_);
    return sum;
  }
  bool is_conservative() const override { return false; }

  std::vector<OutputDescription> outputs() const override {
    return {{"length", "m", "distance between the ends"},
            {"pressure_1", "Pa", "of the chamber that presses them apart"},
            {"pressure_2", "Pa", "of the chamber on the side of the rod"},
            {"flow_1", "m^3/s", "into the first chamber"},
            {"flow_2", "m^3/s", "into the second"},
            {"force", "N", "that presses the ends apart"}};
  }
  void output(const Bodies<D>& bodies, double t, double* values) const override {
    const Flow flow = flows(t);
    values[0] = line_.evaluate(bodies).length;
    values[1] = pressure(0), values[2] = pressure(1);
    values[3] = flow.into[0], values[4] = flow.into[1];
    values[5] = push();
  }

 private:
  struct Flow {
    double into[2] = {0, 0};  // m³/s
    double supplied = 0;      // W
  };
  double pressure(int k) const { return supply_ * states_[k]; }
  double push() const { return pressure(0) * area_[0] - pressure(1) * area_[1]; }
  double swept(int k, double rate) const { return (k == 0 ? 1 : -1) * area_[k] * rate; }
  double volume(int k, double length) const {
    const double x = std::clamp(length - least_, 0.0, stroke_);
    return dead_ + area_[k] * (k == 0 ? x : stroke_ - x);
  }
  Flow flows(double t) const {
    const double y = std::clamp(opening_.value(t), -1.0, 1.0);
    const double leak = leakage_ * (pressure(0) - pressure(1));
    const int fed = y > 0 ? 0 : 1, drained = 1 - fed;
    const double in = flow_ * std::abs(y) * root(supply_ - pressure(fed));
    const double out = flow_ * std::abs(y) * root(pressure(drained) - tank_);
    Flow flow;
    flow.into[fed] += in;
    flow.into[drained] -= out;
    flow.into[0] -= leak, flow.into[1] += leak;
    flow.supplied = supply_ * in - tank_ * out;
    return flow;
  }

  LineOfAction<D> line_;
  double area_[2] = {0, 0}, stroke_ = 0, least_ = 0, dead_ = 0, bulk_ = 1;  // m², m, m, m³, Pa
  double supply_ = 1, tank_ = 0, flow_ = 0, leakage_ = 0, initial_ = 0;     // Pa, Pa, m³/(s √Pa), m³/(s Pa), Pa
  Function opening_;
  const double* states_ = nullptr;
};

template <int D>
std::unique_ptr<ForceElement<D>> make_hydraulic_cylinder(const ForceElementContext& context) {
  return std::make_unique<HydraulicCylinder<D>>(context);
}

}  // namespace

ForceElementDescription describe_hydraulic_cylinder() {
  auto parameters = two_end_parameters();
  const auto number = [](const std::string& name, const std::string& unit, const std::string& meaning, bool required,
                         const std::string& usual, bool positive) {
    return ParameterDescription{.name = name,
                                .unit = unit,
                                .meaning = meaning,
                                .required = required,
                                .default_text = usual,
                                .minimum = 0,
                                .minimum_allowed = !positive};
  };
  parameters.insert(
      parameters.end(),
      {number("area", "m^2", "of the piston", true, "", true),
       number("rod_area", "m^2", "of the rod, less on its side", false, "0", false),
       number("stroke", "m", "of the piston", true, "", true),
       number("least_length", "m", "distance of the ends with the piston drawn in", false,
              "half a stroke less than in the configuration of the file", false),
       number("dead_volume", "m^3", "of each chamber with the piston at its end", false, "a twentieth of the stroke",
              true),
       number("bulk_modulus", "Pa", "of the oil", false, "1.4 GPa", true),
       number("supply_pressure", "Pa", "of the pump", true, "", true),
       number("tank_pressure", "Pa", "of the return", false, "0", false),
       number("initial_pressure", "Pa", "of both chambers at the start", false, "half that of the supply", false),
       number("valve", "m^3/(s Pa^0.5)", "C, flow of the open valve over the root of the pressure across it", true, "",
              true),
       number("leakage", "m^3/(s Pa)", "past the piston", false, "0", false),
       {.name = "opening",
        .kind = ParameterKind::function,
        .meaning = "of the valve from −1 to 1, a function of t and of signals; positive presses the ends apart",
        .required = true,
        .arguments = {"t"}}});
  return {{.name = "hydraulic-cylinder",
           .summary = "A piston between two chambers of oil with a four-way valve, which presses two points apart or "
                      "draws them together.",
           .reference = "Merritt, Hydraulic Control Systems, 1967, ch. 5 and 6",
           .parameters = parameters},
          make_hydraulic_cylinder<2>,
          make_hydraulic_cylinder<3>,
          true};
}

}  // namespace carom::inline force_elements
