#include <cmath>
#include <map>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "command_line.h"

// carom life and carom wear, as a user sees them.
namespace carom::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

// A block that is pushed along a table at 0.5 m/s under 200 N, to and fro.
std::string table(const std::string& method) {
  return "[model]\nplane = \"xy\"\ngravity = [0, -10]\n[[ground.geometry]]\nshape = \"plane\"\n"
         "[material.bronze]\nyoung = \"100 GPa\"\npoisson = 0.3\nhardness = \"1 GPa\"\nwear_coefficient = 1e-3\n"
         "[material.steel]\nyoung = \"210 GPa\"\npoisson = 0.3\nhardness = \"4 GPa\"\nwear_coefficient = 1e-4\n"
         "[contact.skin]\nrestitution = 0.9\nlaw = \"hunt-crossley\"\n"
         "[[body]]\nname = \"ball\"\nmass = 20\ninertia = 1\nposition = [0, 0.1]\n"
         "geometry = [{ shape = \"sphere\", radius = 0.1 }]\n"
         "[[pair]]\nname = \"floor\"\nbodies = [\"ball\", \"ground\"]\ncontact = \"skin\"\n"
         "materials = [\"bronze\", \"steel\"]\nallow_initial_penetration = true\n"
         "[[motion]]\nname = \"push\"\nbody = \"ball\"\ncomponent = \"x\"\nposition = \"=0.5*t\"\n"
         "[[motion]]\nname = \"hold\"\nbody = \"ball\"\ncomponent = \"angle\"\nposition = 0\n"
         "[solver]\nend = 1\nmethod = \"" +
         method + "\"\n" + (method == "nonsmooth" ? "step = 1e-3\n" : "") + "[output]\nevery = 1e-2\n";
}

// A pin that turns in its bearing under a steady load of 1000 N: the load stands, the bearing gets a groove.
std::string pin(const std::string& method) {
  return "[model]\nplane = \"xy\"\ngravity = [0, -10]\n"
         "[material.steel]\nyoung = \"210 GPa\"\npoisson = 0.3\nhardness = \"2 GPa\"\nwear_coefficient = 1e-4\n"
         "[[body]]\nname = \"shaft\"\nmass = 100\ninertia = 0.1\nposition = [0, -0.1e-3]\n"
         "[contact.dry]\nrestitution = 0\nlaw = \"marhefka-orin\"\ndamping = 5\n"
         "[[joint]]\nname = \"pin\"\ntype = \"revolute\"\nbodies = [\"ground\", \"shaft\"]\nat = [0, 0]\n"
         "[joint.clearance]\nradial = \"0.1 mm\"\nbearing_diameter = \"20 mm\"\nlength = \"25 mm\"\n"
         "materials = [\"steel\", \"steel\"]\ncontact = \"dry\"\n"
         "[[motion]]\nname = \"turn\"\nbody = \"shaft\"\ncomponent = \"angle\"\nposition = \"=20*t\"\n"
         "[solver]\nend = 0.3141592653589793\nmethod = \"" +
         method + "\"\n" + (method == "nonsmooth" ? "step = 1e-4\n" : "") + "[output]\nevery = 1e-3\n";
}

class LifeAndWear : public testing::Test {
 protected:
  void run(const std::string& text) {
    folder_.write("m.toml", text);
    const Outcome outcome = carom(folder_, {"run", "m.toml", "-o", "m.h5", "--quiet"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
  }
  nlohmann::json json(std::vector<std::string> words) {
    words.push_back("--json");
    const Outcome outcome = carom(folder_, words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return nlohmann::json::parse(outcome.out, nullptr, false);
  }
  Folder folder_;
};

// A load of 2000 N on a bearing 6205 at 1500 rpm, worked by hand: C = 14 026 N from the geometry; (C/P)³ = 344.9
// million revolutions; 3832 h; a1 = 0.25 in the standard's table for 99 %.
TEST_F(LifeAndWear, RatingLifeWorkedByHand) {
  run(replaced(pendulum, "torque = \"=0.1*sin(t)\"", "torque = \"=2000\""));
  const std::vector<std::string> bearing = {
      "life", "m.h5", "energy.supplied", "--balls", "9", "--ball-diameter", "7.938mm", "--pitch-diameter", "39.04mm"};
  const Outcome unit = carom(folder_, bearing);
  EXPECT_EQ(unit.code, 2);
  EXPECT_THAT(unit.err, HasSubstr("a load in N"));
  folder_.write("load.toml",
                "[model]\nplane = \"xy\"\ngravity = [0, -10]\n[[body]]\nname = \"weight\"\nmass = 200\ninertia = 1\n"
                "[[joint]]\nname = \"hold\"\ntype = \"fixed\"\nbodies = [\"ground\", \"weight\"]\nat = [0, 0]\n"
                "[solver]\nend = 1\n[output]\nevery = 0.1\n");
  ASSERT_EQ(carom(folder_, {"run", "load.toml", "-o", "l.h5", "--quiet"}).code, 0);
  const auto life = json({"life", "l.h5", "joint:hold.fx", "joint:hold.fy", "--balls", "9", "--ball-diameter",
                          "7.938mm", "--pitch-diameter", "39.04mm", "--speed", "1500rpm", "--reliability", "0.99"});
  EXPECT_NEAR(life.at("dynamic_rating").get<double>(), 14026, 1);
  EXPECT_NEAR(life.at("equivalent_load").get<double>(), 2000, 1e-6);
  EXPECT_NEAR(life.at("L10").get<double>(), 344.9e6, 0.2e6);
  EXPECT_NEAR(life.at("L10h").get<double>(), 3832, 2);
  EXPECT_NEAR(life.at("Lnm").get<double>() / life.at("L10").get<double>(), 0.25, 0.005);
  const auto catalogue = json({"life", "l.h5", "joint:hold.fy", "--rating", "14 kN"});
  EXPECT_NEAR(catalogue.at("L10").get<double>(), 343e6, 1e-3 * 343e6);
  EXPECT_THAT(carom(folder_, {"life", "l.h5", "joint:hold.fy", "--rating", "3 kN"}).out, HasSubstr("above C/2"));
}

// The example of ASTM E1049-85, figure 6: a body that is driven through the peaks and valleys.
TEST_F(LifeAndWear, CountsTheExampleOfTheStandard) {
  run("[model]\nplane = \"xy\"\n[[body]]\nname = \"b\"\nmass = 1\ninertia = 1\nposition = [-2, 0]\n"
      "[[motion]]\nname = \"drive\"\nbody = \"b\"\ncomponent = \"x\"\n"
      "position = { table = [[0, -2], [1, 1], [2, -3], [3, 5], [4, -1], [5, 3], [6, -4], [7, 4], [8, -2]], "
      "interpolation = \"linear\" }\n"
      "[[motion]]\nname = \"y\"\nbody = \"b\"\ncomponent = \"y\"\nposition = 0\n"
      "[[motion]]\nname = \"a\"\nbody = \"b\"\ncomponent = \"angle\"\nposition = 0\n"
      "[solver]\nanalysis = \"kinematic\"\nend = 8\n[output]\nevery = 0.25\n");
  const auto counted = json({"life", "m.h5", "body:b.x"}).at("cycles");
  std::map<int, double> by_range;
  for (const auto& cycle : counted)
    by_range[static_cast<int>(std::lround(cycle.at("range").get<double>()))] += cycle.at("count").get<double>();
  EXPECT_THAT(by_range, testing::ElementsAre(testing::Pair(3, 0.5), testing::Pair(4, 1.5), testing::Pair(6, 0.5),
                                             testing::Pair(8, 1.0), testing::Pair(9, 0.5)));
}

TEST_F(LifeAndWear, LifeRefusesWhatDoesNotFit) {
  run(pendulum);
  const Outcome name = carom(folder_, {"life", "m.h5", "joint:pivot.fz"});
  EXPECT_EQ(name.code, 2);
  EXPECT_THAT(name.err, HasSubstr("did you mean"));
  for (const auto& [words, says] :
       std::vector<std::pair<std::vector<std::string>, std::string>>{{{"--rating", "14 kg"}, "--rating"},
                                                                     {{"--balls", "9"}, "--ball-diameter"},
                                                                     {{"--woehler", "100 N"}, "RANGE,CYCLES,EXPONENT"},
                                                                     {{"--speed", "fast"}, "--speed"},
                                                                     {{"--speed", "body:rod.x"}, "a quantity in rad/s"},
                                                                     {{"--stress"}, "no normal force of a contact"},
                                                                     {{"--from", "7 s"}, "two are needed"}}) {
    std::vector<std::string> all = {"life", "m.h5", "joint:pivot.fx"};
    all.insert(all.end(), words.begin(), words.end());
    const Outcome outcome = carom(folder_, all);
    EXPECT_EQ(outcome.code, 2) << says;
    EXPECT_THAT(outcome.err, HasSubstr(says));
  }
}

TEST_F(LifeAndWear, CyclesAreCountedAndDrawn) {
  run(pendulum);
  const Outcome outcome = carom(folder_, {"life", "m.h5", "joint:pivot.fx", "--woehler", "10 N,1e6,3", "-o", "bins.csv",
                                          "--plot", "life.svg", "--bins", "5"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("Palmgren and Miner"));
  const std::string bins = contents(folder_ / "bins.csv");
  EXPECT_EQ(std::count(bins.begin(), bins.end(), '\n'), 6);
  EXPECT_THAT(contents(folder_ / "life.svg"), HasSubstr("<svg"));
}

class Methods : public LifeAndWear, public testing::WithParamInterface<const char*> {};

// Archard: V = k F s/H with F = 200 N over 0.5 m: 100 mm³ × 1e-3 of bronze, 2.5e-3 mm³ of steel.
TEST_P(Methods, WearOfASlidingBlock) {
  run(table(GetParam()));
  const auto wear = json({"wear", "m.h5", "--cycles", "10"}).at("contacts").at(0);
  EXPECT_NEAR(wear.at("force_distance").get<double>(), 1000, 5);
  EXPECT_NEAR(wear.at("volumes").at(0).get<double>(), 1e-3 / 1e9 * 1000, 5e-12);
  EXPECT_NEAR(wear.at("volumes").at(1).get<double>(), 1e-4 / 4e9 * 1000, 2e-13);
}

// A load that stands: 100 kg on a journal of 9.9 mm that turns once wear the bearing at 270°, the journal all around.
TEST_P(Methods, WearOfATurningPin) {
  run(pin(GetParam()));
  const auto wear = json({"wear", "m.h5", "--cycles", "1000"}).at("contacts").at(0);
  const double work = 1000.0 * 1000 * 2 * M_PI * 9.9e-3, rate = 1e-4 / 2e9;
  EXPECT_NEAR(wear.at("force_distance").get<double>(), work, 0.01 * work);
  EXPECT_NEAR(wear.at("bearing_angle").get<double>(), 1.5 * M_PI, 0.1);
  const double even = rate * work / (2 * M_PI * 9.9e-3 * 0.025);
  // At the start the pin falls through its clearance, and knocks.
  EXPECT_NEAR(wear.at("journal_depth").get<double>(), even, (GetParam() == std::string("compliant") ? 1 : 0.4) * even);
  EXPECT_GT(wear.at("bearing_depth").get<double>(), 10 * even);
  EXPECT_THAT(carom(folder_, {"wear", "m.h5", "--plot", "w.svg", "-o", "w.csv"}).out, HasSubstr("worn most at 270°"));
}

// In blocks the clearance grows by what is worn; a study that was interrupted goes on.
TEST_P(Methods, ClearancesGrowInBlocks) {
  folder_.write("m.toml", pin(GetParam()));
  const std::vector<std::string> words = {"wear", "m.toml", "--blocks", "3",      "--cycles", "3e4",
                                          "-o",   "b.csv",  "--quiet",  "--plot", "b.svg"};
  const Outcome outcome = carom(folder_, words);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const std::string whole = contents(folder_ / "b.csv");
  EXPECT_EQ(std::count(whole.begin(), whole.end(), '\n'), 5);
  // After the second block the power went out, in the middle of a row.
  const auto third = whole.find("\n3,");
  folder_.write("b.csv", whole.substr(0, third + 6));
  EXPECT_EQ(carom(folder_, words).code, 0);
  EXPECT_EQ(contents(folder_ / "b.csv"), whole);
  auto other = words;
  other[3] = "4";
  const Outcome refused = carom(folder_, other);
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, HasSubstr("a table of something else"));
  const auto blocks = json({"wear", "m.toml", "--blocks", "3", "--cycles", "3e4"}).at("blocks");
  for (std::size_t k = 1; k < 3; ++k) {
    const auto &before = blocks.at(k - 1), &now = blocks.at(k);
    EXPECT_NEAR(now.at("clearance").get<double>(),
                before.at("clearance").get<double>() + before.at("bearing_growth").get<double>() +
                    before.at("journal_growth").get<double>(),
                1e-15);
  }
}

INSTANTIATE_TEST_SUITE_P(Both, Methods, testing::Values("compliant", "nonsmooth"));

// Also where the model is written as it was said, because it has a grid.
TEST_F(LifeAndWear, ResultsOfBlocksHoldTheirClearances) {
  for (const std::string grid : {"", "[body.grid]\ncount = [2, 1]\nspacing = [1, 1]\n"}) {
    const std::string nut = "[[body]]\nname = \"nut\"\nmass = 1\ninertia = 1\nposition = [5, 0]\n" + grid;
    folder_.write("m.toml", replaced(pin("nonsmooth"), "[contact.dry]", nut + "[contact.dry]"));
    const Outcome outcome =
        carom(folder_, {"wear", "m.toml", "--blocks", "2", "--cycles", "3e4", "--results", "blocks", "--quiet"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const std::string first = contents(folder_ / "blocks/block_001.h5"),
                      second = contents(folder_ / "blocks/block_002.h5");
    EXPECT_THAT(first, HasSubstr("\nradial = 0.0001\n"));
    EXPECT_THAT(second, HasSubstr("\nradial = 0.0001"));
    EXPECT_THAT(second, Not(HasSubstr("\nradial = 0.0001\n")));
    EXPECT_EQ(second.find("[body.grid]") != std::string::npos, !grid.empty());
  }
}

TEST_F(LifeAndWear, WearSaysWhatIsMissing) {
  run(replaced(pin("nonsmooth"), "wear_coefficient = 1e-4\n", ""));
  EXPECT_THAT(carom(folder_, {"wear", "m.h5"}).out, HasSubstr("give `wear_coefficient` in [material.steel]"));
  const Outcome blocks = carom(folder_, {"wear", "m.toml", "--blocks", "2", "--quiet"});
  EXPECT_EQ(blocks.code, 2);
  EXPECT_THAT(blocks.err, HasSubstr("give `wear_coefficient` in [material.steel]"));
  run(replaced(pin("nonsmooth"), "length = \"25 mm\"\n", ""));
  EXPECT_THAT(carom(folder_, {"wear", "m.h5"}).out, HasSubstr("give `length` in its [joint.clearance]"));
  run(replaced(pin("nonsmooth"), "every = 1e-3", "every = 1e-3\nrecord = [\"body:*\"]"));
  const Outcome recorded = carom(folder_, {"wear", "m.h5"});
  EXPECT_EQ(recorded.code, 2);
  EXPECT_THAT(recorded.err, HasSubstr("add \"joint:pin\" to `record`"));
  const Outcome model = carom(folder_, {"wear", "m.toml"});
  EXPECT_EQ(model.code, 2);
  EXPECT_THAT(model.err, HasSubstr("--blocks"));
  const Outcome name = carom(folder_, {"wear", "m.h5", "joint:bin"});
  EXPECT_EQ(name.code, 2);
  EXPECT_THAT(name.err, HasSubstr("did you mean joint:pin?"));
}

}  // namespace
}  // namespace carom::cli
