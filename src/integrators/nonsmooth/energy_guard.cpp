#include "integrators/nonsmooth/energy_guard.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace carom::inline nonsmooth_integrators {
namespace {

constexpr double noticeable = 1e-10;  // of the magnitudes that make up a gain: a single contact that gains less is left
constexpr double without_solution = std::numeric_limits<double>::infinity();

}  // namespace

template <int D>
void EnergyGuard<D>::measure(const JumpDynamics<D>& dynamics, const JumpProblem& problem,
                             const ContactSolution& solution) {
  works_.assign(problem.chosen.size(), {});
  // A solution is often much better than it has to be.
  const double unsure = std::min(problem.negligible, solution.residual.velocity);
  int row = 0;
  for (std::size_t k = 0; k < problem.chosen.size(); ++k) {
    const int c = problem.chosen[k], first = dynamics.first_row(c);
    works_[k].unsure = unsure * solution.impulses[row];
    for (int l = 0; l < dynamics.row_count(c); ++l, ++row) {
      const double impulse = solution.impulses[row], before = problem.local[first + l];
      works_[k].gain += 0.5 * impulse * (before + solution.velocities[row]);
      works_[k].size += 0.5 * std::abs(impulse) * (std::abs(before) + std::abs(solution.velocities[row]));
    }
  }
}

template <int D>
bool EnergyGuard<D>::any_gains() const {
  return std::any_of(works_.begin(), works_.end(),
                     [](const Work& work) { return work.gain > noticeable * work.size + work.unsure; });
}

template <int D>
int EnergyGuard<D>::root(int k) {
  while (island_of_[k] != k) k = island_of_[k] = island_of_[island_of_[k]];
  return k;
}

// Chosen contacts that share bodies, or reach each other over others that do.
template <int D>
void EnergyGuard<D>::find_islands(const JumpDynamics<D>& dynamics, int group, const JumpProblem& problem) {
  const int count = static_cast<int>(problem.chosen.size());
  const std::span<const int> contacts = dynamics.group(group);
  place_of_.assign(contacts.empty() ? 0 : *std::max_element(contacts.begin(), contacts.end()) + 1, -1);
  island_of_.resize(count);
  for (int k = 0; k < count; ++k) place_of_[problem.chosen[k]] = island_of_[k] = k;
  for (int k = 0; k < count; ++k) {
    for (const int other : dynamics.neighbours(group, problem.chosen[k])) {
      if (place_of_[other] < 0) continue;
      const int a = root(k), b = root(place_of_[other]);
      island_of_[std::max(a, b)] = std::min(a, b);
    }
  }
  for (int k = 0; k < count; ++k) island_of_[k] = root(k);
  islands_.assign(count, {});
}

// True: no island gains any more.
template <int D>
bool EnergyGuard<D>::settle(bool converged) {
  for (Island& island : islands_) island.work = {};
  for (std::size_t k = 0; k < works_.size(); ++k) {
    Work& work = islands_[island_of_[k]].work;
    work.gain += works_[k].gain, work.size += works_[k].size, work.unsure += works_[k].unsure;
  }
  bool settled = true;
  for (std::size_t k = 0; k < islands_.size(); ++k) {
    Island& island = islands_[k];
    if (island_of_[k] != static_cast<int>(k) || island.settled) continue;
    island.settled =
        island.share.settle(converged ? island.work.gain : without_solution, island.work.size, island.work.unsure);
    settled = settled && island.settled;
  }
  return settled;
}

template <int D>
void EnergyGuard<D>::scale(const JumpDynamics<D>& dynamics, JumpProblem& problem) const {
  for (std::size_t k = 0; k < problem.chosen.size(); ++k) {
    const int c = problem.chosen[k], first = dynamics.first_row(c);
    const double factor = islands_[island_of_[k]].share.factor();
    for (int l = first; l < first + dynamics.row_count(c); ++l) problem.target[l] = factor * asked_[l];
  }
}

// With much friction and tangential restitution there may be no solution; without restitution there mostly is.
template <int D>
void EnergyGuard<D>::solve_without_restitution(JumpDynamics<D>& dynamics, JumpProblem& problem,
                                               const Eigen::VectorXd& v, Eigen::VectorXd& jump,
                                               ContactSolution& solution) {
  for (const int c : problem.chosen)
    std::fill_n(problem.target.data() + dynamics.first_row(c), dynamics.row_count(c), 0.0);
  jump = before_;
  dynamics.solve(problem, v, jump, solution);
  if (solution.outcome.converged) reduced_contact_ = problem.chosen[0];
}

template <int D>
void EnergyGuard<D>::solve(JumpDynamics<D>& dynamics, int group, JumpProblem& problem, const Eigen::VectorXd& v,
                           bool last_attempt, Eigen::VectorXd& jump, ContactSolution& solution) {
  reduced_contact_ = -1;
  avoided_ = 0;
  // Impacts that were followed as a process do not gain; and where a solution goes on, its first part was looked at.
  if (problem.followed || problem.goes_on || !asks_restitution(dynamics, problem))
    return dynamics.solve(problem, v, jump, solution);
  before_ = jump;
  dynamics.solve(problem, v, jump, solution);
  if (!solution.outcome.converged) {
    if (last_attempt) solve_without_restitution(dynamics, problem, v, jump, solution);
    return;
  }
  measure(dynamics, problem, solution);
  if (!any_gains()) return;
  find_islands(dynamics, group, problem);
  asked_ = problem.target;
  const std::vector<Work>& works = works_;
  int first = 0;
  for (std::size_t k = 1; k < works.size(); ++k) {
    if (works[k].gain > works[first].gain) first = static_cast<int>(k);
  }
  while (!settle(solution.outcome.converged)) {
    reduced_contact_ = problem.chosen[first];
    scale(dynamics, problem);
    jump = before_;
    dynamics.solve(problem, v, jump, solution);
    measure(dynamics, problem, solution);
  }
  for (const Island& island : islands_) avoided_ += island.share.avoided();
}

template class EnergyGuard<2>;
template class EnergyGuard<3>;

}  // namespace carom::inline nonsmooth_integrators
