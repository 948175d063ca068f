#pragma once

#include <cmath>
#include <filesystem>

#include "../support/build_model.h"
#include "../support/temporary_folder.h"
#include "recording/result_reader.h"
#include "simulation/run.h"

namespace carom::scene {

using Folder = TemporaryFolder;

inline RunOptions into(const std::filesystem::path& result) {
  RunOptions options;
  options.output = result;
  return options;
}

// A mass of 1 kg on a rail along x, pulled by a force over the time.
inline Model cart(const Function& pull) {
  Model model = build::planar_model({0, 0});
  model.bodies = {build::planar_body("cart", 1, 1)};
  model.joints = {build::Element("rail", "prismatic").between("ground", "cart").at({0, 0}).axis({1, 0})};
  model.forces = {build::Element("pull", "force")
                      .with("body", std::string("cart"))
                      .with("point", std::vector<double>{0, 0})
                      .with("force", std::vector<Function>{pull, Function::constant(0)})};
  model.solver.end = 1;
  model.output.every = 0.1;
  return model;
}

inline Model pendulum() {
  Model model = build::planar_model();
  model.bodies = {build::link("rod", 1, {0, 0}, {1, 0})};
  model.joints = {build::pin("pivot", "ground", "rod", {0, 0})};
  model.solver.end = 1;
  model.output.every = 0.1;
  return model;
}

}  // namespace carom::scene
