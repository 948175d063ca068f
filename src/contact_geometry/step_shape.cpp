#include <cmath>

#include <fmt/format.h>

#include "base/nearest_name.h"
#include "base/problem.h"
#include "contact_geometry/shape_description.h"
#include "step/read_step.h"

// A part of a STEP file, in the axes of the part: drawn by its triangles, weighed by its true faces.
namespace carom::inline contact_geometry {

namespace {

struct StepData : ShapeData {
  std::shared_ptr<const StepAssembly> assembly;  // owns the part
  const StepPart* part = nullptr;
  double radius = 0;  // m, of the sphere about the origin that holds it
};

const StepPart* part_of(const Shape<3>& shape) {
  const auto* data = static_cast<const StepData*>(shape.data.get());
  return data ? data->part : nullptr;
}

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

void take_step(const Settings& keys, Shape<3>& shape) {
  const ModelFile file = keys.file("file");
  if (!file.bytes) return;  // reported
  auto data = std::make_shared<StepData>();
  try {
    data->assembly = read_step(file.bytes, {.chord = keys.number("chord")});
  } catch (const StepError& error) {
    throw ShapeError(
        {"file", fmt::format("{}: {}", quoted(file.name), error.what()), error.expected(), error.remedy()});
  }
  data->part = &choose_part(*data->assembly, keys.text("part"));
  for (const Eigen::Vector3d& point : data->part->points) data->radius = std::max(data->radius, point.norm());
  data->radius += data->part->chord;
  shape.data = std::move(data);
}

double step_bounding_radius(const Shape<3>& shape) {
  const auto* data = static_cast<const StepData*>(shape.data.get());
  return data ? data->radius : 0;
}

MassProperties step_mass(const Shape<3>& shape) {
  const StepPart* part = part_of(shape);
  return part ? MassProperties{part->volume, part->centre, part->inertia} : MassProperties{};
}

ShapeSurface step_surface(const Shape<3>& shape, int) {
  ShapeSurface result;
  const StepPart* part = part_of(shape);
  if (!part) return result;
  result.points = part->points;
  for (const auto& each : part->triangles) result.faces.emplace_back(each.begin(), each.end());
  return result;
}

// Sizes at which a wrong unit is more likely than such a part.
std::vector<ShapeRemark> step_remarks(const Shape<3>& shape) {
  constexpr double largest = 50, smallest = 1e-5;  // m
  const double size = 2 * step_bounding_radius(shape);
  if (!part_of(shape) || (size < largest && size > smallest)) return {};
  return {{"file", fmt::format("a part of about {:.3g} m", size), "a part of a machine",
           "check the unit of length in which the CAD program wrote it"}};
}

}  // namespace

ShapeDescription<3> describe_step() {
  return {
      .kind = kind_named("step"),
      .name = "step",
      .required = {"file"},
      .optional = {"part", "chord"},
      .keys = {{.name = "file", .kind = ParameterKind::file, .meaning = "of the shape, from the folder of the model"},
               {.name = "part",
                .kind = ParameterKind::text,
                .meaning = "of a STEP file with several parts: which one",
                .default_text = "the only one"},
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
      .mass = step_mass,
      .surface = step_surface};
}

}  // namespace carom::inline contact_geometry
