#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "contact_geometry/manifold.h"
#include "contact_geometry/shape.h"

// The pairs of shapes that can touch. A pair is a function of two shapes and two body states, not an object, so a broad
// phase can hold millions of candidates.
//
// Most pairs have a fixed number of slots, one contact point each. A slot keeps its identity over time ("corner 3",
// "upper rim"), so that what a contact remembers, such as its impact speed, can be kept per slot. Others write as many
// points as there are, with the identity of the features that meet; slot k of a fixed pair is feature k. The gap of a
// slot, or between two features, is a function of the poses whose rate is normal · (v_b(point_b) − v_a(point_a)) with
// the velocities of the material points, except where a slot switches from one feature to another.
namespace carom::inline contact_geometry {

// Principal radii of a surface, m: convex positive, hollow negative, flat infinite.
struct SurfaceRadii {
  double along = 0;   // in the plane of the motion
  double across = 0;  // across that plane
};

// Writes all slots. `memory` holds what a search remembers of the last call; zeros mean a cold start.
template <int D>
using PairFunction = void (*)(const Shape<D>& a, const Shape<D>& b, const BodyState<D>& body_a,
                              const BodyState<D>& body_b, ContactPoint<D>* points, double* memory);

// Adds the points that are there to an empty manifold, at most `points` of the description.
template <int D>
using ManifoldFunction = void (*)(const Shape<D>& a, const Shape<D>& b, const BodyState<D>& body_a,
                                  const BodyState<D>& body_b, ContactManifold<D>& manifold, double* memory);

// A contact that is closed at an instant of a search: which features meet, and where.
struct ClosedPoint {
  Feature feature = no_feature;
  Eigen::Vector3d place = Eigen::Vector3d::Zero();  // m, world axes
};

// Bounds of the motion between two instants.
struct GapMotion {
  double way = 0;    // m, by which the distance of any two points changes at the most
  double bend = 0;   // m, second derivative of a distance along a direction fixed to one of the shapes, times span²
  double floor = 0;  // m, least value of interest
  // The same as `bend` along directions that are fixed to a, to b, or in the world.
  double bend_a = 0, bend_b = 0, bend_world = 0;
  double turn = 0;                           // rad, of the shapes against each other at the most
  std::span<const ClosedPoint> closed = {};  // at the first instant
};

template <int D>
struct PairDescription {
  ShapeKind a, b;
  std::string name, summary;  // the summary says what the slots are
  // Slots; or, of a pair that writes manifolds, the most points at one state.
  int (*points)(const Shape<D>&, const Shape<D>&) = nullptr;
  int (*memory)(const Shape<D>&, const Shape<D>&) = nullptr;  // numbers of search memory
  PairFunction<D> evaluate = nullptr;                         // of a pair with slots
  // m, 1 / (1/R_a + 1/R_b) with R < 0 for hollow surfaces; NaN when it depends on the point or Hertz does not apply.
  double (*effective_radius)(const Shape<D>&, const Shape<D>&) = nullptr;
  // Of both surfaces, where the patch is an ellipse and no single radius reports its stiffness; null for other pairs.
  std::array<SurfaceRadii, 2> (*radii)(const Shape<D>&, const Shape<D>&) = nullptr;
  // m, radial clearance of a shape in a hole; null for other pairs.
  double (*clearance)(const Shape<D>&, const Shape<D>&) = nullptr;
  // Where b would be in the middle of a, a hole that is not round: its centre is counted from there. Null: from that of
  // a.
  VectorOf<D> (*middle)(const Shape<D>& a, const Shape<D>& b, const BodyState<D>& body_a,
                        const BodyState<D>& body_b) = nullptr;
  ManifoldFunction<D> write = nullptr;  // of a pair whose number of points varies; it has no `evaluate`
  // Whether a contact at the first feature that slides on may be found at the second.
  bool (*slides_on)(Feature from, Feature to) = have_same_lead;
  // The point of one feature, whether `write` names it or not: a corner that presses on a wall presses until it has
  // left it, also where it is not the lowest of its surroundings any more. Null: a contact that is not named ends.
  ContactPoint<D> (*point_of)(const Shape<D>& a, const Shape<D>& b, const BodyState<D>& body_a,
                              const BodyState<D>& body_b, Feature feature) = nullptr;
  // m, a lower bound of the distance between two instants, at which the bodies a and b have the states `from` and `to`;
  // below the floor as soon as that is not excluded. Null: separation.h bounds it.
  double (*least_between)(const Shape<D>& a, const Shape<D>& b, const BodyState<D>* from, const BodyState<D>* to,
                          const GapMotion& motion) = nullptr;
  // The same where some points of the pair are closed: of all other features, each by itself. Null: by the gaps of its
  // points that are free.
  double (*least_between_free)(const Shape<D>& a, const Shape<D>& b, const BodyState<D>* from, const BodyState<D>* to,
                               const GapMotion& motion) = nullptr;
  // Whether they overlap by more than `depth` > 0, m, small beside the shapes: of shapes that need not be convex, whose
  // contact points may show another place where they lie deep in each other. Null: points show all.
  bool (*lie_deeper)(const Shape<D>& a, const Shape<D>& b, const BodyState<D>& body_a, const BodyState<D>& body_b,
                     double depth) = nullptr;
};

// The points of any pair. Those slots of a fixed pair that hold no point now are left out.
template <int D>
void write_manifold(const PairDescription<D>& pair, const Shape<D>& a, const Shape<D>& b, const BodyState<D>& body_a,
                    const BodyState<D>& body_b, ContactManifold<D>& manifold, double* memory) {
  manifold.clear();
  if (pair.write) return pair.write(a, b, body_a, body_b, manifold, memory);
  manifold.add_slots(pair.points(a, b),
                     [&](ContactPoint<D>* slots) { pair.evaluate(a, b, body_a, body_b, slots, memory); });
}

// Sorted by name.
template <int D>
const std::vector<PairDescription<D>>& pair_catalogue();

// The pair in this order, or null; callers swap the shapes when only (b, a) exists.
template <int D>
const PairDescription<D>* find_pair(ShapeKind a, ShapeKind b);

// What most descriptions are made of.
template <int D, int count>
int fixed_count(const Shape<D>&, const Shape<D>&) {
  return count;
}
template <int D>
double no_effective_radius(const Shape<D>&, const Shape<D>&) {
  return std::numeric_limits<double>::quiet_NaN();
}
template <int D>
double radius_of_first(const Shape<D>& a, const Shape<D>&) {
  return a.radius;
}
template <int D>
double radius_of_second(const Shape<D>&, const Shape<D>& b) {
  return b.radius;
}

}  // namespace carom::inline contact_geometry
