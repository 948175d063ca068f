#include "contacts/shape_pairs.h"

#include "base/nearest_name.h"

namespace carom::inline contacts {

bool is_pattern(const std::string& name) {
  return name.find_first_of("*?") != std::string::npos;
}

bool means_body(const std::string& name, const std::string& body) {
  return is_pattern(name) ? body != "ground" && matches_pattern(body, name) : body == name;
}

bool means_shape(const std::string& name, const Geometry& shape) {
  return !shape.visual && (name.empty() || shape.name == name);
}

std::size_t shape_pairs(const Model& model, const PairModel& pair) {
  const auto count = [&](std::size_t side) {
    std::size_t sum = 0;
    const auto add = [&](const BodyModel& body) {
      for (const Geometry& geometry : body.geometry) sum += means_shape(pair.shapes[side], geometry) ? 1 : 0;
    };
    if (pair.bodies[side] == "ground") add(model.ground);
    for (const BodyModel& body : model.bodies) {
      if (means_body(pair.bodies[side], body.name)) add(body);
    }
    return sum;
  };
  return count(0) * count(1);
}

}  // namespace carom::inline contacts
