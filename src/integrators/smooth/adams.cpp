#include "integrators/smooth/cvode_stepper.h"

namespace carom::inline smooth_integrators {
namespace {

std::unique_ptr<Integrator> make_adams(System& system, const SolverSettings& settings) {
  return std::make_unique<CvodeStepper>(system, settings, CvodeStepper::Method::adams);
}

}  // namespace

IntegratorDescription describe_adams() {
  return {{.name = "adams",
           .summary = "Adams–Moulton methods of variable order (1–12) and step, solved by fixed-point iteration; few "
                      "evaluations for smooth motion that is not stiff. A given step is an upper bound.",
           .reference = "Hindmarsh et al., SUNDIALS, ACM Trans. Math. Softw. 31 (2005) 363–396 (CVODE)"},
          {ConstraintTreatment::projection, ConstraintTreatment::baumgarte},
          make_adams};
}

}  // namespace carom::inline smooth_integrators
