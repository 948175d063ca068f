#include "beams/beam_element.h"

#include "math/dual.h"

namespace carom::inline beams {

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

// By the distance of the ends, then the rotations of a and b, or by the rates of these. Moving a is moving b backwards.
template <int D>
using Variation = Dual<D + 2 * Space<D>::rotational_dofs>;

template <int D>
using VariedEnds = helix::Ends<D, Variation<D>>;

template <int D>
VariedEnds<D> without_slopes(const helix::Ends<D, double>& now) {
  VariedEnds<D> ends;
  for (int k = 0; k < D; ++k) ends.apart[k] = now.apart[k], ends.rate[k] = now.rate[k];
  if constexpr (D == 2) {
    ends.theta = now.theta, ends.cosine = now.cosine, ends.sine = now.sine;
    ends.angular_velocity_a = now.angular_velocity_a, ends.angular_velocity_b = now.angular_velocity_b;
  } else {
    for (int i = 0; i < 3; ++i) {
      ends.angular_velocity_a[i] = now.angular_velocity_a[i], ends.angular_velocity_b[i] = now.angular_velocity_b[i];
      for (int j = 0; j < 3; ++j) ends.end_a(i, j) = now.end_a(i, j), ends.end_b(i, j) = now.end_b(i, j);
    }
  }
  return ends;
}

template <int D>
VariedEnds<D> vary_position(const typename BeamElement<D>::Data& data, const Bodies<D>& bodies,
                            const helix::Ends<D, double>& now) {
  VariedEnds<D> ends = without_slopes<D>(now);
  for (int k = 0; k < D; ++k) ends.apart[k] = Variation<D>::variable(now.apart[k], k);
  if constexpr (D == 2) {
    ends.theta.slope[2] = -1, ends.theta.slope[3] = 1;
    for (const int k : {2, 3}) ends.cosine.slope[k] = -0.5 * now.sine, ends.sine.slope[k] = 0.5 * now.cosine;
  } else {
    ends.end_a = turned_frame(bodies[data.a].orientation.matrix(), data.frame_a, 3);
    ends.end_b = turned_frame(bodies[data.b].orientation.matrix(), data.frame_b, 6);
  }
  return ends;
}

template <int D>
VariedEnds<D> vary_velocity(const typename BeamElement<D>::Data& data, const helix::Ends<D, double>& now) {
  VariedEnds<D> ends = without_slopes<D>(now);
  for (int k = 0; k < D; ++k) ends.rate[k] = Variation<D>::variable(now.rate[k], k);
  if constexpr (D == 2) {
    ends.angular_velocity_a = Variation<D>::variable(now.angular_velocity_a, 2),
    ends.angular_velocity_b = Variation<D>::variable(now.angular_velocity_b, 3);
  } else {
    for (int i = 0; i < 3; ++i) {
      ends.angular_velocity_a[i].slope.template segment<3>(3) = data.frame_a.col(i);
      ends.angular_velocity_b[i].slope.template segment<3>(6) = data.frame_b.col(i);
    }
  }
  return ends;
}

// The slopes of force and torques, by body and in body axes.
template <int D>
void fill_blocks(const typename BeamElement<D>::Data& data, const helix::Internal<D, Variation<D>>& out,
                 typename BeamElement<D>::Blocks& blocks) {
  constexpr int dofs = Space<D>::dofs, rotational_dofs = Space<D>::rotational_dofs, variables = D + 2 * rotational_dofs;
  Eigen::Matrix<double, D, variables> force;
  for (int k = 0; k < D; ++k) force.row(k) = out.force[k].slope.transpose();
  std::array<Eigen::Matrix<double, rotational_dofs, variables>, 2> torque;
  for (int k = 0; k < rotational_dofs; ++k) {
    torque[0].row(k) = out.torque_a[k].slope.transpose();
    torque[1].row(k) = out.torque_b[k].slope.transpose();
  }
  if constexpr (D == 3) {
    torque[0] = (data.frame_a * torque[0]).eval();
    torque[1] = (data.frame_b * torque[1]).eval();
  }
  for (int i = 0; i < 2; ++i) {
    Eigen::Matrix<double, dofs, variables> own;
    own << (i == 0 ? -1.0 : 1.0) * force, torque[i];
    for (int j = 0; j < 2; ++j) {
      blocks[i][j].template leftCols<D>() = (j == 0 ? -1.0 : 1.0) * own.template leftCols<D>();
      blocks[i][j].template rightCols<rotational_dofs>() =
          own.template middleCols<rotational_dofs>(D + rotational_dofs * j);
    }
  }
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

template <int D>
void BeamElement<D>::tangents(const Bodies<D>& bodies, Blocks& stiffness, Blocks& damping) const {
  const helix::Ends<D, double> now = ends_of(bodies);
  fill_blocks<D>(data_, evaluate(vary_position<D>(data_, bodies, now), properties_), stiffness);
  if (data_.damping == 0) {
    for (auto& row : damping) row.fill(Block::Zero());
    return;
  }
  fill_blocks<D>(data_, evaluate(vary_velocity<D>(data_, now), properties_), damping);
}

template class BeamElement<2>;
template class BeamElement<3>;

}  // namespace carom::inline beams
