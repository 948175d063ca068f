#pragma once

#include "model/model.h"

namespace carom {

// With more pairs of shapes than this a [[pair]] keeps only those near each other, which come and go.
inline constexpr std::size_t most_fixed_pairs = 500;

// Pairs of shapes that a [[pair]] names, whether they can touch or not.
std::size_t shape_pairs(const Model& model, const PairModel& pair);

}  // namespace carom
