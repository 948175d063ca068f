#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "../support/falling_ball.h"
#include "command_line.h"

namespace carom::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const std::string ball = build::FallingBall{.solver = "end = 0.5\n[output]\nevery = 0.001"}.text();

class Compare : public testing::Test {
 protected:
  void SetUp() override {
    folder_.write("ball.toml", ball);
    folder_.write("model.toml", pendulum);
  }

  void expect_refused(const std::vector<std::string>& words, const std::vector<std::string>& says) {
    const Outcome outcome = carom(folder_, words);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.out, IsEmpty());
    for (const std::string& part : says) EXPECT_THAT(outcome.err, HasSubstr(part));
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  }

  void run_both() {
    ASSERT_EQ(carom(folder_, {"run", "ball.toml", "-o", "a.h5", "--quiet"}).code, 0);
    ASSERT_EQ(carom(folder_, {"run", "ball.toml", "-o", "b.h5", "--method", "nonsmooth", "--quiet"}).code, 0);
  }

  const Folder folder_;
};

TEST_F(Compare, LaysTwoResultsSideBySide) {
  run_both();
  const Outcome outcome = carom(folder_, {"compare", "a.h5", "b.h5"});
  EXPECT_EQ(outcome.code, 0);
  for (const char* part :
       {"A  a.h5: Ball", "B  b.h5: Ball", "compliant", "nonsmooth", "decoupled", "body:ball.vy [m/s]", "contact:bounce",
        "integral of force", "sum of impulses", "1 episode ", "1 impact\n", "normal impulse [N s]",
        "mean normal force [N]", "by contacts [J]", "residual [J]"}) {
    EXPECT_THAT(outcome.out, HasSubstr(part));
  }
  EXPECT_THAT(outcome.out, Not(HasSubstr("wall time")));
  EXPECT_THAT(outcome.err, HasSubstr("note: accelerations of a non-smooth run are means over a step"));
}

TEST_F(Compare, RunsOneModelWithBothMethods) {
  for (const auto& words : {std::vector<std::string>{"compare", "ball.toml"},
                            {"compare", "ball.toml", "--methods", "compliant,nonsmooth", "body:ball.y"}}) {
    const Outcome outcome = carom(folder_, words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("compliant                 nonsmooth"), HasSubstr("wall time"),
                                   HasSubstr("A  ball.toml: Ball"), HasSubstr("body:ball.y [m]")));
  }
  for (const auto& entry : fs::directory_iterator(folder_.path())) EXPECT_NE(entry.path().extension(), ".h5");
}

TEST_F(Compare, KeepsTheResultsOfAModelWhereItIsTold) {
  const Outcome outcome = carom(folder_, {"compare", "--set", "height=0.5 m", "ball.toml", "-o", "kept/here",
                                          "--methods", "nonsmooth,compliant", "--json"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const auto json = nlohmann::json::parse(outcome.out, nullptr, false);
  ASSERT_TRUE(json.is_object()) << outcome.out;
  EXPECT_EQ(json["a"]["method"], "nonsmooth");
  EXPECT_EQ(json["a"]["file"], "kept/here/ball.nonsmooth.h5");
  EXPECT_TRUE(json["b"]["wall_seconds"].is_number());
  const auto info = nlohmann::json::parse(carom(folder_, {"info", "--json", "kept/here/ball.compliant.h5"}).out);
  EXPECT_EQ(info["settings"]["parameters"]["height"], 0.5);
}

TEST_F(Compare, JsonHoldsAllOfIt) {
  run_both();
  const Outcome outcome = carom(folder_, {"compare", "a.h5", "b.h5", "--json"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.err, IsEmpty());
  const auto json = nlohmann::json::parse(outcome.out, nullptr, false);
  ASSERT_TRUE(json.is_object()) << outcome.out;
  EXPECT_EQ(json["quantities"].size(), 9u);
  EXPECT_TRUE(json["a"]["wall_seconds"].is_null());
  EXPECT_TRUE(json["a"]["steps"].is_number());
  EXPECT_EQ(json["contacts"][0]["name"], "contact:bounce");
  EXPECT_EQ(json["contacts"][0]["a"]["episodes"], 1);
  EXPECT_EQ(json["contacts"][0]["b"]["impacts"], 1);
  EXPECT_TRUE(json["contacts"][0]["b"]["impulse"][2].is_null());
  EXPECT_TRUE(json["energy"]["b"]["dissipated_by_contacts"].is_number());
  EXPECT_EQ(json["warnings"].size(), 1u);
}

TEST_F(Compare, DrawsWhatDiffersMostOrWhatIsAskedFor) {
  run_both();
  EXPECT_EQ(carom(folder_, {"compare", "a.h5", "b.h5", "--plot", "most.svg"}).code, 0);
  const Outcome outcome =
      carom(folder_, {"compare", "a.h5", "b.h5", "body:ball.y", "energy.kinetic", "--plot", "asked.svg"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("asked.svg"), HasSubstr("energy.kinetic [J]"), Not(HasSubstr("vx"))));
  EXPECT_GT(fs::file_size(folder_ / "most.svg"), 1000u);
  EXPECT_GT(fs::file_size(folder_ / "asked.svg"), 1000u);
  expect_refused({"compare", "a.h5", "b.h5", "--json", "--plot", "picture.bmp"}, {"picture.bmp", "unknown extension"});
}

TEST_F(Compare, OtherModelsAreComparedWithAWarning) {
  run_both();
  ASSERT_EQ(carom(folder_, {"run", "ball.toml", "-o", "c.h5", "--set", "height=0.7", "--quiet"}).code, 0);
  const Outcome outcome = carom(folder_, {"compare", "a.h5", "c.h5"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.err, HasSubstr("carom: note: the parameter height is 0.6 in A and 0.7 in B"));
  EXPECT_THAT(outcome.err, Not(HasSubstr("means over a step")));
}

TEST_F(Compare, AWrongQuantityIsNamed) {
  run_both();
  expect_refused({"compare", "a.h5", "b.h5", "body:bal.y"},
                 {"no recorded quantity matches 'body:bal.y'; did you mean"});
  expect_refused({"compare", "a.h5", "b.h5", "contact:bounce.normal_force"},
                 {"only a.h5 holds 'contact:bounce.normal_force'"});
}

TEST_F(Compare, ResultsWithNothingInCommonAreRefused) {
  run_both();
  folder_.write("few.toml", replaced(ball, "[output]", "[output]\nrecord = [\"body:ball.y\"]"));
  folder_.write("other.toml", replaced(pendulum, "[output]", "[output]\nrecord = [\"body:rod.x\"]"));
  ASSERT_EQ(carom(folder_, {"run", "few.toml", "--quiet"}).code, 0);
  ASSERT_EQ(carom(folder_, {"run", "other.toml", "--quiet"}).code, 0);
  expect_refused({"compare", "few.h5", "other.h5"}, {"few.h5 and other.h5 have no quantity in common"});
}

TEST_F(Compare, WrongFilesAndWordsAreRefused) {
  run_both();
  expect_refused({"compare"}, {"compare: A is required"});
  expect_refused({"compare", "a.h5"}, {"B: found nothing; expected a second result file"});
  expect_refused({"compare", "a.h5", "missing.h5"}, {"cannot read result file missing.h5", "No such file"});
  expect_refused({"compare", "a.h5", "ball.toml"}, {"ball.toml", "not an HDF5 file"});
  expect_refused({"compare", "ball.toml", "b.h5"}, {"b.h5", "compared with itself", "run them"});
  expect_refused({"compare", "a.h5", "b.h5", "--methods", "compliant,nonsmooth"}, {"--methods", "a model file"});
  expect_refused({"compare", "ball.toml", "--methods", "compliant"}, {"--methods", "two different methods"});
  expect_refused({"compare", "ball.toml", "--methods", "compliant,nonsmoth"},
                 {"--method", "did you mean `nonsmooth`?"});
  expect_refused({"compare", "missing.toml"}, {"missing.toml"});
}

TEST_F(Compare, ARunThatFailsIsComparedUntilThenAndKept) {
  folder_.write("model.toml", replaced(pendulum, "=0.1*sin(t)", "=sqrt(0.5 - t)"));
  const Outcome outcome = carom(folder_, {"compare", "model.toml", "-o", "kept"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("run failed"), HasSubstr("kept/model.compliant.h5"),
                                 HasSubstr("note: the run of A is failed")));
  EXPECT_THAT(outcome.out, HasSubstr("body:rod.x"));
  EXPECT_TRUE(fs::exists(folder_ / "kept/model.compliant.h5"));
}

}  // namespace
}  // namespace carom::cli
