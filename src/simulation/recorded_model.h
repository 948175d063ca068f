#pragma once

#include <fmt/format.h>

#include "model_io/read_model.h"
#include "parts/plugins.h"
#include "recording/result_reader.h"

namespace carom::inline simulation {

// The model as it was run, from the result itself.
inline Model model_of(const ResultReader& result) {
  const ResultHeader& header = result.header();
  ProblemList problems;
  Model model = read_recorded_model(header.model_text, header.model_file, header.settings_json, problems);
  if (problems.errors() > 0) {
    const std::string missing = missing_part_sources(header.settings_json);
    throw ResultError(fmt::format("the model in {} cannot be read{}:\n{}", result.path().string(),
                                  missing.empty() ? "" : "; " + missing, problems.text()));
  }
  return model;
}

}  // namespace carom::inline simulation
