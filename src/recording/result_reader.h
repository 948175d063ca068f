#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "recording/result_types.h"

namespace carom::inline recording {

/// Status of a file whose writer is still at work or was killed.
inline constexpr const char* status_unfinished = "running or interrupted";

/// Whether a file is a result that Carom wrote; false also for what cannot be read.
bool is_result_file(const std::filesystem::path& path);

/// Reads a result file, finished or not: of an unfinished one, the samples flushed up to the moment of opening.
/// Every failure throws ResultError.
class ResultReader {
 public:
  explicit ResultReader(const std::filesystem::path& path);
  ~ResultReader();
  ResultReader(ResultReader&&) noexcept;
  ResultReader& operator=(ResultReader&&) noexcept;

  const std::filesystem::path& path() const;
  const ResultHeader& header() const;

  /// "complete", "interrupted", "failed: why", or status_unfinished.
  std::string status() const;

  /// Empty for an unfinished file.
  std::string statistics_json() const;

  std::size_t sample_count() const;

  /// All "group.component", in the order of the header.
  std::vector<std::string> quantities() const;

  /// Name, unit and meaning of a quantity. An unknown one throws, and the message lists names close to it.
  Component component(const std::string& quantity) const;

  /// Times of the samples, s, and the samples of one quantity in its own unit.
  std::vector<double> times() const;
  std::vector<double> column(const std::string& quantity) const;

  /// `count` samples from `first` on of one group (by its place in the header), row by row, into `values`
  /// (count × components). The way to read many columns, or a file larger than the memory.
  void read_rows(std::size_t group, std::size_t first, std::size_t count, std::span<double> values) const;

  std::vector<EventRecord> events() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace carom::inline recording
