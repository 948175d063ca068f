#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "command_line.h"

// Order and chaos, of one result and in studies.
namespace carom::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;

const std::string examples = std::string(CAROM_SOURCE_DIR) + "/examples/";

TEST(Motion, TellsTheKindOfAResult) {
  const Folder folder;
  ASSERT_EQ(carom(folder, {"run", examples + "shaken_table.toml", "-o", "table.h5"}).code, 0);
  const Outcome regular = carom(folder, {"motion", "table.h5", "body:ball.vy", "--period", "0.1s", "--from", "2s"});
  ASSERT_EQ(regular.code, 0) << regular.err;
  EXPECT_THAT(regular.out, AllOf(HasSubstr("periodic"), HasSubstr("repeats after 1 turns"), HasSubstr("10 Hz")));
  const Outcome map = carom(folder, {"motion", "table.h5", "body:ball.y", "--event", "contact:bounce", "--json",
                                     "--plot", "map.svg", "-x", "body:table.y"});
  ASSERT_EQ(map.code, 0) << map.err;
  EXPECT_THAT(map.out, HasSubstr("\"points\": 50"));
  EXPECT_THAT(contents(folder / "map.svg"), HasSubstr("<svg"));
}

TEST(Motion, RefusesWhatItCannotTell) {
  const Folder folder;
  folder.write("model.toml", pendulum);
  ASSERT_EQ(carom(folder, {"run", "model.toml", "-o", "run.h5"}).code, 0);
  EXPECT_THAT(carom(folder, {"motion", "run.h5", "body:rod.y"}).err, HasSubstr("--period, --event or --crossing"));
  const Outcome few = carom(folder, {"motion", "run.h5", "body:rod.y", "--period", "0.5"});
  EXPECT_EQ(few.code, 1);
  EXPECT_THAT(few.err, HasSubstr("too few"));
  const Outcome unknown = carom(folder, {"motion", "run.h5", "body:rot.y", "--period", "0.1"});
  EXPECT_NE(unknown.code, 0);
  EXPECT_THAT(unknown.err, HasSubstr("body:rod.y"));
  EXPECT_EQ(carom(folder, {"motion", "run.h5", "body:rod.y", "--crossing", "body:rod.x", "--level", "3 N"}).code, 2);
}

// A force (1 + 0.4 (1 + 0.5 cos 2π 5 t) cos 2π 30 t) cos 2π 1000 t, and a slow hum that is louder.
const std::string modulated = R"toml([model]
plane = "xy"
gravity = [0, 0]
[[body]]
name = "block"
mass = "2 kg"
inertia = 1
[[force]]
name = "hum"
type = "force"
body = "block"
force = ["=8[N]*(1 + 0.4*cos(2*pi*30[Hz]*t)*(1 + 0.5*cos(2*pi*5[Hz]*t)))*cos(2*pi*1000[Hz]*t) + 20[N]*cos(2*pi*50[Hz]*t)", 0]
[solver]
end = 1
[output]
every = "0.2 ms"
)toml";

TEST(Motion, EnvelopeHasTheLinesOfWhatIsModulated) {
  const Folder folder;
  folder.write("hum.toml", modulated);
  ASSERT_EQ(carom(folder, {"run", "hum.toml", "-o", "hum.h5"}).code, 0);
  const Outcome told = carom(folder, {"motion", "hum.h5", "body:block.ax", "--envelope", "--band", "800Hz,1200Hz",
                                      "--mark", "fault=30Hz,5Hz", "--mark", "nothing=77Hz", "--json"});
  ASSERT_EQ(told.code, 0) << told.err;
  const auto json = nlohmann::json::parse(told.out);
  const auto& fault = json["marks"][0];
  EXPECT_NEAR(fault["frequency"], 30, 1e-3);
  EXPECT_NEAR(fault["amplitude"], 1.6, 2e-3);  // 8 N · 0.4/2 kg
  EXPECT_NEAR(fault["lower"], 0.4, 1e-3);      // … · 0.5/2
  EXPECT_NEAR(fault["upper"], 0.4, 1e-3);
  EXPECT_EQ(json["marks"][1]["amplitude"], 0);
  EXPECT_EQ(json["frequencies"].size(), 3u);
  EXPECT_EQ(json["frequencies"][0]["name"], "fault − 5 Hz");
  const Outcome text = carom(folder, {"motion", "hum.h5", "body:block.ax", "--envelope", "--mark", "fault=30Hz,5Hz",
                                      "--plot", "envelope.svg", "--up-to", "100Hz"});
  ASSERT_EQ(text.code, 0) << text.err;
  EXPECT_THAT(text.out, AllOf(HasSubstr("chosen by its kurtosis"), HasSubstr("1.6 m/s^2 at 30 Hz"),
                              HasSubstr("35 Hz: 0.4 m/s^2, fault + 5 Hz")));
  EXPECT_THAT(contents(folder / "envelope.svg"), HasSubstr("fault 30 Hz"));
}

TEST(Motion, EnvelopeRefusesWhatCannotBe) {
  const Folder folder;
  folder.write("hum.toml", modulated);
  ASSERT_EQ(carom(folder, {"run", "hum.toml", "-o", "hum.h5"}).code, 0);
  const auto refused = [&](std::vector<std::string> more) {
    std::vector<std::string> words = {"motion", "hum.h5", "body:block.ax", "--envelope"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = carom(folder, words);
    EXPECT_NE(outcome.code, 0);
    return outcome.err;
  };
  EXPECT_THAT(refused({"--bearing", "main"}), AllOf(HasSubstr("has no [[bearing]]"), HasSubstr("--mark")));
  EXPECT_THAT(refused({"--band", "3kHz,4kHz"}), AllOf(HasSubstr("within the 2500 Hz"), HasSubstr("every")));
  EXPECT_THAT(refused({"--band", "3kHz"}), HasSubstr("LOW,HIGH"));
  EXPECT_THAT(refused({"--mark", "30Hz"}), HasSubstr("NAME=FREQUENCY"));
  EXPECT_THAT(refused({"--to", "20ms"}), HasSubstr("too few"));
  EXPECT_NE(refused({"--period", "1s"}), "");
}

// A pendulum that is driven weakly settles as exp(−0.025 t); one that is driven hard is chaotic.
TEST(Motion, StudiesTellOrderFromChaos) {
  const Folder folder;
  folder.write("study.toml", "[study]\nmodel = \"" + examples + R"toml(driven_pendulum.toml"
[[vary]]
parameter = "drive"
values = [0.1, 0.6]
[[vary]]
parameter = "turns"
values = [150]
[steady]
period = "=2*pi/pace"
detect = true
[[quantity]]
name = "repeats"
of = "body:bob.omega"
reduce = "turns_to_repeat"
[[quantity]]
name = "exponent"
reduce = "lyapunov"
[[quantity]]
name = "error"
reduce = "lyapunov_error"
[[quantity]]
name = "lines"
of = "body:bob.omega"
reduce = "spectrum"
)toml");
  const Outcome outcome = carom(folder, {"study", "study.toml", "-o", "out"});
  ASSERT_EQ(outcome.code, 0) << outcome.err << contents(folder / "out.csv");
  const auto rows = [&] {
    std::istringstream text(contents(folder / "out.csv"));
    std::vector<std::vector<std::string>> all;
    for (std::string line; std::getline(text, line);) {
      std::istringstream parts(line);
      all.emplace_back();
      for (std::string part; std::getline(parts, part, ',');) all.back().push_back(part);
    }
    return all;
  }();
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0][6], "turns_dropped [1]");
  EXPECT_EQ(rows[0][8], "exponent [1/s]");
  const auto number = [&](int row, int column) { return std::stod(rows.at(row).at(column)); };
  // After n turns 0.8^n is left.
  EXPECT_GT(number(1, 6), 10);
  EXPECT_LT(number(1, 6), 50);
  EXPECT_EQ(number(1, 7), 1);
  EXPECT_NEAR(number(1, 8), -0.025, 0.001);
  EXPECT_GT(number(2, 8), 0.08);
  EXPECT_GT(number(2, 8), 2 * number(2, 9));
  EXPECT_THAT(contents(folder / "out_lines.csv"), HasSubstr("lines [rad/s]"));
}

// What a damper has taken away grows for ever.
TEST(Motion, StudiesTellThatNothingHasSettled) {
  const Folder folder;
  folder.write("study.toml", "[study]\nmodel = \"" + examples + R"toml(driven_pendulum.toml"
[steady]
period = "=2*pi/pace"
detect = true
[[quantity]]
name = "lost"
of = "energy.dissipated"
reduce = "final"
)toml");
  EXPECT_EQ(carom(folder, {"study", "study.toml", "-o", "out"}).code, 1);
  EXPECT_THAT(contents(folder / "out.csv"), HasSubstr("has not settled"));
}

}  // namespace
}  // namespace carom::cli
