#include "impact/block_methods.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "impact/contact_solver.h"

namespace carom::inline impact {
namespace {

constexpr double clear_residual = 1e-3;  // below which the laws that stay the same are believed
constexpr double small_residual = 1e-6;  // below which Newton's method is tried whatever the laws
constexpr int newton_at_once = 2;        // factorisations before the next look at what they bring
constexpr double newton_gain = 0.3;      // of the residual, for which it goes on
constexpr int interior_between = 2;      // steps after an attempt of Newton's method that failed
constexpr int last_factorisations = 10;  // of Newton's method where the interior point method stalls
constexpr int steps_of_a_start = 60;
constexpr InteriorStart interior_starts[] = {
    {},
    {.radius_power = 1, .centring = 1, .least_share = 1e-3},
    {.size = 3, .centring = 1},
    {.size = 0.1, .radius_power = 0.5},
    {.centring = 1, .least_share = 1e-3},
    {.size = 10, .radius_power = 1, .centring = 0.5},
    {.size = 0.3, .least_share = 1e-2},
    {.size = 3, .radius_power = 0.5, .least_share = 1e-3},
    {.size = 30, .centring = 1},
    {.size = 0.03, .centring = 1, .least_share = 1e-3},
};

}  // namespace

template <int B>
double BlockMethods<B>::relative(const Vectors& x) {
  const double size = at_.evaluate(blocks_, x);
  if (size == 0) return 0;
  return std::isfinite(size) && at_.scale > 0 ? size / at_.scale : std::numeric_limits<double>::infinity();
}

template <int B>
void BlockMethods<B>::keep(const Vectors& x, double residual) {
  if (residual >= best_) return;
  x_ = x;
  best_ = residual;
}

template <int B>
bool BlockMethods<B>::pose(const ContactProblem& problem, const std::vector<double>& impulses, double tolerance) {
  blocks_.gather(problem);
  blocks_.from_impulses(impulses, x_);
  tolerance_ = tolerance;
  analysed_ = false;
  best_ = relative(x_);
  return is_solved();
}

template <int B>
void BlockMethods<B>::analyse() {
  if (!analysed_) lu_.analyse(blocks_.first, blocks_.columns);
  analysed_ = true;
}

template <int B>
void BlockMethods<B>::report(const ContactProblem& problem, ContactSolution& solution) {
  const double size = at_.evaluate(blocks_, x_);
  SolverOutcome& outcome = solution.outcome;
  outcome.residual = at_.natural_scale > 0 ? size / at_.natural_scale : 0;
  outcome.converged = outcome.residual <= tolerance_ || blocks_.largest_velocity(at_.f) <= problem.negligible;
  blocks_.to_impulses(x_, solution.impulses);
  blocks_.to_velocities(problem, at_.u, solution.impulses, solution.velocities);
  set_statuses(problem, solution);
}

template <int B>
MethodRun BlockMethods<B>::sweep(int count, int most, int in_sight) {
  MethodRun run{is_solved(), 0};
  trial_ = x_;
  double before = best_;
  while (!run.solved && run.iterations < most) {
    for (int k = 0; k < count; ++k) sweeps_.sweep(blocks_, trial_);
    run.iterations += count;
    const double now = relative(trial_), gain = std::log(before / now) / count;  // of each sweep
    keep(trial_, now);
    run.solved = is_solved();
    if (!(gain > 0) || std::log(now / tolerance_) > in_sight * gain) break;
    before = now;
  }
  return run;
}

template <int B>
MethodRun BlockMethods<B>::newton(int most_factorisations) {
  analyse();
  trial_ = x_;
  const NewtonEnd end = newton_.solve(blocks_, lu_, tolerance_, most_factorisations, trial_);
  keep(trial_, relative(trial_));
  return {is_solved(), end.factorisations};
}

// From the last impulses of the interior point method.
template <int B>
bool BlockMethods<B>::finish_by_newton(double from, int& iterations) {
  trial_ = interior_.impulses(blocks_);
  for (double before = from;;) {
    const NewtonEnd end = newton_.solve(blocks_, lu_, tolerance_, newton_at_once, trial_);
    iterations += end.factorisations;
    const double now = relative(trial_);
    keep(trial_, now);
    if (is_solved() || end.stuck || !(now < newton_gain * before)) return is_solved();
    before = now;
  }
}

// From one start. True: solved.
template <int B>
bool BlockMethods<B>::interior_from(const InteriorStart& start, int most_iterations, int& iterations) {
  interior_.start(blocks_, start);
  laws_.clear();
  int next_newton = 0;
  for (int k = 1; k <= steps_of_a_start && iterations < most_iterations; ++k) {
    const InteriorState state = interior_.step(blocks_, lu_);
    iterations += interior_.factorisations();
    const double now = relative(interior_.impulses(blocks_));
    keep(interior_.impulses(blocks_), now);
    if (is_solved()) return true;
    const bool clear = now < small_residual || (now < clear_residual && at_.same_laws(laws_));
    laws_ = at_.laws;
    if (clear && k >= next_newton) {
      if (finish_by_newton(now, iterations)) return true;
      next_newton = k + interior_between;
    }
    if (state == InteriorState::stalled) break;
  }
  const MethodRun last = newton(last_factorisations);
  iterations += last.iterations;
  return last.solved;
}

template <int B>
MethodRun BlockMethods<B>::interior(int most_iterations) {
  MethodRun run{is_solved(), 0};
  analyse();
  for (const InteriorStart& start : interior_starts) {
    if (run.solved || run.iterations >= most_iterations) break;
    run.solved = interior_from(start, most_iterations, run.iterations);
  }
  return run;
}

void leave_unsolved(const ContactProblem& problem, ContactSolution& solution) {
  const NaturalMapResidual residual = natural_map_residual(problem, solution.impulses);
  solution.outcome.converged = false;
  solution.outcome.residual = residual.relative;
  solution.velocities = problem.offset;
  for (int i = 0; i < problem.rows; ++i) {
    for (int j = 0; j < problem.rows; ++j) solution.velocities[i] += problem.delassus_row(i)[j] * solution.impulses[j];
  }
  set_statuses(problem, solution);
}

template class BlockMethods<2>;
template class BlockMethods<3>;
template class BlockMethods<6>;

}  // namespace carom::inline impact
