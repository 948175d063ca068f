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
[[body]]
name = "rod"
mass = 2
inertia = 0.1
position = ["=length/2", 0]
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
#define QUANTITY "[[quantity]]\nname = \"top\"\nof = \"body:rod.y\"\nreduce = \"max\"\n"
INSTANTIATE_TEST_SUITE_P(
    All, Mistakes,
    testing::Values(
        Mistake{"UnknownParameter", HEAD "[[vary]]\nparameter = \"lenght\"\nvalues = [1]\n" QUANTITY, "4:13",
                "did you mean `length`?"},
        Mistake{"WrongUnit", HEAD "[[vary]]\nparameter = \"length\"\nvalues = [\"1 kg\"]\n" QUANTITY, "5:11",
                "vary.length.values: found \"1 kg\""},
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
        Mistake{"NoQuantity", HEAD, "1:1", "at least one [[quantity]]"}),
    [](const auto& test) { return test.param.name; });

TEST(ReadStudy, PassesOnTheProblemsOfAModel) {
  EXPECT_THAT(problems_of("[study]\nmodel = \"other.toml\"\n" + quantity), HasSubstr("other.toml"));
}

TEST(ReadStudy, KnowsItselfAgain) {
  const std::string one = head + quantity;
  EXPECT_EQ(fingerprint(given(one).study), fingerprint(given(one).study));
  EXPECT_NE(fingerprint(given(one).study), fingerprint(given(one + "# more\n").study));
}

}  // namespace
}  // namespace carom
