#pragma once

#include <string>

namespace carom::inline model_io {

// JSON Schema (draft 2020-12) of the model file, made from the tables of sections, joints and force elements. Editors
// that know TOML check and complete model files by it.
std::string json_schema();

// Reference page in Markdown: every section, joint and force element with its table.
std::string reference_page();

}  // namespace carom::inline model_io
