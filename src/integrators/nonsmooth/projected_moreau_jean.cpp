#include "integrators/nonsmooth/scheme.h"

namespace carom::inline nonsmooth_integrators {
namespace {

constexpr double usual_theta = 0.5;

// Smooth motion by the θ-method, with joints and contacts at the velocity level: what contacts do in a step is an
// impulse, be it an impact or the weight of what lies on them. Positions are projected, so that nothing overlaps and
// nothing drifts.
template <int D>
std::unique_ptr<Scheme<D>> make_projected_moreau_jean(const SolverSettings& settings) {
  const double theta = settings.type_settings.number("theta", usual_theta);
  return std::make_unique<Scheme<D>>(SchemeTraits{AlphaCoefficients::theta(theta), false});
}

}  // namespace

SchemeDescription describe_projected_moreau_jean() {
  return {
      {{.name = "projected-moreau-jean",
        .summary = "Time stepping of Moreau and Jean with a θ-method for the forces and with projected positions: all "
                   "that contacts do is an impulse per step. Implicit in the forces, of first order; bodies do not "
                   "overlap.",
        .reference = "Jean, Comput. Methods Appl. Mech. Eng. 177 (1999) 235–257; Acary, Comput. Methods Appl. Mech. "
                     "Eng. 256 (2013) 224–250",
        .parameters = {{.name = "theta",
                        .meaning = "θ of the θ-method: ½ keeps the energy of vibrations, 1 (implicit Euler) damps "
                                   "those faster than the step",
                        .default_text = "0.5",
                        .minimum = 0.5,
                        .maximum = 1}}}},
      make_projected_moreau_jean<2>,
      make_projected_moreau_jean<3>};
}

}  // namespace carom::inline nonsmooth_integrators
