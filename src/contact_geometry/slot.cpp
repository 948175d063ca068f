#include "contact_geometry/shape_description.h"

namespace carom::inline contact_geometry {

namespace {

template <int D>
void take(const Settings& keys, Shape<D>& slot) {
  const double width = keys.number("width");
  slot.half[0] = width / 2;
  slot.half[1] = (D == 2 ? width : keys.number("height", width)) / 2;
}

}  // namespace

template <int D>
ShapeDescription<D> describe_slot() {
  return {.kind = ShapeKind::slot,
          .name = "slot",
          .required = {"width"},
          .optional = D == 3 ? std::vector<std::string>{"height"} : std::vector<std::string>{},
          .form = ShapeForm::hollow,
          .endless = true,
          .take = take<D>,
          .bounding_radius = without_end<D>,
          .turning_radius = does_not_turn<D>};
}

template ShapeDescription<2> describe_slot<2>();
template ShapeDescription<3> describe_slot<3>();

}  // namespace carom::inline contact_geometry
