#pragma once

#include <optional>

#include "contact_geometry/shape.h"

namespace carom::inline contact_geometry {

// Whether a point, in the axes of the shape, lies inside it; of a hole: where material is missing. None where no pair
// of the shape with a sphere could tell.
template <int D>
std::optional<bool> is_inside(const Shape<D>& shape, const VectorOf<D>& point);

}  // namespace carom::inline contact_geometry
