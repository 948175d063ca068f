// How fast must a pendulum start to go over the top? The search starts each motion anew from one snapshot.
#include <cmath>
#include <cstdio>

#include <carom/carom.h>

namespace {

constexpr double length = 0.4, gravity = 9.81;  // m, m/s²

carom::Model pendulum() {
  carom::Model model("Pendulum");
  model.planar().gravity({0, -gravity});
  model.body("bob").mass(1).inertia(1e-9).position({0, -length});
  model.joint("pivot", "revolute").between("ground", "bob").at({0, 0});
  model.solver().end(60).tolerance(1e-11).integrator("rk");
  return model;
}

bool goes_over_the_top(carom::Simulation& simulation, double speed) {
  simulation.set({{"body:bob.vx", speed}, {"body:bob.omega", speed / length}});
  while (simulation.step()) {
    if (simulation.value("body:bob.angle") > M_PI) return true;
    if (simulation.value("body:bob.omega") < 0) return false;
  }
  return false;
}

}  // namespace

int main() {
  try {
    carom::Simulation simulation(pendulum());
    const carom::Snapshot start = simulation.snapshot();
    double slow = 0, fast = 10;  // m/s
    while (fast - slow > 1e-6) {
      const double middle = 0.5 * (slow + fast);
      simulation.restore(start);
      (goes_over_the_top(simulation, middle) ? fast : slow) = middle;
    }
    const double exact = std::sqrt(4 * gravity * length);
    std::printf("critical speed %.6f m/s, by the energy %.6f m/s\n", fast, exact);
    return std::abs(fast - exact) < 1e-5 ? 0 : 1;
  } catch (const carom::Error& error) {
    std::printf("%s\n", error.what());
    return 1;
  }
}
