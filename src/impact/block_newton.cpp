#include "impact/block_newton.h"

#include <limits>

namespace carom::inline impact {
namespace {

constexpr double newton_first_damping = 1e-8, newton_least_damping = 1e-12, newton_most_damping = 1;
constexpr double newton_decrease = 0.9;  // of the residual in a step that is kept

// Derivative of the projection of one contact by σ = x − u.
template <int B>
typename ContactBlocks<B>::Block projection_slope(const ContactBlocks<B>& blocks, const BlockResidual<B>& at,
                                                  const typename ContactBlocks<B>::Vectors& x, int c) {
  using Law = typename BlockResidual<B>::Law;
  typename ContactBlocks<B>::Block slope = ContactBlocks<B>::Block::Zero();
  const auto& contact = blocks.contacts[c];
  if (at.laws[c] == Law::open) return slope;
  slope(0, 0) = 1;
  for (int b = contact.first_ball; b < contact.first_ball + contact.balls; ++b) {
    const auto& ball = blocks.balls[b];
    const int end = ball.first + ball.size;
    if (at.laws[blocks.size() + b] == Law::stick) {
      for (int k = ball.first; k < end; ++k) slope(k, k) = 1;
      continue;
    }
    const typename ContactBlocks<B>::Vector trial = x[c] - at.u[c];
    const double size = blocks.length(ball, trial);
    if (!(size > 0)) continue;
    const double turn = ball.radius * std::max(0.0, trial[0]) / size;
    for (int k = ball.first; k < end; ++k) {
      slope(k, 0) = trial[0] > 0 ? ball.radius * trial[k] / size : 0;
      for (int l = ball.first; l < end; ++l)
        slope(k, l) = turn * ((k == l ? 1 : 0) - trial[k] / size * (trial[l] / size));
    }
  }
  return slope;
}

}  // namespace

// dF = 1 − P + P W
template <int B>
bool BlockNewton<B>::step(const ContactBlocks<B>& blocks, BlockLu<B>& lu, double damping) {
  using Block = typename ContactBlocks<B>::Block;
  lu.clear();
  for (int c = 0; c < blocks.size(); ++c) {
    const Block slope = projection_slope(blocks, at_, trial_, c);
    for (int k = blocks.first[c]; k < blocks.first[c + 1]; ++k) lu.entry(k).noalias() = slope * blocks.delassus[k];
    lu.entry(blocks.contacts[c].diagonal) += (1 + damping) * Block::Identity() - slope;
  }
  if (!lu.factor()) return false;
  step_.resize(blocks.size());
  for (int c = 0; c < blocks.size(); ++c) step_[c] = -at_.f[c];
  lu.solve(step_.data());
  return true;
}

template <int B>
NewtonEnd BlockNewton<B>::solve(const ContactBlocks<B>& blocks, BlockLu<B>& lu, double tolerance,
                                int most_factorisations, Vectors& x) {
  NewtonEnd end;
  double size = at_.evaluate(blocks, x), damping = newton_first_damping;
  for (;;) {
    end.residual = at_.scale > 0 ? size / at_.scale : size;
    if (size <= tolerance * at_.scale || end.factorisations >= most_factorisations) return end;
    trial_ = x;
    const bool solved = step(blocks, lu, damping);
    ++end.factorisations;
    for (int c = 0; solved && c < blocks.size(); ++c) trial_[c] += step_[c];
    const double next = solved ? next_.evaluate(blocks, trial_) : std::numeric_limits<double>::infinity();
    if (next <= newton_decrease * size) {
      x.swap(trial_);
      std::swap(at_, next_);
      size = next;
      damping = std::max(newton_least_damping, 0.1 * damping);
    } else if (damping *= 10; damping > newton_most_damping) {
      end.stuck = true;
      return end;
    }
  }
}

template class BlockNewton<2>;
template class BlockNewton<3>;
template class BlockNewton<6>;

}  // namespace carom::inline impact
