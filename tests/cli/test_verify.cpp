#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

#include "../support/falling_ball.h"
#include "command_line.h"

namespace carom::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class Verify : public testing::Test {
 protected:
  void SetUp() override {
    folder_.write("model.toml", pendulum);
    folder_.write("ball.toml", build::FallingBall{.solver = "end = 0.5\n[output]\nevery = 0.001"}.text());
  }

  void expect_refused(const std::vector<std::string>& words, const std::vector<std::string>& says) {
    const Outcome outcome = carom(folder_, words);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.out, IsEmpty());
    for (const std::string& part : says) EXPECT_THAT(outcome.err, HasSubstr(part));
  }

  nlohmann::json json(std::vector<std::string> words) {
    words.push_back("--json");
    const Outcome outcome = carom(folder_, words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return nlohmann::json::parse(outcome.out, nullptr, false);
  }

  const Folder folder_;
};

TEST_F(Verify, LaysTheRunsAndTheirAnswersDown) {
  const Outcome outcome = carom(folder_, {"verify", "model.toml"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  for (const char* part :
       {"dynamic analysis", "model  ", "finer  ", "finest  ", "other integrator", "tolerance", "the runs agree within",
        "answers, the most trusted first", "largest force", "position at the end", "holds to"})
    EXPECT_THAT(outcome.out, HasSubstr(part));
  EXPECT_THAT(outcome.out, Not(HasSubstr("other method")));
}

TEST_F(Verify, SetsTheMethodsOfContactAgainstEachOther) {
  const Outcome outcome = carom(folder_, {"verify", "ball.toml"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  for (const char* part : {"other method  ", "other method, finer", "nonsmooth", "contact:bounce, contacts that begin",
                           "contact:bounce, largest force", "contact:bounce, largest penetration"})
    EXPECT_THAT(outcome.out, HasSubstr(part));
  const Outcome other = carom(folder_, {"verify", "ball.toml", "--method", "nonsmooth"});
  EXPECT_EQ(other.code, 0) << other.err;
  EXPECT_THAT(other.out,
              AllOf(HasSubstr("by the nonsmooth method"), HasSubstr("moreau-jean"), HasSubstr("compliant, ")));
}

TEST_F(Verify, JsonHoldsAllNumbersOfAllRuns) {
  const auto all = json({"verify", "ball.toml", "--quantity", "body:ball.y", "--reduce", "final,min"});
  ASSERT_EQ(all["runs"].size(), 6u);
  EXPECT_EQ(all["refined"], "tolerance");
  ASSERT_EQ(all["answers"].size(), 2u);
  for (const auto& answer : all["answers"]) {
    EXPECT_EQ(answer["subject"], "body:ball.y");
    EXPECT_TRUE(answer["values"]["finest"].is_number());
    EXPECT_TRUE(answer["values"]["other method"].is_number());
    EXPECT_TRUE(answer["digits"].is_number());
    EXPECT_THAT(answer["verdict"].get<std::string>(), Not(IsEmpty()));
  }
  EXPECT_FALSE(all["motion"]["chaotic"].get<bool>());
}

TEST_F(Verify, TakesParametersAndTheEndOfTheCommandLine) {
  const auto all = json({"verify", "ball.toml", "--set", "height=0.5 m", "--end", "200 ms", "--quantity", "body:ball.y",
                         "--reduce", "max"});
  EXPECT_EQ(all["end"], 0.2);
  EXPECT_NEAR(all["answers"][0]["values"]["model"].get<double>(), 0.5, 1e-12);
}

TEST_F(Verify, RequiredDigitsAreAnExitCode) {
  const std::vector<std::string> words = {"verify",     "model.toml", "--quiet", "--quantity",
                                          "body:rod.x", "--reduce",   "final"};
  auto few = words, many = words;
  few.insert(few.end(), {"--require", "2"});
  many.insert(many.end(), {"--require", "12"});
  EXPECT_EQ(carom(folder_, few).code, 0);
  const Outcome outcome = carom(folder_, many);
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, IsEmpty());
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("carom: body:rod.x, final holds to "), HasSubstr("12 are required")));
}

TEST_F(Verify, ARunThatIsImpossibleIsARowWithItsReason) {
  folder_.write(
      "rigid.toml",
      build::FallingBall{.contact = "restitution = 0.7", .solver = "end = 0.2\nmethod = \"nonsmooth\""}.text());
  const Outcome outcome = carom(folder_, {"verify", "rigid.toml"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("other method"), HasSubstr("impossible: "), HasSubstr("stiffness")));
}

TEST_F(Verify, WritesAPageThatNeedsNothingElse) {
  const Outcome outcome = carom(folder_, {"verify", "ball.toml", "--page", "page.html"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("page.html"));
  const std::string page = contents(folder_ / "page.html");
  for (const char* part :
       {"<h1>Verification: Ball</h1>", "<h2>Which answers hold</h2>", "<h2>How the runs part</h2>", "<svg",
        "<h2>What each run says</h2>", "<h2>Runs of the verification</h2>", "<h2>Model</h2>", "answers hold"})
    EXPECT_TRUE(page.find(part) != std::string::npos) << part;
  // A file that Carom did not write stays, and nothing is computed for it.
  folder_.write("notes.html", "my notes");
  expect_refused({"verify", "ball.toml", "--page", "notes.html"}, {"notes.html", "--force"});
  EXPECT_EQ(contents(folder_ / "notes.html"), "my notes");
}

TEST_F(Verify, TheReportOfAResultHasTheVerdictsOnRequest) {
  ASSERT_EQ(carom(folder_, {"run", "ball.toml", "--quiet"}).code, 0);
  const Outcome outcome = carom(folder_, {"report", "ball.h5", "--verify"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const std::string page = contents(folder_ / "ball.html");
  for (const char* part : {"<h2>Which answers hold</h2>", "<h2>Energy", "holds to"})
    EXPECT_TRUE(page.find(part) != std::string::npos) << part;
  ASSERT_EQ(carom(folder_, {"report", "ball.h5"}).code, 0);
  EXPECT_EQ(contents(folder_ / "ball.html").find("Which answers hold"), std::string::npos);
}

TEST_F(Verify, WrongInputsNameTheRemedy) {
  expect_refused({"verify", "model.toml", "--quantity", "body:rood.x"}, {"--quantity", "body:rod.x"});
  expect_refused({"verify", "model.toml", "--quantity", "body:rod.x", "--reduce", "finale"}, {"--reduce", "`final`"});
  expect_refused({"verify", "model.toml", "--reduce", "final"}, {"--reduce", "--quantity"});
  expect_refused({"verify", "model.toml", "--quantity", "body:rod", "--reduce", "count_events"}, {"touches"});
  expect_refused({"verify", "model.toml", "--end", "-1 s"}, {"--end", "a time after the start"});
  expect_refused({"verify", "model.toml", "--end", "2 kg"}, {"--end"});
  expect_refused({"verify", "model.toml", "--method", "nonsmoth"}, {"--method", "nonsmooth"});
  expect_refused({"verify", "nowhere.toml"}, {"nowhere.toml"});
  folder_.write("linear.toml", replaced(pendulum, "end = 1", "end = 1\nanalysis = \"linear\""));
  expect_refused({"verify", "linear.toml"}, {"solver.analysis", "dynamic, kinematic or static"});
}

TEST_F(Verify, AFailureOfTheModelItselfIsReported) {
  folder_.write(
      "broken.toml",
      "[model]\nname = \"Broken\"\nplane = \"xy\"\n[[body]]\nname = \"a\"\nmass = 1\ninertia = 1\n"
      "[[force]]\nname = \"pull\"\ntype = \"force\"\nbody = \"a\"\nforce = [\"=1/(0.5-t)^3\", 0]\n[solver]\nend = 1\n");
  const Outcome outcome = carom(folder_, {"verify", "broken.toml"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("the run of the model itself fails"));
}

TEST_F(Verify, CtrlCKeepsWhatWasComputed) {
  folder_.write("endless.toml", endless);
  const Running run(folder_, {"verify", "endless.toml"});
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  run.signal(SIGINT);
  const Outcome outcome = run.wait();
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("interrupted in the run of the model itself"));
}

}  // namespace
}  // namespace carom::cli
