#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "recording/result_types.h"

namespace carom::inline recording {

/// Writes one HDF5 result file while the run goes.
///
/// Layout: /time (s, one row a sample), /samples/<group> (samples × components, with the attributes `components`,
/// `units`, `meanings`), /events (time, kind, subject, 12 values), /checksums and /event_checksums (of blocks of rows:
/// those of a chunk), and root attributes for the header, the status and the statistics. A '/' in a group's name is
/// stored as "%2F" in the name of its dataset.
///
/// A run that is killed leaves every sample flushed so far readable (HDF5 single-writer/multiple-readers mode): time is
/// written last and is the mark that a sample is whole. The bytes of the finished file depend on the header, the
/// samples and how many are expected, and the events only; not on when flush() was called, nor on the clock.
///
/// Every failure throws ResultError; after one, what was flushed stays readable and the writer takes no more samples.
class ResultWriter {
 public:
  /// Creates the file; an older result of the name stays until samples of this one are on the disk, or it is finished.
  /// The folder must exist.
  /// Where samples are so large that few of them fill a block, the number that is expected makes the blocks (0:
  /// unknown).
  ResultWriter(const std::filesystem::path& path, const ResultHeader& header, std::size_t expected_samples = 0);

  /// Closes the file; one that was not finished keeps what was recorded and the status "running".
  ~ResultWriter();
  ResultWriter(ResultWriter&&) noexcept;
  ResultWriter& operator=(ResultWriter&&) noexcept;

  /// One sample: the components of all groups, in the order of the header. Buffered; allocates nothing.
  void append(double time, std::span<const double> values);

  /// One event, buffered like the samples. Its kind must be in the header and its values as many as the kind's.
  void add_event(const EventRecord& event);

  /// Brings all that was recorded to the disk, so that neither killing the program nor a power cut loses it.
  void flush();

  /// Flushes and closes. `status` is "complete", "interrupted" or "failed: why".
  void finish(const std::string& statistics_json, const std::string& status);

  /// Whether the file of the name is this one, and no longer an older result. After a failure it stays as it is.
  bool is_in_place() const;

  /// Samples appended so far, and numbers in each.
  std::size_t sample_count() const;
  std::size_t value_count() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace carom::inline recording
