#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace carom {

inline std::string text_of_file(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

// The model files of the examples and of the validation cases, sorted: neither studies nor descriptions of cases,
// nor what needs a plug-in.
inline std::vector<std::filesystem::path> every_model(const std::filesystem::path& source) {
  std::vector<std::filesystem::path> files;
  for (const char* folder : {"examples", "cases"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(source / folder)) {
      if (entry.path().extension() != ".toml" || entry.path().filename() == "case.toml") continue;
      if (entry.path().parent_path() == source / "examples/plugin") continue;
      const std::string text = "\n" + text_of_file(entry.path());
      if (text.find("\n[solver]") == std::string::npos && text.find("\n[model]") == std::string::npos) continue;
      files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

// "cases_free_fall" for cases/free_fall/model.toml.
inline std::string name_of_model(const testing::TestParamInfo<std::filesystem::path>& info) {
  std::filesystem::path path = info.param;
  path.replace_extension();
  std::vector<std::string> parts(path.begin(), path.end());
  const auto start = std::find_if(parts.rbegin(), parts.rend(),
                                  [](const std::string& part) { return part == "examples" || part == "cases"; })
                         .base() -
                     1;
  std::string name;
  for (auto part = start; part != parts.end(); ++part) {
    if (*part != "model") name += (name.empty() ? "" : "_") + *part;
  }
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return !std::isalnum(c); }, '_');
  return name;
}

}  // namespace carom
