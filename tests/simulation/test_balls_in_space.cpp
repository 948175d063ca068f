#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "model_io/read_model.h"
#include "run_scene.h"

// Ball bearings in space whose balls are bodies, as a user writes them.
namespace carom {
namespace {

// A ring on an axle that only turns, at 100 rad/s, in balls of 9.525 mm on a circle of 46 mm.
std::string model_text(const std::string& bearing, const std::string& more) {
  return R"(
[model]
gravity = [0, 0, 0]
[material.steel]
young = "207 GPa"
poisson = 0.3
density = 7800
[contact.races]
restitution = 0.5
friction = 0.05
[[body]]
name = "ring"
mass = 0.2
inertia = [1e-4, 1e-4, 1e-4]
[[joint]]
name = "axle"
type = "revolute"
bodies = ["ground", "ring"]
at = [0, 0, 0]
axis = [0, 0, 1]
[[motion]]
joint = "axle"
speed = 100
[[bearing]]
name = "b"
detail = "dynamic"
bodies = ["ground", "ring"]
at = [0, 0, 0]
axis = [0, 0, 1]
balls = 8
pitch_diameter = "46 mm"
ball_diameter = "9.525 mm"
conformity = [0.52, 0.53]
material = "steel"
contact = "races"
)" + bearing +
         "\n" + more;
}

ResultReader run_text(const std::string& text, const scene::Folder& folder) {
  ProblemList problems;
  const Model model = read_model_text(text, "model.toml", problems);
  EXPECT_EQ(problems.text(), "");
  EXPECT_EQ(run(model, scene::into(folder / "run.h5")).status, RunStatus::complete);
  return ResultReader(folder / "run.h5");
}

const std::string moment = "[solver]\nend = 1e-6\n[output]\nevery = 1e-6\n";

double first(const ResultReader& result, const std::string& quantity) {
  return result.column(quantity).front();
}

// Whatever the angle of contact: both surfaces of every contact start with the same velocity, and the balls go round as
// the kinematics of bearings says. Slips are told half a penetration beside the surfaces: of 2 m/s so much is left.
TEST(BallsInSpace, StartRolling) {
  struct Case {
    std::string keys;
    double angle;
    int lines;
  };
  constexpr double ratio = 9.525 / 46;
  for (const auto& [keys, angle, lines] :
       {Case{"clearance = \"-2 um\"", 0.0, 1},
        {"type = \"angular-contact\"\ncontact_angle = \"40 deg\"\npreload_displacement = \"5 um\"", 40 * M_PI / 180, 1},
        {"type = \"thrust-ball\"\npreload_displacement = \"5 um\"", M_PI / 2, 1},
        {"type = \"four-point\"\nclearance = \"-2 um\"", 0.0, 2}}) {
    const scene::Folder folder;
    const ResultReader result = run_text(model_text(keys, moment), folder);
    EXPECT_NEAR(first(result, "bearing:b.cage_speed") / (50 * (1 - ratio * std::cos(angle))), 1, 3e-3) << keys;
    for (int k = 1; k <= 8 * lines; ++k) {
      const std::string number = std::to_string(k);
      EXPECT_GT(first(result, "bearing:b.load" + number), 1) << keys << k;
      if (lines == 1) {
        EXPECT_NEAR(first(result, "contact:b-inner" + number + ".slip_speed"), 0, 1e-3) << keys << k;
        EXPECT_NEAR(first(result, "contact:b-outer" + number + ".slip_speed"), 0, 1e-3) << keys << k;
      }
    }
  }
}

// A preload is a force along the axis of every row, which pushes its balls with F/(Z sin α); two rows against each
// other leave nothing.
TEST(BallsInSpace, RowsCarryTheirPreload) {
  const scene::Folder folder;
  const ResultReader result = run_text(model_text(R"(
type = "angular-contact"
contact_angle = "25 deg"
rows = 2
row_distance = "16 mm"
arrangement = "back-to-back"
preload = "400 N"
)",
                                                  moment),
                                       folder);
  for (int k = 1; k <= 16; ++k) {
    const std::string number = std::to_string(k);
    const double angle = first(result, "bearing:b.angle" + number), load = first(result, "bearing:b.load" + number);
    EXPECT_NEAR(load * std::sin(std::abs(angle)), 400.0 / 8, 0.2) << k;
    EXPECT_GT(angle * (k <= 8 ? 1 : -1), 25 * M_PI / 180) << "rows back to back push apart";
  }
  EXPECT_NEAR(first(result, "bearing:b.fz"), 0, 1e-3);
  EXPECT_EQ(first(result, "bearing:b.loaded"), 16);
}

// Both lines of a four-point bearing, and the channels of both details.
TEST(BallsInSpace, TellWhatQuasiStaticOnesTell) {
  const std::string rest = model_text("type = \"four-point\"\nclearance = \"-3 um\"", moment);
  std::string quasi = rest;
  quasi.replace(quasi.find("\"dynamic\""), 9, "\"quasi-static\"");
  quasi.erase(quasi.find("contact = \"races\""), 17);
  quasi.replace(quasi.find("conformity"), 0, "speed = 0\n");
  const scene::Folder folder, other;
  const ResultReader bodies = run_text(rest, folder), element = run_text(quasi, other);
  for (const std::string name :
       {"load1", "outer_load9", "angle1", "outer_angle9", "largest_load", "loaded", "largest_pressure"})
    EXPECT_NEAR(first(bodies, "bearing:b." + name) / first(element, "bearing:b." + name), 1, 2e-3) << name;
  EXPECT_NEAR(first(bodies, "bearing:b.spin"), 100, 1e-9);
}

// A rigid cage floats on its balls and goes round with them; its springs would carry nothing. Both methods.
TEST(BallsInSpace, CageGoesRoundWithItsBalls) {
  for (const std::string method : {"compliant", "nonsmooth"}) {
    const scene::Folder folder;
    const bool compliant = method == "compliant";
    const ResultReader result =
        run_text(model_text(std::string("clearance = \"") + (compliant ? "-2 um" : "2 um") + R"("
[bearing.cage]
type = "rigid"
pocket_clearance = "0.1 mm"
mass = 0.01
inertia = 6e-6
)",
                            "[solver]\nmethod = \"" + method + "\"\nend = 2e-3\n" + (compliant ? "" : "step = 2e-5\n") +
                                "[output]\nevery = 2e-4\n"),
                 folder);
    const double cage = 50 * (1 - 9.525 / 46);
    EXPECT_NEAR(result.column("bearing:b.cage_speed").back() / cage, 1, 1e-3) << method;
    EXPECT_NEAR(result.column("body:b-cage.wz").back() / cage, 1, 1e-2) << method;
  }
}

}  // namespace
}  // namespace carom
