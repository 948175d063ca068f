#pragma once

#include "contact_geometry/body_path.h"
#include "contact_geometry/pair.h"

// How the distance of two shapes changes along a path (see docs/theory/contact_detection.md).
//
// Every gap here is the least, over material points p_a and p_b, of a function n · (p_b − p_a) with a direction that is
// fixed in the world or to one of the bodies. If every such function has a second derivative of at most K, then on an
// interval of length τ with the values s₀ and s₁ at its ends
//   s(x τ) ≥ (1 − x) s₀ + x s₁ − ½ K τ² x (1 − x).
namespace carom::inline contact_geometry {

enum class GapKind {
  own,     // the gaps of the slots themselves are such functions: half spaces, and shapes in holes
  convex,  // two convex shapes: the width of the slab between them across a direction
  curve,   // with an outline that need not be convex: the gaps of the slots, which bend with its curvature
};

template <int D>
GapKind gap_kind(const Shape<D>& a, const Shape<D>& b);

// m, least n · p over the points p of a convex shape.
template <int D>
double lowest_along(const Shape<D>& shape, const BodyState<D>& body, const VectorOf<D>& n);

// The point where that is; of all points of a flat or straight side the one nearest to `towards`.
template <int D>
VectorOf<D> lowest_point(const Shape<D>& shape, const BodyState<D>& body, const VectorOf<D>& n,
                         const VectorOf<D>& towards);

// m, by half of which nothing can go through a shape from one side to the other without being noticed in it: its
// smallest radius or half width; 0 where that is not known.
template <int D>
double thickness_of(const Shape<D>& shape);

// m, greatest distance of the points of the shape from the mass centre of its body. Round shapes count by their centre
// or axis: what is about it does not move when it turns.
template <int D>
double reach_of(const Shape<D>& shape);

// The least value of the bound above.
double least_between(double s0, double s1, double k_tau_squared);

// 1/m, greatest curvature of the convex parts of an outline; of round shapes that of their surface, of others 0.
template <int D>
double sharpness_of(const Shape<D>& shape);

// A direction across which two convex shapes are apart, carried along by a body or fixed in the world.
template <int D>
struct Slab {
  enum class Frame { world, a, b };
  Frame frame = Frame::world;
  VectorOf<D> normal = VectorOf<D>::UnitX();  // from a to b, in the axes of the frame

  // Fixed to the flat or straight shape whose surface it is normal to, so that sliding along it costs nothing.
  static Slab across(const VectorOf<D>& normal, const Shape<D>& a, const Shape<D>& b, const BodyState<D>& body_a,
                     const BodyState<D>& body_b);
  VectorOf<D> in_world(const BodyState<D>& body_a, const BodyState<D>& body_b) const;
  // m, between the shapes; negative where the slab does not separate them.
  double width(const Shape<D>& a, const Shape<D>& b, const BodyState<D>& body_a, const BodyState<D>& body_b) const;
  // The points of both shapes that lie next to the other one across the slab.
  ContactPoint<D> contact(const Shape<D>& a, const Shape<D>& b, const BodyState<D>& body_a,
                          const BodyState<D>& body_b) const;
};

// Bounds on second derivatives for one pair over one step, m per step².
template <int D>
class PairBend {
 public:
  PairBend(const Shape<D>& a, const Shape<D>& b, BodyPath<D>& path);
  // Of the width of a slab; `normal` in world axes.
  double of(const Slab<D>& slab, const VectorOf<D>& normal) const;
  // Of the gaps of a pair of the kind `own`.
  double own(const VectorOf<D>& normal) const;
  // Of single gaps of other pairs: points of one body in the axes of the other. The distance from a surface bends by
  // itself, by the square of the speed along it times its curvature; `sharpness_a` and `sharpness_b` bound that.
  double of_feature(double sharpness_a, double sharpness_b) const;
  // Of distances along any direction that is fixed to a, to b or in the world; infinite where a shape has no axes.
  struct ByFrame {
    double a = 0, b = 0, world = 0;
  };
  ByFrame by_frame() const;
  // Of the least gap of all points, whatever its direction; infinite where that has no bound.
  double of_distance(double sharpness_a, double sharpness_b) const;

 private:
  double fixed(const VectorOf<D>& n) const;
  double in_frame(bool b_is_frame, double sharpness) const;

  const Shape<D>&a_, &b_;
  GapKind kind_;
  const VectorOf<D>*positions_a_, *positions_b_;
  int degree_;
  TurnBounds turn_a_, turn_b_;
  double reach_a_, reach_b_;
  double turning_;                                      // of both bodies about their mass centres
  double distance_ = 0, speed_ = 0, acceleration_ = 0;  // of one mass centre against the other
};

extern template struct Slab<2>;
extern template struct Slab<3>;
extern template class PairBend<2>;
extern template class PairBend<3>;

}  // namespace carom::inline contact_geometry
