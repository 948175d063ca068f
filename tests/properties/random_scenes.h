#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/model.h"
#include "overlap.h"

// Models in which bodies meet, or nearly so, at random: sizes over three decades, speeds over six.
namespace carom::check {

// splitmix64: the same numbers everywhere.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  double between(double low, double high) { return low + (high - low) * next(); }
  double decades(double low, double high);  // 10^low to 10^high
  int below(int count) { return static_cast<int>(next() * count) % count; }
  bool with(double probability) { return next() < probability; }
  Eigen::Vector3d direction(bool planar);

 private:
  double next();
  std::uint64_t state_;
};

// Two solids of the scene that may touch, and how the names of their contacts begin.
struct Meeting {
  int a = 0, b = 0;  // in solids
  std::string name, other_name = {};
};

struct Scene {
  Model model;
  std::vector<Solid> solids;
  std::vector<Meeting> meetings;
  double size = 1;   // m, of the smallest solid
  double speed = 1;  // m/s, of what moves fastest at the start
  std::string what;  // for messages
};

Scene random_scene(std::uint64_t seed);
// In the plane, with stars that have true corners and notches, alone and against all other shapes.
Scene random_corners(std::uint64_t seed);
// In the plane, something that is not round in a closed groove that waves.
Scene random_grooves(std::uint64_t seed);
// Two convex solids in space that fly past or into each other, of all kinds that random_scene leaves out.
Scene random_solids(std::uint64_t seed);
// A mesh, mostly with dents, and another mesh, a solid, or a hull.
Scene random_meshes(std::uint64_t seed);

// A number from the environment, to run other scenes than the usual ones.
std::uint64_t number_from(const char* variable, std::uint64_t fallback);

// Of long runs, a line now and then.
void show_progress(std::uint64_t done, std::uint64_t all);

}  // namespace carom::check
