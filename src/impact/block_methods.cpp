#include "impact/block_methods.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace carom::inline impact {
namespace {

constexpr double clear_residual = 1e-3;   // below which the laws that stay the same are believed
constexpr double small_residual = 1e-6;   // below which Newton's method is tried whatever the laws
constexpr int newton_at_once = 2;         // factorisations before the next look at what they bring
constexpr double newton_gain = 0.3;       // of the residual, for which it goes on
constexpr int interior_between = 2;       // steps after an attempt of Newton's method that failed
constexpr int last_factorisations = 30;   // of Newton's method where the interior point method stalls
constexpr int sweeps_between = 10;        // looks at the residual

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
double BlockMethods<B>::elimination_cost() {
  analyse();
  return lu_.cost();
}

template <int B>
double BlockMethods<B>::sweep_cost() const {
  return static_cast<double>(blocks_.columns.size()) * B * B;
}

template <int B>
MethodRun BlockMethods<B>::sweep(int most, int patience) {
  MethodRun run{is_solved(), 0};
  trial_ = x_;
  double before = best_;
  while (!run.solved && run.iterations < most) {
    const int count = std::min(sweeps_between, most - run.iterations);
    for (int k = 0; k < count; ++k) sweeps_.sweep(blocks_, trial_);
    run.iterations += count;
    const double now = relative(trial_);
    keep(trial_, now);
    run.solved = is_solved();
    const double gain = std::log(before / now) / count;  // of each sweep
    if (!(gain > 0) || std::log(now / tolerance_) > patience * gain) break;
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

template <int B>
MethodRun BlockMethods<B>::interior(int most_iterations) {
  MethodRun run{is_solved(), 0};
  if (run.solved) return run;
  analyse();
  interior_.start(blocks_);
  laws_.clear();
  int next_newton = 0;
  for (int k = 1; run.iterations < most_iterations; ++k) {
    const InteriorState state = interior_.step(blocks_, lu_);
    ++run.iterations;
    const double now = relative(interior_.impulses(blocks_));
    keep(interior_.impulses(blocks_), now);
    const bool clear = now < small_residual || (now < clear_residual && at_.same_laws(laws_));
    laws_ = at_.laws;
    if (is_solved() || (clear && k >= next_newton && finish_by_newton(now, run.iterations))) {
      run.solved = true;
      return run;
    }
    if (clear && k >= next_newton) next_newton = k + interior_between;
    if (state == InteriorState::stalled) break;
  }
  const MethodRun last = newton(last_factorisations);
  return {last.solved, run.iterations + last.iterations};
}

template class BlockMethods<2>;
template class BlockMethods<3>;
template class BlockMethods<6>;

}  // namespace carom::inline impact
