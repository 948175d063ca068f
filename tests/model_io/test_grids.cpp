#include <gmock/gmock.h>

#include <chrono>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "sample_models.h"

// Copies of a body on a lattice and links of a chain: [body.grid].
namespace carom {
namespace {

using std::numbers::pi;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

const std::string spheres = R"toml([[body]]
name = "ball"
mass = 0.5
inertia = [1, 1, 1]
position = [-0.495, -0.495, 0.35]
velocity = [0, 0, -1]
[[body.marker]]
name = "top"
[[body.geometry]]
shape = "sphere"
radius = 0.05
[body.grid]
count = [10, 10, 10]
spacing = ["110 mm", 0.11, 0.11]
jitter = "2 mm"

[[body]]
name = "lid"
mass = 1
inertia = [1, 1, 1]

[[joint]]
name = "hinge"
type = "fixed"
markers = ["ball1000.top", "lid.top"]
)toml";

TEST(Grids, GridMakesCopies) {
  ProblemList problems;
  const Model model = sample::read(spheres, problems);
  ASSERT_EQ(problems.text(),
            "model.toml:25:28: error: joint.hinge.markers: found \"lid.top\"; expected a body with "
            "markers\n");  // the markers of the copy are there
  ASSERT_EQ(model.bodies.size(), 1001u);
  std::uint64_t s = 12345;
  const auto displacement = [&s] {
    s = s * 6364136223846793005u + 1442695040888963407u;
    return 0.002 * (2 * (static_cast<double>(s >> 11) * 0x1p-53) - 1);
  };
  double energy = 0;
  for (int q = 0; q < 1000; ++q) {
    const BodyModel& ball = model.bodies[static_cast<std::size_t>(q)];
    const double dx = displacement(), dy = displacement(), dz = displacement();
    const int column = q % 10, row = q / 10 % 10, layer = q / 100;
    const Eigen::Vector3d place(-0.55 + (column + 0.5) * 0.11 + dx, -0.55 + (row + 0.5) * 0.11 + dy,
                                0.35 + layer * 0.11 + dz);
    EXPECT_NEAR((ball.position - place).norm(), 0, 1e-15) << q;
    EXPECT_EQ(ball.name, "ball" + std::to_string(q + 1));
    EXPECT_EQ(ball.grid, "ball");
    EXPECT_EQ(ball.where.line, 1);
    EXPECT_EQ(ball.geometry.size(), 1u);
    EXPECT_EQ(ball.velocity, Eigen::Vector3d(0, 0, -1));
    energy += 4.0 / 3 * pi * std::pow(0.05, 3) * 1000 * 9.81 * ball.position.z();
  }
  EXPECT_NEAR(energy, 4340.53, 0.005);  // as published with the scene
  EXPECT_EQ(model.bodies[1000].name, "lid");
  EXPECT_EQ(model.bodies[1000].grid, "");
}

TEST(Grids, GridInThePlaneTakesTheFirstPlaces) {
  const std::string head =
      "[model]\nplane = \"xy\"\n[[body]]\nname = \"disc\"\nmass = 1\ninertia = 1\nposition = [1, 2]\n";
  ProblemList problems;
  const Model regular = sample::read(head + "[body.grid]\ncount = [2, 3]\nspacing = [0.5, -1]\ntotal = 5\n", problems);
  ASSERT_EQ(problems.text(), "");
  std::vector<Eigen::Vector3d> places;
  for (const BodyModel& body : regular.bodies) places.push_back(body.position);
  EXPECT_THAT(places, ElementsAre(Eigen::Vector3d(1, 2, 0), Eigen::Vector3d(1.5, 2, 0), Eigen::Vector3d(1, 1, 0),
                                  Eigen::Vector3d(1.5, 1, 0), Eigen::Vector3d(1, 0, 0)));
  const std::string shaken = head + "[body.grid]\ncount = [2, 3]\nspacing = [0.5, -1]\njitter = 0.1\nseed = ";
  const Model one = sample::read(shaken + "1", problems), again = sample::read(shaken + "1", problems),
              other = sample::read(shaken + "2", problems);
  ASSERT_EQ(problems.text(), "");
  for (std::size_t k = 0; k < one.bodies.size(); ++k) {
    EXPECT_EQ(one.bodies[k].position, again.bodies[k].position);
    EXPECT_NE(one.bodies[k].position, other.bodies[k].position);
    EXPECT_EQ(one.bodies[k].position.z(), 0);
    if (k < places.size()) {
      EXPECT_LE((one.bodies[k].position - places[k]).cwiseAbs().maxCoeff(), 0.1);
    }
  }
}

TEST(Grids, ChainsHaveTheirPitchAndJoints) {
  const std::string text =
      "[model]\nplane = \"xy\"\n[[body]]\nname = \"link\"\nmass = 1\ninertia = 1\n[body.grid]\n"
      "points = [[-1, -3], [0, 0], [1, -3]]\nradii = [0, -1, 0]\npitch = 0.25\njoint = \"revolute\"\n";
  ProblemList problems;
  const Model model = sample::read(text, problems);
  ASSERT_EQ(problems.text(), "");
  // Two straight strands of 3 m and half a turn, by chords.
  const double way = 6 + M_PI, turn = 2 * std::asin(0.125);
  const auto links = static_cast<double>(model.bodies.size());
  EXPECT_EQ(links, std::floor(24 + M_PI / turn));
  EXPECT_LT(links * 0.25, way);
  ASSERT_EQ(model.joints.size(), model.bodies.size() - 1);
  const auto end_of = [](const BodyModel& link, double side) -> Eigen::Vector3d {
    return link.position + side * 0.125 * Eigen::Vector3d(std::cos(link.angle), std::sin(link.angle), 0);
  };
  for (std::size_t k = 0; k + 1 < model.bodies.size(); ++k) {
    const Eigen::Vector3d joint = end_of(model.bodies[k], 1);
    EXPECT_NEAR((end_of(model.bodies[k + 1], -1) - joint).norm(), 0, 1e-12) << k;
    EXPECT_EQ(model.joints[k].name, fmt::format("link{}-link{}", k + 1, k + 2));
    EXPECT_EQ(model.joints[k].type, "revolute");
    if (joint.y() > 0) {
      EXPECT_NEAR(joint.norm(), 1, 1e-12) << k;
    } else {
      EXPECT_NEAR(std::abs(joint.x()), 1, 1e-12) << k;
    }
  }
  EXPECT_NEAR((end_of(model.bodies[0], -1) - Eigen::Vector3d(-1, -3, 0)).norm(), 0, 1e-12);
}

TEST(Grids, NeighboursOfALatticeAreJoined) {
  const std::string text =
      "[[body]]\nname = \"ball\"\nmass = 1\ninertia = [1, 1, 1]\n[body.grid]\ncount = [3, 2, 1]\n"
      "spacing = [1, 2, 1]\njoint = \"spherical\"\n";
  ProblemList problems;
  const Model model = sample::read(text, problems);
  ASSERT_EQ(problems.text(), "");
  std::vector<std::string> names;
  for (const ElementModel& joint : model.joints) names.push_back(joint.name);
  EXPECT_THAT(names, UnorderedElementsAre("ball1-ball2", "ball2-ball3", "ball4-ball5", "ball5-ball6", "ball1-ball4",
                                          "ball2-ball5", "ball3-ball6"));
}

TEST(Grids, FewOfCountlessPlacesAreRefused) {
  ProblemList problems;
  read_model_text(
      "[[body]]\nname = \"a\"\nmass = 1\ninertia = [1, 1, 1]\n[body.grid]\ncount = [2, 2, 1e308]\n"
      "spacing = [1, 1, 1e-300]\ntotal = 10\n[solver]\nend = 1\n",
      "model.toml", problems);
  EXPECT_THAT(problems.text(), HasSubstr("found 1e+308 places along z; expected at most 1000000"));
}

TEST(Grids, ChainsWithoutAWayAreRefused) {
  const auto refused = [](const std::string& grid) {
    ProblemList problems;
    sample::read("[model]\nplane = \"xy\"\n[[body]]\nname = \"link\"\nmass = 1\ninertia = 1\n[body.grid]\n" + grid,
                 problems);
    return problems.text();
  };
  EXPECT_THAT(refused("points = [[0, 0], [1, 0]]\n"), HasSubstr("add the key `pitch`"));
  EXPECT_THAT(refused("points = [[0, 0]]\npitch = 0.1\n"), HasSubstr("give two or more"));
  EXPECT_THAT(refused("points = [[0, 0], [1, 0]]\npitch = 2\n"), HasSubstr("make the way longer"));
  EXPECT_THAT(refused("points = [[0, 0], [0, 0]]\npitch = 2\n"), HasSubstr("leave one out"));
  EXPECT_THAT(refused("points = [[0, 0], [1, 0]]\npitch = 0.1\ntotal = 11\n"), HasSubstr("at most 10"));
  EXPECT_THAT(refused("points = [[0, 0], [1, 0]]\nradii = [0, 1]\npitch = 0.1\n"), HasSubstr("must be 0"));
  EXPECT_THAT(refused("points = [[0, 0], [1, 0], [2, 0]]\nradii = [0, 3, 0]\npitch = 0.1\n"),
              HasSubstr("no straight way touches"));
  EXPECT_THAT(refused("points = [[0, 0], [1, 0]]\npitch = 1e-9\n"), HasSubstr("copies"));
  EXPECT_THAT(refused("points = [[0, -1], [1e306, 0], [0, 1]]\nradii = [0, 1e305, 0]\npitch = 0.1\ntotal = 5\n"),
              HasSubstr("check the units"));
  EXPECT_THAT(refused("points = [[1e8, 0], [100000001, 0]]\npitch = 0.01\ntotal = 5\n"), HasSubstr("check the units"));
  EXPECT_THAT(refused("points = [[0, 0], [1, 0]]\npitch = 0.1\ncount = [2, 1]\n"), HasSubstr("one of them"));
  EXPECT_THAT(refused("points = [[0, 0], [1, 0]]\npitch = 0.1\njoint = \"spherical\"\n"), HasSubstr("revolute"));
  EXPECT_THAT(refused("pitch = 0.1\n"), HasSubstr("`points`"));
}

TEST(Grids, GridOfTenThousandTakesNoTime) {
  std::string text = spheres.substr(0, spheres.find("[[joint]]"));
  text.replace(text.find("[10, 10, 10]"), 12, "[25, 20, 20]");
  text += "[contact.c]\nrestitution = 0\n[[pair]]\nname = \"p\"\nbodies = [\"ball*\", \"*\"]\ncontact = \"c\"\n";
  text += "[solver]\nmethod = \"nonsmooth\"\n";
  const auto begin = std::chrono::steady_clock::now();
  ProblemList problems;
  EXPECT_EQ(sample::read(text, problems).bodies.size(), 10001u);
  EXPECT_EQ(problems.text(), "");
  // A hundredth of this on an idle machine; what grows with the square takes minutes.
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(4));
}

}  // namespace
}  // namespace carom
