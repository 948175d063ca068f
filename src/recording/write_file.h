#pragma once

#include <filesystem>
#include <string_view>

namespace carom {

/// Puts a file there in full or not at all: the bytes go to a new file beside it, which then takes its name, so that an
/// older file is there until the new one is complete. What is no plain file (a pipe, a terminal) is written to as it
/// is. Throws ResultError that names the file, the cause and a remedy.
void write_file(const std::filesystem::path& path, std::string_view bytes);

}  // namespace carom
