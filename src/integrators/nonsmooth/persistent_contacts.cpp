#include "integrators/nonsmooth/persistent_contacts.h"

#include <algorithm>
#include <cmath>

#include "impact/contact_solver.h"

namespace carom::inline nonsmooth_integrators {
namespace {

constexpr double vanishing = 1e-3;  // of the step: the one in which forces and accelerations at its start are found
constexpr double sudden = 0.1;      // of the fastest body, in that
constexpr double negligible_share = 1e-14;  // of the fastest body: speeds that do not matter
constexpr double exact = 1e-13;             // relative: errors of forces at rest are accelerations
constexpr double inexplicable_gain = 1e-2;  // of the kinetic energy: more than the order of the method explains
constexpr double least_opening = 1e-3;      // of the response without friction
constexpr double rest_tolerance = 1e-10;    // of what the loads alone do in a step
constexpr int least_patience = 2, most_patience = 1024;  // steps
constexpr double most_cost = 8e6;                        // multiplications: an elimination over many contacts
constexpr int worthwhile = 16;                           // steps that many contacts should last

template <int D>
bool same_points(const std::vector<NonsmoothContact<D>>& one, const std::vector<NonsmoothContact<D>>& two) {
  return std::equal(one.begin(), one.end(), two.begin(), two.end(),
                    [](const NonsmoothContact<D>& a, const NonsmoothContact<D>& b) { return a.point == b.point; });
}

}  // namespace

template <int D>
PersistentContacts<D>::PersistentContacts(StepContext<D>& context, const AlphaCoefficients& coefficients)
    : context_(context), system_(context.system), coefficients_(coefficients), contact_system_(context.system) {
  inclusion_.predicted.setZero(context.nv);
  inclusion_.update.setZero(context.nv + context.rows);
  inclusion_.ahead.setZero(system_.position_size());
  inclusion_.local.resize(ContactRows<D>::most);
}

template <int D>
void PersistentContacts<D>::restart() {
  contacts_.clear(), resting_.clear(), calm_.watched.clear();
  started_ = false;
  calm_.steps = calm_.patience = calm_.lasted = 0;
}

// Many contacts are dear to begin with: they are taken when they have been the same for some steps, the later the
// shorter they have lasted before.
template <int D>
bool PersistentContacts<D>::are_calm(bool disturbed) {
  const bool same = std::equal(resting_.begin(), resting_.end(), calm_.watched.begin(), calm_.watched.end(),
                               [](const NonsmoothContact<D>& contact, int point) { return contact.point == point; });
  if (!same) {
    calm_.watched.clear();
    for (const NonsmoothContact<D>& contact : resting_) calm_.watched.push_back(contact.point);
  }
  calm_.steps = same && !disturbed ? calm_.steps + 1 : 0;
  return calm_.steps >= calm_.patience;
}

template <int D>
bool PersistentContacts<D>::are_cheap() {
  const std::vector<bool>& constrained = contact_system_.constrained_bodies();
  const auto first_constrained =
      static_cast<int>(std::find(constrained.begin(), constrained.end(), true) - constrained.begin());
  const auto moved = [&](int body) { return body == 0 ? -1 : constrained[body] ? first_constrained : body; };
  cost_.clear(static_cast<int>(constrained.size()));
  for (const NonsmoothContact<D>& contact : resting_) cost_.add(moved(contact.a), moved(contact.b), D);
  return cost_.estimate() <= most_cost;
}

template <int D>
void PersistentContacts<D>::lose_patience() {
  calm_.patience =
      calm_.lasted < worthwhile ? std::clamp(2 * calm_.patience, least_patience, most_patience) : least_patience;
  calm_.steps = calm_.lasted = 0;
}

template <int D>
bool PersistentContacts<D>::choose(StepStart<D>& start) {
  resting_.clear();
  if (start.loaded && start.resting.size() <= most_contacts) {
    for (const NonsmoothContact<D>& contact : start.resting) {
      if (!context_.constrained || !context_.contacts.is_enclosed(contact.point)) resting_.push_back(contact);
    }
  }
  const auto go_on = [&] {
    return started_ && same_points<D>(resting_, contacts_) && (!start.disturbed || resting_.empty());
  };
  if (go_on()) {
    ++calm_.lasted;
    return true;
  }
  if (contacts_.size() > few_contacts) lose_patience();
  if (resting_.size() > few_contacts) {
    const bool calm = are_calm(start.disturbed), cheap = calm && are_cheap();
    if (calm && !cheap) lose_patience();
    if (!cheap) resting_.clear();
    if (go_on()) return true;
  }
  contacts_ = resting_;
  if (begin(start)) return true;
  return give_up(start);
}

template <int D>
bool PersistentContacts<D>::give_up(StepStart<D>& start) {
  if (contacts_.size() > few_contacts) lose_patience();
  contacts_.clear();
  return begin(start) || context_.fail("the equations of motion cannot be solved at the start of a step");
}

// Accelerations and multipliers of the start with the forces of the contacts.
template <int D>
bool PersistentContacts<D>::begin(StepStart<D>& start) {
  AlphaPoint& point = start.point;
  const int nv = context_.nv, nq = system_.position_size();
  lost_ = false;
  double* rate = point.rate.data();
  if (system_.rates(point.t, point.q.data(), point.v.data(), rate, rate + nq, rate + nq + nv) == SolveStatus::failed)
    return false;
  point.acceleration = point.rate.segment(nq, nv);
  point.lambda = system_.multipliers(point.t, point.q.data(), point.v.data());
  free_acceleration_ = fastest_of(point.acceleration);
  before_.assign(contacts_.size(), {});
  if (!contacts_.empty() && !solve_at_start(start)) return false;
  point.a = point.acceleration;
  pseudo_before_.resize(contacts_.size());
  for (std::size_t c = 0; c < contacts_.size(); ++c) pseudo_before_[c] = before_[c].force;
  last_step_ = 1;
  started_ = true;
  return true;
}

// m/s² or m/s. Rotations count at the size of the smallest shape.
template <int D>
double PersistentContacts<D>::fastest_of(const Eigen::VectorXd& v) const {
  constexpr int dofs = Space<D>::dofs;
  const double size = context_.gap_scale;
  double fastest = 0;
  for (Eigen::Index k = 0; k < context_.nv; k += dofs) {
    fastest = std::max(
        {fastest, v.template segment<D>(k).norm(), size * v.template segment<Space<D>::rotational_dofs>(k + D).norm()});
  }
  return fastest;
}

// By a step that is short enough to be none: its velocities obey the laws of contact, so that slip has its direction
// and stick its force, and the change of the normals with the motion is in them.
template <int D>
bool PersistentContacts<D>::solve_at_start(StepStart<D>& start) {
  AlphaPoint& point = start.point;
  const double h = vanishing * start.h;
  inclusion_.predicted = h * point.v;
  system_.retract(point.q.data(), inclusion_.predicted.data(), inclusion_.ahead.data());
  inclusion_.impulses.clear();
  inclusion_.update.setZero();
  add_loads(inclusion_.ahead, h, inclusion_.predicted);
  if (lost_) return false;
  KktSolver* matrix = nullptr;
  if (contact_system_.has_constrained_bodies()) {
    if (!matrix_.factor({.mass = 1, .damping = 0, .stiffness = 0}, system_.mass(), system_.mass(), system_.mass(),
                        system_.constraint_jacobian(point.t, point.q.data())))
      return false;
    matrix = &matrix_;
  }
  contact_system_.respond(matrix);
  inclusion_.predicted = point.v + h * point.acceleration;
  at_start_ = true;
  const bool solved = solve(inclusion_.predicted, inclusion_.update);
  at_start_ = false;
  if (!solved) return false;
  // Forces that change velocities at once are none (Painlevé): the jump has to find impulses.
  const double most = std::max(sudden * fastest_of(point.v), 10 * h * free_acceleration_);
  if (!(fastest_of(inclusion_.update) <= most)) return false;
  point.acceleration += inclusion_.update.head(context_.nv) / h;
  point.lambda += inclusion_.update.tail(context_.rows) / h;
  inclusion_.predicted += inclusion_.update.head(context_.nv);
  note(h, inclusion_.predicted, before_);
  for (double& impulse : inclusion_.impulses) impulse /= vanishing;  // the first guess of the step
  return true;
}

template <int D>
void PersistentContacts<D>::add_loads(const Eigen::VectorXd& q, double h, Eigen::VectorXd& load) {
  system_.place(q.data(), nullptr, bodies_);
  context_.contacts.update_nonsmooth(bodies_, contacts_);
  for (const NonsmoothContact<D>& contact : contacts_) lost_ = lost_ || !std::isfinite(contact.gap);
  if (lost_) return;
  contact_system_.build(contacts_, bodies_, ContactRows<D>::Level::velocity);
  inclusion_.impulses.resize(contact_system_.row_count(), 0.0);
  inclusion_.statuses.resize(contacts_.size(), ContactStatus::open);
  inclusion_.predicted.setZero();
  for (int c = 0; c < contact_system_.contact_count(); ++c)
    contact_system_.add_impulse(c, inclusion_.impulses.data() + contact_system_.first_row(c), inclusion_.predicted);
  load += inclusion_.predicted / h;
}

template <int D>
bool PersistentContacts<D>::correct(const Eigen::VectorXd& v, KktSolver& matrix, Eigen::VectorXd& update) {
  if (lost_) return false;
  contact_system_.respond(&matrix, 1 / coefficients_.acceleration);
  inclusion_.predicted = v + update.head(context_.nv);
  return solve(inclusion_.predicted, update);
}

// Forces such that `v`, the velocities with the present ones, obeys the laws of contact; `update` grows by what their
// changes do.
template <int D>
bool PersistentContacts<D>::solve(const Eigen::VectorXd& v, Eigen::VectorXd& update) {
  for (int island = 0; island < contact_system_.islands().count(); ++island) {
    if (!solve_island(island, v, update)) return false;
  }
  return true;
}

template <int D>
bool PersistentContacts<D>::solve_island(int island, const Eigen::VectorXd& v, Eigen::VectorXd& update) {
  const Islands& islands = contact_system_.islands();
  inclusion_.chosen.assign(islands.contacts(island), islands.contacts(island) + islands.size(island));
  contact_system_.make_problem(inclusion_.chosen, inclusion_.problem);
  inclusion_.problem.negligible = negligible_share * v.template lpNorm<Eigen::Infinity>();
  inclusion_.problem.tolerance = exact;
  inclusion_.solution.impulses.resize(inclusion_.problem.rows);
  for (std::size_t k = 0; k < inclusion_.chosen.size(); ++k) {
    const int c = inclusion_.chosen[k], row = inclusion_.problem.contacts[k].row;
    contact_system_.velocity(c, v, inclusion_.problem.offset.data() + row);
    std::copy_n(inclusion_.impulses.data() + contact_system_.first_row(c), contact_system_.rows(c).count,
                inclusion_.solution.impulses.data() + row);
  }
  // Offsets are those without any force.
  for (int i = 0; i < inclusion_.problem.rows; ++i) {
    const double* row = inclusion_.problem.delassus_row(i);
    for (int j = 0; j < inclusion_.problem.rows; ++j)
      inclusion_.problem.offset[i] -= row[j] * inclusion_.solution.impulses[j];
  }
  carom::solve(inclusion_.problem, inclusion_.solver, inclusion_.solution);
  // Of the forces that redundant contacts allow the smallest at the start; later ones follow from those before.
  const SolverOutcome outcome = inclusion_.solution.outcome;
  const bool split =
      (at_start_ || !outcome.converged) && inclusion_.split.apply(inclusion_.problem, inclusion_.solution);
  if (!outcome.converged && !split) return false;
  if (jams()) return false;
  for (std::size_t k = 0; k < inclusion_.chosen.size(); ++k) {
    const int c = inclusion_.chosen[k], row = inclusion_.problem.contacts[k].row, first = contact_system_.first_row(c);
    inclusion_.statuses[c] = inclusion_.solution.statuses[k];
    for (int l = 0; l < contact_system_.rows(c).count; ++l) {
      inclusion_.local[l] = inclusion_.solution.impulses[row + l] - inclusion_.impulses[first + l];
      inclusion_.impulses[first + l] = inclusion_.solution.impulses[row + l];
    }
    contact_system_.add_response(c, inclusion_.local.data(), update);
  }
  return true;
}

// Where friction against the slip presses a contact harder than its normal force opens it (Painlevé), forces do not
// exist or are not unique: such contacts are left to the jump.
template <int D>
bool PersistentContacts<D>::jams() const {
  for (std::size_t k = 0; k < inclusion_.chosen.size(); ++k) {
    const int row = inclusion_.problem.contacts[k].row, rows = contact_system_.rows(inclusion_.chosen[k]).count;
    const double* response = inclusion_.problem.delassus_row(row) + row;
    const double* force = inclusion_.solution.impulses.data() + row;
    if (inclusion_.solution.statuses[k] != ContactStatus::slip || !(force[0] > 0)) continue;
    double opens = 0;
    for (int l = 0; l < rows; ++l) opens += response[l] * force[l] / force[0];
    if (!(opens > least_opening * response[0])) return true;
  }
  return false;
}

template <int D>
void PersistentContacts<D>::note(double h, const Eigen::VectorXd& v, std::vector<ContactForce<D>>& forces) {
  forces.resize(contacts_.size());
  for (int c = 0; c < contact_system_.contact_count(); ++c) {
    const double* impulses = inclusion_.impulses.data() + contact_system_.first_row(c);
    ContactForce<D>& force = forces[c];
    force.force = contact_system_.world(c, impulses) / h;
    force.normal = impulses[0] / h;
    force.tangential = std::sqrt(std::max(0.0, force.force.squaredNorm() - force.normal * force.normal));
    contact_system_.velocity(c, v, inclusion_.local.data());
    const int slides = contact_system_.law(c).friction > 0 ? D : 1, rows = contact_system_.rows(c).count;
    force.relative.setZero();
    for (int l = 0; l < slides; ++l) force.relative += inclusion_.local[l] * contact_system_.rows(c).frame.col(l);
    force.turning_power = 0;
    for (int l = slides; l < rows; ++l) force.turning_power += impulses[l] / h * inclusion_.local[l];
    force.status = inclusion_.statuses[c];
  }
}

template <int D>
bool PersistentContacts<D>::gains(const StepStart<D>& start, const SmoothState<D>& state) {
  const auto kinetic = [&](const Eigen::VectorXd& v) {
    inclusion_.predicted.noalias() = system_.mass() * v;
    return 0.5 * inclusion_.predicted.dot(v);
  };
  double work = 0, fall = 0;  // J
  for (const PersistentContact<D>& each : state.persistent) work += each.work;
  const double after = kinetic(state.end.v);
  if (context_.driven) {
    for (const BodyInertia<D>& body : system_.inertia()) fall += 0.5 * body.mass * state.rest_speed * state.rest_speed;
  } else {  // the weight is all that could drive
    inclusion_.predicted = start.point.v + state.end.v;
    const double fallen = 0.5 * start.h * system_.weight().dot(inclusion_.predicted);
    work = std::max(work, after - kinetic(start.point.v) - fallen);
    for (std::size_t b = 0; b < system_.inertia().size(); ++b) {
      const auto weight = system_.weight().template segment<D>(Space<D>::dofs * b);
      fall += 0.5 * system_.inertia()[b].inverse_mass * weight.squaredNorm() * start.h * start.h;
    }
  }
  return !(work <= inexplicable_gain * std::max(after, fall));
}

template <int D>
void PersistentContacts<D>::hand_on(const StepStart<D>& start, SmoothState<D>& state) {
  const AlphaCoefficients& k = coefficients_;
  const double h = start.h;
  state.rest_speed = h * free_acceleration_;
  state.negligible_speed = contacts_.empty() ? 0 : rest_tolerance * state.rest_speed;
  if (!contacts_.empty()) note(h, state.end.v, forces_);
  state.persistent.resize(contacts_.size());
  pseudo_.resize(contacts_.size());
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    // The forces go into the velocities as all accelerations do.
    const ContactForce<D>&before = before_[c], &after = forces_[c];
    const VectorOf<D> first = before.force + h / last_step_ * (pseudo_before_[c] - before.force);
    pseudo_[c] = ((1 - k.alpha_f) * after.force + k.alpha_f * before.force - k.alpha_m * first) / (1 - k.alpha_m);
    const VectorOf<D> impulse = h * ((1 - k.gamma) * first + k.gamma * pseudo_[c]);
    const double work =
        0.5 * impulse.dot(before.relative + after.relative) + 0.5 * h * (before.turning_power + after.turning_power);
    state.persistent[c] = {contacts_[c], before, after, impulse, work};
  }
  step_ = h;
}

template <int D>
void PersistentContacts<D>::accept() {
  before_ = forces_;
  pseudo_before_ = pseudo_;
  last_step_ = step_;
}

template <int D>
void PersistentContacts<D>::renumber(const std::vector<int>& old_points, const StepStart<D>& start,
                                     SmoothState<D>& state) {
  const auto follow = [&](NonsmoothContact<D>& contact) {
    const auto place = std::lower_bound(old_points.begin(), old_points.end(), contact.point);
    contact.point = start.resting[place - old_points.begin()].point;
  };
  for (NonsmoothContact<D>& contact : contacts_) follow(contact);
  for (PersistentContact<D>& each : state.persistent) follow(each.contact);
  // Shapes that are far apart by now have no number any more.
  std::erase_if(state.persistent, [](const PersistentContact<D>& each) { return each.contact.point < 0; });
}

template class PersistentContacts<2>;
template class PersistentContacts<3>;

}  // namespace carom::inline nonsmooth_integrators
