#include "model_io/step_faces.h"

#include <algorithm>

#include "base/nearest_name.h"
#include "math/space.h"
#include "step/features.h"
#include "step/read_step.h"

namespace carom::inline model_io {
namespace {

void complain_of_face(Reading& reading, const KeyPath& key, const std::string& name, Complaint complaint) {
  const SourceMap::Place* place = reading.sources.find(key / name);
  reading.add({Severity::error, place ? place->file : reading.documents.files.front(),
               place ? place->where : SourceLocation{}, (key / name).shown, std::move(complaint.found),
               std::move(complaint.expected), std::move(complaint.remedy)});
  reading.sources.mark_broken(key / name);
}

// Null, and a problem, where the keys lead to none.
const StepPart* part_named(Reading& reading, const KeyPath& key, const StepAssembly& assembly,
                           const std::string& name) {
  std::vector<std::string> names;
  for (const StepPart& part : assembly.parts) {
    if (part.name == name || (name.empty() && assembly.parts.size() == 1)) return &part;
    names.push_back(part.name);
  }
  complain_of_face(reading, key, "part",
                   {name.empty() ? "nothing" : quoted_text(name), alternatives(names), did_you_mean(name, names)});
  return nullptr;
}

Geometry shape_of_face(const Geometry& said, const RoundFeature& face) {
  Geometry geometry = said;
  geometry.shape = face.ball ? face.hollow ? "cavity" : "sphere" : face.hollow ? "bore" : "cylinder";
  geometry.settings = {};
  for (const std::string name : {"color", "density"}) {
    if (const Value* value = said.settings.find(name)) geometry.settings.set(name, *value);
  }
  // The part that it is a face of has the mass.
  if (!said.settings.has("density")) geometry.settings.set("density", 0.0);
  geometry.settings.set("radius", face.radius);
  if (!face.ball) geometry.settings.set("length", face.length);
  geometry.position = said.position + said.orientation * face.centre;
  if (!face.ball) geometry.orientation = said.orientation * Eigen::Quaterniond(triad_about(face.axis));
  return geometry;
}

}  // namespace

bool resolve_step_face(Reading& reading, const KeyPath& key, Geometry& geometry) {
  if (geometry.shape != "step" || !geometry.settings.has("face")) return false;
  const ModelFile file = geometry.settings.file("file");
  if (!file.bytes) return false;  // reported
  std::shared_ptr<const StepAssembly> assembly;
  try {
    assembly = read_step(file.bytes, {.chord = geometry.settings.number("chord")});
  } catch (const StepError&) {
    return false;  // reported where the shape is made
  }
  const StepPart* part = part_named(reading, key, *assembly, geometry.settings.text("part"));
  if (!part) return false;
  const std::string name = geometry.settings.text("face");
  std::vector<std::string> names;
  for (const NamedFace& each : named_faces(*part)) {
    if (each.name == name) {
      geometry = shape_of_face(geometry, each.feature);
      return true;
    }
    names.push_back(each.name);
  }
  complain_of_face(reading, key, "face",
                   {quoted_text(name), names.empty() ? "a part with round faces" : alternatives(names),
                    "carom import FILE --list shows the faces of the parts"});
  return false;
}

}  // namespace carom::inline model_io
