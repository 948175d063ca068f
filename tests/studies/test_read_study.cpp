#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "../support/temporary_folder.h"
#include "studies/read_study.h"

namespace carom {
namespace {

using testing::HasSubstr;

constexpr const char* model = R"([model]
plane = "xy"
gravity = [0, -9.81]
[parameters]
length = "1 m"
speed = "60 rpm"
factor = 2
height = 0
[[body]]
name = "rod"
mass = 2
inertia = 0.1
position = ["=length/2", "=height"]
[[joint]]
name = "pivot"
type = "revolute"
bodies = ["ground", "rod"]
at = [0, 0]
[solver]
end = 1
[output]
every = 0.01
)";

struct Given {
  Study study;
  ProblemList problems;
};

Given given(const std::string& text) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "model.toml") << model;
  std::ofstream(folder.path() / "study.toml") << text;
  Given result;
  result.study = read_study(folder.path() / "study.toml", result.problems);
  return result;
}

const std::string head = "[study]\nmodel = \"model.toml\"\n";
const std::string quantity = "[[quantity]]\nname = \"top\"\nof = \"body:rod.y\"\nreduce = \"max\"\n";

std::string problems_of(const std::string& text) {
  return given(text).problems.text();
}

TEST(ReadStudy, TakesValuesRangesAndUnits) {
  const Given result =
      given(head +
            "[[vary]]\nparameter = \"length\"\nrange = { from = \"100 mm\", to = 1, count = 3, scale = \"log\" }\n"
            "[[vary]]\nparameter = \"speed\"\nvalues = [\"60 rpm\", 1]\n" +
            quantity + "[[quantity]]\nname = \"part\"\nvalue = \"=top/length\"\n");
  ASSERT_EQ(result.problems.text(), "");
  ASSERT_EQ(result.study.varied.size(), 2u);
  EXPECT_EQ(result.study.varied[0].unit, "m");
  EXPECT_EQ(result.study.varied[0].values.front(), 0.1);
  EXPECT_NEAR(result.study.varied[0].values[1], std::sqrt(0.1), 1e-15);
  EXPECT_EQ(result.study.varied[0].values.back(), 1);
  EXPECT_NEAR(result.study.varied[1].values[0], 2 * 3.14159265358979, 1e-12);
  EXPECT_EQ(result.study.quantities[0].unit, "m");
}

// A parameter without a unit may be given one by the study, one kind for all values.
TEST(ReadStudy, GivesAUnitToAPlainNumber) {
  const auto with = [](const std::string& values) {
    return given(head + "[[vary]]\nparameter = \"factor\"\nvalues = " + values + "\n" + quantity);
  };
  EXPECT_EQ(with("[\"2 mm\", 0.003]").problems.text(), "");
  EXPECT_EQ(with("[\"2 mm\", 0.003]").study.varied[0].unit, "m");
  EXPECT_THAT(with("[\"2 mm\", \"3 kg\"]").problems.text(), HasSubstr("found \"3 kg\"; expected a quantity in m"));
  EXPECT_EQ(with("[2, 3]").study.varied[0].unit, "");
}

TEST(ReadStudy, ThatUnitMustFitTheModel) {
  const std::string text = problems_of(head + "[[vary]]\nparameter = \"height\"\nvalues = [\"2 kg\"]\n" + quantity);
  EXPECT_THAT(text,
              HasSubstr("study.toml:3:1: error: vary.height: found values in kg; expected values that fit model.toml"));
  EXPECT_THAT(text,
              HasSubstr("body.rod.position: found \"=height\", which is in kg (parameter `height` in kg, replaced)"));
}

struct Mistake {
  const char *name, *text, *place, *message;
};

class Mistakes : public testing::TestWithParam<Mistake> {};

TEST_P(Mistakes, AreNamedWithTheirPlace) {
  const std::string text = problems_of(GetParam().text);
  EXPECT_THAT(text, HasSubstr(std::string("study.toml:") + GetParam().place));
  EXPECT_THAT(text, HasSubstr(GetParam().message));
}

#define HEAD "[study]\nmodel = \"model.toml\"\n"
#define VARY "[[vary]]\nparameter = \"length\"\nvalues = [1, 2]\n"
#define TRACE "[[quantity]]\nname = \"path\"\nof = \"body:rod.y\"\nreduce = \"trace\"\n"
#define QUANTITY "[[quantity]]\nname = \"top\"\nof = \"body:rod.y\"\nreduce = \"max\"\n"
INSTANTIATE_TEST_SUITE_P(
    All, Mistakes,
    testing::Values(
        Mistake{"UnknownParameter", HEAD "[[vary]]\nparameter = \"lenght\"\nvalues = [1]\n" QUANTITY, "4:13",
                "did you mean `length`?"},
        Mistake{"WrongUnit", HEAD "[[vary]]\nparameter = \"length\"\nvalues = [\"1 kg\"]\n" QUANTITY, "5:11",
                "vary.length.values: found \"1 kg\""},
        Mistake{"PeriodThatIsNoTime", HEAD VARY "[steady]\nperiod = \"=2*pi*speed\"\n" QUANTITY, "7:10",
                "found \"=2*pi*speed\", which is in 1/s; expected a time, or an expression over the parameters in s"},
        Mistake{"FormulaOfDifferentUnits",
                HEAD VARY QUANTITY "[[quantity]]\nname = \"b\"\nvalue = \"=length + speed\"\n", "12:18",
                "`+` stands between `length` (m) and `speed` (1/s)"},
        Mistake{"WrongUnitOfRange",
                HEAD "[[vary]]\nparameter = \"speed\"\nrange = { from = \"1 m\", to = 2, count = 3 }\n" QUANTITY,
                "5:18", "vary.speed.range.from"},
        Mistake{"EmptyList", HEAD "[[vary]]\nparameter = \"length\"\nvalues = []\n" QUANTITY, "5:10", "an empty list"},
        Mistake{"NothingToVaryOver", HEAD "[[vary]]\nparameter = \"length\"\n" QUANTITY, "3:1",
                "nothing to vary it over"},
        Mistake{"UnknownQuantity", HEAD "[[quantity]]\nname = \"top\"\nof = \"body:rod.z\"\nreduce = \"max\"\n", "5:6",
                "body:rod.z"},
        Mistake{"UnknownReduction", HEAD "[[quantity]]\nname = \"top\"\nof = \"body:rod.y\"\nreduce = \"maxx\"\n",
                "6:10", "quantity.top.reduce"},
        Mistake{"BadExpression", HEAD QUANTITY "[[quantity]]\nname = \"a\"\nvalue = \"=top/lenght\"\n", "9:15",
                "did you mean `length`?"},
        Mistake{"InfiniteExpression", HEAD VARY QUANTITY "[[quantity]]\nname = \"a\"\nvalue = \"=1/(length-2)\"\n",
                "12:9", "infinite in run 2"},
        Mistake{"LaterQuantity", HEAD "[[quantity]]\nname = \"a\"\nvalue = \"=2*top\"\n" QUANTITY, "5:13", "top"},
        Mistake{"TakenName", HEAD "[[quantity]]\nname = \"length\"\nof = \"body:rod.y\"\nreduce = \"max\"\n", "4:8",
                "which is taken"},
        Mistake{"UnknownKey", HEAD "sampels = 3\n" QUANTITY, "3:1", "did you mean `samples`?"},
        Mistake{"NoSamples", HEAD "sampling = \"sobol\"\n[[vary]]\nparameter = \"length\"\nvalues = [1]\n" QUANTITY,
                "1:1", "study.samples"},
        Mistake{"DistributionOnGrid",
                HEAD "[[vary]]\nparameter = \"length\"\ndistribution = { type = \"normal\", mean = 1, deviation = "
                     "0.1 }\n" QUANTITY,
                "3:1", "sampling = \"latin-hypercube\""},
        Mistake{"ListsOfTwoLengths",
                HEAD "sampling = \"list\"\n[[vary]]\nparameter = \"length\"\nvalues = [1, 2]\n[[vary]]\nparameter = "
                     "\"factor\"\nvalues = [1]\n" QUANTITY,
                "7:1", "as many as `length` has"},
        Mistake{"TurnsWithoutPeriod", HEAD "[steady]\nskip_turns = 2\n" QUANTITY, "3:1", "steady.period"},
        Mistake{"UnknownMethod", HEAD "method = \"nonsmoth\"\n" QUANTITY, "3:10", "did you mean `nonsmooth`?"},
        Mistake{"NameOfATableColumn", HEAD "[[quantity]]\nname = \"steps\"\nof = \"body:rod.y\"\nreduce = \"max\"\n",
                "4:8", "which is taken"},
        Mistake{"TurnsOfATraceWithoutPeriod", HEAD "[[quantity]]\nname = \"a\"\nof = \"turn\"\nreduce = \"trace\"\n",
                "5:6", "the `period` of a turn"},
        Mistake{"QuantityOfUnknownModel",
                HEAD "[[quantity]]\nname = \"a\"\nmodels = \"modle.toml\"\nof = \"body:rod.y\"\nreduce = \"max\"\n",
                "5:10", "did you mean `model.toml`?"},
        Mistake{"FigureWithoutName", HEAD QUANTITY "[[figure]]\ny = \"top\"\n", "7:1", "a name for the file"},
        Mistake{"FigureOfUnknownQuantity", HEAD VARY QUANTITY "[[figure]]\nname = \"a\"\ny = \"tip\"\n", "12:5",
                "did you mean `top`?"},
        Mistake{"FigureOfUnknownKind", HEAD VARY QUANTITY "[[figure]]\nname = \"a\"\nkind = \"galery\"\n", "12:8",
                "did you mean `gallery`?"},
        Mistake{"FigureOverUnknownParameter",
                HEAD VARY QUANTITY "[[figure]]\nname = \"a\"\ny = \"top\"\nx = \"lenght\"\n", "13:5",
                "did you mean `length`?"},
        Mistake{"FigureWhereNothingIs",
                HEAD VARY QUANTITY "[[figure]]\nname = \"a\"\ny = \"top\"\nwhere = { length = \"3 m\" }\n", "13:9",
                "a value that a run of this study has"},
        Mistake{"FigureWhereInAWrongUnit",
                HEAD VARY QUANTITY "[[figure]]\nname = \"a\"\ny = \"top\"\nwhere = { length = \"3 kg\" }\n", "13:9",
                "a quantity in m"},
        Mistake{"GalleryOfNumbers",
                HEAD VARY QUANTITY "[[figure]]\nname = \"a\"\nkind = \"gallery\"\ny = \"top\"\nx = \"top\"\n", "13:5",
                "a list of the study"},
        Mistake{"GalleryOfListsThatDiffer",
                HEAD VARY "[steady]\nperiod = 0.1\n" TRACE
                          "[[quantity]]\nname = \"once\"\nof = \"body:rod.x\"\nreduce = \"poincare\"\n"
                          "[[figure]]\nname = \"a\"\nkind = \"gallery\"\ny = \"path\"\nx = \"once\"\n",
                "20:5", "a list as \"path\" is"},
        Mistake{"MapOverOneParameter", HEAD VARY QUANTITY "[[figure]]\nname = \"a\"\nkind = \"map\"\ny = \"top\"\n",
                "10:1", "runs that differ in two parameters"},
        Mistake{"TwoFiguresOfOneName",
                HEAD VARY QUANTITY "[[figure]]\nname = \"a\"\ny = \"top\"\n[[figure]]\nname = \"a\"\ny = \"top\"\n",
                "10:1", "more than once"},
        Mistake{"CircleOfAnUnknownParameter",
                HEAD VARY TRACE "[[figure]]\nname = \"a\"\nkind = \"gallery\"\ny = \"path\"\nx = \"path\"\n"
                                "circle = \"=lenght/2\"\n",
                "15:10", "=lenght/2"},
        Mistake{"NoQuantity", HEAD, "1:1", "at least one [[quantity]]"}),
    [](const auto& test) { return test.param.name; });

// What is counted must be something that touches: a misspelt name would count nothing.
class Counted : public testing::Test {
 protected:
  static std::string problems_of_counting(const std::string& keys) {
    const TemporaryFolder folder;
    std::ofstream(folder.path() / "model.toml") << model << R"([[body]]
name = "ball"
mass = 1
inertia = 0.1
position = [3, 1]
[[body.geometry]]
shape = "sphere"
radius = 0.1
name = "left"
[[body.geometry]]
shape = "sphere"
radius = 0.1
name = "right"
position = [0.5, 0]
[[ground.geometry]]
shape = "plane"
name = "floor"
[contact.soft]
law = "hertz"
stiffness = 1e6
[[pair]]
name = "knock"
bodies = ["ball", "ground"]
contact = "soft"
)";
    std::ofstream(folder.path() / "study.toml") << head << "[[quantity]]\nname = \"hits\"\nreduce = \"count_events\"\n"
                                                << keys << "\n";
    ProblemList problems;
    read_study(folder.path() / "study.toml", problems);
    return problems.text();
  }
};

TEST_F(Counted, IsAnythingThatTouches) {
  for (const char* of :
       {"contact:knock", "contact:*", "contact:knock (ground.floor on ball.left)", "contact:knock (*", "*"})
    EXPECT_EQ(problems_of_counting(std::string("of = \"") + of + "\""), "") << of;
  EXPECT_EQ(problems_of_counting("of = \"contact:knock\"\nkind = \"touch\""), "");
}

TEST_F(Counted, IsNothingMisspelt) {
  EXPECT_THAT(problems_of_counting("of = \"contact:knok\""),
              HasSubstr("study.toml:6:6: error: quantity.hits.of: found \"contact:knok\", which is no contact of "
                        "model.toml; expected what touches, a joint with clearance or a [[pair]]"));
  EXPECT_THAT(problems_of_counting("of = \"contact:knok\""), HasSubstr("it has `contact:knock`"));
  EXPECT_THAT(problems_of_counting("of = \"contact:knock (ground.floor on ball.lift)\""),
              HasSubstr("it has `contact:knock (ground.floor on ball.left)`"));
  EXPECT_THAT(problems_of_counting("of = [\"contact:knock\", \"contact:knock point 7\"]"),
              HasSubstr("study.toml:6:24"));
}

// A mechanism without clearance beside those with: nothing knocks in it.
TEST_F(Counted, IsByAPatternWhatTouchesInOneOfTheModels) {
  const TemporaryFolder folder;
  std::ofstream(folder / "ideal.toml") << model;
  std::ofstream(folder / "loose.toml") << model << R"([[body]]
name = "ball"
mass = 1
inertia = 0.1
position = [3, 1]
[[body.geometry]]
shape = "sphere"
radius = 0.1
[[ground.geometry]]
shape = "plane"
[contact.soft]
law = "hertz"
stiffness = 1e6
[[pair]]
name = "knock"
bodies = ["ball", "ground"]
contact = "soft"
)";
  const auto problems_of = [&](const std::string& of) {
    std::ofstream(folder / "study.toml") << "[study]\nmodel = [\"loose.toml\", \"ideal.toml\"]\n[[quantity]]\nname = "
                                            "\"hits\"\nreduce = \"count_events\"\nof = \""
                                         << of << "\"\n";
    ProblemList problems;
    read_study(folder / "study.toml", problems);
    return problems.text();
  };
  EXPECT_EQ(problems_of("contact:*"), "");
  EXPECT_THAT(problems_of("contact:knok*"), HasSubstr("which is no contact of loose.toml"));
  // Whoever names one asks all models for it.
  EXPECT_THAT(problems_of("contact:knock"), HasSubstr("which is no contact of ideal.toml"));
}

// They are there, but nothing happens to them.
TEST_F(Counted, IsNoBodyAndNoJointWithoutClearance) {
  for (const char* of : {"body:ball", "joint:pivot"})
    EXPECT_THAT(problems_of_counting(std::string("of = \"") + of + "\""),
                HasSubstr(std::string("\"") + of + "\", which touches nothing in model.toml"));
}

TEST_F(Counted, IsOfAKindThatTheMethodHas) {
  EXPECT_THAT(problems_of_counting("of = \"contact:knock\"\nkind = \"tuoch\""), HasSubstr("did you mean `touch`?"));
  EXPECT_THAT(problems_of_counting("of = \"contact:knock\"\nkind = \"impact\""),
              HasSubstr("a kind of event: `touch` or `contact`"));
}

TEST(ReadStudy, PassesOnTheProblemsOfAModel) {
  EXPECT_THAT(problems_of("[study]\nmodel = \"other.toml\"\n" + quantity), HasSubstr("other.toml"));
}

TEST(ReadStudy, KnowsItselfAgain) {
  const std::string one = head + VARY + quantity;
  EXPECT_EQ(fingerprint(given(one).study), fingerprint(given(one).study));
  EXPECT_NE(fingerprint(given(one).study), fingerprint(given(one + "# more\n").study));
  // Figures can be changed without running anything again; what comes after them counts.
  const std::string figure = "[[figure]]\nname = \"a\"\ny = \"top\"\nwhere = { model = \"model.toml\" }\n";
  const Given drawn = given(one + figure);
  ASSERT_EQ(drawn.problems.text(), "");
  ASSERT_EQ(drawn.study.figures.size(), 1u);
  EXPECT_EQ(drawn.study.figures[0].where.at(0).second, std::vector<std::string>{"model.toml"});
  EXPECT_EQ(fingerprint(given(one).study), fingerprint(drawn.study));
  EXPECT_EQ(fingerprint(given(one).study), fingerprint(given(one + "\n" + figure).study));
  EXPECT_NE(fingerprint(given(one).study), fingerprint(given(one + figure + "[steady]\nfrom = 0.1\n").study));
}

// The files that a model includes are not part of its text.
TEST(ReadStudy, NoticesAChangedBeamInAFileThatIsIncluded) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "study.toml") << "[study]\nmodel = \"model.toml\"\n[[quantity]]\nname = \"top\"\n"
                                                 "of = \"body:shaft-4.y\"\nreduce = \"max\"\n";
  std::ofstream(folder.path() / "model.toml") << "include = [\"beam.toml\"]\n[model]\nplane = \"xy\"\n";
  const std::string beam =
      "[material.steel]\ndensity = 7850\nyoung = 2e11\npoisson = 0.3\n"
      "[section.round]\nshape = \"circle\"\ndiameter = 0.02\n"
      "[[beam]]\nname = \"shaft\"\npoints = [[0, 0], [1, 0]]\nsection = \"round\"\nmaterial = \"steel\"\n"
      "elements = 4\ndamping_ratio = 0.01\n";
  const auto mark_with = [&](const std::string& from, const std::string& to) {
    std::string text = beam;
    text.replace(text.find(from), from.size(), to);
    std::ofstream(folder.path() / "beam.toml") << text;
    ProblemList problems;
    const std::uint64_t mark = fingerprint(read_study(folder.path() / "study.toml", problems));
    EXPECT_EQ(problems.text(), "");
    return mark;
  };
  const std::uint64_t before = mark_with("2e11", "2e11");
  EXPECT_EQ(mark_with("2e11", "200e9"), before);
  EXPECT_NE(mark_with("2e11", "1e11"), before);
  EXPECT_NE(mark_with("diameter = 0.02", "diameter = 0.03"), before);
  EXPECT_NE(mark_with("damping_ratio = 0.01", "damping_ratio = 0.02"), before);
  EXPECT_NE(mark_with("[1, 0]", "[1.5, 0]"), before);
}

const std::string steady = "[steady]\nperiod = \"=2*pi/speed\"\n";

std::string asked(const std::string& keys) {
  return "[[quantity]]\nname = \"n\"\n" + keys + "\n";
}

TEST(ReadStudy, TakesLyapunovExponents) {
  const Given result = given(head + steady + asked("reduce = \"lyapunov\"\nhow = \"variation\"\ninterval = \"20 ms\""));
  ASSERT_EQ(result.problems.text(), "");
  EXPECT_EQ(result.study.quantities[0].unit, "1/s");
  EXPECT_EQ(result.study.quantities[0].interval->value(std::vector<double>(result.study.parameters.size(), 1.0)), 0.02);
  EXPECT_THAT(problems_of(head + asked("reduce = \"lyapunov\"")), HasSubstr("add `interval`"));
  EXPECT_THAT(problems_of(head + steady + asked("reduce = \"lyapunov\"\nof = \"body:rod.x\"")),
              HasSubstr("the exponent is that of the whole model"));
  EXPECT_THAT(problems_of(head + steady + asked("reduce = \"lyapunov\"\nhow = \"guess\"")), HasSubstr("separation"));
  EXPECT_THAT(problems_of(head + steady + asked("reduce = \"lyapunov\"\nseparation = 2")), HasSubstr("separation"));
}

TEST(ReadStudy, TakesSections) {
  const std::string points = "of = \"body:rod.y\"\nreduce = \"poincare\"\n";
  const Given result =
      given(head + asked(points + "at = { crossing = \"body:rod.x\", value = \"300 mm\", direction = \"down\" }"));
  ASSERT_EQ(result.problems.text(), "");
  ASSERT_TRUE(result.study.quantities[0].at);
  EXPECT_EQ(result.study.quantities[0].at->value, 0.3);
  EXPECT_EQ(result.study.quantities[0].at->way, Crossing::falling);
  EXPECT_THAT(problems_of(head + asked(points + "at = { crossing = \"body:rod.x\", value = \"3 N\" }")),
              HasSubstr("study.toml:7:41"));
  EXPECT_THAT(problems_of(head + asked(points + "at = { crossing = \"body:rot.x\" }")), HasSubstr("body:rod.x"));
  EXPECT_THAT(problems_of(head + asked(points + "at = { event = \"joint:pin\" }")), HasSubstr("what touches"));
  EXPECT_THAT(problems_of(head + asked(points + "at = { value = 3 }")), HasSubstr("neither `event` nor `crossing`"));
  EXPECT_THAT(problems_of(head + asked(points + "at = 3")), HasSubstr("a table"));
  EXPECT_THAT(problems_of(head + asked("of = \"body:rod.y\"\nreduce = \"max\"\nat = { event = \"joint:*\" }")),
              HasSubstr("leave it out"));
}

TEST(ReadStudy, TakesWoehlerLines) {
  const std::string damage = "of = \"joint:pivot.fx\"\nreduce = \"damage\"\n";
  const Given result = given(head + asked(damage + "woehler = { range = \"2 kN\", cycles = 1e6, exponent = 5 }"));
  ASSERT_EQ(result.problems.text(), "");
  EXPECT_EQ(result.study.quantities[0].woehler->reference_range, 2000);
  EXPECT_THAT(problems_of(head + asked(damage)), HasSubstr("woehler = {"));
  EXPECT_THAT(problems_of(head + asked(damage + "woehler = { range = 2, cycles = 1e6 }")), HasSubstr("exponent"));
  EXPECT_THAT(problems_of(head + asked(damage + "woehler = { cycles = 1e6, exponent = 5 }")),
              HasSubstr("a range above 0"));
  EXPECT_THAT(problems_of(head + asked(damage + "woehler = { range = \"2 MPa\", cycles = 1e6, exponent = 5 }")),
              HasSubstr("woehler.range"));
}

TEST(ReadStudy, DetectsSteadyStatesWhereThereIsAPeriod) {
  const Given result = given(head + steady + "detect = true\n" + quantity);
  ASSERT_EQ(result.problems.text(), "");
  EXPECT_EQ(result.study.quantities[0].name, "turns_dropped");
  EXPECT_THAT(problems_of(head + "[steady]\ndetect = true\n" + quantity), HasSubstr("add the key `period`"));
  EXPECT_THAT(problems_of(head + steady + "detect = true\n" + asked("reduce = \"lyapunov\"")),
              HasSubstr("has settled"));
}

}  // namespace
}  // namespace carom
