#include <gtest/gtest.h>

#include "dynamics/system.h"

namespace carom {
namespace {

ElementModel joint(const std::string& name, const std::string& type, const std::string& i, const std::string& j,
                   double x, double y) {
  ElementModel result{name, type, {}, {}};
  result.settings.set("bodies", std::vector<std::string>{i, j});
  result.settings.set("at", std::vector<double>{x, y});
  return result;
}

BodyModel body(const std::string& name, double mass, double inertia, double x) {
  BodyModel result;
  result.name = name;
  result.mass = mass;
  result.inertia = inertia * Eigen::Matrix3d::Identity();
  result.position = {x, 0, 0};
  return result;
}

Model slider_crank() {
  Model model;
  model.planar = true;
  model.gravity = {0, -9.81, 0};
  model.bodies = {body("crank", 0.30, 1e-4, 0.025), body("rod", 0.21, 2.5e-4, 0.11), body("slider", 0.14, 1e-4, 0.17)};
  model.joints = {
      joint("pivot", "revolute", "ground", "crank", 0, 0), joint("knee", "revolute", "crank", "rod", 0.05, 0),
      joint("pin", "revolute", "rod", "slider", 0.17, 0), joint("guide", "prismatic", "ground", "slider", 0.17, 0)};
  model.joints[3].settings.set("axis", std::vector<double>{1, 0});
  return model;
}

TEST(SliderCrank, AcceleratesAsTheMinimalEquationsSay) {
  const Model model = slider_crank();
  const auto system = System::create(model);
  State state = system->initial_state();
  state.v[2] = 50;  // crank
  EXPECT_EQ(system->active_constraints(), 8);
  system->project_velocity(0, state.q.data(), state.v.data());
  Eigen::VectorXd q_rate(9), v_rate(9), g(8);
  EXPECT_EQ(system->rates(0, state.q.data(), state.v.data(), q_rate.data(), v_rate.data(), nullptr),
            SolveStatus::regular);
  // Aligned along x the slider is at rest and the rod turns with −l1/l2 of the crank's speed.
  const double crank_speed = state.v[2];
  EXPECT_NEAR(state.v[5], -crank_speed * 0.05 / 0.12, 1e-12);
  EXPECT_NEAR(state.v[6], 0, 1e-12);
  // Slider: −r ω² (1 + r/l); all inertia terms of second order in θ vanish here, gravity acts on crank and rod.
  EXPECT_NEAR(v_rate[6], -0.05 * crank_speed * crank_speed * (1 + 0.05 / 0.12), 1e-9);
  const double mobility = 1e-4 + 0.30 * 0.025 * 0.025 + 0.21 * 0.025 * 0.025 + 2.5e-4 * (0.05 / 0.12) * (0.05 / 0.12);
  const double moment = -9.81 * (0.30 * 0.025 + 0.21 * 0.025);
  EXPECT_NEAR(v_rate[2], moment / mobility, 1e-8);
  system->velocity_residual(0, state.q.data(), state.v.data(), g);
  EXPECT_LT(g.cwiseAbs().maxCoeff(), 1e-13);
}

}  // namespace
}  // namespace carom
