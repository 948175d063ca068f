#pragma once

#include <array>
#include <string>
#include <vector>

#include <Eigen/Core>
#include <Eigen/Geometry>

// What a STEP file holds, as plain data in SI units. Open CASCADE is seen by the program `carom-step` alone, which
// reads the file and hands this over (read_step.h).
namespace carom::inline step {

enum class FaceKind { plane, cylinder, cone, sphere, torus, free_form };

// One face of a part, in the axes of the part.
struct StepFace {
  FaceKind kind = FaceKind::free_form;
  bool hollow = false;  // the material lies outside: the wall of a hole, a socket, a fillet in a corner
  Eigen::Vector3d position = Eigen::Vector3d::Zero();  // m, on the axis; of a sphere or torus its centre
  Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();     // unit; of a plane the outward normal
  double radius = 0;                                   // m; of a cone at `position`; of a torus that of its circle
  double second = 0;                                   // torus: m, of its tube; cone: rad, half of its angle
  double low = 0, high = 0;                            // m, along the axis from the position
  double area = 0;                                     // m²
  bool tip = false;                                    // it holds the tip of its cone
  double chord = 0;                                    // m, by which its triangles are off it
  Eigen::Vector3d box_low = Eigen::Vector3d::Zero(), box_high = Eigen::Vector3d::Zero();  // m, that hold it
};

// Whether contact can take a face by its equation. A tube that is wider than its circle goes through itself.
inline bool is_elementary(const StepFace& face) {
  return face.kind != FaceKind::free_form && !(face.kind == FaceKind::torus && face.second >= face.radius);
}

enum class CurveKind { line, circle, spline };

// An edge between two faces of a part. A seam, where a face meets itself, is none.
struct StepEdge {
  CurveKind kind = CurveKind::line;
  std::array<int, 2> faces = {-1, -1};  // −1: there is none, the surface is open there
  double sign = 1;  // 1: along the curve, seen from outside, the first face lies to the left; or −1
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();                            // m, of a circle
  Eigen::Vector3d x = Eigen::Vector3d::UnitX(), y = Eigen::Vector3d::UnitY();  // to its start; along it there
  double radius = 0, angle = 0;                                                // m; rad
  // m. Of a line its ends; of a spline the ends of its cubic pieces, and for each its derivatives at both.
  std::vector<Eigen::Vector3d> points, slopes;
};

// A part as it is drawn once, however often it is built in: one or several solids.
struct StepPart {
  std::string name;
  std::string material;
  double density = 0;  // kg/m³; 0: the file does not say it
  int solids = 0;
  double volume = 0;                                  // m³
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();   // m
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  // m⁵, about the centre, for unit density
  std::vector<StepFace> faces;
  std::vector<StepEdge> edges;
  // Its surface in triangles, counter-clockwise from outside, at most `chord` away from the true one.
  std::vector<Eigen::Vector3d> points;
  std::vector<std::array<int, 3>> triangles;
  std::vector<int> face_of_triangle;
  // Unit, outward from the true face, by point; zero on faces that are not free-form, and where a face has none.
  std::vector<Eigen::Vector3d> normals;
  double chord = 0;  // m
};

// Where a part is built in: part axes to those of the file.
struct StepPlacement {
  std::string name;
  int part = 0;
  Eigen::Vector3d position = Eigen::Vector3d::Zero();  // m
  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();
};

struct StepAssembly {
  std::vector<StepPart> parts;
  std::vector<StepPlacement> placements;
  std::vector<std::string> remarks;  // what a user should know: mixed units, shapes left out
};

}  // namespace carom::inline step
