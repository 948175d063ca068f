#pragma once

#include "contact_geometry/manifold.h"
#include "contact_geometry/shape.h"

// What shows at little cost that two solids with flat faces (meshes, boxes, hulls) are apart, and where they are
// deepest in each other. In the plane nothing is known so.
namespace carom::inline contact_geometry {

// Whether both are such solids. Their contact points show the true distance.
bool have_flat_sides(const Shape<3>& a, const Shape<3>& b);
bool have_flat_sides(const Shape<2>& a, const Shape<2>& b);

// m: they are at least so far apart, by the boxes about them along their own axes. Not positive where these boxes
// overlap; minus infinity for other shapes. It costs a hundredth of what their distance does.
double separation_of_boxes(const Shape<3>& a, const Shape<3>& b, const BodyState<3>& body_a,
                           const BodyState<3>& body_b);
double separation_of_boxes(const Shape<2>& a, const Shape<2>& b, const BodyState<2>& body_a,
                           const BodyState<2>& body_b);

// m, width of the slab between them across the unit direction n from a to b; minus infinity for other shapes.
double separation_along(const Eigen::Vector3d& n, const Shape<3>& a, const Shape<3>& b, const BodyState<3>& body_a,
                        const BodyState<3>& body_b);
double separation_along(const Eigen::Vector2d& n, const Shape<2>& a, const Shape<2>& b, const BodyState<2>& body_a,
                        const BodyState<2>& body_b);

// Where an edge of one of two that lie in each other by more than `depth`, m, is deepest in the other, whatever their
// contact points show. The gap is not negative where no such place is known, or where they lie so deep in each other
// that it does not say by which side they have come in.
ContactPoint<3> deepest_dive(const Shape<3>& a, const Shape<3>& b, const BodyState<3>& body_a,
                             const BodyState<3>& body_b, double depth);
ContactPoint<2> deepest_dive(const Shape<2>& a, const Shape<2>& b, const BodyState<2>& body_a,
                             const BodyState<2>& body_b, double depth);

// The point of one feature of two such solids, without a look at anything else; false: it is not there, or they are
// other shapes.
bool follow_feature(const Shape<3>& a, const Shape<3>& b, const BodyState<3>& body_a, const BodyState<3>& body_b,
                    Feature feature, ContactPoint<3>& point);
bool follow_feature(const Shape<2>& a, const Shape<2>& b, const BodyState<2>& body_a, const BodyState<2>& body_b,
                    Feature feature, ContactPoint<2>& point);

}  // namespace carom::inline contact_geometry
