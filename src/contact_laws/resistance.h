#pragma once

namespace carom::inline contact_laws {

struct ResistanceTorque {
  double torque = 0;    // N m, against the angular velocity
  double by_spin = 0;   // N m s
  double by_force = 0;  // m
};

// Rolling or spinning resistance of a contact: torque = −r F_N tanh(ω/ω_s), ω the relative angular velocity of the two
// bodies about an axis in the tangent plane (rolling) or along the normal (spinning). r is a length: for rolling, the
// lever by which the pressure leads; for spinning, about 2/3 μ a with the radius a of the contact patch (3π/16 μ a for
// Hertz' pressure). |torque| ≤ r F_N, torque·ω ≤ 0. What should stand still creeps below ω_s.
class Resistance {
 public:
  static constexpr double default_spin_scale = 0.1;  // rad/s

  Resistance() = default;
  explicit Resistance(double length, double spin_scale = default_spin_scale)
      : length_(length), spin_scale_(spin_scale) {}

  bool is_present() const { return length_ > 0; }
  ResistanceTorque evaluate(double spin, double normal_force) const;

 private:
  double length_ = 0, spin_scale_ = default_spin_scale;  // m, rad/s
};

}  // namespace carom::inline contact_laws
