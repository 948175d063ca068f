#pragma once

#include <string>
#include <vector>

#include "recording/result_reader.h"

namespace carom::inline recording {

// Throws ResultError, with names close to it, if something asked for ("joint:pin", "contact:*") means none of the
// contacts: neither one of `groups`, those of the model, nor of the events. What happened to nobody is no error.
void require_contacts(const std::vector<std::string>& asked, const std::vector<std::string>& groups,
                      const std::vector<EventRecord>& events, const std::string& file);

// The same for a kind of events; an empty one means any.
void require_event_kind(const std::string& kind, const ResultReader& result);

}  // namespace carom::inline recording
