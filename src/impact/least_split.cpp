#include "impact/least_split.h"

namespace carom::inline impact {
namespace {

constexpr double shift = 1e-2;          // ε, of the mean diagonal of W along the normals
constexpr int proximal_steps = 12;      // the error falls to about shift to this power
constexpr double dependent = 1e-10;     // of the diagonal: a pivot that others already determine
constexpr double good_residual = 1e-9;  // relative, of the natural map

}  // namespace

// Cholesky's factorisation of W over the rows of closed contacts, which comes to a pivot that is none.
bool LeastSplit::is_redundant(const ContactProblem& problem, const ContactSolution& solution) {
  active_.clear();
  for (std::size_t c = 0; c < problem.contacts.size(); ++c) {
    if (solution.statuses[c] == ContactStatus::open) continue;
    const ProblemContact& contact = problem.contacts[c];
    active_.push_back(contact.row);
    for (int b = contact.first_ball; b < contact.first_ball + contact.balls; ++b) {
      for (int k = 0; k < problem.balls[b].size; ++k) active_.push_back(problem.balls[b].row + k);
    }
  }
  const std::size_t n = active_.size();
  factor_.resize(n * n);
  first_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double* row = problem.delassus_row(active_[i]);
    std::size_t& first = first_[i] = 0;  // zeros before it stay
    while (first < i && row[active_[first]] == 0) ++first;
    for (std::size_t j = first; j <= i; ++j) {
      double sum = row[active_[j]];
      for (std::size_t k = std::max(first, first_[j]); k < j; ++k) sum -= factor_[i * n + k] * factor_[j * n + k];
      if (j < i) {
        factor_[i * n + j] = sum / factor_[j * n + j];
      } else if (!(sum > dependent * row[active_[i]])) {
        return true;
      } else {
        factor_[i * n + i] = std::sqrt(sum);
      }
    }
  }
  return false;
}

bool LeastSplit::apply(const ContactProblem& problem, ContactSolution& solution) {
  if (problem.contacts.size() < 2 || !is_redundant(problem, solution)) return false;
  double mean = 0;
  for (const ProblemContact& contact : problem.contacts) mean += problem.delassus_row(contact.row)[contact.row];
  const double epsilon = shift * mean / static_cast<double>(problem.contacts.size());
  shifted_ = problem;
  for (int i = 0; i < problem.rows; ++i) shifted_.delassus_row(i)[i] += epsilon;
  least_.impulses.assign(problem.rows, 0.0);
  for (int step = 0; step < proximal_steps; ++step) {
    for (int i = 0; i < problem.rows; ++i) shifted_.offset[i] = problem.offset[i] - epsilon * least_.impulses[i];
    solver_.solve(shifted_, least_);
    if (!least_.outcome.converged) return false;
  }
  least_.residual = natural_map_residual(problem, least_.impulses);
  if (least_.residual.relative > std::max(good_residual, solution.residual.relative)) return false;
  for (int i = 0; i < problem.rows; ++i)
    least_.velocities[i] += (problem.offset[i] - shifted_.offset[i]) - epsilon * least_.impulses[i];
  std::swap(solution, least_);
  return true;
}

}  // namespace carom::inline impact
