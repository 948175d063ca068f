#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/model.h"

namespace carom::inline studies {

// What a run of a model can record.
struct StudyChannels {
  std::vector<std::string> names;            // group.component
  std::vector<std::string> groups;           // joint:pin
  std::map<std::string, std::string> units;  // by name
  std::vector<std::string> contact_groups;   // what may touch: joint:pin, contact:ball-floor
  std::vector<std::string> contacts;         // and its shapes and points, as far as they are known before a run
  std::vector<std::string> event_kinds;      // touch, contact, impact
};

StudyChannels find_channels(const Model& model);

// Whether some contact of a model may belong to what is asked for. Shapes of groups that come and go, and points named
// by their features, are known only during a run.
bool may_touch(const Model& model, const StudyChannels& channels, const std::string& asked);

}  // namespace carom::inline studies
