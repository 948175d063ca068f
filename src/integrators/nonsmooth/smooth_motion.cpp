#include "integrators/nonsmooth/smooth_motion.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "integrators/nonsmooth/scheme.h"

namespace carom::inline nonsmooth_integrators {
namespace {

constexpr double noticed_rotation_gain = 1e-3;  // of the energy of rotation, in a step
constexpr double negligible_gain = 1e-4;        // of the energy of flight
constexpr double most_turn = 0.05;              // rad, of a part of a free rotation
constexpr double most_parts = 10'000;
constexpr double look_within = 100;  // gap tolerances: what corrections leave

}  // namespace

template <int D>
SmoothMotion<D>::SmoothMotion(StepContext<D>& context, const SolverSettings& settings)
    : context_(context),
      system_(context.system),
      alpha_(context.system, settings, context.scheme.coefficients, AlphaStep::Level::velocity, context.counts,
             AlphaStep::Reuse::for_two_iterations),
      persistent_(context, alpha_.coefficients()) {
  no_jerk_.setZero(context.nv);
  const std::vector<bool> constrained = system_.constrained_bodies();
  for (std::size_t b = 0; D == 3 && b < system_.inertia().size(); ++b) {
    if (!constrained[b + 1] && !is_isotropic<D>(system_.inertia()[b])) turning_.push_back(b);
  }
  way_.setZero(context.nv);
  sizes_ = context.contacts.smallest_shapes(static_cast<int>(system_.inertia().size()) + 1);
  least_size_ = *std::min_element(sizes_.begin(), sizes_.end());
}

template <int D>
void SmoothMotion<D>::restart(SmoothState<D>& state) {
  alpha_.forget_matrix();
  persistent_.restart();
  state.persistent.clear();
  for (auto* vector : {&state.load, &state.reaction, &state.travel}) vector->setZero(context_.nv);
}

template <int D>
bool SmoothMotion<D>::run(Scheme<D>& scheme, StepStart<D>& start, double t_end, SmoothState<D>& state) {
  state.iterations = 0;
  if (!scheme.move(context_, *this, start, t_end, state)) return false;
  system_.place(state.end.q.data(), state.end.v.data(), state.bodies);
  look_along_path(start, state);
  return true;
}

// The pairs on the way, not only those near its end. At a midpoint the bodies are half way there. Walls of half spaces
// and holes have no other side: what went into them is still there at the end.
template <int D>
void SmoothMotion<D>::look_along_path(StepStart<D>& start, SmoothState<D>& state) {
  ContactSet<D>& contacts = context_.contacts;
  if (contacts.empty() || std::isinf(contacts.thinnest_shape())) return;
  path_end_ = state.end.q;
  if (context_.scheme.at_midpoint) {
    system_.retract(start.point.q.data(), state.travel.data(), path_end_.data());
    system_.place(path_end_.data(), nullptr, path_bodies_);
  }
  const StraightMotion path = path_from(start);
  StartSearch<D>& search = system_.start_search();
  search.start(path, state.bodies.size());
  farthest_ = search.largest_travel();
  refresh(farthest_, start, state);
  contacts.find_crossed(search, context_.scheme.at_midpoint ? path_bodies_ : state.bodies, context_.gap_tolerance,
                        context_.scheme.at_midpoint, !context_.in_heap);
}

// To where the path ends.
template <int D>
StraightMotion SmoothMotion<D>::path_from(const StepStart<D>& start) {
  if constexpr (D == 3) {  // both ends on the same side of the sphere of quaternions
    for (Eigen::Index k = 3; k < path_end_.size(); k += 7) {
      if (path_end_.template segment<4>(k).dot(start.point.q.template segment<4>(k)) < 0)
        path_end_.template segment<4>(k) *= -1;
    }
  }
  return StraightMotion(start.point.q.data(), path_end_.data());
}

template <int D>
int SmoothMotion<D>::find_passed(const StepStart<D>& start, const CorrectedState<D>& corrected) {
  ContactSet<D>& contacts = context_.contacts;
  const double thin = contacts.thinnest_shape(), reach = 4 * (1 + context_.length);
  const bool crossed = contacts.crossed_count() > 0;
  if (!crossed && corrected.correction.squaredNorm() * reach * reach < thin * thin) return -1;
  double farthest = 0;  // m
  for (Eigen::Index k = 0; k < context_.nv; k += dofs) {
    farthest = std::max(
        farthest, corrected.correction.template segment<D>(k).norm() +
                      context_.length * corrected.correction.template segment<Space<D>::rotational_dofs>(k + D).norm());
  }
  if (!crossed && !(4 * farthest > thin)) return -1;
  path_end_ = corrected.q;
  const StraightMotion path = path_from(start);
  StartSearch<D>& search = system_.start_search();
  search.start(path, corrected.bodies.size());
  return contacts.find_passed(search, corrected.bodies, look_within * context_.gap_tolerance);
}

// Points may get other numbers.
template <int D>
void SmoothMotion<D>::refresh(double travel, StepStart<D>& start, SmoothState<D>& state) {
  ContactSet<D>& contacts = context_.contacts;
  if (!contacts.pairs_change()) return;
  const auto make_list = [&] { return contacts.refresh_for(start.bodies, travel) || contacts.refresh(state.bodies); };
  if (start.resting.empty()) {
    make_list();
    return;
  }
  old_points_.clear();
  for (const NonsmoothContact<D>& contact : start.resting) {
    old_points_.push_back(contact.point);
    contacts.nonsmooth_memory(contact.point).mark = static_cast<int>(old_points_.size());
  }
  const bool renumbered = make_list();
  for (std::size_t c = 0; c < start.resting.size(); ++c) {
    if (!renumbered) contacts.nonsmooth_memory(old_points_[c]).mark = 0;
    if (renumbered) start.resting[c].point = -1;
  }
  if (!renumbered) return;
  for (int point = 0; point < contacts.point_count(); ++point) {
    const int mark = std::exchange(contacts.nonsmooth_memory(point).mark, 0);
    if (mark > 0) start.resting[mark - 1].point = point;
  }
  persistent_.renumber(old_points_, start, state);
  std::erase_if(start.resting, [](const NonsmoothContact<D>& contact) { return contact.point < 0; });
}

// With the forces of contacts that stay closed; false: there are none, or no such motion.
template <int D>
bool SmoothMotion<D>::move_with_contacts(StepStart<D>& start, double t_end, SmoothState<D>& state) {
  if (persistent_.empty()) return false;
  const long before = context_.counts.newton_iterations;
  if (!alpha_.solve(start.point, state.end, no_jerk_, t_end, &persistent_)) {
    alpha_.forget_matrix();
    return false;
  }
  state.iterations = static_cast<int>(context_.counts.newton_iterations - before);
  persistent_.hand_on(start, state);
  return !persistent_.gains(start, state);
}

template <int D>
bool SmoothMotion<D>::move(StepStart<D>& start, double t_end, SmoothState<D>& state) {
  if (!persistent_.choose(start)) return false;
  if (move_with_contacts(start, t_end, state)) {
    // Found.
  } else if (!persistent_.empty() && !persistent_.give_up(start)) {
    return false;
  } else if (context_.forces_vary) {
    const long before = context_.counts.newton_iterations;
    const bool found = alpha_.solve(start.point, state.end, no_jerk_, t_end);
    state.iterations = static_cast<int>(context_.counts.newton_iterations - before);
    if (!found) alpha_.forget_matrix();
    const bool gained = found && gains(start, state);
    if (gained && context_.constrained && context_.last_attempt) {
      keep_energy(start, state);
    } else if (!found || gained) {
      if (context_.constrained || !context_.last_attempt)
        return context_.fail(found ? "a body turns too far in a step"
                                   : "the smooth motion between contacts was not found");
      turn_freely(start, t_end, state);
    }
  } else {
    fall_freely(start, t_end, state);
  }
  system_.normalise(state.end.q.data());
  persistent_.hand_on(start, state);
  if (context_.forces_vary || !persistent_.empty()) state.load = alpha_.load();
  if (context_.rows > 0)
    state.reaction.noalias() = system_.constraint_jacobian(t_end, state.end.q.data()).transpose() * state.end.lambda;
  system_.increment(start.point.q.data(), state.end.q.data(), state.travel.data());
  return true;
}

// Of a body after the smooth motion, over what it was. What it gains beside the energy of its flight, or of its fall in
// a step, is none: the rotation of a body that all but rests has no energy of its own to compare with.
template <int D>
double SmoothMotion<D>::rotation_gain(const StepStart<D>& start, const SmoothState<D>& state, std::size_t body) const {
  const BodyInertia<D>& inertia = system_.inertia()[body];
  const auto energy = [&](const Eigen::VectorXd& v) -> double {
    const AngularOf<D> angular_velocity = v.template segment<Space<D>::rotational_dofs>(dofs * body + D);
    return angular_velocity.dot(inertia.tensor * angular_velocity);
  };
  const double before = energy(start.point.v), after = energy(state.end.v);
  if (!(after > before)) return 1;
  const VectorOf<D> fall = inertia.inverse_mass * start.h * system_.weight().template segment<D>(dofs * body);
  const double flight =
      (start.point.v.template segment<D>(dofs * body).squaredNorm() + fall.squaredNorm()) / inertia.inverse_mass;
  return after - before > negligible_gain * flight ? after / before : 1;
}

// The rotation of a free body keeps its energy, but that of generalized-α may gain where it turns far in a step:
// shorter ones are asked for.
template <int D>
bool SmoothMotion<D>::gains(const StepStart<D>& start, const SmoothState<D>& state) const {
  return std::any_of(turning_.begin(), turning_.end(), [&](std::size_t body) {
    return !(rotation_gain(start, state, body) <= 1 + noticed_rotation_gain);
  });
}

template <int D>
void SmoothMotion<D>::keep_energy(const StepStart<D>& start, SmoothState<D>& state) const {
  for (const std::size_t body : turning_) {
    const double gain = rotation_gain(start, state, body);
    if (gain > 1) state.end.v.template segment<Space<D>::rotational_dofs>(dofs * body + D) /= std::sqrt(gain);
  }
}

// Where there are no shorter steps any more: under the weight alone, with the rotation of Euler's equations in as many
// parts as it needs, and with the energy that it had.
template <int D>
void SmoothMotion<D>::turn_freely(const StepStart<D>& start, double t_end, SmoothState<D>& state) {
  fall_freely(start, t_end, state);
  if constexpr (D == 3) {
    AlphaPoint& end = state.end;
    for (std::size_t b = 0; b < system_.inertia().size(); ++b) {
      const BodyInertia<D>& body = system_.inertia()[b];
      const auto rate = [&](const Eigen::Vector3d& angular_velocity) -> Eigen::Vector3d {
        return -body.inverse_tensor * angular_velocity.cross(Eigen::Vector3d(body.tensor * angular_velocity));
      };
      Eigen::Vector3d angular_velocity = start.point.v.template segment<3>(dofs * b + 3);
      const double energy = angular_velocity.dot(body.tensor * angular_velocity);
      const auto place = static_cast<Eigen::Index>(7 * b + 3);
      const auto& q = start.point.q;
      Eigen::Quaterniond turn(q[place], q[place + 1], q[place + 2], q[place + 3]);
      const double parts = std::clamp(std::ceil(angular_velocity.norm() * start.h / most_turn), 1.0, most_parts);
      const double h = start.h / parts;
      for (int k = 0; k < static_cast<int>(parts); ++k) {
        const Eigen::Vector3d middle = angular_velocity + 0.5 * h * rate(angular_velocity);
        turn = turn * rotation_from_vector(Eigen::Vector3d(h * middle));
        angular_velocity += h * rate(middle);
        const double now = angular_velocity.dot(body.tensor * angular_velocity);
        if (now > 0) angular_velocity *= std::sqrt(energy / now);
      }
      turn.normalize();
      end.q.template segment<4>(place) << turn.w(), turn.x(), turn.y(), turn.z();
      end.v.template segment<3>(dofs * b + 3) = angular_velocity;
      end.acceleration.template segment<3>(dofs * b + 3) = end.a.template segment<3>(dofs * b + 3) =
          rate(angular_velocity);
    }
  }
}

// Bodies under their weight alone: the accelerations are known, and nothing is to be solved.
template <int D>
void SmoothMotion<D>::fall_freely(const StepStart<D>& start, double t_end, SmoothState<D>& state) {
  const AlphaCoefficients& c = alpha_.coefficients();
  const AlphaPoint& begin = start.point;
  AlphaPoint& end = state.end;
  const double h = start.h;
  end.t = t_end;
  end.step = h;
  end.acceleration = begin.acceleration, end.a = begin.a, end.lambda = begin.lambda;
  end.a = ((1 - c.alpha_f) * end.acceleration + c.alpha_f * begin.acceleration - c.alpha_m * begin.a) / (1 - c.alpha_m);
  end.v = begin.v + h * ((1 - c.gamma) * begin.a + c.gamma * end.a);
  way_ = h * begin.v + h * h * (c.early * begin.a + c.beta * end.a);
  system_.retract(begin.q.data(), way_.data(), end.q.data());
  state.iterations = 1;
}

template <int D>
void SmoothMotion<D>::renew_accelerations(const Eigen::VectorXd& jump, const std::vector<NonsmoothContact<D>>& resting,
                                          AlphaPoint& point) const {
  if constexpr (D == 3) {
    for (const std::size_t b : turning_) {
      const auto own = static_cast<Eigen::Index>(dofs * b + 3);
      const int number = static_cast<int>(b) + 1;
      if (jump.template segment<3>(own).isZero(0)) continue;
      if (std::any_of(resting.begin(), resting.end(),
                      [&](const NonsmoothContact<D>& each) { return each.a == number || each.b == number; }))
        continue;
      const BodyInertia<D>& body = system_.inertia()[b];
      const Eigen::Vector3d omega = point.v.template segment<3>(own);
      point.acceleration.template segment<3>(own) = point.a.template segment<3>(own) =
          -body.inverse_tensor * omega.cross(Eigen::Vector3d(body.tensor * omega));
    }
  }
}

template <int D>
int SmoothMotion<D>::fast_body(const SmoothState<D>& state, const std::vector<NonsmoothContact<D>>& contacts) const {
  if (contacts.empty() || farthest_ < least_size_) return 0;
  for (const NonsmoothContact<D>& contact : contacts) {
    for (const int body : {contact.a, contact.b}) {
      if (body == 0) continue;
      const double size = sizes_[body];
      if (state.travel.template segment<D>(dofs * (body - 1)).squaredNorm() > size * size) return body;
    }
  }
  return 0;
}

template class SmoothMotion<2>;
template class SmoothMotion<3>;

}  // namespace carom::inline nonsmooth_integrators
