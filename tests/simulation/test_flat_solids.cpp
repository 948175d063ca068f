#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>

#include <fmt/format.h>

#include "../support/temporary_folder.h"
#include "model_io/read_model.h"
#include "recording/recorded_run.h"
#include "simulation/run.h"

// Meshes on meshes, boxes, hulls and heightfields by forces whose stiffness is given: all of the overlap has one
// energy.
namespace carom {
namespace {

// A block with a notch, as text of an OBJ file.
const char* const notched_obj = R"(v -0.05 -0.05 -0.05
v 0.05 -0.05 -0.05
v 0.05 -0.05 0.05
v 0 -0.05 0.01
v -0.05 -0.05 0.05
v -0.05 0.05 -0.05
v 0.05 0.05 -0.05
v 0.05 0.05 0.05
v 0 0.05 0.01
v -0.05 0.05 0.05
f 1 2 3
f 1 3 4
f 1 4 5
f 6 8 7
f 6 9 8
f 6 10 9
f 1 6 7
f 1 7 2
f 2 7 8
f 2 8 3
f 3 8 9
f 3 9 4
f 4 9 10
f 4 10 5
f 5 10 6
f 5 6 1
)";

const std::map<std::string, std::string>& flat_solids() {
  static const std::map<std::string, std::string> keys = {
      {"box", "size = [0.1, 0.1, 0.1]"},
      {"hull", "points = [[-0.05, -0.05, -0.05], [0.05, -0.05, -0.05], [0, 0.05, -0.05], [0, 0, 0.05]]"},
      {"mesh", "file = \"notched.obj\"\nunit = \"1 m\""},
      {"heightfield", "size = [0.1, 0.1, 0.04]\nrelief = \"=0.1*(x^2 + y^2)/1[m]\"\nspacing = 0.02"}};
  return keys;
}

std::string solid(const std::string& section, const std::string& name, const std::string& shape) {
  return fmt::format("[[{}.geometry]]\nname = \"{}\"\nshape = \"{}\"\n{}\n", section, name, shape,
                     flat_solids().at(shape));
}

class FlatSolids : public testing::Test {
 protected:
  FlatSolids() { std::ofstream(folder_.path() / "notched.obj") << notched_obj; }

  RunSummary run_model(const std::string& text) {
    ProblemList problems;
    const Model model = read_model_text(text, "flat.toml", problems, {}, folder_.path());
    EXPECT_EQ(problems.text(), "");
    RunOptions options;
    recorded_ = {};
    options.memory = &recorded_;
    const RunSummary summary = run(model, options);
    EXPECT_EQ(summary.status, RunStatus::complete) << summary.reason;
    return summary;
  }
  double last(const std::string& name) const { return recorded_.column(name).back(); }

  RecordedRun recorded_;
  TemporaryFolder folder_;
};

std::string law(double restitution, double friction, double end, double tolerance) {
  return fmt::format(R"(
[contact.c]
elastic = "linear"
stiffness = 1e5
restitution = {}
{}
[[pair]]
name = "pair"
bodies = ["part", "{}"]
contact = "c"
[solver]
end = {}
tolerance = {}
[output]
every = 0.01
)",
                     restitution, friction > 0 ? fmt::format("friction = {}", friction) : "",
                     friction < 0 ? "other" : "ground", end, tolerance);
}

// Corners, edges and sides come down one after the other on what lies below.
std::string tumbling(const std::string& ground, const std::string& falling, double angle, double restitution) {
  return "[model]\ngravity = [0, 0, -9.81]\n" + solid("ground", "below", ground) +
         fmt::format(R"([[body]]
name = "part"
mass = 1
inertia = [0.0016, 0.0017, 0.0019]
position = [0.002, 0.001, 0.16]
orientation = {{ axis = [1, 2, 3], angle = {} }}
angular_velocity = [6, -4, 2]
)",
                     angle) +
         solid("body", "above", falling) + law(restitution, 0, 0.25, 1e-7);
}

TEST_F(FlatSolids, TumblingDropsKeepTheirEnergy) {
  for (const auto& [ground, below] : flat_solids()) {
    for (const auto& [falling, above] : flat_solids()) {
      if (ground != "mesh" && ground != "heightfield" && falling != "mesh" && falling != "heightfield") continue;
      for (const double angle : {0.2, 1.1}) {
        SCOPED_TRACE(fmt::format("{} onto {}, leaning by {}", falling, ground, angle));
        const RunSummary summary = run_model(tumbling(ground, falling, angle, angle < 1 ? 1 : 0.4));
        EXPECT_GT(summary.contacts.begun, 0);
        EXPECT_LT(summary.energy.largest_residual, 1e-3 * summary.energy.largest);
      }
    }
  }
}

// The same where the stiffness follows from the materials, boxes and hulls among themselves included.
TEST_F(FlatSolids, TumblingDropsByMaterialsKeepTheirEnergy) {
  for (const auto& [ground, below] : flat_solids()) {
    for (const auto& [falling, above] : flat_solids()) {
      for (const double angle : {0.2, 1.1}) {
        SCOPED_TRACE(fmt::format("{} onto {}, leaning by {}", falling, ground, angle));
        std::string text = tumbling(ground, falling, angle, angle < 1 ? 1 : 0.4);
        const std::string given = "elastic = \"linear\"\nstiffness = 1e5\n";
        text.replace(text.find(given), given.size(), "");
        text.replace(text.find("bodies = [\"part\""), 0, "materials = [\"soft\", \"soft\"]\n");
        const RunSummary summary = run_model("[material.soft]\nyoung = 2e7\npoisson = 0.3\n" + text);
        EXPECT_GT(summary.contacts.begun, 0);
        EXPECT_LT(summary.energy.largest_residual, 1e-3 * summary.energy.largest);
      }
    }
  }
}

// Settled, the contact carries the weight in the middle of the part.
TEST_F(FlatSolids, WhatLiesIsCarried) {
  for (const std::string ground : {"box", "heightfield"}) {
    SCOPED_TRACE("mesh on " + ground);
    const double height = ground == "box" ? 0.1 : 0.0505;
    run_model("[model]\ngravity = [0, 0, -9.81]\n" + solid("ground", "below", ground) +
              fmt::format("[[body]]\nname = \"part\"\nmass = 1\ninertia = [0.0016, 0.0017, 0.0019]\n"
                          "position = [0.01, 0.005, {}]\n",
                          height + 0.001) +
              solid("body", "above", "mesh") + law(0.2, 0.4, 1, 1e-6));
    EXPECT_NEAR(last("contact:pair.normal_force"), 9.81, 0.05);
    EXPECT_NEAR(last("body:part.z"), height, 5e-4);
    EXPECT_NEAR(last("body:part.x"), 0.01, 5e-4);  // it slips a little while it rocks to rest
    EXPECT_LT(std::abs(last("body:part.vz")), 1e-3);
  }
}

// Two that float and collide: nothing but the contact acts.
TEST_F(FlatSolids, MomentumIsKept) {
  const auto body = [](const std::string& name, double x, double v) {
    return fmt::format(R"([[body]]
name = "{}"
mass = 1
inertia = [0.0017, 0.0017, 0.0017]
position = [{}, {}, 0.01]
orientation = {{ axis = [1, 2, 3], angle = {} }}
velocity = [{}, 0, 0]
angular_velocity = [2, 1, -3]
)",
                       name, x, 0.2 * x, x, v);
  };
  const RunSummary summary =
      run_model("[model]\ngravity = [0, 0, 0]\n" + body("part", -0.09, 1) + solid("body", "one", "mesh") +
                body("other", 0.09, -0.5) + solid("body", "two", "heightfield") + law(1, -1, 0.2, 1e-8));
  EXPECT_GT(summary.contacts.begun, 0);
  EXPECT_LT(summary.energy.largest_residual, 1e-3 * summary.energy.largest);
  const auto momentum = [&](std::size_t row, const std::string& axis) {
    return recorded_.column("body:part.v" + axis)[row] + recorded_.column("body:other.v" + axis)[row];
  };
  const std::size_t end = recorded_.column("body:part.vx").size() - 1;
  for (const char* const axis : {"x", "y", "z"}) EXPECT_NEAR(momentum(end, axis), momentum(0, axis), 1e-9) << axis;
  // About the origin, z: Σ (x v_y − y v_x) + I ω.
  const auto spin = [&](std::size_t row) {
    double sum = 0;
    for (const std::string name : {"body:part.", "body:other."}) {
      const auto at = [&](const std::string& key) { return recorded_.column(name + key)[row]; };
      sum += at("x") * at("vy") - at("y") * at("vx") + 0.0017 * at("wz");
    }
    return sum;
  };
  EXPECT_NEAR(spin(end), spin(0), 1e-9);
}

}  // namespace
}  // namespace carom
