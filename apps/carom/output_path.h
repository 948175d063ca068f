#pragma once

#include <filesystem>
#include <string>

namespace carom {

// Where the result of a model goes: where the user says, else a file of the model's name in this folder.
inline std::filesystem::path output_path(const std::string& model, const std::string& wanted) {
  return wanted.empty() ? std::filesystem::path(model).filename().replace_extension(".h5")
                        : std::filesystem::path(wanted);
}

}  // namespace carom
