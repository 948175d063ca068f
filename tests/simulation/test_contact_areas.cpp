#include <gmock/gmock.h>

#include "../support/temporary_folder.h"
#include "run_parts.h"

// Runs of meshes that press on planes, boxes and each other over areas.
namespace carom {
namespace {

using testing::HasSubstr;

const std::string steel = R"(
[material.steel]
young = "210 GPa"
poisson = 0.3
)";

// A steel ball that flies at 0.3 m/s against a wall.
std::string ball_model(const std::string& shape, const std::string& integrator) {
  return steel + fmt::format(R"(
[model]
[[ground.geometry]]
name = "wall"
shape = "plane"
material = "steel"
[[body]]
name = "ball"
mass = 0.0328
inertia = [1.3e-6, 1.3e-6, 1.3e-6]
position = [0, 0, 0.01001]
orientation = {{ axis = [1, 2, 0], angle = 0.004 }}
velocity = [0, 0, -0.3]
[[body.geometry]]
name = "skin"
material = "steel"
{}
[contact.elastic]
restitution = 1
friction = 0
[[pair]]
name = "hit"
bodies = ["ball", "ground"]
contact = "elastic"
[solver]
end = 0.0002
integrator = "{}"
tolerance = 1e-8
[output]
every = 1e-6
)",
                             shape, integrator);
}

const std::string ball_mesh = "shape = \"mesh\"\nfile = \"ball.obj\"\nunit = \"1 m\"";

// What a column reaches at the most.
double largest(const Outcome& outcome, const std::string& quantity) {
  const auto column = outcome.recorded.column(quantity);
  return *std::max_element(column.begin(), column.end());
}

TEST(ContactAreas, AMeshedBallBouncesAsTheBallDoes) {
  const TemporaryFolder folder;
  write_obj(folder.path() / "ball.obj", ball_with_fine_pole(0.01, 0.07, 16));
  const Outcome ball = run_text(ball_model("shape = \"sphere\"\nradius = 0.01", "rk"), folder.path());
  for (const std::string integrator : {"rk", "adams", "bdf", "generalized-alpha"}) {
    SCOPED_TRACE(integrator);
    const Outcome mesh = run_text(ball_model(ball_mesh, integrator), folder.path());
    EXPECT_NEAR(mesh.last("body:ball.vz"), 0.3, integrator == "generalized-alpha" ? 1e-3 : 1e-5);
    EXPECT_NEAR(largest(mesh, "contact:hit.normal_force") / largest(ball, "contact:hit.normal_force"), 1, 0.01);
    EXPECT_NEAR(largest(mesh, "contact:hit.penetration") / largest(ball, "contact:hit.penetration"), 1, 0.01);
    EXPECT_NEAR(largest(mesh, "contact:hit.touching"), 1, 0);
    EXPECT_NEAR(mesh.last("body:ball.z"), ball.last("body:ball.z"), 0.01 * 0.3 * 0.00005);
    // Hertz' p₀ = 3 F / (2 π a²), a² = R δ.
    const double pressure =
        1.5 * largest(ball, "contact:hit.normal_force") / (M_PI * 0.01 * largest(ball, "contact:hit.penetration"));
    EXPECT_NEAR(largest(mesh, "contact:hit.peak_pressure") / pressure, 1.035, 0.02);
    EXPECT_EQ(mesh.summary.contacts.begun, 1);
    EXPECT_EQ(mesh.summary.contacts.ended, 1);
  }
}

// A rubber block, 0.1 m × 0.2 m × 0.1 m, on a table, with a load at a place of its upper side.
std::string block_model(const std::string& below, double at, const std::string& solver) {
  return fmt::format(R"(
[material.rubber]
young = "2 MPa"
poisson = 0.5
[model]
gravity = [0, 0, -10]
[[ground.geometry]]
name = "table"
material = "rubber"
{}
[[body]]
name = "block"
mass = 2
inertia = [0.01, 0.005, 0.01]
position = [0, 0, 0.0499]
[[body.geometry]]
name = "skin"
shape = "mesh"
file = "block.obj"
unit = "1 m"
material = "rubber"
[[force]]
name = "load"
type = "force"
body = "block"
point = [{}, 0, 0.05]
force = [0, 0, -20]
[contact.soft]
restitution = 0.3
friction = 0.5
[[pair]]
name = "rest"
bodies = ["block", "ground"]
contact = "soft"
allow_initial_penetration = true
{}
)",
                     below, at, solver);
}

const std::string table_plane = "shape = \"plane\"",
                  table_box = "shape = \"box\"\nsize = [0.6, 0.6, 0.1]\nposition = [0, 0, -0.05]";

// Weight and load together act where the pressure has its centre: at half the place of the load.
TEST(ContactAreas, ABlockStandsInEquilibriumWithItsLoad) {
  const TemporaryFolder folder;
  write_obj(folder.path() / "block.obj", box_soup({0.05, 0.1, 0.05}));
  for (const std::string& below : {table_plane, table_box}) {
    for (const double at : {0.0, 0.01, 0.03}) {
      SCOPED_TRACE(fmt::format("{} load at {}", below, at));
      const Outcome outcome = run_text(block_model(below, at, "[solver]\nanalysis = \"static\""), folder.path());
      EXPECT_NEAR(outcome.last("contact:rest.normal_force"), 40, 1e-6);
      // The block leans towards the load, which carries its weights along.
      const double x = outcome.last("body:block.x"), w = outcome.last("body:block.qw"),
                   i = outcome.last("body:block.qx"), j = outcome.last("body:block.qy"),
                   k = outcome.last("body:block.qz");
      const double load = x + at * (1 - 2 * (j * j + k * k)) + 0.05 * 2 * (i * k + w * j);
      EXPECT_NEAR(outcome.last("contact:rest.cx"), (x + load) / 2, 1e-8);
      EXPECT_NEAR(outcome.last("contact:rest.cx"), at / 2, 0.01 * at + 1e-12);
      EXPECT_NEAR(outcome.last("contact:rest.cy"), 0, 1e-9);
      EXPECT_NEAR(outcome.last("contact:rest.mean_pressure") * outcome.last("contact:rest.patch_area"), 40, 1e-6);
      if (at == 0) {
        EXPECT_NEAR(outcome.last("contact:rest.patch_area"), 0.02, 1e-9);
        EXPECT_NEAR(outcome.last("contact:rest.peak_pressure"), 2000, 1e-3);
      } else {
        EXPECT_GT(outcome.last("contact:rest.peak_pressure"), 2000);
      }
    }
  }
}

TEST(ContactAreas, ABlockComesToRestOrTipsOver) {
  const TemporaryFolder folder;
  write_obj(folder.path() / "block.obj", box_soup({0.05, 0.1, 0.05}));
  const std::string solver = "[solver]\nend = 0.5\n[output]\nevery = 0.005";
  const Outcome stands = run_text(block_model(table_plane, 0, solver), folder.path());
  EXPECT_NEAR(stands.last("contact:rest.normal_force"), 40, 0.1);
  EXPECT_NEAR(stands.last("contact:rest.cx"), 0, 1e-6);
  EXPECT_NEAR(stands.last("contact:rest.patch_area"), 0.02, 1e-8);
  const Outcome tips = run_text(block_model(table_plane, 0.12, solver), folder.path());
  EXPECT_GT(largest(tips, "body:block.qy"), 0.3);
}

// A box that tumbles without friction and without loss.
std::string tumbling_model(const std::string& below, const std::string& spin) {
  return fmt::format(R"(
[material.rubber]
young = "1 MPa"
poisson = 0.4
[model]
gravity = [0, 0, -9.81]
[[ground.geometry]]
name = "floor"
material = "rubber"
{}
[[body]]
name = "part"
mass = 0.5
inertia = [4e-4, 3e-4, 2e-4]
position = [0, 0, 0.08]
orientation = {{ axis = [1, 2, 0.3], angle = 0.6 }}
angular_velocity = {}
[[body.geometry]]
name = "skin"
shape = "mesh"
file = "part.obj"
unit = "1 m"
material = "rubber"
[contact.elastic]
restitution = 1
friction = 0
[[pair]]
name = "hit"
bodies = ["part", "ground"]
contact = "elastic"
[solver]
end = 0.6
tolerance = 1e-10
[output]
every = 0.002
)",
                     below, spin);
}

TEST(ContactAreas, WhatIsPressedInComesOutAgain) {
  const TemporaryFolder folder;
  write_obj(folder.path() / "part.obj", box_soup({0.02, 0.03, 0.04}));
  write_obj(folder.path() / "floor.obj", box_soup({0.3, 0.3, 0.05}));
  for (const auto& [below, within] :
       {std::pair{table_plane, 2e-5}, std::pair{table_box, 1e-3},
        std::pair{std::string("shape = \"mesh\"\nfile = \"floor.obj\"\nunit = \"1 m\"\nposition = [0, 0, -0.05]"),
                  1e-2}}) {
    SCOPED_TRACE(below);
    const Outcome outcome = run_text(tumbling_model(below, "[1, 0.5, 3]"), folder.path());
    const auto residual = outcome.recorded.column("energy.residual");
    double worst = 0;
    for (const double each : residual) worst = std::max(worst, std::abs(each));
    RecordProperty("residual", fmt::format("{:.2e}", worst));
    EXPECT_LT(worst, within * 0.5 * 9.81 * 0.08);
    EXPECT_GE(outcome.summary.contacts.begun, 3);
  }
}

// A disc that spins on its flat side stops after 3 a ω / (4 μ g).
TEST(ContactAreas, FrictionOverTheAreaStopsASpinningDisc) {
  const TemporaryFolder folder;
  std::vector<Eigen::Vector2d> outline;
  for (int k = 0; k < 60; ++k) outline.emplace_back(0.05 * std::cos(M_PI * k / 30), 0.05 * std::sin(M_PI * k / 30));
  write_obj(folder.path() / "disc.obj", prism(outline, 0.02));
  const Outcome outcome = run_text(R"(
[material.rubber]
young = "10 MPa"
poisson = 0.4
[model]
gravity = [0, 0, -10]
[[ground.geometry]]
name = "floor"
shape = "plane"
material = "rubber"
[[body]]
name = "disc"
mass = 1
inertia = [6.5e-4, 6.5e-4, 1.25e-3]
position = [0, 0, 0.01]
angular_velocity = [0, 0, 20]
[[body.geometry]]
name = "skin"
shape = "mesh"
file = "disc.obj"
unit = "1 m"
position = [0, 0, -0.01]
material = "rubber"
[contact.rough]
restitution = 0.2
friction = 0.3
[[pair]]
name = "rub"
bodies = ["disc", "ground"]
contact = "rough"
allow_initial_penetration = true
[solver]
end = 0.15
[output]
every = 0.001
)",
                                   folder.path());
  // ω falls evenly: 4 μ g / (3 a) = 80 rad/s².
  EXPECT_NEAR((20 - outcome.last("body:disc.wz")) / 0.15, 80, 2);
}

TEST(ContactAreas, WhatDoesNotGoTogetherIsRefused) {
  const TemporaryFolder folder;
  write_obj(folder.path() / "ball.obj", ball_soup(0.01, 1));
  std::string text = ball_model(ball_mesh, "rk");
  const auto with = [&](const std::string& keys) {
    std::string changed = text;
    changed.replace(changed.find("restitution = 1"), 15, "restitution = 1\n" + keys);
    return problems_of_text(changed, folder.path());
  };
  EXPECT_EQ(with(""), "");
  EXPECT_EQ(with("region = \"area\""), "");
  EXPECT_EQ(with("stiffness = 1e8"), "");
  EXPECT_THAT(with("region = \"area\"\nstiffness = 1e8"), HasSubstr("\"area\" beside `stiffness`"));
  EXPECT_THAT(with("region = \"area\"\nelastic = \"linear\"\nstiffness = 1e8"), HasSubstr("the shape `hertz`"));
  EXPECT_THAT(with("region = \"points\""), HasSubstr("Hertz' theory knows no radius"));
  EXPECT_THAT(with("region = \"patch\""), HasSubstr("`area`"));
}

}  // namespace
}  // namespace carom
