#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include <nlohmann/json.hpp>

#include "command_line.h"

// What spalls and waves of a race do to a shaft, against what kinematics says of them.
namespace carom::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// Nine balls of 9.525 mm on a circle of 46 mm: γ = 0.20707. A shaft of 50 turns a second.
constexpr double turns = 50, ratio = 9.525 / 46, outer_passes = 9 * turns * (1 - ratio) / 2,
                 inner_passes = 9 * turns * (1 + ratio) / 2, cage_turns = turns * (1 - ratio) / 2;

std::string bearing_with(const std::string& fault) {
  return R"toml([model]
plane = "xy"
[material.steel]
young   = "207 GPa"
poisson = 0.3
density = "7800 kg/m^3"
[contact.races]
restitution   = 0.7
friction      = { law = "tanh", coefficient = 0.05, slip_scale = "0.05 m/s" }
minimum_speed = "0.1 m/s"
[[body]]
name    = "shaft"
mass    = "1 kg"
inertia = "1e-4 kg m^2"
[[motion]]
body      = "shaft"
component = "angle"
speed     = "3000 rpm"
[[force]]
name  = "load"
type  = "force"
body  = "shaft"
force = [0, "-1 kN"]
[[bearing]]
name                = "main"
bodies              = ["ground", "shaft"]
at                  = [0, 0]
balls               = 9
pitch_diameter      = "46 mm"
ball_diameter       = "9.525 mm"
conformity          = 0.52
diametric_clearance = "4 um"
material            = "steel"
contact             = "races"
angle               = "-90 deg"
[bearing.cage]
type      = "springs"
stiffness = "1e5 N/m"
damping   = "5 N s/m"
)toml" + fault +
         R"toml(
[solver]
end        = "0.3 s"
integrator = "bdf"
tolerance  = 1e-6
[output]
every = "40 us"
)toml";
}

nlohmann::json envelope_of(const Folder& folder, const std::string& model, const std::vector<std::string>& more) {
  folder.write("bearing.toml", model);
  const Outcome run = carom(folder, {"run", "bearing.toml", "-o", "bearing.h5", "--quiet"});
  EXPECT_EQ(run.code, 0) << run.err;
  std::vector<std::string> words = {"motion", "bearing.h5", "body:shaft.ay", "--envelope", "--bearing",
                                    "main",   "--from",     "0.05s",         "--json"};
  words.insert(words.end(), more.begin(), more.end());
  const Outcome told = carom(folder, words);
  EXPECT_EQ(told.code, 0) << told.err;
  return nlohmann::json::parse(told.out);
}

nlohmann::json mark_named(const nlohmann::json& report, const std::string& name) {
  for (const auto& mark : report["marks"])
    if (mark["name"] == name) return mark;
  return {};
}

double strongest(const nlohmann::json& report) {
  double frequency = 0, amplitude = 0;
  for (const auto& line : report["frequencies"]) {
    if (line["amplitude"] > amplitude) amplitude = line["amplitude"], frequency = line["frequency"];
  }
  return frequency;
}

TEST(BearingFaults, SpallOfTheOuterRaceSoundsAtItsFrequency) {
  const Folder folder;
  const auto report = envelope_of(folder, bearing_with(R"toml([[bearing.spall]]
race   = "outer"
angle  = "-90 deg"
extent = "1.5 mm"
depth  = "0.1 mm"
)toml"),
                                  {});
  const auto mark = mark_named(report, "BPFO");
  EXPECT_NEAR(mark["expected"], outer_passes, 1e-6 * outer_passes);
  EXPECT_NEAR(mark["frequency"], outer_passes, 5e-3 * outer_passes);
  EXPECT_EQ(mark["side_bands"], 0) << "it stands under the load";
  const double line = strongest(report), order = std::round(line / outer_passes);
  EXPECT_GE(order, 1);
  EXPECT_NEAR(line, order * outer_passes, 5e-3 * line) << "the strongest line is one of the spall's";
}

// It goes round the load once a turn.
TEST(BearingFaults, SpallOfTheInnerRaceHasSideBandsOfTheShaft) {
  const Folder folder;
  const auto report = envelope_of(folder, bearing_with(R"toml([[bearing.spall]]
race   = "inner"
extent = "1.5 mm"
depth  = "0.1 mm"
)toml"),
                                  {});
  const auto mark = mark_named(report, "BPFI");
  EXPECT_NEAR(mark["expected"], inner_passes, 1e-6 * inner_passes);
  EXPECT_NEAR(mark["frequency"], inner_passes, 5e-3 * inner_passes);
  EXPECT_NEAR(mark["side_bands"], turns, 1e-6);
  EXPECT_GT(mark["lower"], 0.2 * mark["amplitude"].get<double>());
  EXPECT_GT(mark["upper"], 0.2 * mark["amplitude"].get<double>());
  EXPECT_NEAR(mark_named(report, "FTF")["expected"], cage_turns, 1e-6 * cage_turns);
}

// A ring that is pressed on all balls alike feels waves of order nZ ± 1 alone.
TEST(BearingFaults, WavesExciteTheHarmonicsOfTheory) {
  const Folder folder;
  const auto swing = [&](const std::string& race, int order) {
    std::string model = bearing_with("[[bearing.waviness]]\nrace = \"" + race + "\"\norder = " + std::to_string(order) +
                                     "\namplitude = \"1 um\"\n");
    const auto change = [&](const std::string& from, const std::string& to) {
      model.replace(model.find(from), from.size(), to);
    };
    change("\"4 um\"", "\"-20 um\"");
    change("[0, \"-1 kN\"]", "[0, 0]");
    folder.write("waves.toml", model);
    const Outcome run = carom(folder, {"run", "waves.toml", "-o", "waves.h5", "--quiet"});
    EXPECT_EQ(run.code, 0) << run.err;
    const Outcome told =
        carom(folder, {"motion", "waves.h5", "body:shaft.y", "--period", "0.02s", "--from", "0.1s", "--json"});
    EXPECT_EQ(told.code, 0) << told.err;
    const auto report = nlohmann::json::parse(told.out);
    std::pair<double, double> largest;  // amplitude, frequency
    for (const auto& line : report["frequencies"])
      largest = std::max(largest, {line["amplitude"].get<double>(), line["frequency"].get<double>()});
    return largest;
  };
  const auto outer = swing("outer", 10), inner_above = swing("inner", 10), inner_below = swing("inner", 8),
             other = swing("outer", 12);
  EXPECT_NEAR(outer.second, outer_passes, 5e-3 * outer_passes);
  EXPECT_NEAR(inner_above.second, inner_passes + turns, 5e-3 * inner_passes);
  EXPECT_NEAR(inner_below.second, inner_passes - turns, 5e-3 * inner_passes);
  for (const auto& excited : {outer, inner_above, inner_below}) {
    // The shaft goes to where the forces of all balls cancel: by the amplitude of the waves.
    EXPECT_NEAR(excited.first, 1e-6, 5e-8);
  }
  EXPECT_LT(other.first, 1e-10);
}

// The same bearing in space: its axis keeps its direction, and the shaft is driven through two slides.
std::string in_space(std::string model) {
  const auto change = [&](const std::string& from, const std::string& to) {
    model.replace(model.find(from), from.size(), to);
  };
  change("plane = \"xy\"", "gravity = [0, 0, 0]");
  change("inertia = \"1e-4 kg m^2\"", "inertia = [1e-4, 1e-4, 1e-4]\nangular_velocity = [0, 0, \"3000 rpm\"]");
  change("body      = \"shaft\"\ncomponent = \"angle\"", "joint = \"turn\"");
  change("[0, \"-1 kN\"]", "[0, \"-1 kN\", 0]");
  change("at                  = [0, 0]", "at = [0, 0, 0]\naxis = [0, 0, 1]\ndetail = \"dynamic\"");
  change("every = \"40 us\"", "every = \"40 us\"\nrecord = [\"body:shaft\", \"bearing:main\"]");
  return model + R"toml(
[[body]]
name    = "sideways"
mass    = 1e-3
inertia = [1e-6, 1e-6, 1e-6]
[[body]]
name    = "upright"
mass    = 1e-3
inertia = [1e-6, 1e-6, 1e-6]
[[joint]]
name   = "sideways"
type   = "prismatic"
bodies = ["ground", "sideways"]
at     = [0, 0, 0]
axis   = [1, 0, 0]
[[joint]]
name   = "upright"
type   = "prismatic"
bodies = ["sideways", "upright"]
at     = [0, 0, 0]
axis   = [0, 1, 0]
[[joint]]
name   = "turn"
type   = "revolute"
bodies = ["upright", "shaft"]
at     = [0, 0, 0]
axis   = [0, 0, 1]
)toml";
}

constexpr double element_turns = turns * (1 - ratio * ratio) / (2 * ratio);

// It strikes both races, twice a turn.
TEST(BearingFaults, SpallOfABallSoundsTwiceATurn) {
  const Folder folder;
  const auto report =
      envelope_of(folder, bearing_with("[[bearing.spall]]\nball = 1\nextent = \"1.5 mm\"\ndepth = \"0.1 mm\"\n"), {});
  const auto mark = mark_named(report, "2 BSF");
  EXPECT_NEAR(mark["expected"], 2 * element_turns, 1e-6 * element_turns);
  EXPECT_NEAR(mark["frequency"], 2 * element_turns, 1e-2 * element_turns);
  EXPECT_NEAR(mark["side_bands"], cage_turns, 1e-6);
  EXPECT_NEAR(strongest(report), 2 * element_turns, 1e-2 * element_turns);
}

// Minutes long.
TEST(BearingFaults, DISABLED_SpallsInSpaceSoundAsInThePlane) {
  struct Case {
    std::string where, mark;
    double frequency, side_bands;
  };
  for (const auto& [where, name, frequency, side_bands] :
       {Case{"race = \"outer\"\nangle = \"-90 deg\"", "BPFO", outer_passes, 0},
        {"race = \"inner\"", "BPFI", inner_passes, turns},
        {"ball = 1", "2 BSF", 2 * element_turns, cage_turns}}) {
    const Folder folder;
    const std::string fault = "[[bearing.spall]]\n" + where + "\nextent = \"1.5 mm\"\ndepth = \"0.1 mm\"\n";
    const auto report = envelope_of(folder, in_space(bearing_with(fault)), {});
    const auto mark = mark_named(report, name);
    EXPECT_NEAR(mark["expected"], frequency, 1e-6 * frequency) << name;
    EXPECT_NEAR(mark["frequency"], frequency, 5e-3 * frequency) << name;
    EXPECT_NEAR(mark["side_bands"], side_bands, 1e-6) << name;
    double largest = 0;
    for (const auto& each : report["marks"]) {
      if (each["name"] != "shaft") largest = std::max(largest, each["amplitude"].get<double>());
    }
    EXPECT_EQ(mark["amplitude"].get<double>(), largest) << name << " is the fault that sounds";
  }
}

}  // namespace
}  // namespace carom::cli
