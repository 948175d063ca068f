#pragma once

#include <array>
#include <string>
#include <vector>

#include "contacts/compliant_contacts.h"
#include "contacts/nonsmooth_contact.h"
#include "contacts/patch.h"
#include "contacts/resolved_contacts.h"

// From what a model says of a contact to the laws of the two methods. The model has been validated.
namespace carom::inline contacts {

// Two bodies that meet in a contact.
struct ContactPartners {
  const ContactModel& contact;
  SurfacePair surfaces;
  std::array<double, 2> masses;  // kg; infinite for the ground
};

// Where they meet.
struct ContactPlace {
  Patch patch;
  double clearance = 0;    // m, radial, of a shape in a hole
  bool over_area = false;  // the shapes press over areas
};

CompliantGroup make_compliant_group(const ContactPartners& partners);
CompliantLaw make_compliant_law(const ContactPartners& partners, const ContactPlace& place);
NonsmoothLaw make_nonsmooth_law(const ContactPartners& partners, const ContactPlace& place);

// Where a given stiffness acts over areas, and of which patch it is; empty: it acts by points.
std::string remark_on_given(const ContactPartners& partners, const ContactPlace& place);
// That a law returns another restitution than asked for; empty: it does not.
std::string remark_on_restitution(const ContactPartners& partners);
// What of a friction law does not act in the nonsmooth method; empty: nothing.
std::string remark_on_friction(const ContactPartners& partners);

}  // namespace carom::inline contacts
