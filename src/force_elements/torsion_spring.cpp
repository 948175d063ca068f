#include <array>

#include "force_elements/force_element.h"
#include "force_elements/stored_part.h"
#include "math/coordinate.h"

namespace carom::inline force_elements {
namespace {

constexpr double panel_angle = 0.5;  // rad, after which the energy of a function is integrated anew

// Torque about an axis that both bodies share: T = k (θ − θ₀) + c θ̇ turns the angle back, or a function of x = θ − θ₀
// and rate v.
//
// The angle is that of the joint between the two bodies and counts full turns.
template <int D>
class TorsionSpring final : public ForceElement<D> {
 public:
  explicit TorsionSpring(const ForceElementContext& context) {
    const Settings& settings = context.element.settings;
    const Settings* placement = &settings;
    for (const ElementModel& joint : context.model.joints) {
      if (joint.name == settings.text("joint").substr(0, settings.text("joint").find('.'))) placement = &joint.settings;
    }
    const AttachmentPair pair = attach_pair(context.model, *placement);
    angle_.kind = CoordinateKind::rotation;
    angle_.body_i = pair.at[0].body, angle_.body_j = pair.at[1].body;
    if constexpr (D == 3) {
      angle_.axis = pair.at[0].frame.col(2);
      angle_.reference_i = pair.at[0].frame.col(0), angle_.reference_j = pair.at[1].frame.col(0);
      angle_.zero = pair.twist;
    }
    stiffness_ = settings.number("stiffness");
    damping_ = settings.number("damping");
    free_angle_ = settings.number("free_angle");
    by_function_ = settings.has("torque");
    if (!by_function_) return;
    torque_ = settings.function("torque");
    const double angle =
        D == 3 ? pair.twist : body_at(context.model, angle_.body_j).angle - body_at(context.model, angle_.body_i).angle;
    stored_ = StoredPart(torque_, angle - free_angle_, panel_angle);
  }

  std::vector<int> bodies() const override {
    std::vector<int> result;
    if (angle_.body_i > 0) result.push_back(angle_.body_i);
    if (angle_.body_j > 0) result.push_back(angle_.body_j);
    return result;
  }

  double apply(const Bodies<D>& bodies, double, Loads<D>& loads) const override {
    const double x = coordinate_value(angle_, bodies) - free_angle_, v = coordinate_rate(angle_, bodies),
                 lossy = damper_torque(x, v);
    const AngularOf<D> on_i = (stiffness_ * x + stored_.force(x) + lossy) * axis(bodies);
    loads.add_torque(bodies, angle_.body_i, on_i);
    loads.add_torque(bodies, angle_.body_j, -on_i);
    return -lossy * v;
  }

  double energy(const Bodies<D>& bodies, double) const override {
    const double x = coordinate_value(angle_, bodies) - free_angle_;
    return 0.5 * stiffness_ * x * x + stored_.energy(x);
  }

  bool is_conservative() const override { return damping_ == 0 && (!by_function_ || stored_.is_all()); }

  void remember(const Bodies<D>& bodies) override { angle_.turn_memory = coordinate_value(angle_, bodies); }
  void forget(const Bodies<D>& bodies) override {
    angle_.turn_memory = 0;
    remember(bodies);
  }

  void take_memory(const ForceElement<D>& other) override {
    if (const auto* spring = dynamic_cast<const TorsionSpring*>(&other))
      angle_.turn_memory = spring->angle_.turn_memory;
  }

  std::vector<OutputDescription> outputs() const override {
    return {{"angle", "rad", "angle of the second body against the first"},
            {"rate", "rad/s", "rate of the angle"},
            {"torque", "N m", "torque that turns the angle back"}};
  }

  void output(const Bodies<D>& bodies, double, double* values) const override {
    values[0] = coordinate_value(angle_, bodies);
    values[1] = coordinate_rate(angle_, bodies);
    const double x = values[0] - free_angle_;
    values[2] = stiffness_ * x + stored_.force(x) + damper_torque(x, values[1]);
  }

 private:
  double damper_torque(double x, double v) const {
    if (!by_function_ || stored_.is_all()) return damping_ * v;
    const std::array<double, 2> arguments = {x, v};
    return damping_ * v + torque_.value(arguments) - stored_.force(x);
  }
  AngularOf<D> axis(const Bodies<D>& bodies) const {
    if constexpr (D == 2) {
      return AngularOf<2>(1.0);
    } else {
      return bodies[angle_.body_i].orientation * angle_.axis;
    }
  }

  Coordinate<D> angle_;
  double stiffness_ = 0, damping_ = 0, free_angle_ = 0;  // N m/rad, N m s/rad, rad
  bool by_function_ = false;
  Function torque_;
  StoredPart stored_;  // of it
};

template <int D>
std::unique_ptr<ForceElement<D>> make_torsion_spring(const ForceElementContext& context) {
  return std::make_unique<TorsionSpring<D>>(context);
}

}  // namespace

ForceElementDescription describe_torsion_spring() {
  return {{.name = "torsion-spring",
           .summary = "Spring and damper about the axis of a joint: torque k (θ − θ₀) + c dθ/dt, or by function.",
           .reference = "Nikravesh, Computer-Aided Analysis of Mechanical Systems, 1988, sec. 9.2",
           .parameters = {{.name = "joint",
                           .kind = ParameterKind::joint,
                           .meaning = "the joint with a rotation that it acts on",
                           .required = true},
                          {.name = "stiffness", .unit = "N m/rad", .meaning = "k", .default_text = "0", .minimum = 0},
                          {.name = "damping", .unit = "N m s/rad", .meaning = "c", .default_text = "0", .minimum = 0},
                          {.name = "free_angle", .unit = "rad", .meaning = "θ₀", .default_text = "0"},
                          {.name = "torque",
                           .kind = ParameterKind::function,
                           .unit = "N m",
                           .meaning =
                               "torque as a function of x = θ − θ₀ (rad) and rate v (rad/s), added to the linear part",
                           .arguments = {"x", "v"},
                           .argument_units = {"rad", "rad/s"}}}},
          make_torsion_spring<2>,
          make_torsion_spring<3>};
}

}  // namespace carom::inline force_elements
