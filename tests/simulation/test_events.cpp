#include <gtest/gtest.h>

#include <cmath>

#include "control_models.h"

// Events of models, against closed forms.
namespace carom {
namespace {

class Events : public ControlRuns {
 protected:
  static std::vector<EventRecord> of(const Outcome& outcome, const std::string& name) {
    std::vector<EventRecord> found;
    for (const EventRecord& event : outcome.recorded.events) {
      if (event.subject == "event:" + name) found.push_back(event);
    }
    return found;
  }
};

const std::vector<std::string> solvers = {
    "integrator = \"rk\"\ntolerance = 1e-11", "integrator = \"rk\"\nmax_step = 0.003",
    "integrator = \"adams\"\ntolerance = 1e-12", "integrator = \"bdf\"\ntolerance = 1e-12",
    "integrator = \"bdf\"\ntolerance = 1e-12\nmax_step = 0.001"};

TEST_F(Events, StopTheRunAtTheirInstant) {
  for (const std::string& solver : solvers) {
    SCOPED_TRACE(solver);
    const Outcome outcome = run(falling_stone + R"(
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
  const Outcome stepped = run(falling_stone + R"(
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
  const Outcome outcome = run(falling_stone + R"(
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

// At one instant: a sample, a relay that jumps by it, and events that see what both have done.
TEST_F(Events, ComeAfterSamplesAndJumpsOfTheirInstant) {
  for (const std::string solver : {"", "method = \"nonsmooth\"\nstep = 0.01"}) {
    SCOPED_TRACE(solver);
    const Outcome outcome = run(falling_stone + R"(
[[event]]
name = "by_time"
at = 0.25
set = ["seen = 10*relay + taken", "mark = 1"]
[[event]]
name = "by_relay"
when = "=relay - 0.5"
set = ["late = mark + 1"]
[[signal]]
name = "mark"
type = "held"
[[signal]]
name = "seen"
type = "held"
[[signal]]
name = "late"
type = "held"
[[signal]]
name = "relay"
type = "hysteresis"
input = "=taken"
lower = 0.1
upper = 0.2
[[signal]]
name = "taken"
type = "sample-and-hold"
input = "=t/1[s] + 100*mark"
period = 0.25
[output]
every = 0.125
[solver]
end = 0.6
)" + solver);
    ASSERT_EQ(outcome.recorded.events.size(), 2u);
    EXPECT_EQ(outcome.recorded.events[0].subject, "event:by_time");
    EXPECT_EQ(outcome.recorded.events[1].subject, "event:by_relay");
    for (const EventRecord& event : outcome.recorded.events) EXPECT_NEAR(event.time, 0.25, 1e-15);
    EXPECT_NEAR(outcome.last("signal:seen.value"), 10.25, 1e-15);                // the relay has jumped, by the sample
    EXPECT_EQ(outcome.last("signal:late.value"), 2);                             // the other event came first
    EXPECT_NEAR(outcome.recorded.column("signal:taken.value")[3], 0.25, 1e-15);  // not by the mark of its instant
    EXPECT_NEAR(outcome.last("signal:taken.value"), 100.5, 1e-13);
  }
}

// Where steps and output times lie does not matter for when something happens.
TEST_F(Events, DoNotDependOnStepsAndOutputs) {
  std::vector<double> expected;
  for (const std::string every : {"0.5", "0.01", "0.0037"}) {
    for (const std::string step : {"", "max_step = 0.02", "max_step = 0.0013", "step = 0.0005"}) {
      SCOPED_TRACE(every + " " + step);
      const Outcome outcome = run(driven_pendulum + R"(
[[signal]]
name = "drive"
type = "hysteresis"
input = "=angle/1[rad]"
lower = -0.4
upper = 0.5
on = -6
off = 6
[[event]]
name = "pass"
when = "=angle - 0.3[rad]"
direction = "both"
[solver]
end = 3
integrator = "rk"
tolerance = 1e-12
)" + step +
                                  "\n[output]\nevery = " + every);
      std::vector<double> found;
      for (const EventRecord& event : of(outcome, "pass")) found.push_back(event.time);
      if (expected.empty()) expected = found;
      ASSERT_EQ(found.size(), 5u);
      for (std::size_t k = 0; k < found.size(); ++k) EXPECT_NEAR(found[k], expected[k], 1e-10) << k;
    }
  }
}

TEST_F(Events, HappenOnceOrInBothDirections) {
  const auto model = [](const std::string& more) {
    return falling_stone + R"(
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
  const std::string discs = two_discs(0.3, 0.2, 10, "clutch") + R"(
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
  const std::string rod = model_with_gravity(0) + body_text("rod", 1, 0.1, "position = [1, 0]\n") +
                          pivot_text("pivot", "ground", "rod") + R"(
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
  const std::string ball = model_with_gravity(10) + body_text("ball", 1, 0.1, "position = [0, 1]\n") + R"(
[[body.geometry]]
name = "skin"
shape = "sphere"
radius = 0.1
[[ground.geometry]]
name = "floor"
shape = "plane"
)" + slide_text("rail", "ball", "[0, 1]") +
                           measured_text("rising", "joint:rail.speed") + R"(
[contact.hard]
elastic = "linear"
stiffness = 1e6
restitution = 0.8
[[pair]]
name = "bounce"
bodies = ["ball", "ground"]
contact = "hard"
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
  const Model model = read_model_text(falling_stone + R"(
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
    const std::string found = problems(falling_stone + "[[event]]\nname = \"go\"\n" + event + "\n[solver]\nend = 1\n");
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
