#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "commands.h"
#include "exports/export_csv.h"
#include "exports/export_vtk.h"
#include "option_quantity.h"
#include "recording/select_quantities.h"
#include "recording/write_csv.h"

namespace carom {
namespace {

struct ExportArguments {
  std::string result, output, folder, from, to;
  std::vector<std::string> quantities;
  bool csv = false, vtk = false;
  std::size_t every = 0;  // 0: not given
};

SampleChoice choice_of(const ExportArguments& arguments) {
  SampleChoice choice;
  if (!arguments.from.empty()) choice.from = quantity_option("--from", arguments.from, "s");
  if (!arguments.to.empty()) choice.to = quantity_option("--to", arguments.to, "s");
  if (choice.to < choice.from) refuse("--to", carom::quoted(arguments.to), "a time that is not before --from");
  choice.every = std::max<std::size_t>(arguments.every, 1);
  return choice;
}

int export_table(const ExportArguments& arguments) {
  const ResultReader result(arguments.result);
  const SampleRange samples = select_samples(result.times(), choice_of(arguments));
  // An unknown quantity must not cost an older table its contents.
  select_quantities(result.quantities(), arguments.quantities);
  const bool to_file = !arguments.output.empty() && arguments.output != "-";
  std::optional<NewFile> file;
  if (to_file) file.emplace(arguments.output, WriteFileOptions{.written_by_carom = has_titles("")});
  std::ostream& stream = to_file ? file->stream() : std::cout;
  try {
    export_csv(result, arguments.quantities, stream, samples);
  } catch (const ResultError&) {
    if (stream.good()) throw;  // the result is at fault, not the table
  }
  if (to_file) {
    file->put_in_place();
  } else if (!stream.flush().good()) {
    throw WriteFailed("cannot write the table to standard output to its end; is there room left?");
  }
  return exit_done;
}

// Files for ParaView.
int export_motion(const ExportArguments& arguments) {
  if (!arguments.quantities.empty())
    refuse("QUANTITY", carom::quoted(arguments.quantities.front()), "none with --vtk, which shows all bodies",
           "the folder is named after --vtk: --vtk DIR");
  if (!arguments.output.empty())
    refuse("--output", carom::quoted(arguments.output), "--vtk DIR", "many files are written, into a folder");
  const Viewed viewed = view_result(arguments.result);
  const auto& times = viewed.samples->times();
  if (times.empty()) throw ResultError(fmt::format("{} holds no samples to export", arguments.result));
  SampleRange samples = select_samples(times, choice_of(arguments));
  if (arguments.every == 0) samples.stride = (samples.count() + most_vtk_samples - 1) / most_vtk_samples;
  const std::string name = std::filesystem::path(arguments.result).stem().string();
  const VtkFiles written =
      export_vtk(viewed, samples, arguments.folder.empty() ? name + "_vtk" : arguments.folder, name);
  fmt::print("{}: {} of {} samples, {} files, {:.1f} MB\n", written.collection.string(), written.samples, times.size(),
             written.files, 1e-6 * static_cast<double>(written.bytes));
  if (arguments.every == 0 && samples.stride > 1)
    fmt::print("every {} samples; --every, --from and --to choose others\n", samples.stride);
  return exit_done;
}

int export_result(const ExportArguments& arguments) {
  if (arguments.csv == arguments.vtk)
    refuse("--csv, --vtk", arguments.csv ? "both" : "neither", "one of them", "--csv for tables, --vtk for ParaView");
  return arguments.vtk ? export_motion(arguments) : export_table(arguments);
}

}  // namespace

void add_export_command(Command app, int& exit_code) {
  auto arguments = std::make_shared<ExportArguments>();
  Command command =
      app.add_subcommand("export", "Write the samples of a result as a table, or the motion for ParaView");
  command.add_option("RESULT", arguments->result, "result file (HDF5)").required();
  command.add_option("QUANTITY", arguments->quantities,
                     "of a table: quantities or patterns such as body:*.x; default: all");
  command.add_flag("--csv", arguments->csv, "a table of comma-separated values");
  CommandOption vtk = command.add_option("--vtk", arguments->folder,
                                         "files for ParaView, in this folder (default: the result's name and _vtk)");
  vtk.values(0, 1).value_name("[DIR]");
  command.add_option("-o,--output", arguments->output, "file of the table; default: standard output");
  command.add_option("--every", arguments->every, "every N-th sample; for ParaView at most 1000 unless it is given")
      .positive()
      .value_name("N");
  command.add_option("--from", arguments->from, "first time, s or with a unit").value_name("TIME");
  command.add_option("--to", arguments->to, "last time").value_name("TIME");
  command.callback([arguments, vtk, &exit_code] {
    arguments->vtk = vtk.given();
    exit_code = export_result(*arguments);
  });
}

}  // namespace carom
