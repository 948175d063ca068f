#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "recording/result_reader.h"
#include "recording/select_samples.h"

namespace carom::inline exports {

/// Writes a comma-separated table: a header line `time [s],body:crank.x [m],…`, then one line a sample. Numbers are the
/// shortest that read back to the same value. The patterns are those of select_quantities; none means all.
void export_csv(const ResultReader& result, const std::vector<std::string>& patterns, std::ostream& out);

/// The same of some samples.
void export_csv(const ResultReader& result, const std::vector<std::string>& patterns, std::ostream& out,
                const SampleRange& samples);

}  // namespace carom::inline exports
