#include <gmock/gmock.h>

#include <cmath>

#include "../support/temporary_folder.h"
#include "run_parts.h"

// Events that attach bodies where they are, set variable parameters, and use quantities of the model.
namespace carom {
namespace {

using testing::HasSubstr;

const std::vector<std::string> both_methods = {"integrator = \"rk\"\ntolerance = 1e-11",
                                               "integrator = \"generalized-alpha\"\ntolerance = 1e-10",
                                               "method = \"nonsmooth\"\nstep = 1e-3"};

double work_of(const Outcome& outcome, const std::string& name) {
  for (const auto& [each, work] : outcome.summary.energy.works) {
    if (each == name) return work;
  }
  ADD_FAILURE() << "no work of " << name;
  return 0;
}

class AttachedBodies : public testing::Test {
 protected:
  Outcome run(const std::string& text) { return run_text(text, folder_.path()); }
  std::string problems(const std::string& text) { return problems_of_text(text, folder_.path()); }
  TemporaryFolder folder_;
};

// Two carts that roll towards each other and couple: the momentum stays, ½ m₁ m₂/(m₁ + m₂) Δv² is lost.
TEST_F(AttachedBodies, TwoCartsThatCouple) {
  for (const std::string& solver : both_methods) {
    SCOPED_TRACE(solver);
    const Outcome outcome = run(R"(
[model]
plane = "xy"
gravity = [0, 0]
[[body]]
name = "left"
mass = 2
inertia = 1
position = [-1, 0]
velocity = [3, 0]
[[body]]
name = "right"
mass = 4
inertia = 1
position = [1, 0]
[[joint]]
name = "rail1"
type = "prismatic"
bodies = ["ground", "left"]
at = [-1, 0]
axis = [1, 0]
[[joint]]
name = "rail2"
type = "prismatic"
bodies = ["ground", "right"]
at = [1, 0]
axis = [1, 0]
[[joint]]
name = "hook"
type = "fixed"
bodies = ["left", "right"]
at = [0, 0]
released = true
[[event]]
name = "couple"
at = 0.5
attach = ["hook"]
[[event]]
name = "part"
at = 1.5
detach = ["hook"]
[solver]
end = 2
)" + solver);
    EXPECT_NEAR(outcome.last("body:left.vx"), 1, 1e-9);
    EXPECT_NEAR(outcome.last("body:right.vx"), 1, 1e-9);
    EXPECT_NEAR(outcome.last("body:left.x"), -1 + 1.5 + 1.5, 1e-9);
    EXPECT_NEAR(outcome.last("body:right.x"), 1 + 1.5, 1e-9);
    EXPECT_NEAR(work_of(outcome, "event:couple"), -6, 1e-9);
    EXPECT_LT(outcome.summary.energy.largest_residual, 1e-9);
  }
}

// A rod that turns freely takes hold of a ball at rest beside its end, off its own line: momentum and moment of
// momentum about the mass centre stay, whatever the pose in which they meet.
TEST_F(AttachedBodies, HoldAtTheirPresentPoseInSpaceAndInThePlane) {
  for (const bool planar : {true, false}) {
    for (const std::string& solver : both_methods) {
      SCOPED_TRACE(solver);
      const std::string third = planar ? "" : ", 0";
      const Outcome outcome = run(fmt::format(R"(
[model]
{0}
gravity = [0, 0{1}]
[[body]]
name = "rod"
mass = 3
inertia = {2}
angular_velocity = {3}
[[body]]
name = "ball"
mass = 1
inertia = {4}
position = [0.2, 0.9{1}]
[[joint]]
name = "grip"
type = "fixed"
bodies = ["rod", "ball"]
at = [0.5, 0{1}]
released = true
[[event]]
name = "catch"
at = 0.7
attach = ["grip"]
[solver]
end = 1.5
{5}
)",
                                              planar ? "plane = \"xy\"" : "", third, planar ? "0.5" : "[0.3, 0.4, 0.5]",
                                              planar ? "2" : "[0, 0, 2]", planar ? "0.1" : "[0.1, 0.1, 0.1]", solver));
      const double away = std::hypot(0.2, 0.9), reduced = 0.75;
      const double turn = 2 * 0.5 / (0.5 + 0.1 + reduced * away * away);  // rad/s afterwards
      const std::string omega = planar ? "omega" : "wz";
      EXPECT_NEAR(outcome.last("body:rod." + omega), turn, 1e-8);
      EXPECT_NEAR(outcome.last("body:ball." + omega), turn, 1e-8);
      const double dx = outcome.last("body:ball.x") - outcome.last("body:rod.x"),
                   dy = outcome.last("body:ball.y") - outcome.last("body:rod.y");
      EXPECT_NEAR(std::hypot(dx, dy), away, 1e-8);
      EXPECT_NEAR(std::atan2(dy, dx), std::atan2(0.9, 0.2) + 0.8 * turn, 1e-5);
      EXPECT_NEAR(3 * outcome.last("body:rod.vx") + outcome.last("body:ball.vx"), 0, 1e-9);
      EXPECT_NEAR(work_of(outcome, "event:catch"), 0.5 * 0.5 * 2 * (turn - 2), 1e-8);
      EXPECT_LT(outcome.summary.energy.largest_residual, 1e-6);
    }
  }
}

// A disc that flies past a pin and is caught by it: the moment of momentum about the pin stays.
TEST_F(AttachedBodies, APinCatchesWhatFliesPast) {
  for (const bool planar : {true, false}) {
    for (const std::string& solver : both_methods) {
      SCOPED_TRACE(solver);
      const std::string third = planar ? "" : ", 0";
      const Outcome outcome = run(fmt::format(R"(
[model]
{0}
gravity = [0, 0{1}]
[[body]]
name = "disc"
mass = 2
inertia = {2}
position = [-1, 0.6{1}]
velocity = [2, 0{1}]
[[joint]]
name = "pin"
type = "revolute"
bodies = ["ground", "disc"]
at = [0, 0{1}]
released = true
{3}
[[event]]
name = "catch"
when = "=[body:disc.x] + 0.2[m]"
attach = ["pin"]
[solver]
end = 1
{4}
)",
                                              planar ? "plane = \"xy\"" : "", third, planar ? "0.3" : "[0.3, 0.3, 0.3]",
                                              planar ? "" : "axis = [0, 0, 1]", solver));
      const bool nonsmooth = solver.starts_with("method");
      const double x = -0.2, y = 0.6, inertia = 0.3 + 2 * (x * x + y * y), turn = -2 * y * 2 / inertia;
      const double tolerance = nonsmooth ? 5e-3 : 1e-7;  // caught at the end of the step
      EXPECT_NEAR(outcome.last(planar ? "body:disc.omega" : "body:disc.wz"), turn, tolerance);
      EXPECT_NEAR(std::hypot(outcome.last("body:disc.x"), outcome.last("body:disc.y")), std::hypot(x, y), tolerance);
      EXPECT_NEAR(work_of(outcome, "event:catch"), 0.5 * inertia * turn * turn - 4, 4 * tolerance);
      EXPECT_LT(outcome.summary.energy.largest_residual, 1e-6);
    }
  }
}

TEST_F(AttachedBodies, OtherJointsAreRefused) {
  EXPECT_THAT(problems(R"(
[model]
plane = "xy"
[[body]]
name = "cart"
mass = 1
inertia = 1
[[joint]]
name = "rail"
type = "prismatic"
bodies = ["ground", "cart"]
at = [0, 0]
axis = [1, 0]
[[event]]
name = "hold"
at = 0.5
attach = ["rail"]
[solver]
end = 1
)"),
              HasSubstr("a joint of type fixed or revolute"));
}

const std::string oscillator = R"(
[model]
plane = "xy"
gravity = [0, 0]
[[body]]
name = "mass"
mass = 2
inertia = 1
position = [0.1, 0]
[[joint]]
name = "rail"
type = "prismatic"
bodies = ["ground", "mass"]
at = [0, 0]
axis = [1, 0]
)";

// m ẍ = −k x, where an event makes k four times as large at a turning point of half a period.
TEST_F(AttachedBodies, EventsSetVariableParameters) {
  const double slow = std::sqrt(100.0), fast = 2 * slow, change = M_PI / slow, end = 0.6;
  for (const std::string& solver : both_methods) {
    SCOPED_TRACE(solver);
    const Outcome outcome = run("[parameters]\nk = { value = \"200 N/m\", variable = true }\n" + oscillator +
                                fmt::format(R"(
[[force]]
name = "spring"
type = "force"
body = "mass"
point = [0, 0]
force = ["=-k*[body:mass.x]", 0]
[[event]]
name = "stiffen"
at = {}
set = ["k = 4*k"]
[solver]
end = {}
{}
)",
                                            change, end, solver));
    EXPECT_NEAR(outcome.last("body:mass.x"), -0.1 * std::cos(fast * (end - change)),
                solver.starts_with("method")                ? 1e-4
                : solver.find("alpha") != std::string::npos ? 1e-7
                                                            : 1e-8);
    EXPECT_EQ(outcome.last("signal:k.value"), 800);
  }
}

TEST_F(AttachedBodies, VariableParametersAreNoNumbers) {
  const std::string text = "[parameters]\nm = { value = 2, variable = true }\n" + oscillator + "[solver]\nend = 1\n";
  std::string with = text;
  with.replace(with.find("mass = 2"), 8, "mass = \"=m\"");
  EXPECT_THAT(problems(with), HasSubstr("`m`, a variable parameter"));
  EXPECT_THAT(problems(with), HasSubstr("leave out variable = true"));
  EXPECT_EQ(problems(text), "");
  const std::string fixed = "[parameters]\nm = 2\n" + oscillator + "[solver]\nend = 1\n";
  EXPECT_THAT(problems(fixed + "[[event]]\nname = \"change\"\nat = 0.5\nset = [\"m = 3\"]\n"),
              HasSubstr("variable = true"));
  EXPECT_THAT(problems("[parameters]\nm = { value = 2, variabel = true }\n" + oscillator + "[solver]\nend = 1\n"),
              HasSubstr("did you mean `variable`"));
}

// A servo, an event and a signal that name quantities of the model in place.
TEST_F(AttachedBodies, QuantitiesStandInBrackets) {
  const auto force = [&](const std::string& law) {
    return oscillator +
           "[[force]]\nname = \"servo\"\ntype = \"force\"\nbody = \"mass\"\npoint = [0, 0]\nforce = [\"=" + law +
           "\", 0]\n";
  };
  const std::string rest = R"(
[[signal]]
name = "twice"
value = "=2*[joint:rail.translation]"
[[event]]
name = "passes"
when = "=0.05[m] - [body:mass.x]"
stop = true
[solver]
end = 1
integrator = "rk"
tolerance = 1e-11
)";
  const Outcome outcome = run(force("-200[N/m]*[body:mass.x]") + rest);
  EXPECT_NEAR(outcome.last("signal:twice.value"), -0.1, 1e-9);
  EXPECT_NEAR(outcome.recorded.times.back(), M_PI / 30, 1e-9);
  EXPECT_THAT(problems(force("-200[N/m]*[joint:rail.speed]") + rest), HasSubstr("N"));
  EXPECT_THAT(problems(force("-2*[joint:rial.translation]") + rest), HasSubstr("did you mean `rail`"));
  EXPECT_THAT(problems(force("-2*[joint:rail.translaton]") + rest), HasSubstr("did you mean `translation`"));
  EXPECT_THAT(problems(force("-2*x") + rest), HasSubstr("[joint:NAME.rotation]"));
  EXPECT_THAT(problems(force("-2*twise") + rest), HasSubstr("did you mean `twice`"));
}

}  // namespace
}  // namespace carom
