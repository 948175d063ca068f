#include "contact_geometry/shape_description.h"

namespace carom::inline contact_geometry {

namespace {

template <int D>
double ellipsoid_bounding_radius(const Shape<D>& ellipsoid) {
  return ellipsoid.half.maxCoeff();
}

template <int D>
double ellipsoid_thickness(const Shape<D>& ellipsoid) {
  return ellipsoid.half.minCoeff();
}

template <int D>
double ellipsoid_lowest(const Shape<D>& ellipsoid, const BodyState<D>& body, const VectorOf<D>& n) {
  return n.dot(centre_of<D>(ellipsoid, body)) - ellipsoid.half.cwiseProduct(to_shape<D>(ellipsoid, body, n)).norm();
}

template <int D>
VectorOf<D> ellipsoid_lowest_point(const Shape<D>& ellipsoid, const BodyState<D>& body, const VectorOf<D>& n,
                                   const VectorOf<D>&) {
  return centre_of<D>(ellipsoid, body) + farthest_of_ellipsoid<D>(ellipsoid, body, VectorOf<D>(-n));
}

template <int D>
double ellipsoid_sharpness(const Shape<D>& ellipsoid) {
  const double least = ellipsoid.half.minCoeff();
  return ellipsoid.half.maxCoeff() / (least * least);
}

template <int D>
MassProperties ellipsoid_mass(const Shape<D>& ellipsoid) {
  const VectorOf<D> squares = ellipsoid.half.cwiseAbs2();
  MassProperties mass{.volume = (D == 2 ? M_PI : 4 * M_PI / 3) * ellipsoid.half.prod()};
  for (int k = 0; k < 3; ++k) mass.inertia(k, k) = mass.volume / (D + 2) * (squares.sum() - (k < D ? squares[k] : 0));
  return mass;
}

}  // namespace

template <int D>
ShapeDescription<D> describe_ellipsoid() {
  return {.kind = ShapeKind::ellipsoid,
          .name = "ellipsoid",
          .required = {"size"},
          .bounding_radius = ellipsoid_bounding_radius<D>,
          .lowest = ellipsoid_lowest<D>,
          .lowest_point = ellipsoid_lowest_point<D>,
          .thickness = ellipsoid_thickness<D>,
          .sharpness = ellipsoid_sharpness<D>,
          .mass = ellipsoid_mass<D>};
}

template ShapeDescription<2> describe_ellipsoid<2>();
template ShapeDescription<3> describe_ellipsoid<3>();

}  // namespace carom::inline contact_geometry
