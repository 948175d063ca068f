#include <cmath>

#include "../support/temporary_folder.h"
#include "run_parts.h"

// What is not round in grooves that wave, without losses.
namespace carom {
namespace {

std::string wave_points(double radius, double height, int waves) {
  constexpr int count = 72;
  std::string points;
  for (int k = 0; k < count; ++k) {
    const double angle = 2 * M_PI * k / count, r = radius * (1 + height * std::cos(waves * angle));
    points += fmt::format("[{:.17g}, {:.17g}], ", r * std::cos(angle), r * std::sin(angle));
  }
  return points;
}

struct Inside {
  std::string name, shape;
};

const Inside box{"box", "shape = \"box\"\nsize = [0.016, 0.009]"},
    long_box{"long box", "shape = \"box\"\nsize = [0.036, 0.006]"},
    capsule{"capsule", "shape = \"capsule\"\nlength = 0.014\nradius = 0.004"},
    ellipse{"ellipse", "shape = \"ellipsoid\"\nsize = [0.018, 0.011]"},
    // A notch, corners and arcs of both kinds.
    outline{"outline",
            "shape = \"outline\"\npath = \"M -8 -5 L 6 -5 A 4 4 0 0 1 8 3 L 2 6 L 1 1 A 3 3 0 0 0 -4 2 L -7 5 Z\"\n"
            "unit = \"1 mm\""},
    profile{"profile",
            "shape = \"profile\"\npoints = [[0.009, 0], [0.004, 0.004], [-0.002, 0.003], [-0.008, 0.005], [-0.006, 0], "
            "[-0.007, -0.005], [0.003, -0.005]]"};

// Thrown along a groove with 20 mm from wall to wall that goes in five waves about a middle of 0.1 m.
std::string model_of(const Inside& inside, const std::string& solver, const std::string& contact, double spin,
                     double width = 0.02) {
  return fmt::format(R"(
[model]
plane = "xy"
gravity = [0, -9.81]
[[ground.geometry]]
name = "track"
shape = "groove"
points = [{}]
width = {}
[[body]]
name = "part"
mass = 0.1
inertia = 4e-6
position = [0.11, 0]
orientation = 1.57
velocity = [0.3, 1.2]
angular_velocity = {}
[[body.geometry]]
{}
[contact.hard]
{}
[[pair]]
name = "rattle"
bodies = ["ground", "part"]
contact = "hard"
[solver]
{}
)",
                     wave_points(0.1, 0.1, 5), width, spin, inside.shape, contact, solver);
}

TEST(Grooves, KeepTheEnergyOfWhatRattlesInThemWithForces) {
  const TemporaryFolder folder;
  for (const Inside& inside : {box, long_box, capsule, ellipse, outline, profile}) {
    SCOPED_TRACE(inside.name);
    const Outcome outcome =
        run_text(model_of(inside, "end = 0.6\nintegrator = \"rk\"\ntolerance = 1e-11\n[output]\nevery = 0.01",
                          "elastic = \"linear\"\nstiffness = 1e7\nrestitution = 1", 20),
                 folder.path());
    const double scale = 0.05 * (0.09 + 1.44) + 2e-6 * 400;
    double worst = 0;
    for (const double each : outcome.recorded.column("energy.residual")) worst = std::max(worst, std::abs(each));
    fmt::print("{:10} {:4} contacts, energy {:.1e}, missed {}\n", inside.name, outcome.summary.contacts.begun,
               worst / scale, outcome.summary.contacts.too_deep);
    EXPECT_LT(worst, 1e-5 * scale);
    EXPECT_GT(outcome.summary.contacts.begun, 20);
    EXPECT_EQ(outcome.summary.contacts.too_deep, 0);
  }
}

TEST(Grooves, KeepTheEnergyOfWhatRattlesInThemWithImpulses) {
  const TemporaryFolder folder;
  for (const Inside& inside : {box, capsule, ellipse, outline, profile}) {
    SCOPED_TRACE(inside.name);
    const Outcome outcome =
        run_text(model_of(inside, "method = \"nonsmooth\"\nend = 0.3\nstep = 2e-5\n[output]\nevery = 0.01",
                          "restitution = 1", 20),
                 folder.path());
    const auto total = outcome.recorded.column("energy.total");
    const double scale = 0.05 * (0.09 + 1.44) + 2e-6 * 400;
    double worst = 0;
    for (const double each : total) worst = std::max(worst, std::abs(each - total.front()));
    fmt::print("{:10} energy {:.1e}\n", inside.name, worst / scale);
    EXPECT_LT(worst, 2e-3 * scale);
  }
}

// The middle bends with a radius of 34 mm at its crests.
TEST(Grooves, AreRefusedWhereTheirWallsFold) {
  const TemporaryFolder folder;
  const auto problems = [&](const Inside& inside) {
    return problems_of_text(model_of(inside, "end = 0.1", "stiffness = 1e7\nrestitution = 1", 0, 0.09), folder.path());
  };
  EXPECT_NE(problems(box).find("a groove whose walls meet near"), std::string::npos) << problems(box);
  EXPECT_EQ(problems({"disc", "shape = \"sphere\"\nradius = 0.04"}), "");
}

}  // namespace
}  // namespace carom
