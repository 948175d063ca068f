#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "carom/errors.h"
#include "carom/export.h"
#include "carom/parts.h"

namespace carom::v1 {

// Adds a part of one's own to the catalogues, from where models can name it like a built-in one. It stays until the
// program ends. Throws InputError, and adds nothing, if its name is taken, its keys are unsound or its function `make`
// is missing.
//
// Parts are added before models that name them are read, and not while another thread reads or runs a model.
CAROM_EXPORT void register_part(const ContactLawPart& part);
CAROM_EXPORT void register_part(const FrictionLawPart& part);
CAROM_EXPORT void register_part(const ForcePart& part);
CAROM_EXPORT void register_part(const DrivePart& part);

// Loads a plug-in (carom/plugin.h) and adds its parts; one that is loaded already is left alone. Throws InputError if
// it cannot be loaded or one of its parts cannot be added; then none is.
CAROM_EXPORT void load_plugin(const std::filesystem::path& file);

// The plug-ins that the environment variable CAROM_PLUGINS names, separated by colons. The command `carom` loads them
// by itself, a program when it calls this.
CAROM_EXPORT void load_plugins_of_environment();

// Of a plug-in that was loaded.
struct Plugin {
  std::string file;                // as it was given
  std::vector<std::string> parts;  // such as "contact law `mine`"
};
CAROM_EXPORT std::vector<Plugin> loaded_plugins();

}  // namespace carom::v1
