#include <algorithm>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "base/write_file.h"
#include "commands.h"
#include "option_quantity.h"
#include "plotting/figure.h"
#include "recording/result_reader.h"
#include "recording/table_file.h"
#include "reporting/study_drawing.h"
#include "simulation/recorded_model.h"
#include "split_list.h"
#include "viewing/bearing_polar.h"
#include "viewing/bode.h"
#include "viewing/mechanism_drawing.h"
#include "viewing/mechanism_film.h"
#include "viewing/quantity_panels.h"
#include "viewing/spectrum_pictures.h"

namespace carom {
namespace {

// A page: two columns of panels as high as a sheet, and as many curves as can be told apart.
constexpr std::size_t most_panels = 8, most_curves = 10;

struct PlotArguments {
  std::string result, output, x, style = "screen", title, caption, width;
  struct {
    std::string from, to;
  } time;
  struct {
    bool asked = false;
    std::string window, up_to, orders;
  } waterfall;
  struct {
    bool asked = false;
    std::string at;
  } polar;
  std::vector<std::string> quantities, units;
  std::vector<std::string> where, reference;
  std::string circle, log;
  bool mechanism = false, map = false, gallery = false, cloud = false, points = false, all = false, film = false,
       bode = false;
  int columns = 0;
  double dpi = 144, duration = 8;
};

// Points; 0: as the style has it.
double figure_width(const std::string& text, double dpi) {
  if (text.empty()) return 0;
  if (text.ends_with("px")) {
    const double pixels = quantity_option("--width", text.substr(0, text.size() - 2), "");
    if (!(pixels >= 100 && pixels <= 20000)) refuse("--width", carom::quoted(text), "100px to 20000px");
    return 72 * pixels / dpi;
  }
  if (text == "column") return column_width;
  if (text == "page") return page_width;
  const double width = quantity_option("--width", text, "m");
  if (!(width >= 0.02 && width <= 2))
    refuse("--width", carom::quoted(text),
           "column, page, a length from 20 mm to 2 m such as 85mm, or pixels such as 1200px");
  return width * points_per_metre;
}

SampleChoice part_of_run(const PlotArguments& arguments) {
  SampleChoice part;
  if (!arguments.time.from.empty()) part.from = quantity_option("--from", arguments.time.from, "s");
  if (!arguments.time.to.empty()) part.to = quantity_option("--to", arguments.time.to, "s");
  return part;
}

Panel waterfall_of_run(const PlotArguments& arguments, const ResultReader& result) {
  if (arguments.quantities.size() != 1)
    refuse("--waterfall", fmt::format("{} quantities", arguments.quantities.size()), "one",
           "for example carom plot r.h5 body:shaft.ay --waterfall");
  WaterfallChoice choice{.quantity = arguments.quantities.front(),
                         .x = arguments.x,
                         .part = part_of_run(arguments),
                         .units = arguments.units};
  if (!arguments.waterfall.window.empty()) choice.window = quantity_option("--window", arguments.waterfall.window, "s");
  if (!arguments.waterfall.up_to.empty()) choice.up_to = quantity_option("--up-to", arguments.waterfall.up_to, "Hz");
  if (arguments.waterfall.orders.empty()) return waterfall_panel(result, choice);
  for (const std::string& order : split_list(arguments.waterfall.orders))
    choice.orders.push_back(quantity_option("--orders", order, ""));
  return waterfall_panel(result, choice);
}

// What has no meaning for the result of one run.
void refuse_options_of_studies(const PlotArguments& arguments) {
  const char* of_studies = arguments.map                  ? "--map"
                           : arguments.gallery            ? "--gallery"
                           : arguments.cloud              ? "--cloud"
                           : !arguments.where.empty()     ? "--where"
                           : !arguments.reference.empty() ? "--reference"
                           : !arguments.circle.empty()    ? "--circle"
                           : !arguments.log.empty()       ? "--log"
                           : arguments.points             ? "--points"
                                                          : nullptr;
  if (of_studies)
    refuse(of_studies, carom::quoted(arguments.result) + ", the result of one run", "a table written by carom study");
}

// `note` becomes what is to be said of what was left out.
std::vector<Panel> panels_of_run(const PlotArguments& arguments, std::string& note) {
  const ResultReader result(arguments.result);
  refuse_options_of_studies(arguments);
  std::vector<Panel> panels;
  if (arguments.bode) {
    panels = bode_panels(result.statistics_json());
    if (panels.empty())
      refuse("--bode", carom::quoted(arguments.result) + ", without transfer functions",
             "the result of a linear analysis with `inputs` and `outputs` in [solver]");
    return panels;
  }
  if (result.sample_count() == 0) return panels;
  if (arguments.waterfall.asked) return {waterfall_of_run(arguments, result)};
  if (arguments.polar.asked) {
    const double at =
        arguments.polar.at.empty() ? result.times().back() : quantity_option("--at", arguments.polar.at, "s");
    return polar_panels(result, model_of(result), arguments.quantities, at);
  }
  if (arguments.mechanism) panels.push_back(draw_mechanism(view_result(arguments.result), part_of_run(arguments)));
  if (!arguments.quantities.empty() || !arguments.mechanism) {
    CurveChoice choice{.quantities = arguments.quantities, .x = arguments.x, .part = part_of_run(arguments)};
    for (const std::string& unit : arguments.units) choice.units.push_back({.unit = unit});
    if (!arguments.all) choice.most_panels = most_panels, choice.most_curves = most_curves;
    QuantityPanels drawn = choose_panels(result, choice);
    if (drawn.left_out_panels + drawn.left_out_curves > 0)
      note =
          fmt::format("to fit a page, {}{}{} left out; name fewer quantities, or give --all",
                      drawn.left_out_panels > 0 ? fmt::format("{} panels", drawn.left_out_panels) : "",
                      drawn.left_out_panels > 0 && drawn.left_out_curves > 0 ? " and " : "",
                      drawn.left_out_curves > 0 ? fmt::format("{} curves that vary less", drawn.left_out_curves) : "");
    panels.insert(panels.end(), drawn.panels.begin(), drawn.panels.end());
  }
  return panels;
}

// "speed=5000rpm"; several of one name are alternatives.
std::vector<RunFilter> filters(const std::string& option, const std::vector<std::string>& texts) {
  std::vector<RunFilter> result;
  for (const std::string& text : texts) {
    const std::size_t place = text.find('=');
    if (place == std::string::npos || place == 0 || place + 1 == text.size())
      refuse(option, carom::quoted(text), "NAME=VALUE, such as speed=5000rpm");
    const std::string name = text.substr(0, place);
    const auto found = std::find_if(result.begin(), result.end(), [&](const auto& each) { return each.first == name; });
    (found == result.end() ? result.emplace_back(name, std::vector<std::string>{}) : *found)
        .second.push_back(text.substr(place + 1));
  }
  return result;
}

Figure figure_of_study(const PlotArguments& arguments) {
  using Kind = StudyFigure::Kind;
  return draw_study(read_table_file(arguments.result),
                    {.kind = arguments.map       ? Kind::map
                             : arguments.gallery ? Kind::gallery
                             : arguments.cloud   ? Kind::cloud
                                                 : Kind::curves,
                     .y = arguments.quantities,
                     .x = arguments.x.empty() ? std::vector<std::string>{} : std::vector{arguments.x},
                     .where = filters("--where", arguments.where),
                     .reference = filters("--reference", arguments.reference),
                     .circle = arguments.circle,
                     .log = arguments.log,
                     .points = arguments.points,
                     .columns = arguments.columns});
}

std::string output_of(const PlotArguments& arguments) {
  return arguments.output.empty()
             ? std::filesystem::path(arguments.result).filename().replace_extension(".svg").string()
             : arguments.output;
}

// A moving picture.
int film_result(const PlotArguments& arguments) {
  const std::string output = output_of(arguments);
  if (std::filesystem::path(output).extension() != ".svg")
    refuse("--film", carom::quoted(output), "a name that ends in .svg");
  if (arguments.quantities.size() > 1)
    refuse("--film", fmt::format("{} quantities", arguments.quantities.size()), "at most one, for the curve below");
  const ResultReader result(arguments.result);
  const Viewed viewed = view_result(arguments.result);
  const std::string film = film_svg(
      mechanism_film(viewed, result,
                     {.part = part_of_run(arguments),
                      .seconds = arguments.duration,
                      .quantity = arguments.quantities.empty() ? std::string() : arguments.quantities.front()}));
  write_file(output, film);
  fmt::print("{} ({:.2f} MB)\n", output, 1e-6 * static_cast<double>(film.size()));
  return exit_done;
}

// What has no meaning for the table of a study.
void refuse_options_of_runs(const PlotArguments& arguments) {
  const char* of_runs = arguments.mechanism            ? "--mechanism"
                        : arguments.film               ? "--film"
                        : arguments.bode               ? "--bode"
                        : arguments.waterfall.asked    ? "--waterfall"
                        : arguments.polar.asked        ? "--polar"
                        : !arguments.time.from.empty() ? "--from"
                        : !arguments.time.to.empty()   ? "--to"
                        : !arguments.units.empty()     ? "--unit"
                        : arguments.all                ? "--all"
                                                       : nullptr;
  if (of_runs)
    refuse(of_runs, carom::quoted(arguments.result) + ", the table of a study", "the result of one run",
           "carom run --from TABLE --run N makes one");
}

int plot_result(const PlotArguments& arguments) {
  Figure figure;
  std::string note;
  const bool is_study = is_table_file(arguments.result);
  if (is_study) refuse_options_of_runs(arguments);
  if (arguments.film) return film_result(arguments);
  if (is_study) {
    figure = figure_of_study(arguments);
  } else {
    figure.panels = panels_of_run(arguments, note);
  }
  figure.title = arguments.title;
  figure.caption = arguments.caption;
  figure.width = figure_width(arguments.width, arguments.dpi);
  figure.dpi = arguments.dpi;
  if (figure.panels.empty()) {
    fmt::print(stderr, "carom: {} holds no samples to draw\n", arguments.result);
    return exit_failed;
  }
  const auto count = static_cast<int>(figure.panels.size());
  if (figure.columns == 1) figure.columns = arguments.columns > 0 ? arguments.columns : count > 3 ? 2 : 1;
  const std::string output = output_of(arguments);
  write_figure(figure, output, arguments.style == "paper" ? FigureStyle::paper : FigureStyle::screen);
  if (!note.empty()) fmt::print(stderr, "carom: note: {}\n", note);
  fmt::print("{}\n", output);
  return exit_done;
}

void add_waterfall_options(Command command, PlotArguments& arguments) {
  CommandOption waterfall =
      command.add_flag("--waterfall", arguments.waterfall.asked,
                       "a map of the frequencies of one quantity over time, or over the speed -x of a run-up");
  command
      .add_option("--window", arguments.waterfall.window,
                  "of a waterfall: length of the pieces, such as 50ms; default: a fortieth of the part")
      .needs(waterfall)
      .value_name("TIME");
  command.add_option("--up-to", arguments.waterfall.up_to, "of a waterfall: highest frequency, Hz").needs(waterfall);
  command
      .add_option("--orders", arguments.waterfall.orders,
                  "of a waterfall over a speed: multiples of it to draw, such as 1,2,3.5")
      .needs(waterfall);
}

void add_polar_options(Command command, PlotArguments& arguments) {
  CommandOption polar = command.add_flag("--polar", arguments.polar.asked,
                                         "loads of the elements of rolling bearings in space around the circle, of "
                                         "those named as bearing:NAME or of all");
  command.add_option("--at", arguments.polar.at, "of polar plots: time; default: the last sample")
      .needs(polar)
      .value_name("TIME");
}

}  // namespace

void add_plot_command(Command app, int& exit_code) {
  auto arguments = std::make_shared<PlotArguments>();
  Command command =
      app.add_subcommand("plot", "Draw quantities of a result over time or over another quantity, or those of a study");
  command.add_option("RESULT", arguments->result, "result file, or table of a study (HDF5)").required();
  command.add_option(
      "QUANTITY", arguments->quantities,
      "quantities, patterns such as body:*.x, or expressions such as \"body:a.x - body:b.x\"; quantities "
      "of one unit share a panel; default: those that vary most of each unit, on one page");
  command.add_option("-o,--output", arguments->output,
                     "picture: .svg, .png or .pdf; default: the result's name with .svg, in this folder");
  command.add_option("-x", arguments->x,
                     "quantity or expression on the horizontal axis (default: time; of a study, the first varied "
                     "parameter)");
  command.add_option("--from", arguments->time.from, "first time, s or with a unit").value_name("TIME");
  command.add_option("--to", arguments->time.to, "last time").value_name("TIME");
  command
      .add_option("--unit", arguments->units,
                  "show quantities of its dimension in this unit, such as mm, ms, kN, rpm or deg; repeatable")
      .one_value_each()
      .take_all();
  command.add_flag("--all", arguments->all, "all panels and curves, however many");
  command.add_flag("--mechanism", arguments->mechanism, "draw the mechanism in several positions");
  command.add_flag(
      "--film", arguments->film,
      "a moving picture (SVG) of the mechanism with its contact forces, joints with clearance drawn large, "
      "and the curve of one quantity");
  command.add_flag("--bode", arguments->bode,
                   "amplitude and phase of the transfer functions of a linear analysis over the frequency");
  add_waterfall_options(command, *arguments);
  add_polar_options(command, *arguments);
  command.add_option("--duration", arguments->duration, "of the film, s").range(0.5, 120.0).show_default();
  command.add_flag("--map", arguments->map, "of a study: values over two varied parameters as colours");
  command.add_flag("--gallery", arguments->gallery, "of a study: a panel a run, with a list over the list -x");
  command.add_flag("--cloud", arguments->cloud, "of a study: a list over the list -x, all runs in one panel");
  command
      .add_option("--where", arguments->where,
                  "of a study: runs to show, NAME=VALUE such as speed=5000rpm or model=pin.toml; repeatable")
      .take_all();
  command
      .add_option("--reference", arguments->reference,
                  "of a gallery: draw behind each run the one that differs in this, as model=ideal.toml")
      .take_all();
  command.add_option("--circle", arguments->circle,
                     "of a gallery: radius of a circle to draw, such as clearance/2, over varied parameters");
  command.add_option("--log", arguments->log, "of a study: logarithmic scales, letters of x, y and z (colours)");
  command.add_flag("--points", arguments->points, "of a gallery: samples as points");
  command.add_option("--columns", arguments->columns, "panels side by side").positive();
  command.add_option("--title", arguments->title, "title above the panels");
  command.add_option("--caption", arguments->caption, "text below the panels");
  command
      .add_option("--style", arguments->style,
                  "screen, or paper: type and lines for print, curves that can be told apart without colours")
      .one_of({"screen", "paper"});
  command.add_option("--width", arguments->width,
                     "of the picture: column (85 mm), page (170 mm), a length, or pixels such as 1200px; default: by "
                     "style and columns");
  command.add_option("--dpi", arguments->dpi, "of PNG: pixels an inch").range(20.0, 2400.0).show_default();
  command.callback([arguments, &exit_code] { exit_code = plot_result(*arguments); });
}

}  // namespace carom
