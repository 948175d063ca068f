#include "model_io/write_model.h"

#include <filesystem>

#include "control/block.h"
#include "documents/write_fields.h"
#include "force_elements/force_element.h"
#include "joints/joint.h"
#include "model_io/contact_tables.h"
#include "model_io/field_tables.h"
#include "model_io/read_model.h"
#include "model_io/read_race_faults.h"
#include "model_io/same_model.h"
#include "model_io/sections.h"

namespace carom::inline model_io {
namespace {

class ModelWriter {
 public:
  ModelWriter(const Model& model, ProblemList* problems)
      : model_(model),
        parts_(model.said ? *model.said : model),
        writer_(model.planar, model.parameters, model.file, problems) {}

  std::string write() {
    write_head();
    for (const BodyModel& body : parts_.bodies) write_body(body);
    for (const BodyModel& beam : parts_.beam_bodies) {
      table("beam", beam_fields(), beam);
      write_markers_and_geometry("beam", beam);
    }
    write_ground();
    for (const ElementModel& joint : parts_.joints) {
      write_element("joint", joint, find_joint(joint.type));
      if (joint.clearance) table("joint.clearance", clearance_fields(), *joint.clearance);
    }
    for (const MotionModel& motion : model_.motions) table("motion", motion_fields(), motion);
    for (const ElementModel& force : parts_.forces) write_element("force", force, find_force_element(force.type));
    for (const ElementModel& signal : model_.signals) {
      if (signal.implied) continue;
      const BlockDescription* type = find_block(signal.type);
      table("signal", type ? signal_fields(*type) : signal_fields(), signal);
    }
    for (const EventModel& event : model_.events) table("event", event_fields(), event);
    for (const ContactModel& contact : model_.contacts) write_contact(contact);
    for (const PairModel& pair : parts_.pairs) table("pair", pair_fields(), pair);
    for (const BearingModel& bearing : parts_.bearings) {
      table("bearing", bearing_fields(), bearing);
      if (!said_of(cage_fields(), bearing, model_.planar).empty()) table("bearing.cage", cage_fields(), bearing);
      for (const SpallModel& spall : spalls_of(bearing)) table("bearing.spall", spall_fields(), spall);
      for (const WavinessModel& wave : waves_of(bearing)) table("bearing.waviness", waviness_fields(), wave);
    }
    table("solver", solver_fields(), model_.solver);
    writer_.inline_table("baumgarte", said_of(baumgarte_fields(), model_.solver, model_.planar));
    table("output", output_fields(), model_.output);
    return writer_.take_text();
  }

 private:
  template <class Struct>
  void table(const std::string& name, const Fields<Struct>& fields, const Struct& held) {
    writer_.heading(section(name).heading());
    writer_.write(fields, held);
  }
  template <class Struct>
  void named_table(const std::string& name, const Fields<Struct>& fields, const Struct& held) {
    writer_.heading("[" + name + "." + FieldWriter::text_value(held.name) + "]");
    writer_.write(fields, held);
  }

  void write_head() {
    table("model", model_fields(), model_);
    if (!model_.parameters.empty()) writer_.heading(section("parameters").heading());
    for (const auto& [name, value] : model_.parameters) {
      const std::string text = parameter_text(name, value);
      writer_.line(name,
                   model_.variable_parameters.contains(name) ? "{ value = " + text + ", variable = true }" : text);
    }
    for (const Material& each : model_.materials) named_table("material", material_fields(), each);
    for (const SectionModel& each : model_.sections) named_table("section", cross_section_fields(), each);
  }

  // In SI, with the unit where it is known, which expressions are checked against.
  std::string parameter_text(const std::string& name, double value) const {
    const std::string number = FieldWriter::number_value(value);
    const auto known = model_.parameter_dimensions.find(name);
    if (known == model_.parameter_dimensions.end()) return number;
    return FieldWriter::text_value(number + " " + (known->second.is_one() ? "rad" : known->second.text()));
  }

  void write_body(const BodyModel& body) {
    table("body", body_fields(), body);
    if (body.flexible) writer_.inline_table("flexible", said_of(flexible_fields(), *body.flexible, model_.planar));
    if (body.lattice) table("body.grid", grid_fields(), *body.lattice);
    write_markers_and_geometry("body", body);
  }

  void write_ground() {
    if (parts_.ground.markers.empty() && parts_.ground.geometry.empty()) return;
    writer_.heading(section("ground").heading());
    write_markers_and_geometry("ground", parts_.ground);
  }

  void write_markers_and_geometry(const std::string& owner, const BodyModel& body) {
    for (const Marker& marker : body.markers) {
      writer_.heading("[[" + owner + ".marker]]");
      writer_.write(marker_fields(), marker);
    }
    for (const Geometry& geometry : body.geometry) {
      writer_.heading("[[" + owner + ".geometry]]");
      writer_.write(geometry_fields(), geometry);
    }
  }

  void write_element(const std::string& name, const ElementModel& element, const TypeDescription* type) {
    table(name, type ? element_fields(*type) : element_fields(), element);
  }

  void write_contact(const ContactModel& contact) {
    named_table("contact", contact_fields(contact_types(contact.law, contact.elastic)), contact);
    if (contact.friction.empty()) return;
    const FrictionLawDescription* law = find_friction_law(contact.friction);
    const auto fields = law ? friction_fields(*law) : friction_fields();
    writer_.inline_table("friction", said_of(fields, contact, model_.planar));
  }

  const Model& model_;
  const ModelParts& parts_;
  FieldWriter writer_;
};

}  // namespace

std::string write_model(const Model& model, ProblemList* problems) {
  ProblemList unwritable;
  std::string text = ModelWriter(model, problems ? &unwritable : nullptr).write();
  if (!problems) return text;
  // Nodes and elements of beams that were made in code have no form in a file.
  const bool made_in_code = !model.said && !model.beams.empty();
  ProblemList ignored;
  const std::filesystem::path folder = std::filesystem::path(model.file).parent_path();
  if (made_in_code || (model.said && !same_model(read_model_text(text, model.file, ignored, {}, folder), model))) {
    Problem problem;
    problem.file = model.file;
    problem.found = "parts of grids, beams or bearings that differ from what was said of them";
    problem.expected = "a model as it was read";
    unwritable.add(problem);
  }
  problems->add(unwritable);
  return text;
}

}  // namespace carom::inline model_io
