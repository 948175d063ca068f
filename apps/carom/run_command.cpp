#include <atomic>
#include <csignal>
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "json_text.h"
#include "load_model.h"
#include "model_io/validate.h"
#include "progress_bar.h"
#include "simulation/run.h"

namespace carom {
namespace {

std::atomic<bool> interrupt_requested = false;

void request_interrupt(int) {
  interrupt_requested = true;
  std::signal(SIGINT, SIG_DFL);  // a second Ctrl-C stops at once
}

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
  if (summary.status == RunStatus::complete) return;
  const bool failed = summary.status == RunStatus::failed;
  fmt::print(stderr, "carom: run {} at t = {:g} s; the {} samples until then are saved in {}\n",
             failed ? "failed" : "interrupted", summary.t, summary.samples, output.string());
  if (failed) fmt::print(stderr, "carom: {}\n", summary.reason);
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
  if (!arguments.method.empty() && arguments.method != model.solver.method) {
    model.solver.method = arguments.method;
    ProblemList problems;
    validate(model, problems);
    if (problems.errors() > 0) throw InputError(problems);
  }
  const std::filesystem::path output = output_path(arguments);

  std::signal(SIGINT, request_interrupt);
  std::signal(SIGTERM, request_interrupt);
  std::signal(SIGXFSZ, SIG_IGN);  // a file too large is an error of the write, not the end of the program
  RunSummary summary;
  {
    ProgressBar bar(!arguments.quiet && !arguments.json);
    summary = run(model, {.output = output,
                          .progress = [&](const Progress& progress) { bar.show(progress); },
                          .interrupted = &interrupt_requested});
  }
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
  command->add_option("--method", arguments->method, "treatment of contact: compliant");
  command->add_flag("--quiet", arguments->quiet, "no progress, no summary");
  command->add_flag("--json", arguments->json, "summary as JSON");
  command->callback([arguments, &exit_code] { exit_code = run_model(*arguments); });
}

}  // namespace carom
