#pragma once

#include <filesystem>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/problem.h"
#include "model_io/read_model.h"
#include "recording/result_reader.h"

namespace carom {

// The model as it was run, from the result itself: its text, with the parameters that the run had. Files that it
// includes are looked for beside the model.
inline Model model_of(const ResultReader& result) {
  ReadOptions options;
  const auto settings = nlohmann::json::parse(result.header().settings_json, nullptr, false);
  if (settings.is_object() && settings.contains("parameters")) {
    for (const auto& [name, value] : settings["parameters"].items())
      if (value.is_number()) options.set.emplace_back(name, fmt::format("{}", value.get<double>()));
  }
  const std::string& file = result.header().model_file;
  ProblemList problems;
  Model model =
      read_model_text(result.header().model_text, file, problems, options, std::filesystem::path(file).parent_path());
  if (problems.errors() > 0)
    throw ResultError(fmt::format("the model in {} cannot be read:\n{}", result.path().string(), problems.text()));
  return model;
}

}  // namespace carom
