#include <fstream>
#include <iostream>
#include <memory>

#include <fmt/format.h>

#include "commands.h"
#include "recording/export_csv.h"

namespace carom {
namespace {

struct ExportArguments {
  std::string result, output;
  std::vector<std::string> quantities;
  bool csv = false;
};

int export_result(const ExportArguments& arguments) {
  const ResultReader result(arguments.result);
  if (arguments.output.empty() || arguments.output == "-") {
    export_csv(result, arguments.quantities, std::cout);
    return std::cout.flush().good() ? exit_done : exit_failed;
  }
  std::ofstream file(arguments.output);
  if (file) export_csv(result, arguments.quantities, file);
  if (!file.flush().good()) {
    fmt::print(stderr, "carom: cannot write {}: check that the folder exists, is writable and has room\n", arguments.output);
    return exit_failed;
  }
  return exit_done;
}

}  // namespace

void add_export_command(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<ExportArguments>();
  CLI::App* command = app.add_subcommand("export", "Write the samples of a result as a table");
  command->add_option("RESULT", arguments->result, "result file (HDF5)")->required();
  command->add_option("QUANTITY", arguments->quantities, "quantities or patterns such as body:*.x; default: all");
  command->add_flag("--csv", arguments->csv, "comma-separated values")->required();
  command->add_option("-o,--output", arguments->output, "file; default: standard output");
  command->callback([arguments, &exit_code] { exit_code = export_result(*arguments); });
}

}  // namespace carom
