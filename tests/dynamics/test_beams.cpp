#include <gtest/gtest.h>

#include "dynamics/system.h"
#include "math/space.h"
#include "model_io/read_model.h"

// Beams in the system: masses, tangents, momentum.
namespace carom {
namespace {

Model read(const std::string& text) {
  ProblemList problems;
  Model model = read_model_text(text, "beam.toml", problems);
  EXPECT_EQ(problems.errors(), 0u) << problems.text();
  return model;
}

const std::string curved = R"(
[material.soft]
young = 1e6
poisson = 0.3
density = 1000
[section.flat]
shape = "rectangle"
width = 0.02
height = 0.05
[[beam]]
name = "hook"
points = [[0, 0, 0], [0.4, 0.3, 0], [0.7, 0.2, 0.4]]
shape = "spline"
twist = "50 deg"
section = "flat"
material = "soft"
elements = 5
mass_damping = 0.3
stiffness_damping = 0.01
angular_velocity = [1, 2, 3]
)";

struct Moved {
  std::unique_ptr<System> system;
  Eigen::VectorXd q, v;
};

// Nodes displaced and set moving, always the same.
Moved moved(const std::string& text, double size) {
  Moved result{System::create(read(text)), {}, {}};
  const State start = result.system->initial_state();
  Eigen::VectorXd step(start.v.size());
  for (Eigen::Index k = 0; k < step.size(); ++k) step[k] = size * std::sin(1.0 + 3.0 * static_cast<double>(k));
  result.q = start.q;
  result.system->retract(start.q.data(), step.data(), result.q.data());
  result.v = start.v + 10 * step.reverse();
  return result;
}

TEST(Beams, TangentsAreTheSlopesOfTheLoads) {
  Moved at = moved(curved, 0.03);
  const auto n = static_cast<Eigen::Index>(at.v.size());
  Eigen::SparseMatrix<double> stiffness, damping;
  const Eigen::VectorXd lambda = Eigen::VectorXd::Zero(at.system->constraint_size());
  at.system->tangents(0, at.q.data(), at.v.data(), lambda, stiffness, damping);
  const Eigen::MatrixXd K = stiffness, C = damping;
  Eigen::VectorXd forth, back, moved_q(at.q.size());
  constexpr double step = 1e-6;
  for (Eigen::Index k = 0; k < n; ++k) {
    Eigen::VectorXd by_position, by_velocity;
    for (const double side : {1.0, -1.0}) {
      const Eigen::VectorXd increment = side * step * Eigen::VectorXd::Unit(n, k), velocity = at.v + increment;
      at.system->retract(at.q.data(), increment.data(), moved_q.data());
      at.system->loads(0, moved_q.data(), at.v.data(), side > 0 ? forth : back);
      if (side < 0) by_position = -(forth - back) / (2 * step);
    }
    for (const double side : {1.0, -1.0}) {
      const Eigen::VectorXd velocity = at.v + side * step * Eigen::VectorXd::Unit(n, k);
      at.system->loads(0, at.q.data(), velocity.data(), side > 0 ? forth : back);
      if (side < 0) by_velocity = -(forth - back) / (2 * step);
    }
    EXPECT_LT((K.col(k) - by_position).norm(), 1e-7 * K.norm()) << k;
    EXPECT_LT((C.col(k) - by_velocity).norm(), 1e-7 * C.norm()) << k;
  }
}

// The whole beam weighs what its volume weighs, and turns about its centre like a rod.
TEST(Beams, HaveTheMassOfTheirVolume) {
  const auto system = System::create(read(R"(
[material.m]
young = 1e9
poisson = 0.3
density = 1000
[section.s]
shape = "circle"
diameter = 0.1
[[beam]]
name = "rod"
points = [[0, 0, 0], [3, 0, 0]]
section = "s"
material = "m"
elements = 5
)"));
  const Eigen::VectorXd start = system->initial_state().q;
  const double mass = 1000 * M_PI / 4 * 0.01 * 3;
  const Eigen::MatrixXd M = system->mass();
  Eigen::VectorXd shift = Eigen::VectorXd::Zero(M.rows()), turn = shift, angular_velocity = shift;
  for (int node = 0; node < 6; ++node) {
    shift[6 * node + 1] = 1;
    turn[6 * node + 1] = 0.6 * node - 1.5, turn[6 * node + 5] = 1;
    angular_velocity[6 * node + 3] = 1;
  }
  EXPECT_NEAR(shift.dot(M * shift), mass, 1e-12 * mass);
  EXPECT_NEAR(turn.dot(M * turn), mass * (9.0 / 12 + 0.0025 / 4), 1e-12 * mass);
  EXPECT_NEAR(angular_velocity.dot(M * angular_velocity), mass * 0.0025 / 2, 1e-14 * mass);
  EXPECT_TRUE(M.isApprox(M.transpose()));
}

// Inner forces and gyroscopic torques change neither momentum nor angular momentum.
TEST(Beams, KeepTheirMomenta) {
  std::string text = curved;
  text.erase(text.find("mass_damping"), std::string("mass_damping = 0.3\n").size());
  Moved at = moved(text, 0.05);
  const int n = static_cast<int>(at.v.size()), nodes = n / 6;
  Eigen::VectorXd q_rate(at.q.size()), v_rate(n), power(at.system->work_size());
  at.system->rates(0, at.q.data(), at.v.data(), q_rate.data(), v_rate.data(), power.data());
  const Eigen::VectorXd p = at.system->mass() * at.v, p_rate = at.system->mass() * v_rate;
  Eigen::Vector3d force = Eigen::Vector3d::Zero(), torque = force;
  for (int k = 0; k < nodes; ++k) {
    const Eigen::Vector3d x = at.q.segment<3>(7 * k), u = at.v.segment<3>(6 * k),
                          angular_velocity = at.v.segment<3>(6 * k + 3);
    const Eigen::Matrix3d R = rotation_matrix(at.q.data() + 7 * k + 3);
    force += p_rate.segment<3>(6 * k);
    torque += x.cross(p_rate.segment<3>(6 * k)) + u.cross(p.segment<3>(6 * k)) +
              R * (p_rate.segment<3>(6 * k + 3) + angular_velocity.cross(p.segment<3>(6 * k + 3)));
  }
  EXPECT_LT(force.norm(), 1e-12 * p_rate.norm());
  EXPECT_LT(torque.norm(), 1e-12 * p_rate.norm());
}

}  // namespace
}  // namespace carom
