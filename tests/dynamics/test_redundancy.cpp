#include <set>

#include <gtest/gtest.h>

#include "../support/build_model.h"
#include "../support/probe.h"

namespace carom {
namespace {

using build::Element;

int dofs(Probe& probe, const std::vector<RedundantRow>& redundant) {
  return probe.system->velocity_size() - probe.system->active_constraints() + static_cast<int>(redundant.size());
}

// Constraints that depend on others must not disturb the motion: M v̇ + Gᵀλ = f and the velocities stay consistent.
void expect_valid_motion(Probe& probe) {
  EXPECT_EQ(probe.rates(), SolveStatus::redundant);
  const State& state = probe.state;
  Eigen::VectorXd load, ahead, behind;
  probe.system->loads(state.t, state.q.data(), state.v.data(), load);
  const Eigen::VectorXd balance =
      probe.system->mass() * probe.v_rate +
      probe.system->constraint_jacobian(state.t, state.q.data()).transpose() * probe.multipliers() - load;
  EXPECT_LT(balance.cwiseAbs().maxCoeff(), 1e-10);
  constexpr double h = 1e-5;
  const State later = probe.after(h), earlier = probe.after(-h);
  probe.system->velocity_residual(later.t, later.q.data(), later.v.data(), ahead);
  probe.system->velocity_residual(earlier.t, earlier.q.data(), earlier.v.data(), behind);
  EXPECT_LT((ahead - behind).cwiseAbs().maxCoeff() / (2 * h), 1e-5);
}

TEST(Redundancy, ParallelogramWithAThirdLink) {
  Probe probe(build::parallelogram_of_three());
  const auto redundant = probe.system->redundant_rows(0, probe.state.q.data());
  ASSERT_EQ(redundant.size(), 1u);
  EXPECT_EQ(redundant[0].what.substr(0, 8), "position");
  EXPECT_EQ(dofs(probe, redundant), 1);
  probe.state.v[2] = 1;
  probe.system->project_velocity(0, probe.state.q.data(), probe.state.v.data());
  EXPECT_GT(std::abs(probe.state.v[2]), 0.01);
  expect_valid_motion(probe);
}

Model bricard() {
  Model model = build::spatial_model({0, -9.81, 0});
  const Eigen::Vector3d points[] = {{0, 0, 0}, {1, 0, 0}, {1, -1, 0}, {1, -1, 1}, {0, -1, 1}, {0, 0, 1}};
  const std::vector<double> axes[] = {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 0}};
  for (int k = 0; k < 5; ++k) {
    const Eigen::Vector3d middle = 0.5 * (points[k] + points[k + 1]);
    model.bodies.push_back(
        build::Body("rod" + std::to_string(k + 1), 1, {0.08, 0.08, 0.08}).at(middle.x(), middle.y(), middle.z()));
  }
  for (int k = 0; k < 6; ++k) {
    const std::string before = k == 0 ? "ground" : "rod" + std::to_string(k),
                      after = k == 5 ? "ground" : "rod" + std::to_string(k + 1);
    model.joints.push_back(Element("P" + std::to_string(k + 1), "revolute")
                               .between(before, after)
                               .at({points[k].x(), points[k].y(), points[k].z()})
                               .axis(axes[k]));
  }
  return model;
}

TEST(Redundancy, BricardsLoopMovesThoughItIsCountedAsRigid) {
  Probe probe(bricard());
  EXPECT_EQ(probe.system->velocity_size() - probe.system->active_constraints(), 0);
  const auto redundant = probe.system->redundant_rows(0, probe.state.q.data());
  EXPECT_EQ(redundant.size(), 1u);
  expect_valid_motion(probe);
  EXPECT_GT(probe.v_rate.norm(), 1);
  // And on its way, where the loop closes only up to rounding.
  for (int k = 0; k < 200; ++k) {
    probe.rates();
    State next = probe.after(5e-3);
    const auto closed = probe.system->project_position(next.t, next.q.data(), 1e-13, 20);
    ASSERT_TRUE(closed.converged) << k;
    probe.system->normalise(next.q.data());
    probe.system->project_velocity(next.t, next.q.data(), next.v.data());
    probe.state = next;
    ASSERT_EQ(probe.system->redundant_rows(next.t, next.q.data()).size(), 1u) << k;
  }
  expect_valid_motion(probe);
}

TEST(Redundancy, PlanarFourBarBuiltInSpace) {
  Model planar = build::four_bar(2, 1, 2.5, 2, 1.0);
  Model model = build::spatial_model({0, -9.81, 0});
  for (BodyModel body : planar.bodies) {
    body.inertia = Eigen::Vector3d(0.01, body.inertia(2, 2), body.inertia(2, 2)).asDiagonal();
    model.bodies.push_back(body);
  }
  for (const ElementModel& joint : planar.joints) {
    model.joints.push_back(joint);
    model.joints.back().settings.set("axis", std::vector<double>{0, 0, 1});
  }
  Probe spatial(model), flat(planar);
  const auto redundant = spatial.system->redundant_rows(0, spatial.state.q.data());
  EXPECT_EQ(redundant.size(), 3u);
  EXPECT_EQ(dofs(spatial, redundant), 1);
  for (const RedundantRow& row : redundant) EXPECT_FALSE(row.joint.empty() || row.what.empty());
  expect_valid_motion(spatial);
  flat.rates();
  for (int b = 0; b < 3; ++b) {
    EXPECT_LT((spatial.v_rate.segment<2>(6 * b) - flat.v_rate.segment<2>(3 * b)).norm(), 1e-10);
    EXPECT_NEAR(spatial.v_rate[6 * b + 5], flat.v_rate[3 * b + 2], 1e-10);
  }
}

TEST(Redundancy, ASingularPositionIsReportedAndDoesNotCrash) {
  // A parallelogram in line: one row more depends on the others than elsewhere.
  Probe probe(build::four_bar(2, 1, 2, 1, 0));
  EXPECT_EQ(probe.system->redundant_rows(0, probe.state.q.data()).size(), 1u);
  probe.state.v[2] = 2;
  probe.system->project_velocity(0, probe.state.q.data(), probe.state.v.data());
  EXPECT_EQ(probe.rates(), SolveStatus::redundant);
  EXPECT_TRUE(probe.v_rate.allFinite());
}

TEST(Redundancy, ContradictingDrivesAreFiniteAndVisible) {
  Model model = build::planar_model();
  model.bodies = {build::link("rod", 1, {0, 0}, {1, 0})};
  model.joints = {build::pin("pivot", "ground", "rod", {0, 0})};
  model.motions = {build::drive("one", "pivot", "t"), build::drive("other", "pivot", "2*t")};
  Probe probe(model);
  EXPECT_EQ(probe.rates(), SolveStatus::redundant);
  EXPECT_TRUE(probe.v_rate.allFinite());
  EXPECT_GT(probe.system->project_velocity(0, probe.state.q.data(), probe.state.v.data()).after, 0.1);
}

TEST(Retraction, IncrementIsItsInverse) {
  Probe probe(bricard());
  std::mt19937 random(5);
  for (int k = 0; k < 50; ++k) {
    Eigen::VectorXd step(probe.system->velocity_size()), back(step.size());
    for (double& entry : step)
      entry = 1.7 * (static_cast<double>(random()) / 2147483648.0 - 1);  // turns of up to 2.94 rad
    if (k == 0) step *= 1e-9;
    const Eigen::VectorXd q = probe.moved(step);
    probe.system->increment(probe.state.q.data(), q.data(), back.data());
    EXPECT_LT((back - step).cwiseAbs().maxCoeff(), 1e-13);
    probe.state.q = q;
  }
}

TEST(Retraction, RateOfThePositionIsItsDerivative) {
  Probe probe(bricard());
  probe.scatter(3, 0.0);
  constexpr double h = 1e-6;
  Eigen::VectorXd rate(probe.system->position_size());
  probe.system->position_rate(probe.state.q.data(), probe.state.v.data(), rate.data());
  EXPECT_LT(((probe.moved(h * probe.state.v) - probe.moved(-h * probe.state.v)) / (2 * h) - rate).cwiseAbs().maxCoeff(),
            1e-9);
}

}  // namespace
}  // namespace carom
