#include <algorithm>
#include <filesystem>
#include <limits>
#include <memory>

#include <fmt/format.h>

#include "base/protected_files.h"
#include "commands.h"
#include "comparison_report.h"
#include "json_text.h"
#include "load_model.h"
#include "plotting/figure.h"
#include "recording/quantity_label.h"
#include "run_with_progress.h"
#include "split_list.h"
#include "temporary_folder.h"

namespace carom {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t usual_rows = 20, usual_panels = 3;

struct CompareArguments {
  std::string first, second;
  std::vector<std::string> quantities;
  std::vector<std::string> set;
  std::string methods = "compliant,nonsmooth", output, plot;
  bool methods_given = false, all = false, json = false, quiet = false;
};

bool is_model(const std::string& file) {
  return file.ends_with(".toml");
}

bool is_result(const std::string& file) {
  return file.ends_with(".h5") || file.ends_with(".hdf5");
}

std::string side_name(const RunFacts& side, const RunFacts& other, const char* letter) {
  const std::string what = side.method != other.method ? side.method : fs::path(side.file).stem().string();
  return fmt::format("{}: {}", letter, what);
}

// A panel a quantity, with both curves.
Figure draw(const Comparison& comparison, const ResultReader& a, const ResultReader& b, std::size_t most) {
  Figure figure{.title = comparison.a.model};
  const auto times_a = a.times(), times_b = b.times();
  for (const QuantityDifference& each : comparison.quantities) {
    if (figure.panels.size() == most) break;
    figure.panels.push_back(
        {.x_label = "time [s]",
         .y_label = with_unit(each.quantity, each.unit),
         .series = {{.label = side_name(comparison.a, comparison.b, "A"), .x = times_a, .y = a.column(each.quantity)},
                    {.label = side_name(comparison.b, comparison.a, "B"),
                     .x = times_b,
                     .y = b.column(each.quantity),
                     .style = Series::Style::dashed}}});
  }
  figure.columns = figure.panels.size() > usual_panels ? 2 : 1;
  return figure;
}

// Two results that are there, and what is known of how they were made.
struct Pair {
  fs::path a, b;
  std::string shown_as = {};                        // instead of their names, where these will be gone
  double wall_a = unreported, wall_b = unreported;  // s
};

void compare_files(const CompareArguments& arguments, const Pair& files, const std::vector<std::string>& patterns) {
  const ResultReader a(files.a), b(files.b);
  Comparison comparison = compare_results(a, b, patterns);
  comparison.a.wall_seconds = files.wall_a, comparison.b.wall_seconds = files.wall_b;
  if (!files.shown_as.empty()) comparison.a.file = comparison.b.file = files.shown_as;
  for (const std::string& warning : comparison.warnings) {
    if (!arguments.json) fmt::print(stderr, "carom: note: {}\n", warning);
  }
  const std::size_t every = std::numeric_limits<std::size_t>::max();
  if (!arguments.plot.empty())
    write_figure(draw(comparison, a, b, patterns.empty() ? usual_panels : every), arguments.plot);
  if (arguments.json) {
    auto json = to_json(comparison);
    if (!arguments.plot.empty()) json["plot"] = arguments.plot;
    fmt::print("{}\n", to_utf8(json));
    return;
  }
  fmt::print("{}", to_text(comparison, arguments.all || !patterns.empty() ? every : usual_rows));
  if (!arguments.plot.empty()) fmt::print("\n{}\n", arguments.plot);
}

int compare_two_results(const CompareArguments& arguments) {
  for (const auto& [given, option] :
       {std::pair(arguments.methods_given, "--methods"), std::pair(!arguments.set.empty(), "--set"),
        std::pair(!arguments.output.empty(), "--output")}) {
    if (given) refuse(option, "a result file, which has been run", "a model file (.toml)", "leave the option out");
  }
  if (arguments.second.empty())
    refuse("B", "nothing", "a second result file",
           "give two results, or a model file, which is run with both methods of contact");
  compare_files(arguments, {.a = arguments.first, .b = arguments.second}, arguments.quantities);
  return exit_done;
}

fs::path make_folder(const std::string& name) {
  std::error_code error;
  fs::create_directories(name, error);
  if (error) throw ResultError(fmt::format("{} cannot be made: {}", name, error.message()));
  return name;
}

int compare_methods(const CompareArguments& arguments) {
  const std::vector<std::string> methods = split_list(arguments.methods);
  if (methods.size() != 2 || methods[0] == methods[1])
    refuse("--methods", carom::quoted(arguments.methods), "two different methods",
           "for example --methods compliant,nonsmooth");
  if (is_model(arguments.second) || is_result(arguments.second))
    refuse("B", carom::quoted(arguments.second), "quantities after a model file, which is compared with itself",
           "to compare two models, run them and compare the results");
  std::vector<std::string> quantities = arguments.quantities;
  if (!arguments.second.empty()) quantities.insert(quantities.begin(), arguments.second);
  std::vector<Model> models(2, load_model(arguments.first, arguments.set));
  for (std::size_t k = 0; k < 2; ++k) choose_method(models[k], methods[k]);
  if (!arguments.plot.empty()) require_replaceable(arguments.plot);  // before hours of computation
  std::optional<TemporaryFolder> temporary;
  const fs::path folder = arguments.output.empty() ? temporary.emplace().path() : make_folder(arguments.output);
  std::vector<fs::path> files;
  std::vector<double> seconds;
  bool complete = true;
  for (std::size_t k = 0; k < 2; ++k) {
    files.push_back(folder / (fs::path(arguments.first).stem().string() + "." + methods[k] + ".h5"));
    const RunSummary summary = run_with_progress(models[k], files[k], bar_unless(arguments.quiet || arguments.json));
    seconds.push_back(summary.wall_seconds);
    complete = complete && summary.status == RunStatus::complete;
    if (!complete && temporary) temporary->keep();  // what was computed is saved
    report_end(summary, files[k]);
    if (summary.status == RunStatus::interrupted) return exit_failed;
  }
  const bool kept = !temporary || !complete;
  compare_files(arguments,
                {.a = files[0],
                 .b = files[1],
                 .shown_as = kept ? "" : arguments.first,
                 .wall_a = seconds[0],
                 .wall_b = seconds[1]},
                quantities);
  return complete ? exit_done : exit_failed;
}

}  // namespace

void add_compare_command(Command app, int& exit_code) {
  auto arguments = std::make_shared<CompareArguments>();
  Command command =
      app.add_subcommand("compare", "Lay two results, or both methods of contact on one model, side by side");
  command.add_option("A", arguments->first, "result file, or a model file (.toml), which is run with both methods")
      .required();
  command.add_option("B", arguments->second, "the second result file; none if A is a model");
  command.add_option("QUANTITY", arguments->quantities,
                     "quantities or patterns such as body:*.x; default: those of the bodies");
  command.add_option("--plot", arguments->plot,
                     "draw the quantities into this picture (.svg, .png or .pdf); default: the three that differ most");
  command.add_flag("--all", arguments->all, "all quantities, not only the 20 that differ most");
  command.add_flag("--json", arguments->json, "as JSON, with all quantities");
  CommandOption methods =
      command.add_option("--methods", arguments->methods, "of a model: the methods; default: compliant,nonsmooth");
  command.add_option("--set", arguments->set, "of a model: replace a parameter, NAME=VALUE (repeatable)")
      .one_value_each();
  command.add_option("-o,--output", arguments->output,
                     "of a model: folder that keeps both results, MODEL.METHOD.h5; default: they are not kept");
  command.add_flag("--quiet", arguments->quiet, "no progress bar");
  command.callback([arguments, methods, &exit_code] {
    arguments->methods_given = methods.given();
    exit_code = is_model(arguments->first) ? compare_methods(*arguments) : compare_two_results(*arguments);
  });
}

}  // namespace carom
