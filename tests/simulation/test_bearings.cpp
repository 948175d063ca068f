#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <string>

#include "contact_laws/elliptic_contact.h"
#include "contact_laws/stiffness.h"
#include "model_io/read_model.h"
#include "run_scene.h"

// Ball bearings as a user writes them, run by both methods.
namespace carom {
namespace {

constexpr double inner = 0.01277125, outer = 0.02071875, ball = 0.00396875, groove = 0.00397875;  // m

// The bearing of the thesis of E. Sánchez, chapter 4, on a shaft that hangs in it, or sits in it with a preload.
std::string model_text(const std::string& clearance, const std::string& more) {
  return R"(
[model]
plane = "xy"

[material.steel]
young = "200 GPa"
poisson = 0.3
density = 7800

[contact.races]
restitution = 0.9
friction = 0.05
slow_contact = "elastic"

[[body]]
name = "shaft"
mass = 1
inertia = 8.155e-5

[[bearing]]
name = "b"
bodies = ["ground", "shaft"]
points = [[0, 0], [0, 0]]
balls = 8
pitch_diameter = "33.49 mm"
ball_diameter = "7.9375 mm"
groove_radius = "3.97875 mm"
material = "steel"
contact = "races"
angle = "-90 deg"
clearance = ")" +
         clearance + "\"\n" + more;
}

ResultReader run_text(const std::string& text, const scene::Folder& folder) {
  ProblemList problems;
  const Model model = read_model_text(text, "model.toml", problems);
  EXPECT_EQ(problems.text(), "");
  EXPECT_EQ(run(model, scene::into(folder / "run.h5")).status, RunStatus::complete);
  return ResultReader(folder / "run.h5");
}

// In series with its two contacts every ball is squeezed by the preload: F = K δ^1.5 with K^(−2/3) = K_i^(−2/3) +
// K_e^(−2/3).
TEST(BearingRun, PreloadPressesEveryBallByHertz) {
  const scene::Folder folder;
  const ResultReader result = run_text(model_text("-5 um", "[solver]\nend = 1e-4\n[output]\nevery = 1e-5\n"), folder);
  const double modulus = composite_modulus(200e9, 0.3, 200e9, 0.3);
  // The pitch circle stays: the preload makes both races closer to it.
  const double shift = 7.5e-6;
  const double at_inner = elliptic_contact({inner + shift, -groove}, {ball, ball}, 0)->stiffness(modulus);
  const double at_outer = elliptic_contact({-outer + shift, -groove}, {ball, ball}, 0)->stiffness(modulus);
  const double series = std::pow(std::pow(at_inner, -2.0 / 3) + std::pow(at_outer, -2.0 / 3), -1.5);
  const double expected = series * std::pow(5e-6, 1.5);
  for (int k = 1; k <= 8; ++k) {
    for (const std::string race : {"inner", "outer"}) {
      const auto force = result.column("contact:b-" + race + std::to_string(k) + ".normal_force");
      EXPECT_NEAR(force.back() / expected, 1, 1e-6) << race << k;
    }
  }
  EXPECT_NEAR(result.column("bearing:b.fx").back(), 0, 1e-6 * expected);
  EXPECT_EQ(result.column("bearing:b.loaded").back(), 8);
}

// Both races turn: (ω_i r_i + ω_e r_e)/(r_i + r_e), formulation 7.8 for a fixed outer race; and the angular velocity
// that rolls on both. The speeds come from drives, not from the bodies.
TEST(BearingRun, StartsRollingBetweenTurningRaces) {
  const scene::Folder folder;
  std::string text = model_text("10 um", R"(
[[body]]
name = "housing"
mass = 1
inertia = 1e-3

[[joint]]
name = "hub"
type = "revolute"
bodies = ["ground", "housing"]
at = [0, 0]

[[motion]]
joint = "hub"
speed = -10

[[motion]]
body = "shaft"
component = "angle"
speed = 50

[solver]
method = "nonsmooth"
step = 1e-4
end = 0.05
)");
  text.replace(text.find("\"ground\", \"shaft\""), 17, "\"housing\", \"shaft\"");
  const ResultReader result = run_text(text, folder);
  const double cage = (50 * inner - 10 * outer) / (inner + outer);
  EXPECT_NEAR(result.column("bearing:b.cage_speed").front(), cage, 1e-9);
  EXPECT_NEAR(result.column("body:b-ball3.omega").front(), -(10 * outer + 50 * inner) / (2 * ball), 1e-9);
  EXPECT_NEAR(result.column("bearing:b.cage_speed").back(), cage, 0.01 * std::abs(cage));
}

// Balls carry a load of 100 N between rigid races, and the cage, here a rigid one, turns by formulation 7.8.
TEST(BearingRun, CarriesItsLoadByImpulses) {
  const scene::Folder folder;
  const ResultReader result = run_text(model_text("10 um", R"(
[bearing.cage]
type = "rigid"
pocket_clearance = "0.1 mm"
mass = 0.005
inertia = 1.4e-6

[[motion]]
body = "shaft"
component = "angle"
speed = "500 rpm"

[[force]]
name = "load"
type = "force"
body = "shaft"
force = [0, -100]

[solver]
method = "nonsmooth"
step = 1e-4
end = 0.1
)"),
                                       folder);
  const double speed = 500 * 2 * M_PI / 60;
  double lift = 0, turned = 0;
  const auto iy = result.column("bearing:b.iy"), cage = result.column("bearing:b.cage_speed");
  for (std::size_t k = 1; k < iy.size(); ++k) lift += iy[k], turned += cage[k];
  EXPECT_NEAR(lift / 0.1, 100, 0.5);  // the shaft starts with the whole play above it
  EXPECT_NEAR(turned / static_cast<double>(iy.size() - 1) / speed, inner / (inner + outer), 0.002);
}

}  // namespace
}  // namespace carom
