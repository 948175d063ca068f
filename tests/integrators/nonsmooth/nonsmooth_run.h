#pragma once

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "dynamics/system.h"
#include "integrators/nonsmooth/nonsmooth_integrator.h"
#include "model_io/read_model.h"

namespace carom {

// A model, stepped without files.
struct NonsmoothRun {
  NonsmoothRun(const std::string& text, double step, const std::string& solver = "")
      : NonsmoothRun(read(text + "\n[solver]\nmethod = \"nonsmooth\"\n" + solver), step) {}

  NonsmoothRun(const Model& given, double step) : model(given) {
    model.solver.method = ContactMethod::nonsmooth;
    model.solver.step = step;
    system = System::create(model);
    integrator = make_nonsmooth_integrator(*system, model.solver);
    integrator->start(system->initial_state());
  }

  static Model read(const std::string& text) {
    ProblemList problems;
    Model model = read_model_text(text, "test.toml", problems);
    EXPECT_EQ(problems.errors(), 0u) << problems.text();
    return model;
  }

  // False when it stopped on the way.
  bool until(double t) {
    while (integrator->state().t < t) {
      const StepOutcome outcome = integrator->step(t);
      if (outcome.accepted()) continue;
      reason = outcome.reason;
      return false;
    }
    return true;
  }
  const State& state() const { return integrator->state(); }
  double energy() { return system->energy(state().t, state().q.data(), state().v.data()).total(); }

  Model model;
  std::unique_ptr<System> system;
  std::unique_ptr<NonsmoothIntegrator> integrator;
  std::string reason;
};

inline std::string sphere(const std::string& name, const std::string& position, const std::string& velocity,
                          double mass = 1, double radius = 0.1) {
  const double inertia = 0.4 * mass * radius * radius;
  const std::string i = std::to_string(inertia * 1e6) + "e-6";
  return "[[body]]\nname = \"" + name + "\"\nmass = " + std::to_string(mass) + "\ninertia = [" + i + ", " + i + ", " +
         i + "]\nposition = " + position + "\nvelocity = " + velocity +
         "\norientation = { axis = [1, 2, 3], angle = 1 }\ngeometry = [{ shape = \"sphere\", radius = " +
         std::to_string(radius) + " }]\n";
}

inline std::string contact(double restitution, double friction, const std::string& more = "") {
  return "[contact.c]\nrestitution = " + std::to_string(restitution) + "\nfriction = " + std::to_string(friction) +
         "\n" + more + "\n";
}

inline std::string pair(const std::string& name, const std::string& a, const std::string& b) {
  return "[[pair]]\nname = \"" + name + "\"\nbodies = [\"" + a + "\", \"" + b + "\"]\ncontact = \"c\"\n";
}

inline const std::string gravity = "[model]\ngravity = [0, 0, -10]\n";
inline const std::string flat_floor = "[[ground.geometry]]\nname = \"floor\"\nshape = \"plane\"\n";

}  // namespace carom
