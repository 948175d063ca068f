#include "parts/registry.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/units.h"
#include "documents/check_value.h"
#include "model_io/contact_tables.h"
#include "model_io/field_tables.h"
#include "model_io/sections.h"
#include "parts/describe_part.h"
#include "parts/part_keys.h"
#include "parts/plugins.h"

namespace carom::inline parts {
namespace {

bool consists_of(const std::string& text, const std::string& allowed) {
  return !text.empty() && text.find_first_not_of(allowed) == std::string::npos;
}

const std::string letters = "abcdefghijklmnopqrstuvwxyz";
const std::string in_keys = letters + "0123456789_";

// One place for what differs between the four catalogues.
const TypeDescription* find_entry(const NormalLawDescription& entry) {
  return find_normal_law(entry.name);
}
const TypeDescription* find_entry(const FrictionLawDescription& entry) {
  return find_friction_law(entry.name);
}
const TypeDescription* find_entry(const ForceElementDescription& entry) {
  return find_force_element(entry.name);
}
const TypeDescription* find_entry(const DriveDescription& entry) {
  return find_drive(entry.name);
}
void add_entry(const NormalLawDescription& entry) {
  add_normal_law(entry);
}
void add_entry(const FrictionLawDescription& entry) {
  add_friction_law(entry);
}
void add_entry(const ForceElementDescription& entry) {
  add_force_element(entry);
}
void add_entry(const DriveDescription& entry) {
  add_drive(entry);
}

template <class Rows>
void add_names(std::set<std::string>& names, const Rows& rows) {
  for (const auto& row : rows) names.insert(row.name);
}

template <class Part>
bool can_make(const Part& part) {
  return part.make != nullptr;
}
bool can_make(const BatchedForcePart& part) {
  return part.make_batch != nullptr;
}

// Keys that a [[force]] of the part has already.
std::set<std::string> force_keys(const v1::ForcePart& part) {
  std::set<std::string> names;
  add_names(names, element_fields().rows());
  add_names(names, placement_keys(part));
  return names;
}

// Keys that a [contact.NAME] has already, with any elastic shape.
std::set<std::string> contact_keys() {
  std::set<std::string> names = {"friction"};
  add_names(names, contact_fields().rows());
  for (const ElasticDescription& shape : elastic_catalogue()) add_names(names, shape.parameters);
  return names;
}

}  // namespace

void PartRegistry::complain(const std::string& key, const std::string& found, const std::string& expected,
                            const std::string& remedy) {
  problems_.add(Problem{.file = origin_ == from_program ? "" : origin_,
                        .key = key,
                        .found = found,
                        .expected = expected,
                        .remedy = remedy});
}

void PartRegistry::check_key(const std::string& title, const v1::Key& key) {
  const std::string place = title + ", key " + carom::quoted(key.name);
  if (!consists_of(key.name, in_keys) || letters.find(key.name.front()) == std::string::npos)
    complain(place, "its name", "lower case letters, digits and _, a letter first");
  if (const auto unit = parse_unit(key.unit); std::holds_alternative<std::string>(unit))
    complain(place, "the unit " + carom::quoted(key.unit), "an SI unit such as \"N s/m\"", std::get<std::string>(unit));
  if ((key.kind == v1::KeyKind::choice) != !key.choices.empty())
    complain(place, key.choices.empty() ? "a choice without `choices`" : "`choices` of a key that is no choice",
             "choices of a choice");
  if (key.default_value && key.kind != v1::KeyKind::number)
    complain(place, "`default_value` of a key that is no number", "a number with it, or none");
  if (std::isnan(key.minimum) || std::isnan(key.maximum) || key.minimum > key.maximum)
    complain(place, fmt::format("the range from {} to {}", key.minimum, key.maximum), "minimum ≤ maximum");
  if (key.kind != v1::KeyKind::number || !key.default_value) return;
  if (const auto complaint = check_value(rows_of({key}).front(), *key.default_value, true))
    complain(place, "the default " + complaint->found, complaint->expected);
}

template <class Part>
void PartRegistry::check(const std::string& title, const Part& part, const std::set<std::string>& reserved) {
  if (!consists_of(part.name, in_keys + "-")) complain(title, "its name", "lower case letters, digits, - and _");
  if (!can_make(part)) complain(title, "no function `make`", "one that makes the part");
  std::set<std::string> names;
  for (const v1::Key& key : part.keys) {
    check_key(title, key);
    if (reserved.contains(key.name))
      complain(title, "the key " + carom::quoted(key.name), "keys besides those that all have", "give it another name");
    if (!names.insert(key.name).second)
      complain(title, "the key " + carom::quoted(key.name) + " twice", "each key once");
  }
}

template <class Part>
void PartRegistry::take(const std::string& kind, const Part& part, const std::set<std::string>& reserved) {
  const std::string title = kind + " " + carom::quoted(part.name);
  check(title, part, reserved);
  auto description = describe_part(part);
  description.origin = origin_;
  const TypeDescription* taken = find_entry(description);
  if (taken || std::find(titles_.begin(), titles_.end(), title) != titles_.end()) {
    const std::string owner = !taken                  ? "given twice"
                              : taken->origin.empty() ? "built in"
                                                      : "already there, from " + taken->origin;
    complain(title, "a name that is taken: one is " + owner, "another name");
  }
  titles_.push_back(title);
  pending_.push_back([description = std::move(description)] { add_entry(description); });
}

void PartRegistry::add(v1::ContactLawPart part) {
  take("contact law", part, contact_keys());
  if (!find_elastic(part.elastic))
    complain("contact law " + carom::quoted(part.name), "the elastic shape " + carom::quoted(part.elastic),
             "one that `carom laws` lists");
}

void PartRegistry::add(v1::FrictionLawPart part) {
  std::set<std::string> reserved;
  add_names(reserved, friction_fields().rows());
  take("friction law", part, reserved);
}

void PartRegistry::add(v1::ForcePart part) {
  take("force", part, force_keys(part));
  std::set<std::string> names;
  for (const v1::OutputValue& output : part.outputs)
    if (!consists_of(output.name, in_keys) || !names.insert(output.name).second)
      complain("force " + carom::quoted(part.name), "the output " + carom::quoted(output.name),
               "a name of its own of lower case letters, digits and _");
}

void PartRegistry::add_batched(const BatchedForcePart& part) {
  take("force", part, force_keys(part));
}

void PartRegistry::add(v1::DrivePart part) {
  take("drive", part, {"drive", "table", "file", "interpolation"});
  if (part.unit == "*") return;
  if (const auto unit = parse_unit(part.unit); std::holds_alternative<std::string>(unit))
    complain("drive " + carom::quoted(part.name), "the unit " + carom::quoted(part.unit),
             "an SI unit, or \"*\" for any", std::get<std::string>(unit));
}

void PartRegistry::commit() {
  if (problems_.errors() > 0) throw InputError(problems_);
  for (const auto& add_one : pending_) add_one();
  pending_.clear();
}

}  // namespace carom::inline parts
