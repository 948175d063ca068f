#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "recording/result_reader.h"

namespace carom::inline viewing {

/// Samples to look at, wherever they come from: a result file, or one configuration in memory.
class SampleSource {
 public:
  virtual ~SampleSource() = default;
  virtual const std::vector<ChannelGroup>& groups() const = 0;
  virtual const std::vector<double>& times() const = 0;  // s, not decreasing
  /// Rows [first, first + count) of a group, row by row, as ResultReader::read_rows.
  virtual void read_rows(std::size_t group, std::size_t first, std::size_t count, std::span<double> values) const = 0;
  /// All samples of one component.
  virtual std::vector<double> column(std::size_t group, std::size_t component) const = 0;
  virtual const std::vector<EventKind>& event_kinds() const = 0;
  virtual const std::vector<EventRecord>& events() const = 0;  // by time
};

std::unique_ptr<SampleSource> samples_of(ResultReader reader);

/// One sample at a time; `values` follow the groups, component by component.
std::unique_ptr<SampleSource> single_sample(double time, std::vector<ChannelGroup> groups, std::vector<double> values);

}  // namespace carom::inline viewing
