// The pieces of C++ that docs/guide/cpp_library.md and docs/guide/results.md show, in one program.
#include <atomic>
#include <cstdio>
#include <vector>

#include <carom/carom.h>

namespace {

std::atomic<bool> stop = false;

void build_and_run() {
  carom::Model model("Crane");
  model.planar().gravity({0, -9.81}).parameter("rope", "4 m");
  model.body("load").mass("80 kg").inertia(4).position({0, "=-rope"});
  model.force("wind", "force").on("load").set("point", {0, 0}).set("force", {"=20*sin(t)", 0});
  model.joint("rope", "distance").between("ground", "load").set("ends", {{0, 0}, {0, "=-rope"}});

  carom::Result result = carom::simulate(model, "crane.h5");  // or simulate(model): nothing is kept
  std::printf("energy residual %.0e J, load at %.3f m\n", result.summary().largest_residual,
              result.column("body:load.x").back());

  const auto progress = [](const carom::Progress& now) { std::printf("%.2f s\n", now.time); };
  carom::simulate(model, "crane.h5", {.progress = progress, .interrupt = &stop});
}

void follow() {
  carom::Model model("A load in the wind");
  model.planar().gravity({0, -9.81});
  model.body("load").mass("80 kg").inertia(4).position({0, -4});
  model.force("wind", "force").on("load").set("point", {0, 0}).set("force", {"=200*sin(t)", 0});
  model.joint("rope", "distance").between("ground", "load").set("ends", {{0, 0}, {0, -4}});

  carom::Simulation simulation(model);
  while (simulation.time() < 1) {
    simulation.advance(1e-3);  // or step(), advance_to(time)
    if (simulation.value("body:load.x") > 0.3) break;
    for (const carom::SimulationEvent& event : simulation.events()) std::printf("%s\n", event.contact.c_str());
  }
  std::printf("the load is at %.3f m after %.3f s\n", simulation.value("body:load.x"), simulation.time());
}

void read() {
  carom::Result result("crane.h5");
  std::vector<double> t = result.times(), fx = result.column("joint:rope.fx");
  if (result.summary().status != carom::Status::complete) std::puts("the run did not come to its end");
  std::printf("%zu samples until %.1f s, the rope pulls with %.1f N at the end\n", t.size(), t.back(), fx.back());
}

void with_contact() {
  carom::Model model("A load on a loose hinge above the floor");
  model.planar().gravity({0, -9.81});
  model.body("load").mass("80 kg").inertia(4).position({"1 m", 0}).shape("box").size({0.5, 0.5});
  model.ground().shape("plane").set("position", {0, -0.9});
  model.joint("pin", "revolute").between("ground", "load").at({0, 0});
  model.contact("dry").restitution(0.8).friction(0.1).set("stiffness", 1e8);
  model.pair("load-floor").between("load", "ground").contact("dry");
  model.joint("pin").clearance().diametric("0.1 mm").bearing_diameter("20 mm").contact("dry");
  model.solver().set("method", "nonsmooth").end(1);
  const carom::Result result = carom::simulate(model);
  for (const carom::ContactSummary& contact : result.contacts())
    std::printf("%s: %ld impacts, at most %.0f N\n", contact.name.c_str(), contact.events, contact.peak_force);
  for (const carom::Event& event : result.events("contact:load-floor"))
    std::printf("%.4f s: %.3f m/s before, %.3f m/s after\n", event.time, event.approach_speed, event.separation_speed);
  const std::vector<double> touching = result.column("contact:load-floor.touching");
  std::printf("the load %s the floor at the end\n", touching.back() > 0 ? "lies on" : "is above");
}

}  // namespace

int main() {
  try {
    build_and_run();
    follow();
    read();
    with_contact();
    return 0;
  } catch (const carom::Error& error) {
    std::printf("%s\n", error.what());
    return 1;
  }
}
