#include "contact_geometry/inside.h"

#include "contact_geometry/pair.h"
#include "contact_geometry/shape_description.h"

namespace carom::inline contact_geometry {

namespace {

// By the gap of a sphere that is almost a point.
template <int D>
std::optional<bool> inside_by_gap(const Shape<D>& shape, const VectorOf<D>& point) {
  const PairDescription<D>*pair = find_pair<D>(shape.kind, ShapeKind::sphere),
        *swapped = pair ? nullptr : find_pair<D>(ShapeKind::sphere, shape.kind);
  if (!pair && !swapped) return std::nullopt;
  Shape<D> dot, other = shape;
  dot.kind = ShapeKind::sphere;
  dot.position = point;
  dot.radius = 1e-9 * shape.bounding_radius();
  other.position.setZero();
  other.orientation = {};
  const Shape<D>&a = pair ? other : dot, &b = pair ? dot : other;
  if (!pair) pair = swapped;
  ContactManifold<D> manifold(pair->points(a, b));
  std::vector<double> memory(pair->memory(a, b), 0.0);
  write_manifold<D>(*pair, a, b, {}, {}, manifold, memory.data());
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < manifold.size(); ++k) least = std::min(least, manifold.point(k).gap);
  return is_hole(description_of<D>(shape.kind).form) ? least > 0 : least < 0;
}

}  // namespace

template <int D>
std::optional<bool> is_inside(const Shape<D>& shape, const VectorOf<D>& point) {
  constexpr int along = D == 2 ? 0 : 2;  // axis of a capsule
  switch (shape.kind) {
    case ShapeKind::sphere:
    case ShapeKind::cavity:
      return point.norm() < shape.radius;
    case ShapeKind::inner_race:
    case ShapeKind::outer_race:
      if constexpr (D == 2) return point.norm() < shape.radius;
      return inside_by_gap<D>(shape, point);
    case ShapeKind::box:
      return (point.cwiseAbs() - shape.half).maxCoeff() < 0;
    case ShapeKind::ellipsoid:
      return point.cwiseQuotient(shape.half).norm() < 1;
    case ShapeKind::cylinder:
    case ShapeKind::bore:
      return std::hypot(point[0], point[1]) < shape.radius && std::abs(point[D - 1]) < shape.length / 2;
    case ShapeKind::capsule: {
      VectorOf<D> nearest = VectorOf<D>::Zero();
      nearest[along] = std::clamp(point[along], -shape.length / 2, shape.length / 2);
      return (point - nearest).norm() < shape.radius;
    }
    case ShapeKind::profile:
      if constexpr (D == 2) return shape.profile && shape.profile->is_closed() && shape.profile->contains(point);
      return std::nullopt;
    default:
      return inside_by_gap<D>(shape, point);
  }
}

template std::optional<bool> is_inside<2>(const Shape<2>&, const Eigen::Vector2d&);
template std::optional<bool> is_inside<3>(const Shape<3>&, const Eigen::Vector3d&);

}  // namespace carom::inline contact_geometry
