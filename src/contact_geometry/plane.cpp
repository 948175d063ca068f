#include "contact_geometry/shape_description.h"

namespace carom::inline contact_geometry {

template <int D>
ShapeDescription<D> describe_plane() {
  return {.kind = ShapeKind::plane,
          .name = "plane",
          .form = ShapeForm::hollow,
          .endless = true,
          .bounding_radius = without_end<D>,
          .turning_radius = does_not_turn<D>};
}

template ShapeDescription<2> describe_plane<2>();
template ShapeDescription<3> describe_plane<3>();

}  // namespace carom::inline contact_geometry
