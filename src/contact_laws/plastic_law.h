#pragma once

#include "contact_laws/normal_law.h"

namespace carom::inline contact_laws {

// Permanent indentation: loading along f_e(δ); below the deepest penetration δ_m of the episode along
// f_e(s (δ − δ_p)), with δ_p = (1 − e²) δ_m and s = δ_m/(δ_m − δ_p) = 1/e², back to the same point when loaded again.
// For a power law this is F_m ((δ − δ_p)/(δ_m − δ_p))ⁿ. The episode ends at δ_p; a free impact returns e exactly.
//
// While loading, the share e² of the force is counted as elastic: it is what unloading will give back, and the stored
// energy is continuous where the motion turns.
class PlasticLaw final : public NormalLaw {
 public:
  PlasticLaw(const ElasticLaw& elastic, double restitution) : elastic_(elastic), returned_(restitution * restitution) {}

  NormalForce evaluate(const NormalContact& contact) const override {
    if (contact.penetration <= 0) return {};
    if (contact.penetration >= contact.deepest) {
      const ElasticForce loading = elastic_.evaluate(contact.penetration);
      return {loading.force, loading.slope, 0, returned_ * loading.force, returned_ * loading.energy};
    }
    const ElasticForce unloading = elastic_.evaluate(unloading_penetration(contact));
    return {unloading.force, unloading.slope / returned_, 0, unloading.force, returned_ * unloading.energy};
  }

  double force(const NormalContact& contact) const override {
    return elastic_.force(contact.penetration >= contact.deepest ? contact.penetration
                                                                 : unloading_penetration(contact));
  }

  double energy(const NormalContact& contact) const override {
    const bool loading = contact.penetration >= contact.deepest;
    return returned_ * elastic_.evaluate(loading ? contact.penetration : unloading_penetration(contact)).energy;
  }

  double release_penetration(const NormalContact& contact) const override { return (1 - returned_) * contact.deepest; }
  bool remembers_depth() const override { return true; }

 private:
  double unloading_penetration(const NormalContact& contact) const {
    return (contact.penetration - (1 - returned_) * contact.deepest) / returned_;
  }
  ElasticLaw elastic_;
  double returned_;  // e², share of the loading energy that comes back
};

inline std::unique_ptr<NormalLaw> make_plastic(const NormalLawContext& context) {
  return std::make_unique<PlasticLaw>(context.elastic, context.restitution);
}

}  // namespace carom::inline contact_laws
