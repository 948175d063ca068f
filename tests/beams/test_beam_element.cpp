#include "beams/beam_element.h"

#include <random>

#include <gtest/gtest.h>

#include "beams/helix.h"
#include "math/dual.h"

namespace carom {
namespace {

std::mt19937 generator(11);

double random_number() {
  return std::uniform_real_distribution<double>(-1, 1)(generator);
}
template <int N>
Eigen::Matrix<double, N, 1> random_vector() {
  Eigen::Matrix<double, N, 1> v;
  for (int k = 0; k < N; ++k) v[k] = random_number();
  return v;
}
Eigen::Matrix3d random_rotation() {
  return rotation_from_vector(3 * random_vector<3>()).toRotationMatrix();
}

// Two nodes, the second one turned by `bend` and moved a little against a straight element of length 0.7.
template <int D>
Bodies<D> random_nodes(double bend) {
  Bodies<D> bodies(3);
  for (int b = 1; b < 3; ++b) {
    bodies[b].velocity = random_vector<D>();
    bodies[b].angular_velocity = random_vector<Space<D>::rotational_dofs>();
  }
  if constexpr (D == 2) {
    bodies[1].angle = 4 * random_number();
    bodies[2].angle = bodies[1].angle + bend * random_number();
    for (int b = 1; b < 3; ++b) bodies[b].orientation = Rotation<2>(bodies[b].angle);
  } else {
    const Eigen::Matrix3d first = random_rotation();
    bodies[1].orientation = Rotation<3>(first);
    bodies[2].orientation = Rotation<3>(first * rotation_from_vector(bend * random_vector<3>()).toRotationMatrix());
  }
  bodies[1].position = random_vector<D>();
  bodies[2].position = bodies[1].position + bodies[1].orientation * VectorOf<D>(0.7 * VectorOf<D>::UnitX()) +
                       0.1 * bend * random_vector<D>();
  return bodies;
}

template <int D>
BeamElement<D> element(double damping) {
  Bodies<D> straight(3);
  straight[2].position[0] = 0.7;
  typename BeamElement<D>::Data data{.a = 1, .b = 2, .length = 0.7, .damping = damping};
  if constexpr (D == 3) {
    data.frame_a = random_rotation(), data.frame_b = data.frame_a;
    straight[2].position = data.frame_a * Eigen::Vector3d(0.7, 0, 0);
  }
  for (int k = 0; k < BeamElement<D>::strains; ++k) data.stiffness[k] = 2 + k;
  return {data, straight};
}

template <int D>
Eigen::VectorXd loads_of(const BeamElement<D>& beam, const Bodies<D>& bodies) {
  Eigen::VectorXd values = Eigen::VectorXd::Zero(2 * Space<D>::dofs);
  Loads<D> loads(values);
  beam.apply(bodies, loads);
  return values;
}

template <class Dimension>
class BeamElementTest : public testing::Test {};
using Dimensions = testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(BeamElementTest, Dimensions);

TYPED_TEST(BeamElementTest, ForcesAreTheSlopeOfTheEnergy) {
  constexpr int D = TypeParam::value, n = Space<D>::dofs;
  for (const double bend : {0.0, 1e-3, 0.3, 1.2}) {
    const BeamElement<D> beam = element<D>(0);
    const Bodies<D> bodies = random_nodes<D>(bend);
    const Eigen::VectorXd loads = loads_of(beam, bodies);
    for (int k = 0; k < 2 * n; ++k) {
      constexpr double step = 1e-6;
      Bodies<D> forth = bodies, back = bodies;
      forth[1 + k / n] = displaced(bodies[1 + k / n], k % n, step);
      back[1 + k / n] = displaced(bodies[1 + k / n], k % n, -step);
      EXPECT_NEAR(loads[k], -(beam.energy(forth) - beam.energy(back)) / (2 * step), 1e-9 * (1 + std::abs(loads[k])))
          << bend << " " << k;
    }
  }
}

TYPED_TEST(BeamElementTest, TangentsAreTheSlopesOfTheForces) {
  constexpr int D = TypeParam::value, n = Space<D>::dofs;
  for (const double bend : {0.0, 1e-3, 0.3, 1.2}) {
    const BeamElement<D> beam = element<D>(0.2);
    const Bodies<D> bodies = random_nodes<D>(bend);
    typename BeamElement<D>::Blocks stiffness, damping;
    beam.tangents(bodies, stiffness, damping);
    for (int k = 0; k < 2 * n; ++k) {
      constexpr double step = 1e-6;
      const int body = 1 + k / n, freedom = k % n;
      Bodies<D> forth = bodies, back = bodies;
      forth[body] = displaced(bodies[body], freedom, step);
      back[body] = displaced(bodies[body], freedom, -step);
      const Eigen::VectorXd by_position = -(loads_of(beam, forth) - loads_of(beam, back)) / (2 * step);
      for (auto* side : {&(forth = bodies), &(back = bodies)}) {
        const double sign = side == &forth ? step : -step;
        if (freedom < D) {
          (*side)[body].velocity[freedom] += sign;
        } else {
          (*side)[body].angular_velocity +=
              sign * bodies[body].orientation.angular_to_world(AngularOf<D>::Unit(freedom - D));
        }
      }
      const Eigen::VectorXd by_velocity = -(loads_of(beam, forth) - loads_of(beam, back)) / (2 * step);
      for (int row = 0; row < 2 * n; ++row) {
        EXPECT_NEAR(stiffness[row / n][k / n](row % n, freedom), by_position[row], 2e-8) << bend << row << " " << k;
        EXPECT_NEAR(damping[row / n][k / n](row % n, freedom), by_velocity[row], 2e-8) << bend << row << " " << k;
      }
    }
  }
}

TYPED_TEST(BeamElementTest, DampingTakesWhatItsForcesTake) {
  constexpr int D = TypeParam::value, n = Space<D>::dofs;
  const BeamElement<D> free = element<D>(0), damped(
                                                 [&] {
                                                   auto data = free.data();
                                                   data.damping = 0.3;
                                                   return data;
                                                 }(),
                                                 [&] {
                                                   Bodies<D> straight(3);
                                                   straight[2].position = 0.7 * free.data().frame_a.col(0);
                                                   return straight;
                                                 }());
  const Bodies<D> bodies = random_nodes<D>(0.4);
  Eigen::VectorXd values = Eigen::VectorXd::Zero(2 * n);
  Loads<D> loads(values);
  const double power = damped.apply(bodies, loads);
  values -= loads_of(free, bodies);
  double work = 0;
  for (int b = 0; b < 2; ++b) {
    work += values.segment<D>(n * b).dot(bodies[b + 1].velocity);
    work += values.segment<Space<D>::rotational_dofs>(n * b + D).dot(
        bodies[b + 1].orientation.angular_to_body(bodies[b + 1].angular_velocity));
  }
  EXPECT_LT(power, 0);
  EXPECT_NEAR(work, power, 1e-13 * std::abs(power));
}

TYPED_TEST(BeamElementTest, BalancesItself) {
  constexpr int D = TypeParam::value, n = Space<D>::dofs;
  const Bodies<D> bodies = random_nodes<D>(0.8);
  const Eigen::VectorXd loads = loads_of(element<D>(0.1), bodies);
  AngularOf<D> moment = AngularOf<D>::Zero();
  for (int b = 0; b < 2; ++b) {
    moment += cross(bodies[b + 1].position, VectorOf<D>(loads.segment<D>(n * b)));
    moment +=
        bodies[b + 1].orientation.angular_to_world(AngularOf<D>(loads.segment<Space<D>::rotational_dofs>(n * b + D)));
  }
  EXPECT_LT((loads.segment<D>(0) + loads.segment<D>(n)).norm(), 1e-14);
  EXPECT_LT(moment.norm(), 1e-13);
}

TEST(BeamElement, FeelsNoRigidMotion) {
  const BeamElement<3> beam = element<3>(0);
  Bodies<3> bodies = random_nodes<3>(0.5);
  const auto strain = beam.strain(bodies);
  for (int trial = 0; trial < 50; ++trial) {
    const Eigen::Matrix3d turn = random_rotation();
    const Eigen::Vector3d shift = random_vector<3>();
    Bodies<3> moved = bodies;
    for (int b = 1; b < 3; ++b) {
      moved[b].position = turn * bodies[b].position + shift;
      moved[b].orientation = Rotation<3>(turn * bodies[b].orientation.matrix());
    }
    EXPECT_LT((beam.strain(moved) - strain).norm(), 1e-14);
  }
}

// Nodes on a helix, frames along it: the strain is that of the helix, however long the element is.
TEST(BeamElement, IsExactOnAHelix) {
  const Eigen::Vector3d curvature(0.4, 0.7, -0.9), stretch(1.1, 0.05, -0.02);
  for (const double length : {0.01, 0.5, 1.5}) {
    // By many small steps along the helix.
    constexpr int steps = 200000;
    Eigen::Vector3d place = Eigen::Vector3d::Zero();
    const Eigen::Matrix3d half = rotation_from_vector(curvature * length / (2 * steps)).toRotationMatrix();
    Eigen::Matrix3d frame = Eigen::Matrix3d::Identity();
    for (int k = 0; k < steps; ++k) {
      frame *= half;
      place += frame * stretch * length / steps;
      frame *= half;
    }
    Bodies<3> straight(3), bent(3);
    straight[2].position[0] = length;
    bent[2].position = place;
    bent[2].orientation = Rotation<3>(frame);
    const BeamElement<3> beam({.a = 1, .b = 2, .length = length}, straight);
    Eigen::Matrix<double, 6, 1> expected;
    expected << stretch - Eigen::Vector3d::UnitX(), curvature;
    EXPECT_LT((beam.strain(bent) - expected).norm(), 1e-9) << length;
  }
}

// Where the series hand over to the closed forms, values and slopes fit.
TEST(Helix, SeriesAndClosedFormsAgree) {
  using Number = Dual<1>;
  const auto below = helix::coefficients(Number::variable(0.25 * (1 - 1e-12), 0)),
             above = helix::coefficients(Number::variable(0.25 * (1 + 1e-12), 0));
  const auto same = [](const Number& a, const Number& b) {
    EXPECT_NEAR(a.value, b.value, 1e-12);
    EXPECT_NEAR(a.slope[0], b.slope[0], 1e-11);
  };
  same(below.a, above.a), same(below.b, above.b), same(below.a_rate, above.a_rate), same(below.b_rate, above.b_rate);
  same(below.inverse, above.inverse), same(below.sine, above.sine), same(below.half, above.half);
  same(below.sixth, above.sixth);
  EXPECT_NEAR(above.a_rate.value, above.a.slope[0], 1e-13);
  EXPECT_NEAR(above.b_rate.value, above.b.slope[0], 1e-13);
  EXPECT_NEAR(below.a_rate.value, below.a.slope[0], 1e-15);
}

}  // namespace
}  // namespace carom
