// A controller in C++ sets the torque of a motor each millisecond and turns an arm upright.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include <carom/carom.h>

namespace {

carom::Model arm() {
  carom::Model model("Arm with a motor");
  model.planar().gravity({0, -9.81}).parameter("torque", "0 N m");
  model.body("arm").mass(2).inertia(0.04).position({0, -0.25});
  model.joint("shaft", "revolute").between("ground", "arm").at({0, 0});
  model.force("motor", "torque").on("arm").set("torque", "=torque");  // an input: the controller sets it
  model.solver().end(3).tolerance(1e-8);
  return model;
}

}  // namespace

int main() {
  try {
    carom::Simulation simulation(arm());
    const double target = M_PI;  // rad, upright
    double largest = 0;          // N m
    while (simulation.time() < 3) {
      const double angle = simulation.value("body:arm.angle"), speed = simulation.value("body:arm.omega");
      // The weight is known; the rest is left to a spring and a damper, as far as the motor can.
      const double weight = 2 * 9.81 * 0.25 * std::sin(angle);
      const double torque = std::clamp(weight + 40 * (target - angle) - 5 * speed, -12.0, 12.0);
      largest = std::max(largest, std::abs(torque));
      simulation.set_parameter("torque", torque);
      simulation.advance(1e-3);
    }
    const double error = target - simulation.value("body:arm.angle");
    std::printf("upright but for %.1e rad after 3 s, with at most %.1f N m\n", error, largest);
    std::printf("work of the motor %.3f J, energy residual %.0e J\n", simulation.value("force:motor.work"),
                simulation.value("energy.residual"));
    return std::abs(error) < 1e-6 ? 0 : 1;
  } catch (const carom::Error& error) {
    std::printf("%s\n", error.what());
    return 1;
  }
}
