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

// The nut M10 of the example for 0.03 s. Flat sides in place of round ones make the slope of the thread vary about its
// lead p / 2π by R tan(π/n) tan 30°, with n = 96 of them a turn and the contact at the outer radius R of the flank.
struct ScrewedNut {
  static constexpr double pitch = 1.5e-3, radius = 5e-3, play = 0.05e-3, sides = 96;
  const double flank = M_PI / 6, lead = pitch / (2 * M_PI), mass = 5.4225e-3, inertia = 2.8685e-7;
  const double ripple = radius * std::tan(M_PI / sides) * std::tan(flank);  // m/rad
  const double sagitta = radius * (1 - std::cos(M_PI / sides)) * std::tan(flank);
  double turned = 0, sunk = 0, tilted = 0, speed = 0;  // rad, downwards; m; rad; rad/s

  explicit ScrewedNut(double friction) {
    std::ifstream file(CAROM_SOURCE_DIR "/examples/nut_on_bolt.toml");
    std::string text(std::istreambuf_iterator<char>(file), {});
    const auto replace = [&](const std::string& one, const std::string& other) {
      const std::size_t at = text.find(one);
      ASSERT_NE(at, std::string::npos) << one;
      text.replace(at, one.size(), other);
    };
    replace("friction = 0.02", fmt::format("friction = {}", friction));
    replace("end = \"0.05 s\"", "end = \"0.03 s\"");
    const Outcome outcome = run_text(text, CAROM_SOURCE_DIR "/examples");
    turned = -2 * std::atan2(outcome.last("body:nut.qz"), outcome.last("body:nut.qw"));
    sunk = outcome.recorded.column("body:nut.z").front() - outcome.last("body:nut.z");
    tilted = 2 * std::hypot(outcome.last("body:nut.qx"), outcome.last("body:nut.qy"));
    speed = -outcome.last("body:nut.wz");
    EXPECT_LT(outcome.summary.nonsmooth->largest_penetration, 1e-8);
  }
  // rad, in 0.03 s from rest, on a thread of that slope (m/rad).
  double turned_by(double slope, double friction) const {
    const double drive = slope - friction / std::cos(flank) * radius;
    return 0.5 * mass * 9.81 * drive / (inertia + mass * slope * drive) * 0.03 * 0.03;
  }
};

TEST(Meshes, ANutTurnsDownItsBoltWhereFrictionIsSmall) {
  const ScrewedNut nut(0.02);
  EXPECT_GT(nut.turned, nut.turned_by(nut.lead - nut.ripple, 0.02));
  EXPECT_LT(nut.turned, nut.turned_by(nut.lead + nut.ripple, 0.02));
  EXPECT_GT(nut.speed, 0.1);
  // Down along its thread, after its play: neither jammed nor through it.
  EXPECT_NEAR(nut.sunk, nut.play * std::tan(nut.flank) + nut.lead * nut.turned, 1.1 * nut.sagitta);
  EXPECT_LT(nut.tilted, 1e-4);
}

TEST(Meshes, ANutStaysOnItsBoltWhereFrictionIsLarger) {
  const ScrewedNut nut(0.1);
  EXPECT_LT(nut.turned, 2e-4);
  EXPECT_LT(std::abs(nut.speed), 1e-6);
  EXPECT_NEAR(nut.sunk, nut.play * std::tan(nut.flank), 1.1 * nut.sagitta);
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
