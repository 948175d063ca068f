#include "impact/block_sweeps.h"

namespace carom::inline impact {
namespace {

constexpr int most_settling = 20;        // iterations on the law of one contact
constexpr double settling_share = 3e-2;  // of the change of its impulses, after which it is left

}  // namespace

// Of u = W_cc x + …, projections until x hardly changes.
template <int B>
typename BlockSweeps<B>::Vector BlockSweeps<B>::settled(const ContactBlocks<B>& blocks, int c, Vector own,
                                                        Vector u) const {
  const auto& contact = blocks.contacts[c];
  const auto& block = blocks.delassus[contact.diagonal];
  double first = 0;
  for (int k = 0; k < most_settling; ++k) {
    const double free = own[0] - u[0], normal = contact.bilateral ? free : std::max(0.0, free);
    double change = normal - own[0], square = change * change;
    own[0] = normal;
    u += block.col(0) * change;
    for (int b = contact.first_ball; b < contact.first_ball + contact.balls; ++b) {
      const auto& ball = blocks.balls[b];
      const Vector trial = own - u;
      const double size = blocks.length(ball, trial), bound = ball.radius * std::max(0.0, normal);
      const double shrink = size > bound ? bound / size : 1;
      for (int l = ball.first; l < ball.first + ball.size; ++l) {
        change = shrink * trial[l] - own[l];
        own[l] += change;
        u += block.col(l) * change;
        square += change * change;
      }
    }
    if (k == 0) first = square;
    if (square <= settling_share * settling_share * first) break;
  }
  return own;
}

template <int B>
double BlockSweeps<B>::sweep(const ContactBlocks<B>& blocks, Vectors& x) const {
  double square = 0;
  for (int c = 0; c < blocks.size(); ++c) {
    const Vector own = settled(blocks, c, x[c], blocks.velocity(c, x));
    square += (own - x[c]).squaredNorm();
    x[c] = own;
  }
  return std::sqrt(square);
}

template class BlockSweeps<2>;
template class BlockSweeps<3>;
template class BlockSweeps<6>;

}  // namespace carom::inline impact
