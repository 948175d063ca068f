#include "contact_geometry/mass_properties.h"
#include "contact_geometry/shape_description.h"

namespace carom::inline contact_geometry {

namespace {

template <int D>
double bore_bounding_radius(const Shape<D>& bore) {
  return std::hypot(bore.radius, bore.length / 2);
}

}  // namespace

template <int D>
ShapeDescription<D> describe_bore() {
  return {.kind = ShapeKind::bore,
          .name = "bore",
          .required = {"radius", "length"},
          .form = ShapeForm::hollow,
          .bounding_radius = bore_bounding_radius<D>,
          .mass = cylinder_mass<D>};
}

template ShapeDescription<3> describe_bore<3>();

}  // namespace carom::inline contact_geometry
