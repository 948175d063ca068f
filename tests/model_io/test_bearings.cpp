#include <gmock/gmock.h>

#include <cmath>

#include "model_io/same_model.h"
#include "model_io/write_model.h"
#include "sample_models.h"

namespace carom {
namespace {

using testing::HasSubstr;

const std::string bearing_model = R"(
[model]
plane = "xy"

[material.steel]
young = "200 GPa"
poisson = 0.3
density = 7800
restitution = 0.9

[[body]]
name = "shaft"
mass = 1
inertia = 1e-4
center_of_mass = [0.01, 0]
position = [0.1, 0.2]
orientation = "90 deg"

[[bearing]]
name = "left"
bodies = ["ground", "shaft"]
at = [0.1, 0.2]
balls = 8
pitch_diameter = "33.49 mm"
ball_diameter = "7.9375 mm"
conformity = [0.52, 0.53]
diametric_clearance = "20 um"
material = "steel"
angle = "-90 deg"
)";

Model read(const std::string& text) {
  ProblemList problems;
  Model model = sample::read(text, problems);
  EXPECT_EQ(problems.text(), "");
  return model;
}

TEST(Bearing, BecomesRacesBallsAndPairs) {
  const Model model = read(bearing_model);
  ASSERT_EQ(model.bearings.size(), 1u);
  const BearingModel& bearing = model.bearings[0];
  EXPECT_NEAR(bearing.inner_radius, 0.01277125, 1e-12);
  EXPECT_NEAR(bearing.outer_radius, 0.02071875, 1e-12);
  EXPECT_NEAR(bearing.clearance(), 1e-5, 1e-15);
  ASSERT_EQ(model.bodies.size(), 9u);
  EXPECT_EQ(model.bodies[1].name, "left-ball1");
  EXPECT_NEAR(model.bodies[1].mass, 0.0020424, 1e-7);  // formulation 8.5
  EXPECT_NEAR(model.bodies[1].inertia(2, 2), 1.2868e-8, 1e-12);
  EXPECT_NEAR((model.bodies[1].position - Eigen::Vector3d(0.1, 0.2 - 0.016745, 0)).norm(), 0, 1e-12);
  ASSERT_EQ(model.ground.geometry.size(), 1u);
  EXPECT_EQ(model.ground.geometry[0].shape, "outer_race");
  EXPECT_NEAR(model.ground.geometry[0].settings.number("groove_radius"), 0.53 * 0.0079375, 1e-15);
  EXPECT_NEAR((model.ground.geometry[0].position - Eigen::Vector3d(0.1, 0.2, 0)).norm(), 0, 1e-15);
  ASSERT_EQ(model.bodies[0].geometry.size(), 1u);
  EXPECT_EQ(model.bodies[0].geometry[0].name, "left-inner");
  EXPECT_NEAR(model.bodies[0].geometry[0].position.norm(), 0, 1e-15);
  // Each ball with both races and, without a cage, with its neighbour.
  EXPECT_EQ(model.pairs.size(), 24u);
  EXPECT_TRUE(model.forces.empty());
}

TEST(Bearing, WithASpringCageHasSpringsWithoutForce) {
  const Model model = read(bearing_model + "\n[bearing.cage]\ntype = \"springs\"\nstiffness = 1e8\ndamping = 10\n");
  EXPECT_EQ(model.pairs.size(), 16u);
  ASSERT_EQ(model.forces.size(), 8u);
  for (const ElementModel& spring : model.forces) {
    EXPECT_EQ(spring.type, "spring");
    EXPECT_EQ(spring.settings.number("damping"), 10);
    const auto ends = spring.settings.names("bodies");
    Eigen::Vector3d apart = Eigen::Vector3d::Zero();
    for (const BodyModel& body : model.bodies) {
      if (body.name == ends[0]) apart -= body.position;
      if (body.name == ends[1]) apart += body.position;
    }
    EXPECT_NEAR(apart.norm(), spring.settings.number("free_length"), 1e-12);
  }
}

TEST(Bearing, WithARigidCageHasAPocketForEveryBall) {
  const Model model = read(bearing_model +
                           "\n[bearing.cage]\ntype = \"rigid\"\npocket_clearance = \"0.1 mm\"\nmass = 0.01\n"
                           "inertia = 1e-6\n");
  EXPECT_EQ(model.pairs.size(), 24u);
  const BodyModel& cage = model.bodies[model.bearings[0].cage - 1];
  EXPECT_EQ(cage.name, "left-cage");
  ASSERT_EQ(cage.geometry.size(), 8u);
  for (int k = 0; k < 8; ++k) {
    EXPECT_EQ(cage.geometry[k].shape, "cavity");
    EXPECT_NEAR((cage.position + cage.geometry[k].position - model.bodies[1 + k].position).norm(), 0, 1e-12);
  }
}

TEST(Bearing, OnAFlexibleBodySitsOnTheNearestNode) {
  std::string text = bearing_model;
  text.replace(text.find("[[body]]"), text.find("[[bearing]]") - text.find("[[body]]"), R"(
[section.round]
shape = "circle"
diameter = "20 mm"

[[beam]]
name = "shaft"
points = [[0, 0.2], [0.2, 0.2]]
section = "round"
material = "steel"
elements = 4

)");
  const Model model = read(text + "[solver]\nintegrator = \"generalized-alpha\"\n");
  const auto bodies = model.bearings[0].element.settings.names("bodies");
  EXPECT_EQ(bodies[1], "shaft-2");
  EXPECT_EQ(model.bodies[2].geometry.size(), 1u);
  EXPECT_EQ(model.pairs[1].bodies[0], "shaft-2");
}

// It is written as it was said and becomes the same parts again.
TEST(Bearing, IsWrittenAsItWasSaid) {
  const Model model = read(bearing_model + "\n[bearing.cage]\ntype = \"springs\"\nstiffness = 1e8\n");
  const Model again = read(write_model(model));
  EXPECT_TRUE(same_model(model, again));
  EXPECT_EQ(again.bearings.size(), 1u);
  EXPECT_EQ(again.bodies.size(), model.bodies.size());
  EXPECT_EQ(again.pairs.size(), model.pairs.size());
  EXPECT_EQ(again.forces.size(), model.forces.size());
  EXPECT_EQ(again.bodies[0].geometry[0].shape, "inner_race");
}

// What is wrong with one of its pairs is reported of the bearing, once.
TEST(Bearing, TellsWhatItsContactsLack) {
  std::string text = bearing_model;
  text.erase(text.find("restitution = 0.9\n"), 18);
  ProblemList problems;
  sample::read(text, problems);
  EXPECT_EQ(problems.errors(), 1u);
  EXPECT_THAT(problems.text(), HasSubstr("bearing.left: found no restitution"));
}

}  // namespace
}  // namespace carom
