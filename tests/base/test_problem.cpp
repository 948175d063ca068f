#include <gmock/gmock.h>

#include "base/problem.h"

namespace carom {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Problem, TellsPlaceKeyFindingExpectationAndRemedy) {
  const Problem problem{.severity = Severity::error,
                        .file = "model.toml",
                        .where = {.line = 12, .column = 5},
                        .key = "contact.dry.restituton",
                        .found = "an unknown key",
                        .expected = "one of restitution, friction",
                        .remedy = "did you mean `restitution`?"};
  EXPECT_EQ(to_text(problem),
            "model.toml:12:5: error: contact.dry.restituton: found an unknown key; expected one of restitution, "
            "friction; did you mean `restitution`?");
}

TEST(Problem, LeavesOutWhatIsUnknown) {
  EXPECT_EQ(to_text({.severity = Severity::warning,
                     .file = {},
                     .where = {},
                     .key = {},
                     .found = {},
                     .expected = {},
                     .remedy = "save the file"}),
            "warning: save the file");
  EXPECT_EQ(to_text({.severity = Severity::error,
                     .file = "a.toml",
                     .where = {.line = 3, .column = 0},
                     .key = "mass",
                     .found = {},
                     .expected = "a number > 0",
                     .remedy = {}}),
            "a.toml:3: error: mass: expected a number > 0");
  EXPECT_EQ(to_text({.severity = Severity::error,
                     .file = "a.toml",
                     .where = {.line = 0, .column = 7},
                     .key = "mass",
                     .found = {},
                     .expected = {},
                     .remedy = {}}),
            "a.toml: error: mass");
}

TEST(ProblemList, CountsBySeverityAndKeepsTheOrder) {
  ProblemList list;
  EXPECT_TRUE(list.empty());
  Problem problem;
  problem.key = "first";
  list.add(problem);
  problem.key = "second";
  problem.severity = Severity::warning;
  list.add(problem);
  list.add(list);
  EXPECT_FALSE(list.empty());
  EXPECT_EQ(list.errors(), 2);
  EXPECT_EQ(list.warnings(), 2);
  std::vector<std::string> keys;
  for (const Problem& each : list.all()) keys.push_back(each.key);
  EXPECT_THAT(keys, ElementsAre("first", "second", "first", "second"));
  EXPECT_EQ(list.text(), "error: first\nwarning: second\nerror: first\nwarning: second\n");
}

TEST(InputError, CarriesItsProblems) {
  ProblemList list;
  list.add(Problem{.severity = Severity::error,
                   .file = "m.toml",
                   .where = {1, 2},
                   .key = "k",
                   .found = "x",
                   .expected = "y",
                   .remedy = {}});
  const InputError error(list);
  EXPECT_EQ(error.problems().errors(), 1);
  EXPECT_THAT(error.what(), HasSubstr("m.toml:1:2: error: k: found x; expected y"));
}

}  // namespace
}  // namespace carom
