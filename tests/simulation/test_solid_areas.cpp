#include <algorithm>

#include <gmock/gmock.h>

#include "../support/temporary_folder.h"
#include "run_parts.h"

// Runs of built-in solids that press over areas.
namespace carom {
namespace {

// A part of rubber that falls on the ground, leaning.
std::string falling_model(const std::string& below, const std::string& shape, double height, double angle, double end,
                          const std::string& law = "restitution = 1\nfriction = 0") {
  return fmt::format(R"(
[material.rubber]
young = "2 MPa"
poisson = 0.5
[model]
gravity = [0, 0, -9.81]
[[ground.geometry]]
name = "table"
material = "rubber"
{}
[[body]]
name = "part"
mass = 0.05
inertia = [4e-6, 4e-6, 5e-6]
position = [0, 0, {}]
orientation = {{ axis = [1, 0.4, -0.3], angle = {} }}
[[body.geometry]]
name = "skin"
material = "rubber"
{}
[contact.soft]
region = "area"
{}
[[pair]]
name = "hit"
bodies = ["part", "ground"]
contact = "soft"
[solver]
end = {}
tolerance = 1e-7
[output]
every = 0.001
)",
                     below, height, angle, shape, law, end);
}

double largest_of(const Outcome& outcome, const std::string& quantity) {
  double most = 0;
  for (const double each : outcome.recorded.column(quantity)) most = std::max(most, std::abs(each));
  return most;
}

const std::string on_plane = "shape = \"plane\"", sphere = "shape = \"sphere\"\nradius = 0.015";

// Over an area a ball bounces as it does in its point.
TEST(SolidAreas, ABallBouncesAsByHertz) {
  const TemporaryFolder folder;
  std::string text = falling_model(on_plane, sphere, 0.04, 0.3, 0.1);
  const Outcome area = run_text(text, folder.path());
  text.replace(text.find("region = \"area\""), 15, "region = \"points\"");
  const Outcome point = run_text(text, folder.path());
  EXPECT_EQ(area.summary.contacts.begun, 1);
  const std::string normal_force = "contact:hit.normal_force";
  EXPECT_NEAR(largest_of(area, normal_force) / largest_of(point, normal_force), 1, 0.01);
  EXPECT_NEAR(area.last("body:part.vz"), point.last("body:part.vz"), 1e-3);
  const std::vector<double> depths = area.recorded.column("contact:hit.penetration");  // of a gap, less than 0
  const double depth = *std::max_element(depths.begin(), depths.end()), force = largest_of(area, normal_force);
  const std::vector<double> of_point = point.recorded.column("contact:hit.penetration");
  EXPECT_NEAR(depth / *std::max_element(of_point.begin(), of_point.end()), 1, 0.01);
  EXPECT_NEAR(largest_of(area, "contact:hit.patch_area") / (M_PI * 0.015 * depth), 1, 0.06);
  EXPECT_NEAR(largest_of(area, "contact:hit.peak_pressure") / (1.5 * force / (M_PI * 0.015 * depth)), 1, 0.05);
  EXPECT_LT(largest_of(area, "energy.residual"), 1e-3 * 0.05 * 9.81 * 0.04);
}

// What is pressed in comes out again. While it is pressed in, the books are as good as the cells.
TEST(SolidAreas, SolidsKeepTheirEnergy) {
  const TemporaryFolder folder;
  const std::string on_box = "shape = \"box\"\nsize = [0.3, 0.3, 0.05]\nposition = [0, 0, -0.025]";
  for (const auto& [below, shape] :
       {std::pair{on_plane, std::string("shape = \"cylinder\"\nradius = 0.015\nlength = 0.04")},
        std::pair{on_box, std::string("shape = \"capsule\"\nradius = 0.012\nlength = 0.03")},
        std::pair{on_plane, std::string("shape = \"torus\"\nradius = 0.015\ntube_radius = 0.005")},
        std::pair{on_plane, std::string("shape = \"ellipsoid\"\nsize = [0.03, 0.02, 0.04]")}}) {
    SCOPED_TRACE(shape);
    const Outcome outcome = run_text(falling_model(below, shape, 0.05, 0.6, 0.12), folder.path());
    EXPECT_GE(outcome.summary.contacts.begun, 1);
    const double scale = 0.05 * 9.81 * 0.05;
    RecordProperty("residual", fmt::format("{:.1e}", largest_of(outcome, "energy.residual") / scale));
    EXPECT_LT(largest_of(outcome, "energy.residual"), 4e-3 * scale);
    EXPECT_LT(std::abs(outcome.last("energy.residual")), 1e-3 * scale);
    EXPECT_GT(largest_of(outcome, "contact:hit.patch_area"), 0);
  }
}

TEST(SolidAreas, WithoutBeingAskedSolidsActByPoints) {
  const TemporaryFolder folder;
  std::string text = falling_model(on_plane, sphere, 0.04, 0.3, 0.1);
  text.replace(text.find("region = \"area\""), 15, "");
  EXPECT_EQ(problems_of_text(text, folder.path()), "");
  const Outcome point = run_text(text, folder.path());
  EXPECT_TRUE(point.recorded.column("contact:hit.patch_area").empty());
  // What has edges is warned of by points, and is well said over areas.
  const std::string cylinder = "shape = \"cylinder\"\nradius = 0.015\nlength = 0.04";
  EXPECT_EQ(problems_of_text(falling_model(on_plane, cylinder, 0.05, 0.6, 0.1), folder.path()), "");
}

}  // namespace
}  // namespace carom
