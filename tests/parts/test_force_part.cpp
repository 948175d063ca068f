#include <gtest/gtest.h>

#include "../support/build_model.h"
#include "../support/probe.h"
#include "parts/describe_part.h"
#include "parts/guarded_call.h"

// Force elements made by users: loads, power, energy and derivatives reach the equations of motion as they should.
namespace carom {
namespace {

using build::Element;

constexpr double stiffness = 90, damping = 7, rotational_damping = 0.6;  // N/m, N s/m, N m s

// A spring and a damper between the points and a damper between the angular velocities, along and about all axes.
class Mount final : public v1::ForceElement {
 public:
  explicit Mount(bool tells_derivatives) : tells_derivatives_(tells_derivatives) {}

  v1::ForceAction evaluate(const v1::ForceState& state) const override {
    v1::ForceAction action;
    const v1::End &a = state.ends[0], &b = state.ends[1];
    for (int k = 0; k < 3; ++k) {
      const double way = b.position[k] - a.position[k], speed = b.velocity[k] - a.velocity[k],
                   turn = b.angular_velocity[k] - a.angular_velocity[k];
      action.energy += stiffness / 2 * way * way;
      for (const int end : {0, 1}) {
        const double side = end == 0 ? 1 : -1;
        action.conservative[end].force[k] = side * stiffness * way;
        action.other[end].force[k] = side * damping * speed;
        action.other[end].torque[k] = side * rotational_damping * turn;
      }
    }
    return action;
  }

  bool derivatives(const v1::ForceState&, v1::ForceDerivatives& result) const override {
    for (int r = 0; r < 2; ++r) {
      for (int c = 0; c < 2; ++c) {
        const double side = r == c ? 1 : -1;
        for (int k = 0; k < 3; ++k) {
          result.stiffness[r][c][7 * k] = side * stiffness;
          result.damping[r][c][7 * k] = side * damping;
          result.damping[r][c][7 * (k + 3)] = side * rotational_damping;
        }
      }
    }
    return tells_derivatives_;
  }

 private:
  bool tells_derivatives_;
};

struct Sample {
  bool planar, ground, tells_derivatives;
};

Model model_of(const Sample& sample) {
  const std::string type = sample.tells_derivatives ? "mount-with-derivatives" : "mount";
  v1::ForcePart part;
  part.name = type;
  part.make = [tells = sample.tells_derivatives](const v1::ForceContext&) { return std::make_unique<Mount>(tells); };
  add_force_element(describe_part(part));

  const bool planar = sample.planar;
  Model model = planar ? build::planar_model({0, 0}) : build::spatial_model({0, 0, 0});
  model.bodies = {build::Body("a", 1.3, {0.2, 0.3, 0.4}).at(0.1, 0.3).turned(0.4).centre(0.05, -0.1, planar ? 0 : 0.2),
                  build::Body("b", 0.7, {0.5, 0.25, 0.35}).at(0.8, -0.2).turned(-0.3).centre(-0.2, 0.07)};
  if (!planar) {
    model.bodies[0].orientation = Eigen::Quaterniond(0.8, 0.3, -0.4, 0.2).normalized();
    model.bodies[1].orientation = Eigen::Quaterniond(0.7, 0.1, -0.2, 0.4).normalized();
  }
  Element element("element", type);
  element.between(sample.ground ? "ground" : "a", "b")
      .points({0.1, 0.2, planar ? 0 : -0.1}, {-0.2, 0.1, planar ? 0 : 0.15});
  model.forces = {element};
  return model;
}

template <class Check>
void each_sample(const Check& check) {
  for (const bool planar : {true, false})
    for (const bool ground : {true, false})
      for (const bool tells : {true, false})
        for (const unsigned seed : {1u, 2u}) {
          SCOPED_TRACE(testing::Message() << (planar ? "plane" : "space") << ground << tells << seed);
          Probe probe(model_of({planar, ground, tells}));
          probe.scatter(seed, 0.2);
          check(probe);
        }
}

Eigen::VectorXd loads(Probe& probe, const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
  Eigen::VectorXd f;
  probe.system->loads(probe.state.t, q.data(), v.data(), f);
  return f;
}

TEST(ForcePart, TangentsAreTheDerivativesOfTheLoads) {
  each_sample([](Probe& probe) {
    constexpr double h = 1e-5;
    Eigen::SparseMatrix<double> by_place, by_speed;
    const State& state = probe.state;
    probe.system->tangents(state.t, state.q.data(), state.v.data(), Eigen::VectorXd(), by_place, by_speed);
    for (int k = 0; k < probe.system->velocity_size(); ++k) {
      const Eigen::VectorXd step = h * Eigen::VectorXd::Unit(probe.system->velocity_size(), k);
      const Eigen::VectorXd by_position =
          (loads(probe, probe.moved(step), state.v) - loads(probe, probe.moved(-step), state.v)) / (-2 * h);
      const Eigen::VectorXd by_velocity =
          (loads(probe, state.q, state.v + step) - loads(probe, state.q, state.v - step)) / (-2 * h);
      EXPECT_LT((by_position - Eigen::VectorXd(by_place.col(k))).cwiseAbs().maxCoeff(), 1e-5) << k;
      EXPECT_LT((by_velocity - Eigen::VectorXd(by_speed.col(k))).cwiseAbs().maxCoeff(), 1e-5) << k;
    }
  });
}

TEST(ForcePart, PowerAndEnergyAccountForTheWorkOfItsForces) {
  each_sample([](Probe& probe) {
    constexpr double h = 1e-5;
    const State& state = probe.state;
    probe.v_rate.setZero();
    const Eigen::VectorXd f = loads(probe, state.q, state.v);
    const auto stored = [&](double at) {
      return probe.system->energy(state.t, probe.moved(at * state.v).data(), Eigen::VectorXd(0 * state.v).data())
          .potential;
    };
    const double storing = (stored(h) - stored(-h)) / (2 * h);
    probe.rates();
    EXPECT_NEAR(f.dot(state.v), probe.power.sum() - storing, 1e-6);
  });
}

TEST(ForcePart, FaultsAreKeptUntilTheyAreTaken) {
  drop_part_fault();
  EXPECT_EQ(guarded(
                "force `x`", [] { return 3; }, -1),
            3);
  EXPECT_FALSE(take_part_fault());
  EXPECT_EQ(guarded(
                "force `x`", []() -> int { throw std::runtime_error("first"); }, -1),
            -1);
  EXPECT_EQ(guarded(
                "force `x`", []() -> int { throw std::runtime_error("second"); }, -1),
            -1);
  EXPECT_EQ(with_part_fault("The step failed"), "force `x` failed: first. The step failed");
  EXPECT_EQ(with_part_fault("The step failed"), "The step failed");
}

}  // namespace
}  // namespace carom
