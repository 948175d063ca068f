#pragma once

#include <string>
#include <vector>

#include "contacts/compliant_contacts.h"
#include "contacts/contact_outputs.h"
#include "contacts/contact_pairs.h"
#include "contacts/nonsmooth_contacts.h"
#include "model/model.h"

namespace carom::inline contacts {

// The parts that contacts are made of, before they have any.
template <int D>
struct ContactParts {
  bool nonsmooth;  // which of the two methods gets laws
  ContactPairs<D>& pairs;
  CompliantContacts<D>& compliant;
  NonsmoothContacts<D>& impulses;
  ContactOutputs<D>& outputs;
  std::vector<std::string>& remarks;
};

// From what the model says to shapes, laws and points. The model has been validated.
template <int D>
void build_contacts(const Model& model, const ContactParts<D>& parts);

}  // namespace carom::inline contacts
