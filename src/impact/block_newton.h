#pragma once

#include "impact/contact_blocks.h"
#include "math/block_lu.h"

namespace carom::inline impact {

struct NewtonEnd {
  double residual = 0;  // |F| where it stopped, of the scale of F
  int factorisations = 0;
  bool stuck = false;  // no step helps any more
};

// Semi-smooth Newton iteration on the projections of Alart and Curnier (see impulse_solver.h) with sparse blocks,
// damped after Levenberg and Marquardt: (dF + δ I) dx = −F, and δ grows until the residual falls. Where contacts carry
// their load in many ways, dF is singular, and the little that δ is at the least picks one of them.
template <int B>
class BlockNewton {
 public:
  using Vectors = typename ContactBlocks<B>::Vectors;

  // From x, which never becomes worse, until |F| is at most `tolerance` of its scale, or for at most so many
  // factorisations. `lu` knows the pattern of the blocks.
  NewtonEnd solve(const ContactBlocks<B>& blocks, BlockLu<B>& lu, double tolerance, int most_factorisations,
                  Vectors& x);

 private:
  bool step(const ContactBlocks<B>& blocks, BlockLu<B>& lu, double damping);

  BlockResidual<B> at_, next_;
  Vectors step_, trial_;
};

extern template class BlockNewton<2>;
extern template class BlockNewton<3>;
extern template class BlockNewton<6>;

}  // namespace carom::inline impact
