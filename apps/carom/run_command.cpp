#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "json_text.h"
#include "load_model.h"
#include "output_path.h"
#include "run_with_progress.h"

namespace carom {
namespace {

struct RunArguments {
  std::string model, output, method;
  std::vector<std::string> set;
  bool quiet = false, json = false, progress = false;
};

void report(const RunSummary& summary, const std::filesystem::path& output, const RunArguments& arguments) {
  if (arguments.json) {
    auto json = nlohmann::ordered_json::parse(to_json(summary));
    json["result"] = output.string();
    json["wall_seconds"] = summary.wall_seconds;
    fmt::print("{}\n", to_utf8(json));
  } else if (!arguments.quiet) {
    fmt::print("{}  {:<22} {}\n", to_text(summary), "result", output.string());
  }
  report_end(summary, output);
}

int run_model(const RunArguments& arguments) {
  Model model = load_model(arguments.model, arguments.set);
  choose_method(model, arguments.method);
  const std::filesystem::path output = output_path(arguments.model, arguments.output);
  const ProgressStyle style = arguments.progress ? ProgressStyle::lines : bar_unless(arguments.quiet || arguments.json);
  const RunSummary summary = run_with_progress(model, output, style);
  report(summary, output, arguments);
  return summary.status == RunStatus::complete ? exit_done : exit_failed;
}

}  // namespace

void add_run_command(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<RunArguments>();
  CLI::App* command = app.add_subcommand("run", "Run a model and write a result file");
  command->add_option("MODEL", arguments->model, "model file (TOML)")->required();
  command->add_option("-o,--output", arguments->output,
                      "result file; default: the model's name with .h5, in this folder");
  command->add_option("--set", arguments->set, "replace a parameter: NAME=VALUE (repeatable)");
  command->add_option("--method", arguments->method,
                      "treatment of contact: compliant or nonsmooth; default: that of the model");
  command->add_flag("--quiet", arguments->quiet, "no progress, no summary");
  command->add_flag("--json", arguments->json, "summary as JSON");
  command->add_flag("--progress", arguments->progress,
                    "progress as lines of JSON on standard error, for other programs");
  command->callback([arguments, &exit_code] { exit_code = run_model(*arguments); });
}

}  // namespace carom
