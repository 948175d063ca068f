#pragma once

#include <filesystem>
#include <optional>

namespace carom::inline base {

/// A file that was installed together with the program or the library, wherever the installation lies now: looked for
/// from the folders above the program, and above the shared library or module that holds this code. `relative`: from
/// the prefix, such as "share/carom/udunits/udunits2.xml".
std::optional<std::filesystem::path> installed_file(const std::filesystem::path& relative);

}  // namespace carom::inline base
