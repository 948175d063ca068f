#include <gmock/gmock.h>

#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "../support/temporary_folder.h"
#include "contact_laws/elastic_catalogue.h"
#include "force_elements/force_element.h"
#include "joints/joint.h"
#include "model_io/contact_tables.h"
#include "model_io/field_tables.h"
#include "model_io/sections.h"
#include "model_io/write_model.h"
#include "sample_models.h"

// Every field of every struct: what is changed in code is written, and read back the same.
namespace carom {
namespace {

using Kind = ParameterKind;

// A number that the row allows, other than that one.
double another_number(const ParameterDescription& row, double than) {
  for (const double candidate : {2.0, 3.0, 0.25, 0.75, 0.001, -0.5, 17.0}) {
    const bool whole = candidate == std::floor(candidate);
    if (candidate == than || (row.kind == Kind::integer && !whole)) continue;
    if (!check_value(row, candidate, true)) return candidate;
  }
  ADD_FAILURE() << "no number for " << row.name;
  return 0;
}

std::vector<double> numbers_for(const ParameterDescription& row, bool planar) {
  switch (row.kind) {
    case Kind::orientation:
      return planar ? std::vector<double>{0.3} : std::vector<double>{0.6, 0, 0.8, 0};
    case Kind::angular_velocity:
      return planar ? std::vector<double>{-0.3} : std::vector<double>{0.1, -0.2, 0.3};
    case Kind::inertia:
      return planar ? std::vector<double>{0.3} : std::vector<double>{1.1, 1.2, 1.3, 0.01, 0.02, 0.03};
    case Kind::counts:
      return planar ? std::vector<double>{3, 5} : std::vector<double>{3, 5, 7};
    case Kind::vector:
      return planar ? std::vector<double>{0.1, -1.0 / 3} : std::vector<double>{0.1, -1.0 / 3, 0.7};
    default:
      return {0.75, 2};
  }
}

// Another value of a field, such as a file could say.
Value another(const ParameterDescription& row, const Value& than, bool planar) {
  switch (row.kind) {
    case Kind::number:
    case Kind::integer:
      return another_number(row, std::holds_alternative<double>(than) ? std::get<double>(than) : 0);
    case Kind::boolean:
      return !std::get<bool>(than);
    case Kind::choice:
      return row.choices.front() == std::get<std::string>(than) ? row.choices.back() : row.choices.front();
    case Kind::file: {
      static const TemporaryFolder folder;
      const std::string bytes("solid\0\xff\n", 8), name = (folder / "a part.bin").string();
      std::ofstream(name, std::ios::binary) << bytes;
      return ModelFile{name, std::make_shared<const std::string>(bytes)};
    }
    case Kind::texts:
      return std::vector<std::string>{"energy", "body:*"};
    case Kind::bodies:
    case Kind::joints:
    case Kind::markers:
    case Kind::materials:
    case Kind::shapes:
      return std::vector<std::string>{"*", "a \"quoted\\ name"};
    case Kind::points:
      return std::vector<Eigen::Vector3d>{{0.1, -0.2, planar ? 0 : 0.3}, {1.0 / 3, 0, 0}, {0, 0.5, planar ? 0 : 0.7}};
    case Kind::function:
      return Function::table({0, 0.1, 0.7}, {0, -1.0 / 3, 2}, Function::Interpolation::linear);
    case Kind::functions: {
      const bool single = planar && row.unit == "N m";
      return std::vector<Function>(single ? 1 : planar ? 2 : 3, Function::constant(0.25));
    }
    case Kind::text:
    case Kind::body:
    case Kind::joint:
    case Kind::marker:
    case Kind::material:
    case Kind::contact:
      return std::string("öther");
    default:
      return numbers_for(row, planar);
  }
}

// Of a catalogue, whose keys are not there before, the kind of value is that of the row.
template <class Struct>
Value another(const Field<Struct>& field, const Struct& held, bool planar) {
  Value than = field.get(held, planar);
  if (field.row.kind == Kind::choice && !std::holds_alternative<std::string>(than)) than = std::string();
  return another(field.row, than, planar);
}

// How a struct is taken out of a model and put back.
template <class Struct>
struct Place {
  std::function<Struct(const Model&)> take;
  std::function<void(Model&, const Struct&)> put;
};

template <class Struct>
void expect_every_field_comes_back(const std::string& text, const Fields<Struct>& fields, const Place<Struct>& place) {
  for (const Field<Struct>& field : fields) {
    SCOPED_TRACE(field.row.name);
    ProblemList ignored;  // the model need not make sense
    Model model = sample::read(text, ignored);
    if (field.row.name == "plane") continue;  // which changes how everything else is said
    Struct held = place.take(model);
    const Value before = field.get(held, model.planar);
    field.set(held, another(field, held, model.planar), model.planar);
    const Value changed = field.get(held, model.planar);
    EXPECT_FALSE(same_value(before, changed));
    place.put(model, held);
    const std::string written = write_model(model);
    const Model again = sample::read(written, ignored);
    ASSERT_EQ(again.bodies.empty(), model.bodies.empty()) << ignored.text() << written;
    EXPECT_TRUE(same(fields, held, place.take(again), model.planar)) << written;
    EXPECT_TRUE(same_value(field.get(place.take(again), model.planar), changed)) << written;
    EXPECT_EQ(write_model(again), written);
  }
}

template <class Struct>
Place<Struct> first_of(std::vector<Struct> Model::*list) {
  return {[=](const Model& model) { return (model.*list).at(0); },
          [=](Model& model, const Struct& held) { (model.*list).at(0) = held; }};
}
template <class Struct>
Place<Struct> first_part(std::vector<Struct> ModelParts::*list) {
  return {[=](const Model& model) { return (model.*list).at(0); },
          [=](Model& model, const Struct& held) { (model.*list).at(0) = held; }};
}
// Of the parts as the file says them.
template <class Struct>
Place<Struct> first_said(std::vector<Struct> ModelParts::*list) {
  return {[=](const Model& model) { return (model.said.get()->*list).at(0); },
          [=](Model& model, const Struct& held) {
            auto parts = std::make_shared<ModelParts>(*model.said);
            (parts.get()->*list).at(0) = held;
            model.said = parts;
          }};
}
template <class Owner, class Struct>
Place<Struct> within(const Place<Owner>& owner, std::shared_ptr<const Struct> Owner::*member) {
  return {[=](const Model& model) { return *(owner.take(model).*member); },
          [=](Model& model, const Struct& held) {
            Owner changed = owner.take(model);
            changed.*member = std::make_shared<const Struct>(held);
            owner.put(model, changed);
          }};
}
template <class Owner, class Struct>
Place<Struct> within(const Place<Owner>& owner, std::vector<Struct> Owner::*list) {
  return {[=](const Model& model) { return (owner.take(model).*list).at(0); },
          [=](Model& model, const Struct& held) {
            Owner changed = owner.take(model);
            (changed.*list).at(0) = held;
            owner.put(model, changed);
          }};
}

const std::string planar_head = "[model]\nplane = \"xy\"\n", spatial_head = "[model]\n";

std::string body(bool planar, const std::string& more = {}) {
  return "[[body]]\nname = \"ball\"\nmass = 1\ninertia = " + std::string(planar ? "1" : "[1, 1, 1]") + "\n" + more;
}

TEST(Fields, OfHeadSolverAndOutput) {
  for (const std::string& head : {planar_head, spatial_head}) {
    expect_every_field_comes_back<Model>(
        head, model_fields(),
        {[](const Model& model) { return model; }, [](Model& model, const Model& held) { model = held; }});
    const Place<SolverSettings> solver = {[](const Model& model) { return model.solver; },
                                          [](Model& model, const SolverSettings& held) { model.solver = held; }};
    expect_every_field_comes_back(head, solver_fields(), solver);
    expect_every_field_comes_back(head, baumgarte_fields(), solver);
    expect_every_field_comes_back<OutputSettings>(
        head, output_fields(),
        {[](const Model& model) { return model.output; },
         [](Model& model, const OutputSettings& held) { model.output = held; }});
  }
}

// The settings in a result hold each of them, changed ones and defaults.
TEST(Fields, AreRecorded) {
  const auto expect_recorded = [](const Model& model, const nlohmann::json& json, const auto& fields,
                                  const auto& held) {
    for (const SaidKey& each : all_of(fields, held, model.planar)) {
      ASSERT_TRUE(json.contains(each.row->name)) << each.row->name;
      const nlohmann::json& recorded = json[each.row->name];
      if (const auto* number = std::get_if<double>(&each.value)) {
        EXPECT_EQ(recorded.get<double>(), *number);
      } else if (const auto* word = std::get_if<std::string>(&each.value)) {
        EXPECT_EQ(recorded.get<std::string>(), *word);
      } else if (const auto* list = std::get_if<std::vector<std::string>>(&each.value)) {
        EXPECT_EQ(recorded.get<std::vector<std::string>>(), *list);
      } else if (const auto* choice = std::get_if<bool>(&each.value)) {
        EXPECT_EQ(recorded.get<bool>(), *choice);
      } else {
        ADD_FAILURE() << "no comparison for " << each.row->name;
      }
    }
  };
  Model model;
  for (const bool changed : {false, true}) {
    for (const auto* fields : {&solver_fields(), &baumgarte_fields()}) {
      for (const Field<SolverSettings>& field : *fields) {
        if (changed) field.set(model.solver, another(field, model.solver, false), false);
      }
    }
    for (const Field<OutputSettings>& field : output_fields()) {
      if (changed) field.set(model.output, another(field, model.output, false), false);
    }
    const auto json = nlohmann::json::parse(recorded_settings(model));
    expect_recorded(model, json, solver_fields(), model.solver);
    expect_recorded(model, json["baumgarte"], baumgarte_fields(), model.solver);
    expect_recorded(model, json, output_fields(), model.output);
  }
}

TEST(Fields, OfMaterialsContactsAndPairs) {
  expect_every_field_comes_back(planar_head + "[material.steel]\n", material_fields(), first_of(&Model::materials));
  expect_every_field_comes_back(planar_head + "[[pair]]\nname = \"p\"\nbodies = [\"a\", \"b\"]\n", pair_fields(),
                                first_part(&ModelParts::pairs));
  expect_every_field_comes_back(planar_head + "[contact.dry]\n", contact_fields(), first_of(&Model::contacts));
  for (const NormalLawDescription& law : normal_law_catalogue()) {
    SCOPED_TRACE(law.name);
    Fields<ContactModel> own;
    const auto all = contact_fields(contact_types(law.name, law.elastic));
    for (const Field<ContactModel>& each : all) {
      if (!find_row(contact_fields().rows(), each.row.name)) own.add(each);
    }
    const std::string text = fmt::format("{}[contact.dry]\nlaw = \"{}\"\n", planar_head, law.name);
    expect_every_field_comes_back(text, own, first_of(&Model::contacts));
  }
  for (const ElasticDescription& elastic : elastic_catalogue()) {
    SCOPED_TRACE(elastic.name);
    Fields<ContactModel> own;
    for (const ParameterDescription& row : elastic.parameters) own.add(kept_in(&ContactModel::settings, row));
    const std::string text = fmt::format("{}[contact.dry]\nelastic = \"{}\"\n", planar_head, elastic.name);
    expect_every_field_comes_back(text, own, first_of(&Model::contacts));
  }
  for (const FrictionLawDescription& law : friction_law_catalogue()) {
    SCOPED_TRACE(law.name);
    Fields<ContactModel> own;
    for (const ParameterDescription& row : law.parameters) own.add(kept_in(&ContactModel::friction_settings, row));
    const std::string text = fmt::format("{}[contact.dry]\nfriction = {{ law = \"{}\" }}\n", planar_head, law.name);
    expect_every_field_comes_back(text, own, first_of(&Model::contacts));
  }
}

TEST(Fields, OfBodies) {
  for (const bool planar : {true, false}) {
    const std::string text = (planar ? planar_head : spatial_head) +
                             body(planar, "[[body.marker]]\nname = \"m\"\n[[body.geometry]]\nshape = \"sphere\"\n");
    const auto place = first_part(&ModelParts::bodies);
    expect_every_field_comes_back(text, body_fields(), place);
    expect_every_field_comes_back(text, marker_fields(), within(place, &BodyModel::markers));
    expect_every_field_comes_back(text, geometry_fields(), within(place, &BodyModel::geometry));
  }
}

TEST(Fields, OfMotions) {
  const std::string text = planar_head + "[[motion]]\nname = \"drive\"\njoint = \"pin\"\nposition = 0\n";
  expect_every_field_comes_back(text, motion_fields(), first_of(&Model::motions));
}

TEST(Fields, OfEveryJointAndForce) {
  for (const bool planar : {true, false}) {
    const auto expect = [&](const std::string& section, const TypeDescription& type, const auto& list) {
      SCOPED_TRACE(type.name);
      Fields<ElementModel> own;
      const auto all = element_fields(type);
      for (const Field<ElementModel>& each : all) {
        if (each.row.name != "type") own.add(each);
      }
      const std::string text = fmt::format("{}[[{}]]\nname = \"e\"\ntype = \"{}\"\n",
                                           planar ? planar_head : spatial_head, section, type.name);
      expect_every_field_comes_back(text, own, first_part(list));
    };
    for (const JointDescription& type : joint_catalogue()) expect("joint", type, &ModelParts::joints);
    for (const ForceElementDescription& type : force_element_catalogue()) expect("force", type, &ModelParts::forces);
  }
  const Place<ClearanceModel> clearance = {
      [](const Model& model) { return *model.joints.at(0).clearance; },
      [](Model& model, const ClearanceModel& held) { model.joints.at(0).clearance = held; }};
  expect_every_field_comes_back(planar_head +
                                    "[[joint]]\nname = \"pin\"\ntype = \"revolute\"\n[joint.clearance]\nradial = "
                                    "1e-4\nbearing_radius = 0.01\n",
                                clearance_fields(), clearance);
}

TEST(Fields, OfGridsBeamsAndBearings) {
  for (const bool planar : {true, false}) {
    const std::string head = planar ? planar_head : spatial_head;
    const auto bodies = first_said(&ModelParts::bodies);
    const std::string grid = fmt::format("[body.grid]\ncount = {}\nspacing = {}\n", planar ? "[9, 9]" : "[9, 9, 9]",
                                         planar ? "[1, 1]" : "[1, 1, 1]");
    expect_every_field_comes_back(head + body(planar, grid), grid_fields(), within(bodies, &BodyModel::lattice));
    const std::string line = planar ? "[[0, 0], [1, 0]]" : "[[0, 0, 0], [1, 0, 0]]";
    expect_every_field_comes_back(
        head + body(planar, "flexible = { section = \"round\", material = \"steel\", line = " + line + " }\n"),
        flexible_fields(), within(bodies, &BodyModel::flexible));
    expect_every_field_comes_back(
        head + "[[beam]]\nname = \"shaft\"\nsection = \"round\"\nmaterial = \"steel\"\npoints = " + line + "\n",
        beam_fields(), first_said(&ModelParts::beam_bodies));
    expect_every_field_comes_back(head + "[section.round]\nshape = \"circle\"\n", cross_section_fields(),
                                  first_of(&Model::sections));
  }
  const std::string bearing = planar_head + "[[bearing]]\nname = \"left\"\n[bearing.cage]\ntype = \"springs\"\n";
  expect_every_field_comes_back(bearing, bearing_fields(), first_said(&ModelParts::bearings));
  expect_every_field_comes_back(bearing, cage_fields(), first_said(&ModelParts::bearings));
}

}  // namespace
}  // namespace carom
