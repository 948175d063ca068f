#pragma once

#include <filesystem>
#include <string>

#include "base/problem.h"

namespace carom {

// Where the result of a model goes: where the user says, else a file of the model's name in this folder; never onto the
// model itself.
inline std::filesystem::path output_path(const std::string& model, const std::string& wanted) {
  const std::filesystem::path output =
      wanted.empty() ? std::filesystem::path(model).filename().replace_extension(".h5") : std::filesystem::path(wanted);
  std::error_code error;
  if (std::filesystem::equivalent(output, model, error)) {
    ProblemList problems;
    problems.add(Problem{.key = "--output",
                         .found = carom::quoted(output.string()) + ", which is the model file",
                         .expected = "another file for the result",
                         .remedy = "the model would be lost"});
    throw InputError(problems);
  }
  return output;
}

}  // namespace carom
