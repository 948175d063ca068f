#include "nonsmooth_run.h"

namespace carom {
namespace {

// A row of touching balls along x, the first of which comes with 1 m/s.
std::string row_of_balls(int count, double restitution, double friction = 0) {
  std::string text = "[model]\n";
  for (int k = 0; k < count; ++k) {
    const double x = k == 0 ? -0.05 : 0.2 * k;
    text += sphere("b" + std::to_string(k), "[" + std::to_string(x) + ", 0, 0]", k == 0 ? "[1, 0, 0]" : "[0, 0, 0]");
  }
  return text + contact(restitution, friction) + pair("balls", "*", "*");
}

TEST(Impacts, PassAlongARowOfBalls) {
  for (const int count : {2, 3, 5, 30}) {
    NonsmoothRun run(row_of_balls(count, 1), 1e-3);
    ASSERT_TRUE(run.until(0.4)) << run.reason;
    for (int k = 0; k < count; ++k) EXPECT_NEAR(run.state().v[6 * k], k + 1 == count ? 1 : 0, 1e-12) << k;
    EXPECT_EQ(run.integrator->contact_statistics().most_problems, count - 1);
    EXPECT_LE(run.integrator->contact_statistics().energy_gain, 1e-14);
  }
}

// Newton's law for all contacts together: known to be wrong, kept for comparison.
TEST(Impacts, AllAtOnceSplitTheMomentumDifferently) {
  NonsmoothRun run(row_of_balls(3, 1), 1e-3, "impacts = \"simultaneous\"");
  ASSERT_TRUE(run.until(0.4)) << run.reason;
  EXPECT_NEAR(run.state().v[0], -1.0 / 3, 1e-12);
  EXPECT_NEAR(run.state().v[6], 2.0 / 3, 1e-12);
  EXPECT_NEAR(run.state().v[12], 2.0 / 3, 1e-12);
}

TEST(Impacts, LoseWhatRestitutionSays) {
  NonsmoothRun run(row_of_balls(2, 0.6), 1e-3);
  ASSERT_TRUE(run.until(0.4)) << run.reason;
  EXPECT_NEAR(run.state().v[0], 0.2, 1e-12);
  EXPECT_NEAR(run.state().v[6], 0.8, 1e-12);
  ASSERT_EQ(run.integrator->impacts().size(), 1u);
  const ImpactEvent& event = run.integrator->impacts()[0];
  EXPECT_NEAR(event.approach_speed, 1, 1e-12);
  EXPECT_NEAR(event.separation_speed, 0.6, 1e-12);
  EXPECT_NEAR(event.normal_impulse, 0.8, 1e-12);
  EXPECT_NEAR(event.t, 0.05, 1.1e-3);
}

TEST(Impacts, OfTangentialRestitutionReverseTheSlip) {
  const std::string text = gravity + flat_floor + sphere("ball", "[0, 0, 0.2]", "[3, 0, 0]") +
                           contact(0.9, 10, "tangential_restitution = 0.8") + pair("floor", "ball", "ground");
  NonsmoothRun run(text, 1e-4);
  while (run.integrator->impacts().empty() && run.state().t < 1) run.until(run.state().t + 1e-4);
  // Slip of the lowest point, v + ω × (0, 0, −r), spin in world axes: the ball may be turned.
  Eigen::Quaterniond turn(run.state().q[3], run.state().q[4], run.state().q[5], run.state().q[6]);
  const Eigen::Vector3d angular_velocity = turn.normalized() * run.state().v.segment<3>(3);
  const Eigen::Vector3d slip = run.state().v.head<3>() + angular_velocity.cross(Eigen::Vector3d(0, 0, -0.1));
  EXPECT_NEAR(slip.x(), -0.8 * 3, 1e-9);
}

TEST(Impacts, ComeToAnEndAndTheBallRests) {
  const std::string text = gravity + flat_floor + sphere("ball", "[0, 0, 1.1]", "[0, 0, 0]") + contact(0.8, 0) +
                           pair("floor", "ball", "ground");
  NonsmoothRun run(text, 1e-3);
  const double rest = std::sqrt(0.2) * (1 + 0.8) / (1 - 0.8);
  ASSERT_TRUE(run.until(rest - 0.1)) << run.reason;
  EXPECT_GT(std::abs(run.state().v[2]) + run.state().q[2] - 0.1, 1e-3);
  ASSERT_TRUE(run.until(rest + 0.2)) << run.reason;
  const std::size_t impacts = run.integrator->impacts().size();
  for (int k = 0; k < 100; ++k) {
    ASSERT_TRUE(run.until(run.state().t + 1e-3));
    EXPECT_EQ(run.state().v[2], 0) << "chatters";
    EXPECT_NEAR(run.state().q[2], 0.1, 1e-10);
  }
  EXPECT_EQ(run.integrator->impacts().size(), impacts);
}

TEST(Impacts, OfMoreauAndJeanPenetrateAndThoseOfTheDecoupledSchemeDoNot) {
  const std::string text = gravity + flat_floor + sphere("ball", "[0, 0, 0.6]", "[0, 0, 0]") + contact(0.5, 0) +
                           pair("floor", "ball", "ground");
  const auto deepest = [&](const std::string& scheme) {
    NonsmoothRun run(text, 1e-2, "scheme = \"" + scheme + "\"");
    double lowest = 1;
    for (int k = 0; k < 100; ++k) {
      EXPECT_TRUE(run.until(run.state().t + 1e-2)) << run.reason;
      lowest = std::min(lowest, run.state().q[2] - 0.1);
    }
    return -lowest;
  };
  EXPECT_LE(deepest("decoupled"), 1e-9);
  EXPECT_GT(deepest("moreau-jean"), 1e-3);
  EXPECT_LT(deepest("moreau-jean"), 5e-2);
}

// The mass centre of a heavy ball that lies on a light one.
TEST(Impacts, HoldAMassRatioOfAMillion) {
  const std::string text = gravity + flat_floor + sphere("light", "[0, 0, 0.1]", "[0, 0, 0]", 1e-3) +
                           sphere("heavy", "[0, 0, 0.3]", "[0, 0, 0]", 1e3) + contact(0, 0.5) +
                           pair("floor", "light", "ground") + pair("balls", "light", "heavy");
  NonsmoothRun run(text, 1e-3);
  ASSERT_TRUE(run.until(0.1)) << run.reason;
  EXPECT_NEAR(run.state().q[2], 0.1, 1e-9);
  EXPECT_NEAR(run.state().q[9], 0.3, 1e-9);
}

// A step in which the ball would fly through both walls: it stays between them, and that it is fast is said.
TEST(Impacts, StayBetweenWallsThatAStepWouldCross) {
  const std::string walls =
      "[[ground.geometry]]\nname = \"left\"\nshape = \"plane\"\nposition = [-0.2, 0, 0]\n"
      "orientation = { axis = [0, 1, 0], angle = \"90 deg\" }\n"
      "[[ground.geometry]]\nname = \"right\"\nshape = \"plane\"\nposition = [0.2, 0, 0]\n"
      "orientation = { axis = [0, 1, 0], angle = \"-90 deg\" }\n";
  NonsmoothRun run("[model]\n" + walls + sphere("ball", "[0, 0, 0]", "[300, 0, 0]") + contact(1, 0) +
                       pair("walls", "ball", "ground"),
                   1e-2);
  for (int k = 0; k < 50; ++k) {
    ASSERT_TRUE(run.until(run.state().t + 1e-2)) << run.reason;
    EXPECT_LE(std::abs(run.state().q[0]), 0.1 + 1e-9);
    EXPECT_NEAR(std::abs(run.state().v[0]), 300, 1e-9);
  }
  EXPECT_EQ(run.integrator->remarks().size(), 1u);
}

// A row along x in which the first body comes upon a light one that touches the last.
std::string squeezed(double light, double restitution) {
  return "[model]\n" + sphere("hammer", "[-0.2005, 0, 0]", "[1, 0, 0]") +
         sphere("ball", "[0, 0, 0]", "[0, 0, 0]", light) + sphere("anvil", "[0.2, 0, 0]", "[0, 0, 0]") +
         contact(restitution, 0, "stiffness = 1e9") + pair("front", "hammer", "ball") + pair("back", "ball", "anvil");
}

// Its neighbours part with e times the speed with which they met, as if there were one contact: hundreds of small
// impacts of the light body would lose much more.
TEST(Impacts, OfALightBodyBetweenHeavyOnesAreOne) {
  for (const double e : {1.0, 0.9, 0.3}) {
    const double light = 0.005;
    NonsmoothRun run(squeezed(light, e), 1e-3);
    ASSERT_TRUE(run.until(2e-3)) << run.reason;
    const double hammer = run.state().v[0], ball = run.state().v[6], anvil = run.state().v[12];
    EXPECT_NEAR(anvil - hammer, e, 1e-12);
    EXPECT_NEAR(ball, anvil, 1e-12);
    EXPECT_NEAR(hammer + light * ball + anvil, 1, 1e-12);
    EXPECT_EQ(run.integrator->contact_statistics().most_problems, 1);
    EXPECT_LE(run.energy(), 0.5 + 1e-12);
    // Both contacts know the spring behind them, and the mass that both together move.
    ASSERT_EQ(run.integrator->impacts().size(), 2u);
    for (const ImpactEvent& event : run.integrator->impacts()) {
      EXPECT_DOUBLE_EQ(event.backing_stiffness, 1e9);
      EXPECT_NEAR(event.impact_speed, 1, 1e-12);
      EXPECT_NEAR(event.effective_mass, 0.5, 0.01);
      EXPECT_NEAR(event.normal_impulse, (1 + e) * event.effective_mass, 1e-12);
    }
  }
}

TEST(Impacts, OfABodyThatIsNotLightArePassedOn) {
  NonsmoothRun run(squeezed(0.5, 1), 1e-3);
  ASSERT_TRUE(run.until(2e-3)) << run.reason;
  EXPECT_GT(run.integrator->contact_statistics().most_problems, 1);
  for (const ImpactEvent& event : run.integrator->impacts()) EXPECT_EQ(event.backing_stiffness, 0);
}

// Whoever flies past everything has nothing to fear from long steps.
TEST(Impacts, WarnOfAFastBodyOnlyWhereItTouchesAnother) {
  const auto remarks = [](const std::string& position, const std::string& velocity) {
    NonsmoothRun run(
        gravity + flat_floor + sphere("ball", position, velocity) + contact(0.5, 0) + pair("floor", "ball", "ground"),
        1e-3);
    EXPECT_TRUE(run.until(0.01)) << run.reason;
    return run.integrator->remarks();
  };
  EXPECT_TRUE(remarks("[0, 0, 5]", "[300, 0, 0]").empty());
  const std::vector<std::string> told = remarks("[0, 0, 1]", "[0, 0, -300]");
  ASSERT_EQ(told.size(), 1u);
  EXPECT_NE(told[0].find("body ball"), std::string::npos);
}

// A plate that tumbles too fast for its steps: one twice as long is not tried in vain after each that succeeds.
TEST(Steps, StayShortWhereHalvesWereNeeded) {
  NonsmoothRun run(
      "[model]\n[[body]]\nname = \"plate\"\nmass = 1\ninertia = [1e-3, 2e-3, 3e-3]\nangular_velocity = [1, 900, 1]\n",
      1e-3);
  ASSERT_TRUE(run.until(0.1)) << run.reason;
  const IntegratorStatistics& counts = run.integrator->statistics();
  EXPECT_GT(counts.rejected, 0);
  EXPECT_LT(3 * counts.rejected, counts.steps);
}

}  // namespace
}  // namespace carom
