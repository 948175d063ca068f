#include <array>

#include "force_elements/joint_angle.h"
#include "force_elements/stored_part.h"

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
  explicit TorsionSpring(const ForceElementContext& context) : angle_(context) {
    const Settings& settings = context.element.settings;
    stiffness_ = settings.number("stiffness");
    damping_ = settings.number("damping");
    free_angle_ = settings.number("free_angle");
    by_function_ = settings.has("torque");
    if (!by_function_) return;
    torque_ = settings.function("torque");
    if (is_timed(torque_)) return;
    stored_ = StoredPart(torque_, angle_.start() - free_angle_, panel_angle);
  }

  std::vector<int> bodies() const override { return angle_.bodies(); }

  double apply(const Bodies<D>& bodies, double t, Loads<D>& loads) const override {
    const double x = angle_.value(bodies) - free_angle_, v = angle_.rate(bodies), lossy = damper_torque(x, v, t);
    angle_.turn(bodies, -(stiffness_ * x + stored_.force(x) + lossy), loads);
    return -lossy * v;
  }

  double energy(const Bodies<D>& bodies, double) const override {
    const double x = angle_.value(bodies) - free_angle_;
    return 0.5 * stiffness_ * x * x + stored_.energy(x);
  }

  bool is_conservative() const override { return damping_ == 0 && (!by_function_ || stored_.is_all()); }

  void remember(const Bodies<D>& bodies) override { angle_.remember(bodies); }
  void forget(const Bodies<D>& bodies) override { angle_.forget(bodies); }
  void take_memory(const ForceElement<D>& other) override {
    if (const auto* spring = dynamic_cast<const TorsionSpring*>(&other)) angle_.take_memory(spring->angle_);
  }

  std::vector<OutputDescription> outputs() const override {
    return {{"angle", "rad", "angle of the second body against the first"},
            {"rate", "rad/s", "rate of the angle"},
            {"torque", "N m", "torque that turns the angle back"}};
  }

  void output(const Bodies<D>& bodies, double t, double* values) const override {
    values[0] = angle_.value(bodies);
    values[1] = angle_.rate(bodies);
    const double x = values[0] - free_angle_;
    values[2] = stiffness_ * x + stored_.force(x) + damper_torque(x, values[1], t);
  }

 private:
  double damper_torque(double x, double v, double t) const {
    if (!by_function_ || stored_.is_all()) return damping_ * v;
    const std::array<double, 3> arguments = {x, v, t};
    return damping_ * v + torque_.value(arguments) - stored_.force(x);
  }
  JointAngle<D> angle_;
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
  return {
      {.name = "torsion-spring",
       .summary = "Spring and damper about the axis of a joint: torque k (θ − θ₀) + c dθ/dt, or by function.",
       .reference = "Nikravesh, Computer-Aided Analysis of Mechanical Systems, 1988, sec. 9.2",
       .parameters =
           {JointAngle<2>::row(),
            {.name = "stiffness", .unit = "N m/rad", .meaning = "k", .default_text = "0", .minimum = 0},
            {.name = "damping", .unit = "N m s/rad", .meaning = "c", .default_text = "0", .minimum = 0},
            {.name = "free_angle", .unit = "rad", .meaning = "θ₀", .default_text = "0"},
            {.name = "torque",
             .kind = ParameterKind::function,
             .unit = "N m",
             .meaning =
                 "torque as a function of x = θ − θ₀ (rad), rate v (rad/s), time and signals, added to the linear part",
             .arguments = {"x", "v", "t"},
             .argument_units = {"rad", "rad/s", "s"}}}},
      make_torsion_spring<2>,
      make_torsion_spring<3>};
}

}  // namespace carom::inline force_elements
