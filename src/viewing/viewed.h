#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "model/model.h"
#include "viewing/sample_source.h"

namespace carom::inline viewing {

/// What the viewer shows: a model, what was recorded of it, and what there is to say about both.
struct Viewed {
  std::string kind;                   // "result" or "model"
  std::string file;                   // as the user wrote it
  std::string status;                 // of a result, as ResultReader::status
  std::string version;                // of Carom that wrote it
  std::string model_text;             // as run
  std::string statistics_json;        // empty: none
  std::string report;                 // of a model: what `carom check` prints
  std::vector<std::string> warnings;  // for the user, one sentence each
  bool drawable = true;               // false: the model is not known, only curves can be shown
  Model model;
  std::unique_ptr<SampleSource> samples;
};

/// Opens a result file. Throws ResultError when it cannot be read; a model in it that this version cannot read any more
/// is a warning.
Viewed view_result(const std::filesystem::path& file);

}  // namespace carom::inline viewing
