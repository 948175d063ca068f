// The scene of concave parts that every contestant of meshes runs, and what they are judged by.
//
// Written down without any engine; the checks are by code of its own. SI units and radians.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include <Eigen/Geometry>

namespace carom::benchmarks {

// A closed surface about its mass centre, in principal axes.
struct Part {
  std::vector<Eigen::Vector3d> points;
  std::vector<std::array<int, 3>> triangles;  // counter-clockwise seen from outside
  double mass = 0;
  Eigen::Vector3d inertia;  // about the axes
  double radius = 0;        // m, of the farthest point
};

struct Placed {
  Eigen::Vector3d position, velocity = Eigen::Vector3d::Zero();
  Eigen::Quaterniond orientation;
  Eigen::Vector3d angular_velocity = Eigen::Vector3d::Zero();  // world axes
};

// Solid where normal · x < distance.
struct Wall {
  Eigen::Vector3d normal;
  double distance = 0;
};

struct PartScene {
  std::vector<Part> parts;
  std::vector<int> part_of;  // by body
  std::vector<Placed> bodies;
  std::vector<Wall> walls;
  double gravity = 9.81;  // along −z
  double friction = 0.3, restitution = 0;
  double step = 1e-3;
};

// Nuts (768 triangles), brackets (320) and gears (5120) in turn, tumbled on a lattice over a box without a lid.
PartScene poured_parts(int count);

class World {
 public:
  virtual ~World() = default;
  virtual void step() = 0;
  virtual void look(std::vector<Placed>& bodies) const = 0;
  virtual long contacts() const = 0;  // points, in the last step
};

// Defined once by each contestant.
extern const char* const contestant_name;
std::unique_ptr<World> make_world(const PartScene& scene);

// Overlaps of all pairs of parts, and of parts with walls. The depth of a pair is that of the deepest point on the
// edges of the one inside the other: its distance from the surface.
struct Overlaps {
  long pairs = 0;  // that overlap
  double sum = 0;  // m, of their depths
  double deepest = 0;
};
class OverlapCheck {
 public:
  explicit OverlapCheck(const PartScene& scene);
  ~OverlapCheck();
  Overlaps of(const std::vector<Placed>& bodies) const;

 private:
  struct Surface;
  double depth(int inside, int outside, const std::vector<Placed>& bodies) const;
  const PartScene& scene_;
  std::vector<Surface> surfaces_;  // by part
};

double total_energy(const PartScene& scene, const std::vector<Placed>& bodies);

}  // namespace carom::benchmarks
