#pragma once

#include <span>
#include <string_view>

namespace carom::inline viewing {

/// A file of the page, built into the program.
struct EmbeddedFile {
  std::string_view path;  // "/index.html"
  std::string_view type;  // as Content-Type says it
  std::string_view contents;
};

/// Empty when the program was built without the page (CAROM_VIEWER=OFF).
std::span<const EmbeddedFile> embedded_files();

}  // namespace carom::inline viewing
