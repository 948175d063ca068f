#include "integrators/smooth/cvode_stepper.h"
#include "integrators/smooth/ida_stepper.h"

namespace carom::inline smooth_integrators {
namespace {

std::unique_ptr<Integrator> make_bdf(System& system, const SolverSettings& settings) {
  if (settings.constraints == ConstraintTreatment::index2) return std::make_unique<IdaStepper>(system, settings);
  return std::make_unique<CvodeStepper>(system, settings, CvodeStepper::Method::bdf);
}

}  // namespace

IntegratorDescription describe_bdf() {
  return {
      {.name = "bdf",
       .summary = "Backward differentiation formulas of variable order (1–5) and step, solved by Newton iteration; for "
                  "stiff motion. A given step is an upper bound.",
       .reference = "Hindmarsh et al., SUNDIALS, ACM Trans. Math. Softw. 31 (2005) 363–396 (CVODE; IDA for index2); "
                    "Gear, Gupta, Leimkuhler, J. Comput. Appl. Math. 12–13 (1985) 77–90"},
      {ConstraintTreatment::projection, ConstraintTreatment::baumgarte, ConstraintTreatment::index2},
      make_bdf};
}

}  // namespace carom::inline smooth_integrators
