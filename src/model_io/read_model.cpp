#include "model_io/read_model.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <tuple>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/nearest_name.h"
#include "control/block.h"
#include "control/quantity.h"
#include "control/signal_order.h"
#include "documents/reading.h"
#include "force_elements/force_element.h"
#include "joints/joint.h"
#include "model_io/field_tables.h"
#include "model_io/mass_from_shapes.h"
#include "model_io/read_beams.h"
#include "model_io/read_bearings.h"
#include "model_io/read_contacts.h"
#include "model_io/read_grid.h"
#include "model_io/recorded_files.h"
#include "model_io/sections.h"
#include "model_io/step_faces.h"
#include "model_io/validation.h"

namespace carom::inline model_io {
namespace {

std::string name_of(const Node& table) {
  const Node* name = table.find("name");
  const std::string* text = name ? name->as<std::string>() : nullptr;
  return text ? *text : "";
}

// Those that have a row.
Node::Table entries_of(const Node& table, const std::vector<ParameterDescription>& rows) {
  Node::Table entries;
  for (const Entry& entry : *table.as<Node::Table>()) {
    if (find_row(rows, entry.key)) entries.push_back(entry);
  }
  return entries;
}

class ModelReader {
 public:
  ModelReader(const Documents& documents, ProblemList& problems)
      : reading_(documents, problems), problems_(problems), beams_(reading_, model_), bearings_(reading_, model_) {}

  Model read(const ReadOptions& options) {
    model_.file = reading_.documents.files.front();
    model_.text = reading_.documents.text;
    check_sections();
    reading_.check_dimensions = options.check_dimensions;
    read_parameters(reading_, merged("parameters"), options.set);
    model_.parameters = reading_.parameters;
    model_.parameter_dimensions = reading_.dimensions;
    read_model_section();
    for_each_named_table("material", [&](const Entry& entry, const KeyPath& key) { read_material(entry, key); });
    for_each_named_table("contact", [&](const Entry& entry, const KeyPath& key) {
      model_.contacts.push_back(read_contact(reading_, entry, key));
    });
    for_each_named_table("section", [&](const Entry& entry, const KeyPath& key) { beams_.read_section(entry, key); });
    read_bodies();
    read_beams();
    read_ground();
    read_elements("joint", model_.joints,
                  [](const std::string& type) -> const TypeDescription* { return find_joint(type); });
    for (const ElementModel& joint : model_.joints) {
      if (joint.settings.boolean("released")) model_.joint_states.released.push_back(joint.name);
    }
    name_signals();
    reading_.takes_signals = true;
    read_elements("force", model_.forces,
                  [](const std::string& type) -> const TypeDescription* { return find_force_element(type); });
    reading_.takes_signals = false;
    read_pairs();
    read_bearings();
    keep_what_is_said();
    model_.joints.insert(model_.joints.end(), grid_joints_.begin(), grid_joints_.end());
    beams_.expand();
    bearings_.expand();
    reading_.takes_signals = true;
    read_motions();
    read_signals();
    read_events();
    model_.variable_parameters = reading_.variables;
    add_implied_signals();
    reading_.takes_signals = false;
    read_solver();
    read_output();
    validate(model_, problems_, reading_.sources);
    return std::move(model_);
  }

 private:
  void check_sections() {
    std::vector<std::string> names = {"include"};
    for (const SectionDescription& each : sections()) {
      if (each.name.find('.') == std::string::npos) names.push_back(each.name);
    }
    for (const Document& document : reading_.documents.all) {
      for (const Entry& entry : *document.root.as<Node::Table>()) {
        if (std::find(names.begin(), names.end(), entry.key) != names.end()) continue;
        Complaint complaint = unknown_key(entry.key, names);
        complaint.found = "an unknown section or key";
        reading_.complain(document.file, entry.where, KeyPath::section(entry.key), std::move(complaint));
      }
    }
  }

  // Calls visit(node, its keys) with the section of this name in every file that has it; refuses what is no table.
  template <class Visit>
  void for_each_section(const std::string& name, const std::string& expected, Visit visit) {
    for (const Document& document : reading_.documents.all) {
      const Node* given = document.root.find(name);
      if (!given) continue;
      if (const Node::Table* entries = given->as<Node::Table>()) {
        visit(*given, *entries);
      } else {
        reading_.complain(*given, KeyPath::section(name),
                          {found_text(*given), expected + " " + section(name).heading(), ""});
      }
    }
  }

  // A section that is one table, from all files; later files replace keys of earlier ones.
  Node merged(const std::string& name) {
    Node result;
    Node::Table table;
    for_each_section(name, "a table", [&](const Node& given, const Node::Table& entries) {
      result.where = given.where;
      result.file = given.file;
      reading_.note(KeyPath::section(name), given);
      std::set<std::string_view> replaced;
      for (const Entry& entry : entries) replaced.insert(entry.key);
      std::erase_if(table, [&](const Entry& earlier) { return replaced.contains(earlier.key); });
      table.insert(table.end(), entries.begin(), entries.end());
    });
    result.value = std::move(table);
    return result;
  }

  // The tables of a list of tables.
  std::vector<const Node*> tables_of(const Node* given, const KeyPath& key, const std::string& heading) {
    std::vector<const Node*> result;
    if (!given) return result;
    const Node::List* list = given->as<Node::List>();
    if (!list) {
      reading_.note(key, *given);
      reading_.complain(*given, key,
                        {found_text(*given), "a list of tables", "write " + heading + " above each of them"});
      return result;
    }
    for (const Node& item : *list) {
      if (item.as<Node::Table>()) {
        result.push_back(&item);
      } else {
        reading_.complain(item, key, {found_text(item), "a table " + heading, ""});
      }
    }
    return result;
  }

  std::vector<const Node*> all_tables(const std::string& name) {
    std::vector<const Node*> result;
    for (const Document& document : reading_.documents.all) {
      const auto some = tables_of(document.root.find(name), KeyPath::section(name), section(name).heading());
      result.insert(result.end(), some.begin(), some.end());
    }
    return result;
  }

  void read_model_section() {
    const Node table = merged("model");
    reading_.planar = model_.planar = table.find("plane") != nullptr;
    read_fields(reading_, table, model_fields(), {}, KeyPath::section("model"), model_);
  }

  // The tables [name.NAME] of all files, with their keys.
  template <class Read>
  void for_each_named_table(const std::string& name, Read read) {
    std::size_t index = 0;
    for_each_section(name, "tables", [&](const Node&, const Node::Table& entries) {
      for (const Entry& entry : entries) {
        const KeyPath key = KeyPath::entry(KeyPath::section(name), index, entry.key);
        if (!entry.value.as<Node::Table>()) {
          reading_.complain(entry.value, key,
                            {found_text(entry.value), "a table [" + name + "." + entry.key + "]", ""});
          continue;
        }
        reading_.note(key, entry.value);
        read(entry, key);
        ++index;
      }
    });
  }

  void read_material(const Entry& entry, const KeyPath& key) {
    Material material;
    material.name = entry.key;
    read_fields(reading_, entry.value, material_fields(), {}, key, material);
    material.where = entry.value.where;
    model_.materials.push_back(std::move(material));
  }

  void read_bodies() {
    for (const Node* table : all_tables("body")) {
      const KeyPath key = KeyPath::entry(KeyPath::section("body"), model_.bodies.size(), name_of(*table));
      reading_.note(key, *table);
      BodyModel body;
      read_fields(reading_, *table, body_fields(), section("body").nested, key, body);
      body.where = table->where;
      read_markers_and_geometry(*table, body, key);
      const std::vector<Geometry> said_geometry = body.geometry;
      resolve_faces(body, key);
      take_mass_from_shapes(reading_, *table, key, model_.materials, body);
      const Node *grid = table->find("grid"), *flexible = table->find("flexible");
      if (grid && flexible) {
        reading_.complain(*flexible, key / "flexible",
                          {"a flexible body with a grid", "one of them", "write the flexible bodies one by one"});
      } else if (flexible) {
        body.flexible = beams_.note_flexible(model_.bodies.size(), *flexible, key / "flexible");
      }
      if (!grid || body.name.empty()) {  // what has no name is reported, and its copies would have none
        model_.bodies.push_back(body);
      } else {
        auto copies = read_grid(reading_, *grid, key / "grid", body, grid_joints_);
        std::move(copies.begin(), copies.end(), std::back_inserter(model_.bodies));
      }
      body.geometry = said_geometry;
      said_bodies_.push_back(std::move(body));
    }
  }

  // Faces of STEP parts become shapes; the file goes on saying faces.
  void resolve_faces(BodyModel& body, const KeyPath& key) {
    for (std::size_t k = 0; k < body.geometry.size(); ++k) {
      Geometry& geometry = body.geometry[k];
      said_faces_ |= resolve_step_face(reading_, KeyPath::entry(key / "geometry", k, geometry.name), geometry);
    }
  }

  void read_beams() {
    std::size_t index = 0;
    for (const Node* table : all_tables("beam")) {
      const KeyPath key = KeyPath::entry(KeyPath::section("beam"), index++, name_of(*table));
      reading_.note(key, *table);
      BodyModel carrier;
      read_markers_and_geometry(*table, carrier, key);
      beams_.read_beam(*table, std::move(carrier), key);
    }
  }

  void read_ground() {
    model_.ground.name = "ground";
    const KeyPath key = KeyPath::section("ground");
    for (const Document& document : reading_.documents.all) {
      const Node* given = document.root.find("ground");
      if (!given) continue;
      if (!given->as<Node::Table>()) {
        reading_.complain(*given, key, {found_text(*given), "a table [ground]", ""});
        continue;
      }
      reading_.note(key, *given);
      model_.ground.where = given->where;
      read_keys(reading_, *given, {}, section("ground").nested, key);
      read_markers_and_geometry(*given, model_.ground, key);
    }
    said_ground_geometry_ = model_.ground.geometry;
    resolve_faces(model_.ground, key);
  }

  void read_markers_and_geometry(const Node& table, BodyModel& body, const KeyPath& body_key) {
    const std::string owner = &body == &model_.ground ? "ground" : "body";
    for (const Node* each : tables_of(table.find("marker"), body_key / "marker", "[[" + owner + ".marker]]")) {
      const KeyPath key = KeyPath::entry(body_key / "marker", body.markers.size(), name_of(*each));
      reading_.note(key, *each);
      read_fields(reading_, *each, marker_fields(), {}, key, body.markers.emplace_back());
    }
    for (const Node* each : tables_of(table.find("geometry"), body_key / "geometry", "[[" + owner + ".geometry]]")) {
      const KeyPath key = KeyPath::entry(body_key / "geometry", body.geometry.size(), name_of(*each));
      reading_.note(key, *each);
      read_fields(reading_, *each, geometry_fields(), {}, key, body.geometry.emplace_back());
    }
  }

  template <class FindType>
  void read_elements(const std::string& name, std::vector<ElementModel>& elements, FindType find_type) {
    for (const Node* table : all_tables(name)) {
      const KeyPath key = KeyPath::entry(KeyPath::section(name), elements.size(), name_of(*table));
      reading_.note(key, *table);
      const Node* type = table->find("type");
      const std::string* type_name = type ? type->as<std::string>() : nullptr;
      const TypeDescription* description = type_name ? find_type(*type_name) : nullptr;
      ElementModel element;
      element.where = table->where;
      if (description) {
        const auto fields = element_fields(*description);
        take(fields, read_keys(reading_, *table, fields.rows(), section(name).nested, key), element, model_.planar);
      } else {
        // Which keys it takes cannot be reported; those all types share are still checked.
        const auto& shared = element_fields();
        Node known;
        known.value = entries_of(*table, shared.rows());
        take(shared, read_keys(reading_, known, shared.rows(), {}, key), element, model_.planar);
      }
      if (const Node* clearance = name == "joint" ? table->find("clearance") : nullptr) {
        read_clearance_of(element, *clearance, key / "clearance");
      }
      elements.push_back(std::move(element));
    }
  }

  // Names and units of signals, which functions of forces, drives and of each other may use.
  void name_signals() {
    for (const Node* table : all_tables("signal")) {
      const std::string name = name_of(*table);
      if (name.empty() || std::find(reading_.signals.begin(), reading_.signals.end(), name) != reading_.signals.end())
        continue;
      reading_.signals.push_back(name);
      const Node* unit = table->find("unit");
      const std::string* text = unit ? unit->as<std::string>() : nullptr;
      const auto dimension = text ? dimension_of_unit(*text) : measured_dimension(*table);
      if (dimension) reading_.signal_dimensions.emplace(name, *dimension);
    }
    for (const std::string& name : reading_.variables) {
      reading_.signals.push_back(name);
      const auto dimension = reading_.dimensions.find(name);
      if (dimension != reading_.dimensions.end()) reading_.signal_dimensions.insert(*dimension);
    }
    reading_.quantity_dimension = [this](const std::string& text) { return dimension_of_quantity_named(text); };
  }

  // Signals that the file does not list: variable parameters, and quantities inside expressions.
  void add_implied_signals() {
    for (const std::string& name : reading_.variables) {
      if (!model_.parameters.contains(name)) continue;  // reported
      ElementModel signal{.name = name, .type = held_type, .settings = {}, .where = {}, .implied = true};
      signal.settings.set("initial", model_.parameters.at(name));
      const auto dimension = model_.parameter_dimensions.find(name);
      if (dimension != model_.parameter_dimensions.end()) signal.settings.set("unit", dimension->second.text());
      model_.signals.push_back(std::move(signal));
    }
    for (const Reading::UsedQuantity& used : reading_.quantities) {
      if (signal_index(model_, used.text) >= 0) continue;
      ElementModel signal{
          .name = used.text, .type = measured_type, .settings = {}, .where = used.where, .implied = true};
      signal.settings.set("of", used.text);
      const MeasuredQuantity quantity = find_quantity(model_, signal);
      if (!quantity.ok())
        reading_.complain(used.file, used.where, used.key,
                          {"[" + used.text + "]: " + quantity.found, quantity.expected, quantity.remedy});
      else
        model_.signals.push_back(std::move(signal));
    }
  }

  // Of what a signal measures; none where that is not known yet, or wrong.
  std::optional<Dimension> measured_dimension(const Node& table) const {
    const Node* of = table.find("of");
    const std::string* text = of ? of->as<std::string>() : nullptr;
    return text ? dimension_of_quantity_named(*text) : std::nullopt;
  }

  std::optional<Dimension> dimension_of_quantity_named(const std::string& text) const {
    if (text.starts_with("force:") || text.starts_with("bearing:") || text.starts_with("motion:")) return std::nullopt;
    ElementModel signal;
    signal.settings.set("of", text);
    signal.settings.set("markers", std::vector<std::string>{"", ""});
    const MeasuredQuantity quantity = find_quantity(model_, signal);
    return quantity.ok() && !quantity.unit.empty() ? dimension_of_unit(quantity.unit) : std::nullopt;
  }

  void read_signals() {
    for (const Node* table : all_tables("signal")) {
      const KeyPath key = KeyPath::entry(KeyPath::section("signal"), model_.signals.size(), name_of(*table));
      reading_.note(key, *table);
      ElementModel signal;
      signal.where = table->where;
      const Node* type = table->find("type");
      const std::string* said = type ? type->as<std::string>() : nullptr;
      signal.type = said ? *said : table->find("of") ? measured_type : table->find("value") ? formula_type : "";
      const BlockDescription* description = find_block(signal.type);
      const auto fields = description ? signal_fields(*description) : signal_fields();
      Node known = *table;
      if (!description) known.value = entries_of(*table, fields.rows());  // which others it takes cannot be reported
      take(fields, read_keys(reading_, known, fields.rows(), {}, key), signal, model_.planar);
      if (auto markers = signal.settings.names("markers"); !markers.empty()) {
        for (std::string& path : markers) beams_.rename_marker(path);
        signal.settings.set("markers", markers);
      }
      model_.signals.push_back(std::move(signal));
    }
  }

  void read_events() {
    for (const Node* table : all_tables("event")) {
      const KeyPath key = KeyPath::entry(KeyPath::section("event"), model_.events.size(), name_of(*table));
      reading_.note(key, *table);
      EventModel event;
      event.where = table->where;
      read_fields(reading_, *table, event_fields(), {}, key, event);
      const Node* set = table->find("set");
      const Node::List* items = set ? set->as<Node::List>() : nullptr;
      for (std::size_t k = 0; k < event.set.size() && items && k < items->size(); ++k)
        read_setting((*items)[k], event.set[k], (key / "set").item(k), event);
      model_.events.push_back(std::move(event));
    }
  }

  // "signal = expression".
  void read_setting(const Node& node, const std::string& text, const KeyPath& key, EventModel& event) {
    const std::size_t sign = text.find('=');
    const auto trimmed = [](std::string_view part) {
      const std::size_t first = part.find_first_not_of(" \t"), last = part.find_last_not_of(" \t");
      return std::string(first == std::string_view::npos ? "" : part.substr(first, last - first + 1));
    };
    const std::string name = trimmed(std::string_view(text).substr(0, sign));
    const std::string value = sign == std::string::npos ? "" : trimmed(std::string_view(text).substr(sign + 1));
    if (name.empty() || value.empty())
      return reading_.complain(node, key, {found_text(node), "a signal and what it becomes, as \"mode = 1\"", ""});
    Node expression = node;
    expression.value = "=" + value;
    const ParameterDescription row{.name = "set", .kind = ParameterKind::function, .unit = "*", .arguments = {"t"}};
    if (auto function = read_function(reading_, expression, row, key)) event.settings.push_back({name, *function});
  }

  void read_clearance_of(ElementModel& joint, const Node& node, const KeyPath& key) {
    if (!node.as<Node::Table>()) {
      reading_.sources.mark_broken(key);
      return reading_.complain(node, key, {found_text(node), "a table [joint.clearance]", ""});
    }
    reading_.note(key, node);
    joint.clearance = read_clearance(reading_, node, key);
  }

  void read_pairs() {
    for (const Node* table : all_tables("pair")) {
      const KeyPath key = KeyPath::entry(KeyPath::section("pair"), model_.pairs.size(), name_of(*table));
      reading_.note(key, *table);
      model_.pairs.push_back(read_pair(reading_, *table, key));
    }
  }

  void read_bearings() {
    for (const Node* table : all_tables("bearing")) {
      const KeyPath key = KeyPath::entry(KeyPath::section("bearing"), model_.bearings.size(), name_of(*table));
      reading_.note(key, *table);
      bearings_.read(*table, key);
    }
  }

  // Before parts are made of grids, beams and bearings.
  void keep_what_is_said() {
    const bool grids = std::any_of(said_bodies_.begin(), said_bodies_.end(),
                                   [](const BodyModel& body) { return body.lattice != nullptr; });
    if (!grids && !said_faces_ && !beams_.any() && model_.bearings.empty()) return;
    auto said = std::make_shared<ModelParts>();
    said->bodies = std::move(said_bodies_);
    said->ground = model_.ground;
    said->ground.geometry = said_ground_geometry_;
    said->joints = model_.joints;
    said->pairs = model_.pairs;
    said->forces = model_.forces;
    said->bearings = model_.bearings;
    said->beam_bodies = std::move(model_.beam_bodies);
    model_.said = std::move(said);
  }

  // Unit of the coordinate that a motion drives; any, where that cannot be reported.
  std::string driven_unit(const Node& table) const {
    const auto text = [&](const std::string& key) {
      const Node* node = table.find(key);
      const std::string* value = node ? node->as<std::string>() : nullptr;
      return value ? *value : std::string();
    };
    if (const std::string component = text("component"); !component.empty()) return component == "angle" ? "rad" : "m";
    return coordinate_unit(model_, text("joint"), any_unit);
  }

  void read_motions() {
    for (const Node* table : all_tables("motion")) {
      const KeyPath key = KeyPath::entry(KeyPath::section("motion"), model_.motions.size(), name_of(*table));
      reading_.note(key, *table);
      auto rows = motion_fields().rows();
      const std::string unit = driven_unit(*table);
      for (ParameterDescription& row : rows) {
        if (row.kind != ParameterKind::function) continue;
        const std::string rate = row.name == "speed" ? "/s" : row.name == "acceleration" ? "/s^2" : "";
        row.unit = unit == any_unit ? any_unit : unit + rate;
      }
      const Settings settings = read_keys(reading_, *table, rows, {}, key);
      MotionModel motion;
      take(motion_fields(), settings, motion, model_.planar);
      if (!settings.has("name")) motion.name = default_motion_name(motion);
      motion.where = table->where;
      require_motion_law(*table, key);
      model_.motions.push_back(std::move(motion));
    }
  }

  // The struct holds one law only, so that one is given, and no more, can be checked here alone.
  void require_motion_law(const Node& table, const KeyPath& key) {
    int given = 0;
    for (const auto& [name, level] : motion_levels) given += table.find(name) ? 1 : 0;
    if (given == 1) return;
    reading_.complain(table, key,
                      {given == 0 ? "no law of motion" : std::to_string(given) + " laws of motion",
                       "exactly one of `position`, `speed` or `acceleration`", ""});
  }

  void read_solver() {
    const KeyPath key = KeyPath::section("solver");
    const Node table = merged("solver");
    SolverSettings& solver = model_.solver;
    read_fields(reading_, table, solver_fields(), section("solver").nested, key, solver);
    // Vibrations of elements that are faster than the step would feed on the corrections of the non-smooth method.
    const bool caged = std::any_of(model_.bearings.begin(), model_.bearings.end(),
                                   [](const BearingModel& bearing) { return bearing.cage_type == CageType::springs; });
    const bool stiff = solver.method == ContactMethod::nonsmooth && (!model_.beams.empty() || caged);
    if (stiff && !table.find("rho_infinity")) solver.rho_infinity = 0;
    const Node* baumgarte = table.find("baumgarte");
    if (!baumgarte) return;
    if (!baumgarte->as<Node::Table>()) {
      return reading_.complain(*baumgarte, key / "baumgarte",
                               {found_text(*baumgarte), "a table { alpha = …, beta = … }", ""});
    }
    read_fields(reading_, *baumgarte, baumgarte_fields(), {}, key / "baumgarte", solver);
  }

  void read_output() {
    read_fields(reading_, merged("output"), output_fields(), {}, KeyPath::section("output"), model_.output);
  }

  Reading reading_;
  ProblemList& problems_;
  Model model_;
  std::vector<BodyModel> said_bodies_;  // with their grids, not the copies
  std::vector<ElementModel> grid_joints_;
  std::vector<Geometry> said_ground_geometry_;
  bool said_faces_ = false;  // of STEP parts, which have become shapes
  BeamReader beams_;
  BearingReader bearings_;
};

// In the order of the files and, in each, of the lines.
ProblemList sorted(const ProblemList& problems, const std::vector<std::string>& files) {
  std::vector<Problem> all = problems.all();
  const auto rank = [&](const Problem& problem) {
    const auto file = std::find(files.begin(), files.end(), problem.file) - files.begin();
    return std::tuple(file, std::string_view(problem.file), problem.where.line, problem.where.column);
  };
  std::stable_sort(all.begin(), all.end(), [&](const Problem& a, const Problem& b) { return rank(a) < rank(b); });
  ProblemList result;
  for (Problem& problem : all) result.add(std::move(problem));
  return result;
}

template <class ReadDocuments>
Model read(ReadDocuments read_documents_to, ProblemList& problems, const ReadOptions& options) {
  ProblemList found;
  const Documents& documents = read_documents_to(found);
  Model model;
  if (found.errors() == 0) {
    model = ModelReader(documents, found).read(options);
  } else {
    // Files that cannot be read at all would only give rise to problems that are none.
    model.file = documents.files.front();
    model.text = documents.text;
  }
  problems.add(sorted(found, documents.files));
  return model;
}

}  // namespace

Model read_model(const std::filesystem::path& file, ProblemList& problems, const ReadOptions& options) {
  return read([&](ProblemList& found) { return read_documents(file, found); }, problems, options);
}

Model read_model(const Documents& documents, ProblemList& problems, const ReadOptions& options) {
  return read([&](ProblemList&) -> const Documents& { return documents; }, problems, options);
}

Model read_model_text(std::string_view text, const std::string& file_name, ProblemList& problems,
                      const ReadOptions& options, const std::filesystem::path& directory) {
  return read([&](ProblemList& found) { return read_documents(text, file_name, directory, found); }, problems, options);
}

Model read_recorded_model(std::string_view text, const std::string& file_name, const std::string& settings_json,
                          ProblemList& problems) {
  // What ran before the units of expressions were checked, or is checked better now, can still be looked at.
  ReadOptions options{.check_dimensions = false};
  const auto settings = nlohmann::json::parse(settings_json, nullptr, false);
  if (settings.is_object() && settings.contains("parameters")) {
    for (const auto& [name, value] : settings["parameters"].items())
      if (value.is_number()) options.set.emplace_back(name, fmt::format("{}", value.get<double>()));
  }
  const std::filesystem::path folder = std::filesystem::path(file_name).parent_path();
  const UseKeptFiles kept(recorded_files(settings_json), folder);
  Model model = read_model_text(text, file_name, problems, options, folder);
  // The user may have chosen another method than the file's.
  if (settings.is_object() && settings.contains("method") && settings["method"].is_string())
    model.solver.method =
        find_named<ContactMethod>(settings["method"].get<std::string>()).value_or(model.solver.method);
  return model;
}

bool leave_out_unknown_parts(Model& model, const ProblemList& problems) {
  // Laws and drives that are not known have not been taken from the file; forces have, by their name and type.
  const auto unknown = [](const ElementModel& force) { return !find_force_element(force.type); };
  std::erase_if(model.forces, unknown);
  if (model.said) {
    auto said = std::make_shared<ModelParts>(*model.said);
    std::erase_if(said->forces, unknown);
    model.said = std::move(said);
  }
  return std::all_of(problems.all().begin(), problems.all().end(), [](const Problem& problem) {
    const std::string& key = problem.key;
    return problem.severity == Severity::warning || key.ends_with(".drive") ||
           (key.starts_with("force.") && key.ends_with(".type")) ||
           (key.starts_with("contact.") && key.ends_with(".law"));
  });
}

}  // namespace carom::inline model_io
