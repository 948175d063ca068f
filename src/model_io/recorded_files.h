#pragma once

#include <string>

#include "documents/kept_files.h"
#include "model/model.h"

namespace carom::inline model_io {

// The files that a model includes or takes its tables from, by their names from its folder; read once more.
KeptFiles files_of(const Model& model);

// Settings of a result with the files of its model: texts as they are, others in base 64.
std::string with_files(const std::string& settings_json, const Model& model);

// Those that a result keeps in its settings. Results of older versions keep none.
KeptFiles recorded_files(const std::string& settings_json);

}  // namespace carom::inline model_io
