#include <algorithm>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "commands.h"
#include "mechanism_drawing.h"
#include "plotting/figure.h"
#include "quantity_label.h"
#include "recording/result_reader.h"
#include "recording/select_quantities.h"

namespace carom {
namespace {

struct PlotArguments {
  std::string result, output, x = "time", style = "screen", title;
  std::vector<std::string> quantities;
  bool mechanism = false;
  int columns = 0;
};

// Quantities of one unit share a panel.
std::vector<Panel> make_panels(const ResultReader& result, const PlotArguments& arguments) {
  const bool over_time = arguments.x == "time";
  const std::vector<double> x = over_time ? result.times() : result.column(arguments.x);
  const std::string x_label = over_time ? "time [s]" : with_unit(arguments.x, result.component(arguments.x).unit);
  std::vector<std::string> units;
  std::vector<Panel> panels;
  for (const std::string& quantity : select_quantities(result.quantities(), arguments.quantities)) {
    const Component component = result.component(quantity);
    const auto found = std::find(units.begin(), units.end(), component.unit);
    if (found == units.end()) {
      units.push_back(component.unit);
      panels.push_back({.x_label = x_label});
    }
    Panel& panel =
        panels[static_cast<std::size_t>(std::find(units.begin(), units.end(), component.unit) - units.begin())];
    panel.series.push_back({.label = quantity, .x = x, .y = result.column(quantity)});
  }
  for (std::size_t k = 0; k < panels.size(); ++k) {
    // A single curve is named on its axis; several have a legend.
    const bool single = panels[k].series.size() == 1;
    panels[k].y_label = with_unit(single ? panels[k].series.front().label : "value", units[k]);
    if (single) panels[k].series.front().label.clear();
  }
  return panels;
}

int plot_result(const PlotArguments& arguments) {
  const ResultReader result(arguments.result);
  if (result.sample_count() == 0) {
    fmt::print(stderr, "carom: {} holds no samples to draw\n", arguments.result);
    return exit_failed;
  }
  Figure figure;
  figure.title = arguments.title;
  if (arguments.mechanism) figure.panels.push_back(draw_mechanism(result));
  if (!arguments.quantities.empty() || !arguments.mechanism) {
    const auto panels = make_panels(result, arguments);
    figure.panels.insert(figure.panels.end(), panels.begin(), panels.end());
  }
  const auto count = static_cast<int>(figure.panels.size());
  figure.columns = arguments.columns > 0 ? arguments.columns : count > 3 ? 2 : 1;
  const std::string output = arguments.output.empty()
                                 ? std::filesystem::path(arguments.result).filename().replace_extension(".svg").string()
                                 : arguments.output;
  write_figure(figure, output, arguments.style == "paper" ? FigureStyle::paper : FigureStyle::screen);
  fmt::print("{}\n", output);
  return exit_done;
}

}  // namespace

void add_plot_command(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<PlotArguments>();
  CLI::App* command = app.add_subcommand("plot", "Draw quantities of a result over time, or over another quantity");
  command->add_option("RESULT", arguments->result, "result file (HDF5)")->required();
  command->add_option("QUANTITY", arguments->quantities,
                      "quantities or patterns such as body:*.x; quantities of one unit share a panel; default: all");
  command->add_option("-o,--output", arguments->output,
                      "picture: .svg, .png or .pdf; default: the result's name with .svg, in this folder");
  command->add_option("-x", arguments->x, "quantity on the horizontal axis (default: time)");
  command->add_flag("--mechanism", arguments->mechanism, "draw the mechanism in several positions");
  command->add_option("--columns", arguments->columns, "panels side by side")->check(CLI::PositiveNumber);
  command->add_option("--title", arguments->title, "title above the panels");
  command->add_option("--style", arguments->style, "screen or paper")->check(CLI::IsMember({"screen", "paper"}));
  command->callback([arguments, &exit_code] { exit_code = plot_result(*arguments); });
}

}  // namespace carom
