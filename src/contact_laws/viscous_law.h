#pragma once

#include <cassert>

#include "contact_laws/normal_law.h"

namespace carom::inline contact_laws {

struct Damping {
  double coefficient = 0, by_penetration = 0;  // D, N s/m, and dD/dδ, N s/m²
};

// How an episode ends under a law that pulls before δ is back at zero.
//   clamped: when the force is back at zero, which then returns more speed than it was set for;
//   adhesive: when the penetration is back at zero; the force may pull for a moment.
enum class ContactEnd { clamped, adhesive };

// F = f_e(δ) + D(δ) δ̇. Laws with D > 0 at δ = 0 jump to D v₀ at the first touch.
class ViscousLaw : public NormalLaw {
 public:
  ViscousLaw(const ElasticLaw& elastic, ContactEnd end) : elastic_(elastic), end_(end) {}

  NormalForce evaluate(const NormalContact& contact) const override {
    if (contact.penetration < 0) return {};
    const ElasticForce elastic = elastic_.evaluate(contact.penetration);
    const Damping damping = this->damping(contact);
    NormalForce result{.elastic = elastic.force, .energy = elastic.energy};
    const double force = elastic.force + damping.coefficient * contact.rate;
    if (force <= 0 && end_ == ContactEnd::clamped) return result;
    result.force = force;
    result.by_penetration = elastic.slope + damping.by_penetration * contact.rate;
    result.by_rate = damping.coefficient;
    return result;
  }

  double force(const NormalContact& contact) const override {
    if (contact.penetration < 0) return 0;
    const double force = elastic_.force(contact.penetration) + damping(contact).coefficient * contact.rate;
    return force <= 0 && end_ == ContactEnd::clamped ? 0 : force;
  }

  double energy(const NormalContact& contact) const override { return elastic_.evaluate(contact.penetration).energy; }

  // Newton on ln(f_e/D) = ln(−δ̇) in ln δ, a straight line for power laws: one step.
  double release_penetration(const NormalContact& contact) const override {
    if (end_ == ContactEnd::adhesive || contact.rate >= 0) return 0;
    NormalContact trial = contact;
    if (trial.penetration <= 0) trial.penetration = 1e-9;
    for (int k = 0; k < 50; ++k) {
      const ElasticForce elastic = elastic_.evaluate(trial.penetration);
      const Damping damping = this->damping(trial);
      if (damping.coefficient <= 0 || elastic.force <= 0) return 0;
      const double slope =
          trial.penetration * (elastic.slope / elastic.force - damping.by_penetration / damping.coefficient);
      const double step = std::log(-damping.coefficient * contact.rate / elastic.force) / slope;
      trial.penetration *= std::exp(step);
      if (std::abs(step) < 1e-14) break;
    }
    return trial.penetration;
  }

 protected:
  // δ ≥ 0.
  virtual Damping damping(const NormalContact& contact) const = 0;
  const ElasticLaw& elastic() const { return elastic_; }

 private:
  ElasticLaw elastic_;
  ContactEnd end_;
};

// Share ζ of critical damping with which a linear oscillator, left at δ = 0, returns e: −ln e/√(π² + ln² e).
// Anagnostopoulos, Earthq. Eng. Struct. Dyn. 16 (1988) 443–456.
double damping_ratio(double restitution);

// What comes back when the oscillator of that damping is left where the force vanishes.
double clamped_restitution(double restitution);

// The key `end`, shared by the laws above.
ParameterDescription end_parameter();
ContactEnd contact_end(const Settings& settings);

}  // namespace carom::inline contact_laws
