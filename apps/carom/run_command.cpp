#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "json_text.h"
#include "load_model.h"
#include "option_quantity.h"
#include "output_path.h"
#include "run_with_progress.h"
#include "studies/study_table.h"
#include "terminal.h"

namespace carom {
namespace {

struct RunArguments {
  std::string model, output, method, from;
  std::size_t run = 0;
  long save_problems = 0;  // every so many steps; 0: none
  std::vector<std::string> set;
  bool quiet = false, json = false, progress = false;
};

// Beside the result.
std::filesystem::path problem_folder(const std::filesystem::path& output) {
  return output.parent_path() / (output.stem().string() + "_problems");
}

std::optional<ProblemSaving> problem_saving(const RunArguments& arguments, const Model& model,
                                            const std::filesystem::path& output) {
  if (arguments.save_problems == 0) return {};
  if (model.solver.method != ContactMethod::nonsmooth || model.solver.analysis != Analysis::dynamic)
    refuse("--save-problems",
           fmt::format("a {} analysis by the {} method", name_of(model.solver.analysis), name_of(model.solver.method)),
           "a dynamic one by the nonsmooth method, which solves contact problems", "add --method nonsmooth");
  return ProblemSaving{problem_folder(output), arguments.save_problems};
}

void report(const RunSummary& summary, const std::filesystem::path& output, const RunArguments& arguments) {
  if (arguments.json) {
    auto json = nlohmann::ordered_json::parse(to_json(summary));
    json["result"] = output.string();
    if (summary.problems)
      json["contact_problems"] = {{"folder", problem_folder(output).string()},
                                  {"files", summary.problems->files},
                                  {"left_out", summary.problems->left_out}};
    json["wall_seconds"] = summary.wall_seconds;
    fmt::print("{}\n", to_utf8(json));
  } else if (!arguments.quiet) {
    print_summary(to_text(summary));
    fmt::print("  {:<22} {}\n", "result", output.string());
    if (summary.problems)
      fmt::print("  {:<22} {} in {}\n", "contact problems", summary.problems->files, problem_folder(output).string());
  }
  report_end(summary, output);
}

// A run of a study has the name of the study and its number.
std::filesystem::path result_path(const RunArguments& arguments) {
  if (arguments.from.empty()) return output_path(arguments.model, arguments.output);
  const std::string name =
      fmt::format("{}_run_{}.h5", std::filesystem::path(arguments.from).stem().string(), arguments.run);
  return output_path(arguments.from, arguments.output.empty() ? name : arguments.output);
}

// One run of a study is given by its table alone.
Model model_to_run(const RunArguments& arguments) {
  if (arguments.from.empty() && arguments.model.empty()) refuse_without("MODEL");
  if (arguments.from.empty() && arguments.run > 0)
    refuse("--run", std::to_string(arguments.run), "a study to take the run from", "add --from STUDY.h5");
  if (arguments.from.empty()) return load_model(arguments.model, arguments.set);
  if (!arguments.model.empty() || !arguments.set.empty())
    refuse("--from", carom::quoted(arguments.from) + " and a model or --set",
           "the study alone, which has its model and its parameters");
  if (arguments.run == 0) refuse("--from", carom::quoted(arguments.from), "the number of a run", "add --run N");
  return recorded_study_model(read_table_file(arguments.from), arguments.from, arguments.run);
}

int run_model(const RunArguments& arguments) {
  Model model = model_to_run(arguments);  // until then Ctrl-C ends the program by itself
  choose_method(model, arguments.method);
  const std::filesystem::path output = result_path(arguments);
  const ProgressStyle style = arguments.progress ? ProgressStyle::lines : bar_unless(arguments.quiet || arguments.json);
  const RunSummary summary = run_with_progress(model, output, style, problem_saving(arguments, model, output));
  report(summary, output, arguments);
  return summary.status == RunStatus::complete ? exit_done : exit_failed;
}

}  // namespace

void add_run_command(Command app, int& exit_code) {
  auto arguments = std::make_shared<RunArguments>();
  Command command = app.add_subcommand("run", "Run a model and write a result file");
  command.add_option("MODEL", arguments->model, "model file (TOML)");
  command.add_option("-o,--output", arguments->output,
                     "result file; default: the model's name with .h5, in this folder");
  command.add_option("--from", arguments->from, "take the model and its parameters from a study (HDF5), with --run");
  command.add_option("--run", arguments->run, "number of the run in the study").positive();
  command.add_option("--set", arguments->set, "replace a parameter: NAME=VALUE (repeatable)");
  command.add_option("--method", arguments->method,
                     "treatment of contact: compliant or nonsmooth; default: that of the model");
  command
      .add_option("--save-problems", arguments->save_problems,
                  "of the nonsmooth method: write the contact problems of every so-many-th step as FCLIB files into "
                  "the folder RESULT_problems")
      .positive();
  command.add_flag("--quiet", arguments->quiet, "no progress, no summary");
  command.add_flag("--json", arguments->json, "summary as JSON");
  command.add_flag("--progress", arguments->progress,
                   "progress as lines of JSON on standard error, for other programs");
  command.callback([arguments, &exit_code] { exit_code = run_model(*arguments); });
}

}  // namespace carom
