#include "impact/island_newton.h"

namespace carom::inline impact {

template <int D>
bool IslandNewton<D>::solve(BodyContactProblem<D>& problem, const int* contacts, int count, double negligible) {
  chosen_.assign(contacts, contacts + count);
  problem.assemble(chosen_, assembled_, guess_);
  assembled_.negligible = negligible;
  solution_.impulses = guess_;
  carom::solve(assembled_, solver_, solution_);
  if (!solution_.outcome.converged) return false;
  for (int k = 0; k < count; ++k)
    apply(problem, problem.contacts[chosen_[k]], solution_.impulses.data() + assembled_.contacts[k].row);
  return true;
}

// Sets the impulses of a contact, and lets what is new of them act on its bodies.
template <int D>
void IslandNewton<D>::apply(BodyContactProblem<D>& problem, BodyContact<D>& contact, const double* impulses) const {
  const VectorOf<D> before = BodyContactProblem<D>::world(contact);
  const int sliding = contact.friction > 0 ? D : 1;
  for (int k = 0; k < sliding; ++k) contact.impulse[k] = impulses[k];
  problem.apply(contact, BodyContactProblem<D>::world(contact) - before);
  if (contact.turning < 0) return;
  AngularOf<D>& turning = problem.turnings[contact.turning].impulse;
  const AngularOf<D> moment = problem.turning_moment(contact, impulses + sliding);
  problem.twist(contact, moment - turning);
  turning = moment;
}

template class IslandNewton<2>;
template class IslandNewton<3>;

}  // namespace carom::inline impact
