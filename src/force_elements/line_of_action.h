#pragma once

#include "force_elements/force_element.h"

namespace carom::inline force_elements {

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

  // Of that pull, with the derivatives of the tension by length and rate. False where both ends are on one body.
  bool tangents(const Bodies<D>& bodies, const State& line, double tension, double by_length, double by_rate,
                ForceTangents<D>& result) const {
    if (body_i == body_j || !(line.length > 0)) return false;
    const VectorOf<D> velocity = bodies[body_j].velocity_at(line.lever_j) - bodies[body_i].velocity_at(line.lever_i);
    int column = 0;
    for (const int moved : {body_i, body_j}) {
      if (moved == 0) continue;
      const BodyState<D>& body = bodies[moved];
      const double side = moved == body_j ? 1 : -1;
      const VectorOf<D>& lever = moved == body_j ? line.lever_j : line.lever_i;
      for (int k = 0; k < Space<D>::dofs; ++k) {
        const bool turns = k >= D;
        AngularOf<D> axis = AngularOf<D>::Zero();
        if (turns) axis = body.orientation.angular_to_world(AngularOf<D>(AngularOf<D>::Unit(k - D)));
        const VectorOf<D> shift = side * (turns ? cross(axis, lever) : VectorOf<D>(VectorOf<D>::Unit(k % D)));
        const double stretch = line.direction.dot(shift);
        const VectorOf<D> tilt = (shift - stretch * line.direction) / line.length;
        // The angular velocity stays in body axes: in those of the world it turns along.
        VectorOf<D> drift = VectorOf<D>::Zero();
        if (turns) {
          drift = side * cross(body.angular_velocity, VectorOf<D>(cross(axis, lever)));
          if constexpr (D == 3) drift += side * cross(cross(axis, body.angular_velocity), lever);
        }
        const double change = by_length * stretch + by_rate * (tilt.dot(velocity) + line.direction.dot(drift));
        add_column(bodies, line, change * line.direction + tension * tilt, column, k, result.stiffness);
        add_column(bodies, line, by_rate * stretch * line.direction, column, k, result.damping);
        // The force itself stays where it is while the axes of the torque turn away under it.
        if (turns)
          result.stiffness[column][column].col(k).template tail<Space<D>::rotational_dofs>() -=
              body.orientation.angular_to_body(cross(lever, VectorOf<D>(side * tension * cross(axis, line.direction))));
      }
      ++column;
    }
    return true;
  }

  std::vector<int> moving_bodies() const {
    std::vector<int> result;
    if (body_i > 0) result.push_back(body_i);
    if (body_j > 0 && body_j != body_i) result.push_back(body_j);
    return result;
  }

 private:
  // A force on i that grows by so much along freedom k of a body.
  void add_column(const Bodies<D>& bodies, const State& line, const VectorOf<D>& on_i, int column, int k,
                  typename ForceTangents<D>::Block (&blocks)[2][2]) const {
    int row = 0;
    for (const int body : {body_i, body_j}) {
      if (body == 0) continue;
      const VectorOf<D> force = body == body_i ? VectorOf<D>(-on_i) : on_i;
      const VectorOf<D>& lever = body == body_i ? line.lever_i : line.lever_j;
      auto entries = blocks[row++][column].col(k);
      entries.template head<D>() = force;
      entries.template tail<Space<D>::rotational_dofs>() =
          bodies[body].orientation.angular_to_body(cross(lever, force));
    }
  }
};

// Distance between the two ends in the configuration of the file, m.
inline double file_length(const Model& model, const AttachmentPair& pair) {
  return (world_position(model, pair.at[1]) - world_position(model, pair.at[0])).norm();
}

}  // namespace carom::inline force_elements
