#include "model_io/contact_tables.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/nearest_name.h"
#include "joints/joint.h"
#include "model_io/field_tables.h"
#include "model_io/sections.h"

namespace carom::inline model_io {
namespace {

// The types of a catalogue that take the key.
template <class Catalogue>
std::vector<std::string> owners(const Catalogue& catalogue, const std::string& key) {
  std::vector<std::string> names;
  for (const auto& type : catalogue) {
    if (find_row(type.parameters, key)) names.push_back(type.name);
  }
  return names;
}

template <class Catalogue>
Complaint foreign_key(const Catalogue& catalogue, const std::string& kind, const std::string& type,
                      const std::string& key, const std::vector<std::string>& valid) {
  const auto names = owners(catalogue, key);
  if (names.empty()) return {};
  return {fmt::format("a key of the {} {}, not of `{}`", kind, alternatives(names), type), alternatives(valid), ""};
}

}  // namespace

ContactTypes contact_types(const std::string& law, const std::string& elastic) {
  ContactTypes types;
  types.law = find_normal_law(law);
  if (!elastic.empty()) {
    types.elastic = find_elastic(elastic);
  } else if (types.law) {
    types.elastic = find_elastic(types.law->elastic);
  }
  return types;
}

Complaint unknown_contact_key(const std::string& key, const ContactTypes& types) {
  std::vector<std::string> valid = row_names(contact_fields(types).rows());
  for (const std::string& nested : section("contact").nested) valid.push_back(nested);
  Complaint complaint = foreign_key(normal_law_catalogue(), "law", types.law->name, key, valid);
  if (complaint.found.empty()) {
    complaint = foreign_key(elastic_catalogue(), "elastic shape", types.elastic->name, key, valid);
  }
  return complaint.found.empty() ? unknown_key(key, valid) : complaint;
}

Complaint unknown_friction_key(const std::string& key, const FrictionLawDescription& law) {
  const std::vector<std::string> valid = row_names(friction_fields(law).rows());
  const Complaint complaint = foreign_key(friction_law_catalogue(), "friction law", law.name, key, valid);
  return complaint.found.empty() ? unknown_key(key, valid) : complaint;
}

std::string restitution_range(const NormalLawDescription& law) {
  return fmt::format("{} {} e ≤ 1", number_text(law.least_restitution), law.least_allowed ? "≤" : "<");
}

Complaint restitution_complaint(const NormalLawDescription& law, double restitution) {
  const auto defined = [&](const NormalLawDescription& each) {
    const bool above =
        each.least_allowed ? restitution >= each.least_restitution : restitution > each.least_restitution;
    return above && restitution <= 1;
  };
  if (defined(law)) return {};
  std::string remedy;
  if (restitution >= 0 && restitution <= 1) {
    remedy = defined(*find_normal_law(default_normal_law)) ? fmt::format("`{}` goes down to 0", default_normal_law)
                                                           : "take a small one, such as 0.05, for a soft impact";
  }
  return {number_text(restitution), fmt::format("{}, the range of the law `{}`", restitution_range(law), law.name),
          remedy};
}

std::vector<std::string> clearance_joints(bool planar) {
  std::vector<std::string> names;
  for (const JointDescription& joint : joint_catalogue()) {
    if (joint.loose(planar)) names.push_back(joint.name);
  }
  return names;
}

}  // namespace carom::inline model_io
