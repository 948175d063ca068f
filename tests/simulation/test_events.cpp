#include <gtest/gtest.h>

#include <cmath>

#include "../support/temporary_folder.h"
#include "run_parts.h"

// Events of models, against closed forms.
namespace carom {
namespace {

class Events : public testing::Test {
 protected:
  Outcome run(const std::string& text) { return run_text(text, folder_.path()); }
  std::string problems(const std::string& text) { return problems_of_text(text, folder_.path()); }
  static std::vector<EventRecord> of(const Outcome& outcome, const std::string& name) {
    std::vector<EventRecord> found;
    for (const EventRecord& event : outcome.recorded.events) {
      if (event.subject == "event:" + name) found.push_back(event);
    }
    return found;
  }
  TemporaryFolder folder_;
};

const std::string falling = R"(
[model]
plane = "xy"
gravity = [0, -10]
[[body]]
name = "stone"
mass = 2
inertia = 1
position = [0, 3]
[[signal]]
name = "height"
of = "body:stone.y"
[[signal]]
name = "speed"
of = "body:stone.vy"
)";

const std::vector<std::string> solvers = {
    "integrator = \"rk\"\ntolerance = 1e-11", "integrator = \"rk\"\nmax_step = 0.003",
    "integrator = \"adams\"\ntolerance = 1e-12", "integrator = \"bdf\"\ntolerance = 1e-12",
    "integrator = \"bdf\"\ntolerance = 1e-12\nmax_step = 0.001"};

TEST_F(Events, StopTheRunAtTheirInstant) {
  for (const std::string& solver : solvers) {
    SCOPED_TRACE(solver);
    const Outcome outcome = run(falling + R"(
[[event]]
name = "low"
when = "=1[m] - height"
stop = true
[solver]
end = 5
)" + solver);
    EXPECT_EQ(outcome.summary.events.stopped_by, "low");
    EXPECT_NEAR(outcome.summary.t, std::sqrt(2 * 2 / 10.0), 1e-10);
    EXPECT_NEAR(outcome.last("body:stone.y"), 1, 1e-10);
    ASSERT_EQ(of(outcome, "low").size(), 1u);
    EXPECT_EQ(of(outcome, "low")[0].time, outcome.summary.t);
  }
  const Outcome stepped = run(falling + R"(
[[event]]
name = "low"
when = "=1[m] - height"
stop = true
[solver]
end = 5
method = "nonsmooth"
step = 0.001
)");
  EXPECT_NEAR(stepped.summary.t, std::sqrt(0.4), 1.001e-3);
}

// Events of one instant in the order of the file; those of time at exactly theirs; each sees what those before have
// set.
TEST_F(Events, SetSignalsInTheirOrder) {
  const Outcome outcome = run(falling + R"(
[[signal]]
name = "count"
type = "held"
initial = 3
[[signal]]
name = "seen"
type = "held"
[[event]]
name = "first"
at = 0.25
set = ["count = 2*count", "seen = count"]
[[event]]
name = "second"
at = 0.25
set = ["count = count + 1"]
[[event]]
name = "third"
when = "=t - 0.25[s]"
set = ["seen = 10*seen + count"]
[output]
every = 0.05
[solver]
end = 0.5
)");
  ASSERT_EQ(outcome.recorded.events.size(), 3u);
  EXPECT_EQ(outcome.recorded.events[0].subject, "event:first");
  EXPECT_EQ(outcome.recorded.events[1].subject, "event:second");
  EXPECT_EQ(outcome.recorded.events[2].subject, "event:third");
  for (const EventRecord& event : outcome.recorded.events) EXPECT_NEAR(event.time, 0.25, 1e-15);
  EXPECT_EQ(outcome.last("signal:count.value"), 7);
  EXPECT_EQ(outcome.last("signal:seen.value"), 37);
  EXPECT_EQ(outcome.recorded.column("signal:count.value")[4], 3);
}

TEST_F(Events, HappenOnceOrInBothDirections) {
  const auto model = [](const std::string& more) {
    return falling + R"(
[[signal]]
name = "wave"
value = "=sin(10*t/1[s]) + 0"
[[event]]
name = "cross"
when = "=wave - 0.5"
)" + more + R"(
[solver]
end = 1
)";
  };
  const double first = std::asin(0.5) / 10, second = (M_PI - std::asin(0.5)) / 10;
  const Outcome rising = run(model("")), both = run(model("direction = \"both\"")), once = run(model("once = true")),
                falling_ones = run(model("direction = \"falling\""));
  ASSERT_EQ(of(rising, "cross").size(), 2u);
  EXPECT_NEAR(of(rising, "cross")[0].time, first, 1e-12);
  EXPECT_NEAR(of(rising, "cross")[1].time, first + 0.2 * M_PI, 1e-12);
  ASSERT_EQ(of(both, "cross").size(), 4u);
  EXPECT_NEAR(of(both, "cross")[1].time, second, 1e-12);
  ASSERT_EQ(of(once, "cross").size(), 1u);
  ASSERT_EQ(of(falling_ones, "cross").size(), 2u);
  EXPECT_NEAR(of(falling_ones, "cross")[0].time, second, 1e-12);
}

// Two discs on one axis; the first turns. Locking the joint between them keeps the angular momentum and loses the
// energy of their relative turning.
TEST_F(Events, LockingLosesTheEnergyThatItMust) {
  const std::string discs = R"(
[model]
plane = "xy"
gravity = [0, 0]
[[body]]
name = "one"
mass = 1
inertia = 0.3
angular_velocity = 10
[[body]]
name = "two"
mass = 1
inertia = 0.2
[[joint]]
name = "axle"
type = "revolute"
bodies = ["ground", "one"]
at = [0, 0]
[[joint]]
name = "clutch"
type = "revolute"
bodies = ["one", "two"]
at = [0, 0]
[[event]]
name = "engage"
at = 0.3
lock = ["clutch"]
[[event]]
name = "free"
at = 0.6
unlock = ["clutch"]
[[force]]
name = "brake"
type = "torque"
body = "two"
torque = "=t > 0.6[s] ? -1 : 0"
[output]
every = 0.1
[solver]
end = 1
)";
  const double together = 0.3 * 10 / 0.5, lost = 0.5 * 0.3 * 100 - 0.5 * 0.5 * together * together;
  for (const std::string solver : {"tolerance = 1e-11", "method = \"nonsmooth\"\nstep = 0.001",
                                   "integrator = \"generalized-alpha\"\nstep = 0.001"}) {
    SCOPED_TRACE(solver);
    const Outcome outcome = run(discs + solver);
    const auto one = outcome.recorded.column("body:one.omega"), two = outcome.recorded.column("body:two.omega");
    EXPECT_NEAR(one[2], 10, 1e-9);
    EXPECT_NEAR(two[2], 0, 1e-9);
    EXPECT_NEAR(one[5], together, 1e-9);
    EXPECT_NEAR(two[5], together, 1e-9);
    EXPECT_NEAR(one.back(), together, 1e-9);
    EXPECT_NEAR(two.back(), together - 0.4 / 0.2, 1e-6);
    const auto dissipated = outcome.recorded.column("energy.dissipated");
    EXPECT_NEAR(dissipated[5], lost, 1e-9);
    EXPECT_LT(outcome.summary.energy.largest_residual, 1e-6 * outcome.summary.energy.largest);
  }
}

// A pendulum that is let go flies on along a parabola; a drive that is switched off leaves it to itself.
TEST_F(Events, ReleasedJointsAndDrivesHoldNothing) {
  const std::string rod = R"(
[model]
plane = "xy"
gravity = [0, 0]
[[body]]
name = "rod"
mass = 1
inertia = 0.1
position = [1, 0]
[[joint]]
name = "pivot"
type = "revolute"
bodies = ["ground", "rod"]
at = [0, 0]
[[motion]]
name = "spin"
joint = "pivot"
speed = 2
[output]
every = 0.1
)";
  for (const std::string solver : {"", "method = \"nonsmooth\"\nstep = 0.001"}) {
    SCOPED_TRACE(solver);
    const Outcome outcome = run(rod + R"(
[[event]]
name = "off"
at = 0.2
switch_off = ["spin"]
[[event]]
name = "go"
at = 0.5
release = ["pivot"]
[solver]
end = 1
)" + solver);
    EXPECT_NEAR(outcome.last("body:rod.vx"), -2 * std::sin(1.0), 1e-5);
    EXPECT_NEAR(outcome.last("body:rod.vy"), 2 * std::cos(1.0), 1e-5);
    EXPECT_NEAR(outcome.last("body:rod.x"), std::cos(1.0) - 0.5 * 2 * std::sin(1.0), 1e-5);
    EXPECT_NEAR(outcome.last("body:rod.omega"), 2, 1e-5);
    EXPECT_EQ(outcome.last("joint:pivot.fx"), 0);
    EXPECT_EQ(outcome.last("motion:spin.force"), 0);
    EXPECT_LT(outcome.summary.energy.largest_residual, 1e-5 * outcome.summary.energy.largest);
  }
}

// A ball that bounces is caught at the top of its second bounce.
TEST_F(Events, CatchABouncingBall) {
  const std::string ball = R"(
[model]
plane = "xy"
gravity = [0, -10]
[[ground.geometry]]
name = "floor"
shape = "plane"
[[body]]
name = "ball"
mass = 1
inertia = 0.1
position = [0, 1]
[[body.geometry]]
name = "skin"
shape = "sphere"
radius = 0.1
[[joint]]
name = "rail"
type = "prismatic"
bodies = ["ground", "ball"]
at = [0, 0]
axis = [0, 1]
[contact.hard]
elastic = "linear"
stiffness = 1e6
restitution = 0.8
[[pair]]
name = "bounce"
bodies = ["ball", "ground"]
contact = "hard"
[[signal]]
name = "rising"
of = "joint:rail.speed"
[[signal]]
name = "bounces"
type = "held"
[[event]]
name = "touch"
contact = "bounce"
change = "end"
set = ["bounces = bounces + 1"]
[[event]]
name = "catch"
when = "=bounces > 1.5 ? -rising : -1[m/s]"
once = true
lock = ["rail"]
[output]
every = 0.01
[solver]
end = 3
)";
  // The second bounce rises to 0.1 m + e⁴ · 0.9 m, with the restitution that came out.
  for (const std::string solver : {"tolerance = 1e-9", "method = \"nonsmooth\"\nstep = 0.0005"}) {
    SCOPED_TRACE(solver);
    const Outcome outcome = run(ball + solver);
    ASSERT_EQ(of(outcome, "catch").size(), 1u);
    EXPECT_EQ(of(outcome, "touch").size(), 2u);
    EXPECT_NEAR(outcome.last("body:ball.y"), 0.1 + std::pow(0.8, 4) * 0.9, 5e-3);
    EXPECT_NEAR(outcome.last("body:ball.vy"), 0, 1e-12);
    EXPECT_EQ(outcome.last("signal:bounces.value"), 2);
  }
}

TEST_F(Events, WithoutEndAreNamed) {
  ProblemList problems_found;
  const Model model = read_model_text(falling + R"(
[[signal]]
name = "direction"
type = "held"
initial = 1
[[signal]]
name = "way"
type = "integrator"
input = "=direction"
initial = -0.1
[[event]]
name = "up"
when = "=way"
set = ["direction = -1"]
[[event]]
name = "down"
when = "=-way"
set = ["direction = 1"]
[solver]
end = 1
)",
                                      "endless.toml", problems_found, {}, folder_.path());
  ASSERT_EQ(problems_found.errors(), 0) << problems_found.text();
  const RunSummary summary = carom::run(model);
  EXPECT_EQ(summary.status, RunStatus::failed);
  EXPECT_NE(summary.reason.find("again and again"), std::string::npos) << summary.reason;
}

TEST_F(Events, MistakesAreNamed) {
  const auto expect = [&](const std::string& event, const std::string& message) {
    const std::string found = problems(falling + "[[event]]\nname = \"go\"\n" + event + "\n[solver]\nend = 1\n");
    EXPECT_NE(found.find(message), std::string::npos) << found;
  };
  expect("stop = true", "neither `when`, `at` nor `contact`");
  expect("at = 1\nwhen = \"=height\"\nstop = true", "several of");
  expect("when = 3\nstop = true", "never crosses 0");
  expect("when = \"=heigth\"\nstop = true", "height");
  expect("at = 1\nset = [\"height = 2\"]", "which follows from others");
  expect("at = 1\nset = [\"hight = 2\"]", "no signal");
  expect("at = 1\nset = [\"height\"]", "a signal and what it becomes");
  expect("at = 1\nlock = [\"rail\"]", "a model with a joint");
  expect("at = 1\nswitch_off = [\"spin\"]", "a model with a motion");
  expect("contact = \"floor\"\nstop = true", "a model with a pair");
  expect("at = 1", "changes nothing");
}

}  // namespace
}  // namespace carom
