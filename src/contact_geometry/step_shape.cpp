#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>

#include <fmt/format.h>

#include "base/nearest_name.h"
#include "base/problem.h"
#include "contact_geometry/faced_shapes.h"
#include "contact_geometry/mesh_shape.h"
#include "contact_geometry/step_solid.h"
#include "step/read_step.h"

// A part of a STEP file, in the axes of the part: weighed and touched by its true faces, drawn by triangles.
namespace carom::inline contact_geometry {

namespace {

struct StepData : MeshData {
  StepData(const ClosedSurface& surface, std::shared_ptr<const StepAssembly> from, const StepPart& which)
      : MeshData(surface, 1), assembly(std::move(from)), part(&which) {
    solid = solid_of_part(which, mesh.thickness());
    beyond = which.chord;
    free_form = static_cast<int>(std::count_if(which.faces.begin(), which.faces.end(),
                                               [](const StepFace& face) { return !is_elementary(face); }));
    for (const StepFace& face : which.faces) {
      if (!is_elementary(face)) off_free_form = std::max(off_free_form, face.chord);
    }
  }
  std::shared_ptr<const StepAssembly> assembly;  // owns the part
  const StepPart* part;
};

const StepPart& choose_part(const StepAssembly& assembly, const std::string& name) {
  if (name.empty() && assembly.parts.size() == 1) return assembly.parts.front();
  std::vector<std::string> names;
  for (const StepPart& part : assembly.parts) {
    if (part.name == name) return part;
    names.push_back(part.name);
  }
  const std::size_t most = 12;
  std::string listed;
  for (std::size_t k = 0; k < names.size() && k < most; ++k) listed += (k > 0 ? ", " : "") + quoted(names[k]);
  if (names.size() > most) listed += fmt::format(" … ({} parts)", names.size());
  throw ShapeError({"part", name.empty() ? fmt::format("a file of {} parts", names.size()) : quoted(name),
                    "the name of one of its parts: " + listed, name.empty() ? "" : did_you_mean(name, names)});
}

std::shared_ptr<const StepData> make_step(const std::shared_ptr<const StepAssembly>& assembly, const StepPart& part) {
  try {
    return std::make_shared<const StepData>(close_surface({part.points, part.triangles}), assembly, part);
  } catch (const std::invalid_argument& failure) {
    throw ShapeError({"part",
                      fmt::format("the part {}, whose faces leave gaps ({})", quoted(part.name), failure.what()),
                      "a closed solid",
                      "sew its faces in the CAD program, or leave the shape out: mass and joints of an "
                      "imported model do not need it"});
  }
}

// Shapes of one part share its triangles, however often the model is looked at.
std::shared_ptr<const StepData> shared_step(const std::shared_ptr<const StepAssembly>& assembly, const StepPart& part) {
  static std::mutex guard;
  static std::map<const StepPart*, std::weak_ptr<const StepData>> known;
  const std::lock_guard lock(guard);
  std::erase_if(known, [](const auto& each) { return each.second.expired(); });
  std::weak_ptr<const StepData>& entry = known[&part];
  if (auto data = entry.lock()) return data;
  auto data = make_step(assembly, part);
  entry = data;
  return data;
}

void take_step(const Settings& keys, Shape<3>& shape) {
  const ModelFile file = keys.file("file");
  if (!file.bytes) throw ShapeError({"file", "no file", "a STEP file", ""});
  std::shared_ptr<const StepAssembly> assembly;
  try {
    assembly = read_step(file.bytes, {.chord = keys.number("chord")});
  } catch (const StepError& error) {
    throw ShapeError(
        {"file", fmt::format("{}: {}", quoted(file.name), error.what()), error.expected(), error.remedy()});
  }
  const StepPart& part = choose_part(*assembly, keys.text("part"));
  if (keys.has("face")) throw ShapeError({"face", "a face here", "a face of a shape of a body or of the ground", ""});
  shape.data = shared_step(assembly, part);
}

const StepPart& part_of(const Shape<3>& shape) {
  return *static_cast<const StepData&>(*shape.data).part;
}

MassProperties step_mass(const Shape<3>& shape) {
  const StepPart& part = part_of(shape);
  return {part.volume, part.centre, part.inertia};
}

// Sizes at which a wrong unit is more likely than such a part.
std::vector<ShapeRemark> step_remarks(const Shape<3>& shape) {
  constexpr double largest = 50, smallest = 1e-5;  // m
  const double size = mesh_of(shape).size();
  if (size < largest && size > smallest) return {};
  return {{"file", fmt::format("a part of about {:.3g} m", size), "a part of a machine",
           "check the unit of length in which the CAD program wrote it"}};
}

// Triangles of a convex face lie inside it.
double step_bounding_radius(const Shape<3>& shape) {
  return mesh_bounding_radius(shape) + static_cast<const MeshData&>(*shape.data).beyond;
}

}  // namespace

double step_sharpness(const Shape<3>& shape);

std::shared_ptr<const FacedSolid> faced_solid_of_step(const Shape<3>& shape) {
  return static_cast<const MeshData&>(*shape.data).solid;
}

ShapeDescription<3> describe_step() {
  return {.kind = step_kind,
          .name = "step",
          .required = {"file"},
          .optional = {"part", "face", "chord"},
          .keys = {{.name = "part",
                    .kind = ParameterKind::text,
                    .meaning = "of a STEP file with several parts: which one",
                    .default_text = "the only one"},
                   {.name = "face",
                    .kind = ParameterKind::text,
                    .meaning = "of a STEP part: one round face of it alone, such as \"hole 1\", which becomes a bore, "
                               "cylinder, cavity or sphere of its true size; `carom import FILE --list` lists them",
                    .default_text = "the whole part"},
                   {.name = "chord",
                    .unit = "m",
                    .meaning = "of a STEP part: farthest distance of its triangles from the true faces",
                    .default_text = "1/1000 of its size",
                    .minimum = 0,
                    .minimum_allowed = false}},
          .form = ShapeForm::outline,
          .take = take_step,
          .remarks = step_remarks,
          .bounding_radius = step_bounding_radius,
          .thickness = mesh_thickness,
          .sharpness = step_sharpness,
          .mass = step_mass,
          .surface = mesh_surface};
}

}  // namespace carom::inline contact_geometry
