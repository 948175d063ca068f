#include "integrators/nonsmooth/mechanism.h"

namespace carom::inline nonsmooth_integrators {

template <int D>
bool Mechanism<D>::factor_for_positions(const StepStart<D>& start, const SmoothState<D>& smooth) {
  BodySystem<D>& system = context_.system;
  return matrix_.factor({.mass = 1, .damping = 0, .stiffness = share_of_force * start.h * start.h}, system.mass(),
                        alpha_.damping(), alpha_.stiffness(),
                        system.constraint_jacobian(smooth.end.t, smooth.end.q.data())) ||
         context_.fail("the matrix of the position correction is singular");
}

template <int D>
bool Mechanism<D>::factor_for_velocities(const StepStart<D>& start, const SmoothState<D>& smooth,
                                         const Eigen::VectorXd& q) {
  BodySystem<D>& system = context_.system;
  const AlphaPoint& end = smooth.end;
  const bool at_midpoint = context_.scheme.at_midpoint;
  if (at_midpoint) system.tangents(end.t, q.data(), end.v.data(), end.lambda, stiffness_, damping_);
  return matrix_.factor({.mass = 1, .damping = at_midpoint ? 0 : start.h, .stiffness = 0}, system.mass(),
                        at_midpoint ? damping_ : alpha_.damping(), at_midpoint ? stiffness_ : alpha_.stiffness(),
                        system.constraint_jacobian(end.t, q.data())) ||
         context_.fail("the matrix of the velocity jump is singular");
}

template <int D>
void Mechanism<D>::load_change(const SmoothState<D>& smooth, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                               Eigen::VectorXd& load) const {
  context_.system.loads(smooth.end.t, q.data(), v.data(), load);
  load -= smooth.load;
  if (context_.rows > 0) {
    load += smooth.reaction;
    load.noalias() -= context_.system.constraint_jacobian(smooth.end.t, q.data()).transpose() * smooth.end.lambda;
  }
}

template class Mechanism<2>;
template class Mechanism<3>;

}  // namespace carom::inline nonsmooth_integrators
