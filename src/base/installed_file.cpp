#include "base/installed_file.h"

#include <dlfcn.h>

#include <vector>

namespace carom::inline base {

namespace fs = std::filesystem;

std::optional<fs::path> installed_file(const fs::path& relative) {
  constexpr int most_folders = 4;  // from lib/python3.11/site-packages/carom to the prefix
  std::error_code error;
  std::vector<fs::path> images = {fs::read_symlink("/proc/self/exe", error)};
  Dl_info image = {};
  // Of the program itself this is what it was started as, which may be a name alone.
  if (dladdr(reinterpret_cast<const void*>(&installed_file), &image) != 0 && image.dli_fname)
    images.emplace_back(fs::canonical(image.dli_fname, error));
  for (const fs::path& file : images) {
    fs::path folder = file.parent_path();
    for (int k = 0; k < most_folders && folder.has_relative_path(); ++k) {
      folder = folder.parent_path();
      if (fs::exists(folder / relative, error)) return folder / relative;
    }
  }
  return std::nullopt;
}

}  // namespace carom::inline base
