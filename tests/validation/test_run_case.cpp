#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

#include <nlohmann/json.hpp>

#include "../support/temporary_folder.h"
#include "validation/page.h"
#include "validation/read_case.h"
#include "validation/report.h"

namespace carom {
namespace {

using testing::HasSubstr;

const std::filesystem::path cases = std::filesystem::path(CAROM_SOURCE_DIR) / "cases";

Case read(const std::string& name) {
  ProblemList problems;
  Case result = read_case(cases / name, problems);
  EXPECT_EQ(problems.text(), "");
  return result;
}

std::string content(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

TEST(RunCase, passesAndReports) {
  const TemporaryFolder folder;
  const std::vector<CaseResult> results = {run_case(read("free_fall"), folder.path())};
  EXPECT_TRUE(results[0].passed()) << table_rows(results[0]);
  EXPECT_THAT(count_line(results), HasSubstr("1 of 1 cases passed"));
  const auto json = nlohmann::json::parse(to_json(results));
  EXPECT_EQ(json[0]["case"], "free_fall");
  EXPECT_EQ(json[0]["passed"], true);
  EXPECT_GE(json[0]["checks"].size(), results[0].the_case.checks.size());
}

TEST(RunCase, failsWhenTheReferenceIsAnother) {
  const TemporaryFolder folder;
  Case one = read("free_fall");
  for (double& value : one.reference.columns.front()) value = value * (1 + 1e-4) + 1e-4;
  const CaseResult result = run_case(one, folder.path());
  EXPECT_FALSE(result.passed());
  EXPECT_THAT(table_rows(result), HasSubstr("FAIL"));
}

TEST(RunCase, aModelThatCannotBeReadIsAFailedCase) {
  const TemporaryFolder folder;
  Case one = read("free_fall");
  one.folder = folder.path();
  std::ofstream(folder.path() / "model.toml") << "[model]\nnam = 3\n";
  const CaseResult result = run_case(one, folder.path());
  EXPECT_FALSE(result.passed());
  EXPECT_THAT(result.failure, HasSubstr("did you mean `name`?"));
}

TEST(RunCase, measuresTheOrder) {
  const TemporaryFolder folder;
  Case one = read("simple_pendulum");
  one.checks.clear();
  one.convergences = {{.name = "order",
                       .integrator = "generalized-alpha",
                       .period = 2.88639558242432,
                       .groups = {{"body:rod.angle"}},
                       .order = 2,
                       .tolerance = 0.1}};
  EXPECT_TRUE(run_case(one, folder.path()).passed());
  one.convergences[0].order = 3;
  const CaseResult wrong = run_case(one, folder.path());
  EXPECT_FALSE(wrong.passed());
  EXPECT_NEAR(wrong.findings.at(0).computed, 2, 0.1);
}

// A ball that falls 20 cm onto a floor with three laws, in a folder of its own.
Case ball_case(const std::filesystem::path& folder) {
  std::ofstream(folder / "model.toml") << R"(
[model]
plane = "xy"
gravity = [0, -10]
[[ground.geometry]]
shape = "plane"
[[body]]
name = "ball"
mass = 1
inertia = 0.1
position = [0, 0.3]
[[body.geometry]]
shape = "sphere"
radius = 0.1
[contact.floor]
law = "hertz"
stiffness = 1e6
[[pair]]
name = "floor"
bodies = ["ball", "ground"]
contact = "floor"
[solver]
end = 0.25
tolerance = 1e-9
)";
  std::ofstream(folder / "contacts.csv") << "variant,begin,impact_speed\nhertz,0.2,2\nsoft exact 0.5,0.2,2\n"
                                            "soft exact 0.25,0.2,2\n";
  std::ofstream(folder / "case.toml") << R"(
title = "t"
source = "s"
why = "w"
[[variant]]
name = "hertz"
set = { "solver.integrator" = "rk" }
[[variant]]
name = "soft"
set = { "contact.floor.law" = "exact" }
grid = { "contact.floor.law" = ["exact"], "contact.floor.restitution" = [0.5, 0.25] }
[[check]]
name = "impact"
kind = "episodes"
contact = "contact:floor"
table = "contacts.csv"
count = 1
tolerance_relative = 1e-6
reason = "r"
[[check]]
name = "elastic"
kind = "final"
variant = "hertz"
quantity = "energy.dissipated"
value = 0
tolerance_absolute = 1e-9
reason = "r"
[[plot.panel]]
quantity = "body:ball.y"
[[plot.panel]]
x = "contact:floor.penetration"
where = "contact:floor.touching"
quantity = "contact:floor.normal_force"
[[plot.panel]]
contact = "contact:floor"
x = "contact.floor.restitution"
y = "impact_speed"
series = "contact.floor.law"
)";
  ProblemList problems;
  Case result = read_case(folder, problems);
  EXPECT_EQ(problems.text(), "");
  return result;
}

TEST(RunCase, runsEveryVariantOfTheModel) {
  const TemporaryFolder folder;
  const Case one = ball_case(folder.path());
  const CaseResult result = run_case(one, folder.path());
  EXPECT_TRUE(result.passed()) << table_rows(result);
  ASSERT_EQ(result.runs.size(), 3u);
  EXPECT_TRUE(std::filesystem::exists(folder.path() / one.name / "soft_exact_0.5.h5"));
  EXPECT_NEAR(result.runs[1].episodes.at("contact:floor").at(0).separation_speed, 1, 0.1);
  EXPECT_EQ(result.findings.size(), 3 * 3 + 1u);
  EXPECT_EQ(check_lines(result).size(), 2u);
  const auto json = nlohmann::json::parse(to_json({result}));
  EXPECT_EQ(json[0]["variants"].size(), 3u);
  EXPECT_EQ(json[0]["checks"][3]["variant"], "soft exact 0.5");
  write_page({result}, folder.path());
  const std::string text = content(folder.path() / "index.md");
  EXPECT_THAT(text, HasSubstr("3 variants"));
  EXPECT_THAT(text, HasSubstr("| elastic | final | hertz |"));
  const Figure figure = case_figure(result);
  ASSERT_EQ(figure.panels.size(), 4u);
  EXPECT_EQ(figure.panels[2].series.at(0).x, (std::vector<double>{0.25, 0.5}));
  EXPECT_EQ(figure.panels[3].series.at(1).label, "reference");  // of the last value, which no curve shows
}

TEST(RunCase, aVariantThatCannotBeReadIsAFailedCase) {
  const TemporaryFolder folder;
  Case one = ball_case(folder.path());
  one.variants[2].changes.push_back({"contact.floor.restitution", "7"});
  const CaseResult result = run_case(one, folder.path());
  EXPECT_FALSE(result.passed());
  EXPECT_THAT(result.failure, testing::StartsWith("soft exact 0.25: "));
  EXPECT_THAT(result.failure, HasSubstr("restitution"));
}

TEST(RunCase, aRunThatMustFailIsHeldToIt) {
  const TemporaryFolder folder;
  Case one = read("pendulum_wall");
  std::erase_if(one.variants, [](const Variant& variant) { return variant.name != "off 20 ms"; });
  ASSERT_EQ(one.variants.size(), 1u);
  EXPECT_TRUE(run_case(one, folder.path()).passed());
  one.variants[0].fails = "out of coffee";
  EXPECT_THAT(run_case(one, folder.path()).failure,
              HasSubstr("expected it to fail with: out of coffee; it failed with: rk"));
  one.variants[0].fails = "";
  EXPECT_THAT(run_case(one, folder.path()).failure, HasSubstr("cannot be solved with this fixed step"));
  one = read("free_fall");
  one.variants = {{.name = "falls", .changes = {}, .fails = "cannot"}};
  EXPECT_THAT(run_case(one, folder.path()).failure, HasSubstr("the run came to its end; expected it to fail"));
}

TEST(RunCase, countsTheStepsOfARun) {
  const TemporaryFolder folder;
  Case one = read("free_fall");
  one.checks = {{.name = "steps", .kind = CheckKind::reaches, .quantities = {"statistics.steps"}, .limit = 2}};
  EXPECT_TRUE(run_case(one, folder.path()).passed());
  one.checks[0].limit = 1e9;
  EXPECT_FALSE(run_case(one, folder.path()).passed());
}

TEST(RunCase, isLeftAtTheFirstVariantThatFails) {
  const TemporaryFolder folder;
  Case one = ball_case(folder.path());
  EXPECT_EQ(run_case(one, folder.path(), true).runs.size(), 3u);
  for (Check& check : one.checks) {
    if (check.kind == CheckKind::final_value) check.value += 1;
  }
  EXPECT_EQ(run_case(one, folder.path()).runs.size(), 3u);
  const CaseResult result = run_case(one, folder.path(), true);
  EXPECT_EQ(result.runs.size(), 1u);
  EXPECT_FALSE(result.passed());
}

TEST(RunCase, comparesWhatIsWornOff) {
  const TemporaryFolder folder;
  Case one = read("worn_slider_crank");
  std::erase_if(one.variants, [](const Variant& variant) { return variant.name != "compliant"; });
  std::erase_if(one.checks, [](const Check& check) { return check.kind != CheckKind::wear; });
  ASSERT_EQ(one.checks.size(), 1u);
  const CaseResult result = run_case(one, folder.path());
  EXPECT_TRUE(result.passed()) << table_rows(result);
  EXPECT_EQ(result.findings.size(), 3u);
  one.checks[0].volumes[1] *= 1.05;
  EXPECT_FALSE(run_case(one, folder.path()).passed());
  one.checks[0].contact = "joint:pi";
  EXPECT_FALSE(run_case(one, folder.path()).passed());
}

TEST(Page, showsScoresAndExcuses) {
  const TemporaryFolder folder;
  CaseResult result;
  result.the_case.name = "falling";
  result.the_case.unnoticed = {{{"body.ball.mass"}, "cancels"}};
  std::ofstream(folder.path() / "mutation.json")
      << R"({"cases": {"falling": {"noticed": 3, "coarse": 1, "excused": 1, "unnoticed": 0}, "other": )"
      << R"({"noticed": 1, "coarse": 0, "excused": 0, "unnoticed": 1}}})";
  const MutationScores scores = read_mutation_scores(folder.path() / "mutation.json");
  EXPECT_EQ(scores.at("other").text(), "1 of 2 noticed; **1 unnoticed**");
  write_page({result}, folder.path(), scores);
  const std::string text = content(folder.path() / "index.md");
  EXPECT_THAT(text, HasSubstr("| 4 of 5 noticed, 1 of them if large; 1 excused |"));
  EXPECT_THAT(text, HasSubstr("Of 1 cases: 4 of 5 noticed"));
  EXPECT_THAT(text, HasSubstr("- `body.ball.mass`: cancels"));
  std::ofstream(folder.path() / "other.json") << "[]";
  EXPECT_THROW(read_mutation_scores(folder.path() / "other.json"), InputError);
}

TEST(Page, holdsTableAndPlot) {
  const TemporaryFolder folder;
  const std::vector<CaseResult> results = {run_case(read("free_fall"), folder.path())};
  write_page(results, folder.path());
  const std::string text = content(folder.path() / "index.md");
  EXPECT_THAT(text, HasSubstr("## free_fall"));
  EXPECT_THAT(text, HasSubstr("(free_fall.svg)"));
  EXPECT_THAT(text, HasSubstr(results[0].the_case.source));
  EXPECT_THAT(content(folder.path() / "free_fall.svg"), HasSubstr("<svg"));
}

}  // namespace
}  // namespace carom
