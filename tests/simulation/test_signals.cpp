#include <gtest/gtest.h>

#include <cmath>

#include "control_models.h"

// Signals in whole runs, against closed forms.
namespace carom {
namespace {

const std::string cart = cart_on_rail + push_by("drive");

class Signals : public ControlRuns {};

// Second order with fixed steps.
TEST_F(Signals, GeneralizedAlphaIsOfSecondOrderWithThem) {
  const auto last = [&](double step) {
    return run(cart + fmt::format(R"(
[[signal]]
name = "filtered"
type = "second-order-lag"
input = "=position"
frequency = 8
damping_ratio = 0.4
[[signal]]
name = "drive"
value = "=10 - 40*filtered - 3*speed"
[solver]
end = 1
integrator = "generalized-alpha"
step = {}
)",
                                  step))
        .last("body:cart.x");
  };
  const double coarse = last(0.01), middle = last(0.005), fine = last(0.0025);
  EXPECT_NEAR(std::log2((coarse - middle) / (middle - fine)), 2, 0.1);
}

// A digital control with a held force: between samples x and v are polynomials, so that the samples follow a recursion.
TEST_F(Signals, SampledControlFollowsTheRecursionOfItsSamples) {
  const std::string text = cart + R"(
[[signal]]
name = "drive"
type = "sample-and-hold"
input = "=30*(1[m] - position)/1[m] - 8*speed/1[m/s]"
period = 0.05
[output]
every = 0.025
[solver]
end = 2
)";
  double x = 0, v = 0;
  const double h = 0.05, m = 2;
  std::vector<double> expected = {0};
  for (int k = 0; k < 40; ++k) {
    const double u = 30 * (1 - x) - 8 * v;
    x += h * v + 0.5 * h * h * u / m, v += h * u / m;
    expected.push_back(x);
  }
  for (const char* const solver :
       {"integrator = \"rk\"\ntolerance = 1e-12", "integrator = \"bdf\"\ntolerance = 1e-12"}) {
    SCOPED_TRACE(solver);
    const Outcome outcome = run(text + solver);
    const auto found = outcome.recorded.column("body:cart.x");
    ASSERT_EQ(found.size(), 81u);
    for (std::size_t k = 0; k < expected.size(); ++k) EXPECT_NEAR(found[2 * k], expected[k], 1e-10) << k;
  }
  const Outcome stepped = run(text + "method = \"nonsmooth\"\nstep = 0.0025");
  EXPECT_NEAR(stepped.last("body:cart.x"), expected.back(), 1e-3);
}

// A relay that drives an integrator up and down: a triangle wave whose corners are known.
TEST_F(Signals, RelaysSwitchWhereTheirInputSays) {
  for (const char* const solver : {"integrator = \"rk\"", "integrator = \"bdf\"",
                                   "integrator = \"adams\"\nmax_step = 0.3", "integrator = \"rk\"\nmax_step = 0.01"}) {
    SCOPED_TRACE(solver);
    const Outcome outcome = run(cart + R"(
[[signal]]
name = "drive"
value = "=0"
[[signal]]
name = "way"
type = "integrator"
input = "=direction"
[[signal]]
name = "direction"
type = "hysteresis"
input = "=way"
lower = -0.3
upper = 0.7
on = -1
off = 1
[output]
every = 0.1
[solver]
end = 10.05
tolerance = 1e-10
)" + solver);
    const auto way = outcome.recorded.column("signal:way.value"),
               direction = outcome.recorded.column("signal:direction.value");
    for (std::size_t k = 0; k < way.size(); ++k) {
      const double phase = std::remainder(0.1 * static_cast<double>(k) + 0.3 - 1, 2.0);  // 0 at the upper corners
      if (std::abs(std::abs(phase) - 0.5) > 0.499 || k + 1 == way.size()) continue;
      EXPECT_NEAR(way[k], 0.7 - std::abs(phase), 1e-9) << k;
      EXPECT_EQ(direction[k], phase < 0 ? 1 : -1) << k;
    }
  }
}

// ẋ(t) = −x(t − 1) with x = 1 before: x(t) = Σ (−1)ᵏ (t − k + 1)ᵏ / k! over all k ≤ t + 1.
TEST_F(Signals, DelaysFollowTheExactSolution) {
  const auto exact = [](double t) {
    double sum = 0, factorial = 1;
    for (int k = 0; k <= t + 1; ++k) {
      factorial *= k > 0 ? k : 1;
      sum += (k % 2 == 0 ? 1 : -1) * std::pow(t - k + 1, k) / factorial;
    }
    return sum;
  };
  for (const char* const solver :
       {"integrator = \"rk\"\ntolerance = 1e-11", "integrator = \"bdf\"\ntolerance = 1e-11"}) {
    SCOPED_TRACE(solver);
    const Outcome outcome = run(cart + R"(
[[signal]]
name = "drive"
value = "=0"
[[signal]]
name = "old"
type = "delay"
input = "=level"
time = 1
initial = 1
[[signal]]
name = "level"
value = "=state"
[[signal]]
name = "state"
type = "integrator"
input = "=-old"
initial = 1
[output]
every = 0.25
[solver]
end = 6
)" + std::string(solver));
    const auto found = outcome.recorded.column("signal:state.value");
    for (std::size_t k = 0; k < found.size(); ++k)
      EXPECT_NEAR(found[k], exact(0.25 * static_cast<double>(k)), 1e-8) << 0.25 * static_cast<double>(k);
  }
}

// A spring that is switched on by the place of the cart.
TEST_F(Signals, SwitchesEndStepsWhereTheyChange) {
  const Outcome outcome = run(cart + R"(
[[signal]]
name = "drive"
type = "switch"
input = "=position"
threshold = 0.5
above = "=-3"
below = "=4"
[output]
every = 0.01
[solver]
end = 1
tolerance = 1e-12
)");
  // 2 m/s² until 0.5 m, at √0.5 s with √2 m/s; then −1.5 m/s².
  const double t = 1 - std::sqrt(0.5), exact = 0.5 + std::sqrt(2.0) * t - 0.75 * t * t;
  EXPECT_NEAR(outcome.last("body:cart.x"), exact, 1e-10);
}

TEST_F(Signals, AreMeasuredOfEveryKind) {
  const Outcome outcome = run(R"(
[model]
plane = "xy"
gravity = [0, -10]
[[body]]
name = "rod"
mass = 2
inertia = 0.1
position = [0.5, 0]
[[body.marker]]
name = "tip"
position = [0.5, 0]
[[ground.marker]]
name = "hook"
position = [0, 1]
[[joint]]
name = "pivot"
type = "revolute"
bodies = ["ground", "rod"]
at = [0, 0]
[[force]]
name = "coil"
type = "spring"
bodies = ["ground", "rod"]
ends = [[0, 1], [1, 0]]
stiffness = 10
[[signal]]
name = "angle"
of = "joint:pivot.angle"
[[signal]]
name = "turning"
of = "joint:pivot.speed"
[[signal]]
name = "length"
of = "force:coil.length"
[[signal]]
name = "apart"
of = "markers.distance"
markers = ["ground.hook", "rod.tip"]
[[signal]]
name = "approach"
of = "markers.rate"
markers = ["ground.hook", "rod.tip"]
[[signal]]
name = "height"
of = "body:rod.y"
[[signal]]
name = "energy"
of = "energy.kinetic"
[solver]
end = 0.7
)");
  const auto same = [&](const std::string& signal, const std::string& quantity) {
    const auto a = outcome.recorded.column("signal:" + signal + ".value"), b = outcome.recorded.column(quantity);
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t k = 0; k < a.size(); ++k) EXPECT_NEAR(a[k], b[k], 1e-13 * (1 + std::abs(b[k]))) << signal;
  };
  same("angle", "joint:pivot.rotation");
  same("turning", "joint:pivot.rotation_rate");
  same("length", "force:coil.length");
  same("apart", "force:coil.length");
  same("approach", "force:coil.rate");
  same("height", "body:rod.y");
  same("energy", "energy.kinetic");
}

TEST_F(Signals, ContactForcesOfBothMethods) {
  const auto model = [](const std::string& solver) {
    return R"(
[model]
plane = "xy"
gravity = [0, -10]
[[ground.geometry]]
name = "floor"
shape = "plane"
[[body]]
name = "ball"
mass = 3
inertia = 1
position = [0, 0.1]
[[body.geometry]]
name = "skin"
shape = "sphere"
radius = 0.1
[contact.soft]
elastic = "linear"
stiffness = 1e5
restitution = 0.2
[[pair]]
name = "rest"
bodies = ["ball", "ground"]
contact = "soft"
[[signal]]
name = "load"
of = "contact:rest.force"
[[signal]]
name = "mean"
type = "first-order-lag"
input = "=load"
time_constant = 0.05
[output]
every = 0.1
[solver]
end = 1
)" + solver;
  };
  for (const char* const solver : {"", "method = \"nonsmooth\"\nstep = 0.001"}) {
    SCOPED_TRACE(solver);
    const Outcome outcome = run(model(solver));
    EXPECT_NEAR(outcome.last("signal:load.value"), 30, 0.01);
    EXPECT_NEAR(outcome.last("signal:mean.value"), 30, 0.05);
  }
}

TEST_F(Signals, MistakesAreNamed) {
  const std::string end = "[solver]\nend = 1\n";
  const auto expect = [&](const std::string& signals, const std::string& message) {
    const std::string found = problems(cart + signals + end);
    EXPECT_NE(found.find(message), std::string::npos) << found;
  };
  expect("[[signal]]\nname = \"drive\"\nvalue = \"=more + 1\"\n[[signal]]\nname = \"more\"\nvalue = \"=2*drive\"\n",
         "`drive` uses `more` uses `drive`: an algebraic loop");
  expect("[[signal]]\nname = \"drive\"\nvalue = \"=postion\"\n", "position");
  expect("[[signal]]\nname = \"drive\"\nof = \"joint:rial.speed\"\n", "rail");
  expect("[[signal]]\nname = \"drive\"\nof = \"joint:rail.fx\"\n", "follows from the forces");
  expect("[[signal]]\nname = \"drive\"\nof = \"body:cart.ax\"\n", "acceleration");
  expect("[[signal]]\nname = \"drive\"\nof = \"body:cart.z\"\n", "one of: x, y, angle");
  expect("[[signal]]\nname = \"drive\"\ntype = \"pdi\"\ninput = 1\n", "pid");
  expect("[[signal]]\nname = \"drive\"\n", "neither `of`, `value` nor `type`");
  expect("[[signal]]\nname = \"drive\"\ntype = \"pid\"\ninput = \"=position\"\nderivative = 3\n", "`filter`");
  expect("[[signal]]\nname = \"drive\"\ntype = \"limiter\"\ninput = \"=position\"\nlower = 2\nupper = 1\n",
         "not below");
  expect("[[signal]]\nname = \"my drive\"\nvalue = 1\n", "a word of letters");
  expect("[[signal]]\nname = \"t\"\nvalue = 1\n", "means something else");
  expect("[[signal]]\nname = \"drive\"\nvalue = \"=position + 1[s]\"\n", "m");
  expect("[[signal]]\nname = \"drive\"\nvalue = \"=position\"\nunit = \"m\"\n", "N");
}

}  // namespace
}  // namespace carom
