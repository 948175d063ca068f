#include <algorithm>
#include <limits>
#include <unordered_map>

#include "carom/result.h"
#include "contacts/resolved_contacts.h"
#include "facade/result_file.h"
#include "facade/translate.h"
#include "model/contact_names.h"
#include "model_io/read_model.h"
#include "recording/asked_contacts.h"

// What happened to the contacts of a run.
namespace carom::v1 {
namespace {

constexpr double not_told = std::numeric_limits<double>::quiet_NaN();

// The values of an event by their names.
class Values {
 public:
  Values(const std::vector<EventKind>& kinds, const carom::EventRecord& record) : record_(record) {
    for (const EventKind& kind : kinds) {
      if (kind.name == record.kind) kind_ = &kind;
    }
  }
  double of(const std::string& name) const {
    for (std::size_t k = 0; kind_ && k < std::min(kind_->values.size(), record_.values.size()); ++k) {
      if (kind_->values[k].name == name) return record_.values[k];
    }
    return not_told;
  }
  // The same where 0 says that it is not known.
  double positive(const std::string& name) const { return of(name) > 0 ? of(name) : not_told; }

 private:
  const EventKind* kind_ = nullptr;
  const carom::EventRecord& record_;
};

Event event_of(const std::vector<EventKind>& kinds, carom::EventRecord&& record) {
  const Values values(kinds, record);
  Event event{.time = record.time, .kind = record.kind, .contact = record.subject, .begin = record.time};
  event.separation_speed = values.of("separation_speed");
  event.impulse = values.of("normal_impulse");
  if (record.kind == "impact") {
    event.approach_speed = values.of("approach_speed");
    event.peak_force = values.positive("peak_force");
    event.duration = values.positive("duration");
    event.penetration = not_told;
  } else {
    const bool ends = record.kind == "contact";
    if (ends) event.begin = values.of("begin");
    event.approach_speed = values.of("impact_speed");
    event.peak_force = values.of("peak_force");
    event.duration = ends ? event.time - event.begin : not_told;
    event.penetration = values.of(ends ? "largest_penetration" : "penetration");
  }
  event.values = std::move(record.values);
  return event;
}

// Of the model as it was run, or, where that cannot be read any more, those that events name.
std::vector<std::string> names_of_contacts(const carom::ResultReader& reader, const std::vector<Event>& events) {
  const carom::ResultHeader& header = reader.header();
  carom::ProblemList problems;
  carom::Model model = carom::read_recorded_model(header.model_text, header.model_file, header.settings_json, problems);
  std::vector<std::string> names;
  if (problems.errors() == 0 || carom::leave_out_unknown_parts(model, problems)) {
    for (const carom::ResolvedContact& contact : carom::resolve_contacts(model)) names.push_back(contact.group());
    return names;
  }
  for (const Event& event : events) names.push_back(carom::contact_group(event.contact));
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

void add_to(ContactSummary& contact, const Event& event) {
  if (event.kind == "touch" || event.kind == "impact") ++contact.events;
  // Comparisons with what is not reported are false.
  if (event.peak_force > contact.peak_force) contact.peak_force = event.peak_force;
  if (event.penetration > contact.largest_penetration) contact.largest_penetration = event.penetration;
  if (event.impulse > contact.largest_impulse) contact.largest_impulse = event.impulse;
  if (event.impulse > 0) contact.total_impulse += event.impulse;
}

}  // namespace

const std::vector<Event>& Result::Impl::events() const {
  std::call_once(events_read_, [&] {
    std::vector<carom::EventRecord> records = reader.events();
    events_.reserve(records.size());
    for (carom::EventRecord& record : records) events_.push_back(event_of(event_kinds, std::move(record)));
    std::stable_sort(events_.begin(), events_.end(), [](const Event& a, const Event& b) { return a.time < b.time; });
  });
  return events_;
}

const std::vector<ContactSummary>& Result::Impl::contacts() const {
  std::call_once(contacts_read_, [&] {
    std::unordered_map<std::string, std::size_t> places;
    for (const std::string& name : names_of_contacts(reader, events())) {
      places.emplace(name, contacts_.size());
      contacts_.push_back({.name = name});
      // Forces that act for a while are not added up to impulses.
      const bool by_impulses =
          std::any_of(event_kinds.begin(), event_kinds.end(), [](const auto& kind) { return kind.name == "impact"; });
      if (!by_impulses) contacts_.back().largest_impulse = contacts_.back().total_impulse = not_told;
    }
    for (const Event& event : events()) {
      const auto place = places.find(carom::contact_group(event.contact));
      if (place != places.end()) add_to(contacts_[place->second], event);
    }
  });
  return contacts_;
}

std::vector<std::string> Result::Impl::contact_names() const {
  std::vector<std::string> names;
  for (const ContactSummary& contact : contacts()) names.push_back(contact.name);
  return names;
}

const std::vector<Event>& Result::events() const {
  return *translating_errors([&] { return &impl_->events(); });
}

std::vector<Event> Result::events(const std::string& contact) const {
  return translating_errors([&] {
    std::vector<Event> found;
    for (const Event& event : impl_->events()) {
      if (carom::belongs_to(event.contact, contact)) found.push_back(event);
    }
    if (found.empty()) carom::require_contacts({contact}, impl_->contact_names(), {}, impl_->path.string());
    return found;
  });
}

const std::vector<ContactSummary>& Result::contacts() const {
  return *translating_errors([&] { return &impl_->contacts(); });
}

}  // namespace carom::v1
