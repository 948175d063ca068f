#include <gmock/gmock.h>

#include <random>

#include "../support/temporary_folder.h"
#include "run_parts.h"

// Runs in which areas of contact part and join: concave parts that fall on something flat and come to rest there.
namespace carom {
namespace {

// 0.3 kg of rubber fall from 60 mm, leaning.
std::string falling_model(const std::string& below, const std::string& lean, const std::string& contact) {
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
mass = 0.3
inertia = [3e-4, 3e-4, 6e-4]
position = [0, 0, 0.06]
orientation = {}
[[body.geometry]]
name = "skin"
shape = "mesh"
file = "part.obj"
unit = "1 m"
material = "rubber"
[contact.soft]
{}
region = "area"
[[pair]]
name = "rest"
bodies = ["part", "ground"]
contact = "soft"
[solver]
end = 0.5
tolerance = 1e-7
[output]
every = 0.002
)",
                     below, lean, contact);
}

const std::string leaning_part = "{ axis = [1, 2, 0], angle = 0.4 }", damped = "restitution = 0.5\nfriction = 0.4",
                  elastic = "restitution = 1\nfriction = 0", flat_plane = "shape = \"plane\"",
                  flat_box = "shape = \"box\"\nsize = [0.6, 0.6, 0.1]\nposition = [0, 0, -0.05]";

// About the middle of its box.
TriangleSoup centred(TriangleSoup soup) {
  Eigen::AlignedBox3d box;
  for (const Eigen::Vector3d& point : soup.points) box.extend(point);
  for (Eigen::Vector3d& point : soup.points) point -= box.center();
  return soup;
}

// The energy of the fall is 0.3 · 9.81 · 0.06 J.
void expect_sound(const Outcome& outcome, double within) {
  double worst = 0;
  for (const double each : outcome.recorded.column("energy.residual")) worst = std::max(worst, std::abs(each));
  EXPECT_LT(worst, within * 0.1766);
  for (const double depth : outcome.recorded.column("contact:rest.penetration")) EXPECT_TRUE(std::isfinite(depth));
  EXPECT_EQ(outcome.summary.contacts.too_deep, 0);
  EXPECT_GE(outcome.summary.contacts.begun, 2);
}

TEST(PartingAreas, ABracketAndAUComeToRest) {
  const TemporaryFolder folder;
  const TriangleSoup
      angle = centred(bracket(0.1)),
      fork = centred(prism(
          {{0, 0}, {0.1, 0}, {0.1, 0.08}, {0.07, 0.08}, {0.07, 0.03}, {0.03, 0.03}, {0.03, 0.08}, {0, 0.08}}, 0.02));
  for (const TriangleSoup& part : {angle, fork}) {
    write_obj(folder.path() / "part.obj", part);
    SCOPED_TRACE(part.points.size());
    expect_sound(run_text(falling_model(flat_plane, leaning_part, elastic), folder.path()), 1e-4);
    expect_sound(run_text(falling_model(flat_plane, leaning_part, damped), folder.path()), 1e-4);
  }
  write_obj(folder.path() / "part.obj", angle);
  // The way of its direction is not in the force between meshes: see the theory.
  expect_sound(run_text(falling_model(flat_box, leaning_part, elastic), folder.path()), 5e-3);
}

TEST(PartingAreas, AnyConcavePrismFallsOnAPlane) {
  const TemporaryFolder folder;
  std::mt19937 random(3);
  std::uniform_real_distribution<double> any(-1, 1);
  for (int trial = 0; trial < 6; ++trial) {
    SCOPED_TRACE(trial);
    std::vector<Eigen::Vector2d> outline;
    const int sides = 5 + trial;
    for (int k = 0; k < sides; ++k) {
      const double angle = 2 * M_PI * k / sides, radius = 0.035 + 0.02 * any(random);
      outline.emplace_back(radius * std::cos(angle), radius * std::sin(angle));
    }
    write_obj(folder.path() / "part.obj", centred(prism(outline, 0.02)));
    const std::string lean =
        fmt::format("{{ axis = [{}, {}, {}], angle = {} }}", any(random), any(random), any(random), 0.3 + trial * 0.4);
    const Outcome outcome = run_text(falling_model(flat_plane, lean, trial % 2 == 0 ? damped : elastic), folder.path());
    // Walls that lean look away from the plane, and what they would add to the force is left out: see the theory.
    expect_sound(outcome, 1e-3);
  }
}

// A bristle bends with the area that it belongs to, whichever slot that is in.
TEST(PartingAreas, BristlesGoOnWithTheAreas) {
  const TemporaryFolder folder;
  write_obj(folder.path() / "part.obj", centred(bracket(0.1)));
  const Outcome outcome = run_text(
      falling_model(flat_plane, leaning_part, "restitution = 0.5\nfriction = { law = \"lugre\", coefficient = 0.4 }"),
      folder.path());
  expect_sound(outcome, 1e-3);
}

}  // namespace
}  // namespace carom
