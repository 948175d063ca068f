#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "integrators/nonsmooth/nonsmooth_step.h"

// The third of the three problems of a step: at the final position the smooth velocity ṽ jumps by W,
//   M W − h f* + Gᵀ ν = Hᵀ Λ,   G v + g_t = 0,   v = ṽ + W,
//   f* = f(q, v) − f(q̃, ṽ) − (G − G̃)ᵀ λ̃,
// with Newton's law of impact for contacts that are closed, u_N + e min(0, u_N before the step) ≥ 0, and friction,
// rolling and spinning resistance.
//
// Several impacts at once are resolved one after the other: only contacts that approach each other take part in a
// problem, and the velocities that come out are those before the next one, until nothing approaches any more (Cosimo,
// Cavalieri, Galvez, Cardona, Brüls 2020; with friction Sánchez et al. 2024). Where no contact of an island bounces
// there is nothing to pass on, and one problem holds all of them.
//
// A body much lighter than its neighbours is squeezed between them for as long as they push: in truth it does not fly
// to and fro, both its contacts are one spring. Its second contact takes part in the problem of the first, and the two
// return together what they had together: u_N + e (u_N + u_N of the second) ≥ 0.
namespace carom {
namespace {

constexpr int max_passes = 8;                // over smooth forces that depend on the velocity
constexpr double fast_convergence = 0.1;     // of a pass; the next one may be told beforehand
constexpr double settled = 1e-9;             // relative change of the velocities in a pass
constexpr int trusted_steps = 16;            // in which a pass may be left out that was seen to change nothing
constexpr double approach_tolerance = 1e-6;  // of the fastest approach in the island
constexpr double rounding = 1e-13;           // of the fastest body
constexpr int least_problems = 200, problems_per_contact = 20;
constexpr double rolling_speed = 1e-9;  // rad/s
// Of the squared coupling of two contacts of one body, 1/(1 + m/M)² with neighbours of mass M: lighter is squeezed.
constexpr double squeezing = 0.8;

}  // namespace

template <int D>
int NonsmoothStep<D>::most_problems(int contacts) {
  return std::max(least_problems, problems_per_contact * contacts);
}

template <int D>
void NonsmoothStep<D>::load_change(const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
  system_.loads(end_.t, q.data(), v.data(), load_);
  load_ -= smooth_load_;
  if (rows_ > 0) {
    load_ += smooth_reaction_;
    load_.noalias() -= system_.constraint_jacobian(end_.t, q.data()).transpose() * end_.lambda;
  }
}

template <int D>
bool NonsmoothStep<D>::factor_for_velocities() {
  if (moreau_) system_.tangents(end_.t, end_.q.data(), end_.v.data(), end_.lambda, stiffness_, damping_);
  return matrix_.factor({.mass = 1, .damping = moreau_ ? 0 : h_, .stiffness = 0}, system_.mass(),
                        moreau_ ? damping_ : smooth_.damping(), moreau_ ? stiffness_ : smooth_.stiffness(),
                        system_.constraint_jacobian(end_.t, end_.q.data())) ||
         fail("the matrix of the velocity jump is singular");
}

template <int D>
bool NonsmoothStep<D>::jump_velocities() {
  jump_.setZero();
  jump_lambda_.setZero();
  end_.v = smooth_v_;
  if (closed_.empty() && !forces_vary_) {
    notes_.clear();
    return true;
  }
  if (sweeps(closed_)) return sweep_velocities();
  if (tied_ && !factor_for_velocities()) return false;
  contact_system_.build(closed_, bodies_, Level::velocity);
  contact_system_.respond(tied_ ? &matrix_ : nullptr);
  const int count = contact_system_.contact_count(), rows = contact_system_.row_count();
  impulses_.assign(rows, 0.0);
  status_.assign(count, RigidStatus::stick);
  approach_.assign(count, 0.0);
  jump_work_.assign(count, 0.0);
  backing_.assign(count, -1);
  squeeze_.assign(count, 0.0);
  entry_.resize(rows), smooth_local_.resize(rows);
  local_.resize(std::max(rows, ContactRows<D>::most)), earlier_.resize(std::max(rows, ContactRows<D>::most));
  // A contact that lasts and bounces has its speed before the step with the geometry it had there. One that was open
  // may have had its normal anywhere.
  const long last = contacts_.rigid_step();
  before_.clear();
  for (const RigidContact<D>& contact : closed_) {
    const RigidLaw& law = contacts_.rigid_law(contact.law);
    if ((law.restitution > 0 || law.tangential_restitution != 0) && contacts_.rigid_memory(contact.point).step == last)
      before_.push_back(contact);
  }
  contacts_.update_rigid(begin_bodies_, before_);
  std::size_t next = 0;
  for (int c = 0; c < count; ++c) {
    const int first = contact_system_.first_row(c);
    contact_system_.velocity(c, smooth_v_, smooth_local_.data() + first);
    contact_system_.velocity(c, begin_.v, entry_.data() + first);
    if (next == before_.size() || before_[next].point != closed_[c].point) continue;
    const RigidContact<D>& was = before_[next++];
    if (!std::isfinite(was.gap)) continue;
    const VectorOf<D> relative =
        begin_bodies_[was.b].velocity_at(was.lever_b) - begin_bodies_[was.a].velocity_at(was.lever_a);
    entry_[first] = was.normal.dot(relative);
    if (contact_system_.law(c).friction > 0) {
      for (int k = 1; k < D; ++k) entry_[first + k] = contact_system_.rows(c).frame.col(k).dot(relative);
    }
  }
  double last_change = 0, first_jump = 0;
  for (int pass = 0; pass < max_passes; ++pass) {
    pushed_.setZero();
    for (int c = 0; c < count; ++c)
      contact_system_.add_impulse(c, impulses_.data() + contact_system_.first_row(c), pushed_);
    const double change = forces_vary_ ? free_jump() : 0;
    bool moved = false;
    for (int island = 0; island < contact_system_.islands().count(); ++island) {
      if (!resolve_island(island, moved)) return false;
    }
    end_.v = smooth_v_ + jump_;
    if (!forces_vary_) break;
    // Impulses and linear forces are answered in full by the matrix: a second pass changes what is left of the forces.
    const double jump = jump_.lpNorm<Eigen::Infinity>(), negligible = settled * end_.v.lpNorm<Eigen::Infinity>();
    if (pass == 1 && first_jump > 0) second_pass_ = change / first_jump, second_pass_age_ = 0;
    if (pass == 0) {
      first_jump = jump;
      if (++second_pass_age_ < trusted_steps && second_pass_ * jump <= negligible) {
        add_reactions();
        break;
      }
    }
    // Passes become smaller by the same factor each.
    const double left = change < fast_convergence * last_change ? change * change / last_change : change;
    if (!moved && left <= negligible) break;
    last_change = change;
  }
  note_jump();
  if (!moreau_) system_.place(end_.q.data(), end_.v.data(), bodies_);
  return true;
}

template <int D>
void NonsmoothStep<D>::note_jump() {
  const auto spin_of = [&](int body) -> SpinOf<D> {
    if (body == 0) return SpinOf<D>::Zero();
    return bodies_[body].orientation.spin_to_world(
        SpinOf<D>(end_.v.segment<Space<D>::spins>(freedoms * (body - 1) + D)));
  };
  notes_.resize(closed_.size());
  // The work of forces and drives is taken along the mean of the velocities at both ends of the step, that of impulses
  // along the mean of the smooth velocity and the last: what forces and drives did to the former is not of contacts.
  if (driven_) weight_response();
  for (int c = 0; c < contact_system_.contact_count(); ++c) {
    const int first = contact_system_.first_row(c);
    contact_system_.velocity(c, end_.v, local_.data());
    statistics_.complementarity = std::max(statistics_.complementarity, -local_[0]);
    if (status_[c] == RigidStatus::stick) {
      SpinOf<D> relative = spin_of(closed_[c].b) - spin_of(closed_[c].a);
      if constexpr (D == 3) relative -= closed_[c].normal.dot(relative) * closed_[c].normal;
      if (relative.norm() > rolling_speed) status_[c] = RigidStatus::rolling;
    }
    const auto by_load = [&](int contact) {
      const int row = contact_system_.first_row(contact);
      return std::abs(smooth_local_[row] - entry_[row]);
    };
    notes_[c] = {.impulse = contact_system_.world(c, impulses_.data() + first),
                 .normal = impulses_[first],
                 .approach = approach_[c],
                 .by_load = by_load(c) + (backing_[c] >= 0 ? by_load(backing_[c]) : 0),
                 .after = local_[0],
                 .entry = entry_[first],
                 .smooth = smooth_local_[first],
                 .mass = contact_system_.effective_mass(c),
                 .squeeze = squeeze_[c],
                 .backing = backing_[c],
                 .status = status_[c]};
    if (moreau_) {
      // There positions move with the mean of the velocities at both ends.
      contact_system_.velocity(c, begin_.v, earlier_.data());
      jump_work_[c] = 0;
      for (int k = 0; k < contact_system_.rows(c).count; ++k)
        jump_work_[c] += 0.5 * impulses_[first + k] * (earlier_[k] + local_[k]);
      continue;
    }
    if (!driven_) continue;
    contact_system_.velocity(c, response_, earlier_.data());
    for (int k = 0; k < contact_system_.rows(c).count; ++k)
      jump_work_[c] -= 0.5 * impulses_[first + k] * (smooth_local_[first + k] - entry_[first + k] - earlier_[k]);
  }
  note_work();
}

// Of joints to the impulses of contacts: those that a second pass would find.
template <int D>
void NonsmoothStep<D>::add_reactions() {
  if (rows_ == 0) return;
  right_.setZero();
  for (int c = 0; c < contact_system_.contact_count(); ++c)
    contact_system_.add_response(c, impulses_.data() + contact_system_.first_row(c), right_);
  jump_lambda_ += right_.tail(rows_);
}

// What the weight alone does in a step, without contacts → response_.
template <int D>
void NonsmoothStep<D>::weight_response() {
  right_.setZero();
  right_.head(nv_) = h_ * system_.weight();
  if (!right_.isZero(0)) matrix_.solve(right_);
  response_ = right_.head(nv_);
}

template <int D>
void NonsmoothStep<D>::note_work() {
  for (std::size_t c = 0; c < closed_.size(); ++c) work_[contacts_.group_of(closed_[c].point)] += jump_work_[c];
  for (std::size_t c = 0; c < pressed_.size(); ++c) work_[contacts_.group_of(pressed_[c].point)] += lift_work_[c];
}

template <int D>
double NonsmoothStep<D>::free_jump() {
  end_.v = smooth_v_ + jump_;
  if (moreau_) {
    load_.setZero();
  } else {
    load_change(end_.q, end_.v);
  }
  load_ *= h_;
  load_.noalias() -= system_.mass() * jump_;
  load_ += pushed_;
  if (tied_) {
    right_.head(nv_) = load_;
    if (rows_ > 0) {
      right_.head(nv_).noalias() -= system_.constraint_jacobian(end_.t, end_.q.data()).transpose() * jump_lambda_;
      system_.velocity_residual(end_.t, end_.q.data(), end_.v.data(), residual_);
      right_.tail(rows_) = -residual_;
    }
    matrix_.solve(right_);
    jump_lambda_ += right_.tail(rows_);
  } else {
    for (std::size_t b = 0; b < system_.inertia().size(); ++b) {
      const BodyInertia<D>& body = system_.inertia()[b];
      right_.segment<D>(freedoms * b) = body.inverse_mass * load_.segment<D>(freedoms * b);
      right_.segment<Space<D>::spins>(freedoms * b + D) =
          body.inverse_tensor * load_.segment<Space<D>::spins>(freedoms * b + D);
    }
  }
  jump_ += right_.head(nv_);
  return right_.head(nv_).lpNorm<Eigen::Infinity>();
}

template <int D>
bool NonsmoothStep<D>::resolve_island(int island, bool& moved) {
  const int* contacts = contact_system_.islands().contacts(island);
  const int size = contact_system_.islands().size(island);
  const int most = most_problems(size);
  const bool bounces =
      std::any_of(contacts, contacts + size, [&](int c) { return contact_system_.law(c).restitution > 0; });
  const bool all_at_once = !sequential_ || !bounces;
  double tolerance = 0;
  for (int problems = 0;; ++problems) {
    load_ = smooth_v_ + jump_;
    double fastest = 0;
    for (int k = 0; k < size; ++k) {
      const int first = contact_system_.first_row(contacts[k]);
      contact_system_.velocity(contacts[k], load_, local_.data() + first);
      fastest = std::max(fastest, -local_[first]);
    }
    if (problems == 0) {
      negligible_speed_ = rounding * load_.lpNorm<Eigen::Infinity>();
      // Problems are solved up to the negligible, in each of their rows.
      tolerance = std::max(approach_tolerance * fastest, 10 * negligible_speed_);
    }
    if (!(fastest > tolerance)) return true;
    const bool last = problems >= most;
    chosen_.clear();
    for (int k = 0; k < size; ++k) {
      if (all_at_once || last || local_[contact_system_.first_row(contacts[k])] < -tolerance)
        chosen_.push_back(contacts[k]);
    }
    if (sequential_ && bounces) squeeze(contacts, size);
    moved = true;
    if (!solve_problem(last)) return false;
    statistics_.most_problems = std::max(statistics_.most_problems, problems + 1);
    if (last) ++statistics_.cut_sequences;
    if (all_at_once || last) return true;
  }
}

// Finds the second contacts of squeezed bodies, and adds those that do not approach to the chosen ones.
template <int D>
void NonsmoothStep<D>::squeeze(const int* contacts, int size) {
  const std::size_t approaching = chosen_.size();
  for (std::size_t k = 0; k < approaching; ++k) {
    const int c = chosen_[k];
    const double own = local_[contact_system_.first_row(c)];
    double closest = squeezing;
    for (int l = 0; l < size; ++l) {
      const int other = contacts[l];
      if (other == c || own + local_[contact_system_.first_row(other)] >= 0) continue;
      const double coupling = contact_system_.coupling(c, other);
      if (coupling < closest) continue;
      closest = coupling;
      backing_[c] = other;
    }
    if (closest == squeezing) continue;
    const int other = backing_[c];
    const double speed = -own - local_[contact_system_.first_row(other)];
    backing_[other] = c;
    squeeze_[c] = std::max(squeeze_[c], speed), squeeze_[other] = std::max(squeeze_[other], speed);
    if (std::find(chosen_.begin(), chosen_.end(), other) == chosen_.end()) chosen_.push_back(other);
  }
}

// One problem of the chosen contacts, whose local velocities are known; adds impulses and jump.
template <int D>
bool NonsmoothStep<D>::solve_problem(bool plastic) {
  contact_system_.make_problem(chosen_, problem_);
  problem_.negligible = negligible_speed_;
  solution_.assign(problem_.rows, 0.0);
  for (std::size_t k = 0; k < chosen_.size(); ++k) {
    const int c = chosen_[k], row = problem_.contacts[k].row, first = contact_system_.first_row(c);
    const RigidLaw& law = contact_system_.law(c);
    contact_system_.velocity(c, jump_, earlier_.data());
    approach_[c] = std::max(approach_[c], -(entry_[first] + earlier_[0]));
    double* offset = problem_.offset.data() + row;
    std::copy_n(local_.data() + first, contact_system_.rows(c).count, offset);
    if (plastic) continue;
    // What elastic bodies have slowed down during the step does not come back: energy would grow.
    double approach = std::max(entry_[first] + earlier_[0], local_[first]);
    if (backing_[c] >= 0 && local_[first] < 0)
      approach += std::max(0.0, local_[contact_system_.first_row(backing_[c])]);
    offset[0] += law.restitution * std::min(0.0, approach);
    if (law.friction > 0 && law.tangential_restitution != 0) {
      for (int l = 1; l < D; ++l) offset[l] += law.tangential_restitution * (entry_[first + l] + earlier_[l]);
    }
  }
  const SolverOutcome outcome = solver_.solve(problem_, solution_);
  velocity_iterations_ = std::max({velocity_iterations_, 1, outcome.iterations});
  statistics_.line_searches += outcome.cuts, statistics_.sweeps += outcome.sweeps;
  if (!outcome.converged) {
    return fail(fmt::format("the impulses of {}{} were not found", name_of(chosen_[0]),
                            chosen_.size() > 1 ? fmt::format(" and {} others", chosen_.size() - 1) : ""));
  }
  double gain = 0;
  for (std::size_t k = 0; k < chosen_.size(); ++k) {
    const int c = chosen_[k], row = problem_.contacts[k].row, first = contact_system_.first_row(c);
    contact_system_.add_response(c, solution_.data() + row, jump_);
    for (int l = 0; l < contact_system_.rows(c).count; ++l) {
      impulses_[first + l] += solution_[row + l];
      // u afterwards, without the share of restitution in the offset.
      const double after = solver_.velocity()[row + l] - problem_.offset[row + l] + local_[first + l];
      const double work = 0.5 * solution_[row + l] * (after + local_[first + l]);
      gain += work;
      jump_work_[c] += work;
    }
    switch (solver_.statuses()[k]) {
      case ContactStatus::slip:
        status_[c] = RigidStatus::slip;
        break;
      default:
        status_[c] = RigidStatus::stick;
    }
  }
  if (gain > statistics_.energy_gain) {
    statistics_.energy_gain = gain;
    statistics_.gaining_contact = name_of(chosen_[0]);
  }
  return true;
}

template class NonsmoothStep<2>;
template class NonsmoothStep<3>;

}  // namespace carom
