#include "integrators/nonsmooth/correction_equations.h"

namespace carom::inline nonsmooth_integrators {

template <int D>
CorrectionEquations<D>::CorrectionEquations(StepContext<D>& its_context, Mechanism<D>& its_mechanism)
    : context(its_context), mechanism(its_mechanism) {
  for (auto* vector : {&load, &response}) vector->setZero(context.nv);
  for (auto* vector : {&lambda, &residual}) vector->setZero(context.rows);
  right.setZero(context.nv + context.rows);
}

template <int D>
void CorrectionEquations<D>::reset(const SmoothState<D>& smooth, CorrectedState<D>& state) {
  state.correction.setZero();
  lambda.setZero();
  state.q = smooth.end.q;
  corrected = false;
}

template <int D>
void CorrectionEquations<D>::gather_load(double h, const SmoothState<D>& smooth, const CorrectedState<D>& state) {
  if (corrected) {
    mechanism.load_change(smooth, state.q, smooth.end.v, load);
    load *= Mechanism<D>::share_of_force * h * h;
    load.noalias() -= context.system.mass() * state.correction;
  } else {
    load.setZero();
  }
  if (context.rows == 0) return;
  right.tail(context.rows) = -residual;
  if (corrected)
    load.noalias() -= context.system.constraint_jacobian(smooth.end.t, smooth.end.q.data()).transpose() * lambda;
}

template <int D>
void CorrectionEquations<D>::find_joint_residual(const SmoothState<D>& smooth, const CorrectedState<D>& state) {
  if (context.rows > 0) context.system.position_residual(smooth.end.t, state.q.data(), residual);
}

template <int D>
void CorrectionEquations<D>::advance(const SmoothState<D>& smooth, CorrectedState<D>& state) {
  state.correction += right.head(context.nv);
  lambda += right.tail(context.rows);
  place(smooth, state);
}

template <int D>
void CorrectionEquations<D>::place(const SmoothState<D>& smooth, CorrectedState<D>& state) {
  context.system.retract(smooth.end.q.data(), state.correction.data(), state.q.data());
  context.system.normalise(state.q.data());
  context.system.place(state.q.data(), nullptr, state.bodies);
  corrected = true;
}

template struct CorrectionEquations<2>;
template struct CorrectionEquations<3>;

}  // namespace carom::inline nonsmooth_integrators
