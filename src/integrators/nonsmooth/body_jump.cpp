#include "integrators/nonsmooth/body_jump.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "impact/coulomb_residual.h"

namespace carom::inline nonsmooth_integrators {
namespace {

constexpr double smallest_tolerance = 1e-13;  // of the fastest body
constexpr double finer = 0.25;                // tolerance of a solution that gives no energy
constexpr int most_refinements = 5;

}  // namespace

template <int D>
void BodyJump<D>::build(const StepStart<D>& start, const CorrectedState<D>& corrected) {
  corrected_ = &corrected;
  contacts_.place(corrected.bodies);
  bool bounces = false;
  first_row_.assign(1, 0);
  for (const NonsmoothContact<D>& contact : corrected.closed) {
    const BodyContact<D>& each = contacts_.add(contact, BodyContacts<D>::Level::velocity);
    first_row_.push_back(first_row_.back() + contacts_.problem.row_count(each));
    const NonsmoothLaw& law = context_.contacts.nonsmooth_law(contact.law);
    bounces = bounces || law.restitution > 0 || law.tangential_restitution != 0;
  }
  all_.resize(corrected.closed.size());
  std::iota(all_.begin(), all_.end(), 0);
  if (bounces) find_neighbours();
  solved_ = false;
  if (context_.constrained) contacts_.set_velocities(corrected.bodies, corrected.v);
  const double fall = (corrected.v - start.point.v).template lpNorm<Eigen::Infinity>();
  const double least = smallest_tolerance * corrected.v.template lpNorm<Eigen::Infinity>();
  tolerance_ = std::max(context_.contact_tolerance * fall, least);
  negligible_speed_ = 2 * std::max(context_.asked_contact_tolerance * fall, least);
}

template <int D>
void BodyJump<D>::find_neighbours() {
  const BodyContactProblem<D>& problem = contacts_.problem;
  const auto each_body = [&](int c, const auto& use) {
    const BodyContact<D>& contact = problem.contacts[c];
    if (problem.bodies[contact.a].moves()) use(contact.a);
    if (problem.bodies[contact.b].moves() && contact.b != contact.a) use(contact.b);
  };
  first_of_body_.assign(problem.bodies.size() + 1, 0);
  for (const int c : all_) each_body(c, [&](int body) { ++first_of_body_[body + 1]; });
  std::partial_sum(first_of_body_.begin(), first_of_body_.end(), first_of_body_.begin());
  of_body_.resize(first_of_body_.back());
  for (std::size_t c = all_.size(); c-- > 0;)
    each_body(static_cast<int>(c), [&](int body) { of_body_[--first_of_body_[body + 1]] = static_cast<int>(c); });
  first_of_body_.erase(first_of_body_.begin());
  first_of_body_.push_back(static_cast<int>(of_body_.size()));
  neighbours_.clear();
  first_neighbour_.assign(1, 0);
  for (const int c : all_) {
    const auto begin = static_cast<std::ptrdiff_t>(neighbours_.size());
    each_body(c, [&](int body) {
      neighbours_.insert(neighbours_.end(), of_body_.begin() + first_of_body_[body],
                         of_body_.begin() + first_of_body_[body + 1]);
    });
    std::sort(neighbours_.begin() + begin, neighbours_.end());
    neighbours_.erase(std::unique(neighbours_.begin() + begin, neighbours_.end()), neighbours_.end());
    first_neighbour_.push_back(static_cast<int>(neighbours_.size()));
  }
}

template <int D>
std::span<const int> BodyJump<D>::neighbours(int, int contact) const {
  return std::span<const int>(neighbours_)
      .subspan(first_neighbour_[contact], first_neighbour_[contact + 1] - first_neighbour_[contact]);
}

template <int D>
VectorOf<D> BodyJump<D>::tangent(int contact, int k) const {
  const BodyContact<D>& each = contacts_.problem.contacts[contact];
  return k == 1 ? each.tangent : BodyContactProblem<D>::second_tangent(each);
}

template <int D>
typename BodyJump<D>::Motion BodyJump<D>::motion_of(int body, const Eigen::VectorXd& v) const {
  if (body == 0) return {VectorOf<D>::Zero(), AngularOf<D>::Zero()};
  return {v.segment<D>(dofs * (body - 1)), corrected_->bodies[body].orientation.angular_to_world(AngularOf<D>(
                                               v.segment<Space<D>::rotational_dofs>(dofs * (body - 1) + D)))};
}

template <int D>
void BodyJump<D>::velocity(int contact, const Eigen::VectorXd& v, double* u) const {
  const BodyContact<D>& each = contacts_.problem.contacts[contact];
  const Motion a = motion_of(each.a, v), b = motion_of(each.b, v);
  contacts_.problem.local_velocity(each, relative(each, a, b), b.angular_velocity - a.angular_velocity, u);
}

template <int D>
double BodyJump<D>::normal_velocity(int contact, const Eigen::VectorXd& v) const {
  const BodyContact<D>& each = contacts_.problem.contacts[contact];
  return each.normal.dot(relative(each, motion_of(each.a, v), motion_of(each.b, v)));
}

// Bodies have several contacts: each is turned once.
template <int D>
void BodyJump<D>::move(const Eigen::VectorXd& v) {
  motions_.resize(corrected_->bodies.size());
  for (std::size_t b = 0; b < motions_.size(); ++b) motions_[b] = motion_of(static_cast<int>(b), v);
}

template <int D>
void BodyJump<D>::velocities(const Eigen::VectorXd& v, std::vector<double>& u) {
  move(v);
  double* row = u.data();
  for (std::size_t c = 0; c < all_.size(); ++c) {
    const BodyContact<D>& each = contacts_.problem.contacts[c];
    const Motion &a = motions_[each.a], &b = motions_[each.b];
    contacts_.problem.local_velocity(each, relative(each, a, b), b.angular_velocity - a.angular_velocity, row);
    row += first_row_[c + 1] - first_row_[c];
  }
}

template <int D>
void BodyJump<D>::normal_velocities(const Eigen::VectorXd& v, std::vector<double>& u) {
  move(v);
  for (std::size_t c = 0; c < all_.size(); ++c) {
    const BodyContact<D>& each = contacts_.problem.contacts[c];
    u[c] = each.normal.dot(relative(each, motions_[each.a], motions_[each.b]));
  }
}

template <int D>
double BodyJump<D>::effective_mass(int contact) const {
  const double weight = contacts_.problem.contacts[contact].normal_weight;
  return weight > 0 ? weight : std::numeric_limits<double>::infinity();
}

template <int D>
double BodyJump<D>::coupling(int contact, int other) const {
  return contacts_.problem.coupling(contacts_.problem.contacts[contact], contacts_.problem.contacts[other]);
}

template <int D>
Eigen::Matrix<double, D, D> BodyJump<D>::delassus(int contact) const {
  return contacts_.problem.sliding_delassus(contacts_.problem.contacts[contact]);
}

template <int D>
VectorOf<D> BodyJump<D>::world(int contact, const double* impulses) const {
  const BodyContact<D>& each = contacts_.problem.contacts[contact];
  VectorOf<D> sum = impulses[0] * each.normal;
  if (!(each.friction > 0)) return sum;
  sum += impulses[1] * each.tangent;
  if constexpr (D == 3) sum += impulses[2] * BodyContactProblem<D>::second_tangent(each);
  return sum;
}

template <int D>
void BodyJump<D>::add_impulse(int contact, const double* impulses, Eigen::VectorXd& p) const {
  const BodyContact<D>& each = contacts_.problem.contacts[contact];
  const VectorOf<D> impulse = world(contact, impulses);
  const AngularOf<D> turning = contacts_.problem.turning_moment(each, impulses + (each.friction > 0 ? D : 1));
  const auto add = [&](int body, const VectorOf<D>& lever, double sign) {
    if (body == 0) return;
    const AngularOf<D> torque = cross(lever, impulse) + turning;
    p.segment<D>(dofs * (body - 1)) += sign * impulse;
    p.segment<Space<D>::rotational_dofs>(dofs * (body - 1) + D) +=
        sign * corrected_->bodies[body].orientation.angular_to_body(torque);
  };
  add(each.a, each.lever_a, -1);
  add(each.b, each.lever_b, 1);
}

// Offsets and first guesses: what all contacts bore in the step before; in a sequence, nothing.
template <int D>
void BodyJump<D>::start_impulses(const JumpProblem& task) {
  BodyContactProblem<D>& problem = contacts_.problem;
  const long last = context_.contacts.nonsmooth_step();
  for (BodyContact<D>& contact : problem.contacts) contact.takes_part = false;
  for (const int c : task.chosen) {
    BodyContact<D>& contact = problem.contacts[c];
    contact.takes_part = true;
    const int sliding = contact.friction > 0 ? D : 1;
    for (int k = 0; k < sliding; ++k) contact.offset[k] = task.target[first_row_[c] + k];
    if (task.goes_on) continue;
    contact.impulse.setZero();
    if (contact.turning >= 0) problem.turnings[contact.turning].impulse.setZero();
    const NonsmoothMemory<D>& memory = context_.contacts.nonsmooth_memory(corrected_->closed[c].point);
    if (task.all_at_once && memory.step == last) BodyContacts<D>::guess(contact, memory.impulse);
  }
}

template <int D>
void BodyJump<D>::solve(const JumpProblem& task, const Eigen::VectorXd& v, Eigen::VectorXd& jump,
                        ContactSolution& solution) {
  contacts_.set_velocities(corrected_->bodies, v);
  start_impulses(task);
  solution.outcome = {};
  solution.residual = {};
  if (task.followed) {
    BodyContact<D>& contact = contacts_.problem.contacts[task.chosen[0]];
    std::copy_n(task.impulses.data(), D, contact.impulse.data());
    contacts_.problem.apply(contact, BodyContactProblem<D>::world(contact));
  } else {
    using FirstGuess = typename BodyContacts<D>::FirstGuess;
    contacts_.solve(tolerance_, task.goes_on ? FirstGuess::has_acted : FirstGuess::acts);
  }
  double error = take_solution(task, solution);
  // Within the tolerance of the iterations impulses may give energy.
  if (!task.followed && !task.goes_on && any_gains() && !asks_restitution(*this, task)) {
    double tolerance = tolerance_;
    for (int k = 0; k < most_refinements && any_gains(); ++k) {
      tolerance *= finer;
      contacts_.solve(tolerance);
      error = take_solution(task, solution);
    }
  }
  if (!task.followed) solution.residual.velocity = error;
  if (context_.observer) show_problem(task);
  if (context_.constrained && task.all_at_once) return;  // joints and forces follow the impulses
  solved_ = true;
  taken_.resize(v.size());
  contacts_.take_velocities(corrected_->bodies, taken_);
  jump += taken_ - v;
}

template <int D>
void BodyJump<D>::add_work(const JumpProblem& task, int contact, const double* impulses, const double* after) {
  const int island = contacts_.islands().of(contact), rows = row_count(contact);
  if (island < 0) return;
  const double* const before = task.local.data() + first_row_[contact];
  Work& work = works_[island];
  for (int l = 0; l < rows; ++l) {
    const double of_before = 0.5 * impulses[l] * before[l], of_after = 0.5 * impulses[l] * after[l];
    work.before += of_before, work.after += of_after;
    work.size += std::abs(of_before) + std::abs(of_after);
  }
}

template <int D>
bool BodyJump<D>::any_gains() const {
  return std::any_of(works_.begin(), works_.end(), [](const Work& work) { return work.gains(); });
}

template <int D>
void BodyJump<D>::scale(BodyContact<D>& contact, double share) {
  BodyContactProblem<D>& problem = contacts_.problem;
  problem.apply(contact, (share - 1) * BodyContactProblem<D>::world(contact));
  contact.impulse *= share;
  if (contact.turning < 0) return;
  AngularOf<D>& turning = problem.turnings[contact.turning].impulse;
  problem.twist(contact, (share - 1) * turning);
  turning *= share;
}

// The share s of impulses that do s (before + after − (1 − s)(after − before)) = 0.
template <int D>
double BodyJump<D>::take_back_gain(const JumpProblem& task, const Eigen::VectorXd& v, Eigen::VectorXd& jump,
                                   ContactSolution& solution) {
  if (task.followed || task.goes_on || !any_gains()) return 0;
  const Islands& islands = contacts_.islands();
  double gain = 0;
  for (int k = 0; k < islands.count(); ++k) {
    const Work& work = works_[k];
    if (!work.gains()) continue;
    gain += work.before + work.after;
    const double share = work.before < 0 ? -2 * work.before / (work.after - work.before) : 0;
    for (int l = 0; l < islands.size(k); ++l) scale(contacts_.problem.contacts[islands.contacts(k)[l]], share);
  }
  solution.residual.velocity = take_solution(task, solution);
  if (context_.constrained && task.all_at_once) return gain;
  jump -= taken_ - v;
  contacts_.take_velocities(corrected_->bodies, taken_);
  jump += taken_ - v;
  return gain;
}

// Assembled for the observer alone.
template <int D>
void BodyJump<D>::show_problem(const JumpProblem& task) const {
  ContactProblem assembled;
  ContactSolution seen;
  int rows = 0;
  for (const int c : task.chosen) rows += row_count(c);
  if (rows <= most_observed_rows) {
    contacts_.problem.assemble(task.chosen, assembled, seen.impulses);
    seen.velocities = local_velocities(assembled, seen.impulses);
  }
  context_.observer(assembled, seen, context_.t_end);
}

template <int D>
double BodyJump<D>::take_solution(const JumpProblem& task, ContactSolution& solution) {
  double error = 0;
  works_.assign(task.followed ? 0 : contacts_.islands().count(), {});
  const BodyContactProblem<D>& problem = contacts_.problem;
  int rows = 0;
  for (const int c : task.chosen) rows += row_count(c);
  solution.impulses.resize(rows), solution.velocities.resize(rows);
  solution.statuses.resize(task.chosen.size());
  int row = 0;
  for (std::size_t k = 0; k < task.chosen.size(); ++k) {
    const int c = task.chosen[k];
    const BodyContact<D>& contact = problem.contacts[c];
    const VectorOf<D> relative = problem.relative_velocity(contact);
    problem.local_impulse(contact, solution.impulses.data() + row);
    double* u = solution.velocities.data() + row;
    problem.local_velocity(contact, relative,
                           problem.bodies[contact.b].angular_velocity - problem.bodies[contact.a].angular_velocity, u);
    error = std::max(error, problem.law_error(contact, u));
    if (!task.followed) add_work(task, c, solution.impulses.data() + row, u);
    const double square = (relative - u[0] * contact.normal).squaredNorm();
    solution.statuses[k] = !(contact.impulse[0] > 0)              ? ContactStatus::open
                           : square > 4 * tolerance_ * tolerance_ ? ContactStatus::slip
                                                                  : ContactStatus::stick;
    row += row_count(c);
  }
  return error;
}

template <int D>
double BodyJump<D>::note_follow(const Eigen::VectorXd& v) {
  taken_.resize(v.size());
  contacts_.take_velocities(corrected_->bodies, taken_);
  contacts_.set_velocities(corrected_->bodies, v);
  return (v - taken_).template lpNorm<Eigen::Infinity>();
}

template <int D>
void BodyJump<D>::finish(const Eigen::VectorXd& from, Eigen::VectorXd& jump, Eigen::VectorXd& v) const {
  if (context_.constrained || !solved_) {
    v = from + jump;
  } else {
    v = taken_;
    jump = v - from;
  }
}

template class BodyJump<2>;
template class BodyJump<3>;

}  // namespace carom::inline nonsmooth_integrators
