#include "validation/report.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace carom {
namespace {

using testing::HasSubstr;

CaseRun run_with(int steps, int iterations_a_step, int most) {
  CaseRun run;
  run.summary.nonsmooth.emplace();
  for (SubproblemStatistics* problem :
       {&run.summary.nonsmooth->smooth, &run.summary.nonsmooth->position, &run.summary.nonsmooth->velocity}) {
    for (int k = 1; k < steps; ++k) problem->add(iterations_a_step);
    problem->add(most);
  }
  return run;
}

TEST(Report, TellsTheIterationsOfAllRunsByImpulses) {
  CaseResult result;
  result.the_case.name = "balls";
  result.runs = {run_with(10, 1, 3), {}, run_with(10, 2, 7)};
  // (9 · 1 + 3 + 9 · 2 + 7) / 20
  EXPECT_THAT(iteration_line(result), HasSubstr("1.85 / 1.85 / 1.85, at the most 7 / 7 / 7"));
  EXPECT_THAT(table_rows(result), HasSubstr("Newton iterations a step"));
  const auto json = nlohmann::json::parse(to_json({result}));
  EXPECT_DOUBLE_EQ(json[0]["iterations"]["position"]["mean"], 1.85);
  EXPECT_EQ(json[0]["iterations"]["velocity"]["most"], 7);
}

TEST(Report, HasNoIterationsOfRunsByForces) {
  CaseResult result;
  result.runs.emplace_back();
  EXPECT_EQ(iteration_line(result), "");
  EXPECT_FALSE(nlohmann::json::parse(to_json({result}))[0].contains("iterations"));
}

}  // namespace
}  // namespace carom
