#pragma once

#include "contact_geometry/outline_of_shape.h"
#include "contact_geometry/shape_description.h"

// What all shapes share that are outlines: those that are drawn, and those that are made of a few numbers.
namespace carom::inline contact_geometry {

ShapeDescription<2> describe_as_outline(std::string name);
ShapeSurface outline_surface(const Shape<2>& shape, int sides);

}  // namespace carom::inline contact_geometry
