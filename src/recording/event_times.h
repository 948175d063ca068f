#pragma once

#include <string>
#include <vector>

#include "recording/result_types.h"

namespace carom::inline recording {

// When events happened to what is asked for ("joint:pin", "contact:*": model/contact_names.h), from one time to
// another. The beginning and the end of a contact are two events: without a kind, the beginnings count.
// Nothing asked for means everything.
std::vector<double> event_times(const std::vector<EventRecord>& events, const std::vector<std::string>& asked,
                                const std::string& kind, double from, double to);

// How many events of each kind there are, for people: "3 touches, 2 episodes of contact"; "0".
std::string count_events(const std::vector<EventKind>& kinds, const std::vector<EventRecord>& events);

}  // namespace carom::inline recording
