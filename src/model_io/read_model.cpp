#include "model_io/read_model.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <tuple>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/nearest_name.h"
#include "force_elements/force_element.h"
#include "joints/joint.h"
#include "model_io/read_beams.h"
#include "model_io/read_bearings.h"
#include "model_io/read_contacts.h"
#include "model_io/read_grid.h"
#include "model_io/reading.h"
#include "model_io/validation.h"

namespace carom {
namespace {

Eigen::Quaterniond quaternion(const Settings& settings, bool planar) {
  const auto numbers = settings.numbers("orientation");
  if (numbers.empty()) return Eigen::Quaterniond::Identity();
  if (planar) return Eigen::Quaterniond(Eigen::AngleAxisd(numbers[0], Eigen::Vector3d::UnitZ()));
  return {numbers[0], numbers[1], numbers[2], numbers[3]};
}

Eigen::Matrix3d inertia_matrix(const std::vector<double>& given) {
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Identity();
  if (given.size() == 1) inertia(2, 2) = given[0];
  if (given.size() >= 3) inertia.diagonal() << given[0], given[1], given[2];
  if (given.size() == 6) {
    inertia(0, 1) = inertia(1, 0) = given[3];
    inertia(0, 2) = inertia(2, 0) = given[4];
    inertia(1, 2) = inertia(2, 1) = given[5];
  }
  return inertia;
}

std::string name_of(const Node& table) {
  const Node* name = table.find("name");
  const std::string* text = name ? name->as<std::string>() : nullptr;
  return text ? *text : "";
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
    read_elements("force", model_.forces,
                  [](const std::string& type) -> const TypeDescription* { return find_force_element(type); });
    read_pairs();
    read_bearings();
    beams_.expand();
    bearings_.expand();
    read_motions();
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
    const Settings settings = read_keys(reading_, table, section("model").parameters, {}, KeyPath::section("model"));
    model_.name = settings.text("name");
    model_.gravity = settings.vector("gravity");
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
    const Settings settings = read_keys(reading_, entry.value, section("material").parameters, {}, key);
    Material material;
    material.name = entry.key;
    material.density = settings.number("density");
    material.young = settings.number("young");
    material.poisson = settings.number("poisson");
    material.restitution = settings.number("restitution", material.restitution);
    material.friction = settings.number("friction", material.friction);
    material.hardness = settings.number("hardness");
    material.wear_coefficient = settings.number("wear_coefficient", material.wear_coefficient);
    material.where = entry.value.where;
    model_.materials.push_back(std::move(material));
  }

  void read_bodies() {
    const SectionDescription& description = section("body");
    for (const Node* table : all_tables("body")) {
      const KeyPath key = KeyPath::entry(KeyPath::section("body"), model_.bodies.size(), name_of(*table));
      reading_.note(key, *table);
      const Settings settings = read_keys(reading_, *table, description.parameters, description.nested, key);
      require_keys(reading_, *table, description.parameters, key);
      BodyModel body;
      body.name = settings.text("name");
      body.mass = settings.number("mass", 1);
      body.inertia = inertia_matrix(settings.numbers("inertia"));
      body.center_of_mass = settings.vector("center_of_mass");
      body.position = settings.vector("position");
      if (model_.planar && settings.has("orientation")) body.angle = settings.numbers("orientation")[0];
      body.orientation = quaternion(settings, model_.planar);
      body.velocity = settings.vector("velocity");
      body.velocity_given = settings.has("velocity");
      body.angular_velocity_given = settings.has("angular_velocity");
      const auto spin = settings.numbers("angular_velocity");
      if (spin.size() == 1) body.angular_velocity.z() = spin[0];
      if (spin.size() == 3) body.angular_velocity << spin[0], spin[1], spin[2];
      body.where = table->where;
      read_markers_and_geometry(*table, body, key);
      const Node *grid = table->find("grid"), *flexible = table->find("flexible");
      if (grid && flexible) {
        reading_.complain(*flexible, key / "flexible",
                          {"a flexible body with a grid", "one of them", "write the flexible bodies one by one"});
      } else if (flexible) {
        beams_.note_flexible(model_.bodies.size(), *flexible, key / "flexible");
      }
      if (!grid || body.name.empty()) {  // what has no name is reported, and its copies would have none
        model_.bodies.push_back(std::move(body));
        continue;
      }
      auto copies = read_grid(reading_, *grid, key / "grid", body);
      std::move(copies.begin(), copies.end(), std::back_inserter(model_.bodies));
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
  }

  void read_markers_and_geometry(const Node& table, BodyModel& body, const KeyPath& body_key) {
    const std::string owner = &body == &model_.ground ? "ground" : "body";
    for (const Node* each : tables_of(table.find("marker"), body_key / "marker", "[[" + owner + ".marker]]")) {
      const KeyPath key = KeyPath::entry(body_key / "marker", body.markers.size(), name_of(*each));
      reading_.note(key, *each);
      const auto& rows = section("body.marker").parameters;
      const Settings settings = read_keys(reading_, *each, rows, {}, key);
      require_keys(reading_, *each, rows, key);
      body.markers.push_back({settings.text("name"), settings.vector("position"), quaternion(settings, model_.planar)});
    }
    const std::vector<std::string> shared = {"shape", "name", "material", "position", "orientation"};
    for (const Node* each : tables_of(table.find("geometry"), body_key / "geometry", "[[" + owner + ".geometry]]")) {
      const KeyPath key = KeyPath::entry(body_key / "geometry", body.geometry.size(), name_of(*each));
      reading_.note(key, *each);
      const auto& rows = section("body.geometry").parameters;
      const Settings settings = read_keys(reading_, *each, rows, {}, key);
      require_keys(reading_, *each, rows, key);
      Geometry geometry;
      geometry.shape = settings.text("shape");
      geometry.name = settings.text("name");
      geometry.material = settings.text("material");
      geometry.position = settings.vector("position");
      geometry.orientation = quaternion(settings, model_.planar);
      for (const std::string& name : settings.keys()) {
        if (std::find(shared.begin(), shared.end(), name) != shared.end()) continue;
        geometry.settings.set(name, *settings.find(name), settings.where(name));
      }
      body.geometry.push_back(std::move(geometry));
    }
  }

  template <class FindType>
  void read_elements(const std::string& name, std::vector<ElementModel>& elements, FindType find_type) {
    for (const Node* table : all_tables(name)) {
      const KeyPath key = KeyPath::entry(KeyPath::section(name), elements.size(), name_of(*table));
      reading_.note(key, *table);
      const auto& shared = section(name).parameters;
      const Node* type = table->find("type");
      const std::string* type_name = type ? type->as<std::string>() : nullptr;
      const TypeDescription* description = type_name ? find_type(*type_name) : nullptr;
      Settings settings;
      if (description) {
        settings = read_keys(reading_, *table, element_rows(name, *description), section(name).nested, key);
      } else {
        // Which keys it takes cannot be told; those all types share are still checked.
        Node known;
        Node::Table entries;
        for (const Entry& entry : *table->as<Node::Table>()) {
          if (find_row(shared, entry.key)) entries.push_back(entry);
        }
        known.value = std::move(entries);
        settings = read_keys(reading_, known, shared, {}, key);
      }
      ElementModel element = {settings.text("name"), settings.text("type"), {}, table->where, {}};
      for (const std::string& each : settings.keys()) {
        if (!find_row(shared, each)) element.settings.set(each, *settings.find(each), settings.where(each));
      }
      if (const Node* clearance = name == "joint" ? table->find("clearance") : nullptr) {
        read_clearance_of(element, *clearance, key / "clearance");
      }
      elements.push_back(std::move(element));
    }
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

  // Unit of the coordinate that a motion drives; any, where that cannot be told.
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
      auto rows = section("motion").parameters;
      const std::string unit = driven_unit(*table);
      for (ParameterDescription& row : rows) {
        if (row.kind != ParameterKind::function) continue;
        const std::string rate = row.name == "speed" ? "/s" : row.name == "acceleration" ? "/s^2" : "";
        row.unit = unit == any_unit ? any_unit : unit + rate;
      }
      const Settings settings = read_keys(reading_, *table, rows, {}, key);
      MotionModel motion;
      motion.joint = settings.text("joint");
      motion.body = settings.text("body");
      motion.component = settings.text("component");
      motion.name = settings.has("name") ? settings.text("name") : default_motion_name(motion);
      motion.where = table->where;
      read_motion_law(*table, settings, motion, key);
      model_.motions.push_back(std::move(motion));
    }
  }

  // The struct holds one law only, so that one is given, and no more, can be checked here alone.
  void read_motion_law(const Node& table, const Settings& settings, MotionModel& motion, const KeyPath& key) {
    int given = 0;
    for (const auto& [name, level] : motion_levels) {
      given += table.find(name) ? 1 : 0;
      if (!settings.has(name)) continue;
      motion.level = level;
      motion.value = settings.function(name);
    }
    if (given == 1) return;
    reading_.complain(table, key,
                      {given == 0 ? "no law of motion" : std::to_string(given) + " laws of motion",
                       "exactly one of `position`, `speed` or `acceleration`", ""});
  }

  void read_solver() {
    const KeyPath key = KeyPath::section("solver");
    const Node table = merged("solver");
    const Settings settings = read_keys(reading_, table, section("solver").parameters, section("solver").nested, key);
    SolverSettings& solver = model_.solver;
    solver.analysis = settings.text("analysis", solver.analysis);
    solver.method = settings.text("method", solver.method);
    solver.start = settings.number("start", solver.start);
    solver.end = settings.number("end", solver.end);
    solver.integrator = settings.text("integrator", solver.integrator);
    solver.tolerance = settings.number("tolerance", solver.tolerance);
    solver.step = settings.number("step", solver.step);
    solver.first_step = settings.number("first_step", solver.first_step);
    solver.max_step = settings.number("max_step", solver.max_step);
    // Vibrations of elements that are faster than the step would feed on the corrections of the non-smooth method.
    const bool caged = std::any_of(model_.bearings.begin(), model_.bearings.end(),
                                   [](const BearingModel& bearing) { return bearing.spring_cage; });
    const bool stiff = solver.method == "nonsmooth" && (!model_.beams.empty() || caged);
    solver.rho_infinity = settings.number("rho_infinity", stiff ? 0 : solver.rho_infinity);
    solver.constraints = settings.text("constraints", solver.constraints);
    solver.penetration_control = settings.text("penetration_control", solver.penetration_control);
    solver.penetration_tolerance = settings.number("penetration_tolerance", solver.penetration_tolerance);
    solver.smallest_step = settings.number("smallest_step", solver.smallest_step);
    solver.scheme = settings.text("scheme", solver.scheme);
    solver.impacts = settings.text("impacts", solver.impacts);
    solver.contact_solver = settings.text("contact_solver", solver.contact_solver);
    solver.contact_tolerance = settings.number("contact_tolerance", solver.contact_tolerance);
    solver.load_steps = static_cast<int>(settings.number("load_steps", solver.load_steps));
    const Node* baumgarte = table.find("baumgarte");
    if (!baumgarte) return;
    if (!baumgarte->as<Node::Table>()) {
      return reading_.complain(*baumgarte, key / "baumgarte",
                               {found_text(*baumgarte), "a table { alpha = …, beta = … }", ""});
    }
    const Settings gains =
        read_keys(reading_, *baumgarte, section("solver.baumgarte").parameters, {}, key / "baumgarte");
    solver.baumgarte_alpha = gains.number("alpha", solver.baumgarte_alpha);
    solver.baumgarte_beta = gains.number("beta", solver.baumgarte_beta);
  }

  void read_output() {
    const Settings settings =
        read_keys(reading_, merged("output"), section("output").parameters, {}, KeyPath::section("output"));
    model_.output.every = settings.number("every", model_.output.every);
    if (settings.has("record")) model_.output.record = settings.names("record");
  }

  Reading reading_;
  ProblemList& problems_;
  Model model_;
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
  Model model = read_model_text(text, file_name, problems, options, std::filesystem::path(file_name).parent_path());
  // The user may have chosen another method than the file's.
  if (settings.is_object() && settings.contains("method") && settings["method"].is_string())
    model.solver.method = settings["method"];
  return model;
}

}  // namespace carom
