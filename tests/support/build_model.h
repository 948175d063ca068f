#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "model/model.h"

// Building models in tests as the reader would leave them, without a file.
namespace carom::build {

inline Function function(const std::string& text, const std::vector<std::string>& arguments = {"t"}) {
  auto compiled = Expression::compile(text, arguments, {});
  if (const auto* error = std::get_if<ExpressionError>(&compiled)) throw std::invalid_argument(error->message);
  return Function::expression(std::get<Expression>(compiled));
}

// A joint or a force element; keys are added one by one.
struct Element : ElementModel {
  Element(const std::string& its_name, const std::string& its_type) : ElementModel{its_name, its_type, {}, {}} {}
  Element& with(const std::string& key, Value value) {
    settings.set(key, std::move(value));
    return *this;
  }
  Element& between(const std::string& i, const std::string& j) {
    return with("bodies", std::vector<std::string>{i, j});
  }
  Element& at(std::vector<double> point) { return with("at", std::move(point)); }
  Element& axis(std::vector<double> direction) { return with("axis", std::move(direction)); }
  Element& points(const Eigen::Vector3d& on_i, const Eigen::Vector3d& on_j) {
    return with("points", std::vector<Eigen::Vector3d>{on_i, on_j});
  }
  Element& ends(const Eigen::Vector3d& of_i, const Eigen::Vector3d& of_j) {
    return with("ends", std::vector<Eigen::Vector3d>{of_i, of_j});
  }
};

struct Body : BodyModel {
  Body(const std::string& its_name, double its_mass, const Eigen::Vector3d& principal_inertia) {
    name = its_name;
    mass = its_mass;
    inertia = principal_inertia.asDiagonal();
  }
  Body& at(double x, double y, double z = 0) {
    position = {x, y, z};
    return *this;
  }
  Body& turned(double about_z) {
    angle = about_z;
    orientation = Eigen::AngleAxisd(about_z, Eigen::Vector3d::UnitZ());
    return *this;
  }
  Body& turned(const Eigen::Quaterniond& turn) {
    orientation = turn;
    return *this;
  }
  Body& centre(double x, double y, double z = 0) {
    center_of_mass = {x, y, z};
    return *this;
  }
  Body& moving(const Eigen::Vector3d& v) {
    velocity = v;
    velocity_given = true;
    return *this;
  }
  Body& spinning(const Eigen::Vector3d& omega) {
    angular_velocity = omega;
    angular_velocity_given = true;
    return *this;
  }
};

inline Body planar_body(const std::string& name, double mass, double inertia) {
  return {name, mass, Eigen::Vector3d(inertia, inertia, inertia)};
}

// A straight link in the plane from a to b: origin and mass centre in the middle, x along the link.
inline Body link(const std::string& name, double mass, const Eigen::Vector2d& a, const Eigen::Vector2d& b) {
  const Eigen::Vector2d along = b - a, middle = 0.5 * (a + b);
  return planar_body(name, mass, mass * along.squaredNorm() / 12)
      .at(middle.x(), middle.y())
      .turned(std::atan2(along.y(), along.x()));
}

inline Element pin(const std::string& name, const std::string& i, const std::string& j, const Eigen::Vector2d& at) {
  return Element(name, "revolute").between(i, j).at({at.x(), at.y()});
}

inline MotionModel drive(const std::string& name, const std::string& joint, const std::string& position_of_t) {
  MotionModel motion;
  motion.name = name;
  motion.joint = joint;
  motion.value = function(position_of_t);
  return motion;
}

inline Model planar_model(const Eigen::Vector2d& gravity = {0, -9.81}) {
  Model model;
  model.planar = true;
  model.gravity.head<2>() = gravity;
  return model;
}

inline Model spatial_model(const Eigen::Vector3d& gravity = {0, 0, -9.81}) {
  Model model;
  model.gravity = gravity;
  return model;
}

// Crank, rod and slider on the x axis with the crank at an angle; joints are placed by points of the bodies, so that
// the file may say any configuration.
inline Model slider_crank(double crank_length, double rod_length, double crank_angle) {
  Model model = planar_model();
  const Eigen::Vector2d knee = crank_length * Eigen::Vector2d(std::cos(crank_angle), std::sin(crank_angle));
  const Eigen::Vector2d pin(knee.x() + std::sqrt(rod_length * rod_length - knee.y() * knee.y()), 0);
  model.bodies = {link("crank", 0.3, {0, 0}, knee), link("rod", 0.21, knee, pin),
                  planar_body("slider", 0.14, 1e-4).at(pin.x(), 0)};
  const Eigen::Vector3d crank_end(crank_length / 2, 0, 0), rod_end(rod_length / 2, 0, 0),
      origin = Eigen::Vector3d::Zero();
  model.joints = {Element("main", "revolute").between("ground", "crank").points(origin, -crank_end),
                  Element("knee", "revolute").between("crank", "rod").points(crank_end, -rod_end),
                  Element("pin", "revolute").between("rod", "slider").points(rod_end, origin),
                  Element("guide", "prismatic").between("ground", "slider").points(origin, origin).axis({1, 0})};
  return model;
}

// Four-bar linkage between (0, 0) and (ground_length, 0), joints placed by points of the bodies.
inline Model four_bar(double ground_length, double crank, double coupler, double rocker, double crank_angle) {
  Model model = planar_model();
  const Eigen::Vector2d a = crank * Eigen::Vector2d(std::cos(crank_angle), std::sin(crank_angle)),
                        base(ground_length, 0);
  const Eigen::Vector2d across = base - a;
  const double d = across.norm(), along = (d * d + coupler * coupler - rocker * rocker) / (2 * d);
  const Eigen::Vector2d unit = across / d;
  const Eigen::Vector2d b =
      a + along * unit +
      std::sqrt(std::max(0.0, coupler * coupler - along * along)) * Eigen::Vector2d(-unit.y(), unit.x());
  model.bodies = {link("crank", 1, {0, 0}, a), link("coupler", 1, a, b), link("rocker", 1, base, b)};
  const auto end = [](double length) { return Eigen::Vector3d(length / 2, 0, 0); };
  const Eigen::Vector3d origin = Eigen::Vector3d::Zero();
  model.joints = {Element("A0", "revolute").between("ground", "crank").points(origin, -end(crank)),
                  Element("A", "revolute").between("crank", "coupler").points(end(crank), -end(coupler)),
                  Element("B", "revolute").between("coupler", "rocker").points(end(coupler), end(rocker)),
                  Element("B0", "revolute").between("ground", "rocker").points({ground_length, 0, 0}, -end(rocker))};
  return model;
}

// A parallelogram with a third link between its two: one of its constraint rows is redundant.
inline Model parallelogram_of_three() {
  Model model = planar_model();
  model.bodies = {link("left", 1, {0, 0}, {0.3, 0.9}), link("right", 1, {2, 0}, {2.3, 0.9}),
                  link("top", 1, {0.3, 0.9}, {2.3, 0.9}), link("middle", 1, {1, 0}, {1.3, 0.9})};
  double x = 0;
  for (const std::string body : {"left", "middle", "right"}) {
    model.joints.push_back(pin("foot " + body, "ground", body, {x, 0}));
    model.joints.push_back(pin("head " + body, body, "top", {x + 0.3, 0.9}));
    x += 1;
  }
  return model;
}

}  // namespace carom::build
