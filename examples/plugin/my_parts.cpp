// Parts of one's own: a force, a contact law, a friction law and a drive, as a plug-in.
//
//   carom run --plugin ./libmy_parts.so machine.toml

#include <algorithm>
#include <cmath>
#include <memory>

#include <carom/plugin.h>

namespace {

using carom::KeyValues;

// Two magnets that attract each other with c/d², d the distance of the ends.
class Magnet final : public carom::ForceElement {
 public:
  explicit Magnet(const KeyValues& keys) : strength_(keys.number("strength")) {}

  carom::ForceAction evaluate(const carom::ForceState& state) const override {
    const auto &a = state.ends[0].position, &b = state.ends[1].position;
    const double distance = std::hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
    carom::ForceAction action;
    action.energy = -strength_ / distance;
    for (int k = 0; k < 3; ++k) {
      const double pull = strength_ / (distance * distance) * (b[k] - a[k]) / distance;
      action.conservative[0].force[k] = pull;
      action.conservative[1].force[k] = -pull;
    }
    return action;
  }
  bool is_conservative() const override { return true; }

  void output(const carom::ForceState& state, std::span<double> values) const override {
    const auto &a = state.ends[0].position, &b = state.ends[1].position;
    values[0] = std::hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
  }

 private:
  double strength_;  // N m²
};

// F = f_e(δ) + d δ̇ f_e(δ)/f_e(δ₁): a damper that starts from zero with the elastic force, and is d at the depth δ₁.
class SoftDamper final : public carom::NormalLaw {
 public:
  explicit SoftDamper(const carom::NormalLawContext& context)
      : elastic_(context.elastic),
        damping_(context.keys.number("damping") / elastic_(context.keys.number("full_depth")).force) {}

  carom::NormalForce evaluate(const carom::NormalContact& contact) const override {
    const carom::ElasticValue elastic = elastic_(contact.penetration);
    return {.force = elastic.force * (1 + damping_ * contact.rate), .elastic = elastic.force, .energy = elastic.energy};
  }
  bool is_memoryless() const override { return true; }

 private:
  std::function<carom::ElasticValue(double)> elastic_;
  double damping_;  // s/m
};

// μ v/√(v² + v_s²)
class SmoothFriction final : public carom::FrictionLaw {
 public:
  explicit SmoothFriction(const KeyValues& keys) : mu_(keys.number("coefficient")), scale_(keys.number("slip_scale")) {}
  double coefficient(double slip_speed, double /*normal_force*/) const override {
    return mu_ * slip_speed / std::hypot(slip_speed, scale_);
  }

 private:
  double mu_, scale_;
};

// A rise without jerks at its ends: h (τ − sin(2πτ)/(2π)), τ = t/T, then rest.
class Cycloid final : public carom::Drive {
 public:
  explicit Cycloid(const KeyValues& keys) : rise_(keys.number("rise")), duration_(keys.number("duration")) {}
  carom::DriveValue evaluate(double t) const override {
    const double share = std::clamp(t / duration_, 0.0, 1.0), phase = 2 * M_PI * share;
    return {.value = rise_ * (share - std::sin(phase) / (2 * M_PI)),
            .rate = rise_ / duration_ * (1 - std::cos(phase)),
            .acceleration = rise_ / (duration_ * duration_) * 2 * M_PI * std::sin(phase)};
  }
  std::vector<double> breakpoints() const override { return {0, duration_}; }

 private:
  double rise_, duration_;  // m, s
};

carom::ForcePart magnet() {
  carom::ForcePart part;
  part.name = "magnet";
  part.summary = "Two magnets that attract each other with the inverse square of their distance.";
  part.keys = {{.name = "strength", .unit = "N m^2", .meaning = "c of c/d²", .required = true, .minimum = 0}};
  part.outputs = {{"distance", "m", "between the ends"}};
  part.make = [](const carom::ForceContext& context) { return std::make_unique<Magnet>(context.keys); };
  return part;
}

carom::ContactLawPart soft_damper() {
  carom::ContactLawPart part;
  part.name = "soft-damper";
  part.summary = "A damper that grows with the elastic force.";
  part.formula = "F = f_e(δ) (1 + d δ̇/f_e(δ₁))";
  part.uses_restitution = false;
  part.keys = {{.name = "damping", .unit = "N s/m", .meaning = "d, at the full depth", .required = true, .minimum = 0},
               {.name = "full_depth",
                .unit = "m",
                .meaning = "δ₁",
                .default_value = 1e-4,
                .minimum = 0,
                .minimum_allowed = false}};
  part.make = [](const carom::NormalLawContext& context) { return std::make_unique<SoftDamper>(context); };
  return part;
}

carom::FrictionLawPart smooth_friction() {
  carom::FrictionLawPart part;
  part.name = "smooth";
  part.summary = "Coulomb's law, rounded off about standstill.";
  part.formula = "μ v/√(v² + v_s²)";
  part.keys = {{.name = "coefficient", .meaning = "μ", .required = true, .minimum = 0},
               {.name = "slip_scale", .unit = "m/s", .meaning = "v_s", .default_value = 1e-3, .minimum = 1e-9}};
  part.make = [](const KeyValues& keys) { return std::make_unique<SmoothFriction>(keys); };
  return part;
}

carom::DrivePart cycloid() {
  carom::DrivePart part;
  part.name = "cycloid";
  part.summary = "A rise without jerks at its ends, then rest.";
  part.unit = "m";
  part.keys = {
      {.name = "rise", .unit = "m", .meaning = "h", .required = true},
      {.name = "duration", .unit = "s", .meaning = "T", .required = true, .minimum = 0, .minimum_allowed = false}};
  part.make = [](const KeyValues& keys) { return std::make_unique<Cycloid>(keys); };
  return part;
}

}  // namespace

CAROM_PLUGIN(registry) {
  registry.add(magnet());
  registry.add(soft_damper());
  registry.add(smooth_friction());
  registry.add(cycloid());
}
