#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>
#include <memory>

#include <fmt/format.h>

#include "commands.h"
#include "recording/export_csv.h"
#include "recording/select_quantities.h"

namespace carom {
namespace {

struct ExportArguments {
  std::string result, output;
  std::vector<std::string> quantities;
  bool csv = false;
};

int export_result(const ExportArguments& arguments) {
  const ResultReader result(arguments.result);
  // An unknown quantity must not cost an older table its contents.
  select_quantities(result.quantities(), arguments.quantities);
  const bool to_file = !arguments.output.empty() && arguments.output != "-";
  std::ofstream file;
  if (to_file) {
    errno = 0;
    file.open(arguments.output);
    if (!file) {
      fmt::print(stderr, "carom: cannot write {}: {}\n", arguments.output, std::strerror(errno ? errno : EIO));
      return exit_input;
    }
  }
  std::ostream& stream = to_file ? file : std::cout;
  try {
    export_csv(result, arguments.quantities, stream);
  } catch (const ResultError&) {
    if (stream.good()) throw;  // the result is at fault, not the table
  }
  if (stream.flush().good()) return exit_done;
  fmt::print(stderr, "carom: cannot write {} to its end: is there room left?\n",
             to_file ? arguments.output : "standard output");
  return exit_failed;
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
