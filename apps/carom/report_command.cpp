#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>

#include <fmt/format.h>

#include "base/protected_files.h"
#include "base/write_file.h"
#include "commands.h"
#include "option_quantity.h"
#include "reporting/result_report.h"
#include "reporting/study_drawing.h"
#include "reporting/study_report.h"
#include "run_with_progress.h"
#include "simulation/recorded_model.h"
#include "studies/read_figures.h"
#include "studies/study_table.h"

namespace carom {
namespace {

constexpr std::size_t enough_for_map = 5;  // values of each of two parameters

struct ReportArguments {
  std::string result, output;
  ReportOptions options;
  bool verify = false;
};

// Those that the study file asks for; else every number and every list once a turn over the first varied parameter, and
// where two are varied over many values, maps.
std::vector<Figure> figures_of(const Table& table, const std::vector<std::string>& quantities) {
  std::vector<StudyFigure> wanted = quantities.empty() ? recorded_figures(table) : std::vector<StudyFigure>();
  std::vector<const TableColumn*> grid;
  for (const TableColumn* column : varied_columns(table)) {
    if (std::set(column->numbers.begin(), column->numbers.end()).size() > 1) grid.push_back(column);
  }
  if (wanted.empty() && !grid.empty()) {
    const auto has_enough = [](const TableColumn* column) {
      return std::set(column->numbers.begin(), column->numbers.end()).size() >= enough_for_map;
    };
    const std::string* sampling = table.attribute("sampling");
    const bool map =
        grid.size() == 2 && sampling && *sampling == "grid" && std::all_of(grid.begin(), grid.end(), has_enough);
    StudyFigure figure{.kind = map ? StudyFigure::Kind::map : StudyFigure::Kind::curves, .y = quantities};
    if (quantities.empty()) {
      for (const TableColumn* column : quantity_columns(table)) figure.y.push_back(column->component.name);
      for (const TableList& list : table.lists) {
        if (!map && list.component.meaning.find("poincare") != std::string::npos)
          figure.y.push_back(list.component.name);
      }
    }
    std::vector<Figure> single;
    for (Panel& panel : draw_study(table, figure).panels) single.push_back({.panels = {std::move(panel)}});
    return single;
  }
  std::vector<Figure> figures;
  for (const StudyFigure& figure : wanted) figures.push_back(draw_study(table, figure));
  return figures;
}

std::string page_of(const ReportArguments& arguments) {
  if (!arguments.output.empty()) return arguments.output;
  return std::filesystem::path(arguments.result).filename().replace_extension(".html").string();
}

std::string report_of_study(const ReportArguments& arguments) {
  const Table table = read_table_file(arguments.result);
  return study_report(table, arguments.result, figures_of(table, arguments.options.quantities));
}

// The result with the section about which of its answers hold.
std::string verified_report(const ReportArguments& arguments) {
  require_replaceable(page_of(arguments));  // before anything is computed
  ReportOptions options = arguments.options;
  options.verification = verify_with_progress(model_of(ResultReader(arguments.result)), {}, ProgressStyle::bar);
  return result_report(arguments.result, options);
}

int write_report(const ReportArguments& arguments) {
  const std::string output = page_of(arguments);
  const bool study = is_table_file(arguments.result);
  if (study && arguments.verify)
    refuse("--verify", "the table of a study", "a result of one model", "run `carom verify MODEL`");
  const std::string page = study              ? report_of_study(arguments)
                           : arguments.verify ? verified_report(arguments)
                                              : result_report(arguments.result, arguments.options);
  write_file(output, page);
  fmt::print("{} ({:.2f} MB)\n", output, 1e-6 * static_cast<double>(page.size()));
  return exit_done;
}

}  // namespace

void add_report_command(Command app, int& exit_code) {
  auto arguments = std::make_shared<ReportArguments>();
  Command command = app.add_subcommand(
      "report", "Write one page about a result (summary, moving picture, plots, contacts, energies, model) or a study");
  command.add_option("RESULT", arguments->result, "result file, or table of a study (HDF5)").required();
  command.add_option("-o,--output", arguments->output,
                     "page (HTML); default: the result's name with .html, in this folder");
  command.add_option("--plot", arguments->options.quantities,
                     "quantity or pattern to draw instead of those that tell most (repeatable)");
  command.add_option("--events", arguments->options.events, "contact events shown, those with the largest force")
      .show_default();
  command.add_flag("--verify", arguments->verify,
                   "run the model again, finer and by other ways, and add which answers hold (carom verify)");
  command.footer("The page needs nothing but itself: it opens from a disk, without a network, and prints well.");
  command.callback([arguments, &exit_code] { exit_code = write_report(*arguments); });
}

}  // namespace carom
