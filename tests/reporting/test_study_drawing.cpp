#include <gmock/gmock.h>

#include "base/problem.h"
#include "reporting/study_drawing.h"

namespace carom {
namespace {

using testing::ElementsAre;

// Six runs over two varied parameters.
Table table_of_runs() {
  Table table;
  table.columns.push_back({.component = {"run", "", "number"}, .numbers = {1, 2, 3, 4, 5, 6}});
  table.columns.push_back(
      {.component = {"clearance", "m", "varied parameter"}, .numbers = {1e-3, 2e-3, 3e-3, 1e-3, 2e-3, 3e-3}});
  table.columns.push_back({.component = {"speed", "rad/s", "varied parameter"}, .numbers = {10, 10, 10, 20, 20, 20}});
  table.columns.push_back({.component = {"peak", "N", "quantity: largest"}, .numbers = {1, 4, 9, 2, 5, 10}});
  return table;
}

TEST(StudyDrawing, DrawsACurveForEveryOtherParameter) {
  const Figure figure = draw_study(table_of_runs(), {.y = {"peak"}});
  ASSERT_EQ(figure.panels.size(), 1u);
  ASSERT_EQ(figure.panels[0].series.size(), 2u);
  EXPECT_THAT(figure.panels[0].series[0].y, ElementsAre(1, 4, 9));
  EXPECT_THAT(figure.panels[0].series[1].y, ElementsAre(2, 5, 10));
}

TEST(StudyDrawing, KeepsToTheRunsAskedFor) {
  const Figure figure =
      draw_study(table_of_runs(), {.y = {"peak"}, .x = {"speed"}, .where = {{"clearance", {"2 mm"}}}});
  ASSERT_EQ(figure.panels.size(), 1u);
  ASSERT_EQ(figure.panels[0].series.size(), 1u);
  EXPECT_THAT(figure.panels[0].series[0].x, ElementsAre(10, 20));
  EXPECT_THAT(figure.panels[0].series[0].y, ElementsAre(4, 5));
}

TEST(StudyDrawing, RefusesAColumnThatIsNotThere) {
  EXPECT_THROW(draw_study(table_of_runs(), {.y = {"peek"}}), InputError);
}

}  // namespace
}  // namespace carom
