#include "studies/study_channels.h"

#include <algorithm>

#include "contacts/resolved_contacts.h"
#include "dynamics/system.h"
#include "model/contact_names.h"
#include "simulation/recorder.h"

namespace carom::inline studies {

StudyChannels find_channels(const Model& model) {
  Model everything = model;
  everything.output.record = {"*"};
  const auto system = System::create(everything);
  RecordedRun run;
  const Recorder recorder(*system, everything, std::nullopt, &run);
  StudyChannels channels;
  for (const ChannelGroup& group : run.header.groups) {
    channels.groups.push_back(group.name);
    for (const Component& component : group.components) {
      channels.names.push_back(group.name + "." + component.name);
      channels.units[channels.names.back()] = component.unit;
    }
  }
  for (const EventKind& kind : run.header.event_kinds) channels.event_kinds.push_back(kind.name);
  for (const ResolvedContact& contact : resolve_contacts(model)) channels.contact_groups.push_back(contact.group());
  const ContactPoints* contacts = system->contacts();
  for (int k = 0; contacts && k < contacts->contact_points(); ++k)
    channels.contacts.push_back(contacts->contact_name(k));
  return channels;
}

bool may_touch(const Model& model, const StudyChannels& channels, const std::string& asked) {
  const auto any = [](const std::vector<std::string>& names, const std::string& meant) {
    return std::any_of(names.begin(), names.end(), [&](const std::string& name) { return belongs_to(name, meant); });
  };
  if (any(channels.contact_groups, asked) || any(channels.contacts, asked)) return true;
  const std::string pair = without_point(asked);
  const bool of_features = asked.find('/', pair.size()) != std::string::npos;
  if (of_features && any(channels.contacts, pair)) return true;
  const auto resolved = resolve_contact(model, contact_group(asked));
  return resolved && resolved->changes();
}

}  // namespace carom::inline studies
