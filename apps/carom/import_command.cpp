#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>

#include <fmt/format.h>

#include "base/write_file.h"
#include "cad_import/import_assembly.h"
#include "commands.h"
#include "documents/document.h"
#include "model_io/read_model.h"
#include "option_quantity.h"
#include "split_list.h"
#include "step/features.h"
#include "step/read_step.h"
#include "terminal.h"

namespace carom {
namespace {

struct ImportArguments {
  std::string file, output, density, plane, gravity, largest;
  std::vector<std::string> ground;
  bool solids = false, list = false;
};

ImportOptions options_of(const ImportArguments& arguments) {
  ImportOptions options;
  options.ground = arguments.ground;
  options.plane = arguments.plane;
  if (!arguments.density.empty()) {
    options.density = quantity_option("--density", arguments.density, "kg/m^3");
    if (!(options.density > 0)) refuse("--density", carom::quoted(arguments.density), "a density > 0");
  }
  if (!arguments.largest.empty()) {
    options.limits.largest = quantity_option("--largest-clearance", arguments.largest, "");
    if (!(options.limits.largest >= 0 && options.limits.largest < 1))
      refuse("--largest-clearance", carom::quoted(arguments.largest), "a share of the radius, from 0 to 1");
  }
  if (!arguments.gravity.empty()) {
    const auto numbers = split_list(arguments.gravity);
    if (numbers.size() != 3)
      refuse("--gravity", carom::quoted(arguments.gravity), "three numbers in the axes of the file, such as 0,0,-9.81");
    for (int k = 0; k < 3; ++k)
      options.gravity[k] = quantity_option("--gravity", numbers[static_cast<std::size_t>(k)], "m/s^2");
  }
  return options;
}

std::shared_ptr<const std::string> content_of(const std::string& file) {
  auto content = std::make_shared<std::string>();
  Problem problem;
  if (load_text(file, *content, problem, largest_part_file)) return content;
  problem.file = file;
  ProblemList problems;
  problems.add(problem);
  throw InputError(problems);
}

std::shared_ptr<const StepAssembly> read_assembly(const ImportArguments& arguments,
                                                  const std::shared_ptr<const std::string>& content) {
  try {
    return read_step(content, {.solids_apart = arguments.solids});
  } catch (const StepError& error) {
    ProblemList problems;
    problems.add(
        Problem{.file = arguments.file, .found = error.what(), .expected = error.expected(), .remedy = error.remedy()});
    throw InputError(problems);
  }
}

const std::map<FaceKind, std::string> face_names = {{FaceKind::plane, "plane"}, {FaceKind::cylinder, "cylinder"},
                                                    {FaceKind::cone, "cone"},   {FaceKind::sphere, "sphere"},
                                                    {FaceKind::torus, "torus"}, {FaceKind::free_form, "free-form"}};

// "6 plane, 2 cylinder faces"
std::string faces_text(const StepPart& part) {
  std::string text;
  for (const auto& [kind, name] : face_names) {
    const auto count = std::count_if(part.faces.begin(), part.faces.end(),
                                     [kind = kind](const StepFace& face) { return face.kind == kind; });
    if (count > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, name);
  }
  return text;
}

void list_parts(const StepAssembly& assembly) {
  for (const StepPart& part : assembly.parts) {
    const auto times = std::count_if(assembly.placements.begin(), assembly.placements.end(),
                                     [&](const StepPlacement& each) { return &assembly.parts[each.part] == &part; });
    fmt::print("{}: built in {} time{}, {:.6g} m³{}; faces: {}\n", part.name, times, times == 1 ? "" : "s", part.volume,
               part.density > 0 ? fmt::format(", {} of {:.6g} kg/m³", part.material, part.density) : "",
               faces_text(part));
    for (const auto& [name, face] : named_faces(part)) {
      fmt::print("  {}: diameter {:.7g} mm, {}at [{:.6g}, {:.6g}, {:.6g}] m", name, 2000 * face.radius,
                 face.ball ? "" : fmt::format("length {:.7g} mm, ", 1000 * face.length), face.centre.x() + 0.0,
                 face.centre.y() + 0.0, face.centre.z() + 0.0);
      if (!face.ball)
        fmt::print(" along [{:.6g}, {:.6g}, {:.6g}]", face.axis.x() + 0.0, face.axis.y() + 0.0, face.axis.z() + 0.0);
      fmt::print("\n");
    }
  }
  for (const std::string& remark : assembly.remarks) fmt::print("{}\n", remark);
}

std::string fit_text(const Fit& fit) {
  const double mm = 1000;
  const std::string room =
      fit.clearance > 0 ? fmt::format("clearance {:.7g} mm", 2 * mm * fit.clearance) : "no clearance: an ideal joint";
  switch (fit.kind) {
    case FitKind::pin:
    case FitKind::sleeve:
      return fmt::format("{}, hole {:.7g} mm, length {:.7g} mm, {}", fit.kind == FitKind::pin ? "pin" : "sleeve",
                         2 * mm * fit.hole_radius, mm * fit.length, room);
    case FitKind::ball:
      return fmt::format("ball, socket {:.7g} mm, {}", 2 * mm * fit.hole_radius, room);
    case FitKind::slide:
      return fmt::format("slide, guide {:.7g} mm by {:.7g} mm, length {:.7g} mm, {}", 2 * mm * fit.hole_radius,
                         mm * fit.hole_height, mm * fit.length, room);
  }
  return {};
}

void report(const Imported& imported, const std::string& output) {
  fmt::print("{}: {} bodies, {} joints\n", output, imported.model.bodies.size(), imported.model.joints.size());
  for (const BodyModel& body : imported.model.bodies) fmt::print("  body   {}: {:.6g} kg\n", body.name, body.mass);
  for (std::size_t k = 0; k < imported.fits.fits.size(); ++k) {
    if (!imported.joints[k].empty())
      fmt::print("  joint  {}: {}\n", imported.joints[k], fit_text(imported.fits.fits[k]));
  }
  for (const NearMiss& miss : imported.fits.near_misses) {
    fmt::print("  near   {} in {}: {}\n", imported.bodies[static_cast<std::size_t>(miss.inside)],
               imported.bodies[static_cast<std::size_t>(miss.hole)], miss.what);
  }
  for (const std::string& remark : imported.remarks) fmt::print("  note   {}\n", remark);
}

int import_file(const ImportArguments& arguments) {
  const auto content = content_of(arguments.file);
  const auto assembly = read_assembly(arguments, content);
  if (arguments.list) {
    list_parts(*assembly);
    return exit_done;
  }
  namespace fs = std::filesystem;
  const fs::path output =
      arguments.output.empty() ? fs::path(arguments.file).stem().string() + ".toml" : arguments.output;
  const fs::path folder = fs::absolute(output).lexically_normal().parent_path();
  const fs::path named = fs::absolute(arguments.file).lexically_normal().lexically_relative(folder);
  const ModelFile file{named.empty() ? fs::absolute(arguments.file).string() : named.string(), content};
  const Imported imported = import_assembly(*assembly, file, options_of(arguments));
  const std::string text = import_text(imported);
  ProblemList problems;
  read_model_text(text, output.string(), problems, {}, folder);
  if (problems.errors() > 0) throw InputError(problems);
  // A model that was worked on must not be lost.
  write_file(output, text, {.written_by_carom = [](const fs::path&) { return false; }});
  report(imported, output.string());
  return exit_done;
}

}  // namespace

void add_import_command(Command app, int& exit_code) {
  auto arguments = std::make_shared<ImportArguments>();
  Command command = app.add_subcommand(
      "import", "Make a model of a STEP assembly: bodies with their masses, joints where pins, balls and slides fit");
  command.add_option("FILE", arguments->file, "assembly or part (STEP)").required();
  command.add_option("-o,--output", arguments->output, "model file to write; default: the name of FILE with .toml");
  command.add_option("--density", arguments->density, "of parts without a material, kg/m^3 or with a unit");
  command
      .add_option("--ground", arguments->ground, "a part that does not move (repeatable); default: one called ground")
      .value_name("PART")
      .one_value_each();
  command.add_option("--plane", arguments->plane, "make a planar model in this plane of the file")
      .one_of({"xy", "yz", "zx"});
  command.add_option("--gravity", arguments->gravity, "in the axes of the file, such as 0,0,-9.81; default: none")
      .value_name("X,Y,Z");
  command.add_option("--largest-clearance", arguments->largest,
                     "share of the radius up to which a clearance makes a joint; default: 0.05");
  command.add_flag("--solids", arguments->solids, "every solid is a part, not every product of the file");
  command.add_flag("--list", arguments->list, "list the parts with their round faces and write nothing");
  command.callback([arguments, &exit_code] { exit_code = import_file(*arguments); });
}

}  // namespace carom
