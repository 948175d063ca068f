#pragma once

#include "../support/temporary_folder.h"
#include "run_parts.h"

// Small models that tests of signals, events and motors have in common, and their runs.
namespace carom {

class ControlRuns : public testing::Test {
 protected:
  Outcome run(const std::string& text) { return run_text(text, folder_.path()); }
  std::string problems(const std::string& text) { return problems_of_text(text, folder_.path()); }
  TemporaryFolder folder_;
};

inline std::string model_with_gravity(double gravity) {
  return fmt::format("[model]\nplane = \"xy\"\ngravity = [0, {}]\n", -gravity);
}

inline std::string body_text(const std::string& name, double mass, double inertia, const std::string& more = "") {
  return fmt::format("[[body]]\nname = \"{}\"\nmass = {}\ninertia = {}\n{}", name, mass, inertia, more);
}

inline std::string pivot_text(const std::string& name, const std::string& first, const std::string& second) {
  return fmt::format("[[joint]]\nname = \"{}\"\ntype = \"revolute\"\nbodies = [\"{}\", \"{}\"]\nat = [0, 0]\n", name,
                     first, second);
}

inline std::string slide_text(const std::string& name, const std::string& body, const std::string& axis = "[1, 0]") {
  return fmt::format(
      "[[joint]]\nname = \"{}\"\ntype = \"prismatic\"\nbodies = [\"ground\", \"{}\"]\nat = [0, 0]\naxis = {}\n", name,
      body, axis);
}

inline std::string measured_text(const std::string& name, const std::string& of) {
  return fmt::format("[[signal]]\nname = \"{}\"\nof = \"{}\"\n", name, of);
}

// A cart of 2 kg on a rail along x, its position and its speed; and a force on it that is a signal.
inline const std::string cart_on_rail = model_with_gravity(0) + body_text("cart", 2, 1) + slide_text("rail", "cart") +
                                        measured_text("position", "joint:rail.translation") +
                                        measured_text("speed", "joint:rail.speed");
inline std::string push_by(const std::string& signal) {
  return fmt::format(
      "[[force]]\nname = \"motor\"\ntype = \"force\"\nbody = \"cart\"\npoint = [0, 0]\nforce = [\"={}\", 0]\n", signal);
}

// A wheel of 0.02 kg m².
inline const std::string wheel_on_axle =
    model_with_gravity(0) + body_text("wheel", 1, 0.02) + pivot_text("axle", "ground", "wheel");

// The first of them turns, the second one rests; `between` is the joint of both.
inline std::string two_discs(double first, double second, double speed, const std::string& between) {
  return model_with_gravity(0) + body_text("one", 1, first, fmt::format("angular_velocity = {}\n", speed)) +
         body_text("two", 1, second) + pivot_text("axle", "ground", "one") + pivot_text(between, "one", "two");
}

// A piston of 0.5 kg 0.2 m from the ground of its bore.
inline std::string piston_in_bore(const std::string& more = "") {
  return model_with_gravity(0) + body_text("piston", 0.5, 1, "position = [0.2, 0]\n" + more);
}

// A stone of 2 kg that falls from 3 m at 10 m/s².
inline const std::string falling_stone = model_with_gravity(10) + body_text("stone", 2, 1, "position = [0, 3]\n") +
                                         measured_text("height", "body:stone.y") +
                                         measured_text("speed", "body:stone.vy");

// A pendulum that hangs 0.5 m below its pivot, 2 kg and 0.1 kg m², at 10 m/s², with a torque that is a signal.
inline const std::string driven_pendulum =
    model_with_gravity(10) + body_text("rod", 2, 0.1, "position = [0, -0.5]\n") + pivot_text("pivot", "ground", "rod") +
    measured_text("angle", "joint:pivot.angle") + measured_text("turning", "joint:pivot.speed") +
    "[[force]]\nname = \"motor\"\ntype = \"torque\"\nbody = \"rod\"\ntorque = \"=drive\"\n";

}  // namespace carom
