#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "temporary_folder.h"
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
quantity = "body:a.x"
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
  EXPECT_EQ(result.plot.panels.at(1).size(), 2u);
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
