#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "verification/verify.h"

namespace carom::inline reporting {

struct ReportOptions {
  std::vector<std::string> quantities = {};       // patterns to draw; none: what reports most
  std::size_t events = 20;                        // most shown of the log
  std::optional<Verification> verification = {};  // of the model, for a section of its own
};

/// One page about one result: summary, moving picture, curves, contacts, energies, model, settings. Its bytes depend on
/// the result, its file name and the options only. Throws ResultError for a file that cannot be read, has no samples or
/// none of the quantities.
std::string result_report(const std::filesystem::path& file, const ReportOptions& options = {});

}  // namespace carom::inline reporting
