#include "integrators/nonsmooth/velocity_jump.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace carom::inline nonsmooth_integrators {
namespace {

constexpr int max_passes = 8;             // over smooth forces that depend on the velocity
constexpr double fast_convergence = 0.1;  // of a pass; the next one may be reported beforehand
constexpr double settled = 1e-9;          // relative change of the velocities in a pass
constexpr double settled_roughly = 1e-3;  // the same, after the last pass
constexpr int trusted_steps = 16;         // in which a pass may be left out that was seen to change nothing
constexpr double rolling_speed = 1e-9;    // rad/s
constexpr double noticed_gain = 1e-2;     // of the kinetic energy: more than the order of the method explains
constexpr double still = 1e-6;            // of the slowest approach that a sequence is followed to

}  // namespace

template <int D>
VelocityJump<D>::VelocityJump(StepContext<D>& context, Mechanism<D>& mechanism, BodyContacts<D>& bodies)
    : context_(context),
      mechanism_(mechanism),
      bodies_(bodies),
      assembled_(context, mechanism),
      by_bodies_(context, bodies),
      rules_(context) {
  for (auto* vector : {&now_, &contact_impulse_, &load_, &weight_response_}) vector->setZero(context.nv);
  residual_.setZero(context.rows);
  right_.setZero(context.nv + context.rows);
  after_.resize(ContactRows<D>::most), other_.resize(ContactRows<D>::most);
}

template <int D>
void VelocityJump<D>::restart(JumpedState<D>& state) {
  state.jump.setZero(context_.nv), state.v.setZero(context_.nv);
  state.joint_impulses.setZero(context_.rows);
  second_pass_ = {};
}

template <int D>
bool VelocityJump<D>::run(const StepStart<D>& start, const SmoothState<D>& smooth, CorrectedState<D>& corrected,
                          JumpedState<D>& state) {
  state.iterations = 0;
  if (corrected.closed.empty() && !context_.forces_vary) {
    state.jump.setZero();
    state.joint_impulses.setZero();
    state.v = corrected.v;
    state.notes.clear();
    return true;
  }
  if (smooth.persistent.empty() && bodies_.takes(corrected.closed, smooth.bodies)) {
    dynamics_ = &by_bodies_;
  } else {
    dynamics_ = &assembled_;
  }
  if (context_.constrained && !mechanism_.factor_for_velocities(start, smooth, corrected.q)) return false;
  dynamics_->build(start, corrected);
  const Stage stage{start, smooth, corrected, state};
  if (nothing_approaches(stage)) {
    leave(stage);
    BodySystem<D>::place_velocities(state.v.data(), corrected.bodies);
    note_left(stage);
    return true;
  }
  dynamics_->complete(corrected);
  rules_.start(*dynamics_, corrected);
  if (!find_impulses(stage)) return false;
  if (!context_.scheme.at_midpoint) BodySystem<D>::place_velocities(state.v.data(), corrected.bodies);
  note(stage);
  return true;
}

// The first look at all groups, which would find nothing to solve and leave velocities as they are.
template <int D>
bool VelocityJump<D>::nothing_approaches(const Stage& stage) {
  looked_ = !(dynamics_->is_iterative() || context_.forces_vary || context_.scheme.at_midpoint || context_.driven ||
              !stage.smooth.persistent.empty());
  if (!looked_) return false;
  normals_.resize(stage.corrected.closed.size());
  dynamics_->normal_velocities(stage.corrected.v, normals_);
  double fastest = 0;
  for (const double speed : normals_) fastest = std::max(fastest, -speed);
  return !(fastest > set_tolerance(stage, fastest));
}

template <int D>
void VelocityJump<D>::leave(const Stage& stage) {
  stage.state.jump.setZero();
  stage.state.joint_impulses.setZero();
  dynamics_->finish(stage.corrected.v, stage.state.jump, stage.state.v);
}

template <int D>
void VelocityJump<D>::note_left(const Stage& stage) {
  const std::vector<NonsmoothContact<D>>& closed = stage.corrected.closed;
  stage.state.notes.resize(closed.size());
  for (std::size_t c = 0; c < closed.size(); ++c) {
    context_.statistics.complementarity = std::max(context_.statistics.complementarity, -normals_[c]);
    stage.state.notes[c] = {.after = normals_[c],
                            .status = rolls(stage, closed[c]) ? NonsmoothStatus::rolling : NonsmoothStatus::stick};
  }
}

// Bodies that turn far in a step change their gyroscopic torques faster than passes over them follow, and these passes
// gain energy: shorter steps are asked for, and where there are none the change of the torques is left to the next
// step.
template <int D>
bool VelocityJump<D>::find_impulses(const Stage& stage) {
  const bool iterative = dynamics_->is_iterative();
  clear(stage);
  const bool follows = iterative ? context_.constrained : context_.forces_vary;
  Passes passes = follow_forces(stage, follows);
  if (passes == Passes::settled && follows && !context_.constrained && gains(stage)) passes = Passes::unsettled;
  if (passes != Passes::unsettled) return passes == Passes::settled;
  if (iterative || !context_.last_attempt)
    return context_.fail("the forces that change with the impulses of contacts were not found");
  clear(stage);
  ++context_.statistics.left_torques;
  if (follow_forces(stage, false) == Passes::failed) return false;
  dynamics_->add_reactions(impulses_, stage.state.joint_impulses);
  return true;
}

template <int D>
void VelocityJump<D>::clear(const Stage& stage) {
  const int rows = dynamics_->row_count();
  const std::size_t count = stage.corrected.closed.size();
  stage.state.jump.setZero();
  stage.state.joint_impulses.setZero();
  stage.state.v = stage.corrected.v;
  impulses_.assign(rows, 0.0);
  work_.assign(count, 0.0);
  status_.assign(count, NonsmoothStatus::stick);
  problem_.local.resize(rows), problem_.target.resize(rows);
  problem_.chosen.clear();
}

// Of bodies without joints and forces: impulses of contacts only take energy, gyroscopic torques give none.
template <int D>
bool VelocityJump<D>::gains(const Stage& stage) {
  const auto kinetic = [&](const Eigen::VectorXd& v) {
    load_.noalias() = context_.system.mass() * v;
    return 0.5 * load_.dot(v);
  };
  return !(kinetic(stage.state.v) <= (1 + noticed_gain) * kinetic(stage.corrected.v));
}

// Impulses of contacts, then what joints and forces make of them, then what is left to the contacts, …
template <int D>
typename VelocityJump<D>::Passes VelocityJump<D>::follow_forces(const Stage& stage, bool follows) {
  const Eigen::VectorXd& from = stage.corrected.v;
  JumpedState<D>& state = stage.state;
  const bool iterative = dynamics_->is_iterative();
  const int most = iterative ? BodyContacts<D>::most_rounds + 2 : max_passes;
  double last_change = 0, first_jump = 0;
  for (int pass = 0; pass < most; ++pass) {
    const double change = follows ? free_jump(stage) : 0;
    if (iterative && pass > 0 && change <= 0.5 * state.negligible_speed) return Passes::settled;
    bool moved = false;
    for (int group = 0; group < dynamics_->group_count(); ++group) {
      if (!resolve(stage, group, pass == 0 && !follows, pass, moved)) return Passes::failed;
    }
    dynamics_->finish(from, state.jump, state.v);
    if (!follows) return Passes::settled;
    if (iterative) continue;
    // Impulses and linear forces are met in full by the matrix: a second pass changes what is left of the forces.
    const double jump = state.jump.template lpNorm<Eigen::Infinity>();
    const double negligible = settled * state.v.template lpNorm<Eigen::Infinity>();
    if (pass == 1 && first_jump > 0) second_pass_ = {.share = change / first_jump, .age = 0};
    if (pass == 0) {
      first_jump = jump;
      if (++second_pass_.age < trusted_steps && second_pass_.share * jump <= negligible) {
        dynamics_->add_reactions(impulses_, state.joint_impulses);
        return Passes::settled;
      }
    }
    // Passes become smaller by the same factor each.
    const double left = change < fast_convergence * last_change ? change * change / last_change : change;
    if (!moved && left <= negligible) return Passes::settled;
    last_change = change;
  }
  const bool nearly = !iterative && last_change <= settled_roughly * state.v.template lpNorm<Eigen::Infinity>();
  return nearly ? Passes::settled : Passes::unsettled;
}

template <int D>
double VelocityJump<D>::free_jump(const Stage& stage) {
  BodySystem<D>& system = context_.system;
  JumpedState<D>& state = stage.state;
  contact_impulse_.setZero();
  for (std::size_t c = 0; c < work_.size(); ++c)
    dynamics_->add_impulse(static_cast<int>(c), impulses_.data() + dynamics_->first_row(static_cast<int>(c)),
                           contact_impulse_);
  const Eigen::VectorXd& q = stage.corrected.q;
  const double t = stage.smooth.end.t;
  const int nv = context_.nv, rows = context_.rows;
  state.v = stage.corrected.v + state.jump;
  if (context_.scheme.at_midpoint) {
    load_.setZero();
  } else {
    mechanism_.load_change(stage.smooth, q, state.v, load_);
  }
  load_ *= stage.start.h;
  load_.noalias() -= system.mass() * state.jump;
  load_ += contact_impulse_;
  if (context_.constrained) {
    right_.head(nv) = load_;
    if (rows > 0) {
      right_.head(nv).noalias() -= system.constraint_jacobian(t, q.data()).transpose() * state.joint_impulses;
      system.velocity_residual(t, q.data(), state.v.data(), residual_);
      right_.tail(rows) = -residual_;
    }
    mechanism_.solve(right_);
    state.joint_impulses += right_.tail(rows);
  } else {
    for (std::size_t b = 0; b < system.inertia().size(); ++b) {
      const BodyInertia<D>& body = system.inertia()[b];
      right_.segment<D>(dofs * b) = body.inverse_mass * load_.segment<D>(dofs * b);
      right_.segment<Space<D>::rotational_dofs>(dofs * b + D) =
          body.inverse_tensor * load_.segment<Space<D>::rotational_dofs>(dofs * b + D);
    }
  }
  state.jump += right_.head(nv);
  if (!dynamics_->is_iterative()) return right_.head(nv).template lpNorm<Eigen::Infinity>();
  state.v = stage.corrected.v + state.jump;
  return dynamics_->note_follow(state.v);
}

// One problem, or a sequence of them, until nothing of the group approaches any more. Untouched: there is no jump yet,
// and velocities are those after the smooth motion.
template <int D>
bool VelocityJump<D>::resolve(const Stage& stage, int group, bool untouched, int pass, bool& moved) {
  const std::span<const int> contacts = dynamics_->group(group);
  const int most = ImpactRules<D>::most_problems(contacts.size());
  problem_.all_at_once = rules_.all_at_once(contacts);
  problem_.goes_on =
      dynamics_->is_iterative() && problem_.all_at_once && pass > 0 && !problem_.chosen.empty() && !problem_.followed;
  if (problem_.goes_on) return solve(stage, group);
  double tolerance = 0;
  for (int problems = 0;; ++problems, untouched = false) {
    now_ = stage.corrected.v + stage.state.jump;
    const double fastest = fastest_approach(stage, contacts, untouched);
    if (problems == 0) tolerance = set_tolerance(stage, fastest);
    // What approaches more slowly than a sequence is followed rests, or nearly so: one problem holds it.
    const bool settles = !(fastest > tolerance), last = settles || problems >= most;
    if (settles && !(dynamics_->is_iterative() && fastest > still * tolerance)) return true;
    dynamics_->respond();
    take_velocities(stage, contacts, untouched);
    rules_.choose(*dynamics_, group, tolerance, problem_.all_at_once || last, problem_);
    rules_.set_targets(*dynamics_, untouched ? nullptr : &stage.state.jump, last, problem_);
    moved = true;
    if (!solve(stage, group)) return false;
    NonsmoothStatistics& statistics = context_.statistics;
    statistics.most_problems = std::max(statistics.most_problems, problems + 1);
    if (last && !settles) ++statistics.cut_sequences;
    if (problem_.all_at_once || last) return true;
  }
}

template <int D>
double VelocityJump<D>::fastest_approach(const Stage& stage, std::span<const int> contacts, bool untouched) {
  double fastest = 0;
  if (dynamics_->is_iterative() && untouched) {  // hardly ever without a problem
    rules_.measure(*dynamics_, stage.start, stage.smooth, stage.corrected);
    for (const int c : contacts) fastest = std::max(fastest, -rules_.smooth()[dynamics_->first_row(c)]);
  } else if (untouched && looked_) {
    for (const int c : contacts) fastest = std::max(fastest, -normals_[c]);
  } else {
    for (const int c : contacts) fastest = std::max(fastest, -dynamics_->normal_velocity(c, now_));
  }
  return fastest;
}

template <int D>
double VelocityJump<D>::set_tolerance(const Stage& stage, double fastest) {
  problem_.negligible = stage.state.negligible_speed = dynamics_->negligible_speed() + stage.smooth.negligible_speed;
  return ImpactRules<D>::approach_tolerance(fastest,
                                            dynamics_->least_approach(problem_.negligible, problem_.all_at_once));
}

// In the axes of the contacts, before the next problem.
template <int D>
void VelocityJump<D>::take_velocities(const Stage& stage, std::span<const int> contacts, bool untouched) {
  rules_.measure(*dynamics_, stage.start, stage.smooth, stage.corrected);
  for (const int c : contacts) {
    const int first = dynamics_->first_row(c);
    if (untouched) {
      std::copy_n(rules_.smooth().data() + first, dynamics_->row_count(c), problem_.local.data() + first);
    } else {
      dynamics_->velocity(c, now_, problem_.local.data() + first);
    }
  }
}

// One problem of the chosen contacts, whose local velocities are known; adds impulses and jump.
template <int D>
bool VelocityJump<D>::solve(const Stage& stage, int group) {
  if (problem_.goes_on) now_ = stage.state.v;
  guard_.solve(*dynamics_, group, problem_, now_, context_.last_attempt, stage.state.jump, solution_);
  const SolverOutcome& outcome = solution_.outcome;
  NonsmoothStatistics& statistics = context_.statistics;
  const std::vector<int>& chosen = problem_.chosen;
  stage.state.iterations = std::max({stage.state.iterations, 1, outcome.iterations});
  statistics.line_searches += outcome.cuts, statistics.gauss_seidel_iterations += outcome.gauss_seidel_iterations;
  const auto name_of = [&](int c) { return context_.contacts.point_name(stage.corrected.closed[c].point); };
  if (!outcome.converged) {
    return context_.fail(fmt::format("the impulses of {}{} were not found", name_of(chosen[0]),
                                     chosen.size() > 1 ? fmt::format(" and {} others", chosen.size() - 1) : ""));
  }
  if (const double gain = dynamics_->take_back_gain(problem_, now_, stage.state.jump, solution_); gain > 0) {
    ++statistics.scaled_solutions;
    statistics.scaled_gain = std::max(statistics.scaled_gain, gain);
  }
  if (dynamics_->is_iterative())
    statistics.complementarity = std::max(statistics.complementarity, solution_.residual.velocity);
  if (guard_.reduced_contact() >= 0) note_guard(stage);
  double gain = 0;
  int row = 0;
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    const int c = chosen[k], first = dynamics_->first_row(c), rows = dynamics_->row_count(c);
    if (problem_.goes_on) {
      work_[c] = 0;
      std::fill_n(impulses_.data() + first, rows, 0.0);
    }
    for (int l = 0; l < rows; ++l, ++row) {
      impulses_[first + l] += solution_.impulses[row];
      const double work = 0.5 * solution_.impulses[row] * (solution_.velocities[row] + problem_.local[first + l]);
      gain += work;
      work_[c] += work;
    }
    status_[c] = solution_.statuses[k] == ContactStatus::slip ? NonsmoothStatus::slip : NonsmoothStatus::stick;
  }
  if (gain > statistics.energy_gain) {
    statistics.energy_gain = gain;
    statistics.gaining_contact = name_of(chosen[0]);
  }
  return true;
}

// That restitution was reduced.
template <int D>
void VelocityJump<D>::note_guard(const Stage& stage) {
  NonsmoothStatistics& statistics = context_.statistics;
  const NonsmoothContact<D>& contact = stage.corrected.closed[guard_.reduced_contact()];
  if (statistics.reduced_impacts++ == 0) {
    statistics.reduced_contact = context_.contacts.point_name(contact.point);
    statistics.reduced_time = stage.smooth.end.t;
    statistics.reduced_newton = context_.contacts.nonsmooth_law(contact.law).restitution_law == RestitutionLaw::newton;
  }
  statistics.avoided_gain = std::max(statistics.avoided_gain, guard_.avoided());
}

// The bodies spin against each other across the normal.
template <int D>
bool VelocityJump<D>::rolls(const Stage& stage, const NonsmoothContact<D>& closed) const {
  const auto angular_velocity_of = [&](int body) -> AngularOf<D> {
    if (body == 0) return AngularOf<D>::Zero();
    const BodyState<D>& placed = stage.corrected.bodies[body];
    if (!context_.scheme.at_midpoint) return placed.angular_velocity;
    return placed.orientation.angular_to_world(
        AngularOf<D>(stage.state.v.template segment<Space<D>::rotational_dofs>(dofs * (body - 1) + D)));
  };
  AngularOf<D> relative = angular_velocity_of(closed.b) - angular_velocity_of(closed.a);
  if constexpr (D == 3) relative -= closed.normal.dot(relative) * closed.normal;
  return relative.norm() > rolling_speed;
}

template <int D>
void VelocityJump<D>::note(const Stage& stage) {
  const CorrectedState<D>& corrected = stage.corrected;
  const Eigen::VectorXd& v = stage.state.v;
  rules_.finish();
  stage.state.notes.resize(corrected.closed.size());
  if (context_.driven) weight_response(stage.start.h);
  normals_.resize(corrected.closed.size());
  dynamics_->normal_velocities(v, normals_);
  for (int c = 0; c < static_cast<int>(corrected.closed.size()); ++c) {
    const NonsmoothContact<D>& closed = corrected.closed[c];
    const int first = dynamics_->first_row(c);
    const double after = normals_[c];
    context_.statistics.complementarity = std::max(context_.statistics.complementarity, -after);
    if (status_[c] == NonsmoothStatus::stick && rolls(stage, closed)) status_[c] = NonsmoothStatus::rolling;
    ContactNote<D>& note = stage.state.notes[c];
    note = {
        .impulse = dynamics_->world(c, impulses_.data() + first),
        .normal = impulses_[first],
        .approach = rules_.approach(c),
        .by_load = rules_.by_load(*dynamics_, c) + (is_held(stage.smooth, closed.point) ? stage.smooth.rest_speed : 0),
        .after = after,
        .entry = rules_.entry()[first],
        .smooth = rules_.smooth()[first],
        .mass = impulses_[first] > 0 ? dynamics_->effective_mass(c) : 0,
        .squeeze = rules_.squeeze(c),
        .backing = rules_.backing(c),
        .work = work_[c],
        .status = status_[c]};
    if (context_.scheme.at_midpoint || context_.driven) note_work(stage, c, note);
  }
}

// The work of forces and drives is taken along the mean of the velocities at both ends of the step, that of impulses
// along the mean of the smooth velocity and the last: what forces and drives did to the former is not of contacts.
template <int D>
void VelocityJump<D>::note_work(const Stage& stage, int c, ContactNote<D>& note) {
  const int first = dynamics_->first_row(c), rows = dynamics_->row_count(c);
  if (context_.scheme.at_midpoint) {
    // There positions move with the mean of the velocities at both ends.
    dynamics_->velocity(c, stage.start.point.v, other_.data());
    dynamics_->velocity(c, stage.state.v, after_.data());
    note.work = 0;
    for (int k = 0; k < rows; ++k) note.work += 0.5 * impulses_[first + k] * (other_[k] + after_[k]);
    return;
  }
  dynamics_->velocity(c, weight_response_, other_.data());
  const std::vector<double>&smooth = rules_.smooth(), &entry = rules_.entry();
  for (int k = 0; k < rows; ++k)
    note.work -= 0.5 * impulses_[first + k] * (smooth[first + k] - entry[first + k] - other_[k]);
}

// What the weight alone does in a step, without contacts.
template <int D>
void VelocityJump<D>::weight_response(double h) {
  right_.setZero();
  right_.head(context_.nv) = h * context_.system.weight();
  if (!right_.isZero(0)) mechanism_.solve(right_);
  weight_response_ = right_.head(context_.nv);
}

template class VelocityJump<2>;
template class VelocityJump<3>;

}  // namespace carom::inline nonsmooth_integrators
