#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include <Eigen/Core>
#include <Eigen/Geometry>

#include "base/problem.h"
#include "model/settings.h"

// Plain data that says what the model file says, in SI units. Nothing here computes.
namespace carom {

struct Marker {
  std::string name;
  Eigen::Vector3d position = Eigen::Vector3d::Zero();  // m, body axes
  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();
};

// A shape attached to a body, for drawing and for contact.
struct Geometry {
  std::string shape;  // sphere, box, cylinder, capsule, plane, profile
  Eigen::Vector3d position = Eigen::Vector3d::Zero();
  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();
  Settings settings;  // radius, size, length, points, color
};

struct BodyModel {
  std::string name;
  double mass = 1;                                           // kg
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Identity();     // kg m², about the mass centre, body axes; planar: (2,2)
  Eigen::Vector3d center_of_mass = Eigen::Vector3d::Zero();  // m, body axes
  Eigen::Vector3d position = Eigen::Vector3d::Zero();        // m, of the origin
  double angle = 0;                                          // rad, planar orientation, any number of turns
  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();  // also set in planar models, from the angle
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();               // m/s, of the mass centre, world axes
  Eigen::Vector3d angular_velocity = Eigen::Vector3d::Zero();       // rad/s, world axes
  bool velocity_given = false, angular_velocity_given = false;      // kept exactly where the constraints allow it
  std::vector<Marker> markers;
  std::vector<Geometry> geometry;
  SourceLocation where;
};

struct Material {
  std::string name;
  double density = 0, young = 0, poisson = 0;  // 0: not given
  SourceLocation where;
};

// Joints and force elements are named by type; their keys are checked against the catalogue when read.
struct ElementModel {
  std::string name;
  std::string type;
  Settings settings;  // bodies, at, points, markers, axis, … and the keys of the type
  SourceLocation where;
};

enum class MotionLevel { position, speed, acceleration };

struct MotionModel {
  std::string name;
  std::string joint;      // "pivot" or "pivot.rotation"; empty when a body is driven
  std::string body;       // empty when a joint is driven
  std::string component;  // of the body: x, y, z, angle
  MotionLevel level = MotionLevel::position;
  Function value;  // of t
  SourceLocation where;
};

struct SolverSettings {
  std::string analysis = "dynamic";  // dynamic, kinematic, static, linear
  std::string method = "compliant";
  double start = 0, end = 1;  // s
  std::string integrator = "adams";
  double tolerance = 1e-8;                         // relative
  double step = 0;                                 // s; 0: chosen by the integrator
  double first_step = 0;                           // s; 0: chosen
  double max_step = 0;                             // s; 0: no bound
  double rho_infinity = 0.8;                       // generalized-alpha
  std::string constraints = "projection";          // projection, baumgarte, index2
  double baumgarte_alpha = 5, baumgarte_beta = 5;  // 1/s
};

struct OutputSettings {
  double every = 0;  // s; 0: a thousandth of the time span
  std::vector<std::string> record = {"*"};
};

struct Model {
  std::string name;
  std::string file;  // where it was read from, for messages
  std::string text;  // the file as read
  bool planar = false;
  Eigen::Vector3d gravity = Eigen::Vector3d::Zero();
  std::map<std::string, double> parameters;
  std::vector<Material> materials;
  std::vector<BodyModel> bodies;  // without the ground
  BodyModel ground;               // only markers and geometry
  std::vector<ElementModel> joints;
  std::vector<MotionModel> motions;
  std::vector<ElementModel> forces;
  SolverSettings solver;
  OutputSettings output;
};

}  // namespace carom
