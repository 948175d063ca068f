#include <pthread.h>
#include <csignal>
#include <memory>
#include <optional>
#include <thread>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analyses/assembly.h"
#include "base/protected_files.h"
#include "base/version.h"
#include "check_report.h"
#include "commands.h"
#include "load_model.h"
#include "open_browser.h"
#include "output_path.h"
#include "viewing/embedded_files.h"
#include "viewing/server.h"

namespace carom {
namespace {

struct ViewArguments {
  std::vector<std::string> files;
  std::vector<std::string> set;
  std::string output;
  int port = 0;
  bool no_open = false;
};

// The assembled initial configuration as one sample; forces and accelerations are unknown before a run.
Viewed view_model(const std::string& file, const std::vector<std::string>& assignments) {
  Viewed viewed{.kind = "model",
                .file = file,
                .status = "not run",
                .version = carom_version,
                .model_text = {},
                .statistics_json = {},
                .report = {},
                .warnings = {},
                .model = load_model(file, assignments),
                .samples = {}};
  viewed.model_text = viewed.model.text;
  const auto system = System::create(viewed.model);
  State state = system->initial_state();
  const AssemblyReport report = assemble(*system, viewed.model, state);
  viewed.report = check_report(viewed.model, *system, report);
  if (!report.assembled) viewed.warnings.push_back("Not assembled: " + unassemblable_message(report));
  if (!report.warning.empty()) viewed.warnings.push_back(report.warning);

  std::vector<double> all, kept;
  system->record(state, Eigen::VectorXd::Zero(system->velocity_size()),
                 Eigen::VectorXd::Zero(system->constraint_size()), all);
  std::vector<ChannelGroup> groups;
  std::size_t place = 0;
  for (const ChannelDescription& channel : system->channels()) {
    if (channel.name.starts_with("body:")) {
      ChannelGroup& group = groups.emplace_back(ChannelGroup{.name = channel.name});
      for (const auto& component : channel.components)
        group.components.push_back({component.name, component.unit, component.meaning});
      const auto begin = all.begin() + static_cast<std::ptrdiff_t>(place);
      kept.insert(kept.end(), begin, begin + static_cast<std::ptrdiff_t>(channel.components.size()));
    }
    place += channel.components.size();
  }
  viewed.samples = single_sample(viewed.model.solver.start, std::move(groups), std::move(kept));
  return viewed;
}

bool is_model_file(const std::string& file) {
  return std::filesystem::path(file).extension() == ".toml";
}

ViewedFile open_file(const std::string& file, const std::vector<std::string>& assignments) {
  if (!is_model_file(file)) return {file, [file] { return view_result(file); }};
  return {file, [file, assignments] { return view_model(file, assignments); }};
}

// The words with which this program runs the model, as a user would.
std::vector<std::string> words_of_run(const ViewArguments& arguments, const std::filesystem::path& output) {
  std::vector<std::string> words = {"/proc/self/exe", "run",     arguments.files[0], "--output",
                                    output.string(),  "--quiet", "--progress"};
  if (replaces_by_force()) words.emplace_back("--force");
  return words;
}

int view(const ViewArguments& arguments) {
  if (embedded_files().empty()) {
    throw ResultError("this program was built without the viewer; build it again with -DCAROM_VIEWER=ON");
  }
  std::vector<ViewedFile> files;
  for (const std::string& file : arguments.files) files.push_back(open_file(file, arguments.set));
  std::optional<ModelRun> run;
  if (is_model_file(arguments.files[0])) {
    Assignments set;
    for (auto& [name, value] : split_assignments(arguments.set)) set[name] = value;
    const auto output = output_path(arguments.files[0], arguments.output);
    require_replaceable(output, is_result_file);
    run.emplace(RunnableModel{arguments.files[0], std::move(set)}, words_of_run(arguments, output), output);
  }
  ViewerRoutes routes(std::move(files), run ? &*run : nullptr);
  ViewerServer server(routes, arguments.port);

  // All threads leave these signals to the one that waits for them below.
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals, signal);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);

  const std::string address = server.address();
  std::thread serving([&] { server.serve(); });
  fmt::print("{}: {}\nstop with Ctrl-C\n", fmt::join(arguments.files, " and "), address);
  std::fflush(stdout);
  std::optional<BrowserPage> page;
  if (!arguments.no_open && can_open_browser()) page.emplace(address);
  int signal = 0;
  sigwait(&signals, &signal);
  server.stop();
  serving.join();
  if (run && run->state().phase == ModelRun::Phase::running) {
    fmt::print("stopping the run; what it computed stays in {}\n", run->result().string());
  }
  return exit_done;
}

}  // namespace

void add_view_command(Command app, int& exit_code) {
  auto arguments = std::make_shared<ViewArguments>();
  Command command = app.add_subcommand(
      "view",
      "Show a result, or a model before its run, in the browser; seen by who knows the address, on this computer only");
  command
      .add_option("FILE", arguments->files,
                  "result file (HDF5) or model file (TOML); a second one is compared with the first")
      .required()
      .values(1, 2);
  command.add_option("--set", arguments->set, "of a model, replace a parameter: NAME=VALUE (repeatable)");
  command.add_option(
      "-o,--output", arguments->output,
      "where a model that is run from the page writes its result; default: its name with .h5, in this folder");
  command.add_option("--port", arguments->port, "port on 127.0.0.1 (default: any free one)").range(1, 65535);
  command.add_flag("--no-open", arguments->no_open, "print the address and do not start a browser");
  command.callback([arguments, &exit_code] { exit_code = view(*arguments); });
}

}  // namespace carom
