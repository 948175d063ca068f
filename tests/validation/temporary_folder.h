#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace carom {

class TemporaryFolder {
 public:
  TemporaryFolder() : name_((std::filesystem::temp_directory_path() / "carom_XXXXXX").string()) {
    if (!mkdtemp(name_.data())) std::abort();
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() { std::filesystem::remove_all(name_); }
  std::filesystem::path path() const { return name_; }

 private:
  std::string name_;
};

}  // namespace carom
