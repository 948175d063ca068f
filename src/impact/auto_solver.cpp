#include "impact/impulse_solver.h"

namespace carom::inline impact {

ContactSolverDescription describe_auto_solver() {
  return {{.name = "auto",
           .summary = "By size: projected Gauss–Seidel for many contacts that do not bounce, Newton's method for few, "
                      "and for what the former leaves unsettled.",
           .reference = {}},
          {},
          ContactForm::by_size,
          200,
          true,
          [](const Settings&) -> std::unique_ptr<ContactSolver> { return std::make_unique<ImpulseSolver>(); }};
}

}  // namespace carom::inline impact
