#include "impact/body_gauss_seidel.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <span>
#include <thread>

#include "impact/lane_solver.h"

namespace carom::inline impact {
namespace {

// A thread must have this many contacts to be worth its start.
constexpr std::size_t contacts_per_thread = 500;
constexpr double leaning = 0.03;    // of an idle change: with which impulses go on and that are left out
constexpr double idle_share = 0.3;  // of the tolerance: bodies stirred less than this need no visit

}  // namespace

template <int D>
BodyGaussSeidel<D>::BodyGaussSeidel() {
  if constexpr (D == 3) lanes_ = std::make_unique<LaneSolver>();
}

template <int D>
BodyGaussSeidel<D>::~BodyGaussSeidel() = default;

template <int D>
double BodyGaussSeidel<D>::visit(Problem& problem, BodyContact<D>& contact) {
  const VectorOf<D> relative = problem.relative_velocity(contact);
  const double normal =
      std::max(0.0, contact.impulse[0] - contact.normal_weight * (contact.normal.dot(relative) + contact.offset[0]));
  const double increment = normal - contact.impulse[0];
  double change = std::abs(increment) / contact.normal_weight;
  contact.impulse[0] = normal;
  VectorOf<D> impulse = increment * contact.normal;
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
      const VectorOf<D> second = Problem::second_tangent(contact);
      double x = contact.impulse[1] - contact.slip_weight * (contact.tangent.dot(relative) + contact.offset[1]);
      double y = contact.impulse[2] - contact.slip_weight * (second.dot(relative) + contact.offset[2]);
      double z = 0;
      TurningResistance<D>* coupled = nullptr;
      if (contact.turning >= 0 && problem.turnings[contact.turning].lever > 0) {
        coupled = &problem.turnings[contact.turning];
        const double angular_velocity =
            contact.normal.dot(problem.bodies[contact.b].angular_velocity - problem.bodies[contact.a].angular_velocity);
        z = contact.normal.dot(coupled->impulse) / coupled->lever -
            contact.slip_weight * coupled->lever * angular_velocity;
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
        problem.twist(contact, torque);
      }
    }
  }
  if (change > 0) problem.apply(contact, impulse);
  if (contact.turning >= 0) change = std::max(change, turn(problem, contact));
  return change;
}

// Rolling and spinning, as far as they are not coupled to sliding. Changes are reported as speeds at the larger lever.
template <int D>
double BodyGaussSeidel<D>::turn(Problem& problem, BodyContact<D>& contact) {
  TurningResistance<D>& turning = problem.turnings[contact.turning];
  const AngularOf<D> angular_velocity =
      problem.bodies[contact.b].angular_velocity - problem.bodies[contact.a].angular_velocity;
  AngularOf<D> wanted;
  const auto held = [](const AngularOf<D>& trial, double bound) -> AngularOf<D> {
    const double size = trial.norm();
    return size > bound ? AngularOf<D>(bound / size * trial) : trial;
  };
  if constexpr (D == 2) {
    wanted = held(turning.impulse - turning.rolling_weight * angular_velocity, turning.rolling * contact.impulse[0]);
  } else {
    const VectorOf<D> about = contact.normal.dot(angular_velocity) * contact.normal,
                      had = contact.normal.dot(turning.impulse) * contact.normal;
    const VectorOf<D> rolled = held(turning.impulse - had - turning.rolling_weight * (angular_velocity - about),
                                    turning.rolling * contact.impulse[0]);
    const VectorOf<D> spun =
        turning.lever > 0 ? had : held(had - turning.spinning_weight * about, turning.spinning * contact.impulse[0]);
    wanted = rolled + spun;
  }
  const AngularOf<D> torque = wanted - turning.impulse;
  turning.impulse = wanted;
  problem.twist(contact, torque);
  const double lever = std::max(contact.lever_a.norm(), contact.lever_b.norm());
  return turning.rolling_weight > 0 ? torque.norm() / turning.rolling_weight * lever : 0;
}

// What does not move joins nothing.
template <int D>
void BodyGaussSeidel<D>::find_islands(const Problem& problem) {
  const auto counts = [](const BodyContact<D>& contact) { return contact.takes_part && contact.normal_weight > 0; };
  const auto moves = [&](int body) { return problem.bodies[body].moves(); };
  islands_.start(problem.bodies.size());
  for (const int body : problem.constrained_bodies) islands_.join(body, problem.constrained_bodies.front());
  for (const BodyContact<D>& contact : problem.contacts) {
    if (counts(contact) && moves(contact.a) && moves(contact.b)) islands_.join(contact.a, contact.b);
  }
  islands_.sort_contacts(static_cast<int>(problem.contacts.size()), [&](int c) {
    if (!counts(problem.contacts[c])) return -1;
    return moves(problem.contacts[c].a) ? problem.contacts[c].a : problem.contacts[c].b;
  });
}

template <int D>
inline void BodyGaussSeidel<D>::stir(Problem& problem, ProblemBody<D>& a, ProblemBody<D>& b, double change) {
  if (a.inverse_mass > 0) a.stirred += change;
  if (b.inverse_mass > 0) b.stirred += change;
  if (a.constrained < 0 && b.constrained < 0) return;
  for (const int body : problem.constrained_bodies) problem.bodies[body].stirred += change;
}

template <int D>
typename BodyGaussSeidel<D>::Impulses BodyGaussSeidel<D>::impulses_of(const Problem& problem,
                                                                      const BodyContact<D>& contact) {
  if (contact.turning < 0) return {contact.impulse, AngularOf<D>::Zero()};
  return {contact.impulse, problem.turnings[contact.turning].impulse};
}

// Steps that change local velocities by less than `least` are left out. By how much the bodies are stirred.
template <int D>
double BodyGaussSeidel<D>::lean(Problem& problem, BodyContact<D>& contact, Path& path, double share, double least,
                                double& along) {
  const double to_normal = 1 / contact.normal_weight, to_slip = contact.friction > 0 ? 1 / contact.slip_weight : 0;
  double to_turning = 0;
  if (contact.turning >= 0 && problem.turnings[contact.turning].rolling_weight > 0)
    to_turning = 1 / problem.turnings[contact.turning].rolling_weight;
  const Impulses has = impulses_of(problem, contact);
  const VectorOf<D> went = has.sliding - path.last.sliding, came = has.sliding - path.start.sliding;
  const AngularOf<D> turned = has.turning - path.last.turning;
  along += to_normal * went[0] * came[0] + to_slip * went.template tail<D - 1>().dot(came.template tail<D - 1>()) +
           to_turning * turned.dot(has.turning - path.start.turning);
  Impulses by{share * went, share * turned};
  by.sliding[0] = std::max(by.sliding[0], -has.sliding[0]);
  const double change =
      std::max({std::abs(by.sliding[0]) * to_normal, by.sliding.template tail<D - 1>().norm() * to_slip,
                by.turning.norm() * to_turning * std::max(contact.lever_a.norm(), contact.lever_b.norm())});
  path = {has, has};
  if (!(change > least)) return 0;
  contact.impulse += by.sliding;
  path.start = {contact.impulse, has.turning + by.turning};
  problem.apply(contact, Problem::world(contact, by.sliding));
  if (contact.turning < 0) return change;
  problem.turnings[contact.turning].impulse = path.start.turning;
  problem.twist(contact, by.turning);
  return change;
}

// Of one island.
template <int D>
class BodyGaussSeidel<D>::Sweeps {
 public:
  Sweeps(BodyGaussSeidel& solver, Problem& problem, int island, double idle)
      : problem_(problem),
        paths_(solver.paths_),
        contacts_(solver.islands_.contacts(island), static_cast<std::size_t>(solver.islands_.size(island))),
        idle_(idle) {}

  SweepChange iterate(bool all, bool backward) {
    SweepChange result;
    const std::size_t count = contacts_.size();
    for (std::size_t k = 0; k < count; ++k) {
      BodyContact<D>& contact = problem_.contacts[contacts_[backward ? count - 1 - k : k]];
      ProblemBody<D>&a = problem_.bodies[contact.a], &b = problem_.bodies[contact.b];
      if (!all && a.stirred + b.stirred - contact.seen <= idle_) continue;
      ++result.visits;
      const double before = a.stirred + b.stirred, change = visit(problem_, contact);
      result.largest = std::max(result.largest, change);
      stir(problem_, a, b, change);
      contact.seen = contact.settles ? a.stirred + b.stirred : before;
    }
    return result;
  }

  void start_paths() {
    for (const int c : contacts_) {
      const BodyContact<D>& contact = problem_.contacts[c];
      paths_[c].last = paths_[c].start = impulses_of(problem_, contact);
    }
  }

  double lean(double share) {
    double along = 0;
    for (const int c : contacts_) {
      BodyContact<D>& contact = problem_.contacts[c];
      const double change = BodyGaussSeidel::lean(problem_, contact, paths_[c], share, leaning * idle_, along);
      if (change > 0) stir(problem_, problem_.bodies[contact.a], problem_.bodies[contact.b], change);
    }
    return along;
  }

 private:
  Problem& problem_;
  std::vector<Path>& paths_;
  std::span<const int> contacts_;
  double idle_;
};

template <int D>
GaussSeidelOutcome BodyGaussSeidel<D>::solve_one(Problem& problem, int island, double tolerance, int most,
                                                 FirstGuess guess) {
  const bool acts = guess == FirstGuess::acts;
  if (lanes_ && lanes_->has(island)) return lanes_->solve(island, acts, tolerance, idle_share * tolerance, most);
  for (int k = 0; acts && k < islands_.size(island); ++k) {
    const BodyContact<D>& contact = problem.contacts[islands_.contacts(island)[k]];
    if (!contact.impulse.isZero(0)) problem.apply(contact, Problem::world(contact));
  }
  return settle(Sweeps(*this, problem, island, idle_share * tolerance), tolerance, most);
}

// None for an island alone.
template <int D>
std::size_t BodyGaussSeidel<D>::useful_threads() const {
  int largest = 0;
  for (int k = 0; k < islands_.count(); ++k) largest = std::max(largest, islands_.size(k));
  return 1 + (islands_.contact_count() - largest) / contacts_per_thread;
}

template <int D>
GaussSeidelOutcome BodyGaussSeidel<D>::solve(BodyContactProblem<D>& problem, double tolerance, int most, int threads,
                                             FirstGuess guess) {
  find_islands(problem);
  if constexpr (D == 3) lanes_->start(problem, islands_);
  const int islands = islands_.count();
  outcomes_.assign(islands, {});
  if (paths_.size() < problem.contacts.size()) paths_.resize(problem.contacts.size());
  const std::size_t wanted = threads > 0 ? threads : std::max(1u, std::thread::hardware_concurrency());
  const std::size_t helpers = std::min(wanted, useful_threads());
  const auto solve_number = [&](int k) { outcomes_[k] = solve_one(problem, k, tolerance, most, guess); };
  if (helpers <= 1) {
    for (int k = 0; k < islands; ++k) solve_number(k);
  } else {
    std::atomic<int> next = 0;
    const auto work = [&] {
      for (int k = next++; k < islands; k = next++) solve_number(k);
    };
    std::vector<std::jthread> crew;
    for (std::size_t k = 1; k < helpers; ++k) crew.emplace_back(work);
    work();
  }
  if constexpr (D == 3) lanes_->finish(problem);
  GaussSeidelOutcome total;
  for (const GaussSeidelOutcome& each : outcomes_) {
    total.gauss_seidel_iterations = std::max(total.gauss_seidel_iterations, each.gauss_seidel_iterations);
    total.visits += each.visits;
    total.residual = std::max(total.residual, each.residual);
  }
  return total;
}

template class BodyGaussSeidel<2>;
template class BodyGaussSeidel<3>;

}  // namespace carom::inline impact
