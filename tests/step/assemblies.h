#pragma once

#include <string>
#include <vector>

#include "cad_import/fits.h"
#include "step_writer.h"

// Assemblies of which it is known beforehand what is in them.
namespace carom::making {

struct TrueFit {
  FitKind kind;
  std::string hole, inside;  // names of the parts as they are built in
  Eigen::Vector3d centre, axis;
  double hole_diameter, clearance, length, height;  // m; the clearance on each side
};

struct Machine {
  std::string text;  // of the STEP file
  std::vector<TrueFit> fits;
  std::vector<std::pair<std::string, std::string>> near_misses;  // hole, inside
};

// 30 pins, 6 slides and 4 balls in poses at random, with decoys between them.
Machine make_machine();

// A slider-crank with the dimensions of examples/loose_slider_crank.toml; density in kg/m³. Drawn without clearance but
// for the piston pin.
struct Engine {
  struct Body {
    double mass = 0, inertia = 0;  // kg, kg m² about z
    Eigen::Vector2d centre = Eigen::Vector2d::Zero();
  };
  std::string text;
  Body crank, rod, slider;
};
Engine make_engine(double density);

}  // namespace carom::making
