#pragma once

#include "contact_laws/friction_law.h"

namespace carom::inline contact_laws {

// A bristle of deflection z, per newton of normal force: force = σ₀ z + σ₁ ż + c v,
//   ż = v (1 − α sgn(v) z/z_ss(v)),  z_ss = g(v)/σ₀,  g = μ_k + (μ_s − μ_k) exp(−(v/v_St)²).
// LuGre has α = 1 and creeps under a load that swings below the breakaway. The elasto-plastic bristle has α = 0 up to
// |z| = z_ba (purely elastic: no drift) and whenever z is being unloaded, and rises to 1 at z_ss by half a sine.
//
// The term σ₁ ż acts only while ż v > 0. Then force·v − d(½ σ₀ z²)/dt = α σ₀ |v| z²/z_ss + σ₁ ż v + c v² has no
// negative term: for a steady normal force a bristle never gives back more than it stored, at any σ₁. Without that
// condition LuGre is active for fast changes of the slip beyond the Stribeck peak.
class BristleLaw : public FrictionLaw {
 public:
  BristleLaw(const Settings& settings, bool is_elasto_plastic);
  // In steady slip.
  Friction evaluate(double slip_speed, double normal_force) const override;
  bool has_bristle() const override { return true; }
  BristleForce bristle(double deflection, double velocity, double normal_force) const override;
  double bristle_energy(double deflection) const override { return stiffness_ / 2 * deflection * deflection; }

 private:
  double level(double velocity) const;                           // g
  double plastic_share(double deflection, double steady) const;  // α

  double kinetic_, static_, stiffness_, damping_, viscous_, stribeck_;  // σ₀, 1/m; σ₁, s/m; c, s/m; v_St, m/s
  double elastic_share_ = 0;                                            // z_ba/z_ss
};

// The rows of the parameter table that both have.
std::vector<ParameterDescription> bristle_parameters();

}  // namespace carom::inline contact_laws
