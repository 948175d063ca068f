#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/model.h"

namespace carom {

// What a run of a model can record.
struct StudyChannels {
  std::vector<std::string> names;            // group.component
  std::vector<std::string> groups;           // joint:pin
  std::map<std::string, std::string> units;  // by name
};

StudyChannels find_channels(const Model& model);

}  // namespace carom
