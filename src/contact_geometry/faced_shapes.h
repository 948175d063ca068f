#pragma once

#include "contact_geometry/faced_solid.h"
#include "contact_geometry/shape.h"

// Built-in shapes by their true faces, to meet parts of STEP files.
namespace carom::inline contact_geometry {

// Whether shapes of this kind have such faces: all but meshes and heightfields.
bool has_true_faces(ShapeKind kind);

// The solid of a shape of such a kind; null: of a STEP part that has free-form faces. Solids of built-in shapes are
// made when they are first asked for, and kept by each thread.
std::shared_ptr<const FacedSolid> faced_solid_of(const Shape<3>& shape);

// Of a shape of a STEP part (step_shape.cpp).
std::shared_ptr<const FacedSolid> faced_solid_of_step(const Shape<3>& shape);

// What of two shapes touches by triangles in place of true faces of a STEP part, and how far these are from the faces;
// empty: nothing.
std::string what_touches_by_triangles(const Shape<3>& a, const Shape<3>& b);

}  // namespace carom::inline contact_geometry
