#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "command_line.h"

namespace carom::cli {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

class Words : public testing::Test {
 protected:
  void SetUp() override { folder_.write("model.toml", pendulum); }

  void expect_refused(const std::vector<std::string>& words, const std::vector<std::string>& says) {
    const Outcome outcome = carom(folder_, words);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.out, IsEmpty());
    for (const std::string& part : says) EXPECT_THAT(outcome.err, HasSubstr(part));
    EXPECT_THAT(outcome.err, AllOf(Not(HasSubstr("CLI::")), Not(HasSubstr("std::"))));
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  }

  const Folder folder_;
};

TEST_F(Words, AMisspeltCommandSuggestsTheNearest) {
  expect_refused({"rnu", "model.toml"}, {"carom: unknown command `rnu`; did you mean `run`?"});
  expect_refused({"chek", "model.toml"}, {"unknown command `chek`; did you mean `check`?"});
  expect_refused({"exprot"}, {"did you mean `export`?"});
  expect_refused({"simulate", "model.toml"},
                 {"unknown command `simulate`; the commands are run, check, import, info, export, plot"});
}

// Two cases, one of them long.
TEST_F(Words, LongCasesAreRunWhenAskedFor) {
  for (const std::string name : {"quick", "slow"}) {
    fs::create_directories(folder_ / "set" / name);
    folder_.write("set/" + name + "/model.toml", pendulum);
    folder_.write("set/" + name + "/case.toml",
                  std::string("title = \"t\"\nsource = \"s\"\nwhy = \"w\"\n") +
                      (name == "slow" ? "long = true\n" : "") +
                      "[[check]]\nname = \"c\"\nkind = \"drift\"\nlimit = 1\nreason = \"r\"\n");
  }
  const auto cases = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"cases", "--folder", "set"});
    const Outcome outcome = carom(folder_, words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.out;
  };
  EXPECT_THAT(cases({"--all"}), AllOf(HasSubstr("1 of 1 cases passed"), Not(HasSubstr("slow")),
                                      EndsWith("1 long case left out; --long runs it, too\n")));
  EXPECT_THAT(cases({"--long"}), AllOf(HasSubstr("2 of 2 cases passed"), Not(HasSubstr("left out"))));
  EXPECT_THAT(cases({"--all", "--long"}), HasSubstr("2 of 2 cases passed"));
  EXPECT_THAT(cases({"slow"}), AllOf(HasSubstr("1 of 1 cases passed"), Not(HasSubstr("left out"))));
  EXPECT_THAT(cases({"--list"}), HasSubstr("slow                     t (long)\n"));
}

TEST_F(Words, NoCommandListsThem) {
  expect_refused({}, {"carom: give a command: run, check, import, info"});
  expect_refused({"--quite"}, {"unknown option `--quite`; give a command: run"});
}

TEST_F(Words, AnUnknownOptionSuggestsTheNearest) {
  expect_refused({"run", "model.toml", "--quite"}, {"carom: run: unknown option `--quite`; did you mean `--quiet`?"});
  expect_refused({"run", "model.toml", "--outptu=x.h5"}, {"unknown option `--outptu`; did you mean `--output`?"});
  expect_refused({"run", "model.toml", "--zzzzz"}, {"unknown option `--zzzzz`; `carom run --help` lists the options"});
  expect_refused({"export", "model.h5", "--cvs"}, {"export: unknown option `--cvs`; did you mean `--csv`?"});
}

TEST_F(Words, AMissingOrSurplusArgumentIsNamed) {
  expect_refused({"run"}, {"carom: run: MODEL is required", "`carom run --help`"});
  expect_refused({"run", "model.toml", "other.toml"}, {"run: `other.toml` is one argument too many"});
  expect_refused({"run", "model.toml", "-o"}, {"carom: run: ", "-o"});
}

TEST_F(Words, HelpAndVersionAreNoErrors) {
  const Outcome help = carom(folder_, {"--help"});
  EXPECT_EQ(help.code, 0);
  EXPECT_THAT(help.out, AllOf(HasSubstr("run"), HasSubstr("Exit codes")));
  EXPECT_THAT(help.err, IsEmpty());
  EXPECT_EQ(carom(folder_, {"run", "--help"}).code, 0);
  const Outcome version = carom(folder_, {"--version"});
  EXPECT_EQ(version.code, 0);
  EXPECT_THAT(version.out, StartsWith("carom "));
}

TEST_F(Words, SetReplacesAParameter) {
  const Outcome outcome = carom(folder_, {"run", "model.toml", "--set", "length=20 cm", "--quiet"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const Outcome table = carom(folder_, {"export", "--csv", "model.h5", "body:rod.x"});
  EXPECT_THAT(table.out, HasSubstr("\n0,0.1\n"));
}

TEST_F(Words, SetOfAnUnknownParameterSuggestsTheNearest) {
  expect_refused({"run", "model.toml", "--set", "lenght=2 m"}, {"--set", "lenght", "did you mean `length`?"});
}

TEST_F(Words, SetWithAWrongUnitOrValueIsRefused) {
  expect_refused({"run", "model.toml", "--set", "length=2 metr"}, {"length", "2 metr"});
  expect_refused({"run", "model.toml", "--set", "length=2 s"},
                 {"--set length: error: found \"2 s\"; expected a quantity of the same kind as \"1 m\" in the file"});
  expect_refused({"run", "model.toml", "--set", "length="}, {"length", "expected"});
  expect_refused({"run", "model.toml", "--set", "length"}, {"--set", "`length`", "expected NAME=VALUE"});
  expect_refused({"run", "model.toml", "--set", "length==1+"}, {"length"});
}

TEST_F(Words, MethodIsOneOfTwo) {
  EXPECT_EQ(carom(folder_, {"run", "model.toml", "--method", "nonsmooth", "--quiet"}).code, 0);
  expect_refused({"run", "model.toml", "--method", "complaint"},
                 {"--method", "complaint", "did you mean `compliant`?"});
  EXPECT_EQ(carom(folder_, {"run", "model.toml", "--method", "compliant", "--quiet"}).code, 0);
}

TEST_F(Words, AnUnknownQuantitySuggestsTheNearest) {
  ASSERT_EQ(carom(folder_, {"run", "model.toml", "--quiet"}).code, 0);
  folder_.write("old.csv", "kept");
  expect_refused({"plot", "model.h5", "body:rod.xx"},
                 {"carom: no recorded quantity matches 'body:rod.xx'; did you mean body:rod.x"});
  expect_refused({"plot", "model.h5", "body:rod.x", "-x", "body:rood.y"},
                 {"no recorded quantity matches 'body:rood.y'; did you mean body:rod.y"});
  expect_refused({"export", "model.h5", "--csv", "enrgy.kinetic", "-o", "old.csv"}, {"did you mean energy.kinetic"});
  EXPECT_EQ(contents(folder_ / "old.csv"), "kept");
  expect_refused({"plot", "model.h5", "-o", "picture.bmp"}, {"picture.bmp", "unknown extension"});
  expect_refused({"plot", "model.h5", "-o", "no/where/picture.svg"},
                 {"no/where/picture.svg", "No such file or directory"});
  expect_refused({"export", "model.h5", "--csv", "-o", "no/where/table.csv"},
                 {"no/where/table.csv", "No such file or directory"});
}

}  // namespace
}  // namespace carom::cli
