#include <algorithm>

#include <fmt/format.h>

#include "base/nearest_name.h"
#include "control/block.h"
#include "control/signal_order.h"
#include "documents/document.h"
#include "model_io/field_tables.h"
#include "model_io/validation.h"

// Events: what they wait for, and whether what they change is there.
namespace carom::inline model_io {

void Validation::check_events() {
  TakenNames names;
  for (std::size_t k = 0; k < model_.events.size(); ++k) {
    const EventModel& event = model_.events[k];
    entry_ = event.where;
    const KeyPath key = KeyPath::entry(KeyPath::section("event"), k, event.name);
    check_name(event.name, key, "event", names);
    check_event(event, key);
  }
}

void Validation::check_event(const EventModel& event, const KeyPath& key) {
  check_condition(event, key);
  check_changed_joints(event, key);
  for (const auto& [drives, name] :
       {std::pair{&event.switch_off, "switch_off"}, std::pair{&event.switch_on, "switch_on"}}) {
    for (const std::string& drive : *drives) check_named(drive, model_.motions, key / name, "motion");
  }
  for (const EventModel::Setting& setting : event.settings) {
    const int index = signal_index(model_, setting.signal);
    if (index >= 0 && model_.signals[index].type == held_type) continue;
    const bool parameter = model_.parameters.contains(setting.signal);
    const std::string what = parameter   ? ", a parameter that stays as it is"
                             : index < 0 ? ", which is no signal"
                                         : ", which follows from others";
    error(key / "set", {quoted_text(setting.signal) + what, "a signal of type `held` or a variable parameter",
                        parameter   ? "declare it as { value = …, variable = true }"
                        : index < 0 ? ""
                                    : "give it type = \"held\" and an `initial` value"});
  }
  if (!event.stop && event.set.empty() && !event.changes_structure())
    report(Severity::warning, key,
           {"an event that changes nothing", "`stop`, `set`, `lock`, `release`, …", "it is only logged"});
}

template <class List>
bool Validation::check_named(const std::string& name, const List& list, const KeyPath& key, const std::string& what) {
  std::vector<std::string> names;
  for (const auto& each : list) names.push_back(each.name);
  if (std::find(names.begin(), names.end(), name) != names.end()) return true;
  error(key, {quoted_text(name), names.empty() ? "a model with a " + what : "a " + what + ": " + alternatives(names),
              did_you_mean(name, names)});
  return false;
}

void Validation::check_condition(const EventModel& event, const KeyPath& key) {
  const bool condition = event.has_condition || sources_.given(key / "when"), contact = !event.contact.empty();
  const int waits = condition + std::isfinite(event.at) + contact;
  if (waits != 1)
    error(key, {waits == 0 ? "neither `when`, `at` nor `contact`" : "several of `when`, `at` and `contact`",
                "exactly one of them", ""});
  if (event.has_condition && event.when.is_constant())
    error(key / "when", {event.when.description() + ", which never crosses 0",
                         "a function of t and signals, such as \"=force - 5000[N]\"", ""});
  const auto one_of = [&](const char* name, const std::string& value) {
    const ParameterDescription& row = *find_row(event_fields().rows(), name);
    if (std::find(row.choices.begin(), row.choices.end(), value) == row.choices.end())
      error(key / name, {quoted_text(value), alternatives(row.choices), did_you_mean(value, row.choices)});
  };
  one_of("direction", event.direction);
  one_of("change", event.change);
  const bool loose = std::any_of(model_.joints.begin(), model_.joints.end(), [&](const ElementModel& joint) {
    return joint.name == event.contact && joint.clearance;
  });
  if (contact && !loose) check_named(event.contact, model_.pairs, key / "contact", "pair");
}

void Validation::check_changed_joints(const EventModel& event, const KeyPath& key) {
  const std::pair<const std::vector<std::string>*, const char*> lists[] = {
      {&event.lock, "lock"},     {&event.unlock, "unlock"}, {&event.release, "release"},
      {&event.engage, "engage"}, {&event.attach, "attach"}, {&event.detach, "detach"}};
  for (const auto& [joints, action] : lists) {
    for (const std::string& name : *joints) {
      if (!check_named(name, model_.joints, key / action, "joint")) continue;
      const ElementModel& joint = *std::find_if(model_.joints.begin(), model_.joints.end(),
                                                [&](const ElementModel& each) { return each.name == name; });
      const JointDescription* const type = find_joint(joint.type);
      const bool locks = joints == &event.lock || joints == &event.unlock;
      if (joint.clearance)
        error(key / action, {quoted_text(name) + ", a joint with clearance", "an ideal joint", ""});
      else if (locks && type && type->coordinates.empty())
        error(key / action,
              {quoted_text(name) + ", which has no coordinate to hold", "a joint that turns or slides", ""});
      else if (joints == &event.attach && type && !type->attaches)
        error(key / action, {quoted_text(name) + ", a joint of type " + type->name, "a joint of type fixed or revolute",
                             "`engage` lets other joints hold again where they are closed"});
    }
  }
}

}  // namespace carom::inline model_io
