#include <gmock/gmock.h>

#include "model/bearing_faults.h"
#include "model_io/same_model.h"
#include "model_io/write_model.h"
#include "sample_models.h"

namespace carom {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string bearing_with(const std::string& faults, const std::string& method = "compliant") {
  return R"(
[model]
plane = "xy"
[material.steel]
young = "200 GPa"
poisson = 0.3
density = 7800
restitution = 0.9
[[body]]
name = "shaft"
mass = 1
inertia = 1e-4
[[bearing]]
name = "left"
bodies = ["ground", "shaft"]
at = [0, 0]
balls = 8
pitch_diameter = "33.49 mm"
ball_diameter = "7.9375 mm"
conformity = 0.52
diametric_clearance = "20 um"
material = "steel"
)" + faults +
         "[solver]\nmethod = \"" + method + "\"\n" + (method == "nonsmooth" ? "step = 1e-5\n" : "");
}

const std::string
    spall = "[[bearing.spall]]\nrace = \"outer\"\nangle = \"-90 deg\"\nextent = \"1 mm\"\ndepth = \"0.1 mm\"\n",
    waves = "[[bearing.waviness]]\nrace = \"inner\"\norder = 9\namplitude = \"2 um\"\n";

Model read(const std::string& text) {
  ProblemList problems;
  Model model = sample::read(text, problems);
  EXPECT_EQ(problems.text(), "");
  return model;
}

std::string problems_of(const std::string& text) {
  ProblemList problems;
  sample::read(text, problems);
  return problems.text();
}

TEST(BearingFaults, BecomeUnevenRaces) {
  const Model model = read(bearing_with(spall + waves));
  const std::vector<SpallModel> spalls = spalls_of(model.bearings[0]);
  ASSERT_EQ(spalls.size(), 1u);
  EXPECT_EQ(spalls[0].race, Race::outer);
  EXPECT_NEAR(spalls[0].angle, -M_PI / 2, 1e-15);
  EXPECT_NEAR(spalls[0].extent, 1e-3, 1e-18);
  const std::vector<WavinessModel> wavy = waves_of(model.bearings[0]);
  ASSERT_EQ(wavy.size(), 1u);
  EXPECT_EQ(wavy[0].order, 9);
  EXPECT_EQ(model.ground.geometry[0].settings.numbers("spalls").size(), 3u);
  EXPECT_TRUE(model.ground.geometry[0].settings.numbers("waves").empty());
  EXPECT_EQ(model.bodies[0].geometry[0].settings.numbers("waves"), (std::vector<double>{9, 2e-6, 0}));
}

TEST(BearingFaults, AreWrittenAndCompared) {
  const Model model = read(bearing_with(spall + waves));
  const Model again = read(write_model(model));
  EXPECT_TRUE(same_model(model, again));
  EXPECT_EQ(spalls_of(again.bearings[0]).size(), 1u);
  EXPECT_FALSE(same_model(model, read(bearing_with(waves))));
  std::string deeper = spall;
  deeper.replace(deeper.find("0.1 mm"), 6, "0.2 mm");
  EXPECT_FALSE(same_model(model, read(bearing_with(deeper + waves))));
}

TEST(BearingFaults, ThatCannotBeAreRefused) {
  const auto changed = [](std::string text, const std::string& from, const std::string& to) {
    return text.replace(text.find(from), from.size(), to);
  };
  EXPECT_THAT(problems_of(bearing_with(changed(spall, "\"1 mm\"", "\"70 mm\""))),
              AllOf(HasSubstr("bearing.left.spall[1].extent"), HasSubstr("less than half of the outer race")));
  EXPECT_THAT(problems_of(bearing_with(changed(spall, "0.1 mm", "3 mm"))), HasSubstr("half the radius of a ball"));
  EXPECT_THAT(problems_of(bearing_with(changed(spall, "\"outer\"", "\"middle\""))),
              AllOf(HasSubstr("race"), HasSubstr("inner")));
  EXPECT_THAT(problems_of(bearing_with(changed(spall, "depth = \"0.1 mm\"\n", ""))), HasSubstr("depth"));
  EXPECT_THAT(problems_of(bearing_with(spall + spall)), HasSubstr("another spall of the outer race"));
  EXPECT_THAT(problems_of(bearing_with(changed(waves, "order = 9", "order = 1"))), HasSubstr("order"));
  EXPECT_THAT(problems_of(bearing_with(changed(waves, "2 um", "2 mm"))), HasSubstr("bottom of every wave"));
  EXPECT_THAT(problems_of(bearing_with(changed(waves, "2 um", "20 um"), "nonsmooth")),
              AllOf(HasSubstr("rigid waves"), HasSubstr("compliant")));
  EXPECT_THAT(problems_of(bearing_with("spall = 3\n")), HasSubstr("write [[bearing.spall]] above each of them"));
}

}  // namespace
}  // namespace carom
