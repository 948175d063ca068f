#pragma once

#include <string>
#include <vector>

#include "step/features.h"

// Which parts of an assembly are held by which: pins in holes, balls in sockets, blocks in guides. What nearly fits is
// listed and not taken for a joint.
namespace carom::inline cad_import {

enum class FitKind { pin, sleeve, ball, slide };  // a pin has shoulders on both sides, a sleeve slides along its axis

struct Fit {
  FitKind kind = FitKind::pin;
  int hole = 0, inside = 0;                           // numbers of placements
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();   // m, axes of the file; half-way along what both have in common
  Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();    // of a pin, sleeve or slide
  Eigen::Vector3d across = Eigen::Vector3d::UnitX();  // of a slide: along its width
  double hole_radius = 0;                             // m; of a slide half the width of the guide
  double hole_height = 0;                             // m, the other side of the guide of a slide
  double clearance = 0;                               // m, radial; 0: drawn without any
  double length = 0;                                  // m, in common; of a slide that of the block
};

// Two features that a joint was not made of, and why.
struct NearMiss {
  int hole = 0, inside = 0;
  std::string what;  // "a pin of 9.99 mm in a hole of 10 mm: the axes are 0.2 mm apart"
};

struct FitLimits {
  double apart = 1e-6;    // m, of axes and centres that count as one
  double tilt = 1e-5;     // rad, likewise
  double none = 1e-7;     // m, of clearances that count as none
  double largest = 0.05;  // of the radius: larger clearances are near misses
};

struct Fits {
  std::vector<Fit> fits;
  std::vector<NearMiss> near_misses;
};

Fits find_fits(const Features& features, const FitLimits& limits);

}  // namespace carom::inline cad_import
