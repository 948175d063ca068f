#include <algorithm>
#include <cmath>

#include "integrators/nonsmooth/nonsmooth_step.h"

// Position correction and velocity jump of many contacts between free bodies, by sweeps that start from the impulses of
// the step before.
namespace carom {
namespace {

constexpr std::size_t many_contacts = 30, many_bouncing = 500;
constexpr int most_sweeps = 400;
constexpr double near_fraction = 0.02;  // of the smallest shape: contacts that a correction may close
constexpr double rolling_speed = 1e-9;  // rad/s
constexpr double approach_tolerance = 1e-6;

template <int D>
bool is_isotropic(const BodyInertia<D>& body) {
  return D == 2 || body.inverse_tensor.isApprox(body.inverse_tensor(0, 0) * BodyInertia<D>::SpinMatrix::Identity());
}

}  // namespace

// Impacts that bounce are passed on in small problems, for which sweeps are no gain.
template <int D>
bool NonsmoothStep<D>::sweeps(const std::vector<RigidContact<D>>& contacts) const {
  if (tied_ || contact_solver_ == "direct" || contacts.empty()) return false;
  if (contact_solver_ == "iterative") return true;
  if (contacts.size() <= many_contacts) return false;
  return contacts.size() > many_bouncing || !sequential_ ||
         std::none_of(contacts.begin(), contacts.end(),
                      [&](const RigidContact<D>& contact) { return contacts_.rigid_law(contact.law).restitution > 0; });
}

template <int D>
void NonsmoothStep<D>::place_sweep_bodies(const Bodies<D>& bodies) {
  sweep_.bodies.resize(bodies.size());
  for (std::size_t b = 1; b < bodies.size(); ++b) {
    const BodyInertia<D>& inertia = system_.inertia()[b - 1];
    SweepBody<D>& body = sweep_.bodies[b];
    body.inverse_mass = inertia.inverse_mass;
    body.is_round = is_isotropic(inertia);
    if constexpr (D == 3) {
      if (!body.is_round) {
        const Eigen::Matrix3d& turn = bodies[b].orientation.matrix();
        body.inverse_inertia.noalias() = turn * inertia.inverse_tensor * turn.transpose();
        continue;
      }
    }
    body.inverse_inertia = inertia.inverse_tensor;
  }
}

template <int D>
SweepContact<D> NonsmoothStep<D>::sweep_contact(const RigidContact<D>& contact, Level level) {
  const RigidLaw& law = contacts_.rigid_law(contact.law);
  SweepContact<D> sweep;
  sweep.a = contact.a, sweep.b = contact.b;
  sweep.normal = contact.normal;
  if constexpr (D == 2) {
    sweep.tangent = Eigen::Vector2d(-contact.normal.y(), contact.normal.x());
  } else {
    sweep.tangent = triad_about(contact.normal).col(0);
  }
  sweep.lever_a = contact.lever_a, sweep.lever_b = contact.lever_b;
  sweep.friction = law.friction;
  sweep.offset.setZero();
  sweep.impulse.setZero();
  if (level == Level::velocity && (law.rolling > 0 || law.spinning > 0)) {
    sweep.turning = static_cast<int>(sweep_.turnings.size());
    SweepTurning<D> turning;
    turning.rolling = law.rolling, turning.spinning = law.spinning;
    if (D == 3 && law.coupled && law.friction > 0) turning.lever = law.spinning / law.friction;
    sweep_.turnings.push_back(turning);
  }
  sweep_.set_weights(sweep);
  return sweep;
}

template <int D>
bool NonsmoothStep<D>::sweep_positions() {
  contacts_.find_rigid(smooth_bodies_, near_fraction * contacts_.gap_scale(), pressed_);
  place_sweep_bodies(smooth_bodies_);
  for (SweepBody<D>& body : sweep_.bodies) body.velocity.setZero(), body.spin.setZero();
  sweep_.clear();
  const long last = contacts_.rigid_step();
  const auto travel = [&](int body, const VectorOf<D>& lever) -> VectorOf<D> {
    if (body == 0) return VectorOf<D>::Zero();
    const auto moved = travel_.segment<freedoms>(freedoms * (body - 1));
    const SpinOf<D> turned =
        smooth_bodies_[body].orientation.spin_to_world(SpinOf<D>(moved.template tail<Space<D>::spins>()));
    return moved.template head<D>() + cross(turned, lever);
  };
  for (const RigidContact<D>& contact : pressed_) {
    SweepContact<D> sweep = sweep_contact(contact, Level::position);
    sweep.offset[0] = contact.gap;
    const RigidMemory<D>& memory = contacts_.rigid_memory(contact.point);
    const bool remembered = memory.step == last;
    if (remembered) sweep.impulse[0] = std::max(0.0, contact.normal.dot(memory.correction));
    if (sweep.friction > 0) {
      const VectorOf<D> slip = travel(contact.b, contact.lever_b) - travel(contact.a, contact.lever_a);
      sweep.offset[1] = sweep.tangent.dot(slip);
      if (remembered) sweep.impulse[1] = sweep.tangent.dot(memory.correction);
      if constexpr (D == 3) {
        const VectorOf<D> second = SweepSolver<D>::second_tangent(sweep);
        sweep.offset[2] = second.dot(slip);
        if (remembered) sweep.impulse[2] = second.dot(memory.correction);
      }
    }
    sweep_.contacts.push_back(sweep);
  }
  sweep_.apply_first_guess();
  const double fall = (smooth_v_ - begin_.v).lpNorm<Eigen::Infinity>() * h_ / 2;
  const double tolerance = std::max(sweep_tolerance_ * fall, 0.1 * gap_tolerance_);
  const SweepOutcome outcome = sweep_.solve(tolerance, most_sweeps);
  position_iterations_ = 1;
  statistics_.sweeps += outcome.sweeps;
  correction_.setZero();
  for (std::size_t b = 1; b < smooth_bodies_.size(); ++b) {
    correction_.segment<D>(freedoms * (b - 1)) = sweep_.bodies[b].velocity;
    correction_.segment<Space<D>::spins>(freedoms * (b - 1) + D) =
        smooth_bodies_[b].orientation.spin_to_body(sweep_.bodies[b].spin);
  }
  system_.retract(smooth_q_.data(), correction_.data(), end_.q.data());
  system_.normalise(end_.q.data());
  system_.place(end_.q.data(), nullptr, bodies_);
  // Work against gravity.
  lift_work_.resize(pressed_.size());
  for (std::size_t c = 0; c < pressed_.size(); ++c) {
    const VectorOf<D> impulse = SweepSolver<D>::world(sweep_.contacts[c]);
    contacts_.rigid_memory(pressed_[c].point).correction = impulse;
    double work = 0;
    for (const int body : {pressed_[c].a, pressed_[c].b}) {
      if (body == 0) continue;
      const double sign = body == pressed_[c].b ? 1 : -1;
      work -= sign * system_.inertia()[body - 1].inverse_mass *
              system_.weight().template segment<D>(freedoms * (body - 1)).dot(impulse);
    }
    lift_work_[c] = work;
  }
  contacts_.update_rigid(bodies_, pressed_);
  closed_.clear();
  // A contact that was pushed is closed, whatever is left of its gap: else its bodies would gain speed unnoticed.
  for (std::size_t c = 0; c < pressed_.size(); ++c) {
    if (pressed_[c].gap <= tolerance || sweep_.contacts[c].impulse[0] > 0) closed_.push_back(pressed_[c]);
  }
  return true;
}

template <int D>
bool NonsmoothStep<D>::sweep_velocities() {
  place_sweep_bodies(bodies_);
  const auto set_velocities = [&](const Eigen::VectorXd& v) {
    for (std::size_t b = 1; b < bodies_.size(); ++b) {
      sweep_.bodies[b].velocity = v.segment<D>(freedoms * (b - 1));
      sweep_.bodies[b].spin =
          bodies_[b].orientation.spin_to_world(SpinOf<D>(v.segment<Space<D>::spins>(freedoms * (b - 1) + D)));
    }
  };
  sweep_.clear();
  const long last = contacts_.rigid_step();
  notes_.resize(closed_.size());
  bool bounces = false;
  for (const RigidContact<D>& contact : closed_) {
    sweep_.contacts.push_back(sweep_contact(contact, Level::velocity));
    bounces = bounces || contacts_.rigid_law(contact.law).restitution > 0;
  }
  // Speeds before the step.
  entry_.resize(closed_.size() * D);
  set_velocities(begin_.v);
  for (std::size_t c = 0; c < closed_.size(); ++c) {
    const SweepContact<D>& contact = sweep_.contacts[c];
    const VectorOf<D> relative = sweep_.relative_velocity(contact);
    entry_[D * c] = contact.normal.dot(relative);
    entry_[D * c + 1] = contact.tangent.dot(relative);
    if constexpr (D == 3) entry_[D * c + 2] = SweepSolver<D>::second_tangent(contact).dot(relative);
  }
  set_velocities(smooth_v_);
  smooth_local_.resize(closed_.size() * D);
  double fastest = 0;
  for (std::size_t c = 0; c < closed_.size(); ++c) {
    SweepContact<D>& contact = sweep_.contacts[c];
    const VectorOf<D> relative = sweep_.relative_velocity(contact);
    smooth_local_[D * c] = contact.normal.dot(relative);
    smooth_local_[D * c + 1] = contact.tangent.dot(relative);
    if constexpr (D == 3) smooth_local_[D * c + 2] = SweepSolver<D>::second_tangent(contact).dot(relative);
    fastest = std::max(fastest, -smooth_local_[D * c]);
    notes_[c] = {.approach = std::max(0.0, -entry_[D * c]), .by_load = std::abs(smooth_local_[D * c] - entry_[D * c])};
  }
  const double fall = (smooth_v_ - begin_.v).lpNorm<Eigen::Infinity>();
  negligible_speed_ = 1e-13 * smooth_v_.lpNorm<Eigen::Infinity>();
  const double tolerance = std::max(sweep_tolerance_ * fall, negligible_speed_);
  negligible_speed_ = 2 * tolerance;  // the creep that sweeps leave in a heap at rest is no impact
  const bool all_at_once = !bounces || !sequential_;
  const auto set_offsets = [&](std::size_t c, bool plastic, double changed) {
    const RigidLaw& law = contacts_.rigid_law(closed_[c].law);
    SweepContact<D>& contact = sweep_.contacts[c];
    contact.offset.setZero();
    if (plastic) return;
    contact.offset[0] = law.restitution * std::min(0.0, entry_[D * c] + changed);
    if (law.tangential_restitution != 0) {
      for (int k = 1; k < D; ++k) contact.offset[k] = law.tangential_restitution * entry_[D * c + k];
    }
  };
  // Velocities before a problem, for the work of its impulses.
  before_velocities_.resize(closed_.size()), before_spins_.resize(closed_.size());
  const auto relative_spin = [&](const SweepContact<D>& contact) -> SpinOf<D> {
    return sweep_.bodies[contact.b].spin - sweep_.bodies[contact.a].spin;
  };
  const auto look = [&] {
    for (std::size_t c = 0; c < closed_.size(); ++c) {
      before_velocities_[c] = sweep_.relative_velocity(sweep_.contacts[c]);
      before_spins_[c] = relative_spin(sweep_.contacts[c]);
    }
  };
  jump_work_.assign(closed_.size(), 0.0);
  const auto add_up = [&] {
    for (std::size_t c = 0; c < closed_.size(); ++c) {
      const SweepContact<D>& contact = sweep_.contacts[c];
      const VectorOf<D> impulse = SweepSolver<D>::world(contact);
      notes_[c].impulse += impulse;
      notes_[c].normal += contact.impulse[0];
      jump_work_[c] += 0.5 * impulse.dot(before_velocities_[c] + sweep_.relative_velocity(contact));
      if (contact.turning >= 0)
        jump_work_[c] += 0.5 * sweep_.turnings[contact.turning].impulse.dot(before_spins_[c] + relative_spin(contact));
    }
  };
  look();
  if (all_at_once) {
    for (std::size_t c = 0; c < closed_.size(); ++c) {
      SweepContact<D>& contact = sweep_.contacts[c];
      set_offsets(c, false, 0);
      const RigidMemory<D>& memory = contacts_.rigid_memory(closed_[c].point);
      if (memory.step != last) continue;
      contact.impulse[0] = std::max(0.0, contact.normal.dot(memory.impulse));
      if (contact.friction > 0) {
        contact.impulse[1] = contact.tangent.dot(memory.impulse);
        if constexpr (D == 3) contact.impulse[2] = SweepSolver<D>::second_tangent(contact).dot(memory.impulse);
      }
    }
    sweep_.apply_first_guess();
    statistics_.sweeps += sweep_.solve(tolerance, most_sweeps).sweeps;
    const auto error = sweep_.law_error();
    statistics_.complementarity = std::max(statistics_.complementarity, error.largest);
    add_up();
    statistics_.most_problems = std::max(statistics_.most_problems, 1);
  } else {
    const double limit = std::max(approach_tolerance * fastest, tolerance);
    for (int problem = 0;; ++problem) {
      bool any = false;
      const bool plastic = problem == most_problems(static_cast<int>(closed_.size()));
      for (std::size_t c = 0; c < closed_.size(); ++c) {
        SweepContact<D>& contact = sweep_.contacts[c];
        const double now = contact.normal.dot(sweep_.relative_velocity(contact));
        contact.takes_part = plastic || now < -limit;
        contact.impulse.setZero();
        if (contact.turning >= 0) sweep_.turnings[contact.turning].impulse.setZero();
        set_offsets(c, plastic, now - smooth_local_[D * c]);
        any = any || now < -limit;
      }
      if (!any) break;
      look();
      statistics_.sweeps += sweep_.solve(tolerance, most_sweeps).sweeps;
      statistics_.complementarity = std::max(statistics_.complementarity, sweep_.law_error().largest);
      add_up();
      statistics_.most_problems = std::max(statistics_.most_problems, problem + 1);
      if (plastic) {
        ++statistics_.cut_sequences;
        break;
      }
    }
  }
  velocity_iterations_ = 1;
  for (std::size_t b = 1; b < bodies_.size(); ++b) {
    end_.v.segment<D>(freedoms * (b - 1)) = sweep_.bodies[b].velocity;
    end_.v.segment<Space<D>::spins>(freedoms * (b - 1) + D) =
        bodies_[b].orientation.spin_to_body(sweep_.bodies[b].spin);
  }
  jump_ = end_.v - smooth_v_;
  for (std::size_t c = 0; c < closed_.size(); ++c) {
    const SweepContact<D>& contact = sweep_.contacts[c];
    Note& note = notes_[c];
    const VectorOf<D> relative = sweep_.relative_velocity(contact);
    note.after = contact.normal.dot(relative);
    const double slip = (relative - note.after * contact.normal).norm();
    SpinOf<D> spin = sweep_.bodies[contact.b].spin - sweep_.bodies[contact.a].spin;
    if constexpr (D == 3) spin -= contact.normal.dot(spin) * contact.normal;
    note.status = !(note.normal > 0) || slip > 2 * tolerance
                      ? (note.normal > 0 ? RigidStatus::slip : RigidStatus::stick)
                  : spin.norm() > rolling_speed ? RigidStatus::rolling
                                                : RigidStatus::stick;
  }
  note_work();
  if (!moreau_) system_.place(end_.q.data(), end_.v.data(), bodies_);
  return true;
}

template class NonsmoothStep<2>;
template class NonsmoothStep<3>;

}  // namespace carom
