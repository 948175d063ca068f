#pragma once

#include <string>
#include <vector>

#include "step/assembly.h"

// What the faces of the built-in parts of an assembly form together, in the axes of the file: cylinders, balls and flat
// sides.
namespace carom::inline step {

// All faces of one part on one cylinder, or on one sphere, that lie together: CAD programs cut round faces in pieces.
struct RoundFeature {
  int place = 0;                                     // number of the placement
  bool ball = false;                                 // a sphere; otherwise a cylinder
  bool hollow = false;                               // a hole or a socket
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();  // m, of a cylinder half-way along it
  Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();   // unit; of a cylinder
  double radius = 0, length = 0;                     // m
  double cover = 0;                                  // area over that of the whole cylinder or sphere
};

// A plane face.
struct FlatFeature {
  int place = 0;
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();   // m, of the points of the face
  Eigen::Vector3d normal = Eigen::Vector3d::UnitZ();  // outward
  std::vector<Eigen::Vector3d> points = {};           // m, of its triangles

  // m, how far it reaches along a direction.
  double low(const Eigen::Vector3d& along) const;
  double high(const Eigen::Vector3d& along) const;
};

struct Features {
  std::vector<RoundFeature> round;
  std::vector<FlatFeature> flat;
};

Features find_features(const StepAssembly& assembly);

// The round faces of a part by which it can touch another, in its axes, with names to refer to: "hole 1", "pin 2",
// "socket 1", "ball 1", counted in the order of the file. Fillets and other pieces of cylinders and spheres are left
// out.
struct NamedFace {
  std::string name;
  RoundFeature feature;
};
std::vector<NamedFace> named_faces(const StepPart& part);

}  // namespace carom::inline step
