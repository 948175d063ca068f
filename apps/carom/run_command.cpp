#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "json_text.h"
#include "load_model.h"
#include "run_with_progress.h"

namespace carom {
namespace {

struct RunArguments {
  std::string model, output, method;
  std::vector<std::string> set;
  bool quiet = false, json = false;
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

// Where the result goes; never onto the model itself.
std::filesystem::path output_path(const RunArguments& arguments) {
  const std::filesystem::path output = arguments.output.empty()
                                           ? std::filesystem::path(arguments.model).filename().replace_extension(".h5")
                                           : std::filesystem::path(arguments.output);
  std::error_code error;
  if (std::filesystem::equivalent(output, arguments.model, error)) {
    ProblemList problems;
    problems.add(Problem{.key = "--output",
                         .found = carom::quoted(output.string()) + ", which is the model file",
                         .expected = "another file for the result",
                         .remedy = "the model would be lost"});
    throw InputError(problems);
  }
  return output;
}

int run_model(const RunArguments& arguments) {
  Model model = load_model(arguments.model, arguments.set);
  choose_method(model, arguments.method);
  const std::filesystem::path output = output_path(arguments);
  const RunSummary summary = run_with_progress(model, output, !arguments.quiet && !arguments.json);
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
  command->callback([arguments, &exit_code] { exit_code = run_model(*arguments); });
}

}  // namespace carom
