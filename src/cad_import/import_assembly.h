#pragma once

#include <string>
#include <vector>

#include "cad_import/fits.h"
#include "model/model.h"

namespace carom::inline cad_import {

struct ImportOptions {
  double density = 0;                                 // kg/m³, of parts whose material has none; 0: not given
  std::vector<std::string> ground = {};               // names of parts that do not move
  std::string plane = {};                             // "xy", "yz" or "zx": a planar model; empty: a spatial one
  Eigen::Vector3d gravity = Eigen::Vector3d::Zero();  // m/s², axes of the file
  FitLimits limits = {};
};

// A model made of an assembly.
struct Imported {
  Model model;
  std::vector<std::string> bodies;  // by the number of the placement; "ground" of what does not move
  std::vector<std::string> joints;  // by the number of the fit; empty: none was made
  Fits fits;
  std::vector<std::string> remarks;  // what was assumed or left out
};

// One body per part that is built in, with mass, mass centre and inertia, its pose and its shape, and a joint per fit.
// `file` is what the model calls the STEP file, `content` what that holds. Throws InputError, which names what is
// missing: a density, a part of that name, joints that lie in the plane.
Imported import_assembly(const StepAssembly& assembly, const ModelFile& file, const ImportOptions& options);

// The text of the model, with the assumptions as comments above it.
std::string import_text(const Imported& imported);

}  // namespace carom::inline cad_import
