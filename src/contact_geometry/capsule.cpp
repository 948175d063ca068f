#include "contact_geometry/shape_description.h"

namespace carom::inline contact_geometry {

namespace {

template <int D>
double half_length(const Shape<D>& capsule) {
  return capsule.length / 2;
}

template <int D>
double capsule_bounding_radius(const Shape<D>& capsule) {
  return capsule.radius + capsule.length / 2;
}

template <int D>
double capsule_lowest(const Shape<D>& capsule, const BodyState<D>& body, const VectorOf<D>& n) {
  return n.dot(centre_of<D>(capsule, body)) - 0.5 * capsule.length * std::abs(n.dot(capsule_axis<D>(capsule, body))) -
         capsule.radius;
}

template <int D>
VectorOf<D> capsule_lowest_point(const Shape<D>& capsule, const BodyState<D>& body, const VectorOf<D>& n,
                                 const VectorOf<D>& towards) {
  const VectorOf<D> centre = centre_of<D>(capsule, body), axis = capsule_axis<D>(capsule, body);
  return centre + lowest_on_side<D>(axis, capsule.length / 2, n, VectorOf<D>(towards - centre)) * axis -
         capsule.radius * n;
}

template <int D>
double capsule_normal_share(const Shape<D>& capsule, const BodyState<D>& body, const VectorOf<D>& n) {
  return 1 - std::abs(n.dot(capsule_axis<D>(capsule, body)));
}

// The middle part, and a ball or disc whose halves are put to its ends.
template <int D>
MassProperties capsule_mass(const Shape<D>& capsule) {
  const double radius = capsule.radius, length = capsule.length, square = radius * radius;
  MassProperties mass;
  if constexpr (D == 2) {
    const double middle = 2 * radius * length, disc = M_PI * square;
    mass.volume = middle + disc;
    mass.inertia(2, 2) = middle * (length * length + 4 * square) / 12 + disc * (square / 2 + length * length / 4) +
                         4.0 / 3 * length * square * radius;
  } else {
    const double middle = M_PI * square * length, ball = 4 * M_PI / 3 * square * radius;
    mass.volume = middle + ball;
    const double across = middle * (3 * square + length * length) / 12 +
                          ball * (0.4 * square + length * length / 4 + 0.375 * length * radius);
    mass.inertia.diagonal() << across, across, middle * square / 2 + ball * 0.4 * square;
  }
  return mass;
}

}  // namespace

template <int D>
ShapeDescription<D> describe_capsule() {
  return {.kind = ShapeKind::capsule,
          .name = "capsule",
          .required = {"radius", "length"},
          .bounding_radius = capsule_bounding_radius<D>,
          .lowest = capsule_lowest<D>,
          .lowest_point = capsule_lowest_point<D>,
          .thickness = radius_of<D>,
          .turning_radius = half_length<D>,
          .sharpness = curvature_of_radius<D>,
          .normal_share = capsule_normal_share<D>,
          .mass = capsule_mass<D>};
}

template ShapeDescription<2> describe_capsule<2>();
template ShapeDescription<3> describe_capsule<3>();

}  // namespace carom::inline contact_geometry
