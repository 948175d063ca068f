#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "carom/parts.h"

namespace carom::inline parts {

class PartRegistry;

// Parts that were added to the catalogues, by where they come from.
struct PartSource {
  std::string origin;              // the file of a plug-in, as it was given, or "the program"
  std::vector<std::string> parts;  // such as "contact law `mine`"
};
inline constexpr const char* from_program = "the program";

// Loads a plug-in and adds its parts to the catalogues; one that is loaded already is left alone. Throws InputError.
void load_plugin(const std::filesystem::path& file);
// Those that CAROM_PLUGINS names, separated by colons.
void load_plugins_of_environment();
// Adds the parts of a program itself. Throws InputError.
void add_parts_of_program(const std::function<void(PartRegistry&)>& add);
const std::vector<PartSource>& part_sources();

// Of a run, for the settings that its result keeps, and back. Nothing is added to the settings where there are none.
std::string with_part_sources(const std::string& settings_json);
std::vector<PartSource> recorded_part_sources(const std::string& settings_json);
// "it was run with parts of libmine.so: add --plugin libmine.so", of those that are not there; else empty.
std::string missing_part_sources(const std::string& settings_json);

}  // namespace carom::inline parts
