#pragma once

#include <filesystem>
#include <string>

namespace carom::inline recording {

/// Writes a finished result anew with compressed datasets, and puts it in the place of the old one: rows, attributes
/// and checksums stay as they are, and every reader of HDF5 decompresses by itself. Returns why the file could not be
/// compressed, empty if it was; then it is what it was before.
std::string compress_result(const std::filesystem::path& path);

}  // namespace carom::inline recording
