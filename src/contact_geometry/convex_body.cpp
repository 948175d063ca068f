#include "contact_geometry/convex_body.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact_geometry/hull.h"
#include "contact_geometry/round_end.h"

namespace carom::inline contact_geometry {

bool is_convex_body(ShapeKind kind) {
  return kind == ShapeKind::sphere || kind == ShapeKind::box || kind == ShapeKind::ellipsoid ||
         kind == ShapeKind::cylinder || kind == ShapeKind::capsule || kind == cone_kind || kind == hull_kind;
}

ConvexBody::ConvexBody(const Shape<3>& shape, const BodyState<3>& body, const Eigen::Vector3d& origin)
    : centre_(centre_of<3>(shape, body) - origin),
      axes_(body.orientation.matrix() * shape.orientation.matrix()),
      size_(shape.bounding_radius()) {
  switch (shape.kind) {
    case ShapeKind::sphere:
      polytope_ = &single_point(), rounding_ = shape.radius;
      break;
    case ShapeKind::capsule:
      polytope_ = &unit_segment(), rounding_ = shape.radius;
      scale_.z() = shape.length / 2;
      break;
    case ShapeKind::box:
      polytope_ = &unit_cube(), scale_ = shape.half;
      break;
    case ShapeKind::ellipsoid:
      form_ = Form::ellipsoid, scale_ = shape.half;
      break;
    case ShapeKind::cylinder:
      form_ = Form::rims, half_ = shape.length / 2;
      radii_[0] = radii_[1] = shape.radius;
      break;
    default:
      if (shape.kind == hull_kind) {
        polytope_ = &hull_of(shape);
      } else {
        form_ = Form::rims, half_ = shape.length / 2;
        radii_[0] = shape.radius, radii_[1] = shape.half[0];
      }
  }
}

ConvexBody::ConvexBody(const Eigen::Vector3d& point)
    : centre_(point), axes_(Eigen::Matrix3d::Identity()), polytope_(&single_point()) {}

int ConvexBody::farthest(const Eigen::Vector3d& n) const {
  if (form_ == Form::ellipsoid) return 0;
  const Eigen::Vector3d local = axes_.transpose() * n;
  if (form_ == Form::rims) return 2 * half_ * local.z() + (radii_[1] - radii_[0]) * local.head<2>().norm() > 0 ? 1 : 0;
  const Eigen::Vector3d scaled = scale_.cwiseProduct(local);
  return farthest_vertex(*polytope_, scaled);
}

Eigen::Vector3d ConvexBody::point(int piece, const Eigen::Vector3d& n) const {
  switch (form_) {
    case Form::corners:
      return corner(piece);
    case Form::ellipsoid: {
      const Eigen::Vector3d scaled = scale_.cwiseProduct(axes_.transpose() * n);
      return centre_ + axes_ * (scale_.cwiseProduct(scaled) / scaled.norm());
    }
    default:
      break;
  }
  if (piece >= 2) {
    const int end = (piece - 2) / 3, k = (piece - 2) % 3;
    const double angle = 2 * M_PI / 3 * k, radius = standing_radius * radii_[end];
    return rim_centre(end) + radius * (std::cos(angle) * axes_.col(0) + std::sin(angle) * axes_.col(1));
  }
  // In local axes, where a direction close to the axis leaves nothing along it.
  const Eigen::Vector2d across = (axes_.transpose() * n).head<2>();
  const double size = across.norm();
  if (!(size > 0)) return rim_centre(piece);
  return rim_centre(piece) + axes_.leftCols<2>() * (radii_[piece] / size * across);
}

void ConvexBody::add_bend(int piece, const Eigen::Vector3d& n, double weight, Eigen::Matrix3d& bend) const {
  if (form_ == Form::corners || piece >= 2) return;
  if (form_ == Form::ellipsoid) {
    const Eigen::Vector3d local = axes_.transpose() * n, scaled = scale_.cwiseProduct(local);
    const double value = scaled.norm();
    const Eigen::Vector3d far = scale_.cwiseProduct(scaled) / value;
    Eigen::Matrix3d own = -far * far.transpose();
    own.diagonal() += scale_.cwiseAbs2();
    bend += weight / value * axes_ * own * axes_.transpose();
    return;
  }
  const Eigen::Vector3d around = axes_.col(2).cross(n);
  const double size = std::max(around.norm(), 1e-12);
  bend += weight * radii_[piece] / (size * size * size) * around * around.transpose();
}

Eigen::Vector3d ConvexBody::face_normal(int face) const {
  return axes_ * polytope_->faces[face].normal;
}

int ConvexBody::facing(const Eigen::Vector3d& n) const {
  const Eigen::Vector3d local = axes_.transpose() * n;
  int best = -1;
  double most = -2;
  for (std::size_t k = 0; k < polytope_->faces.size(); ++k) {
    const double share = local.dot(polytope_->faces[k].normal);
    if (share > most) most = share, best = static_cast<int>(k);
  }
  return best;
}

namespace {

constexpr double level_angle = 1e-9;  // rad, below which a side counts as across a direction

Eigen::Vector3d nearest_on_edge(const Eigen::Vector3d& p, const Eigen::Vector3d& q, const Eigen::Vector3d& point) {
  const Eigen::Vector3d along = q - p;
  return p + std::clamp(along.dot(point - p) / along.squaredNorm(), 0.0, 1.0) * along;
}

Eigen::Vector3d nearest_on_face(const ConvexBody& body, int face, const Eigen::Vector3d& point) {
  const Eigen::Vector3d normal = body.face_normal(face);
  const std::vector<int>& corners = body.polytope().faces[face].corners;
  Eigen::Vector3d from = body.point(corners.back(), normal), best = from;
  double least = std::numeric_limits<double>::infinity();
  bool inside = true;
  for (const int corner : corners) {
    const Eigen::Vector3d to = body.point(corner, normal);
    inside = inside && normal.dot((to - from).cross(point - from)) >= 0;
    const Eigen::Vector3d near = nearest_on_edge(from, to, point);
    if ((near - point).squaredNorm() < least) least = (near - point).squaredNorm(), best = near;
    from = to;
  }
  return inside ? Eigen::Vector3d(point - normal.dot(point - from) * normal) : best;
}

}  // namespace

Eigen::Vector3d lowest_of_convex(const Shape<3>& shape, const BodyState<3>& body, const Eigen::Vector3d& n,
                                 const Eigen::Vector3d& towards) {
  const Eigen::Vector3d origin = centre_of<3>(shape, body), there = towards - origin, down = -n;
  const ConvexBody solid(shape, body, origin);
  const int piece = solid.farthest(down);
  if (solid.form() == ConvexBody::Form::corners) {
    const int face = solid.facing(down);
    if (face >= 0 && solid.face_normal(face).cross(n).norm() < level_angle)
      return origin + nearest_on_face(solid, face, there);
  }
  if (solid.form() != ConvexBody::Form::rims) return origin + solid.point(piece, down);
  if (solid.axis(2).cross(n).norm() < level_angle) {
    const Eigen::Vector3d middle = solid.rim_centre(piece), off = there - middle - n.dot(there - middle) * n;
    const double size = off.norm(), radius = solid.rim_radius(piece);
    return origin + middle + (size > radius ? radius / size : 1) * off;
  }
  const Eigen::Vector3d low = solid.point(0, down), high = solid.point(1, down);
  if (std::abs(n.dot(high - low)) < level_angle * (high - low).norm())
    return origin + nearest_on_edge(low, high, there);
  return origin + solid.point(piece, down);
}

}  // namespace carom::inline contact_geometry
