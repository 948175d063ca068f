#pragma once

#include "contact_geometry/polytope.h"
#include "contact_geometry/shape.h"

// A convex solid in one place, as what directions see of it.
//
// The support function of the solid, the greatest n · p over its points, is the greatest of those of its pieces, which
// are smooth: the corners of a solid with flat faces, the two rims of a cylinder or a cone, an ellipsoid. An edge is
// where two corners are equally far, the side of a cylinder where both rims are. Spheres and capsules are a point and a
// line, and a ball that is added everywhere (`rounding`).
namespace carom::inline contact_geometry {

inline constexpr ShapeKind cone_kind = kind_named("cone");
inline constexpr ShapeKind hull_kind = kind_named("hull");

// Whether a solid in space is one of those.
bool is_convex_body(ShapeKind kind);

class ConvexBody {
 public:
  // `origin`: positions are counted from there, in world axes.
  ConvexBody(const Shape<3>& shape, const BodyState<3>& body, const Eigen::Vector3d& origin);

  explicit ConvexBody(const Eigen::Vector3d& point);  // nothing but a point

  enum class Form { corners, rims, ellipsoid };
  Form form() const { return form_; }
  double rounding() const { return rounding_; }
  double size() const { return size_; }  // m, radius of a sphere that holds it
  const Eigen::Vector3d& centre() const { return centre_; }
  Eigen::Vector3d axis(int k) const { return axes_.col(k); }

  // The piece that is farthest in a direction, and where.
  int farthest(const Eigen::Vector3d& n) const;
  int piece_count() const {
    return form_ == Form::corners ? static_cast<int>(polytope_->vertices.size()) : form_ == Form::rims ? 2 : 1;
  }
  double value(int piece, const Eigen::Vector3d& n) const { return n.dot(point(piece, n)); }
  Eigen::Vector3d point(int piece, const Eigen::Vector3d& n) const;
  // Adds `weight` times the second derivative of the support function of a piece at a unit vector n.
  void add_bend(int piece, const Eigen::Vector3d& n, double weight, Eigen::Matrix3d& bend) const;

  // Of solids with corners.
  const Polytope& polytope() const { return *polytope_; }
  Eigen::Vector3d face_normal(int face) const;
  int facing(const Eigen::Vector3d& n) const;  // the face whose normal is nearest to n; −1: there is none
  // Of solids with rims: end 0 at the negative end of the axis.
  double rim_radius(int end) const { return radii_[end]; }
  Eigen::Vector3d rim_centre(int end) const { return centre_ + (end == 0 ? -half_ : half_) * axes_.col(2); }
  // Three points of an end face that a standing solid stands on are pieces, too, though no direction finds them.
  static int standing_piece(int end, int k) { return 2 + 3 * end + k; }

 private:
  Eigen::Vector3d corner(int index) const { return centre_ + axes_ * scale_.cwiseProduct(polytope_->vertices[index]); }

  Form form_ = Form::corners;
  Eigen::Vector3d centre_;
  Eigen::Matrix3d axes_;  // columns: local axes in world axes
  const Polytope* polytope_ = nullptr;
  Eigen::Vector3d scale_ = Eigen::Vector3d::Ones();  // of the polytope; semi-axes of an ellipsoid
  double radii_[2] = {0, 0}, half_ = 0;              // of the rims, and half of what is between them
  double rounding_ = 0, size_ = 0;
};

// The lowest point along n; of all points of a flat or straight side the one nearest to `towards`. As descriptions of
// shapes have it.
Eigen::Vector3d lowest_of_convex(const Shape<3>& shape, const BodyState<3>& body, const Eigen::Vector3d& n,
                                 const Eigen::Vector3d& towards);

}  // namespace carom::inline contact_geometry
