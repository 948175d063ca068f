#pragma once

#include "model/model.h"

namespace carom::inline contacts {

// With more pairs of shapes than this a [[pair]] keeps only those near each other, which come and go.
inline constexpr std::size_t most_fixed_pairs = 500;

// Whether a name in `bodies` of a [[pair]] is a pattern, which stands for all moving bodies that it fits.
bool is_pattern(const std::string& name);

// Whether a name in `bodies` of a [[pair]] means this body, the ground included.
bool means_body(const std::string& name, const std::string& body);

// Whether a name in `shapes` of a [[pair]] means this shape; without one all do that are not merely drawn.
bool means_shape(const std::string& name, const Geometry& shape);

// Pairs of shapes that a [[pair]] names, whether they can touch or not.
std::size_t shape_pairs(const Model& model, const PairModel& pair);

}  // namespace carom::inline contacts
