#include "contacts/shape_pairs.h"

namespace carom {

std::size_t shape_pairs(const Model& model, const PairModel& pair) {
  const auto count = [&](std::size_t side) {
    std::size_t sum = 0;
    const auto add = [&](const BodyModel& body) {
      for (const Geometry& geometry : body.geometry)
        sum += pair.shapes[side].empty() || geometry.name == pair.shapes[side] ? 1 : 0;
    };
    if (pair.bodies[side] == "ground") add(model.ground);
    for (const BodyModel& body : model.bodies) {
      if (pair.bodies[side] == "*" || pair.bodies[side] == body.name) add(body);
    }
    return sum;
  };
  return count(0) * count(1);
}

}  // namespace carom
