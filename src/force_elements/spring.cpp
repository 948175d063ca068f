#include <algorithm>
#include <array>
#include <cmath>

#include "force_elements/line_of_action.h"
#include "force_elements/stored_part.h"

namespace carom::inline force_elements {
namespace {

constexpr double panels_of_length = 1.0 / 64;  // of the length: where the energy of a function is integrated anew

// Tension T = k (l − l₀) + c l̇ + preload, or a function of elongation x = l − l₀ and rate v.
template <int D>
class Spring final : public ForceElement<D> {
 public:
  explicit Spring(const ForceElementContext& context) : line_(attach_pair(context.model, context.element.settings)) {
    const Settings& settings = context.element.settings;
    stiffness_ = settings.number("stiffness");
    damping_ = settings.number("damping");
    preload_ = settings.number("preload");
    const AttachmentPair pair = attach_pair(context.model, settings);
    free_length_ = settings.number("free_length", file_length(context.model, pair));
    by_function_ = settings.has("force");
    if (!by_function_) return;
    force_ = settings.function("force");
    if (is_timed(force_)) return;
    const double length = file_length(context.model, pair), x = length - free_length_;
    const double size = std::max({length, free_length_, std::abs(x)});
    stored_ = StoredPart(force_, x, size > 0 ? panels_of_length * size : panels_of_length);
  }

  std::vector<int> bodies() const override { return line_.moving_bodies(); }

  double apply(const Bodies<D>& bodies, double t, Loads<D>& loads) const override {
    const auto line = line_.evaluate(bodies);
    const double lossy = damper_tension(line, t);
    line_.pull(bodies, line, elastic_tension(line) + lossy, loads);
    return -lossy * line.rate;
  }

  bool tangents(const Bodies<D>& bodies, double t, ForceTangents<D>& result) const override {
    if (by_function_) return false;
    const auto line = line_.evaluate(bodies);
    return line_.tangents(bodies, line, elastic_tension(line) + damper_tension(line, t), stiffness_, damping_, result);
  }

  double energy(const Bodies<D>& bodies, double) const override {
    const double x = line_.evaluate(bodies).length - free_length_;
    return (0.5 * stiffness_ * x + preload_) * x + stored_.energy(x);
  }

  bool is_conservative() const override { return damping_ == 0 && (!by_function_ || stored_.is_all()); }

  std::vector<OutputDescription> outputs() const override {
    return {{"length", "m", "distance between the ends"},
            {"rate", "m/s", "rate of the length"},
            {"force", "N", "tension, positive when the ends are drawn together"}};
  }

  void output(const Bodies<D>& bodies, double t, double* values) const override {
    const auto line = line_.evaluate(bodies);
    values[0] = line.length;
    values[1] = line.rate;
    values[2] = elastic_tension(line) + damper_tension(line, t);
  }

 private:
  using Line = typename LineOfAction<D>::State;
  double elastic_tension(const Line& line) const {
    const double x = line.length - free_length_;
    return stiffness_ * x + preload_ + stored_.force(x);
  }
  double damper_tension(const Line& line, double t) const {
    const double linear = damping_ * line.rate;
    if (!by_function_ || stored_.is_all()) return linear;
    const std::array<double, 3> arguments = {line.length - free_length_, line.rate, t};
    return linear + force_.value(arguments) - stored_.force(arguments[0]);
  }

  LineOfAction<D> line_;
  double stiffness_ = 0, damping_ = 0, preload_ = 0, free_length_ = 0;  // N/m, N s/m, N, m
  bool by_function_ = false;
  Function force_;
  StoredPart stored_;  // of it
};

template <int D>
std::unique_ptr<ForceElement<D>> make_spring(const ForceElementContext& context) {
  return std::make_unique<Spring<D>>(context);
}

}  // namespace

ForceElementDescription describe_spring() {
  auto parameters = two_end_parameters();
  parameters.insert(parameters.end(),
                    {{.name = "stiffness", .unit = "N/m", .meaning = "k", .default_text = "0", .minimum = 0},
                     {.name = "damping", .unit = "N s/m", .meaning = "c", .default_text = "0", .minimum = 0},
                     {.name = "free_length",
                      .unit = "m",
                      .meaning = "l₀",
                      .default_text = "the length in the configuration of the file",
                      .minimum = 0},
                     {.name = "preload", .unit = "N", .meaning = "tension at the free length", .default_text = "0"},
                     {.name = "force",
                      .kind = ParameterKind::function,
                      .unit = "N",
                      .meaning = "tension as a function of elongation x = l − l₀ (m), rate v (m/s), time and signals, "
                                 "added to the linear part",
                      .arguments = {"x", "v", "t"},
                      .argument_units = {"m", "m/s", "s"}}});
  return {{.name = "spring",
           .summary = "Spring and damper between two points: tension k (l − l₀) + c dl/dt + preload, or by function.",
           .reference = "Nikravesh, Computer-Aided Analysis of Mechanical Systems, 1988, sec. 9.2",
           .parameters = parameters},
          make_spring<2>,
          make_spring<3>};
}

}  // namespace carom::inline force_elements
