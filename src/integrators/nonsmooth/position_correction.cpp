#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "integrators/nonsmooth/nonsmooth_step.h"
#include "math/nearest_in_ball.h"

// The second of the three problems of a step: the end of the smooth motion q̃ is moved by U so that joints close and no
// bodies overlap,
//   M U − ½ h² f^p + G̃ᵀ ν = H*ᵀ ξ,   g(q̃ ⊕ U) = 0,   0 ≤ g_N(q̃ ⊕ U) ⊥ ξ_N ≥ 0,   friction on the slip of the step,
// with directions H* of impulses that do not change with U, so that no curvature of the surfaces enters, except in
// round holes: there a step may be much longer than the clearance, and the directions are those of the end. Besides,
//   f^p = f(q, ṽ) − f(q̃, ṽ) − (G − G̃)ᵀ λ̃,
// which spreads the correction over sprung and flexible bodies.
namespace carom {
namespace {

constexpr double share_of_force = 0.5;       // of h²: a change of force during the step displaces by so much
constexpr double settled_correction = 1e-6;  // of the whole
constexpr int max_iterations = 30;
constexpr int max_sweeps = 100;           // over the pushes in round holes, to find their directions
constexpr double settled_landing = 1e-9;  // of the clearance
constexpr int max_rounds = 20;            // of contacts that close because of others
constexpr double same_direction = 1e-7;   // rad: pushes that have turned by less keep the answers of the bodies

}  // namespace

template <int D>
bool NonsmoothStep<D>::correct_positions() {
  contacts_.find_rigid(smooth_bodies_, gap_tolerance_, closed_);
  if (sweeps(closed_)) return sweep_positions();
  pressed_.clear();
  for (const RigidContact<D>& contact : closed_) {
    if (contact.gap < -0.1 * gap_tolerance_) pressed_.push_back(contact);
  }
  note_smooth_gaps();
  expect_lasting();
  correction_.setZero();
  correction_lambda_.setZero();
  bodies_ = smooth_bodies_;
  pushes_.clear();
  lift_work_.assign(pressed_.size(), 0.0);
  if (pressed_.empty() && rows_ == 0) return true;
  if (tied_ && !factor_for_positions()) return false;
  for (int round = 0; round < max_rounds; ++round) {
    choose_directions();
    contact_system_.build(directions_, smooth_bodies_, Level::position);
    find_plays();
    if (plays_.empty()) contact_system_.respond(tied_ ? &matrix_ : nullptr);
    pushes_.assign(contact_system_.row_count(), 0.0);
    correction_.setZero();
    correction_lambda_.setZero();
    end_.q = smooth_q_;
    corrected_ = false;
    bodies_ = smooth_bodies_;
    if (!solve_corrections()) return false;
    contacts_.find_rigid(bodies_, std::max(gap_tolerance_, correction_error_ * deepest_), closed_);
    if (!take_in_violated()) {
      lift_work_.resize(pressed_.size());
      for (int c = 0; c < contact_system_.contact_count(); ++c) {
        const double* pushes = pushes_.data() + contact_system_.first_row(c);
        lift_work_[c] = -contact_system_.work_of_response(c, pushes, system_.weight());
      }
      return true;
    }
  }
  return fail("more and more bodies push each other in one step");
}

// Contacts of a mechanism that were closed and have opened by less than others overlap will close when these are pushed
// apart. Free bodies answer to their neighbours only: there it is cheaper to take in what is violated.
template <int D>
void NonsmoothStep<D>::expect_lasting() {
  if (pressed_.empty() || !tied_) return;
  double deepest = 0;
  for (const RigidContact<D>& contact : pressed_) deepest = std::max(deepest, -contact.gap);
  const long last = contacts_.rigid_step();
  const std::size_t before = pressed_.size();
  contacts_.find_rigid(smooth_bodies_, deepest, pressed_now_);
  for (const RigidContact<D>& contact : pressed_now_) {
    const RigidMemory<D>& memory = contacts_.rigid_memory(contact.point);
    if (contact.gap < -0.1 * gap_tolerance_) continue;
    if (memory.step == last && memory.status != RigidStatus::open) pressed_.push_back(contact);
  }
  if (pressed_.size() > before) sort_pressed();
}

template <int D>
void NonsmoothStep<D>::sort_pressed() {
  std::sort(pressed_.begin(), pressed_.end(),
            [](const RigidContact<D>& a, const RigidContact<D>& b) { return a.point < b.point; });
}

// Of contacts that close by themselves; those that others close have theirs near zero.
template <int D>
void NonsmoothStep<D>::note_smooth_gaps() {
  smooth_gaps_.clear();
  for (const RigidContact<D>& contact : pressed_) smooth_gaps_.emplace_back(contact.point, contact.gap);
}

template <int D>
bool NonsmoothStep<D>::factor_for_positions() {
  return matrix_.factor({.mass = 1, .damping = 0, .stiffness = share_of_force * h_ * h_}, system_.mass(),
                        smooth_.damping(), smooth_.stiffness(),
                        system_.constraint_jacobian(end_.t, smooth_q_.data())) ||
         fail("the matrix of the position correction is singular");
}

// A contact that lasts pushes as it did where the step began: there the surfaces really touched, while at q̃ the bodies
// of a mechanism, which answer differently in different directions, have parted from it askew. New contacts and free
// bodies take q̃.
template <int D>
void NonsmoothStep<D>::choose_directions() {
  directions_ = pressed_;
  if (!tied_) return;
  contacts_.update_rigid(begin_bodies_, directions_);
  const long last = contacts_.rigid_step();
  for (std::size_t c = 0; c < pressed_.size(); ++c) {
    const RigidMemory<D>& memory = contacts_.rigid_memory(pressed_[c].point);
    if (memory.step != last || !std::isfinite(directions_[c].gap)) directions_[c] = pressed_[c];
  }
}

template <int D>
void NonsmoothStep<D>::find_plays() {
  plays_.clear();
  centres_.clear();
  for (std::size_t c = 0; c < pressed_.size(); ++c) {
    const auto play = contacts_.rigid_play(pressed_[c].point, smooth_bodies_);
    if (!play) continue;
    plays_.push_back({.contact = static_cast<int>(c), .play = *play});
    centres_.push_back(pressed_[c]);
    centres_.back().lever_a += play->radius_a * pressed_[c].normal;
    centres_.back().lever_b += play->radius_b * pressed_[c].normal;
  }
  if (plays_.empty()) return;
  contact_system_.compliance(centres_, smooth_bodies_, tied_ ? &matrix_ : nullptr, play_response_);
  for (std::size_t k = 0; k < plays_.size(); ++k) {
    // Nothing pushes along the axis of a bore.
    const VectorOf<D>& axis = plays_[k].play.axis;
    auto rows = play_response_.middleRows<D>(D * k);
    rows -= (axis * (axis.transpose() * rows)).eval();
    auto columns = play_response_.middleCols<D>(D * k);
    columns -= ((columns * axis) * axis.transpose()).eval();
  }
}

// In a hole whose clearance is far smaller than the way of a step the wall bends away under any direction chosen
// beforehand. What is known are the distances of the centres that the step would have without pushes, and how they
// answer to pushes: of all points of the wall the nearest in the metric of the masses is where the push acts, and its
// tangent is what the gap is measured from. For a vanishing clearance this is an ideal joint.
template <int D>
void NonsmoothStep<D>::aim(bool first) {
  if (plays_.empty()) return;
  bool turned_away = first;
  const auto response = [&](std::size_t i, std::size_t j) { return play_response_.block<D, D>(D * i, D * j); };
  for (std::size_t k = 0; k < plays_.size(); ++k) {
    Play& each = plays_[k];
    const RigidContact<D>& now = pressed_now_[each.contact];
    each.push = pushes_[contact_system_.first_row(each.contact)] * directions_[each.contact].normal;
    each.landing = -(each.play.clearance - now.gap) * now.normal;
  }
  for (std::size_t k = 0; k < plays_.size(); ++k) {
    plays_[k].unpushed = plays_[k].landing;
    for (std::size_t l = 0; l < plays_.size(); ++l) plays_[k].unpushed -= response(k, l) * plays_[l].push;
  }
  find_landings();
  for (std::size_t k = 0; k < plays_.size(); ++k) {
    const Play& each = plays_[k];
    RigidContact<D>&now = pressed_now_[each.contact], &direction = directions_[each.contact];
    if (each.push.isZero(0)) continue;  // it will be open
    const VectorOf<D> apart = -(each.play.clearance - now.gap) * now.normal;
    turned_away = turned_away || (direction.normal + each.landing.normalized()).norm() > same_direction;
    direction = centres_[k];
    direction.normal = -each.landing.normalized();
    direction.lever_a -= each.play.radius_a * direction.normal;
    direction.lever_b -= each.play.radius_b * direction.normal;
    const VectorOf<D> turned = direction.normal - now.normal;
    now.gap = each.play.clearance + direction.normal.dot(apart);
    now.normal = direction.normal;
    now.lever_a -= each.play.radius_a * turned;
    now.lever_b -= each.play.radius_b * turned;
  }
  if (!turned_away) return;
  contact_system_.build(directions_, smooth_bodies_, Level::position);
  contact_system_.respond(tied_ ? &matrix_ : nullptr);
}

// Each in turn, the pushes of the others given.
template <int D>
void NonsmoothStep<D>::find_landings() {
  for (int sweep = 0; sweep < max_sweeps; ++sweep) {
    double moved = 0;
    for (std::size_t k = 0; k < plays_.size(); ++k) {
      Play& each = plays_[k];
      VectorOf<D> start = each.unpushed;
      for (std::size_t l = 0; l < plays_.size(); ++l) {
        if (l != k) start += play_response_.block<D, D>(D * k, D * l) * plays_[l].push;
      }
      const auto nearest = nearest_in_ball<D>(play_response_.block<D, D>(D * k, D * k), start, each.play.clearance);
      moved = std::max(moved, (nearest.point - each.landing).norm() / each.play.clearance);
      each.landing = nearest.point, each.push = nearest.push();
    }
    if (plays_.size() == 1 || moved < settled_landing) return;
  }
}

// Contacts that were open before the correction and overlap after it.
template <int D>
bool NonsmoothStep<D>::take_in_violated() {
  pressed_now_.clear();
  for (const RigidContact<D>& contact : closed_) {
    if (contact.gap >= -std::max(gap_tolerance_, correction_error_ * deepest_)) continue;
    const auto place = std::lower_bound(pressed_.begin(), pressed_.end(), contact.point,
                                        [](const RigidContact<D>& each, int point) { return each.point < point; });
    if (place == pressed_.end() || place->point != contact.point) pressed_now_.push_back(contact);
  }
  if (pressed_now_.empty()) return false;
  contacts_.update_rigid(smooth_bodies_, pressed_now_);
  const std::size_t before = pressed_.size();
  for (const RigidContact<D>& contact : pressed_now_) {
    if (std::isfinite(contact.gap)) pressed_.push_back(contact);
  }
  sort_pressed();
  return pressed_.size() > before;
}

template <int D>
bool NonsmoothStep<D>::solve_corrections() {
  pressed_now_ = pressed_;
  correction_error_ = deepest_ = 0;
  for (const RigidContact<D>& contact : pressed_) deepest_ = std::max(deepest_, -contact.gap);
  double last = 0;
  for (int iteration = 0; iteration < max_iterations; ++iteration) {
    if (iteration > 0) contacts_.update_rigid(bodies_, pressed_now_);
    if (rows_ > 0) system_.position_residual(end_.t, end_.q.data(), residual_);
    if (corrections_hold(iteration == 0)) return true;
    aim(iteration == 0);
    if (!correct_once()) return false;
    const double moved = right_.head(nv_).lpNorm<Eigen::Infinity>();
    left_to_correct_ = last > 0 ? moved * moved / last : moved;
    last = moved;
  }
  int worst = 0;
  for (int c = 1; c < static_cast<int>(pressed_now_.size()); ++c) {
    if (pressed_now_[c].gap < pressed_now_[worst].gap) worst = c;
  }
  return fail(pressed_now_.empty() ? "the joints do not close"
                                   : fmt::format("the bodies cannot be moved apart in {}",
                                                 contacts_.point_name(pressed_now_[worst].point)));
}

template <int D>
bool NonsmoothStep<D>::corrections_hold(bool first) {
  if (rows_ > 0 && !(residual_.lpNorm<Eigen::Infinity>() <= 0.1 * gap_tolerance_)) return false;
  if (first) return pressed_now_.empty();
  for (std::size_t c = 0; c < pressed_now_.size(); ++c) {
    const double gap = pressed_now_[c].gap;
    const double tolerance = std::max(gap_tolerance_, correction_error_ * deepest_);
    if (gap < -tolerance || (pushes_[contact_system_.first_row(static_cast<int>(c))] > 0 && gap > tolerance))
      return false;
  }
  if (!system_.has_forces()) return true;
  // The last movement was made with forces as they were before it. Each is smaller than the one before by about the
  // same factor: the next can be told.
  const double whole = correction_.lpNorm<Eigen::Infinity>(), last = right_.head(nv_).lpNorm<Eigen::Infinity>();
  return std::min(last, left_to_correct_) <= std::max(settled_correction * whole, gap_tolerance_);
}

// What the joints and forces ask for besides the pushes → load_ and the last rows of right_.
template <int D>
void NonsmoothStep<D>::gather_correction_load() {
  if (corrected_) {
    load_change(end_.q, smooth_v_);
    load_ *= share_of_force * h_ * h_;
    load_.noalias() -= system_.mass() * correction_;
  } else {
    load_.setZero();
  }
  if (rows_ == 0) return;
  right_.tail(rows_) = -residual_;
  if (corrected_)
    load_.noalias() -= system_.constraint_jacobian(end_.t, smooth_q_.data()).transpose() * correction_lambda_;
}

// Newton's method with the matrix at q̃.
template <int D>
bool NonsmoothStep<D>::correct_once() {
  response_.setZero();
  if (tied_) {
    gather_correction_load();
    for (int c = 0; c < contact_system_.contact_count(); ++c)
      contact_system_.add_impulse(c, pushes_.data() + contact_system_.first_row(c), load_);
    right_.head(nv_) = load_;
    matrix_.solve(right_);
    response_ = right_.head(nv_);
  }
  if (!tied_ && !plays_.empty()) {  // what the pushes do in their new directions
    response_ = -correction_;
    for (int c = 0; c < contact_system_.contact_count(); ++c)
      contact_system_.add_response(c, pushes_.data() + contact_system_.first_row(c), response_);
  }
  if (contact_system_.contact_count() > 0) contact_system_.measure(pressed_now_, bodies_);
  load_ = travel_ + correction_ + response_;
  local_.resize(std::max<std::size_t>(contact_system_.row_count(), ContactRows<D>::most));
  earlier_.resize(ContactRows<D>::most);
  int most = 1;
  for (int island = 0; island < contact_system_.islands().count(); ++island) {
    const int* contacts = contact_system_.islands().contacts(island);
    chosen_.assign(contacts, contacts + contact_system_.islands().size(island));
    contact_system_.make_problem(chosen_, problem_);
    problem_.negligible = 0.1 * gap_tolerance_;
    solution_.resize(problem_.rows);
    for (std::size_t k = 0; k < chosen_.size(); ++k) {
      const int c = chosen_[k], row = problem_.contacts[k].row, first = contact_system_.first_row(c);
      contact_system_.velocity(c, response_, earlier_.data());
      const double normal = pressed_now_[c].gap + earlier_[0];
      contact_system_.velocity(c, load_, problem_.offset.data() + row);
      problem_.offset[row] = normal;
      std::copy_n(pushes_.data() + first, contact_system_.rows(c).count, solution_.data() + row);
    }
    // Offsets are those of no push at all.
    for (int i = 0; i < problem_.rows; ++i) {
      const double* row = problem_.delassus_row(i);
      for (int j = 0; j < problem_.rows; ++j) problem_.offset[i] -= row[j] * solution_[j];
    }
    const SolverOutcome outcome = solver_.solve(problem_, solution_);
    most = std::max({most, 1, outcome.iterations});
    statistics_.line_searches += outcome.cuts, statistics_.sweeps += outcome.sweeps;
    correction_error_ = std::max(correction_error_, 10 * outcome.residual);
    if (!outcome.converged)
      return fail(fmt::format("the position correction of {} did not converge",
                              contacts_.point_name(pressed_[chosen_[0]].point)));
    for (std::size_t k = 0; k < chosen_.size(); ++k) {
      const int c = chosen_[k], row = problem_.contacts[k].row, first = contact_system_.first_row(c);
      for (int l = 0; l < contact_system_.rows(c).count; ++l) {
        local_[first + l] = solution_[row + l] - pushes_[first + l];
        pushes_[first + l] = solution_[row + l];
      }
    }
  }
  position_iterations_ += most;
  if (!tied_) right_.head(nv_) = response_;
  for (int c = 0; c < contact_system_.contact_count(); ++c)
    contact_system_.add_response(c, local_.data() + contact_system_.first_row(c), right_);
  correction_ += right_.head(nv_);
  correction_lambda_ += right_.tail(rows_);
  place_corrected();
  return true;
}

template <int D>
void NonsmoothStep<D>::place_corrected() {
  system_.retract(smooth_q_.data(), correction_.data(), end_.q.data());
  system_.normalise(end_.q.data());
  system_.place(end_.q.data(), nullptr, bodies_);
  corrected_ = true;
}

template class NonsmoothStep<2>;
template class NonsmoothStep<3>;

}  // namespace carom
