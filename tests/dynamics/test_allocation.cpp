#include "../support/count_allocations.h"

#include <gtest/gtest.h>

#include "../support/build_model.h"
#include "../support/probe.h"

#ifdef CAROM_COUNTS_ALLOCATIONS

namespace carom {
namespace {

Model busy_model(bool planar) {
  const std::vector<double> at = planar ? std::vector<double>{0.5, 0} : std::vector<double>{0.5, 0, 0};
  Model model = planar ? build::planar_model() : build::spatial_model();
  model.bodies = {build::Body("a", 1, {0.1, 0.2, 0.3}), build::Body("b", 1, {0.1, 0.2, 0.3}).at(1, 0),
                  build::Body("c", 1, {0.3, 0.2, 0.1}).at(2, 0)};
  model.joints = {build::Element("pin", "revolute").between("a", "b").at(at),
                  build::Element("slide", "prismatic").between("b", "c").at(at),
                  build::Element("weld", "fixed").between("ground", "a").at(at)};
  model.motions = {build::drive("motor", "pin", "2*t + 0.1*sin(5*t)")};
  model.forces = {
      build::Element("spring", "spring")
          .between("a", "c")
          .points({0, 0.1, 0}, {0, 0.2, 0})
          .with("stiffness", 100.0)
          .with("damping", 2.0),
      build::Element("mount", "bushing").between("a", "b").at(at).with("stiffness", std::vector<double>{100}),
      build::Element("twist", "torsion-spring").with("joint", std::string("pin")).with("stiffness", 3.0),
      build::Element("band", "ligament")
          .between("ground", "c")
          .points({0, 0.1, 0}, {0, 0.2, 0})
          .with("stiffness", 100.0),
      build::Element("push", "force")
          .with("body", std::string("c"))
          .with("force", std::vector<Function>(planar ? 2 : 3, build::function("sin(t)")))};
  return model;
}

TEST(Allocation, CountsWhatEigenAllocates) {
  const std::size_t before = allocations;
  const Eigen::VectorXd vector = Eigen::VectorXd::Zero(100);
  EXPECT_GT(allocations, before) << vector.size();
}

TEST(Allocation, NothingIsAllocatedInsideAStep) {
  for (const bool planar : {true, false}) {
    Probe probe(busy_model(planar));
    System& system = *probe.system;
    State& state = probe.state;
    Eigen::VectorXd g(system.constraint_size()), f(system.velocity_size());
    const auto step = [&] {
      state.t += 1e-3;
      system.rates(state.t, state.q.data(), state.v.data(), probe.q_rate.data(), probe.v_rate.data(),
                   probe.power.data());
      state.v += 1e-3 * probe.v_rate;
      system.retract(state.q.data(), probe.v_rate.data(), state.q.data());
      system.project_position(state.t, state.q.data(), 1e-12, 20);
      system.project_velocity(state.t, state.q.data(), state.v.data());
      system.position_residual(state.t, state.q.data(), g);
      system.velocity_residual(state.t, state.q.data(), state.v.data(), g);
      system.normalise(state.q.data());
      system.accept(state.t, state.q.data(), state.v.data());
      system.loads(state.t, state.q.data(), state.v.data(), f);
      system.energy(state.t, state.q.data(), state.v.data());
      system.constraint_jacobian(state.t, state.q.data());
    };
    step();
    const std::size_t before = allocations;
    for (int k = 0; k < 10; ++k) step();
    EXPECT_EQ(allocations, before) << (planar ? "in the plane" : "in space");
    system.set_baumgarte(5, 5);
    step();
    EXPECT_EQ(allocations, before);
  }
}

}  // namespace
}  // namespace carom

#endif
