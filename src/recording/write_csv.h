#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/write_file.h"

// Tables have no place for a mark that every program would skip: Carom knows its own by their line of titles.
namespace carom::inline recording {

/// Knows tables with this line of titles, and tables of samples (`carom export`) whatever their quantities are.
Recognise has_titles(std::string_view titles);

/// Puts the whole text of a table into a file, which may replace an older one with the same titles.
void write_csv(const std::filesystem::path& path, std::string_view text, bool sync = true);

}  // namespace carom::inline recording
