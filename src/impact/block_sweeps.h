#pragma once

#include "impact/contact_blocks.h"

namespace carom::inline impact {

// Projected Gauss–Seidel iterations on blocks: one contact after the other is brought into agreement with its law while
// the others stand (see gauss_seidel_solver.h).
template <int B>
class BlockSweeps {
 public:
  using Vector = typename ContactBlocks<B>::Vector;
  using Vectors = typename ContactBlocks<B>::Vectors;

  // Visits all contacts once. Returns the norm of what changed in x: about that of the residual.
  double sweep(const ContactBlocks<B>& blocks, Vectors& x) const;

 private:
  Vector settled(const ContactBlocks<B>& blocks, int c, Vector own, Vector u) const;
};

extern template class BlockSweeps<2>;
extern template class BlockSweeps<3>;
extern template class BlockSweeps<6>;

}  // namespace carom::inline impact
