#include "contacts/contact_set.h"

#include "contacts/build_contacts.h"

namespace carom::inline contacts {

template <int D>
ContactSet<D>::ContactSet(const Model& model)
    : nonsmooth_(model.solver.method == ContactMethod::nonsmooth),
      compliant_(pairs_),
      impulses_(pairs_),
      outputs_(pairs_, compliant_, impulses_, nonsmooth_) {
  build_contacts<D>(model, {nonsmooth_, pairs_, compliant_, impulses_, outputs_, remarks_});
  if (nonsmooth_) {
    impulses_.start();
  } else {
    pairs_.hold_contacts();
    compliant_.start();
  }
}

template <int D>
std::vector<std::pair<int, int>> ContactSet<D>::body_pairs() const {
  std::vector<std::pair<int, int>> result;
  for (int k = 0; k < fixed_pair_count(); ++k) result.push_back(pair_bodies(k));
  return result;
}

template <int D>
bool ContactSet<D>::refresh(const Bodies<D>& bodies) {
  if (nonsmooth_) impulses_.keep_memories();
  if (!pairs_.refresh(bodies)) return false;
  renumber();
  return true;
}

template <int D>
void ContactSet<D>::renumber() {
  if (nonsmooth_) {
    impulses_.renumber();
  } else {
    compliant_.renumber();
  }
}

template <int D>
bool ContactSet<D>::refresh_for(const Bodies<D>& bodies, double travel) {
  if (nonsmooth_) impulses_.keep_memories();
  if (!pairs_.refresh_for(bodies, travel)) return false;
  renumber();
  return true;
}

template <int D>
void ContactSet<D>::read(const Bodies<D>& bodies, ContactReading* readings) const {
  if (nonsmooth_) return pairs_.read(bodies, readings);
  compliant_.read(bodies, readings);
}

template <int D>
void ContactSet<D>::forget_recent_impulses() {
  impulses_.forget_recent();
  outputs_.forget_recent();
}

template <int D>
void ContactSet<D>::take_memory(const ContactSet& other) {
  pairs_.take_memory(other.pairs_);
  compliant_.take_memory(other.compliant_);
  impulses_.take_memory(other.impulses_);
  outputs_.take_memory(other.outputs_);
  remarks_ = other.remarks_;
}

template class ContactSet<2>;
template class ContactSet<3>;

}  // namespace carom::inline contacts
