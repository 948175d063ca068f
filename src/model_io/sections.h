#pragma once

#include <string>
#include <vector>

#include "model/description.h"

namespace carom::inline model_io {

enum class SectionForm {
  table,        // [solver]
  list,         // [[body]]
  named_tables  // [material.steel]
};

// A section of the model file; its rows are those of a table of fields.
struct SectionDescription {
  std::string name;  // body, or body.marker for one that stands inside another
  SectionForm form = SectionForm::table;
  std::string summary;
  std::vector<ParameterDescription> parameters = {};
  std::vector<std::string> nested = {};  // keys that are sections of their own
  bool free_keys = false;                // parameters: any name is a key

  std::string heading() const;  // "[[body]]"
};

// In the order of the guide. Joints and forces list here only the keys all of them share; the rest comes from the
// catalogues.
const std::vector<SectionDescription>& sections();
const SectionDescription& section(const std::string& name);  // must exist

}  // namespace carom::inline model_io
