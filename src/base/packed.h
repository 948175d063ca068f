#pragma once

namespace carom::inline base {

// Four numbers side by side, wherever they lie: arithmetic on them is that of each, and processors do it at once.
constexpr int packed_width = 4;
using Packed [[gnu::vector_size(packed_width * sizeof(double)), gnu::aligned(alignof(double)), gnu::may_alias]] =
    double;

}  // namespace carom::inline base
