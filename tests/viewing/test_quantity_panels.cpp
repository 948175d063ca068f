#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "../support/temporary_folder.h"
#include "recording/result_writer.h"
#include "viewing/quantity_panels.h"

namespace carom {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

// Ten samples a second of two bodies, and a contact that is closed from 0.31 to 0.37 s and peaks in between.
class Panels : public testing::Test {
 protected:
  Panels() {
    ResultHeader header;
    const std::vector<Component> place = {{"x", "m", ""}, {"y", "m", ""}, {"vx", "m/s", ""}, {"angle", "rad", ""}};
    header.groups = {{"body:a", place},
                     {"body:b-2", place},
                     {"contact:knock", {{"normal_force", "N", ""}}},
                     {"energy", {{"kinetic", "J", ""}, {"potential", "J", ""}, {"total", "J", ""}, {"work", "J", ""}}}};
    header.event_kinds = {{"contact", {{"begin", "s", ""}, {"peak_force", "N", ""}, {"peak_time", "s", ""}}}};
    ResultWriter writer(folder_ / "r.h5", header);
    for (int k = 0; k <= 10; ++k) {
      const double t = 0.1 * k;
      const std::array<double, 13> values = {std::cos(t), std::sin(t), -std::sin(t), t,     2 * t, 3 * t,   2,
                                             4 * t,       0,           1 + t,        2 - t, 3,     1e-3 * t};
      writer.append(t, values);
    }
    writer.add_event({0.37, "contact", "contact:knock", {0.31, 500, 0.34}});
    writer.finish("{}", "complete");
  }

  ResultReader result() const { return ResultReader(folder_ / "r.h5"); }
  Panel only(const CurveChoice& choice) const {
    const auto panels = choose_panels(result(), choice).panels;
    EXPECT_EQ(panels.size(), 1u);
    return panels.front();
  }

  const TemporaryFolder folder_;
};

TEST_F(Panels, DifferencesOfQuantitiesKeepTheirUnit) {
  const Panel panel = only({.quantities = {"body:b-2.x - body:a.x"}});
  EXPECT_EQ(panel.y_label, "body:b-2.x - body:a.x [m]");
  ASSERT_EQ(panel.series.front().y.size(), 11u);
  for (std::size_t k = 0; k < 11; ++k)
    EXPECT_NEAR(panel.series.front().y[k], 0.2 * static_cast<double>(k) - std::cos(0.1 * static_cast<double>(k)),
                1e-12);
  EXPECT_EQ(only({.quantities = {"=body:a.angle - body:b-2.angle"}}).y_label, "body:a.angle - body:b-2.angle [rad]");
  EXPECT_EQ(only({.quantities = {"=sin(body:a.angle)"}}).y_label, "sin(body:a.angle)");
}

TEST_F(Panels, ExpressionsHaveTheUnitThatComesOut) {
  EXPECT_EQ(only({.quantities = {"=body:a.x/body:a.vx"}}).y_label, "body:a.x/body:a.vx [s]");
  EXPECT_EQ(only({.quantities = {"=2*energy.kinetic"}}).y_label, "2*energy.kinetic [J]");
  EXPECT_EQ(only({.quantities = {"=hypot(body:a.x, body:a.y)"}}).y_label, "hypot(body:a.x, body:a.y) [m]");
  EXPECT_NEAR(only({.quantities = {"=hypot(body:a.x, body:a.y)"}}).series.front().y[7], 1, 1e-12);
}

TEST_F(Panels, TermsThatDoNotAgreeAreRefusedByTheirNames) {
  EXPECT_THAT([&] { only({.quantities = {"body:a.x - energy.kinetic"}}); },
              ThrowsMessage<ResultError>(
                  testing::AllOf(HasSubstr("body:a.x - energy.kinetic"), testing::Not(HasSubstr("quantity1_")))));
  EXPECT_THAT([&] { only({.quantities = {"=body:a.x + nothing"}}); }, ThrowsMessage<ResultError>(HasSubstr("nothing")));
  EXPECT_THAT([&] { only({.quantities = {"body:c.x"}}); }, ThrowsMessage<ResultError>(HasSubstr("did you mean")));
}

TEST_F(Panels, OrbitsHaveEqualAxes) {
  EXPECT_TRUE(only({.quantities = {"body:a.y"}, .x = "body:a.x"}).equal_axes);
  EXPECT_FALSE(only({.quantities = {"body:a.vx"}, .x = "body:a.x"}).equal_axes);  // a phase portrait
  EXPECT_FALSE(only({.quantities = {"body:b-2.y"}, .x = "body:a.x"}).equal_axes);
  EXPECT_FALSE(only({.quantities = {"body:a.y"}}).equal_axes);
}

TEST_F(Panels, AxesAreNamedByWhatTheyShow) {
  EXPECT_EQ(only({.quantities = {"energy.*"}}).y_label, "energy [J]");
  EXPECT_EQ(only({.quantities = {"body:*.x"}}).y_label, "x [m]");
  EXPECT_EQ(only({.quantities = {"body:a.x", "body:a.y"}}).y_label, "x, y [m]");
}

TEST_F(Panels, APartOfTheRunIsChosen) {
  const Panel panel = only({.quantities = {"body:a.x"}, .part = {.from = 0.35, .to = 0.65}});
  EXPECT_THAT(panel.series.front().x, ElementsAre(DoubleNear(0.4, 1e-9), DoubleNear(0.5, 1e-9), DoubleNear(0.6, 1e-9)));
  EXPECT_THAT([&] { only({.quantities = {"body:a.x"}, .part = {.from = 5}}); },
              ThrowsMessage<ResultError>(HasSubstr("no sample")));
}

TEST_F(Panels, UnitsAreThoseAskedFor) {
  const Panel panel = only({.quantities = {"body:b-2.x"}, .units = {{.unit = "mm"}, {.unit = "ms"}}});
  EXPECT_EQ(panel.y_label, "body:b-2.x [mm]");
  EXPECT_EQ(panel.x_label, "time [ms]");
  EXPECT_NEAR(panel.series.front().y.back(), 2000, 1e-9);
  EXPECT_NEAR(panel.series.front().x.back(), 1000, 1e-9);
  EXPECT_EQ(only({.quantities = {"body:a.angle"}, .units = {{.unit = "deg"}}}).y_label, "body:a.angle [deg]");
  EXPECT_THAT([&] { only({.quantities = {"body:a.x"}, .units = {{.unit = "kN"}}}); },
              ThrowsMessage<ResultError>(HasSubstr("units here are m, s")));
}

TEST_F(Panels, APulseBetweenSamplesReachesItsPeak) {
  const Series curve = only({.quantities = {"contact:knock.normal_force"}}).series.front();
  ASSERT_EQ(curve.x.size(), 14u);
  const auto peak = std::max_element(curve.y.begin(), curve.y.end());
  EXPECT_EQ(*peak, 500);
  EXPECT_EQ(curve.x[static_cast<std::size_t>(peak - curve.y.begin())], 0.34);
  EXPECT_TRUE(std::is_sorted(curve.x.begin(), curve.x.end()));
  EXPECT_EQ(curve.y[4], 0);  // where it begins
  EXPECT_EQ(curve.x[4], 0.31);
  EXPECT_EQ(curve.x[6], 0.37);
}

TEST_F(Panels, APageHoldsTheCurvesThatVaryMost) {
  const QuantityPanels all = choose_panels(result(), {});
  EXPECT_EQ(all.panels.size(), 5u);
  EXPECT_EQ(all.left_out_curves + all.left_out_panels, 0u);
  const QuantityPanels page = choose_panels(result(), {.most_panels = 2, .most_curves = 2});
  EXPECT_EQ(page.panels.size(), 2u);
  EXPECT_EQ(page.left_out_panels, 3u);
  ASSERT_EQ(page.panels.front().series.size(), 2u);
  EXPECT_EQ(page.panels.front().series[0].label, "body:b-2.x");  // 2 and 3 m, against less than 1 m
  EXPECT_EQ(page.panels.front().series[1].label, "body:b-2.y");
}

}  // namespace
}  // namespace carom
