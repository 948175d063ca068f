#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "../support/temporary_folder.h"
#include "validation/read_case.h"

namespace carom {
namespace {

using testing::HasSubstr;

const std::string head = "title = \"t\"\nsource = \"s\"\nwhy = \"w\"\n";

std::string problems_of(const std::string& text) {
  ProblemList problems;
  read_case_text(text, "case.toml", problems);
  return problems.text();
}

TEST(ReadCase, readsEveryKey) {
  ProblemList problems;
  const Case result = read_case_text(head + R"(
[[check]]
name = "top"
kind = "extreme"
quantity = ["body:a.x", "body:b.x"]
which = "min"
value = -2
tolerance_relative = 1e-6
reason = "because"
[[convergence]]
name = "alpha"
integrator = "generalized-alpha"
constraints = "index2"
period = 0.4
quantity = [["body:a.x", "body:b.x"], "body:a.vx"]
order = 2
tolerance = 0.1
reason = "because"
[plot]
title = "p"
quantities = [["body:a.x"], ["energy.total", "energy.kinetic"]]
)",
                                     "case.toml", problems);
  EXPECT_EQ(problems.text(), "");
  ASSERT_EQ(result.checks.size(), 1u);
  EXPECT_EQ(result.checks[0].kind, CheckKind::extreme);
  EXPECT_EQ(result.checks[0].quantities.size(), 2u);
  EXPECT_FALSE(result.checks[0].largest);
  EXPECT_EQ(result.checks[0].value, -2);
  ASSERT_EQ(result.convergences.size(), 1u);
  EXPECT_EQ(result.convergences[0].period, 0.4);
  EXPECT_THAT(result.convergences[0].groups,
              testing::ElementsAre(testing::ElementsAre("body:a.x", "body:b.x"), testing::ElementsAre("body:a.vx")));
  EXPECT_EQ(result.plot.panels.at(1).quantities.size(), 2u);
}

const std::string drift = "[[check]]\nname = \"a\"\nkind = \"drift\"\nlimit = 1\nreason = \"r\"\n";

TEST(ReadCase, combinesTheValuesOfAGrid) {
  ProblemList problems;
  const Case result = read_case_text(head + drift + R"(variant = ["* 0.5", "!soft*"]
[[variant]]
name = "as it is"
set = { "solver.end" = "2 s", contact.floor.law = "hertz" }
[[variant]]
name = "soft"
set = { "contact.floor.stiffness" = 1e5 }
grid = { "contact.floor.law" = ["flores", "hu"], "contact.floor.restitution" = [0.5, 1] }
[[variant]]
grid = { "contact.floor.restitution" = [0.5] }
)",
                                     "case.toml", problems);
  EXPECT_EQ(problems.text(), "");
  std::vector<std::string> names;
  for (const Variant& variant : result.variants) names.push_back(variant.name);
  EXPECT_THAT(names,
              testing::ElementsAre("as it is", "soft flores 0.5", "soft flores 1", "soft hu 0.5", "soft hu 1", "0.5"));
  EXPECT_EQ(result.variants[0].changes.at(1).path, "contact.floor.law");
  EXPECT_EQ(result.variants[0].changes.at(1).value, "\"hertz\"");
  EXPECT_EQ(result.variants[2].label_of("contact.floor.law"), "flores");
  EXPECT_EQ(result.variants[2].label_of("contact.floor.stiffness"), "100000");
  EXPECT_EQ(result.variants[2].label_of("solver.end"), "");
  EXPECT_FALSE(result.checks.at(0).holds_for("soft hu 0.5"));
  EXPECT_FALSE(result.checks.at(0).holds_for("hu 1"));
  EXPECT_TRUE(result.checks.at(0).holds_for("hu 0.5"));
}

TEST(ReadCase, namesWhatIsWrongWithVariants) {
  const std::string variant = "[[variant]]\nname = \"b\"\nset = { \"solver.end\" = 2 }\n";
  EXPECT_THAT(problems_of(head + drift + "variant = \"c\"\n" + variant),
              HasSubstr("check.a.variant: found `c`; expected a variant of the case"));
  EXPECT_THAT(problems_of(head + drift + variant + variant), HasSubstr("variant.b: found a name that is taken"));
  EXPECT_THAT(problems_of(head + drift + "[[variant]]\nname = \"b\"\n"), HasSubstr("variant.b.set: found nothing"));
  EXPECT_THAT(problems_of(head + drift + "[[variant]]\ngrid = { \"solver.end\" = 2 }\n"),
              HasSubstr("a list of values"));
  EXPECT_THAT(problems_of(head + drift + "[[plot.panel]]\ncontact = \"c\"\nx = \"p\"\ny = \"peak_forc\"\n"),
              HasSubstr("did you mean `peak_force`?"));
}

TEST(ReadCase, readsExcusesForWhatNoCheckNotices) {
  ProblemList problems;
  const Case result = read_case_text(head + drift + R"(
[[unnoticed]]
parameter = "body.ball.mass"
reason = "cancels"
[[unnoticed]]
parameter = ["body.*.inertia", "contact.dry.friction"]
reason = "smooth"
)",
                                     "case.toml", problems);
  EXPECT_EQ(problems.text(), "");
  ASSERT_EQ(result.unnoticed.size(), 2u);
  EXPECT_THAT(result.unnoticed[0].parameters, testing::ElementsAre("body.ball.mass"));
  EXPECT_EQ(result.unnoticed[1].parameters.size(), 2u);
  EXPECT_EQ(result.unnoticed[1].reason, "smooth");
  EXPECT_THAT(problems_of(head + drift + "[[unnoticed]]\nparameter = \"a\"\n"),
              HasSubstr("unnoticed[1].reason: found nothing"));
  EXPECT_THAT(problems_of(head + drift + "[[unnoticed]]\nparameter = \"a\"\nreason = \" \"\n"),
              HasSubstr("expected why no check can notice it"));
  EXPECT_THAT(problems_of(head + drift + "[[unnoticed]]\nparameter = 3\nreason = \"r\"\n"),
              HasSubstr("expected a parameter or a list of parameters"));
}

TEST(ReadCase, readsWhatIsWornOff) {
  const std::string wear =
      "[[check]]\nname = \"a\"\nkind = \"wear\"\ncontact = \"joint:pin\"\nreason = \"r\"\ntolerance_relative = 0.1\n";
  ProblemList problems;
  const Case result =
      read_case_text(head + wear + "volumes = [1e-13, 2e-13]\ngrowth = 1e-9\nbegin = 2\n", "case.toml", problems);
  EXPECT_EQ(problems.text(), "");
  EXPECT_THAT(result.checks.at(0).volumes, testing::ElementsAre(1e-13, 2e-13));
  EXPECT_EQ(result.checks.at(0).growth, 1e-9);
  EXPECT_EQ(result.checks.at(0).begin, 2);
  EXPECT_THAT(problems_of(head + wear + "volumes = [1e-13]\n"), HasSubstr("expected two volumes in m³"));
}

TEST(ReadCase, knowsLongOnes) {
  ProblemList problems;
  EXPECT_TRUE(read_case_text(head + "long = true\n" + drift, "case.toml", problems).long_run);
  EXPECT_FALSE(read_case_text(head + "long = false\n" + drift, "case.toml", problems).long_run);
  EXPECT_FALSE(read_case_text(head + drift, "case.toml", problems).long_run);
  EXPECT_EQ(problems.text(), "");
  EXPECT_THAT(problems_of(head + "long = 3\n" + drift),
              HasSubstr("case.toml:4:8: error: long: found 3; expected true or false"));
}

TEST(ReadCase, knowsWhenALimitWasChosen) {
  ProblemList problems;
  EXPECT_EQ(read_case_text(head + drift, "case.toml", problems).checks.at(0).chosen, "");
  EXPECT_EQ(
      read_case_text(head + drift + "chosen = \"after: it was 0.5\"\n", "case.toml", problems).checks.at(0).chosen,
      "after: it was 0.5");
  EXPECT_EQ(problems.text(), "");
  EXPECT_EQ(problems_of(head + drift + "chosen = \"not recorded\"\n"), "");
  EXPECT_THAT(problems_of(head + drift + "chosen = \"afterwards\"\n"),
              HasSubstr("check.a.chosen: found `afterwards`; expected `before`, `after` or `not recorded`"));
}

TEST(ReadCase, aCheckThatRisesNeedsTwoVariants) {
  const std::string rises = "[[check]]\nname = \"a\"\nkind = \"rises\"\nquantity = \"q\"\nreason = \"r\"\n";
  const std::string variants = "[[variant]]\ngrid = { \"solver.end\" = [1, 2] }\n";
  EXPECT_THAT(problems_of(head + rises), HasSubstr("check.a: found 0 variants; expected two variants or more"));
  EXPECT_THAT(problems_of(head + rises + "variant = \"1\"\n" + variants), HasSubstr("found 1 variants"));
  EXPECT_EQ(problems_of(head + rises + variants), "");
}

class EpisodeFile : public testing::Test {
 protected:
  std::string problems_of(const std::string& text) {
    std::ofstream(folder_.path() / "contacts.csv") << text;
    ProblemList problems;
    table_ = read_episodes(folder_.path() / "contacts.csv", problems);
    return problems.text();
  }
  TemporaryFolder folder_;
  EpisodeTable table_;
};

TEST_F(EpisodeFile, isReadWithVariantsAndNumbers) {
  EXPECT_EQ(problems_of("# source: x\nvariant,begin,end\na,1,nan\na,2,inf\nb,3,4\n"), "");
  ASSERT_EQ(table_.rows_of("a").size(), 2u);
  EXPECT_EQ(table_.rows_of("a")[1]->number, 2);
  EXPECT_EQ(table_.rows_of("b")[0]->number, 1);
  EXPECT_TRUE(std::isinf(table_.rows_of("a")[1]->values[1]));
  EXPECT_EQ(problems_of("number,begin\n7,1\n"), "");
  EXPECT_EQ(table_.rows_of("anything")[0]->number, 7);
}

TEST_F(EpisodeFile, problemsNameTheLine) {
  EXPECT_THAT(problems_of("begin,peakforce\n1,2\n"), HasSubstr("did you mean `peak_force`?"));
  EXPECT_THAT(problems_of("begin\n1,2\n"), HasSubstr("contacts.csv:2"));
  EXPECT_THAT(problems_of("begin\nx\n"), HasSubstr("expected a number, nan or inf"));
  EXPECT_THAT(problems_of("number,begin\n0,1\n"), HasSubstr("expected 1, 2, …"));
  EXPECT_THAT(problems_of("begin\n"), HasSubstr("no rows"));
}

std::string varied(const std::string& text, const std::vector<Change>& changes, std::string& problem) {
  ProblemList problems;
  std::string result = vary_model(text, "model.toml", changes, problems);
  problem = problems.text();
  return result;
}

TEST(VaryModel, replacesAndAddsKeys) {
  const std::string text =
      "[contact.floor]\nlaw = \"hu\"  # why\n\n[[body]]\nname = \"a\"\n[[body]]\nname = \"b\"\nmass = 1";
  std::string problem;
  EXPECT_EQ(varied(text, {{"contact.floor.law", "\"flores\""}, {"body.b.mass", "2"}}, problem),
            "[contact.floor]\nlaw = \"flores\"\n\n[[body]]\nname = \"a\"\n[[body]]\nname = \"b\"\nmass = 2\n");
  EXPECT_EQ(problem, "");
  EXPECT_EQ(varied(text, {{"contact.floor.restitution", "1"}, {"body.a.mass", "3"}}, problem),
            "[contact.floor]\nrestitution = 1\nlaw = \"hu\"  # why\n\n[[body]]\nmass = 3\nname = \"a\"\n[[body]]\n"
            "name = \"b\"\nmass = 1\n");
  EXPECT_EQ(problem, "");
}

TEST(VaryModel, refusesWhatItCannotEdit) {
  std::string problem;
  varied("[solver]\nend = 1\n", {{"contact.floor.law", "1"}}, problem);
  EXPECT_THAT(problem, HasSubstr("contact.floor.law: found no such table"));
  varied("[solver]\nbaumgarte = { alpha = 5, beta = 5 }\n", {{"solver.baumgarte.beta", "1"}}, problem);
  EXPECT_THAT(problem, HasSubstr("model.toml:2:26: error: solver.baumgarte.beta"));
  varied("[solver]\nx = [\n1]\n", {{"solver.x", "1"}}, problem);
  EXPECT_THAT(problem, HasSubstr("a key on a line of its own"));
}

struct BadCase {
  const char* text;
  const char* message;
};

TEST(ReadCase, namesFileLineAndKey) {
  const BadCase bad[] = {
      {"[[check]]\nname = \"a\"\nkind = \"finall\"\n", "case.toml:6:8: error: check.a.kind: found `finall`"},
      {"[[check]]\nname = \"a\"\nkind = \"finall\"\n", "did you mean `final`?"},
      {"[[check]]\nname = \"a\"\nkind = \"drift\"\nlimit = 1\nreason = \"r\"\nlimitt = 3\n",
       "case.toml:9:1: error: check.a.limitt"},
      {"[[check]]\nname = \"a\"\nkind = \"drift\"\nlimit = -1\nreason = \"r\"\n",
       "check.a.limit: found -1; expected a number > 0"},
      {"[[check]]\nname = \"a\"\nkind = \"drift\"\nreason = \"r\"\n", "check.a.limit: found nothing"},
      {"[[check]]\nname = \"a\"\nkind = \"bound\"\nquantity = 3\nlimit = 1\nreason = \"r\"\n", "check.a.quantity"},
      {"[[check]]\nname = \"a\"\nkind = \"final\"\nquantity = \"q\"\nvalue = 1\nreason = \"r\"\n", "no tolerance"},
      {"[[check]]\nname = \"a\"\nkind = \"extreme\"\nquantity = \"q\"\nwhich = \"top\"\nvalue = 1\ntolerance_relative "
       "= 1\nreason = \"r\"\n",
       "`min` or `max`"},
      {"[[check]]\nname = \"a\"\nkind = \"bound\"\nquantity = \"q\"\nlimit = 1\n", "check.a.reason: found nothing"},
      {"[[convergence]]\nname = \"c\"\nintegrator = \"adams\"\n", "which take fixed steps"},
      {"[[convergence]]\nname = \"c\"\nquantity = [[]]\n", "a quantity or a list of quantities"},
      {"", "at least one [[check]]"},
      {"check = 3\n", "a list of tables"},
      {"[plot\n", "no valid TOML"},
  };
  for (const BadCase& one : bad) EXPECT_THAT(problems_of(head + one.text), HasSubstr(one.message)) << one.text;
}

class ReferenceFile : public testing::Test {
 protected:
  std::string problems_of(const std::string& text) {
    std::ofstream(folder_.path() / "reference.csv") << text;
    ProblemList problems;
    table_ = read_reference(folder_.path() / "reference.csv", problems);
    return problems.text();
  }
  TemporaryFolder folder_;
  ReferenceTable table_;
};

TEST_F(ReferenceFile, isReadWithComments) {
  EXPECT_EQ(problems_of("# source: x\ntime,a,b\n0,1,2\n0.5,3,-4e-3\n"), "");
  EXPECT_EQ(table_.time, (std::vector<double>{0, 0.5}));
  EXPECT_EQ(*table_.find("b"), (std::vector<double>{2, -4e-3}));
  EXPECT_EQ(table_.find("c"), nullptr);
}

TEST_F(ReferenceFile, problemsNameTheLine) {
  EXPECT_THAT(problems_of("# s\ntime,a\n0,x\n"), HasSubstr("reference.csv:3"));
  EXPECT_THAT(problems_of("time,a\n0,1,2\n"), HasSubstr("found 3 values; expected 2"));
  EXPECT_THAT(problems_of("time,a\n0,1\n0,2\n"), HasSubstr("increasing times"));
  EXPECT_THAT(problems_of("t,a\n0,1\n"), HasSubstr("a header"));
  EXPECT_THAT(problems_of("time,a\n"), HasSubstr("no samples"));
}

TEST(ReadCase, aReferenceCheckNeedsItsColumn) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "case.toml") << head
                                             << "[[check]]\nname = \"a\"\nkind = \"reference\"\nquantity = "
                                                "\"body:a.x\"\ntolerance_relative = 1\nreason = \"r\"\n";
  std::ofstream(folder.path() / "reference.csv") << "time,body:a.y\n0,1\n";
  ProblemList problems;
  read_case(folder.path(), problems);
  EXPECT_THAT(problems.text(), HasSubstr("check.a.quantity: found `body:a.x`; expected a column of reference.csv"));
}

}  // namespace
}  // namespace carom
