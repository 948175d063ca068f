#pragma once

#include <optional>
#include <string>

#include "contact_geometry/shape.h"
#include "model/model.h"

// From the geometry of a model to shapes that touch.
namespace carom::inline contacts {

// "sphere", "plane", …; none for a name that means no shape.
std::optional<ShapeKind> find_shape_kind(const std::string& name);
const std::string& shape_name(ShapeKind kind);

// The sizes of a shape; it is placed nowhere, and the curve of a profile is left out.
template <int D>
Shape<D> sized_shape(const Geometry& geometry, ShapeKind kind);

// The shape on its body, whose number is `index`. The geometry has been validated.
template <int D>
Shape<D> placed_shape(const Geometry& geometry, ShapeKind kind, const BodyModel& body, int index);

}  // namespace carom::inline contacts
