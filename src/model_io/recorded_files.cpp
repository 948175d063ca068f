#include "model_io/recorded_files.h"

#include <filesystem>

#include <nlohmann/json.hpp>

#include "base/base64.h"
#include "documents/document.h"
#include "model_io/read_model.h"

namespace carom::inline model_io {

KeptFiles files_of(const Model& model) {
  const bool names_files =
      model.text.find("include") != std::string::npos || model.text.find("file") != std::string::npos;
  if (!names_files || model.file.empty()) return {};
  const std::filesystem::path folder = std::filesystem::path(model.file).parent_path();
  const NoteFiles note(folder);
  ProblemList ignored;  // it has been read before
  read_model_text(model.text, model.file, ignored, {.check_dimensions = false}, folder);
  return note.files();
}

KeptFiles recorded_files(const std::string& settings_json) {
  KeptFiles files;
  const auto settings = nlohmann::json::parse(settings_json, nullptr, false);
  if (!settings.is_object() || !settings.contains("files")) return files;
  for (const auto& [name, text] : settings["files"].items())
    if (text.is_string()) {
      files.emplace(name, text.get<std::string>());
    } else if (text.is_object() && text.contains("base64") && text["base64"].is_string()) {
      files.emplace(name, from_base64(text["base64"].get_ref<const std::string&>()));
    }
  return files;
}

std::string with_files(const std::string& settings_json, const Model& model) {
  const KeptFiles files = files_of(model);
  if (files.empty()) return settings_json;
  auto settings = nlohmann::ordered_json::parse(settings_json);
  for (const auto& [name, bytes] : files) {
    if (is_text(bytes)) {
      settings["files"][name] = bytes;
    } else {
      settings["files"][name]["base64"] = to_base64(bytes);
    }
  }
  return settings.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace carom::inline model_io
