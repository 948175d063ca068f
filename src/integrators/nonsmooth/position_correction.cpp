#include "integrators/nonsmooth/position_correction.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace carom::inline nonsmooth_integrators {
namespace {

constexpr double settled_correction = 1e-6;       // of the whole
constexpr double poor_correction = 100;           // gap tolerances
constexpr double settled_well = 1e-3;             // of the smallest shape, where contacts are many
constexpr std::size_t few_contacts = 30;          // that iterations leave as well apart as Newton's method
constexpr double left_in_heaps = 0.05;            // of half the thickness of a part: far from going through it
constexpr std::size_t most_exact_contacts = 300;  // beyond, iterative solutions are as good as they are
constexpr double most_rotation_gain = 1e-3;       // of the energy of rotation
constexpr int max_correction_iterations = 30;
constexpr int max_correction_rounds = 20;  // of contacts that close because of others
constexpr std::size_t most_lost = 256;     // contacts that leave their features in a step, for which room is made
constexpr int few_rounds = 3;              // after which they are looked for before they close

template <int D>
void sort_by_point(std::vector<NonsmoothContact<D>>& contacts) {
  std::sort(contacts.begin(), contacts.end(),
            [](const NonsmoothContact<D>& a, const NonsmoothContact<D>& b) { return a.point < b.point; });
}

template <int D>
bool is_lost(const NonsmoothContact<D>& contact) {
  return !std::isfinite(contact.gap);
}

}  // namespace

template <int D>
PositionCorrection<D>::PositionCorrection(StepContext<D>& context, Mechanism<D>& mechanism, BodyContacts<D>& bodies)
    : context_(context),
      bodies_(bodies),
      equations_(context, mechanism),
      iterative_(context, bodies, equations_),
      removal_(context, equations_),
      contact_system_(context.system) {
  for (const BodyInertia<D>& body : context.system.inertia()) isotropic_.push_back(is_isotropic(body));
  lost_.reserve(most_lost), followed_.reserve(most_lost);
}

template <int D>
void PositionCorrection<D>::restart(CorrectedState<D>& state) {
  state.correction.setZero(context_.nv);
  iterative_.restart();
}

template <int D>
void PositionCorrection<D>::begin(const StepStart<D>& start, const SmoothState<D>& smooth, CorrectedState<D>& state) {
  state.iterations = 0;
  state.q = smooth.end.q, state.v = smooth.end.v;
  state.start_v = start.point.v;
  state.smooth_gaps.clear();
  state.lift_work.clear();
}

template <int D>
void PositionCorrection<D>::skip(const StepStart<D>& start, const SmoothState<D>& smooth, CorrectedState<D>& state) {
  begin(start, smooth, state);
  state.bodies = smooth.bodies;
  context_.contacts.find_nonsmooth(state.bodies, 0, state.closed);
  state.pressed.clear();
}

template <int D>
bool PositionCorrection<D>::run(const StepStart<D>& start, const SmoothState<D>& smooth, CorrectedState<D>& state) {
  begin(start, smooth, state);
  const bool many = iterative_.find_closed(smooth, state);
  progress_ = {};
  rounding_ = rounding_of(state.closed, smooth.bodies);
  bool found =
      many && smooth.persistent.empty() ? iterative_.run(start, smooth, state) : separate({start, smooth, state});
  // What Newton's method leaves of many contacts, some of them held, is better done by projected Gauss–Seidel.
  if (many && !smooth.persistent.empty() && (!found || progress_.error > poor_correction * context_.gap_tolerance)) {
    state.q = smooth.end.q;
    state.smooth_gaps.clear();
    iterative_.find_near(smooth, state);
    found = iterative_.run(start, smooth, state);
  }
  found = remove_overlaps({start, smooth, state}, found, many);
  if (found) keep_angular_momentum(state);
  return found;
}

// m, overlap that may be left.
template <int D>
double PositionCorrection<D>::allowed_overlap(const CorrectedState<D>& state, bool iterative) const {
  const bool many = iterative && state.closed.size() > few_contacts;
  return std::max(rounding_, many ? settled_well * context_.gap_scale : poor_correction * context_.gap_tolerance);
}

// Where iterations have moved few bodies, all contacts are looked at, not only those that they knew.
template <int D>
double PositionCorrection<D>::deepest_overlap(const CorrectedState<D>& state, bool iterative) {
  const bool few = iterative && state.closed.size() <= few_contacts;
  if (few || context_.contacts.crossed_count() > 0) return removal_.deepest(state.bodies);
  double deepest = 0;
  for (const NonsmoothContact<D>& contact : state.closed) deepest = std::max(deepest, -contact.gap);
  return deepest;
}

// Where nothing was found, a shorter step is tried before.
template <int D>
bool PositionCorrection<D>::remove_overlaps(const Stage& stage, bool found, bool iterative) {
  CorrectedState<D>& state = stage.state;
  const double tolerance = left_overlap_ = allowed_overlap(state, iterative);
  context_.in_heap = iterative && state.closed.size() > few_contacts;
  most_left_ = found && context_.in_heap ? left_in_heaps : 0;
  unfinished_ = 0;
  if (!found) {
    if (!context_.last_attempt) return false;
    equations_.reset(stage.smooth, state);
    state.bodies = stage.smooth.bodies;
    state.pressed.clear(), state.closed.clear(), state.lift_work.clear(), state.smooth_gaps.clear();
    return removal_.run(tolerance, {}, stage.start, stage.smooth, state);
  }
  const double deepest = deepest_overlap(state, iterative);
  if (!(deepest > tolerance)) return true;
  const bool many = state.closed.size() > most_exact_contacts;
  const bool may_stay = most_left_ > 0 && deepest <= most_left_ * context_.contacts.thinnest_shape();
  if (many || may_stay) kept_ = state;
  const typename OverlapRemoval<D>::Effort little = {.rounds = 8, .contacts = 60}, all = {};
  if (removal_.run(tolerance, may_stay ? little : all, stage.start, stage.smooth, state)) return true;
  if (!many && !may_stay) return context_.fail("bodies still overlap after the position correction");
  state = kept_;
  unfinished_ = deepest;
  if (!may_stay) ++context_.statistics.unsettled;
  return true;
}

template <int D>
bool PositionCorrection<D>::separate(const Stage& stage) {
  CorrectedState<D>& state = stage.state;
  const Bodies<D>& smooth_bodies = stage.smooth.bodies;
  state.pressed.clear();
  lost_.clear(), followed_.clear();
  for (const NonsmoothContact<D>& contact : state.closed) {
    if (contact.gap < -0.1 * context_.gap_tolerance && !is_held(stage.smooth, contact.point))
      state.pressed.push_back(contact);
  }
  // Of contacts that close by themselves; those that others close have theirs near zero.
  for (const NonsmoothContact<D>& contact : state.pressed) state.smooth_gaps.emplace_back(contact.point, contact.gap);
  expect_lasting(stage);
  add_held(stage);
  state.correction.setZero();
  state.lift_work.assign(state.pressed.size(), 0.0);
  if (state.pressed.empty() && context_.rows == 0) {
    state.bodies = smooth_bodies;
    return true;
  }
  Mechanism<D>& mechanism = equations_.mechanism;
  if (context_.constrained && !mechanism.factor_for_positions(stage.start, stage.smooth)) return false;
  for (int round = 0; round < max_correction_rounds; ++round) {
    choose_directions(stage);
    contact_system_.build(directions_, smooth_bodies, Level::position);
    holes_.find(state.pressed, smooth_bodies, context_.contacts, contact_system_, mechanism.matrix());
    if (holes_.empty()) contact_system_.respond(mechanism.matrix());
    multipliers_.assign(contact_system_.row_count(), 0.0);
    equations_.reset(stage.smooth, state);
    state.bodies = smooth_bodies;
    if (!solve(stage)) return false;
    if (drop_lost(state)) continue;
    context_.contacts.find_nonsmooth(state.bodies, gap_tolerance(), state.closed);
    if (take_in_violated(stage)) {
      if (round >= few_rounds) take_in_near(stage);
      continue;
    }
    close_followed(stage);
    state.lift_work.resize(state.pressed.size());
    for (int c = 0; c < contact_system_.contact_count(); ++c)
      state.lift_work[c] = -contact_system_.work_of_response(c, multipliers_of(c), context_.system.weight());
    return true;
  }
  return context_.fail("more and more bodies touch each other in one step");
}

// m, to which gaps are known.
template <int D>
double PositionCorrection<D>::gap_tolerance() const {
  return std::max({context_.gap_tolerance, progress_.error, rounding_});
}

// m, of gaps between bodies that have come far from the origin.
template <int D>
double PositionCorrection<D>::rounding_of(const std::vector<NonsmoothContact<D>>& contacts, const Bodies<D>& bodies) {
  double farthest = 0;
  for (const NonsmoothContact<D>& contact : contacts) {
    for (const int body : {contact.a, contact.b})
      farthest = std::max(farthest, bodies[body].position.template lpNorm<Eigen::Infinity>());
  }
  return 16 * std::numeric_limits<double>::epsilon() * farthest;
}

// Contacts of a mechanism that were closed and have opened by less than others overlap will close when these are moved
// apart. Free bodies act on their neighbours only: there it is cheaper to take in what is violated.
template <int D>
void PositionCorrection<D>::expect_lasting(const Stage& stage) {
  std::vector<NonsmoothContact<D>>& pressed = stage.state.pressed;
  if (pressed.empty() || !context_.constrained) return;
  double deepest = 0;
  for (const NonsmoothContact<D>& contact : pressed) deepest = std::max(deepest, -contact.gap);
  const long last = context_.contacts.nonsmooth_step();
  const std::size_t before = pressed.size();
  context_.contacts.find_nonsmooth(stage.smooth.bodies, deepest, now_);
  for (const NonsmoothContact<D>& contact : now_) {
    const NonsmoothMemory<D>& memory = context_.contacts.nonsmooth_memory(contact.point);
    if (contact.gap < -0.1 * context_.gap_tolerance) continue;
    if (memory.step == last && memory.status != NonsmoothStatus::open && !is_held(stage.smooth, contact.point))
      pressed.push_back(contact);
  }
  if (pressed.size() > before) sort_by_point(pressed);
}

// Contacts that stayed closed in the smooth motion are kept so, whichever way they have drifted; their friction has
// acted there.
template <int D>
void PositionCorrection<D>::add_held(const Stage& stage) {
  if (stage.smooth.persistent.empty()) return;
  for (const PersistentContact<D>& each : stage.smooth.persistent) {
    if (each.holds()) stage.state.pressed.push_back(each.contact);
  }
  sort_by_point(stage.state.pressed);
}

// A contact that lasts acts as it did where the step started: there the surfaces really touched, while at q̃ the
// bodies of a mechanism, whose inertia differs between directions, have parted from it askew. New contacts and
// free bodies take q̃.
template <int D>
void PositionCorrection<D>::choose_directions(const Stage& stage) {
  const std::vector<NonsmoothContact<D>>& pressed = stage.state.pressed;
  directions_ = pressed;
  if (!context_.constrained) return;
  context_.contacts.update_nonsmooth(stage.start.bodies, directions_);
  const long last = context_.contacts.nonsmooth_step();
  for (std::size_t c = 0; c < pressed.size(); ++c) {
    const NonsmoothMemory<D>& memory = context_.contacts.nonsmooth_memory(pressed[c].point);
    if (memory.step != last || !std::isfinite(directions_[c].gap)) directions_[c] = pressed[c];
  }
}

template <int D>
void PositionCorrection<D>::aim(const Stage& stage, bool first) {
  if (holes_.empty()) return;
  const bool turned_away = holes_.aim(multipliers_, contact_system_, now_, directions_);
  if (!first && !turned_away) return;
  contact_system_.build(directions_, stage.smooth.bodies, Level::position);
  contact_system_.respond(equations_.mechanism.matrix());
}

// Contacts that were open before the correction and overlap after it.
template <int D>
bool PositionCorrection<D>::take_in_violated(const Stage& stage) {
  std::vector<NonsmoothContact<D>>& pressed = stage.state.pressed;
  now_.clear();
  for (const NonsmoothContact<D>& contact : stage.state.closed) {
    if (contact.gap >= -gap_tolerance()) continue;
    const auto place = std::lower_bound(pressed.begin(), pressed.end(), contact.point,
                                        [](const NonsmoothContact<D>& each, int point) { return each.point < point; });
    if (place == pressed.end() || place->point != contact.point) now_.push_back(contact);
  }
  if (now_.empty()) return false;
  directions_ = now_;
  context_.contacts.update_nonsmooth(stage.smooth.bodies, now_);
  for (std::size_t c = 0; c < now_.size(); ++c) {
    // One that was lost before, or that is not there at q̃, goes by its material points.
    const bool comes_back = std::find(lost_.begin(), lost_.end(), now_[c].point) != lost_.end();
    if (comes_back || is_lost<D>(now_[c])) {
      now_[c] = carried<D>(directions_[c], stage.state.bodies, stage.smooth.bodies);
      followed_.push_back(now_[c].point);
    }
    pressed.push_back(now_[c]);
  }
  sort_by_point(pressed);
  return true;
}

// Contacts as they are where the correction has led. Those that go by their material points do so from q̃ on.
template <int D>
void PositionCorrection<D>::look_again(const Stage& stage) {
  context_.contacts.update_nonsmooth(stage.state.bodies, now_);
  if (followed_.empty()) return;
  for (std::size_t c = 0; c < now_.size(); ++c) {
    if (std::find(followed_.begin(), followed_.end(), now_[c].point) != followed_.end())
      now_[c] = carried<D>(stage.state.pressed[c], stage.smooth.bodies, stage.state.bodies);
  }
}

// What bears a multiplier by its material points is closed, whatever the surfaces do there: else its bodies would go on
// as if they had not met.
template <int D>
void PositionCorrection<D>::close_followed(const Stage& stage) {
  const std::vector<NonsmoothContact<D>>& pressed = stage.state.pressed;
  std::vector<NonsmoothContact<D>>& closed = stage.state.closed;
  for (std::size_t c = 0; !followed_.empty() && c < pressed.size(); ++c) {
    const int point = pressed[c].point;
    if (!(*multipliers_of(static_cast<int>(c)) > 0)) continue;
    if (std::find(followed_.begin(), followed_.end(), point) == followed_.end()) continue;
    const auto place = std::lower_bound(closed.begin(), closed.end(), point,
                                        [](const NonsmoothContact<D>& each, int k) { return each.point < k; });
    if (place == closed.end() || place->point != point)
      closed.insert(place, carried<D>(pressed[c], stage.smooth.bodies, stage.state.bodies));
  }
}

// Contacts that have left their features on the way, as a corner that has gone round another one. Those that come in
// their place are found where they overlap.
template <int D>
bool PositionCorrection<D>::drop_lost(CorrectedState<D>& state) {
  if (std::none_of(now_.begin(), now_.end(), is_lost<D>)) return false;
  std::size_t next = 0;
  for (const NonsmoothContact<D>& contact : now_) {
    if (is_lost<D>(contact)) lost_.push_back(contact.point);
  }
  std::erase_if(state.pressed, [&](const NonsmoothContact<D>&) { return is_lost<D>(now_[next++]); });
  return true;
}

// In a stack each multiplier closes one contact more. What lies as near as the bodies have been moved is taken in
// beforehand; a contact that does not close has none.
template <int D>
void PositionCorrection<D>::take_in_near(const Stage& stage) {
  std::vector<NonsmoothContact<D>>& pressed = stage.state.pressed;
  double farthest = 0;
  for (Eigen::Index k = 0; k < stage.state.correction.size(); k += dofs)
    farthest = std::max(farthest, stage.state.correction.template segment<D>(k).norm());
  context_.contacts.find_nonsmooth(stage.smooth.bodies, 2 * farthest, now_);
  const auto known = static_cast<std::ptrdiff_t>(pressed.size());
  for (const NonsmoothContact<D>& contact : now_) {
    const auto end = pressed.begin() + known;
    const auto place = std::lower_bound(pressed.begin(), end, contact.point,
                                        [](const NonsmoothContact<D>& each, int point) { return each.point < point; });
    if (place == end || place->point != contact.point) pressed.push_back(contact);
  }
  sort_by_point(pressed);
}

template <int D>
bool PositionCorrection<D>::solve(const Stage& stage) {
  now_ = stage.state.pressed;
  progress_ = {};
  for (const NonsmoothContact<D>& contact : now_) progress_.deepest = std::max(progress_.deepest, -contact.gap);
  double last = 0;
  for (int iteration = 0; iteration < max_correction_iterations; ++iteration) {
    if (iteration > 0) look_again(stage);
    if (std::any_of(now_.begin(), now_.end(), is_lost<D>)) return true;
    equations_.find_joint_residual(stage.smooth, stage.state);
    if (holds(stage, iteration == 0)) return true;
    aim(stage, iteration == 0);
    if (!correct_once(stage)) return false;
    const double moved = equations_.right.head(context_.nv).template lpNorm<Eigen::Infinity>();
    progress_.left = last > 0 ? moved * moved / last : moved;
    last = moved;
  }
  int worst = 0;
  for (int c = 1; c < static_cast<int>(now_.size()); ++c) {
    if (now_[c].gap < now_[worst].gap) worst = c;
  }
  return context_.fail(now_.empty() ? "the joints do not close"
                                    : fmt::format("the bodies cannot be moved apart in {}",
                                                  context_.contacts.point_name(now_[worst].point)));
}

template <int D>
bool PositionCorrection<D>::holds(const Stage& stage, bool first) const {
  const CorrectionEquations<D>& e = equations_;
  if (context_.rows > 0 && !(e.residual.template lpNorm<Eigen::Infinity>() <= 0.1 * context_.gap_tolerance))
    return false;
  if (first) return now_.empty();
  const double tolerance = gap_tolerance();
  for (std::size_t c = 0; c < now_.size(); ++c) {
    const double gap = now_[c].gap;
    const bool closed =
        multipliers_[contact_system_.first_row(static_cast<int>(c))] > 0 || is_held(stage.smooth, now_[c].point);
    if (gap < -tolerance || (closed && gap > tolerance)) return false;
  }
  if (!context_.system.has_forces()) return true;
  // The last movement was made with forces as they were before it. Each is smaller than the one before by about the
  // same factor: the next can be reported.
  const double whole = stage.state.correction.template lpNorm<Eigen::Infinity>();
  const double last = e.right.head(context_.nv).template lpNorm<Eigen::Infinity>();
  return std::min(last, progress_.left) <= std::max(settled_correction * whole, context_.gap_tolerance);
}

// Newton's method with the matrix at q̃.
template <int D>
bool PositionCorrection<D>::correct_once(const Stage& stage) {
  CorrectionEquations<D>& e = equations_;
  const int nv = context_.nv, count = contact_system_.contact_count();
  e.response.setZero();
  if (context_.constrained) {
    e.gather_load(stage.start.h, stage.smooth, stage.state);
    for (int c = 0; c < count; ++c) contact_system_.add_impulse(c, multipliers_of(c), e.load);
    e.right.head(nv) = e.load;
    e.mechanism.solve(e.right);
    e.response = e.right.head(nv);
  }
  if (!context_.constrained && !holes_.empty()) {  // what the multipliers do in their new directions
    e.response = -stage.state.correction;
    for (int c = 0; c < count; ++c) contact_system_.add_response(c, multipliers_of(c), e.response);
  }
  if (count > 0) contact_system_.measure(now_, stage.state.bodies);
  e.load = stage.smooth.travel + stage.state.correction + e.response;
  change_.resize(std::max<std::size_t>(contact_system_.row_count(), ContactRows<D>::most));
  int most = 1;
  progress_.error = 0;
  for (int island = 0; island < contact_system_.islands().count(); ++island) {
    if (!solve_island(stage, island, most)) return false;
  }
  stage.state.iterations += most;
  if (!context_.constrained) e.right.head(nv) = e.response;
  for (int c = 0; c < count; ++c)
    contact_system_.add_response(c, change_.data() + contact_system_.first_row(c), e.right);
  e.advance(stage.smooth, stage.state);
  return true;
}

template <int D>
bool PositionCorrection<D>::solve_island(const Stage& stage, int island, int& most_iterations) {
  const int* contacts = contact_system_.islands().contacts(island);
  chosen_.assign(contacts, contacts + contact_system_.islands().size(island));
  contact_system_.make_problem(chosen_, problem_);
  problem_.negligible = 0.1 * context_.gap_tolerance;
  for (std::size_t k = 0; k < chosen_.size(); ++k) {
    if (is_held(stage.smooth, now_[chosen_[k]].point)) problem_.hold(static_cast<int>(k));
  }
  solution_.impulses.resize(problem_.rows);
  for (std::size_t k = 0; k < chosen_.size(); ++k) {
    const int c = chosen_[k], row = problem_.contacts[k].row;
    const double normal = now_[c].gap + contact_system_.normal_velocity(c, equations_.response);
    contact_system_.velocity(c, equations_.load, problem_.offset.data() + row);
    problem_.offset[row] = normal;
    std::copy_n(multipliers_of(c), contact_system_.rows(c).count, solution_.impulses.data() + row);
  }
  // Offsets are those of no multiplier at all.
  const bool loaded =
      std::any_of(solution_.impulses.begin(), solution_.impulses.end(), [](double p) { return p != 0; });
  for (int i = 0; loaded && i < problem_.rows; ++i) {
    const double* row = problem_.delassus_row(i);
    for (int j = 0; j < problem_.rows; ++j) problem_.offset[i] -= row[j] * solution_.impulses[j];
  }
  carom::solve(problem_, context_.solver, solution_);
  const SolverOutcome& outcome = solution_.outcome;
  most_iterations = std::max({most_iterations, 1, outcome.iterations});
  context_.statistics.line_searches += outcome.cuts,
      context_.statistics.gauss_seidel_iterations += outcome.gauss_seidel_iterations;
  // Absolute where nothing is loaded; relative where no multiplier helps, and impulses grow without end.
  progress_.error =
      std::max(progress_.error, 10 * std::min(solution_.residual.velocity, outcome.residual * progress_.deepest));
  if (!outcome.converged)
    return context_.fail(fmt::format("the position correction of {} did not converge",
                                     context_.contacts.point_name(stage.state.pressed[chosen_[0]].point)));
  for (std::size_t k = 0; k < chosen_.size(); ++k) {
    const int c = chosen_[k], row = problem_.contacts[k].row, first = contact_system_.first_row(c);
    for (int l = 0; l < contact_system_.rows(c).count; ++l) {
      change_[first + l] = solution_.impulses[row + l] - multipliers_[first + l];
      multipliers_[first + l] = solution_.impulses[row + l];
    }
  }
  return true;
}

// Angular velocities are in body axes: turning a body by its correction would turn its angular momentum along. With the
// momentum that it has the turned body may have more energy: that much it does not get.
template <int D>
void PositionCorrection<D>::keep_angular_momentum(CorrectedState<D>& state) const {
  if constexpr (D == 3) {
    const auto& inertia = context_.system.inertia();
    for (std::size_t b = 0; b < inertia.size(); ++b) {
      const Eigen::Vector3d turn = state.correction.template segment<3>(dofs * b + 3);
      if (turn.isZero(0)) continue;
      const BodyInertia<D>& body = inertia[b];
      const Eigen::Matrix3d back = rotation_from_vector(-turn).toRotationMatrix();
      for (Eigen::VectorXd* v : {&state.v, &state.start_v}) {
        auto angular_velocity = v->template segment<3>(dofs * b + 3);
        if (isotropic_[b]) {
          angular_velocity = back * angular_velocity.eval();
          continue;
        }
        const Eigen::Vector3d momentum = back * (body.tensor * angular_velocity).eval();
        const double energy = angular_velocity.dot(body.tensor * angular_velocity);
        angular_velocity = body.inverse_tensor * momentum;
        const double turned = angular_velocity.dot(momentum);
        if (turned > (1 + most_rotation_gain) * energy) angular_velocity *= std::sqrt(energy / turned);
      }
    }
  }
}

template class PositionCorrection<2>;
template class PositionCorrection<3>;

}  // namespace carom::inline nonsmooth_integrators
