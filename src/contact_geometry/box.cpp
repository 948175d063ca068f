#include "contact_geometry/shape_description.h"

namespace carom::inline contact_geometry {

namespace {

template <int D>
double box_bounding_radius(const Shape<D>& box) {
  return box.half.norm();
}

template <int D>
double box_thickness(const Shape<D>& box) {
  return box.half.minCoeff();
}

template <int D>
double box_lowest(const Shape<D>& box, const BodyState<D>& body, const VectorOf<D>& n) {
  double extent = 0;
  for (int k = 0; k < D; ++k) extent += box.half[k] * std::abs(n.dot(axis_of<D>(box, body, k)));
  return n.dot(centre_of<D>(box, body)) - extent;
}

template <int D>
VectorOf<D> box_lowest_point(const Shape<D>& box, const BodyState<D>& body, const VectorOf<D>& n,
                             const VectorOf<D>& towards) {
  const VectorOf<D> centre = centre_of<D>(box, body), there = towards - centre;
  VectorOf<D> point = centre;
  for (int k = 0; k < D; ++k) {
    const VectorOf<D> axis = axis_of<D>(box, body, k);
    point += lowest_on_side<D>(axis, box.half[k], n, there) * axis;
  }
  return point;
}

template <int D>
double box_normal_share(const Shape<D>& box, const BodyState<D>& body, const VectorOf<D>& n) {
  double most = 0;
  for (int k = 0; k < D; ++k) most = std::max(most, std::abs(n.dot(axis_of<D>(box, body, k))));
  return most;
}

template <int D>
MassProperties box_mass(const Shape<D>& box) {
  const VectorOf<D> squares = box.half.cwiseAbs2();
  MassProperties mass{.volume = std::ldexp(box.half.prod(), D)};
  for (int k = 0; k < 3; ++k) mass.inertia(k, k) = mass.volume / 3 * (squares.sum() - (k < D ? squares[k] : 0));
  return mass;
}

}  // namespace

template <int D>
ShapeDescription<D> describe_box() {
  return {.kind = ShapeKind::box,
          .name = "box",
          .required = {"size"},
          .bounding_radius = box_bounding_radius<D>,
          .lowest = box_lowest<D>,
          .lowest_point = box_lowest_point<D>,
          .thickness = box_thickness<D>,
          .normal_share = box_normal_share<D>,
          .mass = box_mass<D>};
}

template ShapeDescription<2> describe_box<2>();
template ShapeDescription<3> describe_box<3>();

}  // namespace carom::inline contact_geometry
