#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "plotting/figure.h"
#include "recording/table_file.h"

namespace carom::inline reporting {

/// A page about the table of a study: what was varied, what came out with which run, the figures, failed runs, all
/// runs, and the texts needed to run it again.
std::string study_report(const Table& table, const std::filesystem::path& file, const std::vector<Figure>& figures);

}  // namespace carom::inline reporting
