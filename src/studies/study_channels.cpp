#include "studies/study_channels.h"

#include "dynamics/system.h"
#include "simulation/recorder.h"

namespace carom {

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
  return channels;
}

}  // namespace carom
