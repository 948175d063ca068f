#include "model_io/read_contacts.h"

#include <algorithm>
#include <functional>

#include "model_io/contact_tables.h"
#include "model_io/field_tables.h"
#include "model_io/sections.h"

namespace carom::inline model_io {
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

void read_friction_table(Reading& reading, const Node& table, ContactModel& contact, const KeyPath& key) {
  const FrictionLawDescription* law = find_friction_law(text_of(table, "law", default_friction_law));
  std::function<Complaint(const std::string&)> complaint;
  if (law) complaint = [&](const std::string& name) { return unknown_friction_key(name, *law); };
  const auto fields = law ? friction_fields(*law) : friction_fields();
  const Node known = known_entries(reading, table, fields.rows(), {}, key, complaint);
  contact.friction = default_friction_law;
  take(fields, read_keys(reading, known, fields.rows(), {}, key), contact, reading.planar);
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
  contact.friction = default_friction_law;
  const ParameterDescription* row = find_row(find_friction_law(default_friction_law)->parameters, "coefficient");
  if (const auto value = read_value(reading, node, *row, key)) {
    contact.friction_settings.set("coefficient", *value);
  } else {
    reading.sources.mark_broken(key);
    reading.sources.mark_broken(key / "coefficient");
  }
}

// One of two keys, the first of which is twice the second; the struct holds the second only.
void require_either(Reading& reading, const Node& table, const std::string& twice, const std::string& once,
                    const KeyPath& key) {
  const int given = (table.find(twice) ? 1 : 0) + (table.find(once) ? 1 : 0);
  if (given == 1) return;
  reading.complain(
      given == 0 ? table : *table.find(once), given == 0 ? key : key / once,
      {given == 0 ? "neither `" + twice + "` nor `" + once + "`" : "both `" + twice + "` and `" + once + "`",
       "exactly one of them", ""});
  reading.sources.mark_broken(key / once);
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
  // Of an unknown law the keys cannot be reported; those all laws share are still checked.
  const auto fields = contact_fields(types.known() ? types : ContactTypes{});
  const Node known = known_entries(reading, table, fields.rows(), nested, key, complaint);
  const Settings settings = read_keys(reading, known, fields.rows(), nested, key);
  take(fields, settings, contact, reading.planar);
  if (types.law && settings.has("restitution") && contact.restitution < 0) {
    // Checked here, because the model takes a negative one for none.
    Complaint wrong = restitution_complaint(*types.law, contact.restitution);
    if (!wrong.found.empty()) {
      wrong.found = found_text(*table.find("restitution"));
      reading.complain(*table.find("restitution"), key / "restitution", wrong);
      reading.sources.mark_broken(key / "restitution");
    }
  }
  if (const Node* friction = table.find("friction")) read_friction(reading, *friction, contact, key / "friction");
  return contact;
}

PairModel read_pair(Reading& reading, const Node& table, const KeyPath& key) {
  PairModel pair;
  read_fields(reading, table, pair_fields(), {}, key, pair);
  if (!table.find("bodies")) reading.sources.mark_broken(key / "bodies");
  pair.where = table.where;
  return pair;
}

ClearanceModel read_clearance(Reading& reading, const Node& table, const KeyPath& key) {
  ClearanceModel clearance;
  read_fields(reading, table, clearance_fields(), {}, key, clearance);
  require_either(reading, table, "diametric", "radial", key);
  require_either(reading, table, "bearing_diameter", "bearing_radius", key);
  clearance.where = table.where;
  return clearance;
}

}  // namespace carom::inline model_io
