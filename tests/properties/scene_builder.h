#pragma once

#include <array>
#include <string>

#include "../support/build_model.h"
#include "random_scenes.h"

namespace carom::check {

using Kinds = std::array<Kind, 2>;

// Bodies, solids and contacts of a scene, one by one.
class SceneBuilder {
 public:
  explicit SceneBuilder(std::uint64_t seed) : random_(seed) {}

 protected:
  bool planar() const { return scene_.model.planar; }
  Solid solid(Kind kind, double size);
  void make_corners(Solid& made, double size);
  void make_mesh(Solid& made, double size);
  static void make_prism(Solid& made, const std::vector<Eigen::Vector2d>& outline, double half, double cone);
  void make_ring(Solid& made, double size);
  void make_spikes(Solid& made, double size);
  Eigen::Quaterniond orientation();
  int add_body(const Eigen::Vector3d& position, const Eigen::Vector3d& velocity, double size);
  BodyModel& body(int index) { return index == 0 ? scene_.model.ground : scene_.model.bodies[index - 1]; }
  int add_solid(Solid made, int on);
  void meet(int a, int b);
  // Stiff enough for shallow contacts at this speed.
  void add_contact(double speed, double size);
  // All bodies may touch each other, by one pair of the model.
  void let_all_meet(double speed, double size);
  // At the origin, to the ground.
  build::Element pivot_of(int on);

  Random random_;
  Scene scene_;
  bool cornered_ = false;  // outlines have true corners
  Eigen::Vector3d origin_ = Eigen::Vector3d::Zero();
};

}  // namespace carom::check
