#include <gmock/gmock.h>

#include "model_io/write_model.h"
#include "sample_models.h"

namespace carom {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// A spatial model of one body, whose table goes on with these lines.
Model read_body(const std::string& lines, ProblemList& problems, const std::string& head = "") {
  return sample::read("[model]\nname = \"m\"\n" + head +
                          "\n[material.steel]\ndensity = 7800\n[material.rubber]\n"
                          "density = 1100\n[material.bare]\nyoung = 1e9\n[[body]]\nname = \"part\"\n" +
                          lines,
                      problems);
}
Model sound_body(const std::string& lines, const std::string& head = "") {
  ProblemList problems;
  Model model = read_body(lines, problems, head);
  EXPECT_EQ(problems.text(), "");
  return model;
}
std::string problems_of(const std::string& lines, const std::string& head = "") {
  ProblemList problems;
  read_body(lines, problems, head);
  return problems.text();
}

const std::string plane = "plane = \"xy\"";
const std::string ball = "[[body.geometry]]\nname = \"ball\"\nshape = \"sphere\"\nradius = 0.1\n";

TEST(MassFromShapes, FollowsFromTheDensityOfTheBody) {
  const BodyModel body = sound_body("density = 2000\n" + ball).bodies[0];
  const double mass = 2000 * 4 * M_PI / 3 * 1e-3;
  EXPECT_NEAR(body.mass / mass, 1, 1e-14);
  EXPECT_NEAR(body.inertia(0, 0) / (0.4 * mass * 0.01), 1, 1e-13);
  EXPECT_LT(body.center_of_mass.norm(), 1e-16);
}

// A dumb-bell of a steel and a rubber ball on a turned rod, by the theorem of parallel axes.
TEST(MassFromShapes, AddsUpShapesOfDifferentMaterials) {
  const BodyModel body =
      sound_body(
          "[[body.geometry]]\nshape = \"sphere\"\nradius = 0.1\nposition = [0.5, 0, 0.2]\nmaterial = \"steel\"\n"
          "[[body.geometry]]\nshape = \"sphere\"\nradius = 0.2\nposition = [-0.5, 0, 0.2]\nmaterial = \"rubber\"\n"
          "[[body.geometry]]\nshape = \"cylinder\"\nradius = 0.02\nlength = 0.6\nposition = [0, 0, 0.2]\n"
          "orientation = { axis = [0, 1, 0], angle = \"90 deg\" }\ndensity = 3000\n")
          .bodies[0];
  const double one = 7800 * 4 * M_PI / 3 * 1e-3, two = 1100 * 4 * M_PI / 3 * 8e-3, rod = 3000 * M_PI * 4e-4 * 0.6;
  const double mass = one + two + rod, x = (0.5 * one - 0.5 * two) / mass;
  EXPECT_NEAR(body.mass / mass, 1, 1e-13);
  EXPECT_LT((body.center_of_mass - Eigen::Vector3d(x, 0, 0.2)).norm(), 1e-14);
  const double along = 0.4 * one * 0.01 + 0.4 * two * 0.04 + rod * 4e-4 / 2;
  const double across = 0.4 * one * 0.01 + 0.4 * two * 0.04 + rod * (4e-4 / 4 + 0.36 / 12) +
                        one * std::pow(0.5 - x, 2) + two * std::pow(0.5 + x, 2) + rod * x * x;
  EXPECT_NEAR(body.inertia(0, 0) / along, 1, 1e-12);
  EXPECT_NEAR(body.inertia(1, 1) / across, 1, 1e-12);
  EXPECT_NEAR(body.inertia(2, 2) / across, 1, 1e-12);
  EXPECT_LT(std::abs(body.inertia(0, 1)) + std::abs(body.inertia(0, 2)), 1e-14);
}

TEST(MassFromShapes, TakesAHoleAway) {
  const BodyModel body = sound_body(
                             "density = 1000\n[[body.geometry]]\nshape = \"cylinder\"\nradius = 0.1\nlength = 0.05\n"
                             "[[body.geometry]]\nshape = \"bore\"\nradius = 0.04\nlength = 0.05\n")
                             .bodies[0];
  const double mass = 1000 * M_PI * (0.01 - 0.0016) * 0.05;
  EXPECT_NEAR(body.mass / mass, 1, 1e-13);
  EXPECT_NEAR(body.inertia(2, 2) / (mass * (0.01 + 0.0016) / 2), 1, 1e-13);
}

TEST(MassFromShapes, ReportsAHoleThatReachesOutOfTheMaterial) {
  EXPECT_THAT(
      problems_of("density = 1000\n[[body.geometry]]\nshape = \"cylinder\"\nradius = 0.1\nlength = 0.05\n"
                  "[[body.geometry]]\nname = \"hole\"\nshape = \"bore\"\nradius = 0.04\nlength = 0.1\n"),
      AllOf(HasSubstr("warning: body.part.geometry.hole.density: found `hole`, a hole of which about 50 % lies"),
            HasSubstr("not taken away")));
}

TEST(MassFromShapes, ReportsShapesThatOverlap) {
  const std::string two = "[[body.geometry]]\nname = \"block\"\nshape = \"box\"\nsize = [0.4, 0.4, 0.4]\n";
  EXPECT_THAT(problems_of("density = 1000\n" + ball + two + "position = [0.2, 0, 0]\n"),
              HasSubstr("found `ball` with about 51 % of its volume in `block`"));
  EXPECT_THAT(problems_of("density = 1000\n" + ball + two), HasSubstr("found `ball` with about 100 % of its volume"));
  EXPECT_EQ(problems_of("density = 1000\n" + ball + two + "position = [0.3, 0, 0]\n"), "");
  EXPECT_EQ(problems_of("density = 1000\n" + ball + two + "position = [0.2, 0, 0]\ndensity = 0\n"), "");
}

TEST(MassFromShapes, OfPlanarShapesByTheirThickness) {
  const std::string disc = "[[body.geometry]]\nshape = \"sphere\"\nradius = 0.1\nposition = [0.3, 0]\n";
  const BodyModel body = sound_body("density = 1000\nthickness = \"20 mm\"\n" + disc +
                                        "[[body.geometry]]\nshape = \"box\"\nsize = [0.2, 0.1, 0.05]\n",
                                    plane)
                             .bodies[0];
  const double round = 1000 * M_PI * 0.01 * 0.02, box = 1000 * 0.2 * 0.1 * 0.05, x = 0.3 * round / (round + box);
  EXPECT_NEAR(body.mass / (round + box), 1, 1e-13);
  EXPECT_NEAR(body.center_of_mass.x(), x, 1e-14);
  const double inertia = round * (0.005 + std::pow(0.3 - x, 2)) + box * (0.05 / 12 + x * x);
  EXPECT_NEAR(body.inertia(2, 2) / inertia, 1, 1e-13);
  EXPECT_THAT(problems_of("density = 1000\n" + disc, plane),
              HasSubstr("geometry[1].thickness: found nothing; expected a thickness"));
}

TEST(MassFromShapes, WhatIsGivenWinsAndIsReported) {
  ProblemList problems;
  const BodyModel body =
      read_body("mass = 3\ndensity = 2000\ncenter_of_mass = [0, 0, 0.01]\n" + ball, problems).bodies[0];
  EXPECT_EQ(body.mass, 3);
  EXPECT_EQ(body.center_of_mass, Eigen::Vector3d(0, 0, 0.01));
  EXPECT_NEAR(body.inertia(0, 0), 0.4 * 3 * 0.01, 1e-15);  // of the shapes, with the mass given
  EXPECT_THAT(problems.text(), AllOf(HasSubstr("warning: body.part.mass: found a mass beside a density"),
                                     HasSubstr("warning: body.part.center_of_mass: found a mass centre beside")));
  EXPECT_THAT(problems_of("mass = 3\ninertia = [1, 1, 1]\ndensity = 2000\n" + ball),
              HasSubstr("warning: body.part.density: found a density beside `mass` and `inertia`"));
  // A density of a material alone changes nothing where the mass is given.
  EXPECT_EQ(problems_of("mass = 3\ninertia = [1, 1, 1]\n" + ball + "material = \"steel\"\n"), "");
}

TEST(MassFromShapes, ReportsWhatIsMissing) {
  EXPECT_THAT(problems_of(ball),
              AllOf(HasSubstr("body.part.mass: found nothing; expected a quantity in kg, > 0; add the "
                              "key `mass`, or `density`"),
                    HasSubstr("body.part.inertia: found nothing")));
  EXPECT_THAT(problems_of(""), AllOf(HasSubstr("add the key `mass`\n"), Not(HasSubstr("density"))));
  EXPECT_THAT(problems_of("density = 1000\n"), HasSubstr("body.part.density: found a density without shapes"));
  EXPECT_THAT(problems_of(ball + "material = \"steel\"\n[[body.geometry]]\nshape = \"box\"\nsize = [1, 1, 1]\n"
                                 "position = [3, 0, 0]\nmaterial = \"bare\"\n"),
              HasSubstr("body.part.geometry[2].density: found nothing; expected a density of every shape"));
  EXPECT_THAT(problems_of("density = 1000\n[[body.geometry]]\nshape = \"plane\"\n"),
              HasSubstr("body.part.mass: found shapes with a mass of 0 kg"));
  // One mistake, one report.
  EXPECT_THAT(problems_of("density = 1000\n[[body.geometry]]\nshape = \"sphere\"\n"),
              AllOf(HasSubstr("add the key `radius`"), Not(HasSubstr("a mass of"))));
}

TEST(MassFromShapes, IsWrittenAsSaid) {
  for (const std::string& lines : {"density = 2000\n" + ball, ball + "material = \"steel\"\n",
                                   "density = 900\n" + ball + "density = 12\nposition = [0.1, 0.2, 0.3]\n"}) {
    const Model model = sound_body(lines);
    ProblemList problems;
    const std::string written = write_model(model, &problems);
    EXPECT_THAT(written, AllOf(Not(HasSubstr("mass =")), Not(HasSubstr("inertia")), HasSubstr("density")));
    const Model again = sample::read(written, problems);
    EXPECT_EQ(problems.text(), "");
    EXPECT_EQ(again.bodies[0].mass, model.bodies[0].mass);
    EXPECT_EQ(again.bodies[0].inertia, model.bodies[0].inertia);
    EXPECT_EQ(again.bodies[0].center_of_mass, model.bodies[0].center_of_mass);
    EXPECT_EQ(write_model(again), written);
  }
}

TEST(MassFromShapes, HoldsForEveryCopyOfAGrid) {
  const Model model = sound_body("density = 2000\n[body.grid]\ncount = [3, 2, 1]\nspacing = [1, 1, 1]\n" + ball);
  ASSERT_EQ(model.bodies.size(), 6);
  for (const BodyModel& body : model.bodies) EXPECT_NEAR(body.mass, 2000 * 4 * M_PI / 3 * 1e-3, 1e-12);
}

}  // namespace
}  // namespace carom
