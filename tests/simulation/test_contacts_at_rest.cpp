#include <gmock/gmock.h>

#include "model_io/read_model.h"
#include "run_scene.h"

// Equilibria and vibrations of bodies that lie on each other: contacts act by their elastic force.
namespace carom {
namespace {

using scene::Folder;
using scene::into;

constexpr double mass = 2, stiffness = 1e8, gravity = 9.81;

Model ball_on_floor(const std::string& analysis, double height, const std::string& law) {
  const std::string text = R"(
[model]
gravity = [0, 0, -9.81]
[contact.floor]
stiffness = 1e8
)" + law + R"(
[ground]
geometry = [{ shape = "plane" }]
[[body]]
name = "ball"
mass = 2
inertia = [2e-3, 2e-3, 2e-3]
position = [0.3, 0.1, )" + std::to_string(height) +
                           R"(]
geometry = [{ shape = "sphere", radius = 0.05 }]
[[pair]]
name = "floor"
bodies = ["ground", "ball"]
contact = "floor"
[solver]
analysis = ")" + analysis + R"("
)";
  ProblemList problems;
  Model model = read_model_text(text, "ball.toml", problems);
  EXPECT_EQ(problems.errors(), 0u) << problems.text();
  return model;
}

TEST(ContactsAtRest, BallSinksIntoTheFloorUntilItIsCarried) {
  const double depth = std::pow(mass * gravity / stiffness, 2.0 / 3);
  for (const std::string law :
       {"law = \"hertz\"", "restitution = 0.5\nfriction = 0.3", "law = \"goldsmith\"\nrestitution = 0.7",
        "law = \"adams\"\nexponent = 1.5\ndamping = 100\ndepth = 1e-5"}) {
    // From above and from far below.
    for (const double start : {0.06, 0.049}) {
      const Folder folder;
      const RunSummary summary = run(ball_on_floor("static", start, law), into(folder / "rest.h5"));
      ASSERT_EQ(summary.status, RunStatus::complete) << law << ": " << summary.reason;
      EXPECT_EQ(summary.verdict, "neutral");  // it may roll
      const ResultReader result(folder / "rest.h5");
      EXPECT_NEAR((0.05 - result.column("body:ball.z").back()) / depth, 1, 1e-8) << law << " from " << start;
      EXPECT_NEAR(result.column("contact:floor.normal_force").back(), mass * gravity, 1e-6);
      EXPECT_EQ(result.column("contact:floor.touching").back(), 1);
      // Goldsmith's law gives back e² of it only.
      const double kept = law.find("goldsmith") == std::string::npos ? 1 : 0.49;
      EXPECT_NEAR(result.column("energy.contact").back(), kept * 0.4 * stiffness * std::pow(depth, 2.5), 1e-11);
    }
  }
}

TEST(ContactsAtRest, BallVibratesOnItsContact) {
  const double depth = std::pow(mass * gravity / stiffness, 2.0 / 3);
  Model model = ball_on_floor("linear", 0.05, "restitution = 0.5\nfriction = 0.3");
  model.bodies[0].position.z() = 0.05 - depth;
  const RunSummary summary = run(model);
  EXPECT_THAT(summary.warnings, testing::Not(testing::Contains(testing::HasSubstr("not an equilibrium"))));
  ASSERT_EQ(summary.modes.size(), 6u);
  const double frequency = std::sqrt(1.5 * stiffness * std::sqrt(depth) / mass) / (2 * M_PI);
  EXPECT_NEAR(summary.modes.back().frequency / frequency, 1, 1e-6);
  EXPECT_NEAR(summary.modes.back().damping_ratio, 0, 1e-9);
  for (int k = 0; k < 5; ++k) EXPECT_EQ(summary.modes[k].frequency, 0);
}

TEST(ContactsAtRest, BlockWithPlayLiesOnTheFloorOfItsGuide) {
  ProblemList problems;
  const Model model = read_model_text(R"(
[model]
gravity = [0, 0, -9.81]
[contact.dry]
law = "hertz"
stiffness = 1e8
[[body]]
name = "block"
mass = 2
inertia = [1e-3, 1e-3, 1e-3]
[[joint]]
name = "guide"
type = "prismatic"
bodies = ["ground", "block"]
at = [0, 0, 0]
axis = [1, 0, 0]
clearance = { diametric = "0.2 mm", bearing_diameter = "20 mm", bearing_height = "30 mm", length = "40 mm", contact = "dry" }
[solver]
analysis = "static"
)",
                                      "guide.toml", problems);
  ASSERT_EQ(problems.errors(), 0u) << problems.text();
  const Folder folder;
  const RunSummary summary = run(model, into(folder / "rest.h5"));
  ASSERT_EQ(summary.status, RunStatus::complete) << summary.reason;
  const ResultReader result(folder / "rest.h5");
  const double depth = std::pow(mass * gravity / 4 / stiffness, 2.0 / 3);
  EXPECT_NEAR(result.column("body:block.z").back(), -1e-4 - depth, 1e-8 * depth);
  EXPECT_EQ(result.column("joint:guide.touching").back(), 4);
}

}  // namespace
}  // namespace carom
