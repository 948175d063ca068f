#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

#include <nlohmann/json.hpp>

#include "temporary_folder.h"
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
                       .quantities = {"body:rod.angle"},
                       .order = 2,
                       .tolerance = 0.1}};
  EXPECT_TRUE(run_case(one, folder.path()).passed());
  one.convergences[0].order = 3;
  const CaseResult wrong = run_case(one, folder.path());
  EXPECT_FALSE(wrong.passed());
  EXPECT_NEAR(wrong.findings.at(0).computed, 2, 0.1);
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
