#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>

#include "../support/temporary_folder.h"
#include "run_parts.h"

// Runs of parts that are meshes.
namespace carom {
namespace {

using testing::HasSubstr;

void write_stl(const std::filesystem::path& file, const TriangleSoup& soup) {
  std::ofstream out(file, std::ios::binary);
  const std::string title(80, ' ');
  out.write(title.data(), 80);
  const auto count = static_cast<std::uint32_t>(soup.triangles.size());
  out.write(reinterpret_cast<const char*>(&count), 4);
  for (const Triangle& t : soup.triangles) {
    char facet[50] = {};
    char* to = facet + 12;
    for (const int corner : t) {
      for (const double entry : soup.points[corner]) {
        const auto value = static_cast<float>(entry);
        std::memcpy(to, &value, 4);
        to += 4;
      }
    }
    out.write(facet, 50);
  }
}

std::string ball_model(const std::string& shape, const std::string& below) {
  return fmt::format(R"(
[model]
gravity = [0, 0, -9.81]
[[ground.geometry]]
name = "floor"
{}
[[body]]
name = "ball"
mass = 1
inertia = [0.004, 0.004, 0.004]
position = [0, 0, 0.15]
orientation = {{ axis = [1, 2, 3], angle = 0.7 }}
[[body.geometry]]
name = "skin"
{}
[contact.c]
restitution = 0.5
friction = 0
[[pair]]
name = "pair"
bodies = ["ball", "ground"]
contact = "c"
[solver]
method = "nonsmooth"
end = 0.25
step = 0.0005
[output]
every = 0.001
)",
                     below, shape);
}

// A ball cut into triangles, three times finer and finer, bounces as the ball does, up to its chord error.
TEST(Meshes, ABallOfTrianglesTendsToTheBall) {
  const TemporaryFolder folder;
  for (const std::string below :
       {"shape = \"plane\"", "shape = \"box\"\nsize = [1, 1, 0.2]\nposition = [0, 0, -0.1]"}) {
    const Outcome exact = run_text(ball_model("shape = \"sphere\"\nradius = 0.1", below), folder.path());
    const auto height = exact.recorded.column("body:ball.z");
    ASSERT_GT(height.size(), 200U);
    double before = 1;
    for (int cuts = 2; cuts <= 4; ++cuts) {
      write_stl(folder.path() / "ball.stl", ball_soup(0.1, cuts));
      const Outcome meshed =
          run_text(ball_model("shape = \"mesh\"\nfile = \"ball.stl\"\nunit = \"1 m\"", below), folder.path());
      const auto same = meshed.recorded.column("body:ball.z");
      ASSERT_EQ(same.size(), height.size());
      double worst = 0;
      for (std::size_t k = 0; k < same.size(); ++k) worst = std::max(worst, std::abs(same[k] - height[k]));
      EXPECT_LT(worst, before);
      before = 0.6 * worst;
    }
    EXPECT_LT(before, 0.6 * 2e-3);
  }
}

// Nothing is gained and nothing sinks where concave parts fall onto each other.
TEST(Meshes, PartsThatFallOntoEachOtherComeToRest) {
  const std::string parts = R"(
[model]
gravity = [0, 0, -9.81]
[[ground.geometry]]
name = "floor"
shape = "plane"
[[body]]
name = "bracket"
mass = "0.10249 kg"
inertia = [1.5597e-5, 1.5597e-5, 2.6821e-5, 6.95e-6, 0, 0]
position = [0, 0, 0.03]
orientation = { axis = [1, 0.2, 0], angle = "40 deg" }
[body.grid]
count = [1, 1, 2]
spacing = [0.1, 0.1, 0.05]
[[body.geometry]]
name = "steel"
shape = "mesh"
file = "examples/parts/bracket.stl"
unit = "1 mm"
[[body]]
name = "nut"
mass = "0.0580108 kg"
inertia = [5.7477e-6, 5.7477e-6, 9.6003e-6]
position = [0.005, 0.01, 0.14]
[[body.geometry]]
name = "steel"
shape = "mesh"
file = "examples/parts/nut.stl"
unit = "1 mm"
[contact.steel]
restitution = 0.1
friction = 0.4
[[pair]]
name = "parts"
bodies = ["*", "*"]
contact = "steel"
[[pair]]
name = "floor"
bodies = ["*", "ground"]
contact = "steel"
[solver]
method = "nonsmooth"
end = 0.6
step = 0.0005
[output]
every = 0.002
)";
  const Outcome outcome = run_text(parts, CAROM_SOURCE_DIR);
  const auto kinetic = outcome.recorded.column("energy.kinetic"),
             potential = outcome.recorded.column("energy.potential");
  ASSERT_GT(kinetic.size(), 100U);
  const double scale = potential.front() - potential.back();
  ASSERT_GT(scale, 0.05);
  double lowest = kinetic.front() + potential.front();
  for (std::size_t k = 0; k < kinetic.size(); ++k) {
    EXPECT_LT(kinetic[k] + potential[k], lowest + 1e-3 * scale) << "at sample " << k;
    lowest = std::min(lowest, kinetic[k] + potential[k]);
  }
  EXPECT_LT(kinetic.back(), 1e-3 * scale);
  for (const std::string body : {"bracket1", "bracket2", "nut"})
    EXPECT_GT(outcome.recorded.column("body:" + body + ".z").back(), 0.0069) << body;
}

std::string problems_of(const std::string& geometry, const std::filesystem::path& folder) {
  return problems_of_text(
      "[model]\n[[body]]\nname = \"part\"\nmass = 1\ninertia = [1, 1, 1]\n[[body.geometry]]\n" + geometry, folder);
}

TEST(Meshes, WhatIsWrongWithAFileIsSaidAtItsKey) {
  const TemporaryFolder folder;
  const std::string mesh = "shape = \"mesh\"\nfile = \"part.stl\"\n";
  EXPECT_THAT(problems_of("shape = \"mesh\"\n", folder.path()), HasSubstr("file"));
  EXPECT_THAT(problems_of(mesh, folder.path()), HasSubstr("error: body.part.geometry[1].file"));
  write_stl(folder.path() / "part.stl", box_soup({25, 10, 5}));  // mm, and nobody has said so
  EXPECT_THAT(problems_of(mesh, folder.path()),
              HasSubstr("warning: body.part.geometry[1].file: found a part of 54.8 m"));
  EXPECT_THAT(problems_of(mesh, folder.path()), HasSubstr("unit = \"1 mm\""));
  EXPECT_EQ(problems_of(mesh + "unit = \"1 mm\"\n", folder.path()), "");
  TriangleSoup open = box_soup({0.1, 0.1, 0.1});
  open.triangles.pop_back();
  write_stl(folder.path() / "part.stl", open);
  EXPECT_THAT(problems_of(mesh, folder.path()), HasSubstr("3 edges of one triangle only"));
  EXPECT_THAT(problems_of("shape = \"heightfield\"\nsize = [1, 1, 0.1]\n", folder.path()), HasSubstr("neither"));
  std::ofstream(folder.path() / "table.csv") << "0, 0, 0\n0, 0.1\n";
  EXPECT_THAT(problems_of("shape = \"heightfield\"\nsize = [1, 1, 0.1]\nfile = \"table.csv\"\n", folder.path()),
              HasSubstr("line 2: 2 heights, and 3 in the first row"));
}

}  // namespace
}  // namespace carom
