#include "recording/asked_contacts.h"

#include <algorithm>

#include <fmt/format.h>

#include "model/contact_names.h"
#include "recording/select_quantities.h"

namespace carom::inline recording {
namespace {

// "; did you mean a, b?", or all of them where none is near.
std::string remedy(const std::string& wrong, const std::vector<std::string>& names, const std::string& what) {
  const std::vector<std::string> close = close_names(wrong, names);
  const std::vector<std::string>& listed = close.empty() ? names : close;
  if (listed.empty()) return "; it has no " + what;
  return fmt::format("; {} {}{}", close.empty() ? "it has" : "did you mean", fmt::join(listed, ", "),
                     close.empty() ? "" : "?");
}

}  // namespace

void require_contacts(const std::vector<std::string>& asked, const std::vector<std::string>& groups,
                      const std::vector<EventRecord>& events, const std::string& file) {
  for (const std::string& pattern : asked) {
    const auto fits = [&](const std::string& name) { return belongs_to(name, pattern); };
    if (std::any_of(groups.begin(), groups.end(), fits)) continue;
    if (std::any_of(events.begin(), events.end(), [&](const EventRecord& event) { return fits(event.subject); }))
      continue;
    throw ResultError(
        fmt::format("no contact of {} matches '{}'{}", file, pattern, remedy(pattern, groups, "contacts")));
  }
}

void require_event_kind(const std::string& kind, const ResultReader& result) {
  std::vector<std::string> kinds;
  for (const EventKind& each : result.header().event_kinds) kinds.push_back(each.name);
  if (kind.empty() || std::find(kinds.begin(), kinds.end(), kind) != kinds.end()) return;
  throw ResultError(fmt::format("no events of {} are of the kind '{}'{}", result.path().string(), kind,
                                remedy(kind, kinds, "events")));
}

}  // namespace carom::inline recording
