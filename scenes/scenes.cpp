#include "scenes.h"

#include <cmath>
#include <cstdint>

#include "model_io/read_model.h"

namespace carom::scenes {
namespace {

BodyModel rod(const std::string& name, double mass, double inertia, double x, double y, double angle) {
  BodyModel body;
  body.name = name;
  body.mass = mass;
  body.inertia = inertia * Eigen::Matrix3d::Identity();
  body.position = {x, y, 0};
  body.angle = angle;
  body.orientation = Eigen::AngleAxisd(angle, Eigen::Vector3d::UnitZ());
  return body;
}

ElementModel joint(const std::string& name, const std::string& type, const std::string& i, const std::string& j,
                   double x, double y) {
  ElementModel element{name, type, {}, {}};
  element.settings.set("bodies", std::vector<std::string>{i, j});
  element.settings.set("at", std::vector<double>{x, y});
  return element;
}

Model planar(const std::string& name) {
  Model model;
  model.name = name;
  model.planar = true;
  model.gravity = {0, -9.81, 0};
  model.ground.name = "ground";
  return model;
}

}  // namespace

Model slider_crank() {
  Model model = planar("slider-crank");
  model.bodies = {rod("crank", 0.30, 1e-4, 0.025, 0, 0), rod("rod", 0.21, 2.5e-4, 0.11, 0, 0),
                  rod("slider", 0.14, 1e-4, 0.17, 0, 0)};
  model.bodies[0].angular_velocity = {0, 0, 50};
  model.bodies[0].angular_velocity_given = true;
  model.joints = {
      joint("pivot", "revolute", "ground", "crank", 0, 0), joint("knee", "revolute", "crank", "rod", 0.05, 0),
      joint("pin", "revolute", "rod", "slider", 0.17, 0), joint("guide", "prismatic", "ground", "slider", 0.17, 0)};
  model.joints.back().settings.set("axis", std::vector<double>{1, 0});
  return model;
}

Model loose_slider_crank(double clearance, double speed) {
  Model model = slider_crank();
  model.name = "slider-crank with a loose pin";
  model.gravity.setZero();
  model.bodies[0].angular_velocity = {0, 0, speed};
  Material steel;
  steel.name = "steel";
  steel.young = 207e9, steel.poisson = 0.3;
  model.materials = {steel};
  ContactModel contact;
  contact.name = "dry";
  contact.law = "lankarani-nikravesh";
  contact.restitution = 0.9;
  contact.friction = "tanh";
  contact.friction_settings.set("coefficient", 0.01);
  contact.friction_settings.set("slip_scale", 0.01);
  model.contacts = {contact};
  ClearanceModel play;
  play.radial = clearance / 2;
  play.bearing_radius = 10e-3;
  play.materials = {"steel", "steel"};
  play.contact = "dry";
  model.joints[2].clearance = play;
  MotionModel drive;
  drive.name = "drive";
  drive.joint = "pivot";
  drive.level = MotionLevel::speed;
  drive.value = Function::constant(speed);
  model.motions = {drive};
  model.solver.integrator = "rk";
  model.solver.end = 4 * M_PI / speed;
  return model;
}

Model bouncing_ball(const std::string& law, double restitution) {
  Model model = planar("bouncing ball");
  model.bodies = {rod("ball", 1, 0.1, 0, 1, 0)};
  Geometry disc;
  disc.shape = "sphere";
  disc.settings.set("radius", 0.1);
  model.bodies[0].geometry = {disc};
  Geometry floor;
  floor.shape = "plane";
  model.ground.geometry = {floor};
  ContactModel contact;
  contact.name = "floor";
  contact.law = law;
  contact.restitution = restitution;
  contact.settings.set("stiffness", 1.4e8);
  model.contacts = {contact};
  PairModel pair;
  pair.name = "ball-floor";
  pair.bodies = {"ground", "ball"};
  pair.contact = "floor";
  model.pairs = {pair};
  return model;
}

Model spheres_box(int count) {
  Model model;
  model.name = "spheres in a box";
  model.gravity = {0, 0, -9.81};
  model.ground.name = "ground";
  constexpr double radius = 0.05, lattice = 0.11;
  int side = 1;
  while (side * side * side < count) ++side;
  const double width = side * lattice;
  // A linear congruential sequence, so that every engine starts alike.
  std::uint64_t seed = 12345;
  const auto jitter = [&seed] {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return 0.002 * (2 * (static_cast<double>(seed >> 11) * 0x1p-53) - 1);
  };
  const double mass = 1000 * 4.0 / 3 * M_PI * radius * radius * radius;
  Geometry ball;
  ball.shape = "sphere";
  ball.settings.set("radius", radius);
  for (int q = 0; q < count; ++q) {
    BodyModel body;
    body.name = "s" + std::to_string(q);
    body.mass = mass;
    body.inertia = 0.4 * mass * radius * radius * Eigen::Matrix3d::Identity();
    const double dx = jitter(), dy = jitter(), dz = jitter();
    const int column = q % side, row = q / side % side, layer = q / (side * side);
    body.position = {-width / 2 + (column + 0.5) * lattice + dx, -width / 2 + (row + 0.5) * lattice + dy,
                     0.3 + radius + layer * lattice + dz};
    body.geometry = {ball};
    model.bodies.push_back(std::move(body));
  }
  const auto wall = [&](const Eigen::Vector3d& normal, double distance) {
    Geometry plane;
    plane.shape = "plane";
    plane.orientation = Eigen::Quaterniond::FromTwoVectors(Eigen::Vector3d::UnitZ(), normal);
    plane.position = distance * normal;
    model.ground.geometry.push_back(plane);
  };
  wall({0, 0, 1}, 0);
  for (const double sign : {1.0, -1.0}) {
    wall({sign, 0, 0}, -width / 2);
    wall({0, sign, 0}, -width / 2);
  }
  ContactModel contact;
  contact.name = "grains";
  contact.law = "marhefka-orin";
  contact.settings.set("damping", 5.0);
  contact.friction = "tanh";
  contact.friction_settings.set("coefficient", 0.3);
  contact.friction_settings.set("slip_scale", 0.01);
  model.contacts = {contact};
  Material grain;
  grain.name = "grain";
  grain.young = 2e8;  // both partners: E* = 1e8 Pa
  model.materials = {grain};
  for (const char* partner : {"*", "ground"}) {
    PairModel pair;
    pair.name = partner[0] == '*' ? "grains" : "walls";
    pair.bodies = {"*", partner};
    pair.materials = {"grain", "grain"};
    pair.contact = "grains";
    model.pairs.push_back(pair);
  }
  model.solver.integrator = "rk";
  model.solver.tolerance = 1e-3;
  model.solver.max_step = 1e-3;
  model.solver.penetration_control = PenetrationControl::off;
  model.solver.end = 2;
  return model;
}

Model andrews(const std::string& cases_folder) {
  ProblemList problems;
  Model model = read_model(cases_folder + "/andrews_squeezer/model.toml", problems);
  if (problems.errors() > 0) throw InputError(problems);
  return model;
}

Model four_bars(int loops) {
  Model model = planar("four-bars");
  const auto name = [](const char* kind, int k) { return kind + std::to_string(k); };
  for (int k = 0; k <= loops; ++k) {
    model.bodies.push_back(rod(name("upright", k), 1, 1.0 / 12, k, 0.5, M_PI / 2));
    model.bodies.back().angular_velocity = {0, 0, -1};
    model.bodies.back().angular_velocity_given = true;
    model.joints.push_back(joint(name("foot", k), "revolute", "ground", name("upright", k), k, 0));
  }
  for (int k = 0; k < loops; ++k) {
    model.bodies.push_back(rod(name("coupler", k), 1, 1.0 / 12, k + 0.5, 1, 0));
    model.joints.push_back(joint(name("left", k), "revolute", name("upright", k), name("coupler", k), k, 1));
    model.joints.push_back(joint(name("right", k), "revolute", name("upright", k + 1), name("coupler", k), k + 1, 1));
  }
  return model;
}

Model chain(int links) {
  Model model = planar("chain");
  const auto name = [](int k) { return "link" + std::to_string(k); };
  for (int k = 0; k < links; ++k) {
    model.bodies.push_back(rod(name(k), 1, 1.0 / 12, k + 0.5, 0, 0));
    model.joints.push_back(
        joint("pin" + std::to_string(k), "revolute", k == 0 ? "ground" : name(k - 1), name(k), k, 0));
  }
  return model;
}

}  // namespace carom::scenes
