// A ball bounces until it does not rise by a centimetre any more; how often and for how long?
#include <cmath>
#include <cstdio>

#include <carom/carom.h>

namespace {

carom::Model bouncing_ball() {
  carom::Model model("Bouncing ball");
  model.planar().gravity({0, -9.81});
  model.body("ball").mass("50 g").inertia(2e-6).position({0, "0.5 m"}).shape("sphere").radius("1 cm");
  model.ground().shape("plane");
  model.contact("hard").restitution(0.8).stiffness(1e6);
  model.pair("ball-floor").between("ball", "ground").contact("hard");
  model.solver().set("method", "nonsmooth").step("0.2 ms").end(10);
  return model;
}

}  // namespace

int main() {
  try {
    carom::Simulation simulation(bouncing_ball());
    int bounces = 0;
    double rebound = 1;  // m
    while (rebound > 0.01 && simulation.time() < 10) {
      simulation.advance(1e-3);
      for (const carom::SimulationEvent& event : simulation.events()) {
        const double speed = event.values.at("separation_speed");
        rebound = speed * speed / (2 * 9.81);
        std::printf("%.3f s: rebound %d up to %.3f m\n", event.time, ++bounces, rebound);
      }
    }
    // 0.49 m · 0.8²ⁿ < 0.01 m from the ninth bounce on.
    std::printf("%d bounces in %.3f s, %.0f %% of the energy lost\n", bounces, simulation.time(),
                100 * simulation.value("energy.dissipated") / (0.05 * 9.81 * 0.49));
    return bounces == 9 ? 0 : 1;
  } catch (const carom::Error& error) {
    std::printf("%s\n", error.what());
    return 1;
  }
}
