#include "integrators/nonsmooth/scheme.h"

namespace carom::inline nonsmooth_integrators {
namespace {

// The stages as they are.
template <int D>
std::unique_ptr<Scheme<D>> make_decoupled(const SolverSettings& settings) {
  return std::make_unique<Scheme<D>>(SchemeTraits{AlphaCoefficients(settings.rho_infinity)});
}

}  // namespace

SchemeDescription describe_decoupled() {
  return {
      {{.name = "decoupled",
        .summary = "The decoupled nonsmooth generalized-α method: smooth motion, position correction and velocity jump "
                   "one after the other. Contacts that last take part in the smooth motion with forces, so that "
                   "rolling, sliding and rest are of second order; bodies do not overlap.",
        .reference = "Cosimo, Galvez, Cavalieri, Cardona, Brüls, Multibody Syst. Dyn. 48 (2020) 127–157"}},
      make_decoupled<2>,
      make_decoupled<3>};
}

}  // namespace carom::inline nonsmooth_integrators
