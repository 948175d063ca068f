#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "recording/result_types.h"

namespace carom::inline recording {

/// What a result file would hold, in memory.
struct RecordedRun {
  ResultHeader header = {};
  std::vector<double> times = {};   // s
  std::vector<double> values = {};  // row by row, the components of all groups in the order of the header
  std::vector<EventRecord> events = {};

  std::size_t width() const;  // components of a row

  /// The samples of a quantity, group.component; empty where it was not recorded.
  std::vector<double> column(const std::string& quantity) const;
};

/// Writes it as a result file, the same bytes as a run that writes as it goes. Throws ResultError.
void write_result(const RecordedRun& run, const std::filesystem::path& path, const std::string& statistics_json,
                  const std::string& status);

}  // namespace carom::inline recording
