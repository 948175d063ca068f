#include "contacts/shape_of.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "contact_geometry/shape_description.h"

namespace carom::inline contacts {
namespace {

template <int D>
Rotation<D> rotation_of(const Eigen::Quaterniond& orientation) {
  if constexpr (D == 2) {
    return Rotation<2>(2 * std::atan2(orientation.z(), orientation.w()));
  } else {
    return Rotation<3>(orientation.toRotationMatrix());
  }
}

std::shared_ptr<const Profile> profile_of(const Geometry& geometry) {
  std::vector<Eigen::Vector2d> points;
  for (const Eigen::Vector3d& point : geometry.settings.points("points")) points.push_back(point.head<2>());
  return std::make_shared<const Profile>(Profile::through(points, geometry.settings.boolean("closed", true)));
}

}  // namespace

std::optional<ShapeKind> find_shape_kind(const std::string& name) {
  if (const auto* planar = find_shape<2>(name)) return planar->kind;
  if (const auto* spatial = find_shape<3>(name)) return spatial->kind;
  return std::nullopt;
}

const std::string& shape_name(ShapeKind kind) {
  const auto& planar = shape_catalogue<2>();
  const auto found = std::find_if(planar.begin(), planar.end(), [&](const auto& each) { return each.kind == kind; });
  return found != planar.end() ? found->name : description_of<3>(kind).name;
}

template <int D>
Shape<D> sized_shape(const Geometry& geometry, ShapeKind kind) {
  const Settings& keys = geometry.settings;
  Shape<D> shape;
  shape.kind = kind;
  shape.radius = keys.number("radius");
  shape.length = keys.number("length");
  shape.groove_radius = keys.number("groove_radius");
  const auto size = keys.numbers("size");
  for (int k = 0; k < D && k < static_cast<int>(size.size()); ++k) shape.half[k] = size[k] / 2;
  if (const auto* own = find_shape<D>(geometry.shape); own && own->take) own->take(keys, shape);
  return shape;
}

template <int D>
Shape<D> placed_shape(const Geometry& geometry, ShapeKind kind, const BodyModel& body, int index) {
  Shape<D> shape = sized_shape<D>(geometry, kind);
  shape.body = index;
  shape.position = (geometry.position - body.center_of_mass).template head<D>();
  shape.orientation = rotation_of<D>(geometry.orientation);
  if (kind == ShapeKind::profile) shape.profile = profile_of(geometry);
  shape.name = body.name + (geometry.name.empty() ? "" : "." + geometry.name);
  return shape;
}

template Shape<2> sized_shape<2>(const Geometry&, ShapeKind);
template Shape<3> sized_shape<3>(const Geometry&, ShapeKind);
template Shape<2> placed_shape<2>(const Geometry&, ShapeKind, const BodyModel&, int);
template Shape<3> placed_shape<3>(const Geometry&, ShapeKind, const BodyModel&, int);

}  // namespace carom::inline contacts
