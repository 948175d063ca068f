#include "model_io/validate.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <Eigen/Eigenvalues>

#include "base/nearest_name.h"
#include "documents/document.h"
#include "documents/reading.h"
#include "model_io/field_tables.h"
#include "model_io/sections.h"
#include "model_io/validation.h"

namespace carom::inline model_io {
namespace {

// " in line 5", and the file if it is another than that of the place it is reported at.
std::string line_text(const SourceMap::Place& place, const SourceMap::Place* told_at) {
  std::string text;
  if (place.where.line > 0) text = fmt::format(" in line {}", place.where.line);
  if (told_at && told_at->file != place.file) text += " of " + place.file;
  return text;
}

}  // namespace

void validate(const Model& model, ProblemList& problems) {
  validate(model, problems, SourceMap());
}

void validate(const Model& model, ProblemList& problems, const SourceMap& sources) {
  Validation(model, problems, sources).run();
}

Validation::Validation(const Model& model, ProblemList& problems, const SourceMap& sources)
    : model_(model), problems_(problems), sources_(sources) {
  bodies_.emplace("ground", &model.ground);
  for (const BodyModel& body : model.bodies) bodies_.emplace(body.name, &body);
}

void Validation::run() {
  check_model();
  check_materials();
  TakenNames taken;
  for (std::size_t k = 0; k < model_.bodies.size(); ++k) {
    const BodyModel& body = model_.bodies[k];
    entry_ = body.where;
    if (!body.grid.empty()) {
      k += check_copies(k, taken) - 1;
    } else {
      check_name(body.name, KeyPath::entry(KeyPath::section("body"), k, body.name), "body", taken);
      check_body(k);
    }
  }
  entry_ = model_.ground.where;
  check_markers(model_.ground, KeyPath::section("ground"));
  check_geometry(model_.ground, KeyPath::section("ground"));
  check_contacts();
  for (std::size_t k = 0; k < model_.joints.size(); ++k) check_joint(k);
  for (std::size_t k = 0; k < model_.forces.size(); ++k) check_force(k);
  check_pairs();
  check_bearings();
  check_motions();
  check_signals();
  check_events();
  entry_ = {};
  check_solver();
  check_changing_pairs();
  check_output();
}

// Copies differ in name and place only, so that one of them is checked for all. Tells how many there are.
std::size_t Validation::check_copies(std::size_t first, TakenNames& taken) {
  const BodyModel& body = model_.bodies[first];
  const KeyPath key = KeyPath::entry(KeyPath::section("body"), first, body.grid);
  check_body(first);
  TakenNames alone;
  check_name(body.grid, key, "body", alone);
  const SourceMap::Place* place = sources_.find(key / "name");
  std::size_t count = 0;
  bool unique = true;
  for (std::size_t k = first; k < model_.bodies.size(); ++k, ++count) {
    const BodyModel& copy = model_.bodies[k];
    if (copy.grid != body.grid || copy.where.line != body.where.line || copy.where.column != body.where.column) break;
    const auto [earlier, free] = taken.emplace(copy.name, place ? *place : SourceMap::Place{model_.file, {}});
    if (free || !unique) continue;
    unique = false;
    error(key / "name", {fmt::format("the copy {}, which names another body{}", quoted_text(copy.name),
                                     line_text(earlier->second, place)),
                         "names of their own", fmt::format("call the copies otherwise than `{}`", body.grid)});
  }
  return count;
}

void Validation::report(Severity severity, const KeyPath& key, Complaint complaint) {
  const SourceMap::Place* place = sources_.find(key);
  add_problem(problems_, {severity, place ? place->file : model_.file, place ? place->where : entry_, key.shown,
                          std::move(complaint.found), std::move(complaint.expected), std::move(complaint.remedy)});
}

void Validation::check_name(const std::string& name, const KeyPath& key, const std::string& kind, TakenNames& taken) {
  const KeyPath path = key / "name";
  if (broken(path)) return;
  if (name.empty()) {
    const bool there = sources_.given(path);
    return error(path, {there ? "\"\"" : "nothing", "a name", there ? "" : "add the key `name`"});
  }
  const auto control = [](char c) { return static_cast<unsigned char>(c) < 0x20; };
  if (name.find_first_of(".:*?/") != std::string::npos || std::any_of(name.begin(), name.end(), control)) {
    error(path, {quoted_text(name), "a name without any of . : * ? / and line ends", ""});
  }
  if (kind == "body" && name == "ground") error(path, {"`ground`", "another name", "`ground` is the fixed world"});
  const SourceMap::Place* place = sources_.find(path);
  const auto [first, unique] = taken.emplace(name, place ? *place : SourceMap::Place{model_.file, {}});
  if (unique) return;
  std::string remedy;
  if (const auto body = bodies_.find(name); kind == "body" && body != bodies_.end() && !body->second->grid.empty()) {
    remedy = copies_text(body->second->grid);
  }
  error(path, {quoted_text(name) + ", which names another " + kind + line_text(first->second, place),
               "a name of its own", remedy});
}

// Numbers and choices; names are looked up and vectors looked at elsewhere.
void Validation::check_keys(const std::vector<SaidKey>& keys, const KeyPath& key) {
  using Kind = ParameterKind;
  for (const SaidKey& each : keys) {
    const Kind kind = each.row->kind;
    if (kind != Kind::number && kind != Kind::integer && kind != Kind::choice && kind != Kind::numbers) continue;
    if (broken(key / each.row->name)) continue;
    if (auto complaint = check_value(*each.row, each.value, model_.planar))
      error(key / each.row->name, std::move(*complaint));
  }
}

std::vector<std::string> Validation::body_names(bool with_ground) const {
  std::vector<std::string> names;
  if (with_ground) names.push_back("ground");
  for (const BodyModel& body : model_.bodies) {
    if (!body.name.empty()) names.push_back(body.name);
  }
  return names;
}

void Validation::check_model() {
  const KeyPath key = KeyPath::section("model");
  if (!model_.gravity.allFinite() || (model_.planar && model_.gravity.z() != 0)) {
    error(key / "gravity", {"a vector that is not finite or leaves the plane", "an acceleration", ""});
  }
  check_speed(model_.gravity, "m/s^2", key / "gravity");
  if (model_.bodies.empty() && !sources_.given(KeyPath::section("body"))) {
    error(KeyPath::section("body"), {"no body", "at least one [[body]]", ""});
  }
}

void Validation::check_materials() {
  TakenNames taken;
  for (std::size_t k = 0; k < model_.materials.size(); ++k) {
    const Material& material = model_.materials[k];
    const KeyPath key = KeyPath::entry(KeyPath::section("material"), k, material.name);
    entry_ = material.where;
    check_name(material.name, key, "material", taken);
    check_fields(material_fields(), material, key);
  }
}

void Validation::check_body(std::size_t index) {
  const BodyModel& body = model_.bodies[index];
  const std::string& title = body.grid.empty() ? body.name : body.grid;  // as the file says it
  const KeyPath key = KeyPath::entry(KeyPath::section("body"), index, title);
  check_fields(body_fields(), body, key);
  for (const auto& [name, vector] : {std::pair("position", body.position),
                                     {"center_of_mass", body.center_of_mass},
                                     {"velocity", body.velocity},
                                     {"angular_velocity", body.angular_velocity}}) {
    if (!vector.allFinite()) error(key / name, {"a vector that is not finite", "finite numbers", ""});
  }
  for (const auto& [name, place] : {std::pair("position", body.position), {"center_of_mass", body.center_of_mass}}) {
    check_distance(place, key / name);
  }
  check_speed(body.velocity, "m/s", key / "velocity");
  check_speed(body.angular_velocity, "rad/s", key / "angular_velocity");
  if (std::abs(body.orientation.norm() - 1) > 1e-9) {
    error(key / "orientation",
          {"a quaternion of length " + number_text(body.orientation.norm()), "length 1", "normalize it"});
  }
  if (model_.planar) check_planar_body(body, key);
  if (!broken(key / "inertia") && (sources_.given(key / "inertia") || !sources_.given(key))) check_inertia(body, key);
  check_markers(body, key);
  check_geometry(body, key);
}

void Validation::check_distance(const Eigen::Vector3d& place, const KeyPath& key) {
  const double largest = place.cwiseAbs().maxCoeff();
  if (broken(key) || !place.allFinite() || largest <= farthest) return;
  error(key, {number_text(largest) + " m", fmt::format("at most {:g} m", farthest),
              "check its exponent and its unit, or move the origin"});
}

// Light is slower; energies of such bodies would overflow. As rates of rotation and accelerations, too.
void Validation::check_speed(const Eigen::Vector3d& velocity, const char* unit, const KeyPath& key) {
  constexpr double fastest = 1e12;
  const double largest = velocity.cwiseAbs().maxCoeff();
  if (broken(key) || !velocity.allFinite() || largest <= fastest) return;
  error(key, {fmt::format("{} {}", number_text(largest), unit), fmt::format("at most {:g} {}", fastest, unit),
              "check its exponent and its unit"});
}

void Validation::check_planar_body(const BodyModel& body, const KeyPath& key) {
  for (const auto& [name, outside] : {std::pair("position", body.position.z()),
                                      {"center_of_mass", body.center_of_mass.z()},
                                      {"velocity", body.velocity.z()},
                                      {"angular_velocity", body.angular_velocity.head<2>().norm()}}) {
    if (outside != 0) error(key / name, {"a component out of the plane", "a vector in the plane of the model", ""});
  }
  const Eigen::Quaterniond turned(Eigen::AngleAxisd(body.angle, Eigen::Vector3d::UnitZ()));
  if (std::abs(turned.dot(body.orientation)) < 1 - 1e-12) {
    error(key / "orientation",
          {"an orientation that differs from the angle", "a rotation about z by `angle`", "set both"});
  }
}

void Validation::check_inertia(const BodyModel& body, const KeyPath& key) {
  const KeyPath path = key / "inertia";
  const Eigen::Matrix3d& inertia = body.inertia;
  if (model_.planar) {
    const double moment = inertia(2, 2);
    if (!(std::isfinite(moment) && moment > 0)) error(path, {number_text(moment), "a quantity in kg m^2, > 0", ""});
    return;
  }
  if (!inertia.allFinite() || !inertia.isApprox(inertia.transpose(), 1e-12)) {
    return error(path, {"a matrix that is not finite or not symmetric", "a symmetric matrix", ""});
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(inertia, Eigen::EigenvaluesOnly);
  const Eigen::Vector3d& principal = solver.eigenvalues();  // increasing
  const std::string found =
      fmt::format("principal moments {:.6g}, {:.6g}, {:.6g}", principal[0], principal[1], principal[2]);
  if (!(principal[0] > 0)) return error(path, {found, "moments > 0", ""});
  if (principal[0] + principal[1] < principal[2] * (1 - 1e-9)) {
    error(path, {found, "none larger than the sum of the other two",
                 "no distribution of mass has these moments; check them and their units"});
  }
}

}  // namespace carom::inline model_io
