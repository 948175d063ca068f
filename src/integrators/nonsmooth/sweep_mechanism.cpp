#include <algorithm>

#include "integrators/nonsmooth/nonsmooth_step.h"

// The bodies of a mechanism among those that are swept.
namespace carom {
namespace {

constexpr double fixed_share = 1e-9;  // of the answer of a free body: it is driven

}  // namespace

// In the hole of a mechanism's joint the push must find its direction together with its size.
template <int D>
bool NonsmoothStep<D>::has_play(const std::vector<RigidContact<D>>& contacts) const {
  return tied_ && std::any_of(contacts.begin(), contacts.end(), [&](const RigidContact<D>& contact) {
           return contacts_.rigid_play(contact.point, smooth_bodies_).has_value();
         });
}

// How the tied bodies answer to impulses and moments in world axes, by the matrix of the problem at hand.
template <int D>
void NonsmoothStep<D>::find_tied_response(const Bodies<D>& bodies) {
  constexpr int spins = Space<D>::spins;
  const auto count = static_cast<int>(tied_bodies_.size());
  Eigen::MatrixXd& response = tied_response_;
  response.resize(freedoms * count, freedoms * count);
  for (int column = 0; column < freedoms * count; ++column) {
    const int pushed = tied_bodies_[column / freedoms], k = column % freedoms;
    right_.setZero();
    auto own = right_.segment<freedoms>(freedoms * (pushed - 1));
    if (k < D) {
      own[k] = 1;
    } else {
      own.template tail<spins>() = bodies[pushed].orientation.spin_to_body(SpinOf<D>(SpinOf<D>::Unit(k - D)));
    }
    matrix_.solve(right_);
    for (int row = 0; row < count; ++row) {
      const auto moved = right_.segment<freedoms>(freedoms * (tied_bodies_[row] - 1));
      response.block<D, 1>(freedoms * row, column) = moved.template head<D>();
      response.block<spins, 1>(freedoms * row + D, column) =
          bodies[tied_bodies_[row]].orientation.spin_to_world(SpinOf<D>(moved.template tail<spins>()));
    }
  }
  sweep_.tied_bodies.clear();
  tied_places_.clear();
  for (int k = 0; k < count; ++k) {
    const BodyInertia<D>& inertia = system_.inertia()[tied_bodies_[k] - 1];
    const auto own = response.diagonal().segment<freedoms>(freedoms * k);
    const bool shifts = own.template head<D>().maxCoeff() > fixed_share * inertia.inverse_mass;
    const bool turns = own.template tail<spins>().maxCoeff() > fixed_share * inertia.inverse_tensor.trace();
    SweepBody<D>& body = sweep_.bodies[tied_bodies_[k]];
    body.inverse_mass = 0, body.is_round = false, body.tied = -1;
    body.inverse_inertia.setZero();
    if (!shifts && !turns) continue;
    body.tied = static_cast<int>(sweep_.tied_bodies.size());
    sweep_.tied_bodies.push_back(tied_bodies_[k]);
    for (int j = 0; j < freedoms; ++j) tied_places_.push_back(freedoms * k + j);
  }
  sweep_.tied_response = response(tied_places_, tied_places_);
}

// Adds the impulses of the sweeps, as they are now, to generalised ones.
template <int D>
void NonsmoothStep<D>::add_sweep_impulses(const Bodies<D>& bodies, Eigen::VectorXd& sum) const {
  for (const SweepContact<D>& contact : sweep_.contacts) {
    const VectorOf<D> impulse = SweepSolver<D>::world(contact);
    const auto add = [&](int body, const VectorOf<D>& lever, double sign) {
      if (body == 0) return;
      SpinOf<D> torque = cross(lever, impulse);
      if (contact.turning >= 0) torque += sweep_.turnings[contact.turning].impulse;
      sum.segment<D>(freedoms * (body - 1)) += sign * impulse;
      sum.segment<Space<D>::spins>(freedoms * (body - 1) + D) += sign * bodies[body].orientation.spin_to_body(torque);
    };
    add(contact.a, contact.lever_a, -1);
    add(contact.b, contact.lever_b, 1);
  }
}

// Newton's method for joints and forces, with sweeps for the contacts in each step of it.
template <int D>
bool NonsmoothStep<D>::sweep_mechanism_positions(double tolerance) {
  end_.q = smooth_q_;
  corrected_ = false;
  const double joints_close = 0.1 * gap_tolerance_;
  if (rows_ > 0) system_.position_residual(end_.t, end_.q.data(), residual_);
  for (int round = 0; round < most_rounds; ++round) {
    gather_correction_load();
    const auto solve_with_pushes = [&] {
      if (rows_ > 0) right_.tail(rows_) = -residual_;
      right_.head(nv_) = load_;
      pushed_.setZero();
      add_sweep_impulses(smooth_bodies_, pushed_);
      right_.head(nv_) += pushed_;
      matrix_.solve(right_);
    };
    solve_with_pushes();
    response_ = correction_ + right_.head(nv_);
    set_sweep_velocities(smooth_bodies_, response_);
    statistics_.sweeps += sweep_.solve(tolerance, most_sweeps).sweeps;
    solve_with_pushes();
    correction_ += right_.head(nv_);
    correction_lambda_ += right_.tail(rows_);
    ++position_iterations_;
    place_corrected();
    if (rows_ > 0) system_.position_residual(end_.t, end_.q.data(), residual_);
    const bool closed = rows_ == 0 || residual_.lpNorm<Eigen::Infinity>() <= joints_close;
    const bool still = !system_.has_forces() || right_.head(nv_).lpNorm<Eigen::Infinity>() <= 0.1 * tolerance;
    if (closed && still) return true;
  }
  return fail("the joints do not close while bodies are moved apart");
}

// Joints and forces take their share of the impulses so far. The largest change that this makes to the velocities
// that the sweeps have found.
template <int D>
double NonsmoothStep<D>::follow_mechanism() {
  free_jump();
  end_.v = smooth_v_ + jump_;
  take_sweep_velocities(bodies_, response_);
  set_sweep_velocities(bodies_, end_.v);
  return (end_.v - response_).lpNorm<Eigen::Infinity>();
}

template class NonsmoothStep<2>;
template class NonsmoothStep<3>;

}  // namespace carom
