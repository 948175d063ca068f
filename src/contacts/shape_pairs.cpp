#include "contacts/shape_pairs.h"

#include "base/nearest_name.h"

namespace carom {

bool is_pattern(const std::string& name) {
  return name.find_first_of("*?") != std::string::npos;
}

bool means_body(const std::string& name, const std::string& body) {
  return is_pattern(name) ? body != "ground" && matches_pattern(body, name) : body == name;
}

std::size_t shape_pairs(const Model& model, const PairModel& pair) {
  const auto count = [&](std::size_t side) {
    std::size_t sum = 0;
    const auto add = [&](const BodyModel& body) {
      for (const Geometry& geometry : body.geometry)
        sum += pair.shapes[side].empty() || geometry.name == pair.shapes[side] ? 1 : 0;
    };
    if (pair.bodies[side] == "ground") add(model.ground);
    for (const BodyModel& body : model.bodies) {
      if (means_body(pair.bodies[side], body.name)) add(body);
    }
    return sum;
  };
  return count(0) * count(1);
}

}  // namespace carom
