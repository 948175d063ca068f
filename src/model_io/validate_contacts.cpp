#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/nearest_name.h"
#include "contacts/resolved_contacts.h"
#include "documents/document.h"
#include "documents/reading.h"
#include "model_io/field_tables.h"
#include "model_io/sections.h"
#include "model_io/validation.h"

namespace carom::inline model_io {

void Validation::check_contacts() {
  TakenNames taken;
  for (std::size_t k = 0; k < model_.contacts.size(); ++k) {
    const ContactModel& contact = model_.contacts[k];
    const KeyPath key = KeyPath::entry(KeyPath::section("contact"), k, contact.name);
    entry_ = contact.where;
    check_name(contact.name, key, "contact", taken);
    check_contact(contact, key);
  }
}

void Validation::check_contact(const ContactModel& contact, const KeyPath& key) {
  const ContactTypes types = contact_types(contact.law, contact.elastic);
  check_fields(contact_fields(ContactTypes{}), contact, key);
  if (!broken(key / "restitution_law")) check_restitution_law(contact, key);
  if (!contact.friction.empty()) check_friction(contact, key / "friction");
  if (!types.known() || broken(key / "law") || broken(key / "elastic")) return;
  check_contact_settings(contact, types, key);
  if (!broken(key / "restitution")) check_restitution(contact, *types.law, key / "restitution");
}

void Validation::check_contact_settings(const ContactModel& contact, const ContactTypes& types, const KeyPath& key) {
  const Fields<ContactModel> fields = contact_fields(types);
  const auto& rows = fields.rows();
  for (const std::string& name : contact.settings.keys()) {
    const ParameterDescription* row = find_row(rows, name);
    if (!row || find_row(contact_fields().rows(), name)) {
      error(key / name, unknown_contact_key(name, types));
    } else if (auto complaint = check_value(*row, *contact.settings.find(name), model_.planar)) {
      error(key / name, std::move(*complaint));
    }
  }
  const auto has = [&](const std::string& name) { return contact.settings.has(name) || sources_.given(key / name); };
  for (const ParameterDescription& row : rows) {
    if (!row.required || has(row.name)) continue;
    const bool of_law = find_row(types.law->parameters, row.name) != nullptr;
    error(key / row.name,
          {"nothing",
           fmt::format("{}, for the {} `{}`", expected_text(row, model_.planar), of_law ? "law" : "elastic shape",
                       of_law ? types.law->name : types.elastic->name),
           "add the key `" + row.name + "`"});
  }
  // A line contact gets its stiffness from its length, if it is not given.
  const ParameterDescription* length = find_row(types.elastic->parameters, "length");
  if (length && !length->required && !has("length") && !has("stiffness")) {
    error(key / "length", {"neither `length` nor `stiffness`",
                           fmt::format("one of them, for the elastic shape `{}`", types.elastic->name), ""});
  }
}

void Validation::check_friction(const ContactModel& contact, const KeyPath& key) {
  if (broken(key)) return;
  check_fields(friction_fields(), contact, key);
  const FrictionLawDescription* law = find_friction_law(contact.friction);
  if (!law || broken(key / "law")) return;
  for (const std::string& name : contact.friction_settings.keys()) {
    const ParameterDescription* row = find_row(law->parameters, name);
    if (!row) {
      error(key / name, unknown_friction_key(name, *law));
    } else if (auto complaint = check_value(*row, *contact.friction_settings.find(name), model_.planar)) {
      error(key / name, std::move(*complaint));
    }
  }
  for (const ParameterDescription& row : law->parameters) {
    // The coefficient may also come from the materials, which is checked where they are known.
    if (!row.required || row.name == "coefficient") continue;
    if (contact.friction_settings.has(row.name) || sources_.given(key / row.name)) continue;
    error(key / row.name, {"nothing", expected_text(row, model_.planar), "add the key `" + row.name + "`"});
  }
}

void Validation::check_restitution(const ContactModel& contact, const NormalLawDescription& law, const KeyPath& key) {
  if (contact.restitution < 0) return;  // not given
  if (Complaint complaint = restitution_complaint(law, contact.restitution); !complaint.found.empty()) {
    if (model_.solver.method == ContactMethod::compliant || contact.restitution > 1) return error(key, complaint);
  }
  warn_of_restitution(law, contact.restitution, number_text(contact.restitution), key);
}

// Poisson's and energetic restitution end a process that knows sliding friction only.
void Validation::check_restitution_law(const ContactModel& contact, const KeyPath& key) {
  if (contact.restitution_law == RestitutionLaw::newton) return;
  const std::string found = quoted_text(name_of(contact.restitution_law));
  if (model_.solver.method == ContactMethod::compliant) {
    return report_once(Severity::warning, key / "restitution_law",
                       {found, "the method `nonsmooth`",
                        "compliant contacts do not use it: what comes back follows from the law of the normal force"});
  }
  const auto refuse = [&](const char* other) {
    error(key / "restitution_law",
          {fmt::format("{} together with `{}`", found, other), "`newton` with that key, or the key left out", ""});
  };
  if (contact.tangential_restitution != 0) refuse("tangential_restitution");
  if (contact.rolling_resistance > 0) refuse("rolling_resistance");
  if (contact.spinning_resistance > 0) refuse("spinning_resistance");
}

void Validation::warn_of_restitution(const NormalLawDescription& law, double restitution, const std::string& found,
                                     const KeyPath& key) {
  if (model_.solver.method != ContactMethod::compliant)
    return;  // impulses have the restitution asked for with every law
  if (!law.uses_restitution) {
    return report_once(Severity::warning, key,
                       {found, "a law with restitution", fmt::format("the law `{}` does not use it", law.name)});
  }
  if (restitution >= law.usable_from && restitution <= law.usable_to) return;
  const std::string range = restitution < law.usable_from ? fmt::format("at least {}", law.usable_from)
                                                          : fmt::format("at most {}", law.usable_to);
  report_once(Severity::warning, key,
              {found, fmt::format("{} for the law `{}`", range, law.name),
               "outside it the impact has another restitution than asked for; `exact` has the one asked for"});
}

bool Validation::check_material_name(const std::string& name, const KeyPath& key) {
  if (find_material(model_, name)) return true;
  std::vector<std::string> names;
  for (const Material& each : model_.materials) names.push_back(each.name);
  error(key,
        {quoted_text(name), names.empty() ? "a model with a [material.NAME]" : "a material: " + alternatives(names),
         did_you_mean(name, names)});
  return false;
}

bool Validation::check_material_names(const std::array<std::string, 2>& names, const KeyPath& key) {
  bool known = !broken(key);
  for (std::size_t k = 0; k < 2; ++k) {
    if (!names[k].empty() && !check_material_name(names[k], key.item(k))) known = false;
  }
  return known;
}

bool Validation::check_contact_name(const std::string& name, const KeyPath& key) {
  if (broken(key)) return false;
  if (name.empty()) return true;
  std::vector<std::string> names;
  for (const ContactModel& each : model_.contacts) names.push_back(each.name);
  if (std::find(names.begin(), names.end(), name) != names.end()) return true;
  error(key, {quoted_text(name), names.empty() ? "a model with a [contact.NAME]" : "a contact: " + alternatives(names),
              did_you_mean(name, names)});
  return false;
}

KeyPath Validation::key_of(const Material& material) const {
  const auto index = static_cast<std::size_t>(&material - model_.materials.data());
  return KeyPath::entry(KeyPath::section("material"), index, material.name);
}

void Validation::report_once(Severity severity, const KeyPath& key, Complaint complaint) {
  if (reported_.insert(key.exact + "\n" + complaint.found).second) report(severity, key, std::move(complaint));
}

}  // namespace carom::inline model_io
