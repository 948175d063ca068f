#include <gmock/gmock.h>

#include <cmath>

#include "../support/temporary_folder.h"
#include "base/problem.h"
#include "model_io/read_model.h"
#include "recording/result_writer.h"
#include "viewing/bearing_polar.h"
#include "viewing/bearing_solids.h"

namespace carom {
namespace {

// A bearing whose axis is that of x, off the origin of its shaft.
Model model_of(const std::string& keys) {
  ProblemList problems;
  Model model = read_model_text(R"(
[material.steel]
young = "207 GPa"
poisson = 0.3
density = 7800

[[body]]
name = "shaft"
mass = 1
inertia = [0.01, 0.01, 0.01]
position = [0, 0, 0.5]
center_of_mass = [0.1, 0, 0]

[[bearing]]
name = "front"
bodies = ["ground", "shaft"]
at = [0.2, 0, 0.5]
axis = [1, 0, 0]
material = "steel"
)" + keys,
                                "bearing.toml", problems);
  EXPECT_TRUE(problems.empty()) << problems.text();
  return model;
}

TEST(BearingPictures, RingsAndBallsStandWhereTheyAre) {
  const Model model = model_of("designation = \"6206\"\nangle = \"30 deg\"\n");
  const DrawnBearing drawn = drawn_bearing(model, model.bearings[0], 48);
  EXPECT_EQ(drawn.body[0], 0);
  EXPECT_EQ(drawn.body[1], 1);
  EXPECT_EQ(drawn.length, 0);
  ASSERT_EQ(drawn.elements.size(), 9u);
  // Azimuths count from y, since the axis lies along x.
  const Eigen::Vector3d middle(0.2, 0, 0.5);
  const double pitch = 0.023, angle = M_PI / 6;
  EXPECT_TRUE(
      (drawn.elements[0].center - middle).isApprox(pitch * Eigen::Vector3d(0, std::cos(angle), std::sin(angle)), 1e-9));
  // 30 mm in the bore, 62 mm outside, 16 mm wide; the inner ring is in the axes of the shaft.
  const Eigen::Vector3d axes[] = {middle, {0.2, 0, 0}};
  for (const int side : {0, 1}) {
    double least = 1, most = 0, width = 0;
    for (const Eigen::Vector3d& point : drawn.ring[side].points) {
      const Eigen::Vector3d from = point - axes[side];
      least = std::min(least, from.tail<2>().norm()), most = std::max(most, from.tail<2>().norm());
      width = std::max(width, 2 * std::abs(from.x()));
    }
    EXPECT_NEAR(side == 0 ? most : least, side == 0 ? 0.031 : 0.015, 1e-9);
    EXPECT_NEAR(width, 0.016, 1e-9);
    // The balls, of 9.4 mm, reach into both grooves.
    EXPECT_LT(side == 0 ? pitch + drawn.radius : -(pitch - drawn.radius), side == 0 ? most : -least);
  }
}

TEST(BearingPictures, TaperedRollersLean) {
  const Model model = model_of("designation = \"30206\"\n");
  const DrawnBearing drawn = drawn_bearing(model, model.bearings[0], 48);
  EXPECT_GT(drawn.length, 0);
  for (const DrawnElement& roller : drawn.elements) EXPECT_NEAR(roller.axis.x(), std::cos(14 * M_PI / 180), 1e-12);
}

TEST(BearingPictures, PolarPlotsShowEveryLoad) {
  const TemporaryFolder folder;
  const Model model = model_of("designation = \"6206\"\n");
  ResultHeader header;
  std::vector<Component> loads;
  for (int k = 1; k <= 9; ++k) loads.push_back({"load" + std::to_string(k), "N", ""});
  header.groups = {{"bearing:front", loads}};
  {
    ResultWriter writer(folder / "r.h5", header);
    std::vector<double> values(9, 0);
    writer.append(0, values);
    values = {900, 500, 0, 0, 0, 0, 0, 0, 500};
    writer.append(1, values);
    writer.finish("{}", "complete");
  }
  const ResultReader result(folder / "r.h5");
  const std::vector<Panel> panels = polar_panels(result, model, {}, 0.9);
  ASSERT_EQ(panels.size(), 1u);
  EXPECT_TRUE(panels[0].equal_axes);
  EXPECT_EQ(panels[0].title, "bearing:front, t = 1 s");
  const Series& ends = panels[0].series.back();
  ASSERT_EQ(ends.x.size(), 9u);
  EXPECT_NEAR(ends.x[0], 900, 1e-9);
  EXPECT_NEAR(std::hypot(ends.x[1], ends.y[1]), 500, 1e-9);
  EXPECT_NEAR(std::atan2(ends.y[1], ends.x[1]), 2 * M_PI / 9, 1e-12);
  EXPECT_EQ(polar_panels(result, model, {"bearing:front"}, 0).size(), 1u);
  EXPECT_THROW(polar_panels(result, model, {"bearing:rear"}, 0), InputError);
}

}  // namespace
}  // namespace carom
