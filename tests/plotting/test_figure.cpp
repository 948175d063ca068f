#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "../support/temporary_folder.h"
#include "figure_scenes.h"

namespace carom {
namespace {

using namespace scene;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// Figures go to CAROM_FIGURES if that is set, to be looked at.
class FigureFile : public testing::Test {
 protected:
  FigureFile() {
    const char* const wanted = std::getenv("CAROM_FIGURES");
    folder_ = wanted ? std::filesystem::path(wanted) : own_.path();
  }

  std::string written(const Figure& figure, const std::string& name, FigureStyle style = FigureStyle::screen) {
    write_figure(figure, folder_ / name, style);
    std::ifstream stream(folder_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  std::string error_of(const Figure& figure, const std::filesystem::path& path) {
    try {
      write_figure(figure, path);
    } catch (const std::runtime_error& error) {  // of the figure, or of the file
      return error.what();
    }
    return "no error";
  }

  const TemporaryFolder own_;
  std::filesystem::path folder_;
};

TEST_F(FigureFile, EveryFormatHoldsADrawing) {
  const std::pair<std::string, Figure> figures[] = {{"one", one_panel()},
                                                    {"four", four_panels()},
                                                    {"six", six_series()},
                                                    {"log", log_axes()},
                                                    {"crank", slider_crank_positions()},
                                                    {"corners", corner_cases()}};
  for (const auto& [name, figure] : figures) {
    EXPECT_THAT(written(figure, name + ".png").substr(1, 3), "PNG") << name;
    EXPECT_THAT(written(figure, name + ".pdf"), StartsWith("%PDF")) << name;
    EXPECT_GT(written(figure, name + ".svg").size(), 5000u) << name;
    EXPECT_GT(written(figure, name + "_paper.png", FigureStyle::paper).size(), 5000u) << name;
  }
}

TEST_F(FigureFile, PaperHasTheWidthsOfAJournal) {
  const auto width = [&](int columns) {
    Figure figure = four_panels();
    figure.columns = columns;
    const std::string svg = figure_svg(figure, FigureStyle::paper);
    return std::stod(svg.substr(svg.find("width=\"") + 7)) / points_per_metre;
  };
  EXPECT_NEAR(width(1), 0.085, 1e-4);
  EXPECT_NEAR(width(2), 0.170, 1e-4);
}

TEST_F(FigureFile, PaperTellsCurvesApartWithoutColours) {
  Figure figure = six_series();
  const auto strokes = [&](FigureStyle style) {
    const std::string svg = figure_svg(figure, style);
    std::set<std::string> patterns;
    for (std::size_t at = svg.find("stroke-dasharray"); at != std::string::npos;
         at = svg.find("stroke-dasharray", at + 1))
      patterns.insert(svg.substr(at, svg.find_first_of(";\"", at + 18) - at));
    return patterns.size();
  };
  for (Series& series : figure.panels[0].series) series.style = Series::Style::line;
  EXPECT_EQ(strokes(FigureStyle::screen), 0);
  // One curve is unbroken; strokes of the legend are wider, and so are their gaps.
  EXPECT_EQ(strokes(FigureStyle::paper), 2 * (figure.panels[0].series.size() - 1));
}

TEST_F(FigureFile, TheTextOfAnSvgIsThatOfTheFile) {
  EXPECT_EQ(figure_svg(one_panel()), written(one_panel(), "one.svg"));
}

TEST_F(FigureFile, SvgHoldsTheWords) {
  EXPECT_THAT(written(one_panel(), "one.svg"),
              AllOf(HasSubstr("<title>Slider–crank with a loose pin</title>"), HasSubstr("slider acceleration [m/s²]"),
                    HasSubstr("time [s]"), HasSubstr("clearance 0.05 mm")));
  EXPECT_THAT(written(corner_cases(), "corners.svg"), AllOf(HasSubstr("&lt;b&gt;&amp;amp;"), Not(HasSubstr("\xff"))));
}

TEST_F(FigureFile, TheSameFigureGivesTheSameBytes) {
  EXPECT_EQ(written(four_panels(), "a.svg"), written(four_panels(), "b.svg"));
  EXPECT_EQ(written(four_panels(), "a.png"), written(four_panels(), "b.png"));
  EXPECT_EQ(written(four_panels(), "a.pdf"), written(four_panels(), "b.pdf"));
}

TEST_F(FigureFile, AMillionSamplesStaySmallAndQuick) {
  const auto start = std::chrono::steady_clock::now();
  const std::string svg = written(many_samples(1'000'000), "million.svg");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
  EXPECT_LT(svg.size(), 300'000u);
  written(many_samples(1'000'000), "million.png");
}

TEST_F(FigureFile, SizesAreKept) {
  Figure figure = one_panel();
  figure.width = 300;
  figure.height = 200;
  EXPECT_THAT(written(figure, "size.svg"), AllOf(HasSubstr("width=\"300pt\""), HasSubstr("height=\"200pt\"")));
  figure.width = 30;
  figure.height = 20;
  EXPECT_NO_THROW(written(figure, "tiny.png"));
  figure.columns = 7;
  EXPECT_NO_THROW(written(figure, "columns.png"));
}

TEST_F(FigureFile, MistakesAreNamed) {
  EXPECT_THAT(error_of(one_panel(), folder_ / "a.jpeg"),
              AllOf(HasSubstr("a.jpeg"), HasSubstr("use .svg, .pdf or .png")));
  EXPECT_THAT(error_of(one_panel(), folder_ / "a"), HasSubstr("unknown extension"));
  EXPECT_THAT(error_of(one_panel(), folder_ / "missing/a.svg"),
              AllOf(HasSubstr("missing/a.svg"), HasSubstr("No such file")));
  EXPECT_THAT(error_of({}, folder_ / "a.svg"), HasSubstr("no panels"));
  EXPECT_THAT(error_of({.panels = {{.series = {{.label = "s", .x = {1, 2}, .y = {1}}}}}}, folder_ / "a.svg"),
              HasSubstr("series 's' has 2 x values and 1 y values"));
  EXPECT_THAT(error_of({.panels = {{.shapes = {{.x = {1, 2}, .y = {1}}}}}}, folder_ / "a.svg"), HasSubstr("a shape"));
  std::filesystem::create_directory(own_ / "folder.svg");
  EXPECT_THAT(error_of(one_panel(), own_ / "folder.svg"), HasSubstr("Is a directory"));
}

TEST_F(FigureFile, MapsHaveABarOrTheNamesOfTheirClasses) {
  const auto colors_of = [](const std::string& svg) {
    std::set<std::string> colors;
    for (std::size_t at = 0; (at = svg.find("fill=\"rgb", at)) != std::string::npos; ++at)
      colors.insert(svg.substr(at, svg.find('"', at + 6) - at));
    for (std::size_t at = 0; (at = svg.find("fill:rgb", at)) != std::string::npos; ++at)
      colors.insert(svg.substr(at, svg.find(';', at) - at));
    return colors;
  };
  Panel panel{.x_label = "clearance [mm]", .y_label = "speed [rpm]"};
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 3; ++j)
      panel.map.cells.push_back(
          {.left = 1.0 * i, .right = i + 1.0, .low = 1.0 * j, .high = j + 1.0, .value = 1e-3 * i * j});
  panel.map.label = "spread [m/s]";
  panel.map.high = 6e-3;
  const Figure figure{.panels = {panel}};
  const std::string scale = written(figure, "map.svg");
  EXPECT_THAT(scale, HasSubstr("spread [m/s]"));
  EXPECT_GT(colors_of(scale).size(), 100u);  // those of the bar
  EXPECT_THAT(written(figure, "map.pdf"), StartsWith("%PDF"));
  EXPECT_THAT(written(figure, "map.png", FigureStyle::paper).substr(1, 3), "PNG");
  for (ColorMap::Cell& cell : panel.map.cells) cell.value = cell.left;
  panel.map.classes = {"unclear", "periodic", "quasi-periodic", "chaotic"};
  const std::string classes = written({.panels = {panel}}, "classes.svg");
  EXPECT_THAT(classes, HasSubstr("quasi-periodic"));
  EXPECT_LT(colors_of(classes).size(), 20u);
}

// Characters are drawn one by one: a label that is broken into lines keeps all of them, one that is cut does not.
TEST(Figure, LongLabelsOfTheVerticalAxisAreShownWhole) {
  const std::string label =
      "contact:knock_of_the_follower (follower.roller_surface on cam.outline_of_the_cam).tangential_force [N]";
  const auto characters = [](const std::string& y_label) {
    const std::string svg =
        figure_svg({.panels = {{.x_label = "time [s]", .y_label = y_label, .series = {{.x = {0, 1}, .y = {0, 1}}}}},
                    .width = 400,
                    .height = 200});
    int count = 0;
    for (std::size_t at = svg.find("<use "); at != std::string::npos; at = svg.find("<use ", at + 1)) ++count;
    return count;
  };
  const auto visible = std::count_if(label.begin(), label.end(), [](char c) { return c != ' '; });
  constexpr int tick_labels = 12;  // fewer may fit beside a wider margin
  EXPECT_GE(characters(label) - characters(""), visible - tick_labels);
}

}  // namespace
}  // namespace carom
