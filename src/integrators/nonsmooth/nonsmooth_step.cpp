#include "integrators/nonsmooth/nonsmooth_step.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "integrators/smooth/step_control.h"

namespace carom::inline nonsmooth_integrators {

template <int D>
NonsmoothStep<D>::NonsmoothStep(BodySystem<D>& system, const SolverSettings& settings, IntegratorStatistics& counts,
                                NonsmoothStatistics& statistics)
    : scheme_(make_scheme<D>(settings)),
      context_(system, settings, scheme_->traits, counts, statistics),
      motion_(context_, settings),
      mechanism_(context_, motion_.alpha()),
      body_contacts_(context_, mechanism_),
      correction_(context_, mechanism_, body_contacts_),
      jump_(context_, mechanism_, body_contacts_),
      books_(context_, start_, smooth_, corrected_, jumped_) {
  power_.setZero(context_.nw), power_before_.setZero(context_.nw);
  work_.resize(context_.contacts.group_count());
}

template <int D>
bool NonsmoothStep<D>::start(const State& state) {
  BodySystem<D>& system = context_.system;
  AlphaPoint& begin = start_.point;
  const int nq = system.position_size(), nv = context_.nv;
  begin.t = state.t;
  begin.step = 1;
  begin.q = state.q, begin.v = state.v, begin.work = state.work, begin.internal = state.internal;
  system.set_internal(begin.internal.data());
  internal_rate_.setZero(begin.internal.size());
  system.internal_rates(begin.t, begin.q.data(), begin.v.data(), internal_rate_.data());
  begin.rate.setZero(nq + nv + context_.nw);
  double* rate = begin.rate.data();
  if (system.rates(state.t, state.q.data(), state.v.data(), rate, rate + nq, rate + nq + nv) == SolveStatus::failed) {
    constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
    mean_acceleration_.setConstant(nv, unknown);
    mean_lambda_.setConstant(system.constraint_size(), unknown);
    return context_.fail("the equations of motion cannot be solved at the starting point");
  }
  begin.acceleration = begin.a = begin.rate.segment(nq, nv);
  begin.lambda = system.multipliers(state.t, state.q.data(), state.v.data());
  mean_acceleration_ = begin.acceleration, mean_lambda_ = begin.lambda;
  smooth_.end = begin;
  motion_.restart(smooth_);
  correction_.restart(corrected_);
  jump_.restart(jumped_);
  system.place(begin.q.data(), begin.v.data(), start_.bodies);
  system.powers(begin.t, begin.q.data(), begin.v.data(), begin.lambda, power_before_.data());
  context_.contacts.refresh(start_.bodies);
  books_.find_resting(start_);
  context_.contact_tolerance = context_.asked_contact_tolerance;
  calm_steps_ = 0;
  weight_rate_ = 0;
  for (std::size_t b = 0; b < system.inertia().size(); ++b) {
    weight_rate_ +=
        system.inertia()[b].inverse_mass * system.weight().template segment<D>(Space<D>::dofs * b).squaredNorm();
  }
  return true;
}

template <int D>
bool NonsmoothStep<D>::change_internal(const State& state) {
  BodySystem<D>& system = context_.system;
  AlphaPoint& begin = start_.point;
  const bool known = look_at_forces(change_.before);
  begin.internal = state.internal, begin.work = state.work;
  if (!known || !look_at_forces(change_.after))
    return context_.fail("the equations of motion cannot be solved where signals change");
  change_.after.acceleration -= change_.before.acceleration;
  begin.acceleration += change_.after.acceleration;
  begin.a += change_.after.acceleration +
             motion_.alpha().coefficients().shift * begin.step * (change_.after.jerk - change_.before.jerk);
  begin.lambda += change_.after.lambda - change_.before.lambda;
  system.powers(begin.t, begin.q.data(), begin.v.data(), begin.lambda, power_before_.data());
  return true;
}

template <int D>
bool NonsmoothStep<D>::look_at_forces(ForcesNow& now) {
  constexpr double part = 0.01, shortest = 1e-6;  // of a step, and s: over which accelerations change by their jerk
  BodySystem<D>& system = context_.system;
  const AlphaPoint& begin = start_.point;
  const double h = start_.h > 0 ? part * start_.h : shortest;
  const auto accelerations = [&](double t, const State& at, Eigen::VectorXd& result) {
    change_.rate.resize(system.position_size() + context_.nw);
    result.resize(context_.nv);
    system.set_internal(at.internal.data());
    return system.rates(t, at.q.data(), at.v.data(), change_.rate.data(), result.data(),
                        change_.rate.data() + system.position_size()) != SolveStatus::failed;
  };
  change_.probe.q = begin.q, change_.probe.v = begin.v, change_.probe.internal = begin.internal;
  if (!accelerations(begin.t, change_.probe, now.acceleration)) return false;
  now.lambda = system.multipliers(begin.t, begin.q.data(), begin.v.data());
  system.internal_rates(begin.t, begin.q.data(), begin.v.data(), internal_rate_.data());
  change_.increment = h * begin.v + 0.5 * h * h * now.acceleration;
  system.retract(begin.q.data(), change_.increment.data(), change_.probe.q.data());
  change_.probe.v += h * now.acceleration;
  change_.probe.internal += h * internal_rate_;
  if (!accelerations(begin.t + h, change_.probe, now.jerk)) return false;
  now.jerk = (now.jerk - now.acceleration) / h;
  system.set_internal(begin.internal.data());
  return true;
}

template <int D>
bool NonsmoothStep<D>::advance(double t_end, bool last_attempt, bool lets_pass) {
  start_.h = t_end - start_.point.t;
  context_.t_end = t_end;
  context_.last_attempt = last_attempt;
  passes_through_ = false;
  follow_signals();
  constexpr int most_attempts = 4;
  bool done = take_stages(t_end, lets_pass);
  for (int attempt = 1; done && attempt < most_attempts && refines_tolerance(); ++attempt)
    done = take_stages(t_end, lets_pass);
  stop_following(done);
  return done;
}

// States of signals follow the motion of the step, wherever its stages lead, by the trapezoidal rule.
template <int D>
void NonsmoothStep<D>::follow_signals() {
  const AlphaPoint& begin = start_.point;
  if (begin.internal.size() == 0) return;
  context_.system.set_internal(begin.internal.data());
  internal_base_ = begin.internal + 0.5 * start_.h * internal_rate_;
  context_.system.follow_internal(internal_base_.data(), 0.5 * start_.h);
}

template <int D>
void NonsmoothStep<D>::stop_following(bool done) {
  BodySystem<D>& system = context_.system;
  AlphaPoint& end = smooth_.end;
  if (start_.point.internal.size() == 0) return;
  end.internal = start_.point.internal;
  if (done) {
    system.internal_rates(end.t, end.q.data(), end.v.data(), internal_rate_.data());
    system.present_internal(end.internal.data());
  }
  system.follow_internal(nullptr, 0);
  system.set_internal(end.internal.data());
}

template <int D>
bool NonsmoothStep<D>::take_stages(double t_end, bool lets_pass) {
  if (!motion_.run(*scheme_, start_, t_end, smooth_) || !correct() || !stays_on_its_side(lets_pass) ||
      !jump_.run(start_, smooth_, corrected_, jumped_))
    return false;
  scheme_->finish(context_, start_, jumped_, corrected_);
  AlphaPoint& end = smooth_.end;
  end.q.swap(corrected_.q);
  end.v.swap(jumped_.v);
  if (!all_finite(end.q.data(), static_cast<int>(end.q.size())) || !all_finite(end.v.data(), context_.nv))
    return context_.fail("positions or velocities are not numbers any more");
  note_left();
  account_work();
  return true;
}

// Overlaps that the correction has not come to an end with, for the next steps.
template <int D>
void NonsmoothStep<D>::note_left() {
  NonsmoothStatistics& statistics = context_.statistics;
  const double left = std::max(overlap_.left, correction_.unfinished());
  if (!(left > 0)) return;
  ++statistics.left_overlaps;
  if (overlap_.left > statistics.largest_penetration) {
    statistics.largest_penetration = overlap_.left;
    statistics.deepest_contact = context_.contacts.point_name(overlap_.left_point);
  }
}

// A concave body may lie in another one where no contact point shows it: then the correction is repeated with a contact
// there, a few times.
template <int D>
bool NonsmoothStep<D>::correct() {
  constexpr int most_repetitions = 6, most_in_heap = 2, most_for_left = 1;
  for (int repetition = 0;; ++repetition) {
    overlap_ = {};
    if (!scheme_->correct(correction_, start_, smooth_, corrected_)) return false;
    if (context_.scheme.at_midpoint) return true;
    overlap_ = context_.contacts.find_overlapping(
        start_.bodies, corrected_.bodies,
        {.depth = correction_.left_overlap(),
         .most_left = correction_.most_left(),
         .adds_deep = repetition < (D == 3 && context_.in_heap ? most_in_heap : most_repetitions),
         .adds_left = repetition < most_for_left});
    if (overlap_.point >= 0 || !overlap_.added) return true;
  }
}

// A long correction may have led a body through another one, or into a concave one where no contact point shows it: a
// shorter step is tried before it is left so.
template <int D>
bool NonsmoothStep<D>::stays_on_its_side(bool lets_pass) {
  if (context_.scheme.at_midpoint) return true;
  int passed = overlap_.point;
  const bool touched = !corrected_.closed.empty() || !corrected_.pressed.empty();
  if (passed < 0 && (touched || context_.contacts.crossed_count() > 0))
    passed = motion_.find_passed(start_, corrected_);
  if (passed < 0) return true;
  const std::string name = context_.contacts.point_name(passed);
  passes_through_ = true;
  if (!lets_pass) return context_.fail("bodies were pushed through each other in " + name);
  NonsmoothStatistics& statistics = context_.statistics;
  if (statistics.passages++ == 0) statistics.passed_contact = name;
  return true;
}

// Drives and forces by the trapezoidal rule, drives with the mean of their reaction in this step; contacts by what
// their impulses did to the kinetic energy and their corrections against gravity.
template <int D>
void NonsmoothStep<D>::account_work() {
  BodySystem<D>& system = context_.system;
  const AlphaPoint& begin = start_.point;
  AlphaPoint& end = smooth_.end;
  const double h = start_.h;
  mean_acceleration_ = end.acceleration + jumped_.jump / h;
  mean_lambda_ = end.lambda + jumped_.joint_impulses / h;
  lambda_ = 0.5 * (begin.lambda + end.lambda) + jumped_.joint_impulses / h;
  system.drive_powers(start_.bodies, lambda_, power_before_.data());
  system.powers(end.t, end.q.data(), end.v.data(), lambda_, power_.data());
  end.work = begin.work + 0.5 * h * (power_before_ + power_);
  std::fill(work_.begin(), work_.end(), 0.0);
  books_.add_work(work_);
  for (std::size_t k = 0; k < work_.size(); ++k) end.work[system.first_contact_work() + k] += work_[k];
}

// Contacts take energy, what their corrections lift included. Where bodies hang together more than the tolerance of the
// iterations supposes, as in tall stacks, the impulses do not reach all of them, and the corrections lift for ever what
// goes on sinking: then the step is taken again with a finer tolerance, which the next ones keep for a while. False:
// they give nothing that counts, or the tolerance is as fine as it may be.
template <int D>
bool NonsmoothStep<D>::refines_tolerance() {
  constexpr double noticed = 0.05;            // of the energy that the weight gives in a step to what nothing holds
  constexpr double noticed_in_motion = 5e-3;  // besides, of the kinetic energy
  constexpr double finer = 0.25, finest = 0.01;
  constexpr std::size_t many = 30;  // contacts
  if (context_.constrained || corrected_.closed.size() <= many) return false;
  const double given = std::accumulate(work_.begin(), work_.end(), 0.0);
  const double fall = 0.5 * start_.h * start_.h * weight_rate_;
  double& tolerance = context_.contact_tolerance;
  if (!(fall > 0 && given > noticed * fall && tolerance > finest * context_.asked_contact_tolerance)) return false;
  const Eigen::VectorXd& v = smooth_.end.v;
  load_.noalias() = context_.system.mass() * v;
  if (!(given > noticed * fall + noticed_in_motion * 0.5 * load_.dot(v))) return false;
  tolerance = std::max(finer * tolerance, finest * context_.asked_contact_tolerance);
  calm_steps_ = 0;
  return true;
}

template <int D>
void NonsmoothStep<D>::relax_tolerance() {
  constexpr double coarser = 2;
  constexpr int calm = 64;  // steps
  double& tolerance = context_.contact_tolerance;
  if (tolerance == context_.asked_contact_tolerance) return;
  NonsmoothStatistics& statistics = context_.statistics;
  ++statistics.finer_steps;
  statistics.finest_tolerance = std::min(statistics.finest_tolerance, tolerance);
  if (++calm_steps_ < calm) return;
  tolerance = std::min(coarser * tolerance, context_.asked_contact_tolerance);
  calm_steps_ = 0;
}

template <int D>
void NonsmoothStep<D>::commit(std::vector<ImpactEvent>& events) {
  context_.statistics.handed_over = context_.solver.handed_over();
  relax_tolerance();
  AlphaPoint& end = smooth_.end;
  const bool impacts = books_.note(end.t, events);
  if (impacts && context_.forces_vary) motion_.coast_next();
  books_.keep_resting(impacts, start_);
  motion_.accept();
  context_.statistics.smooth.add(smooth_.iterations);
  context_.statistics.position.add(corrected_.iterations);
  context_.statistics.velocity.add(jumped_.iterations);
  context_.system.accept(end.t, end.q.data(), end.v.data());
  std::swap(start_.point, end);
  if (context_.forces_vary) motion_.renew_accelerations(jumped_.jump, start_.resting, start_.point);
  std::swap(start_.bodies, corrected_.bodies);
  std::swap(power_before_, power_);
}

template class NonsmoothStep<2>;
template class NonsmoothStep<3>;

}  // namespace carom::inline nonsmooth_integrators
