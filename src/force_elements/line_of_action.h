#pragma once

#include "force_elements/force_element.h"

namespace carom {

// The straight line between a point of body i and a point of body j, along which springs and ligaments pull.
template <int D>
struct LineOfAction {
  int body_i = 0, body_j = 0;
  VectorOf<D> point_i, point_j;

  explicit LineOfAction(const AttachmentPair& pair)
      : body_i(pair.at[0].body),
        body_j(pair.at[1].body),
        point_i(pair.at[0].point.template head<D>()),
        point_j(pair.at[1].point.template head<D>()) {}

  struct State {
    VectorOf<D> lever_i, lever_j, direction;  // direction from i to j
    double length = 0, rate = 0;              // m, m/s
  };

  State evaluate(const Bodies<D>& bodies) const {
    const BodyState<D>&i = bodies[body_i], &j = bodies[body_j];
    State line;
    line.lever_i = i.lever(point_i);
    line.lever_j = j.lever(point_j);
    const VectorOf<D> between = j.position + line.lever_j - i.position - line.lever_i;
    line.length = between.norm();
    // Where the ends meet there is no direction, and no force can be given one.
    line.direction = line.length > 0 ? VectorOf<D>(between / line.length) : VectorOf<D>::Zero();
    line.rate = line.direction.dot(j.velocity_at(line.lever_j) - i.velocity_at(line.lever_i));
    return line;
  }

  // tension > 0 draws the ends together.
  void pull(const Bodies<D>& bodies, const State& line, double tension, Loads<D>& loads) const {
    const VectorOf<D> on_i = tension * line.direction;
    loads.add_force(bodies, body_i, line.lever_i, on_i);
    loads.add_force(bodies, body_j, line.lever_j, -on_i);
  }

  std::vector<int> moving_bodies() const {
    std::vector<int> result;
    if (body_i > 0) result.push_back(body_i);
    if (body_j > 0 && body_j != body_i) result.push_back(body_j);
    return result;
  }
};

// Distance between the two ends in the configuration of the file, m.
inline double file_length(const Model& model, const AttachmentPair& pair) {
  return (world_position(model, pair.at[1]) - world_position(model, pair.at[0])).norm();
}

}  // namespace carom
