#include <cmath>

#include "force_elements/line_of_action.h"

namespace carom::inline force_elements {
namespace {

// A closed volume of gas between two ends, V = V₀ + A (l − l₀), p Vⁿ constant: it presses the ends apart by (p − p_a)
// A.
template <int D>
class GasSpring final : public ForceElement<D> {
 public:
  explicit GasSpring(const ForceElementContext& context)
      : line_(attach_pair(context.model, context.element.settings)),
        length_(file_length(context.model, attach_pair(context.model, context.element.settings))),
        area_(context.element.settings.number("area")),
        pressure_(context.element.settings.number("pressure")),
        volume_(context.element.settings.number("volume")),
        ambient_(context.element.settings.number("ambient", 101325)),
        exponent_(context.element.settings.number("exponent", 1.4)) {}

  std::vector<int> bodies() const override { return line_.moving_bodies(); }
  double apply(const Bodies<D>& bodies, double, Loads<D>& loads) const override {
    const auto line = line_.evaluate(bodies);
    line_.pull(bodies, line, -push(line.length), loads);
    return 0;
  }
  bool tangents(const Bodies<D>& bodies, double, ForceTangents<D>& result) const override {
    const auto line = line_.evaluate(bodies);
    const double slope = exponent_ * pressure(line.length) * area_ * area_ / volume(line.length);
    return line_.tangents(bodies, line, -push(line.length), slope, 0, result);
  }
  // Of the gas, and against the air outside; 0 in the configuration of the file.
  double energy(const Bodies<D>& bodies, double) const override {
    const double v = volume(line_.evaluate(bodies).length), ratio = volume_ / v;
    const double gas = exponent_ == 1 ? pressure_ * volume_ * std::log(ratio)
                                      : pressure_ * volume_ * (std::pow(ratio, exponent_ - 1) - 1) / (exponent_ - 1);
    return gas + ambient_ * (v - volume_);
  }
  bool is_conservative() const override { return true; }

  std::vector<OutputDescription> outputs() const override {
    return {{"length", "m", "distance between the ends"},
            {"pressure", "Pa", "of the gas, absolute"},
            {"volume", "m^3", "of the gas"},
            {"force", "N", "that presses the ends apart"}};
  }
  void output(const Bodies<D>& bodies, double, double* values) const override {
    values[0] = line_.evaluate(bodies).length;
    values[1] = pressure(values[0]);
    values[2] = volume(values[0]);
    values[3] = push(values[0]);
  }

 private:
  double volume(double length) const { return volume_ + area_ * (length - length_); }
  double pressure(double length) const { return pressure_ * std::pow(volume_ / volume(length), exponent_); }
  double push(double length) const { return (pressure(length) - ambient_) * area_; }

  LineOfAction<D> line_;
  double length_, area_, pressure_, volume_, ambient_, exponent_;  // m, m², Pa, m³, Pa
};

template <int D>
std::unique_ptr<ForceElement<D>> make_gas_spring(const ForceElementContext& context) {
  return std::make_unique<GasSpring<D>>(context);
}

}  // namespace

ForceElementDescription describe_gas_spring() {
  auto parameters = two_end_parameters();
  const auto positive = [](const std::string& name, const std::string& unit, const std::string& meaning) {
    return ParameterDescription{
        .name = name, .unit = unit, .meaning = meaning, .required = true, .minimum = 0, .minimum_allowed = false};
  };
  parameters.insert(
      parameters.end(),
      {positive("area", "m^2", "of the piston"),
       positive("pressure", "Pa", "absolute, in the configuration of the file"),
       positive("volume", "m^3", "of the gas there"),
       {.name = "ambient", .unit = "Pa", .meaning = "pressure outside", .default_text = "101325 Pa", .minimum = 0},
       {.name = "exponent",
        .meaning = "n of p Vⁿ: 1.4 without heat for air, 1 at one temperature",
        .default_text = "1.4",
        .minimum = 1}});
  return {{.name = "gas-spring",
           .summary = "A closed volume of gas that presses two points apart: p Vⁿ is constant.",
           .reference = "Moran, Shapiro et al., Fundamentals of Engineering Thermodynamics, 2014, sec. 3.15",
           .parameters = parameters},
          make_gas_spring<2>,
          make_gas_spring<3>};
}

}  // namespace carom::inline force_elements
