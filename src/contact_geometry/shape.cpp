#include <array>

#include "contact_geometry/shape_description.h"

namespace carom::inline contact_geometry {

// Kinds that the enumeration lists are found by their number, those of a name by a search.
template <int D>
const ShapeDescription<D>& description_of(ShapeKind kind) {
  constexpr auto listed = static_cast<std::size_t>(ShapeKind::outer_race) + 1;
  static const auto by_number = [] {
    std::array<const ShapeDescription<D>*, listed> found{};
    for (const ShapeDescription<D>& each : shape_catalogue<D>()) {
      const auto number = static_cast<std::size_t>(each.kind);
      if (number < listed) found[number] = &each;
    }
    return found;
  }();
  const auto number = static_cast<std::size_t>(kind);
  if (number < listed) return *by_number[number];
  const std::vector<ShapeDescription<D>>& all = shape_catalogue<D>();
  std::size_t k = 0;
  while (all[k].kind != kind) ++k;
  return all[k];
}

template <int D>
const ShapeDescription<D>* find_shape(const std::string& name) {
  for (const ShapeDescription<D>& shape : shape_catalogue<D>()) {
    if (shape.name == name) return &shape;
  }
  return nullptr;
}

template <int D>
double Shape<D>::bounding_radius() const {
  return description_of<D>(kind).bounding_radius(*this);
}

template struct Shape<2>;
template struct Shape<3>;
template const ShapeDescription<2>& description_of<2>(ShapeKind);
template const ShapeDescription<3>& description_of<3>(ShapeKind);
template const ShapeDescription<2>* find_shape<2>(const std::string&);
template const ShapeDescription<3>* find_shape<3>(const std::string&);

}  // namespace carom::inline contact_geometry
