#include "model_io/read_contacts.h"

#include <algorithm>
#include <functional>

#include "model_io/contact_tables.h"

namespace carom {
namespace {

std::string text_of(const Node& table, const std::string& key, const std::string& fallback) {
  const Node* node = table.find(key);
  const std::string* text = node ? node->as<std::string>() : nullptr;
  return text ? *text : fallback;
}

// The entries that have a row or are nested; each of the others is reported by `complaint`, unless that is empty.
Node known_entries(Reading& reading, const Node& table, const std::vector<ParameterDescription>& rows,
                   const std::vector<std::string>& nested, const KeyPath& key,
                   const std::function<Complaint(const std::string&)>& complaint) {
  Node known = table;
  Node::Table entries;
  for (const Entry& entry : *table.as<Node::Table>()) {
    const bool is_nested = std::find(nested.begin(), nested.end(), entry.key) != nested.end();
    if (is_nested || find_row(rows, entry.key)) {
      entries.push_back(entry);
    } else if (complaint) {
      reading.note(key / entry.key, entry.value);
      reading.complain(entry.value.file, entry.where, key / entry.key, complaint(entry.key));
    }
  }
  known.value = std::move(entries);
  return known;
}

std::array<std::string, 2> two_names(const Settings& settings, const std::string& key) {
  const auto names = settings.names(key);
  return names.size() == 2 ? std::array{names[0], names[1]} : std::array<std::string, 2>{};
}

void read_friction_table(Reading& reading, const Node& table, ContactModel& contact, const KeyPath& key) {
  const FrictionLawDescription* law = find_friction_law(text_of(table, "law", "tanh"));
  std::function<Complaint(const std::string&)> complaint;
  if (law) complaint = [&](const std::string& name) { return unknown_friction_key(name, *law); };
  const auto rows = law ? friction_rows(*law) : section("contact.friction").parameters;
  const Settings settings = read_keys(reading, known_entries(reading, table, rows, {}, key, complaint), rows, {}, key);
  contact.friction = settings.text("law", "tanh");
  for (const std::string& name : settings.keys()) {
    if (name != "law") contact.friction_settings.set(name, *settings.find(name), settings.where(name));
  }
}

void read_friction(Reading& reading, const Node& node, ContactModel& contact, const KeyPath& key) {
  if (node.as<Node::Table>()) return read_friction_table(reading, node, contact, key);
  const std::string* text = node.as<std::string>();
  if (text && find_friction_law(*text)) {
    reading.sources.mark_broken(key);
    return reading.complain(node, key,
                            {found_text(node), "a coefficient, or { law = …, coefficient = … }",
                             "write { law = " + found_text(node) + ", coefficient = … }"});
  }
  contact.friction = "tanh";
  const ParameterDescription* row = find_row(find_friction_law("tanh")->parameters, "coefficient");
  if (const auto value = read_value(reading, node, *row, key)) {
    contact.friction_settings.set("coefficient", *value, node.where);
  } else {
    reading.sources.mark_broken(key);
    reading.sources.mark_broken(key / "coefficient");
  }
}

// The value of one of two keys, the first of which is twice the second; the struct holds the second only.
double either(Reading& reading, const Node& table, const Settings& settings, const std::string& twice,
              const std::string& once, const KeyPath& key) {
  const int given = (table.find(twice) ? 1 : 0) + (table.find(once) ? 1 : 0);
  if (given != 1) {
    reading.complain(
        given == 0 ? table : *table.find(once), given == 0 ? key : key / once,
        {given == 0 ? "neither `" + twice + "` nor `" + once + "`" : "both `" + twice + "` and `" + once + "`",
         "exactly one of them", ""});
    reading.sources.mark_broken(key / once);
  }
  return settings.has(twice) ? settings.number(twice) / 2 : settings.number(once);
}

}  // namespace

ContactModel read_contact(Reading& reading, const Entry& entry, const KeyPath& key) {
  const Node& table = entry.value;
  ContactModel contact;
  contact.name = entry.key;
  contact.where = table.where;
  const ContactTypes types = contact_types(text_of(table, "law", contact.law), text_of(table, "elastic", ""));
  const auto& nested = section("contact").nested;
  std::function<Complaint(const std::string&)> complaint;
  if (types.known()) complaint = [&](const std::string& name) { return unknown_contact_key(name, types); };
  // Of an unknown law the keys cannot be told; those all laws share are still checked.
  const auto rows = contact_rows(types.known() ? types : ContactTypes{});
  const Settings settings =
      read_keys(reading, known_entries(reading, table, rows, nested, key, complaint), rows, nested, key);
  contact.law = settings.text("law", contact.law);
  contact.elastic = settings.text("elastic");
  contact.restitution = settings.number("restitution", contact.restitution);
  if (types.law && settings.has("restitution") && contact.restitution < 0) {
    // Checked here, because the model takes a negative one for none.
    Complaint wrong = restitution_complaint(*types.law, contact.restitution);
    if (!wrong.found.empty()) {
      wrong.found = found_text(*table.find("restitution"));
      reading.complain(*table.find("restitution"), key / "restitution", wrong);
      reading.sources.mark_broken(key / "restitution");
    }
  }
  contact.rolling_resistance = settings.number("rolling_resistance");
  contact.spinning_resistance = settings.number("spinning_resistance");
  contact.coupled_spinning = settings.boolean("coupled_spinning");
  contact.tangential_restitution = settings.number("tangential_restitution");
  contact.restitution_law = settings.text("restitution_law", contact.restitution_law);
  contact.minimum_speed = settings.number("minimum_speed", contact.minimum_speed);
  contact.slow_contact = settings.text("slow_contact", contact.slow_contact);
  for (const std::string& name : settings.keys()) {
    if (find_row(section("contact").parameters, name)) continue;
    contact.settings.set(name, *settings.find(name), settings.where(name));
  }
  if (const Node* friction = table.find("friction")) read_friction(reading, *friction, contact, key / "friction");
  return contact;
}

PairModel read_pair(Reading& reading, const Node& table, const KeyPath& key) {
  const auto& rows = section("pair").parameters;
  const Settings settings = read_keys(reading, table, rows, {}, key);
  require_keys(reading, table, rows, key);
  if (!table.find("bodies")) reading.sources.mark_broken(key / "bodies");
  PairModel pair;
  pair.name = settings.text("name");
  pair.bodies = two_names(settings, "bodies");
  pair.shapes = two_names(settings, "shapes");
  for (std::string& shape : pair.shapes) {
    if (shape == "*") shape.clear();
  }
  pair.materials = two_names(settings, "materials");
  pair.contact = settings.text("contact");
  pair.allow_initial_penetration = settings.boolean("allow_initial_penetration");
  pair.where = table.where;
  return pair;
}

ClearanceModel read_clearance(Reading& reading, const Node& table, const KeyPath& key) {
  const auto& rows = section("joint.clearance").parameters;
  const Settings settings = read_keys(reading, table, rows, {}, key);
  ClearanceModel clearance;
  clearance.radial = either(reading, table, settings, "diametric", "radial", key);
  clearance.bearing_radius = either(reading, table, settings, "bearing_diameter", "bearing_radius", key);
  clearance.bearing_height = settings.number("bearing_height");
  clearance.length = settings.number("length");
  clearance.bearing_second = settings.text("bearing") == "second";
  clearance.materials = two_names(settings, "materials");
  clearance.contact = settings.text("contact");
  clearance.where = table.where;
  return clearance;
}

}  // namespace carom
