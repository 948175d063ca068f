#include <gmock/gmock.h>

#include <cmath>

#include "../support/temporary_folder.h"
#include "run_parts.h"

#include <unsupported/Eigen/MatrixFunctions>

// Blocks with several outputs, and signals of beams, in whole runs.
namespace carom {
namespace {

using testing::HasSubstr;

class SignalOutputs : public testing::Test {
 protected:
  Outcome run(const std::string& text) { return run_text(text, folder_.path()); }
  std::string problems(const std::string& text) { return problems_of_text(text, folder_.path()); }
  TemporaryFolder folder_;
};

std::string plant(const std::string& number, const std::string& solver) {
  return R"(
[model]
plane = "xy"
gravity = [0, 0]
[[body]]
name = "mass"
mass = 2
inertia = 1
[[signal]]
name = "plant"
type = "state-space"
inputs = [1, "=2 - third"]
a = [0, 1, -4, -1]
b = [1, 0, 0, 2]
c = [1, 0, 0, 1, 1, 1]
[[signal]]
name = "second"
type = "output"
block = "plant"
number = 2
[[signal]]
name = "third"
type = "output"
block = "plant"
number = )" +
         number + R"(
[[force]]
name = "push"
type = "force"
body = "mass"
point = [0, 0]
force = ["=second", 0]
[solver]
end = 1.5
)" + solver;
}

// ẋ₁ = x₂ + 1, ẋ₂ = −4 x₁ − x₂ + 2 (2 − x₁ − x₂), and x₂ pushes a mass: a matrix exponential.
TEST_F(SignalOutputs, SeveralOutputsActOnTheMotion) {
  Eigen::Matrix<double, 5, 5> system = Eigen::Matrix<double, 5, 5>::Zero();  // x₁, x₂, place, speed, 1
  system(0, 1) = 1, system(0, 4) = 1;
  system(1, 0) = -6, system(1, 1) = -3, system(1, 4) = 4;
  system(2, 3) = 1, system(3, 1) = 0.5;
  const Eigen::Matrix<double, 5, 1> exact = (1.5 * system).exp().col(4);
  for (const auto& [solver, tolerance] : {std::pair{"integrator = \"rk\"\ntolerance = 1e-11", 1e-8},
                                          {"integrator = \"bdf\"\ntolerance = 1e-11", 1e-7},
                                          {"integrator = \"generalized-alpha\"\ntolerance = 1e-8", 1e-5},
                                          {"method = \"nonsmooth\"\nstep = 1e-4", 1e-6}}) {
    SCOPED_TRACE(solver);
    const Outcome outcome = run(plant("3", solver));
    EXPECT_NEAR(outcome.last("signal:plant.value"), exact[0], tolerance);
    EXPECT_NEAR(outcome.last("signal:second.value"), exact[1], 10 * tolerance);
    EXPECT_NEAR(outcome.last("signal:third.value"), exact[0] + exact[1], 10 * tolerance);
    EXPECT_NEAR(outcome.last("body:mass.x"), exact[2], 10 * tolerance);
  }
}

TEST_F(SignalOutputs, OutputsThatAreNotThereAreRefused) {
  EXPECT_THAT(problems(plant("4", "")), HasSubstr("one of the outputs of `plant`: 1 to 3"));
  std::string other = plant("3", "");
  other.replace(other.find("block = \"plant\""), 15, "block = \"plan\"");
  EXPECT_THAT(problems(other), HasSubstr("did you mean `plant`"));
}

// A marker of a beam is one of its nearest node.
TEST_F(SignalOutputs, MarkersOfBeamsAreMeasured) {
  const Outcome outcome = run(R"(
[model]
plane = "xy"
gravity = [0, -9.81]
[material.steel]
density = 7850
young = 2.1e11
poisson = 0.3
[section.bar]
shape = "rectangle"
width = 0.01
height = 0.01
[[beam]]
name = "arm"
points = [[0, 0], [1, 0]]
elements = 4
section = "bar"
material = "steel"
[[beam.marker]]
name = "tip"
position = [1, 0]
[[ground.marker]]
name = "origin"
[[joint]]
name = "wall"
type = "fixed"
bodies = ["ground", "arm"]
at = [0, 0]
[[signal]]
name = "sag"
of = "markers.y"
markers = ["ground.origin", "arm.tip"]
[solver]
end = 0.02
)");
  EXPECT_NE(outcome.last("signal:sag.value"), 0);
  EXPECT_NEAR(outcome.last("signal:sag.value"), outcome.last("body:arm-4.y"), 1e-12);
}

}  // namespace
}  // namespace carom
