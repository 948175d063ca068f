#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/interruption.h"
#include "commands.h"
#include "json_text.h"
#include "option_quantity.h"
#include "progress_bar.h"
#include "reporting/study_drawing.h"
#include "run_with_progress.h"
#include "studies/read_study.h"
#include "studies/reductions.h"
#include "studies/run_study.h"
#include "studies/study_table.h"
#include "terminal.h"

namespace carom {
namespace {

struct StudyArguments {
  std::string study, output;
  std::size_t workers = 0;
  bool fresh = false, retry = false, list = false, reductions = false, quiet = false, json = false;
};

Study load_study(const std::string& file) {
  ProblemList problems;
  Study study = read_study(file, problems);
  if (problems.errors() > 0) throw InputError(problems);
  if (problems.warnings() > 0) print_problems(problems.text());
  return study;
}

std::filesystem::path path_of_table(const StudyArguments& arguments) {
  if (!arguments.output.empty()) return std::filesystem::path(arguments.output).replace_extension(".h5");
  return std::filesystem::path(arguments.study).filename().replace_extension(".h5");
}

void print_reductions(bool json) {
  auto all = nlohmann::ordered_json::array();
  for (const ReductionDescription& each : reductions()) {
    if (json) {
      all.push_back({{"name", each.name},
                     {"meaning", each.meaning},
                     {"unit", each.unit},
                     {"list", each.is_list},
                     {"points", each.of_points}});
    } else {
      fmt::print("{:<20} {}\n", each.name, each.meaning);
    }
  }
  if (json) fmt::print("{}\n", to_utf8(all));
}

// What would be run.
void print_plan(const Study& study, const StudyPlan& plan) {
  std::string line = "run,model,method";
  for (const VariedParameter& each : study.varied)
    line += "," + each.parameter + (each.unit.empty() ? "" : " [" + each.unit + "]");
  fmt::print("{}\n", line);
  for (std::size_t index = 0; index < plan.size(); ++index) {
    const PlannedRun run = plan.run(index);
    const StudyModel& model = study.models[run.model];
    line =
        fmt::format("{},{},{}", index + 1, model.file,
                    study.methods[run.method].empty() ? name_of(model.base.solver.method) : study.methods[run.method]);
    for (const double value : plan.values(index)) line += fmt::format(",{}", value);
    fmt::print("{}\n", line);
  }
}

std::size_t failures(const StudyOutcome& outcome) {
  return static_cast<std::size_t>(std::count_if(outcome.records.begin(), outcome.records.end(),
                                                [](const RunRecord& record) { return record.failed; }));
}

void report(const Study& study, const StudyPlan& plan, const StudyOutcome& outcome,
            const std::vector<std::filesystem::path>& files, double seconds, const StudyArguments& arguments) {
  const std::size_t failed = failures(outcome), lately = outcome.records.size() - outcome.found;
  if (arguments.json) {
    nlohmann::ordered_json json = {
        {"study", study.name},     {"status", outcome.interrupted ? "interrupted" : "complete"},
        {"runs", plan.size()},     {"done", outcome.records.size()},
        {"found", outcome.found},  {"failed", failed},
        {"wall_seconds", seconds}, {"files", nlohmann::ordered_json::array()}};
    for (const auto& file : files) json["files"].push_back(file.string());
    fmt::print("{}\n", to_utf8(json));
  } else if (!arguments.quiet) {
    fmt::print("{}: {}\n  {:<22} {} of {}", study.name, outcome.interrupted ? "interrupted" : "complete", "runs",
               outcome.records.size(), plan.size());
    if (outcome.found > 0) fmt::print(", {} of them before", outcome.found);
    fmt::print("\n");
    if (failed > 0) fmt::print("  {:<22} {}\n", "failed", failed);
    fmt::print("  {:<22} {:.3g} s", "wall time", seconds);
    if (lately > 0 && seconds > 0) fmt::print(", {:.4g} runs/h", 3600 * static_cast<double>(lately) / seconds);
    fmt::print("\n");
    for (const auto& file : files) fmt::print("  {:<22} {}\n", &file == &files.front() ? "table" : "", file.string());
  }
  constexpr std::size_t most = 5;
  std::size_t shown = 0;
  for (const RunRecord& record : outcome.records) {
    if (record.failed && shown++ < most)
      fmt::print(stderr, "carom: run {} failed: {}\n", record.index + 1, record.reason);
  }
  if (shown > most) fmt::print(stderr, "carom: {} more failed; the table reports why\n", shown - most);
}

// Numbers of formulas that could be computed in no way, though their runs are complete.
void warn_of_formulas(const Study& study, const StudyPlan& plan, const StudyOutcome& outcome) {
  for (std::size_t k = 0; k < study.quantities.size(); ++k) {
    const StudyQuantity& quantity = study.quantities[k];
    if (!quantity.reduce.empty()) continue;
    std::size_t count = 0, first = 0;
    for (const RunRecord& record : outcome.records) {
      if (record.failed || std::isfinite(record.reduced.values[k]) || !quantity.asked_of(plan.run(record.index).model))
        continue;
      if (count++ == 0) first = record.index + 1;
    }
    if (count > 0)
      fmt::print(stderr, "carom: warning: {} has no finite value in {} of {} runs, run {} the first\n", quantity.name,
                 count, outcome.records.size(), first);
  }
}

int execute_study(const StudyArguments& arguments) {
  silence_other_ranks();
  if (arguments.reductions) {
    print_reductions(arguments.json);
    return exit_done;
  }
  if (arguments.study.empty()) refuse("STUDY", "nothing", "a study file", "see docs/guide/studies.md");
  const Study study = load_study(arguments.study);
  const StudyPlan plan(study);
  if (arguments.list) {
    print_plan(study, plan);
    return exit_done;
  }
  const std::filesystem::path output = path_of_table(arguments);
  ProgressBar bar(bar_unless(arguments.quiet || arguments.json));
  const StudyOptions options = {
      .workers = arguments.workers,
      .journal = std::filesystem::path(output).replace_extension(".journal"),
      .folder = std::filesystem::path(output).replace_extension("").string() + "_runs",
      .fresh = arguments.fresh,
      .retry = arguments.retry,
      .progress = [&](const StudyProgress& p) { bar.show_runs(p.done, p.found, p.runs, p.failed); },
      .interrupted = &watch_interrupts()};
  Ranks ranks;
  if (!ranks.first()) {
    work_for_study(study, plan, options, ranks);
    return exit_done;
  }
  check_replaceable(output, study, arguments.fresh);
  const auto begin = std::chrono::steady_clock::now();
  const StudyOutcome outcome = run_study(study, plan, options, ranks);
  interruption_noticed() = true;  // the table is written to its end
  bar.clear();
  std::vector<std::filesystem::path> files;
  bool left_out = false;
  if (!outcome.interrupted) {
    const Table table = study_table(study, plan, outcome.records);
    files = write_study(table, output);
    const std::filesystem::path folder = std::filesystem::path(output).replace_extension("").string() + "_figures";
    if (!study.figures.empty()) std::filesystem::create_directories(folder);
    for (const StudyFigure& figure : study.figures) {
      try {
        files.push_back(write_study_figure(table, figure, folder));
      } catch (const InputError& error) {  // seen only now that there are numbers; the others are drawn
        fmt::print(stderr, "carom: a figure is left out: {}", error.problems().text());
        left_out = true;
      }
    }
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  report(study, plan, outcome, files, seconds, arguments);
  warn_of_formulas(study, plan, outcome);
  if (outcome.interrupted)
    fmt::print(stderr,
               "carom: study interrupted; {} of {} runs are kept in {}; the same command goes on with the rest\n",
               outcome.records.size(), plan.size(), options.journal.string());
  return outcome.interrupted || left_out || failures(outcome) > 0 ? exit_failed : exit_done;
}

}  // namespace

void add_study_command(Command app, int& exit_code) {
  auto arguments = std::make_shared<StudyArguments>();
  Command command = app.add_subcommand("study", "Run a model for many values of its parameters, into one table");
  command.add_option("STUDY", arguments->study, "study file (TOML)");
  command.add_option("-o,--output", arguments->output,
                     "table (HDF5), with a CSV file and a journal beside it; default: the study's name with .h5, in "
                     "this folder");
  command.add_option("-j,--workers", arguments->workers, "runs at the same time; default: as many as there are cores")
      .positive();
  command.add_flag("--reductions", arguments->reductions, "print the ways to make a number or a list of a run");
  command.add_flag("--list", arguments->list, "print what would be run, as CSV, and run nothing");
  command.add_flag("--retry", arguments->retry, "run those again that failed before");
  command.add_flag("--fresh", arguments->fresh, "begin anew and replace what an earlier study left");
  command.add_flag("--quiet", arguments->quiet, "no progress, no summary");
  command.add_flag("--json", arguments->json, "summary as JSON");
  command.footer("A study that was stopped or killed goes on where it was when the same command is given again.");
  command.callback([arguments, &exit_code] { exit_code = execute_study(*arguments); });
}

}  // namespace carom
