#include "impact/lane_solver.h"

#include <algorithm>

namespace carom::inline impact {
namespace {

constexpr double leaning = 0.03;  // of an idle change: with which impulses go on and that are left out

inline void put(const Eigen::Vector3d& vector, lanes::Lane* to, int lane) {
  to[0][lane] = vector[0], to[1][lane] = vector[1], to[2][lane] = vector[2];
}

inline void put_contact(const BodyContact<3>& contact, lanes::LaneContacts& batch, int lane) {
  put(contact.normal, batch.normal, lane), put(contact.tangent, batch.tangent, lane);
  put(contact.lever_a, batch.lever_a, lane), put(contact.lever_b, batch.lever_b, lane);
  put(contact.offset, batch.offset, lane), put(contact.impulse, batch.impulse, lane);
  batch.friction[lane] = contact.friction;
  batch.normal_weight[lane] = contact.normal_weight, batch.slip_weight[lane] = contact.slip_weight;
  batch.settles[lane] = contact.settles ? 1 : 0;
  batch.a[lane] = contact.a, batch.b[lane] = contact.b;
}

// A lane without a contact.
void clear_lane(lanes::LaneContacts& batch, int lane, int nobody) {
  BodyContact<3> none;
  for (Eigen::Vector3d* vector :
       {&none.normal, &none.tangent, &none.lever_a, &none.lever_b, &none.offset, &none.impulse})
    vector->setZero();
  none.a = none.b = nobody;
  put_contact(none, batch, lane);
}

// What follows from its contacts, once they are all there.
void finish_batch(lanes::LaneContacts& batch, int nobody) {
  for (int lane = 0; lane < lanes::lane_count; ++lane) {
    if (batch.contact[lane] < 0) clear_lane(batch, lane, nobody);
  }
  for (int lane = 0; lane < lanes::lane_count; ++lane) {
    const double normal = batch.normal_weight[lane], slip = batch.slip_weight[lane];
    batch.normal_mass[lane] = normal > 0 ? 1 / normal : 0;
    batch.slip_mass[lane] = slip > 0 ? 1 / slip : 0;
    batch.seen[lane] = 0;
  }
}

}  // namespace

bool LaneSolver::takes(const BodyContactProblem<3>& problem, const int* contacts, int count) {
  return count >= least_contacts && std::all_of(contacts, contacts + count, [&](int c) {
           const BodyContact<3>& contact = problem.contacts[c];
           return contact.turning < 0 && !problem.is_constrained(contact);
         });
}

void LaneSolver::lay_out_bodies(const BodyContactProblem<3>& problem) {
  bodies_.resize(problem.bodies.size() + 1);
  in_lanes_.assign(problem.bodies.size(), false);
  bodies_.back() = {};
  for (std::size_t b = 0; b < problem.bodies.size(); ++b) {
    const ProblemBody<3>& body = problem.bodies[b];
    lanes::LaneBody& lane_body = bodies_[b];
    std::copy_n(body.velocity.data(), 3, lane_body.velocity);
    std::copy_n(body.angular_velocity.data(), 3, lane_body.angular_velocity);
    lane_body.inverse_mass = body.inverse_mass;
    lane_body.stirred = 0;
    lane_body.diagonal[0] = body.inverse_inertia(0, 0), lane_body.xy = body.inverse_inertia(0, 1);
    if (body.is_round) continue;
    lane_body.diagonal[1] = body.inverse_inertia(1, 1), lane_body.diagonal[2] = body.inverse_inertia(2, 2);
    lane_body.yz = body.inverse_inertia(1, 2), lane_body.zx = body.inverse_inertia(2, 0);
  }
}

// Room that was there before is used again.
lanes::LaneContacts& LaneSolver::batch_at(int number) {
  for (; used_ <= number; ++used_) {
    if (static_cast<int>(batches_.size()) <= used_) batches_.resize(std::max<std::size_t>(64, 2 * batches_.size()));
    batches_[used_].moving = 0;
    std::fill_n(batches_[used_].contact, lanes::lane_count, -1);
  }
  return batches_[number];
}

LaneSolver::Range LaneSolver::lay_out(const BodyContactProblem<3>& problem, const int* contacts, int count) {
  Range range{.first = used_};
  const int nobody = static_cast<int>(problem.bodies.size());
  order_.start(problem.bodies.size(), range.first);
  for (int k = 0; k < count; ++k) {
    const BodyContact<3>& contact = problem.contacts[contacts[k]];
    const ProblemBody<3>&a = problem.bodies[contact.a], &b = problem.bodies[contact.b];
    const bool a_moves = a.inverse_mass > 0, b_moves = b.inverse_mass > 0;
    if (a_moves) in_lanes_[contact.a] = true, range.round = range.round && a.is_round;
    if (b_moves) in_lanes_[contact.b] = true, range.round = range.round && b.is_round;
    const lanes::LaneOrder::Place place = order_.place(a_moves ? contact.a : -1, b_moves ? contact.b : -1);
    lanes::LaneContacts& batch = batch_at(place.batch);
    put_contact(contact, batch, place.lane);
    batch.contact[place.lane] = contacts[k];
    batch.moving |= (a_moves ? 1 : 0) << place.lane | (b_moves ? 1 : 0) << (place.lane + lanes::lane_count);
  }
  range.count = used_ - range.first;
  for (int k = range.first; k < used_; ++k) finish_batch(batches_[k], nobody);
  return range;
}

void LaneSolver::start(const BodyContactProblem<3>& problem, const Islands& islands) {
  ranges_.clear();
  used_ = 0;
  for (int k = 0; k < islands.count(); ++k) {
    const int *contacts = islands.contacts(k), count = islands.size(k);
    if (!takes(problem, contacts, count)) continue;
    if (ranges_.empty()) {
      ranges_.assign(islands.count(), {});
      lay_out_bodies(problem);
    }
    ranges_[k] = lay_out(problem, contacts, count);
  }
  if (paths_.size() < batches_.size()) paths_.resize(batches_.size());
}

// Of one island.
class LaneSolver::Sweeps {
 public:
  Sweeps(LaneSolver& solver, const Range& range, double idle)
      : bodies_(solver.bodies_.data()),
        batches_(solver.batches_.data() + range.first),
        paths_(solver.paths_.data() + range.first),
        count_(range.count),
        round_(range.round),
        idle_(idle) {}

  void push() { arithmetic_.push(bodies_, batches_, count_, round_); }
  SweepChange iterate(bool all, bool backward) {
    const lanes::LaneChange change = arithmetic_.iterate(bodies_, batches_, count_, all ? -1 : idle_, round_, backward);
    return {change.largest, lanes::lane_count * change.visits};
  }
  void start_paths() {
    for (int k = 0; k < count_; ++k) {
      for (int row = 0; row < 3; ++row) {
        std::copy_n(batches_[k].impulse[row], lanes::lane_count, paths_[k].last[row]);
        std::copy_n(batches_[k].impulse[row], lanes::lane_count, paths_[k].start[row]);
      }
    }
  }
  double lean(double share) {
    return arithmetic_.lean(bodies_, batches_, paths_, count_, share, leaning * idle_, round_);
  }

 private:
  lanes::LaneArithmetic arithmetic_ = lanes::lane_arithmetic();
  lanes::LaneBody* bodies_;
  lanes::LaneContacts* batches_;
  lanes::LanePath* paths_;
  int count_;
  bool round_;
  double idle_;
};

GaussSeidelOutcome LaneSolver::solve(int island, bool pushes, double tolerance, double idle, int most) {
  Sweeps sweeps(*this, ranges_[island], idle);
  if (pushes) sweeps.push();
  return settle(sweeps, tolerance, most);
}

void LaneSolver::finish(BodyContactProblem<3>& problem) const {
  if (ranges_.empty()) return;
  for (int k = 0; k < used_; ++k) {
    const lanes::LaneContacts& batch = batches_[k];
    for (int lane = 0; lane < lanes::lane_count; ++lane) {
      if (batch.contact[lane] < 0) continue;
      Eigen::Vector3d& impulse = problem.contacts[batch.contact[lane]].impulse;
      impulse[0] = batch.impulse[0][lane], impulse[1] = batch.impulse[1][lane], impulse[2] = batch.impulse[2][lane];
    }
  }
  for (std::size_t b = 0; b < in_lanes_.size(); ++b) {
    if (!in_lanes_[b]) continue;
    std::copy_n(bodies_[b].velocity, 3, problem.bodies[b].velocity.data());
    std::copy_n(bodies_[b].angular_velocity, 3, problem.bodies[b].angular_velocity.data());
  }
}

}  // namespace carom::inline impact
