#include "nonsmooth_run.h"

#include "../../support/count_allocations.h"

namespace carom {
namespace {

std::string box(const std::string& place, const std::string& velocity) {
  return "[[body]]\nname = \"box\"\nmass = 2\ninertia = [0.02, 0.03, 0.04]\nposition = " + place +
         "\nvelocity = " + velocity + "\ngeometry = [{ shape = \"box\", size = [0.4, 0.3, 0.2] }]\n";
}

// Gravity leans by the slope instead of the ground.
std::string slope(double angle) {
  return "[model]\ngravity = [" + std::to_string(10 * std::sin(angle)) + ", 0, " +
         std::to_string(-10 * std::cos(angle)) + "]\n";
}

// More points than it takes to stand: the load is shared, its sum is the weight.
TEST(Resting, ABoxStandsOnFourCorners) {
  NonsmoothRun run(
      gravity + flat_floor + box("[0, 0, 0.1]", "[0, 0, 0]") + contact(0, 0.5) + pair("floor", "box", "ground"), 1e-3);
  ASSERT_TRUE(run.until(0.2)) << run.reason;
  EXPECT_NEAR(run.state().q[2], 0.1, 1e-12);
  EXPECT_LE(run.state().v.norm(), 1e-12);
  Eigen::VectorXd none;
  std::vector<double> values;
  run.system->record(run.state(), run.integrator->accelerations(), run.integrator->multipliers(), values);
  double at = 0;
  for (const auto& channel : run.system->channels()) {
    for (const auto& component : channel.components) {
      if (channel.name == "contact:floor" && component.name == "closed_force") {
        EXPECT_NEAR(values[static_cast<std::size_t>(at)], 20, 1e-8);
      }
      if (channel.name == "contact:floor" && component.name == "touching") {
        EXPECT_EQ(values[static_cast<std::size_t>(at)], 4);
      }
      ++at;
    }
  }
}

// True stiction: below the angle of friction nothing creeps, above it the block slides as it should.
TEST(Resting, ABlockOnASlopeSticksOrSlides) {
  const double angle = 0.3;
  for (const double friction : {0.32, 0.30}) {  // tan 0.3 = 0.3093
    NonsmoothRun run(slope(angle) + flat_floor + box("[0, 0, 0.1]", "[0, 0, 0]") + contact(0, friction) +
                         pair("floor", "box", "ground"),
                     1e-2);
    ASSERT_TRUE(run.until(1)) << run.reason;
    const double way = friction > std::tan(angle) ? 0 : 5 * (std::sin(angle) - friction * std::cos(angle));
    EXPECT_NEAR(run.state().q[0], way, 1e-9 + 1e-2 * way) << friction;
    EXPECT_NEAR(run.state().q[2], 0.1, 1e-9);
  }
}

TEST(Resting, ATumblingBoxComesToRestAndNeverGainsEnergy) {
  NonsmoothRun run(gravity + flat_floor +
                       "[[body]]\nname = \"box\"\nmass = 2\ninertia = [0.02, 0.03, 0.04]\nposition = [0, 0, 0.6]\n"
                       "orientation = { axis = [1, 2, 0.5], angle = 0.8 }\nangular_velocity = [2, -1, 3]\n"
                       "geometry = [{ shape = \"box\", size = [0.4, 0.3, 0.2] }]\n" +
                       contact(0.3, 0.4) + pair("floor", "box", "ground"),
                   1e-3);
  double last = run.energy();
  for (int k = 0; k < 60; ++k) {
    ASSERT_TRUE(run.until(run.state().t + 0.05)) << run.reason;
    const double now = run.energy();
    EXPECT_LE(now, last + 1e-4) << run.state().t;  // free flight is of second order in the step
    last = now;
  }
  EXPECT_LE(run.state().v.norm(), 1e-9);
  EXPECT_LE(run.integrator->contact_statistics().largest_penetration, 1e-8);
}

// Projected Gauss–Seidel iterations and Newton's iteration tell the same.
TEST(Resting, BothSolversAgree) {
  const std::string text = gravity + flat_floor + sphere("a", "[0, 0, 0.1]", "[0.3, 0, 0]") +
                           sphere("b", "[0.2, 0, 0.1]", "[0, 0, 0]") + sphere("c", "[0.1, 0.01, 0.3]", "[0, 0.1, 0]") +
                           contact(0, 0.3) + pair("floor", "*", "ground") + pair("balls", "*", "*");
  NonsmoothRun direct(text, 1e-3, "contact_solver = \"direct\"");
  NonsmoothRun swept(text, 1e-3, "contact_solver = \"iterative\"\ncontact_tolerance = 1e-9");
  ASSERT_TRUE(direct.until(0.3)) << direct.reason;
  ASSERT_TRUE(swept.until(0.3)) << swept.reason;
  // 300 steps, each to 1e-9 of what the weight does in it, in the jump and in the start of the smooth motion after it.
  EXPECT_LE((direct.state().q - swept.state().q).norm(), 3e-8);
  EXPECT_LE((direct.state().v - swept.state().v).norm(), 2e-7);
}

// What Gauss–Seidel iterations leave undone makes a heap creep; that is no impact.
TEST(Resting, AHeapAtRestHasNoImpacts) {
  std::string walls;
  for (const auto& [place, axis, angle] : {std::tuple("[-0.5, 0, 0]", "[0, 1, 0]", "90 deg"),
                                           {"[0.5, 0, 0]", "[0, 1, 0]", "-90 deg"},
                                           {"[0, -0.5, 0]", "[1, 0, 0]", "-90 deg"},
                                           {"[0, 0.5, 0]", "[1, 0, 0]", "90 deg"}}) {
    walls += std::string("[[ground.geometry]]\nshape = \"plane\"\nposition = ") + place +
             "\norientation = { axis = " + axis + ", angle = \"" + angle + "\" }\n";
  }
  const std::string grid = "[body.grid]\ncount = [4, 4, 8]\nspacing = [0.22, 0.22, 0.22]\njitter = 0.01\n";
  NonsmoothRun run(gravity + flat_floor + walls + sphere("ball", "[-0.35, -0.35, 0.12]", "[0, 0, 0]") + grid +
                       contact(0, 0.3) + pair("ground", "*", "ground") + pair("balls", "*", "*"),
                   1e-3);
  ASSERT_TRUE(run.until(1.5)) << run.reason;
  EXPECT_GT(run.integrator->impacts().size(), 128u);  // each ball falls
  run.integrator->impacts().clear();
  ASSERT_TRUE(run.until(1.7)) << run.reason;
  // In 200 steps, of some 300 contacts: a few balls still roll into others. One in a thousand; heaps that differ in
  // their start have 4 to 37.
  EXPECT_LE(run.integrator->impacts().size(), 60u);
}

// A ball pressed between two walls that are too close for it: no motion can help, and that is said.
TEST(Resting, ABallBetweenWallsThatAreTooCloseIsReported) {
  const std::string walls =
      "[[ground.geometry]]\nname = \"left\"\nshape = \"plane\"\nposition = [-0.05, 0, 0]\n"
      "orientation = { axis = [0, 1, 0], angle = \"90 deg\" }\n"
      "[[ground.geometry]]\nname = \"right\"\nshape = \"plane\"\nposition = [0.05, 0, 0]\n"
      "orientation = { axis = [0, 1, 0], angle = \"-90 deg\" }\n";
  NonsmoothRun run(
      gravity + walls + sphere("ball", "[0, 0, 0]", "[0, 0, 0]") + contact(0, 0.5) + pair("walls", "ball", "ground"),
      1e-3);
  EXPECT_FALSE(run.until(0.1));
  EXPECT_NE(run.reason.find("contact:walls"), std::string::npos) << run.reason;
}

// In a groove as narrow as this a coefficient above one holds the ball anywhere.
TEST(Resting, ABallSticksInAGrooveWithMuchFriction) {
  const std::string groove =
      "[[ground.geometry]]\nname = \"left\"\nshape = \"plane\"\norientation = { axis = [0, 1, 0], angle = \"60 deg\" "
      "}\n"
      "[[ground.geometry]]\nname = \"right\"\nshape = \"plane\"\norientation = { axis = [0, 1, 0], angle = \"-60 deg\" "
      "}\n";
  NonsmoothRun run("[model]\ngravity = [6, 0, -10]\n" + groove + sphere("ball", "[0, 0, 0.2]", "[0, 0, 0]") +
                       contact(0, 1.5, "rolling_resistance = 0.2\nspinning_resistance = 0.2") +
                       pair("groove", "ball", "ground"),
                   1e-3);
  ASSERT_TRUE(run.until(0.3)) << run.reason;
  EXPECT_NEAR(run.state().q[0], 0, 1e-9);
  EXPECT_NEAR(run.state().q[2], 0.2, 1e-9);
}

// The rod of Painlevé: with much friction no smooth force, and several impulses, can exist. Whatever is found obeys the
// laws, or the run says that it was not found.
TEST(Resting, PainlevesRodDoesNotCrash) {
  for (const double friction : {0.5, 1.5, 3.0}) {
    const std::string text =
        "[model]\nplane = \"xy\"\ngravity = [0, -10]\n[[ground.geometry]]\nshape = \"plane\"\n"
        "[[body]]\nname = \"rod\"\nmass = 1\ninertia = 0.0833\nposition = [0, 0.43301270189]\norientation = \"60 "
        "deg\"\n"
        "velocity = [-2, 0]\ngeometry = [{ shape = \"capsule\", radius = 1e-4, length = 1 }]\n" +
        contact(0, friction) +
        "[[pair]]\nname = \"floor\"\nbodies = [\"rod\", \"ground\"]\ncontact = \"c\"\n"
        "allow_initial_penetration = true\n";
    NonsmoothRun run(text, 1e-3);
    const double before = run.energy();
    if (!run.until(0.5)) {
      EXPECT_FALSE(run.reason.empty());
    } else {
      EXPECT_LE(run.energy(), before + 1e-3);
    }
  }
}

#ifdef CAROM_COUNTS_ALLOCATIONS
TEST(Resting, StepsDoNotAllocate) {
  NonsmoothRun run(gravity + flat_floor + box("[0, 0, 0.1]", "[0.5, 0, 0]") +
                       sphere("ball", "[0, 0, 0.3]", "[0, 0, 0]") + contact(0, 0.2) + pair("floor", "*", "ground") +
                       pair("top", "ball", "box"),
                   1e-3);
  // Room for the largest problem is made when it is met.
  ASSERT_TRUE(run.until(0.5)) << run.reason;
  const std::size_t before = allocations;
  ASSERT_TRUE(run.until(1)) << run.reason;
  EXPECT_EQ(allocations, before);
}
#endif

}  // namespace
}  // namespace carom
