#include "beams/beam_element.h"

#include "math/dual.h"

namespace carom {

namespace {

constexpr double most_bent = 2;  // rad: beyond, the sum of the directions of both ends is short

double angle_of(const Eigen::Matrix2d& frame) {
  return std::atan2(frame(1, 0), frame(0, 0));
}

Eigen::Matrix<Dual<9>, 3, 3> turned_frame(const Eigen::Matrix3d& node, const Eigen::Matrix3d& frame, int first) {
  // node (1 + [δ]) frame
  Eigen::Matrix<Dual<9>, 3, 3> result;
  const Eigen::Matrix3d value = node * frame;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) result(i, j) = value(i, j);
  }
  for (int k = 0; k < 3; ++k) {
    Eigen::Matrix3d turn = Eigen::Matrix3d::Zero();
    turn((k + 2) % 3, (k + 1) % 3) = 1, turn((k + 1) % 3, (k + 2) % 3) = -1;
    const Eigen::Matrix3d slope = node * turn * frame;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) result(i, j).slope[first + k] = slope(i, j);
    }
  }
  return result;
}

}  // namespace

template <int D>
helix::Ends<D, double> BeamElement<D>::ends_of(const Bodies<D>& bodies) const {
  const BodyState<D>&a = bodies[data_.a], &b = bodies[data_.b];
  helix::Ends<D, double> at;
  at.apart = b.position - a.position;
  at.rate = b.velocity - a.velocity;
  if constexpr (D == 2) {
    at.theta = (b.angle + angle_b_) - (a.angle + angle_a_);
    // The sum of both directions points half-way.
    const Eigen::Vector2d sum = a.orientation * data_.frame_a.col(0) + b.orientation * data_.frame_b.col(0);
    if (std::abs(at.theta) < most_bent) {
      const double norm = sum.norm();
      at.cosine = sum.x() / norm, at.sine = sum.y() / norm;
    } else {
      const double half_way = 0.5 * (a.angle + angle_a_ + b.angle + angle_b_);
      at.cosine = std::cos(half_way), at.sine = std::sin(half_way);
    }
    at.angular_velocity_a = a.angular_velocity[0], at.angular_velocity_b = b.angular_velocity[0];
  } else {
    at.end_a = a.orientation.matrix() * data_.frame_a, at.end_b = b.orientation.matrix() * data_.frame_b;
    at.angular_velocity_a = at.end_a.transpose() * a.angular_velocity,
    at.angular_velocity_b = at.end_b.transpose() * b.angular_velocity;
  }
  return at;
}

template <int D>
BeamElement<D>::BeamElement(const Data& data, const Bodies<D>& reference) : data_(data) {
  if constexpr (D == 2) angle_a_ = angle_of(data.frame_a), angle_b_ = angle_of(data.frame_b);
  properties_ = {.length = data.length, .stiffness = data.stiffness, .damping = data.damping};
  properties_.reference = evaluate(ends_of(reference), properties_).strain;
}

template <int D>
auto BeamElement<D>::strain(const Bodies<D>& bodies) const -> Strains {
  return evaluate(ends_of(bodies), properties_).strain;
}

template <int D>
auto BeamElement<D>::stress(const Bodies<D>& bodies) const -> Strains {
  return evaluate(ends_of(bodies), properties_).stress;
}

template <int D>
double BeamElement<D>::energy(const Bodies<D>& bodies) const {
  const Strains at = strain(bodies);
  return 0.5 * data_.length * at.dot(data_.stiffness.cwiseProduct(at));
}

template <int D>
double BeamElement<D>::apply(const Bodies<D>& bodies, Loads<D>& loads) const {
  const helix::Internal<D, double> out = evaluate(ends_of(bodies), properties_);
  if constexpr (D == 2) {
    loads.add(data_.a, out.force, -out.torque_a);
    loads.add(data_.b, -out.force, -out.torque_b);
  } else {
    loads.add(data_.a, out.force, -(data_.frame_a * out.torque_a));
    loads.add(data_.b, -out.force, -(data_.frame_b * out.torque_b));
  }
  if (data_.damping == 0) return 0;
  return -data_.length * data_.damping * out.rate.dot(data_.stiffness.cwiseProduct(out.rate));
}

// Variables: the distance of the ends, then the rotations of a and b. Moving a is moving b backwards.
template <int D>
void BeamElement<D>::tangents(const Bodies<D>& bodies, Blocks& stiffness, Blocks& damping) const {
  constexpr int rotational_dofs = Space<D>::rotational_dofs, variables = D + 2 * rotational_dofs;
  using Number = Dual<variables>;
  const helix::Ends<D, double> now = ends_of(bodies);
  const auto fill = [&](const helix::Ends<D, Number>& state, Blocks& blocks) {
    const helix::Internal<D, Number> out = evaluate(state, properties_);
    Eigen::Matrix<double, D + 2 * rotational_dofs, variables> rows;  // force on b, torques on a and on b, in body axes
    for (int k = 0; k < D; ++k) rows.row(k) = out.force[k].slope.transpose();
    Eigen::Matrix<double, rotational_dofs, variables> torque_a, torque_b;
    for (int k = 0; k < rotational_dofs; ++k) {
      torque_a.row(k) = out.torque_a[k].slope.transpose();
      torque_b.row(k) = out.torque_b[k].slope.transpose();
    }
    if constexpr (D == 3) {
      torque_a = (data_.frame_a * torque_a).eval();
      torque_b = (data_.frame_b * torque_b).eval();
    }
    rows.template middleRows<rotational_dofs>(D) = torque_a;
    rows.template bottomRows<rotational_dofs>() = torque_b;
    for (int i = 0; i < 2; ++i) {
      Eigen::Matrix<double, dofs, variables> own;
      own << (i == 0 ? -1.0 : 1.0) * rows.template topRows<D>(),
          rows.template middleRows<rotational_dofs>(D + rotational_dofs * i);
      for (int j = 0; j < 2; ++j) {
        blocks[i][j].template leftCols<D>() = (j == 0 ? -1.0 : 1.0) * own.template leftCols<D>();
        blocks[i][j].template rightCols<rotational_dofs>() =
            own.template middleCols<rotational_dofs>(D + rotational_dofs * j);
      }
    }
  };
  helix::Ends<D, Number> state;
  const auto constant = [&] {
    for (int k = 0; k < D; ++k) state.apart[k] = now.apart[k], state.rate[k] = now.rate[k];
    if constexpr (D == 2) {
      state.theta = now.theta, state.cosine = now.cosine, state.sine = now.sine;
      state.angular_velocity_a = now.angular_velocity_a, state.angular_velocity_b = now.angular_velocity_b;
    } else {
      for (int i = 0; i < 3; ++i) {
        state.angular_velocity_a[i] = now.angular_velocity_a[i],
        state.angular_velocity_b[i] = now.angular_velocity_b[i];
        for (int j = 0; j < 3; ++j) state.end_a(i, j) = now.end_a(i, j), state.end_b(i, j) = now.end_b(i, j);
      }
    }
  };
  constant();
  for (int k = 0; k < D; ++k) state.apart[k] = Number::variable(now.apart[k], k);
  if constexpr (D == 2) {
    state.theta.slope[2] = -1, state.theta.slope[3] = 1;
    for (const int k : {2, 3}) state.cosine.slope[k] = -0.5 * now.sine, state.sine.slope[k] = 0.5 * now.cosine;
  } else {
    state.end_a = turned_frame(bodies[data_.a].orientation.matrix(), data_.frame_a, 3);
    state.end_b = turned_frame(bodies[data_.b].orientation.matrix(), data_.frame_b, 6);
  }
  fill(state, stiffness);
  if (data_.damping == 0) {
    for (auto& row : damping) row.fill(Block::Zero());
    return;
  }
  constant();
  for (int k = 0; k < D; ++k) state.rate[k] = Number::variable(now.rate[k], k);
  if constexpr (D == 2) {
    state.angular_velocity_a = Number::variable(now.angular_velocity_a, 2),
    state.angular_velocity_b = Number::variable(now.angular_velocity_b, 3);
  } else {
    for (int i = 0; i < 3; ++i) {
      state.angular_velocity_a[i].slope.template segment<3>(3) = data_.frame_a.col(i);
      state.angular_velocity_b[i].slope.template segment<3>(6) = data_.frame_b.col(i);
    }
  }
  fill(state, damping);
}

template class BeamElement<2>;
template class BeamElement<3>;

}  // namespace carom
