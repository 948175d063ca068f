#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/problem.h"
#include "model/model.h"

namespace carom::inline documents {
struct Documents;
}

namespace carom::inline model_io {

struct ReadOptions {
  std::vector<std::pair<std::string, std::string>> set = {};  // --set NAME=VALUE: replaces the value of a parameter
  bool check_dimensions = true;                               // of expressions
};

// Reads and validates a model file and the files it includes. Bad input never throws: every problem found is added to
// the list, with its place, key, what was found, what is expected and a remedy. The model is only meaningful if no
// errors were added.
//
// Included files are read first, each once. Entries of [[…]] lists are added up and their names must differ; for
// [model], [parameters], [solver] and [output] a key of the including file replaces that of the included one.
Model read_model(const std::filesystem::path& file, ProblemList& problems, const ReadOptions& options = {});

// The same from files that have been read before: for many models that differ in parameters only. The documents must
// be free of problems.
Model read_model(const Documents& documents, ProblemList& problems, const ReadOptions& options = {});

// The same from a text; file_name is for messages, and names of further files are relative to the directory.
Model read_model_text(std::string_view text, const std::string& file_name, ProblemList& problems,
                      const ReadOptions& options = {}, const std::filesystem::path& directory = {});

// The model of a run from what its result keeps: the text, with the parameters that the run had in its settings. Files
// that it includes are looked for beside the model.
Model read_recorded_model(std::string_view text, const std::string& file_name, const std::string& settings_json,
                          ProblemList& problems);

// Takes out of a model, that was read with these problems, the parts made by users that are not loaded: to look at a
// motion they are not needed. False where something else is wrong, too.
bool leave_out_unknown_parts(Model& model, const ProblemList& problems);

}  // namespace carom::inline model_io
