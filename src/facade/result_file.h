#pragma once

#include <filesystem>
#include <mutex>
#include <vector>

#include "carom/result.h"
#include "recording/result_reader.h"

namespace carom::v1 {

struct Result::Impl {
  Impl(const std::filesystem::path& file, bool remove);
  ~Impl();
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  bool remove_when_done = false;
  std::filesystem::path path;
  carom::ResultReader reader;
  Summary summary;
  std::vector<Quantity> quantities;
  std::vector<EventKind> event_kinds;

  std::vector<RecordedPart> beams, bearings;

  // Read when they are first asked for: a file may hold millions of events, and a model as many contacts.
  const std::vector<Event>& events() const;
  const std::vector<ContactSummary>& contacts() const;
  std::vector<std::string> contact_names() const;  // joint:pin, contact:ball-floor

 private:
  mutable std::once_flag events_read_, contacts_read_;
  mutable std::vector<Event> events_;
  mutable std::vector<ContactSummary> contacts_;
};

struct ResultAccess {
  // A temporary file is removed with the last copy of the result.
  static Result open(const std::filesystem::path& file, bool remove_when_done);
};

}  // namespace carom::v1
