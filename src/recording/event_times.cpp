#include "recording/event_times.h"

#include <algorithm>

#include <fmt/format.h>

#include "model/contact_names.h"

namespace carom::inline recording {

std::vector<double> event_times(const std::vector<EventRecord>& events, const std::vector<std::string>& asked,
                                const std::string& kind, double from, double to) {
  std::vector<double> times;
  for (const EventRecord& event : events) {
    const bool right = kind.empty() ? event.kind != "contact" : event.kind == kind;
    if (right && belongs_to_any(event.subject, asked) && event.time >= from && event.time <= to)
      times.push_back(event.time);
  }
  std::sort(times.begin(), times.end());
  return times;
}

std::string count_events(const std::vector<EventKind>& kinds, const std::vector<EventRecord>& events) {
  std::string text;
  for (const EventKind& kind : kinds) {
    const auto count =
        std::count_if(events.begin(), events.end(), [&](const EventRecord& event) { return event.kind == kind.name; });
    const bool one = count == 1;
    const std::string name = kind.name == "touch"     ? one ? "touch" : "touches"
                             : kind.name == "contact" ? one ? "episode of contact" : "episodes of contact"
                             : kind.name == "impact"  ? one ? "impact" : "impacts"
                                                      : kind.name;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, name);
  }
  return text.empty() ? "0" : text;
}

}  // namespace carom::inline recording
