#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include <fmt/format.h>

#include "recording/result_types.h"

namespace carom {

// A folder that goes away with its content, unless it is kept.
class TemporaryFolder {
 public:
  TemporaryFolder() : name_((std::filesystem::temp_directory_path() / "carom_XXXXXX").string()) {
    if (!mkdtemp(name_.data()))
      throw ResultError(fmt::format("{} cannot be made; is the folder for temporary files writable?", name_));
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    if (!kept_) std::filesystem::remove_all(name_, ignored);
  }
  void keep() { kept_ = true; }
  std::filesystem::path path() const { return name_; }

 private:
  std::string name_;
  bool kept_ = false;
};

}  // namespace carom
