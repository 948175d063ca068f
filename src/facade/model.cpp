#include "carom/model.h"

#include <algorithm>

#include "facade/model_text.h"

namespace carom::v1 {
namespace {

using detail::Table;

// The entry of that name, made if there is none.
Table& entry(std::list<Table>& entries, const std::string& name) {
  const std::pair<std::string, std::string> wanted = {"name", toml_text(name)};
  for (Table& table : entries) {
    if (std::find(table.keys.begin(), table.keys.end(), wanted) != table.keys.end()) return table;
  }
  entries.push_back({{wanted}, {}, {}, {}});
  return entries.back();
}

Table& typed_entry(std::list<Table>& entries, const std::string& name, const std::string& type) {
  Table& table = entry(entries, name);
  detail::set_key(table, "type", type);
  return table;
}

void write_keys(std::string& text, const std::string& heading, const Table& table) {
  text += (text.empty() ? "" : "\n") + heading + "\n";
  for (const auto& [key, value] : table.keys) text += toml_text(key) + " = " + value + "\n";
}

void write_section(std::string& text, const std::string& name, const Table& table) {
  if (!table.keys.empty()) write_keys(text, "[" + name + "]", table);
  for (const Table& marker : table.markers) write_keys(text, "[[" + name + ".marker]]", marker);
  for (const Table& shape : table.shapes) write_keys(text, "[[" + name + ".geometry]]", shape);
}

void write_list(std::string& text, const std::string& name, const std::list<Table>& entries) {
  for (const Table& table : entries) {
    write_keys(text, "[[" + name + "]]", table);
    for (const Table& marker : table.markers) write_keys(text, "[[" + name + ".marker]]", marker);
    for (const Table& shape : table.shapes) write_keys(text, "[[" + name + ".geometry]]", shape);
    for (const Table& clearance : table.clearance) write_keys(text, "[" + name + ".clearance]", clearance);
  }
}

// The table of that name, made if there is none.
Table& named_table(std::list<std::pair<std::string, Table>>& tables, const std::string& name) {
  for (auto& [known, table] : tables) {
    if (known == name) return table;
  }
  return tables.emplace_back(name, Table{}).second;
}

}  // namespace

void detail::set_key(Table& table, const std::string& key, const Value& value) {
  const auto found =
      std::find_if(table.keys.begin(), table.keys.end(), [&](const auto& each) { return each.first == key; });
  if (found != table.keys.end()) {
    found->second = value.text();
  } else {
    table.keys.emplace_back(key, value.text());
  }
}

Marker Body::marker(const std::string& name) const {
  return Marker(entry(table_->markers, name));
}

Clearance Joint::clearance() const {
  if (table_->clearance.empty()) table_->clearance.emplace_back();
  return Clearance(table_->clearance.front());
}

Shape Body::shape(const std::string& kind) const {
  table_->shapes.push_back({{{"shape", toml_text(kind)}}, {}, {}, {}});
  return Shape(table_->shapes.back());
}

Model::Model(const std::string& name) : impl_(std::make_unique<Impl>()) {
  if (!name.empty()) detail::set_key(impl_->model, "name", name);
}
Model::~Model() = default;
Model::Model(const Model& other) : impl_(std::make_unique<Impl>(*other.impl_)) {}
Model::Model(Model&& other) noexcept = default;
Model& Model::operator=(const Model& other) {
  if (this != &other) impl_ = std::make_unique<Impl>(*other.impl_);
  return *this;
}
Model& Model::operator=(Model&& other) noexcept = default;

Model Model::load(const std::filesystem::path& file) {
  Model model;
  model.impl_->file = file;
  return model;
}

Model Model::from_text(const std::string& text, const std::filesystem::path& folder) {
  Model model;
  model.impl_->text = text;
  model.impl_->folder = folder;
  return model;
}

Model& Model::planar() {
  detail::set_key(impl_->model, "plane", "xy");
  return *this;
}

Model& Model::gravity(const Value& vector) {
  detail::set_key(impl_->model, "gravity", vector);
  return *this;
}

Model& Model::parameter(const std::string& name, const Value& quantity) {
  detail::set_key(impl_->parameters, name, quantity);
  return *this;
}

Body Model::body(const std::string& name) {
  return Body(entry(impl_->bodies, name));
}
Body Model::ground() {
  return Body(impl_->ground);
}
Joint Model::joint(const std::string& name) {
  return Joint(entry(impl_->joints, name));
}
Joint Model::joint(const std::string& name, const std::string& type) {
  return Joint(typed_entry(impl_->joints, name, type));
}
Motion Model::motion(const std::string& name) {
  return Motion(entry(impl_->motions, name));
}
Force Model::force(const std::string& name) {
  return Force(entry(impl_->forces, name));
}
Force Model::force(const std::string& name, const std::string& type) {
  return Force(typed_entry(impl_->forces, name, type));
}
Solver Model::solver() {
  return Solver(impl_->solver);
}
Output Model::output() {
  return Output(impl_->output);
}

Material Model::material(const std::string& name) {
  return Material(named_table(impl_->materials, name));
}
Contact Model::contact(const std::string& name) {
  return Contact(named_table(impl_->contacts, name));
}
Pair Model::pair(const std::string& name) {
  return Pair(entry(impl_->pairs, name));
}

std::string Model::text() const {
  std::string text = impl_->text;
  if (!impl_->file.empty()) text += "include = [" + toml_text(impl_->file.string()) + "]\n";
  write_section(text, "model", impl_->model);
  write_section(text, "parameters", impl_->parameters);
  for (const auto& [name, table] : impl_->materials) write_keys(text, "[material." + toml_text(name) + "]", table);
  write_list(text, "body", impl_->bodies);
  write_section(text, "ground", impl_->ground);
  write_list(text, "joint", impl_->joints);
  write_list(text, "motion", impl_->motions);
  write_list(text, "force", impl_->forces);
  for (const auto& [name, table] : impl_->contacts) write_keys(text, "[contact." + toml_text(name) + "]", table);
  write_list(text, "pair", impl_->pairs);
  write_section(text, "solver", impl_->solver);
  write_section(text, "output", impl_->output);
  return text.empty() ? "[model]\n" : text;
}

}  // namespace carom::v1
