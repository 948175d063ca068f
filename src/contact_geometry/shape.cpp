#include "contact_geometry/shape.h"

#include <cmath>

namespace carom {

const char* name_of(ShapeKind kind) {
  switch (kind) {
    case ShapeKind::sphere:
      return "sphere";
    case ShapeKind::plane:
      return "plane";
    case ShapeKind::box:
      return "box";
    case ShapeKind::ellipsoid:
      return "ellipsoid";
    case ShapeKind::cylinder:
      return "cylinder";
    case ShapeKind::capsule:
      return "capsule";
    case ShapeKind::cavity:
      return "cavity";
    case ShapeKind::bore:
      return "bore";
    case ShapeKind::slot:
      return "slot";
    case ShapeKind::profile:
      return "profile";
    case ShapeKind::inner_race:
      return "inner_race";
    case ShapeKind::outer_race:
      return "outer_race";
  }
  return "";
}

template <int D>
double Shape<D>::bounding_radius() const {
  switch (kind) {
    case ShapeKind::sphere:
    case ShapeKind::cavity:
    case ShapeKind::inner_race:
    case ShapeKind::outer_race:
      return radius;
    case ShapeKind::box:
      return half.norm();
    case ShapeKind::ellipsoid:
      return half.maxCoeff();
    case ShapeKind::cylinder:
    case ShapeKind::bore:
      return std::hypot(radius, length / 2);
    case ShapeKind::capsule:
      return radius + length / 2;
    case ShapeKind::profile:
      return profile ? profile->bounding_radius() : 0;
    case ShapeKind::plane:
    case ShapeKind::slot:
      return std::numeric_limits<double>::infinity();
  }
  return std::numeric_limits<double>::infinity();
}

template struct Shape<2>;
template struct Shape<3>;

}  // namespace carom
