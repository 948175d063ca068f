#pragma once

#include <optional>
#include <vector>

#include "force_recovery/contact_surfaces.h"
#include "integrators/nonsmooth/nonsmooth_integrator.h"

namespace carom::inline simulation {

// The forces behind the impulses of a run, reported while it runs: an impact costs a look into a table of pulses.
class ImpactForces {
 public:
  // The model must outlive it.
  explicit ImpactForces(const Model& model) : model_(model) {}

  // Of the impacts of one step. Pulses are all zero where no force can be reported, because the model does not say how
  // stiff the contact is or because nothing gives way.
  void recover(const std::vector<ImpactEvent>& events);
  const std::vector<ImpactPulse>& pulses() const { return pulses_; }

 private:
  ImpactPulse pulse(const ImpactEvent& event);
  const ContactSurfaces& surfaces(const ImpactEvent& event);

  const Model& model_;
  PulseTable table_{PulseProfile::exact, 200};
  std::vector<ImpactPulse> pulses_;
  std::vector<std::optional<ContactSurfaces>> surfaces_;  // by group of contacts
};

}  // namespace carom::inline simulation
