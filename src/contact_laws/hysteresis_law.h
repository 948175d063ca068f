#pragma once

#include "contact_laws/normal_law.h"

namespace carom::inline contact_laws {

// F = f_e(δ) (1 + h δ̇/v₀), clamped at zero. Continuous at touch and, in a free impact, never pulling: h e_out < 1.
class HysteresisLaw final : public NormalLaw {
 public:
  HysteresisLaw(const ElasticLaw& elastic, double h) : elastic_(elastic), h_(h) {}

  NormalForce evaluate(const NormalContact& contact) const override {
    if (contact.penetration <= 0) return {};
    const ElasticForce elastic = elastic_.evaluate(contact.penetration);
    NormalForce result{.elastic = elastic.force, .energy = elastic.energy};
    const double margin = clamp_margin(contact);
    if (margin <= 0) return result;
    result.force = elastic.force * margin;
    result.by_penetration = elastic.slope * margin;
    if (h_ > 0) result.by_rate = elastic.force * h_ / contact.impact_speed;
    return result;
  }

  double force(const NormalContact& contact) const override {
    const double margin = clamp_margin(contact);
    return margin > 0 ? elastic_.force(contact.penetration) * margin : 0;
  }

  double energy(const NormalContact& contact) const override { return elastic_.evaluate(contact.penetration).energy; }

  // No division when there is no damping, so that Hertz needs no impact speed.
  double clamp_margin(const NormalContact& contact) const override {
    return h_ > 0 ? 1 + h_ * contact.rate / contact.impact_speed : 1;
  }

  bool is_memoryless() const override { return h_ == 0; }
  std::optional<double> hysteresis() const override { return h_; }

 private:
  ElasticLaw elastic_;
  double h_;
};

template <double (*factor)(double)>
std::unique_ptr<NormalLaw> make_hysteresis(const NormalLawContext& context) {
  return std::make_unique<HysteresisLaw>(context.elastic, factor(context.restitution));
}

template <double (*factor)(double)>
double hysteresis_restitution(double restitution) {
  return output_restitution(factor(restitution));
}

// Completes the description of a family member by what follows from h(e).
template <double (*h)(double)>
NormalLawDescription hysteresis_member(NormalLawDescription description) {
  description.factor = h;
  description.restitution_out = hysteresis_restitution<h>;
  description.make = make_hysteresis<h>;
  return description;
}

}  // namespace carom::inline contact_laws
