#include "force_elements/line_of_action.h"

namespace carom::inline force_elements {
namespace {

// F = k (l − l₀)² when l > l₀, else nothing; once continuously differentiable at l₀.
template <int D>
class Ligament final : public ForceElement<D> {
 public:
  explicit Ligament(const ForceElementContext& context) : line_(attach_pair(context.model, context.element.settings)) {
    const Settings& settings = context.element.settings;
    stiffness_ = settings.number("stiffness");
    free_length_ = settings.number("free_length", file_length(context.model, attach_pair(context.model, settings)));
  }

  std::vector<int> bodies() const override { return line_.moving_bodies(); }

  double apply(const Bodies<D>& bodies, double, Loads<D>& loads) const override {
    const auto line = line_.evaluate(bodies);
    line_.pull(bodies, line, tension(line.length), loads);
    return 0;
  }

  bool tangents(const Bodies<D>& bodies, double, ForceTangents<D>& result) const override {
    const auto line = line_.evaluate(bodies);
    const double stretch = std::max(0.0, line.length - free_length_);
    return line_.tangents(bodies, line, tension(line.length), 2 * stiffness_ * stretch, 0, result);
  }

  double energy(const Bodies<D>& bodies, double) const override {
    const double stretch = std::max(0.0, line_.evaluate(bodies).length - free_length_);
    return stiffness_ * stretch * stretch * stretch / 3;
  }

  bool is_conservative() const override { return true; }

  std::vector<OutputDescription> outputs() const override {
    return {{"length", "m", "distance between the ends"}, {"force", "N", "tension"}};
  }

  void output(const Bodies<D>& bodies, double, double* values) const override {
    values[0] = line_.evaluate(bodies).length;
    values[1] = tension(values[0]);
  }

 private:
  double tension(double length) const {
    const double stretch = std::max(0.0, length - free_length_);
    return stiffness_ * stretch * stretch;
  }

  LineOfAction<D> line_;
  double stiffness_ = 0, free_length_ = 0;  // N/m², m
};

template <int D>
std::unique_ptr<ForceElement<D>> make_ligament(const ForceElementContext& context) {
  return std::make_unique<Ligament<D>>(context);
}

}  // namespace

ForceElementDescription describe_ligament() {
  auto parameters = two_end_parameters();
  parameters.insert(parameters.end(),
                    {{.name = "stiffness", .unit = "N/m^2", .meaning = "k", .required = true, .minimum = 0},
                     {.name = "free_length",
                      .unit = "m",
                      .meaning = "l₀",
                      .default_text = "the length in the configuration of the file",
                      .minimum = 0}});
  return {{.name = "ligament",
           .summary = "One-sided quadratic tension F = k (l − l₀)² when taut, zero when slack.",
           .reference = "Machado, Moreira, Flores, Lankarani, Mech. Mach. Theory 53 (2012) 99–121",
           .parameters = parameters},
          make_ligament<2>,
          make_ligament<3>};
}

}  // namespace carom::inline force_elements
