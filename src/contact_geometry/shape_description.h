#pragma once

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "contact_geometry/shape.h"
#include "model/description.h"
#include "model/settings.h"

// What there is to know of a kind of shape, one file each; what two of them do together is in the files of pairs.
// Names, keys, checks, bounds of the search for contacts and pictures follow from the descriptions.
namespace carom::inline contact_geometry {

enum class ShapeForm {
  convex,   // bounded and without dents: a slab between two of them tells whether they are apart
  hollow,   // a half space, walls, a hole: the gaps of its pairs are functions of single directions
  outline,  // a curve that need not be convex
  walls,    // those of a groove: hollow for discs, an outline for all others
};

// Whether something may be in it, so that its own points lie where there is no material.
constexpr bool is_hole(ShapeForm form) {
  return form == ShapeForm::hollow || form == ShapeForm::walls;
}

// For pictures, in the axes of the shape; a polygon of a planar shape lies at z = 0.
struct ShapeSurface {
  std::vector<Eigen::Vector3d> points = {};  // m
  std::vector<std::vector<int>> faces = {};  // polygons, seen counter-clockwise from outside
  std::vector<std::vector<int>> lines = {};  // walls of a hole, which has no faces
};

// Of the material of a shape, in its axes, for unit density. A planar shape has unit depth, from z = −½ to ½.
struct MassProperties {
  double volume = 0;                                  // m³
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();   // m
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  // m⁵, about the centre; in the plane (2, 2) alone counts
};

// What is wrong with the keys of a shape, or what is to be known of how they were taken.
struct ShapeRemark {
  std::string key;  // of the shape; empty: the shape as a whole
  std::string found, expected, remedy;
};

// Thrown by `take`: the shape cannot be made of its keys.
class ShapeError : public std::invalid_argument {
 public:
  explicit ShapeError(ShapeRemark remark)
      : std::invalid_argument(remark.found + "; expected " + remark.expected), remark_(std::move(remark)) {}
  const ShapeRemark& remark() const { return remark_; }

 private:
  ShapeRemark remark_;
};

template <int D>
struct ShapeDescription {
  using Vector = VectorOf<D>;

  ShapeKind kind = ShapeKind::sphere;
  std::string name = {};
  std::vector<std::string> required = {}, optional = {};  // keys of its sizes
  std::vector<ParameterDescription> keys = {};            // rows of those that no other shape has
  ShapeForm form = ShapeForm::convex;
  bool endless = false;  // half spaces and slots

  // Takes what `radius`, `length`, `groove_radius` and `size` do not say; null: nothing. Throws ShapeError.
  void (*take)(const Settings& keys, Shape<D>& shape) = nullptr;
  // What a user should know of a shape that was taken, as warnings; null: nothing.
  std::vector<ShapeRemark> (*remarks)(const Shape<D>& shape) = nullptr;
  double (*bounding_radius)(const Shape<D>& shape) = nullptr;  // m, see Shape
  // m, least n · p over the points p of a convex shape; null: by the sphere that holds it.
  double (*lowest)(const Shape<D>& shape, const BodyState<D>& body, const Vector& n) = nullptr;
  // The point where that is; of all points of a flat or straight side the one nearest to `towards`.
  Vector (*lowest_point)(const Shape<D>& shape, const BodyState<D>& body, const Vector& n,
                         const Vector& towards) = nullptr;
  // m, by half of which nothing goes through unnoticed: smallest radius or half width; null: not known.
  double (*thickness)(const Shape<D>& shape) = nullptr;
  // m, how far what moves when the shape turns is from its position; null: the bounding radius. Round ones: 0.
  double (*turning_radius)(const Shape<D>& shape) = nullptr;
  double (*sharpness)(const Shape<D>& shape) = nullptr;  // 1/m, greatest curvature of its surface; null: 0
  // How much of a direction the shape has as normal of a flat or straight side, 0 to 1; null: it has no such sides.
  double (*normal_share)(const Shape<D>& shape, const BodyState<D>& body, const Vector& n) = nullptr;
  // Of a hole: of what is missing; null: it has no volume, as planes and slots.
  MassProperties (*mass)(const Shape<D>& shape) = nullptr;
  // Null where pictures know the shape by its name.
  ShapeSurface (*surface)(const Shape<D>& shape, int sides) = nullptr;
};

// In the order in which pages list them.
template <int D>
const std::vector<ShapeDescription<D>>& shape_catalogue();

template <int D>
const ShapeDescription<D>& description_of(ShapeKind kind);  // must exist

// Null: there is none of this name in such models.
template <int D>
const ShapeDescription<D>* find_shape(const std::string& name);

// What most descriptions are made of.
template <int D>
double radius_of(const Shape<D>& shape) {
  return shape.radius;
}
template <int D>
double curvature_of_radius(const Shape<D>& shape) {
  return 1 / shape.radius;
}
template <int D>
double does_not_turn(const Shape<D>&) {
  return 0;
}
template <int D>
double without_end(const Shape<D>&) {
  return std::numeric_limits<double>::infinity();
}
template <int D>
double lowest_of_ball(const Shape<D>& shape, const BodyState<D>& body, const VectorOf<D>& n) {
  return n.dot(centre_of<D>(shape, body)) - shape.radius;
}
// Where along a straight side the point is that is lowest along n: at an end, or nearest to `there` where it is level.
template <int D>
double lowest_on_side(const VectorOf<D>& axis, double half, const VectorOf<D>& n, const VectorOf<D>& there) {
  constexpr double level = 1e-9;  // rad, below which a side counts as across n
  const double slope = n.dot(axis);
  return std::abs(slope) < level ? std::clamp(axis.dot(there), -half, half) : slope < 0 ? half : -half;
}

}  // namespace carom::inline contact_geometry
