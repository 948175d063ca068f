#pragma once

#include <memory>
#include <string>
#include <vector>

#include "dynamics/system.h"

// Mechanisms of the real equations of motion, planar and spatial, for the tests of the integrators.
namespace carom {

struct Mechanism {
  Model model;
  std::unique_ptr<System> system;
  State state;  // consistent
};

inline ElementModel element(const std::string& name, const std::string& type, const std::string& i,
                            const std::string& j) {
  ElementModel result{name, type, {}, {}};
  result.settings.set("bodies", std::vector<std::string>{i, j});
  return result;
}

inline Mechanism assembled(Model model) {
  Mechanism result{std::move(model), nullptr, {}};
  result.system = System::create(result.model);
  result.state = result.system->initial_state();
  result.system->project_position(0, result.state.q.data(), 1e-14);
  result.system->project_velocity(0, result.state.q.data(), result.state.v.data());
  return result;
}

// Slider-crank in the plane, slider on a spring and damper; the crank starts with 40 rad/s and angular velocities
// freely, or is driven with a constant acceleration (rad/s²).
inline Mechanism slider_crank(double damping, double drive = 0) {
  Model model;
  model.planar = true;
  model.gravity = {0, -9.81, 0};
  const auto body = [&](const char* name, double mass, double inertia, double x) {
    BodyModel result;
    result.name = name;
    result.mass = mass;
    result.inertia = inertia * Eigen::Matrix3d::Identity();
    result.position = {x, 0, 0};
    model.bodies.push_back(result);
  };
  body("crank", 0.30, 1e-4, 0.025);
  body("rod", 0.21, 2.5e-4, 0.11);
  body("slider", 0.14, 1e-4, 0.17);
  const auto joint = [&](const char* name, const char* type, const char* i, const char* j, double x) {
    model.joints.push_back(element(name, type, i, j));
    model.joints.back().settings.set("at", std::vector<double>{x, 0});
  };
  joint("pivot", "revolute", "ground", "crank", 0);
  joint("knee", "revolute", "crank", "rod", 0.05);
  joint("pin", "revolute", "rod", "slider", 0.17);
  joint("guide", "prismatic", "ground", "slider", 0.17);
  model.joints.back().settings.set("axis", std::vector<double>{1, 0});
  ElementModel spring = element("spring", "spring", "ground", "slider");
  spring.settings.set("ends", std::vector<Eigen::Vector3d>{{0.4, 0, 0}, {0.17, 0, 0}});
  spring.settings.set("stiffness", 200.0);
  spring.settings.set("damping", damping);
  model.forces.push_back(spring);
  model.bodies[0].angular_velocity = {0, 0, 40};
  model.bodies[0].angular_velocity_given = true;
  if (drive != 0) {
    MotionModel motion;
    motion.name = "drive";
    motion.joint = "pivot";
    motion.level = MotionLevel::acceleration;
    motion.value = Function::constant(drive);
    model.motions.push_back(motion);
  }
  Mechanism result = assembled(model);
  result.state.v[2] = 40;
  result.system->project_velocity(0, result.state.q.data(), result.state.v.data());
  return result;
}

// The fast heavy top of Brüls and Cardona (2010) on a ball joint.
inline Mechanism heavy_top() {
  Model model;
  model.gravity = {0, 0, -9.81};
  BodyModel top;
  top.name = "top";
  top.mass = 15;
  top.inertia = Eigen::Vector3d(0.234375, 0.46875, 0.234375).asDiagonal();
  top.position = {0, 1, 0};
  top.angular_velocity = {0, 150, -4.61538};
  top.velocity = top.angular_velocity.cross(top.position);
  model.bodies.push_back(top);
  ElementModel joint = element("tip", "spherical", "ground", "top");
  joint.settings.set("at", std::vector<double>{0, 0, 0});
  model.joints.push_back(joint);
  return assembled(model);
}

}  // namespace carom
