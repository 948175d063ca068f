#pragma once

#include <string>
#include <vector>

#include "contact_geometry/shape.h"
#include "contact_laws/elastic_catalogue.h"
#include "contact_laws/friction_law.h"
#include "contact_laws/normal_law.h"
#include "documents/check_value.h"
#include "model/model.h"

// What the catalogues of contact laws and shapes say about the keys of the model file.
namespace carom::inline model_io {

// The law and the elastic shape of a contact; null where the name is unknown.
struct ContactTypes {
  const NormalLawDescription* law = nullptr;
  const ElasticDescription* elastic = nullptr;
  bool known() const { return law && elastic; }
};
ContactTypes contact_types(const std::string& law, const std::string& elastic);

// Of a contact that gives a coefficient of friction and no law.
inline constexpr const char* default_friction_law = "tanh";

// The complaint about a key that no row describes; says so if it belongs to another law or shape.
Complaint unknown_contact_key(const std::string& key, const ContactTypes& types);
Complaint unknown_friction_key(const std::string& key, const FrictionLawDescription& law);

// "0 < e ≤ 1"
std::string restitution_range(const NormalLawDescription& law);
// The complaint about a restitution for which the law is not defined; found is empty if it is.
Complaint restitution_complaint(const NormalLawDescription& law, double restitution);

// Names of the joints that may have a clearance.
std::vector<std::string> clearance_joints(bool planar);

}  // namespace carom::inline model_io
