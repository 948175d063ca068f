#pragma once

#include <string>
#include <vector>

#include "model_io/read_model.h"
#include "terminal.h"

namespace carom {

// "NAME=VALUE" as written after --set.
inline std::vector<std::pair<std::string, std::string>> split_assignments(const std::vector<std::string>& texts) {
  std::vector<std::pair<std::string, std::string>> result;
  for (const std::string& text : texts) {
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
      ProblemList problems;
      problems.add(Problem{
          .key = "--set", .found = carom::quoted(text), .expected = "NAME=VALUE, for example --set clearance=0.1mm"});
      throw InputError(problems);
    }
    result.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  return result;
}

// Reads a model, prints warnings, throws InputError with all problems when there is an error.
inline Model load_model(const std::string& file, const std::vector<std::string>& assignments) {
  ProblemList problems;
  Model model = read_model(file, problems, {.set = split_assignments(assignments)});
  if (problems.errors() > 0) throw InputError(problems);
  if (problems.warnings() > 0) print_problems(problems.text());
  return model;
}

}  // namespace carom
