#include "integrators/nonsmooth/iterative_correction.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "contact_geometry/box_separation.h"

namespace carom::inline nonsmooth_integrators {
namespace {

constexpr double near_fraction = 0.02;      // of the smallest shape: contacts that a correction may close
constexpr double coarsest_fraction = 1e-3;  // of the smallest shape, whatever falls in a step
constexpr int max_rounds = 20;              // of contacts that close because of others
constexpr int most_turns = 5;               // of gaps that are measured anew
// Heaps of meshes, whose flat sides touch in many points, are wedged in ways that no iteration settles: there less is
// spent on one step, to overlaps that may stay anyway, and the next steps go on with what is left.
constexpr std::size_t many_of_meshes = 30;
constexpr int turns_of_meshes = 3, iterations_of_meshes = 100;
constexpr double still_linear = 0.25;  // of the tolerance: what both bodies of a contact bend its gap by
constexpr double same_gap = 1e-9;      // of the smallest shape

template <int D>
int pair_of(const ContactSet<D>& set, int point) {
  int low = 0, high = set.pair_count();
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    (set.view(middle).first_point <= point ? low : high) = middle;
  }
  return low;
}

// A contact between meshes, or of a mesh and a half space, where its feature is at another state, as long as that is
// what it has been; else by its material points. A look at all of two meshes costs a thousand times as much. False: it
// is one of other shapes.
template <int D>
bool follow_feature_of(const ContactSet<D>& set, const Bodies<D>& from, const Bodies<D>& to, double exact,
                       NonsmoothContact<D>& contact) {
  const auto view = set.view(pair_of(set, contact.point));
  if (!view.kind->point_of && !have_flat_sides(*view.a, *view.b)) return false;
  const Feature feature = set.feature_of_point(contact.point);
  ContactPoint<D> point;
  const auto find_at = [&](const Bodies<D>& bodies) {
    const BodyState<D>&body_a = bodies[contact.a], &body_b = bodies[contact.b];
    if (!view.kind->point_of) return follow_feature(*view.a, *view.b, body_a, body_b, feature, point);
    if (feature != no_feature) point = view.kind->point_of(*view.a, *view.b, body_a, body_b, feature);
    return feature != no_feature;
  };
  const bool is_same = find_at(from) && std::abs(point.gap - contact.gap) <= exact &&
                       (point.normal - contact.normal).squaredNorm() <= same_gap;
  if (is_same && find_at(to)) {
    contact.gap = point.gap, contact.normal = point.normal;
    contact.lever_a = point.point_a - to[contact.a].position;
    contact.lever_b = point.point_b - to[contact.b].position;
  } else {
    contact = carried<D>(contact, from, to);
  }
  return true;
}

}  // namespace

template <int D>
IterativeCorrection<D>::IterativeCorrection(StepContext<D>& context, BodyContacts<D>& bodies,
                                            CorrectionEquations<D>& equations)
    : context_(context), bodies_(bodies), equations_(equations) {
  contact_load_.setZero(context.nv);
}

template <int D>
void IterativeCorrection<D>::restart() {
  were_many_ = false;
  const auto& shapes = context_.contacts.shapes();
  has_meshes_ =
      D == 3 && std::any_of(shapes.begin(), shapes.end(), [](const Shape<D>& shape) { return shape.data != nullptr; });
}

// Offsets are the gaps and the slip of the step.
template <int D>
void IterativeCorrection<D>::set_contacts(const SmoothState<D>& smooth, const CorrectedState<D>& state) {
  const long last = context_.contacts.nonsmooth_step();
  const auto travel = [&](int body, const VectorOf<D>& lever) -> VectorOf<D> {
    if (body == 0) return VectorOf<D>::Zero();
    return smooth.travel.template segment<D>(dofs * (body - 1)) + cross(turns_[body], lever);
  };
  turns_.resize(smooth.bodies.size());
  for (std::size_t b = 1; b < turns_.size(); ++b) {
    turns_[b] = smooth.bodies[b].orientation.angular_to_world(
        AngularOf<D>(smooth.travel.template segment<Space<D>::rotational_dofs>(dofs * (b - 1) + D)));
  }
  for (const NonsmoothContact<D>& contact : state.pressed) {
    BodyContact<D>& each = bodies_.add(contact, BodyContacts<D>::Level::position);
    each.offset[0] = contact.gap;
    const NonsmoothMemory<D>& memory = context_.contacts.nonsmooth_memory(contact.point);
    if (memory.step == last) BodyContacts<D>::guess(each, memory.correction);
    if (!(each.friction > 0)) continue;
    const VectorOf<D> slip = travel(contact.b, contact.lever_b) - travel(contact.a, contact.lever_a);
    each.offset[1] = each.tangent.dot(slip);
    if constexpr (D == 3) each.offset[2] = BodyContactProblem<D>::second_tangent(each).dot(slip);
  }
}

template <int D>
double IterativeCorrection<D>::near() const {
  return std::max(near_fraction * context_.gap_scale, context_.gap_tolerance);
}

// What was a heap in the last step is one in this: one look reports both what is closed and what is near.
template <int D>
bool IterativeCorrection<D>::find_closed(const SmoothState<D>& smooth, CorrectedState<D>& state) {
  if (were_many_) {
    find_near(smooth, state);
    state.closed.clear();
    for (const NonsmoothContact<D>& contact : state.pressed) {
      if (contact.gap <= context_.gap_tolerance) state.closed.push_back(contact);
    }
  } else {
    context_.contacts.find_nonsmooth(smooth.bodies, context_.gap_tolerance, state.closed);
  }
  const bool many = bodies_.takes(state.closed, smooth.bodies);
  in_heap_of_meshes_ = has_meshes_ && state.closed.size() > many_of_meshes;
  const bool by_gauss_seidel = many && smooth.persistent.empty();
  if (by_gauss_seidel && !were_many_) find_near(smooth, state);
  were_many_ = by_gauss_seidel;
  return many;
}

template <int D>
void IterativeCorrection<D>::find_near(const SmoothState<D>& smooth, CorrectedState<D>& state) {
  context_.contacts.find_nonsmooth(smooth.bodies, near(), state.pressed);
}

template <int D>
bool IterativeCorrection<D>::run(const StepStart<D>& start, const SmoothState<D>& smooth, CorrectedState<D>& state) {
  if (context_.constrained && !equations_.mechanism.factor_for_positions(start, smooth)) return false;
  double fall = 0;  // m
  for (Eigen::Index k = 0; k < context_.nv; k += dofs)
    fall = std::max(fall, (smooth.end.v - start.point.v).template segment<D>(k).norm() * start.h / 2);
  const double coarsest = std::max(coarsest_fraction * context_.gap_scale, context_.gap_tolerance);
  const double finest = in_heap_of_meshes_ ? coarsest : 0.1 * context_.gap_tolerance;
  const double tolerance = std::clamp(context_.contact_tolerance * fall, finest, coarsest);
  for (int round = 0; round < max_rounds; ++round) {
    if (!separate(start.h, tolerance, smooth, state)) return false;
    // What still overlaps after the last round is found where the end of the step is looked at.
    if (round + 1 == max_rounds || !take_in_violated(near(), tolerance, smooth, state)) break;
  }
  const BodyContactProblem<D>& problem = bodies_.problem;
  note_lift_work(state);
  for (const NonsmoothContact<D>& contact : state.pressed) state.smooth_gaps.emplace_back(contact.point, contact.gap);
  now_ = state.pressed;
  follow(smooth, state);
  state.pressed.swap(now_);
  for (std::size_t c = 0; c < now_.size(); ++c) {
    if (!std::isfinite(state.pressed[c].gap)) state.pressed[c] = carried<D>(now_[c], smooth.bodies, state.bodies);
  }
  state.closed.clear();
  // A contact with a multiplier is closed, whatever is left of its gap: else its bodies would gain speed unseen.
  for (std::size_t c = 0; c < state.pressed.size(); ++c) {
    if (state.pressed[c].gap <= tolerance || problem.contacts[c].impulse[0] > 0)
      state.closed.push_back(state.pressed[c]);
  }
  return true;
}

// All pressed contacts at once.
template <int D>
bool IterativeCorrection<D>::separate(double h, double tolerance, const SmoothState<D>& smooth,
                                      CorrectedState<D>& state) {
  bodies_.place(smooth.bodies);
  BodyContactProblem<D>& problem = bodies_.problem;
  for (ProblemBody<D>& body : problem.bodies) body.velocity.setZero(), body.angular_velocity.setZero();
  set_contacts(smooth, state);
  measured_.setZero(context_.nv);
  equations_.reset(smooth, state);
  if (context_.constrained) return correct_mechanism(h, tolerance, smooth, state);
  using FirstGuess = typename BodyContacts<D>::FirstGuess;
  for (state.iterations = 1;; ++state.iterations) {
    const FirstGuess guess = state.iterations == 1 ? FirstGuess::acts : FirstGuess::has_acted;
    if (in_heap_of_meshes_) {
      bodies_.solve_roughly(tolerance, guess, iterations_of_meshes);
    } else {
      bodies_.solve(tolerance, guess, BodyContacts<D>::most_iterations);
    }
    bodies_.take_velocities(smooth.bodies, state.correction);
    equations_.place(smooth, state);
    if (state.iterations == (in_heap_of_meshes_ ? turns_of_meshes : most_turns) ||
        !measure_anew(tolerance, smooth, state))
      return true;
  }
}

template <int D>
bool IterativeCorrection<D>::find_moved(double tolerance, const Eigen::VectorXd& correction) {
  moved_.assign(context_.nv / dofs + 1, false);
  bool any = false;
  for (Eigen::Index k = 0; k < context_.nv; k += dofs) {
    const Eigen::Matrix<double, dofs, 1> since = correction.segment<dofs>(k) - measured_.segment<dofs>(k);
    const double shift = since.template head<D>().squaredNorm(),
                 turn = since.template tail<Space<D>::rotational_dofs>().squaredNorm();
    if (shift / context_.gap_scale + turn * context_.length < still_linear * tolerance) continue;
    measured_.segment<dofs>(k) = correction.segment<dofs>(k);
    moved_[k / dofs + 1] = any = true;
  }
  return any;
}

// Gaps of bodies that turn, or have curved surfaces, are not linear. True: some overlap all the same, and the offsets
// are those that lead to their gaps.
template <int D>
bool IterativeCorrection<D>::measure_anew(double tolerance, const SmoothState<D>& smooth,
                                          const CorrectedState<D>& state) {
  if (!find_moved(tolerance, state.correction)) return false;
  BodyContactProblem<D>& problem = bodies_.problem;
  now_.clear(), measured_anew_.clear();
  for (std::size_t c = 0; c < state.pressed.size(); ++c) {
    const NonsmoothContact<D>& contact = state.pressed[c];
    if (!moved_[contact.a] && !moved_[contact.b]) continue;
    now_.push_back(contact), measured_anew_.push_back(static_cast<int>(c));
  }
  follow(smooth, state);
  const double deepest =
      std::accumulate(now_.begin(), now_.end(), 0.0,
                      [](double least, const NonsmoothContact<D>& contact) { return std::min(least, contact.gap); });
  if (!(deepest < -2 * tolerance)) return false;
  for (std::size_t k = 0; k < now_.size(); ++k) {
    BodyContact<D>& contact = problem.contacts[measured_anew_[k]];
    if (std::isfinite(now_[k].gap))
      contact.offset[0] = now_[k].gap - contact.normal.dot(problem.relative_velocity(contact));
  }
  return true;
}

// What is measured anew, from q̃ on to where the correction has led.
template <int D>
void IterativeCorrection<D>::follow(const SmoothState<D>& smooth, const CorrectedState<D>& state) {
  if (!in_heap_of_meshes_) return context_.contacts.update_nonsmooth(state.bodies, now_);
  looked_at_.clear(), looked_places_.clear();
  const double exact = same_gap * context_.gap_scale;
  for (std::size_t k = 0; k < now_.size(); ++k) {
    if (follow_feature_of<D>(context_.contacts, smooth.bodies, state.bodies, exact, now_[k])) continue;
    looked_at_.push_back(now_[k]), looked_places_.push_back(static_cast<int>(k));
  }
  context_.contacts.update_nonsmooth(state.bodies, looked_at_);
  for (std::size_t k = 0; k < looked_at_.size(); ++k) now_[looked_places_[k]] = looked_at_[k];
}

// Contacts that were too far apart to be pressed and overlap now. Only a correction as long as that can do it.
template <int D>
bool IterativeCorrection<D>::take_in_violated(double near, double tolerance, const SmoothState<D>& smooth,
                                              CorrectedState<D>& state) {
  double farthest = 0;
  for (Eigen::Index k = 0; k < state.correction.size(); k += dofs) {
    const double shift = state.correction.template segment<D>(k).squaredNorm();
    const double turn = state.correction.template segment<Space<D>::rotational_dofs>(k + D).squaredNorm();
    farthest = std::max(farthest, shift + turn * context_.length * context_.length);
  }
  if (8 * farthest < near * near) return false;
  context_.contacts.find_nonsmooth(state.bodies, -tolerance, state.closed);
  const auto known = static_cast<std::ptrdiff_t>(state.pressed.size());
  for (const NonsmoothContact<D>& contact : state.closed) {
    const auto end = state.pressed.begin() + known;
    const auto place = std::lower_bound(state.pressed.begin(), end, contact.point,
                                        [](const NonsmoothContact<D>& each, int point) { return each.point < point; });
    if (place == end || place->point != contact.point) state.pressed.push_back(contact);
  }
  if (static_cast<std::ptrdiff_t>(state.pressed.size()) == known) return false;
  std::sort(state.pressed.begin(), state.pressed.end(),
            [](const NonsmoothContact<D>& a, const NonsmoothContact<D>& b) { return a.point < b.point; });
  // What is new goes by its material points where it is not there at q̃.
  now_ = state.pressed;
  context_.contacts.update_nonsmooth(smooth.bodies, state.pressed);
  for (std::size_t c = 0; c < now_.size(); ++c) {
    if (std::isfinite(state.pressed[c].gap)) continue;
    const bool is_new = std::any_of(state.closed.begin(), state.closed.end(),
                                    [&](const auto& each) { return each.point == now_[c].point; });
    if (is_new) state.pressed[c] = carried<D>(now_[c], state.bodies, smooth.bodies);
  }
  std::erase_if(state.pressed, [](const NonsmoothContact<D>& each) { return !std::isfinite(each.gap); });
  return static_cast<std::ptrdiff_t>(state.pressed.size()) > known;
}

// Newton's method for joints and forces, with Gauss–Seidel iterations for the contacts in each step of it.
template <int D>
bool IterativeCorrection<D>::correct_mechanism(double h, double tolerance, const SmoothState<D>& smooth,
                                               CorrectedState<D>& state) {
  CorrectionEquations<D>& e = equations_;
  const int nv = context_.nv, rows = context_.rows;
  const double joints_close = 0.1 * context_.gap_tolerance;
  e.find_joint_residual(smooth, state);
  int turns = 0;
  for (int round = 0; round < BodyContacts<D>::most_rounds; ++round) {
    e.gather_load(h, smooth, state);
    const auto solve_with_multipliers = [&] {
      if (rows > 0) e.right.tail(rows) = -e.residual;
      e.right.head(nv) = e.load;
      contact_load_.setZero();
      bodies_.add_impulses(smooth.bodies, contact_load_);
      e.right.head(nv) += contact_load_;
      e.mechanism.solve(e.right);
    };
    solve_with_multipliers();
    e.response = state.correction + e.right.head(nv);
    bodies_.set_velocities(smooth.bodies, e.response);
    bodies_.solve(tolerance);
    solve_with_multipliers();
    e.advance(smooth, state);
    ++state.iterations;
    e.find_joint_residual(smooth, state);
    const bool closed = rows == 0 || e.residual.template lpNorm<Eigen::Infinity>() <= joints_close;
    const bool still =
        !context_.system.has_forces() || e.right.head(nv).template lpNorm<Eigen::Infinity>() <= 0.1 * tolerance;
    if (!closed || !still) continue;
    if (turns++ == most_turns) return true;
    bodies_.set_velocities(smooth.bodies, state.correction);
    if (!measure_anew(tolerance, smooth, state)) return true;
  }
  return context_.fail("the joints do not close while bodies are moved apart");
}

// The work of the multipliers against gravity.
template <int D>
void IterativeCorrection<D>::note_lift_work(CorrectedState<D>& state) {
  const BodyContactProblem<D>& problem = bodies_.problem;
  const Eigen::VectorXd& weights = context_.system.weight();
  state.lift_work.resize(state.pressed.size());
  if (!problem.constrained_bodies.empty()) {
    constrained_lift_.setZero(problem.constrained_response.rows());
    for (std::size_t k = 0; k < problem.constrained_bodies.size(); ++k) {
      const auto weight = weights.template segment<D>(dofs * (problem.constrained_bodies[k] - 1));
      constrained_lift_.noalias() += problem.constrained_response.template middleRows<D>(dofs * k).transpose() * weight;
    }
  }
  for (std::size_t c = 0; c < state.pressed.size(); ++c) {
    const BodyContact<D>& contact = problem.contacts[c];
    const VectorOf<D> impulse = BodyContactProblem<D>::world(contact);
    context_.contacts.nonsmooth_memory(state.pressed[c].point).correction = impulse;
    double work = 0;
    const auto add = [&](int number, const VectorOf<D>& lever, double sign) {
      const ProblemBody<D>& body = problem.bodies[number];
      if (body.constrained >= 0) {
        const auto lift = constrained_lift_.template segment<dofs>(dofs * body.constrained);
        work -= sign * (lift.template head<D>().dot(impulse) +
                        lift.template tail<Space<D>::rotational_dofs>().dot(AngularOf<D>(cross(lever, impulse))));
      } else if (body.inverse_mass > 0) {
        work -= sign * body.inverse_mass * weights.template segment<D>(dofs * (number - 1)).dot(impulse);
      }
    };
    add(contact.a, contact.lever_a, -1);
    add(contact.b, contact.lever_b, 1);
    state.lift_work[c] = work;
  }
}

template class IterativeCorrection<2>;
template class IterativeCorrection<3>;

}  // namespace carom::inline nonsmooth_integrators
