#include "validation/value_panels.h"

#include <gtest/gtest.h>

#include "validation/page.h"
#include "validation/read_case.h"

#include "../support/temporary_folder.h"

// Values of references beside what was computed, for every kind of check that has one.
namespace carom {
namespace {

CaseResult run_named(const std::string& name, const TemporaryFolder& folder) {
  ProblemList problems;
  const Case the_case = read_case(std::filesystem::path(CAROM_SOURCE_DIR) / "cases" / name, problems);
  EXPECT_EQ(problems.errors(), 0) << problems.text();
  return run_case(the_case, folder.path());
}

bool has_points(const Figure& figure) {
  for (const Panel& panel : figure.panels)
    for (const Series& series : panel.series)
      if (series.style == Series::Style::points && !series.x.empty()) return true;
  return false;
}

TEST(ValuePanels, FrequenciesStandBesideThoseExpected) {
  const TemporaryFolder folder;
  const CaseResult result = run_named("three_mass_chain", folder);
  const auto panels = value_panels(result, {});
  ASSERT_EQ(panels.size(), 2);  // the other shows damping ratios
  EXPECT_EQ(panels[0].y_label, "frequency [Hz]");
  const Series &computed = panels[0].series[0], &expected = panels[0].series[1];
  ASSERT_EQ(expected.y.size(), 3);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(expected.y[k], result.the_case.checks[k].frequency);
    EXPECT_NEAR(computed.y[3 * k], expected.y[k], 1e-6 * expected.y[k]);
  }
}

TEST(ValuePanels, StaticValuesAndEpisodesHaveFigures) {
  const TemporaryFolder folder;
  for (const char* name : {"spring_suspension", "recovered_block"})
    EXPECT_TRUE(has_points(case_figure(run_named(name, folder)))) << name;
}

TEST(ValuePanels, LastValuesLieAtTheEndOfTheirCurves) {
  CaseResult result;
  result.findings = {
      {.check = "c", .kind = "final", .quantity = "body:a.x", .reference = 2, .computed = 2.1, .time = 5},
      {.check = "c", .kind = "extreme", .quantity = "body:a.x", .reference = 3, .computed = 3, .time = 1},
      {.check = "c", .kind = "constant", .quantity = "body:a.x", .reference = 4, .computed = 4, .time = 1},
      {.check = "c", .kind = "final", .quantity = "body:b.x", .reference = 5, .computed = 5, .time = 5}};
  const Series points = expected_points(result, "", "body:a.x");
  EXPECT_EQ(points.x, (std::vector<double>{5, 1}));
  EXPECT_EQ(points.y, (std::vector<double>{2, 3}));
  EXPECT_TRUE(expected_points(result, "other", "body:a.x").x.empty());
}

TEST(ValuePanels, LimitsAreDrawnWhereTheCurveIs) {
  CaseResult result;
  Check check{.name = "c", .kind = CheckKind::bound, .quantities = {"body:a.x"}, .limit = 2};
  result.the_case.checks = {check};
  const Series curve{.x = {0, 1}, .y = {-1, 1}};
  EXPECT_EQ(limit_lines(result, "", "body:a.x", curve).size(), 2);
  EXPECT_EQ(limit_lines(result, "", "body:b.x", curve).size(), 0);
  result.the_case.checks[0].limit = 100;
  EXPECT_EQ(limit_lines(result, "", "body:a.x", curve).size(), 0);
}

}  // namespace
}  // namespace carom
