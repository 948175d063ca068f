#include "contact_geometry/mass_properties.h"
#include "contact_geometry/shape_description.h"

namespace carom::inline contact_geometry {

template <int D>
ShapeDescription<D> describe_cavity() {
  return {.kind = ShapeKind::cavity,
          .name = "cavity",
          .required = {"radius"},
          .form = ShapeForm::hollow,
          .bounding_radius = radius_of<D>,
          .turning_radius = does_not_turn<D>,
          .mass = ball_mass<D>};
}

template ShapeDescription<2> describe_cavity<2>();
template ShapeDescription<3> describe_cavity<3>();

}  // namespace carom::inline contact_geometry
