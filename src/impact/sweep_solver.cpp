#include "impact/sweep_solver.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <thread>

namespace carom {
namespace {

// A thread must have this many contacts to be worth its start.
constexpr std::size_t contacts_per_thread = 500;
constexpr double idle_share = 0.3;  // of the tolerance: bodies stirred less than this need no visit

double inverse(double value) {
  return value > 0 ? 1 / value : 0;
}

// Of an impulse at the end of a lever, and of a moment alone.
template <int D>
Eigen::Matrix<double, Space<D>::freedoms, 1> wrench(const VectorOf<D>& lever, const VectorOf<D>& impulse) {
  Eigen::Matrix<double, Space<D>::freedoms, 1> result;
  result.template head<D>() = impulse;
  result.template tail<Space<D>::spins>() = SpinOf<D>(cross(lever, impulse));
  return result;
}

template <int D>
Eigen::Matrix<double, Space<D>::freedoms, 1> moment(const SpinOf<D>& torque) {
  Eigen::Matrix<double, Space<D>::freedoms, 1> result;
  result.template head<D>().setZero();
  result.template tail<Space<D>::spins>() = torque;
  return result;
}

}  // namespace

template <int D>
VectorOf<D> SweepSolver<D>::second_tangent(const SweepContact<D>& contact) {
  if constexpr (D == 3) {
    return contact.normal.cross(contact.tangent);
  } else {
    return contact.tangent;
  }
}

template <int D>
VectorOf<D> SweepSolver<D>::world(const SweepContact<D>& contact) {
  VectorOf<D> sum = contact.impulse[0] * contact.normal + contact.impulse[1] * contact.tangent;
  if constexpr (D == 3) sum += contact.impulse[2] * second_tangent(contact);
  return sum;
}

template <int D>
VectorOf<D> SweepSolver<D>::relative_velocity(const SweepContact<D>& contact) const {
  const SweepBody<D>&a = bodies[contact.a], &b = bodies[contact.b];
  return b.velocity - a.velocity + cross(b.spin, contact.lever_b) - cross(a.spin, contact.lever_a);
}

// What does not move is not written to: other threads read it.
template <int D>
void SweepSolver<D>::push(const SweepContact<D>& contact, const VectorOf<D>& impulse) {
  SweepBody<D>&a = bodies[contact.a], &b = bodies[contact.b];
  if (a.tied >= 0 || b.tied >= 0)
    return push_tied(contact, wrench<D>(contact.lever_a, impulse), wrench<D>(contact.lever_b, impulse));
  const auto turned = [](const SweepBody<D>& body, const SpinOf<D>& torque) -> SpinOf<D> {
    return body.is_round ? SpinOf<D>(body.inverse_inertia(0, 0) * torque) : SpinOf<D>(body.inverse_inertia * torque);
  };
  if (a.inverse_mass > 0) {
    a.velocity -= a.inverse_mass * impulse;
    a.spin -= turned(a, cross(contact.lever_a, impulse));
  }
  if (b.inverse_mass > 0) {
    b.velocity += b.inverse_mass * impulse;
    b.spin += turned(b, cross(contact.lever_b, impulse));
  }
}

template <int D>
void SweepSolver<D>::twist(const SweepContact<D>& contact, const SpinOf<D>& torque) {
  SweepBody<D>&a = bodies[contact.a], &b = bodies[contact.b];
  if (a.tied >= 0 || b.tied >= 0) return push_tied(contact, moment<D>(torque), moment<D>(torque));
  if (a.inverse_mass > 0) a.spin -= a.inverse_inertia * torque;
  if (b.inverse_mass > 0) b.spin += b.inverse_inertia * torque;
}

template <int D>
bool SweepSolver<D>::is_tied(const SweepContact<D>& contact) const {
  return bodies[contact.a].tied >= 0 || bodies[contact.b].tied >= 0;
}

template <int D>
typename SweepSolver<D>::Wrench SweepSolver<D>::answer_of(int body, int pushed, const Wrench& by) const {
  constexpr int freedoms = Space<D>::freedoms;
  const SweepBody<D>& one = bodies[body];
  if (one.tied >= 0 && bodies[pushed].tied >= 0)
    return tied_response.block<freedoms, freedoms>(freedoms * one.tied, freedoms * bodies[pushed].tied) * by;
  Wrench result = Wrench::Zero();
  if (body != pushed) return result;
  result.template head<D>() = one.inverse_mass * by.template head<D>();
  result.template tail<Space<D>::spins>() = one.inverse_inertia * by.template tail<Space<D>::spins>();
  return result;
}

template <int D>
void SweepSolver<D>::push_tied(const SweepContact<D>& contact, const Wrench& on_a, const Wrench& on_b) {
  const auto move = [](SweepBody<D>& body, const Wrench& by) {
    body.velocity += by.template head<D>();
    body.spin += SpinOf<D>(by.template tail<Space<D>::spins>());
  };
  const auto push_one = [&](int pushed, const Wrench& by) {
    if (bodies[pushed].tied >= 0) {
      for (const int body : tied_bodies) move(bodies[body], answer_of(body, pushed, by));
    } else if (bodies[pushed].inverse_mass > 0) {
      move(bodies[pushed], answer_of(pushed, pushed, by));
    }
  };
  push_one(contact.a, -on_a);
  push_one(contact.b, on_b);
}

template <int D>
void SweepSolver<D>::set_tied_weights(SweepContact<D>& contact) {
  const auto response = [&](const Wrench& a, const Wrench& b, const Wrench& felt_a, const Wrench& felt_b) {
    return felt_a.dot(answer_of(contact.a, contact.a, a) - answer_of(contact.a, contact.b, b)) +
           felt_b.dot(answer_of(contact.b, contact.b, b) - answer_of(contact.b, contact.a, a));
  };
  const auto at_point = [&](const VectorOf<D>& along, const VectorOf<D>& felt) {
    return response(wrench<D>(contact.lever_a, along), wrench<D>(contact.lever_b, along),
                    wrench<D>(contact.lever_a, felt), wrench<D>(contact.lever_b, felt));
  };
  contact.normal_weight = inverse(at_point(contact.normal, contact.normal));
  double slip = at_point(contact.tangent, contact.tangent);
  if constexpr (D == 3) {
    const VectorOf<D> second = second_tangent(contact);
    slip = std::max(slip, at_point(second, second)) + std::abs(at_point(contact.tangent, second));
  }
  contact.slip_weight = inverse(slip);
  if (contact.turning < 0) return;
  SweepTurning<D>& turning = turnings[contact.turning];
  double most = 0;
  for (int k = 0; k < Space<D>::spins; ++k) {
    double sum = 0;
    for (int l = 0; l < Space<D>::spins; ++l) {
      const Wrench by = moment<D>(SpinOf<D>::Unit(k)), felt = moment<D>(SpinOf<D>::Unit(l));
      sum += std::abs(response(by, by, felt, felt));
    }
    most = std::max(most, sum);
  }
  turning.rolling_weight = turning.spinning_weight = inverse(most);
  if (turning.lever > 0) contact.slip_weight = inverse(slip + turning.lever * turning.lever * most);
}

template <int D>
void SweepSolver<D>::set_weights(SweepContact<D>& contact) {
  if (is_tied(contact)) return set_tied_weights(contact);
  const SweepBody<D>&a = bodies[contact.a], &b = bodies[contact.b];
  const auto response = [&](const VectorOf<D>& direction, const VectorOf<D>& felt) {
    const SpinOf<D> turn_a = a.inverse_inertia * cross(contact.lever_a, direction);
    const SpinOf<D> turn_b = b.inverse_inertia * cross(contact.lever_b, direction);
    return (a.inverse_mass + b.inverse_mass) * direction.dot(felt) + felt.dot(cross(turn_a, contact.lever_a)) +
           felt.dot(cross(turn_b, contact.lever_b));
  };
  const bool round = (a.is_round || !(a.inverse_mass > 0)) && (b.is_round || !(b.inverse_mass > 0));
  const auto is_central = [&](const SweepBody<D>& body, const VectorOf<D>& lever) {
    return !(body.inverse_mass > 0) || cross(lever, contact.normal).squaredNorm() < 1e-20 * lever.squaredNorm();
  };
  contact.settles = round && contact.turning < 0 && is_central(a, contact.lever_a) && is_central(b, contact.lever_b);
  if (round) {
    // The slip of levers along the normal; others give less.
    const double masses = a.inverse_mass + b.inverse_mass, turn_a = a.inverse_inertia(0, 0),
                 turn_b = b.inverse_inertia(0, 0);
    contact.normal_weight = inverse(masses + turn_a * cross(contact.lever_a, contact.normal).squaredNorm() +
                                    turn_b * cross(contact.lever_b, contact.normal).squaredNorm());
    contact.slip_weight =
        inverse(masses + turn_a * contact.lever_a.squaredNorm() + turn_b * contact.lever_b.squaredNorm());
  } else {
    contact.normal_weight = inverse(response(contact.normal, contact.normal));
  }
  const double slip = round ? 0 : response(contact.tangent, contact.tangent);
  if constexpr (D == 2) {
    if (!round) contact.slip_weight = inverse(slip);
  } else if (!round) {
    const VectorOf<D> second = second_tangent(contact);
    const double mixed = std::abs(response(contact.tangent, second));
    contact.slip_weight = inverse(std::max(slip, response(second, second)) + mixed);
  }
  if (contact.turning < 0) return;
  SweepTurning<D>& turning = turnings[contact.turning];
  const auto sum = (a.inverse_inertia + b.inverse_inertia).eval();
  if constexpr (D == 2) {
    turning.rolling_weight = inverse(sum(0, 0));
  } else {
    turning.rolling_weight = turning.spinning_weight = inverse(sum.cwiseAbs().rowwise().sum().maxCoeff());
    if (turning.lever > 0) {
      // One ball of slip and lever × spin.
      const double both = 1 / contact.slip_weight + turning.lever * turning.lever / turning.spinning_weight;
      contact.slip_weight = inverse(both);
    }
  }
}

template <int D>
void SweepSolver<D>::apply_first_guess() {
  for (const SweepContact<D>& contact : contacts) {
    if (contact.takes_part && !contact.impulse.isZero(0)) push(contact, world(contact));
  }
}

template <int D>
double SweepSolver<D>::visit(SweepContact<D>& contact) {
  const VectorOf<D> relative = relative_velocity(contact);
  const double normal =
      std::max(0.0, contact.impulse[0] - contact.normal_weight * (contact.normal.dot(relative) + contact.offset[0]));
  const double pushed = normal - contact.impulse[0];
  double change = std::abs(pushed) / contact.normal_weight;
  contact.impulse[0] = normal;
  VectorOf<D> impulse = pushed * contact.normal;
  if (contact.friction > 0) {
    const double bound = contact.friction * normal;
    if constexpr (D == 2) {
      const double trial =
          contact.impulse[1] - contact.slip_weight * (contact.tangent.dot(relative) + contact.offset[1]);
      const double held = std::clamp(trial, -bound, bound), by = held - contact.impulse[1];
      contact.impulse[1] = held;
      impulse += by * contact.tangent;
      change = std::max(change, std::abs(by) / contact.slip_weight);
    } else {
      const VectorOf<D> second = second_tangent(contact);
      double x = contact.impulse[1] - contact.slip_weight * (contact.tangent.dot(relative) + contact.offset[1]);
      double y = contact.impulse[2] - contact.slip_weight * (second.dot(relative) + contact.offset[2]);
      double z = 0;
      SweepTurning<D>* coupled = nullptr;
      if (contact.turning >= 0 && turnings[contact.turning].lever > 0) {
        coupled = &turnings[contact.turning];
        const double spin = contact.normal.dot(bodies[contact.b].spin - bodies[contact.a].spin);
        z = contact.normal.dot(coupled->impulse) / coupled->lever - contact.slip_weight * coupled->lever * spin;
      }
      const double square = x * x + y * y + z * z;
      if (square > bound * bound) {
        const double shrink = bound / std::sqrt(square);
        x *= shrink, y *= shrink, z *= shrink;
      }
      const double dx = x - contact.impulse[1], dy = y - contact.impulse[2];
      contact.impulse[1] = x, contact.impulse[2] = y;
      impulse += dx * contact.tangent + dy * second;
      change = std::max(change, std::sqrt(dx * dx + dy * dy) / contact.slip_weight);
      if (coupled) {
        const VectorOf<D> torque = (z * coupled->lever - contact.normal.dot(coupled->impulse)) * contact.normal;
        coupled->impulse += torque;
        twist(contact, torque);
      }
    }
  }
  if (change > 0) push(contact, impulse);
  if (contact.turning >= 0) change = std::max(change, turn(contact));
  return change;
}

// Rolling and spinning, as far as they are not coupled to sliding. Changes are told as speeds at the larger lever.
template <int D>
double SweepSolver<D>::turn(SweepContact<D>& contact) {
  SweepTurning<D>& turning = turnings[contact.turning];
  const SpinOf<D> spin = bodies[contact.b].spin - bodies[contact.a].spin;
  SpinOf<D> wanted;
  const auto held = [](const SpinOf<D>& trial, double bound) -> SpinOf<D> {
    const double size = trial.norm();
    return size > bound ? SpinOf<D>(bound / size * trial) : trial;
  };
  if constexpr (D == 2) {
    wanted = held(turning.impulse - turning.rolling_weight * spin, turning.rolling * contact.impulse[0]);
  } else {
    const VectorOf<D> about = contact.normal.dot(spin) * contact.normal,
                      had = contact.normal.dot(turning.impulse) * contact.normal;
    const VectorOf<D> rolled =
        held(turning.impulse - had - turning.rolling_weight * (spin - about), turning.rolling * contact.impulse[0]);
    const VectorOf<D> spun =
        turning.lever > 0 ? had : held(had - turning.spinning_weight * about, turning.spinning * contact.impulse[0]);
    wanted = rolled + spun;
  }
  const SpinOf<D> torque = wanted - turning.impulse;
  turning.impulse = wanted;
  twist(contact, torque);
  const double lever = std::max(contact.lever_a.norm(), contact.lever_b.norm());
  return turning.rolling_weight > 0 ? torque.norm() / turning.rolling_weight * lever : 0;
}

// What does not move joins nothing.
template <int D>
void SweepSolver<D>::find_islands() {
  const auto counts = [](const SweepContact<D>& contact) { return contact.takes_part && contact.normal_weight > 0; };
  const auto moves = [this](int body) { return bodies[body].moves(); };
  islands_.start(bodies.size());
  for (const int body : tied_bodies) islands_.join(body, tied_bodies.front());
  for (const SweepContact<D>& contact : contacts) {
    if (counts(contact) && moves(contact.a) && moves(contact.b)) islands_.join(contact.a, contact.b);
  }
  islands_.sort_contacts(static_cast<int>(contacts.size()), [&](int c) {
    if (!counts(contacts[c])) return -1;
    return moves(contacts[c].a) ? contacts[c].a : contacts[c].b;
  });
}

template <int D>
void SweepSolver<D>::stir(const SweepContact<D>& contact, double change) {
  for (const int body : {contact.a, contact.b}) {
    if (bodies[body].inverse_mass > 0) bodies[body].stirred += change;
  }
  if (!is_tied(contact)) return;
  for (const int body : tied_bodies) bodies[body].stirred += change;
}

template <int D>
SweepOutcome SweepSolver<D>::solve_island(int island, double tolerance, int most) {
  SweepOutcome outcome;
  const double idle = idle_share * tolerance;
  for (outcome.sweeps = 0; outcome.sweeps < most;) {
    const bool first = outcome.sweeps++ == 0;
    outcome.residual = 0;
    for (int k = 0; k < islands_.size(island); ++k) {
      SweepContact<D>& contact = contacts[islands_.contacts(island)[k]];
      SweepBody<D>&a = bodies[contact.a], &b = bodies[contact.b];
      if (!first && a.stirred + b.stirred - contact.seen <= idle) continue;
      ++outcome.visits;
      const double before = a.stirred + b.stirred, change = visit(contact);
      outcome.residual = std::max(outcome.residual, change);
      stir(contact, change);
      contact.seen = contact.settles ? a.stirred + b.stirred : before;
    }
    if (outcome.residual <= tolerance) break;
  }
  return outcome;
}

template <int D>
SweepOutcome SweepSolver<D>::solve(double tolerance, int most, int threads) {
  find_islands();
  const int islands = islands_.count();
  outcomes_.assign(islands, {});
  const std::size_t useful = islands_.contact_count() / contacts_per_thread;
  const std::size_t wanted = threads > 0 ? threads : std::max(1u, std::thread::hardware_concurrency());
  const std::size_t helpers = std::min({wanted, useful, static_cast<std::size_t>(islands)});
  if (helpers <= 1) {
    for (int k = 0; k < islands; ++k) outcomes_[k] = solve_island(k, tolerance, most);
  } else {
    std::atomic<int> next = 0;
    const auto work = [&] {
      for (int k = next++; k < islands; k = next++) outcomes_[k] = solve_island(k, tolerance, most);
    };
    std::vector<std::jthread> crew;
    for (std::size_t k = 1; k < helpers; ++k) crew.emplace_back(work);
    work();
  }
  SweepOutcome total;
  for (const SweepOutcome& each : outcomes_) {
    total.sweeps = std::max(total.sweeps, each.sweeps);
    total.visits += each.visits;
    total.residual = std::max(total.residual, each.residual);
  }
  return total;
}

template <int D>
typename SweepSolver<D>::Error SweepSolver<D>::law_error() const {
  Error error;
  long count = 0;
  for (const SweepContact<D>& contact : contacts) {
    if (!contact.takes_part || !(contact.normal_weight > 0)) continue;
    const VectorOf<D> relative = relative_velocity(contact);
    const double u = contact.normal.dot(relative) + contact.offset[0];
    double wrong = std::abs(std::min(contact.impulse[0] / contact.normal_weight, u));
    if (contact.friction > 0) {
      VectorOf<D> slip = relative - contact.normal.dot(relative) * contact.normal + contact.offset[1] * contact.tangent;
      VectorOf<D> force = contact.impulse[1] * contact.tangent;
      if constexpr (D == 3) {
        slip += contact.offset[2] * second_tangent(contact);
        force += contact.impulse[2] * second_tangent(contact);
      }
      const VectorOf<D> trial = force - contact.slip_weight * slip;
      const double size = trial.norm(), bound = contact.friction * contact.impulse[0];
      const VectorOf<D> held = size > bound ? VectorOf<D>(bound / size * trial) : trial;
      if (contact.turning < 0) wrong = std::max(wrong, (force - held).norm() / contact.slip_weight);
    }
    error.largest = std::max(error.largest, wrong);
    error.mean += wrong;
    ++count;
  }
  if (count > 0) error.mean /= static_cast<double>(count);
  return error;
}

template class SweepSolver<2>;
template class SweepSolver<3>;

}  // namespace carom
