#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "commands.h"
#include "exports/export_csv.h"
#include "exports/export_gltf.h"
#include "exports/export_vtk.h"
#include "option_quantity.h"
#include "recording/select_quantities.h"
#include "recording/write_csv.h"

namespace carom {
namespace {

struct ExportArguments {
  std::string result, output, folder, scene, duration, from, to;
  std::vector<std::string> quantities;
  bool csv = false, vtk = false, gltf = false;
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

// The samples of a motion, at most so many unless they were chosen.
SampleRange moments_of(const ExportArguments& arguments, const Viewed& viewed, std::size_t most) {
  const auto& times = viewed.samples->times();
  if (times.empty()) throw ResultError(fmt::format("{} holds no samples to export", arguments.result));
  SampleRange samples = select_samples(times, choice_of(arguments));
  if (arguments.every == 0) samples.stride = (samples.count() + most - 1) / most;
  return samples;
}

void report_stride(const ExportArguments& arguments, const SampleRange& samples) {
  if (arguments.every == 0 && samples.stride > 1)
    fmt::print("every {} samples; --every, --from and --to choose others\n", samples.stride);
}

void refuse_quantities(const ExportArguments& arguments, const std::string& option, const std::string& place) {
  if (!arguments.quantities.empty())
    refuse("QUANTITY", carom::quoted(arguments.quantities.front()), "none with " + option + ", which shows all bodies",
           place);
}

// s, to play the motion: its own time where a person can follow it.
double playing_time(const ExportArguments& arguments, double span) {
  constexpr double shortest = 1, longest = 60, comfortable = 8;
  if (!arguments.duration.empty()) {
    const double given = quantity_option("--duration", arguments.duration, "s");
    if (!(given > 0)) refuse("--duration", carom::quoted(arguments.duration), "a time > 0");
    return given;
  }
  return span >= shortest && span <= longest ? span : comfortable;
}

int export_scene(const ExportArguments& arguments) {
  refuse_quantities(arguments, "--gltf", "the file is named after --gltf: --gltf FILE");
  if (!arguments.output.empty() && !arguments.scene.empty())
    refuse("--output", carom::quoted(arguments.output), "one file", "name it after --gltf or after -o");
  const Viewed viewed = view_result(arguments.result);
  const SampleRange samples = moments_of(arguments, viewed, most_gltf_samples);
  const auto& times = viewed.samples->times();
  const std::string name = std::filesystem::path(arguments.result).stem().string();
  const std::string file = !arguments.scene.empty()    ? arguments.scene
                           : !arguments.output.empty() ? arguments.output
                                                       : name + ".glb";
  const std::size_t last = samples.first + (samples.count() - 1) * samples.stride;
  const double span = times[last] - times[samples.first];
  const GltfFile written = export_gltf(viewed, samples, playing_time(arguments, span), file);
  fmt::print("{}: {} of {} samples, {:.1f} MB", file, written.samples, times.size(),
             1e-6 * static_cast<double>(written.bytes));
  if (written.slower > 1.05) fmt::print(", {:.3g} times slower than real time", written.slower);
  if (written.slower < 0.95) fmt::print(", {:.3g} times faster than real time", 1 / written.slower);
  fmt::print("\n");
  if (written.left_out > 0)
    fmt::print("{} contacts have no arrow: those of the {} largest forces have\n", written.left_out, most_gltf_arrows);
  report_stride(arguments, samples);
  return exit_done;
}

// Files for ParaView.
int export_motion(const ExportArguments& arguments) {
  refuse_quantities(arguments, "--vtk", "the folder is named after --vtk: --vtk DIR");
  if (!arguments.output.empty())
    refuse("--output", carom::quoted(arguments.output), "--vtk DIR", "many files are written, into a folder");
  const Viewed viewed = view_result(arguments.result);
  const SampleRange samples = moments_of(arguments, viewed, most_vtk_samples);
  const auto& times = viewed.samples->times();
  const std::string name = std::filesystem::path(arguments.result).stem().string();
  const VtkFiles written =
      export_vtk(viewed, samples, arguments.folder.empty() ? name + "_vtk" : arguments.folder, name);
  fmt::print("{}: {} of {} samples, {} files, {:.1f} MB\n", written.collection.string(), written.samples, times.size(),
             written.files, 1e-6 * static_cast<double>(written.bytes));
  report_stride(arguments, samples);
  return exit_done;
}

int export_result(const ExportArguments& arguments) {
  const int chosen =
      static_cast<int>(arguments.csv) + static_cast<int>(arguments.vtk) + static_cast<int>(arguments.gltf);
  if (chosen != 1)
    refuse("--csv, --vtk, --gltf",
           chosen == 0   ? "none"
           : chosen == 2 ? "both"
                         : "all of them",
           "one of them", "--csv for tables, --vtk for ParaView, --gltf for programs that show moving scenes");
  if (!arguments.duration.empty() && !arguments.gltf)
    refuse("--duration", carom::quoted(arguments.duration), "it with --gltf",
           "tables and files for ParaView have no clock");
  return arguments.vtk ? export_motion(arguments) : arguments.gltf ? export_scene(arguments) : export_table(arguments);
}

}  // namespace

void add_export_command(Command app, int& exit_code) {
  auto arguments = std::make_shared<ExportArguments>();
  Command command = app.add_subcommand(
      "export", "Write the samples of a result as a table, or the motion for ParaView or as a glTF scene");
  command.add_option("RESULT", arguments->result, "result file (HDF5)").required();
  command.add_option("QUANTITY", arguments->quantities,
                     "of a table: quantities or patterns such as body:*.x; default: all");
  command.add_flag("--csv", arguments->csv, "a table of comma-separated values");
  CommandOption vtk = command.add_option("--vtk", arguments->folder,
                                         "files for ParaView, in this folder (default: the result's name and _vtk)");
  vtk.values(0, 1).value_name("[DIR]");
  CommandOption gltf = command.add_option("--gltf", arguments->scene,
                                          "the moving scene, one file (default: the result's name and .glb)");
  gltf.values(0, 1).value_name("[FILE]");
  command
      .add_option(
          "--duration", arguments->duration,
          "that the motion of a scene takes to play; default: its own, or 8 s where that is below 1 s or above 60 s")
      .value_name("TIME");
  command.add_option("-o,--output", arguments->output, "file of the table; default: standard output");
  command.add_option("--every", arguments->every, "every N-th sample; of a motion at most 1000 unless it is given")
      .positive()
      .value_name("N");
  command.add_option("--from", arguments->from, "first time, s or with a unit").value_name("TIME");
  command.add_option("--to", arguments->to, "last time").value_name("TIME");
  command.callback([arguments, vtk, gltf, &exit_code] {
    arguments->vtk = vtk.given();
    arguments->gltf = gltf.given();
    exit_code = export_result(*arguments);
  });
}

}  // namespace carom
