#include "parts/plugins.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <exception>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/problem.h"
#include "base/version.h"
#include "parts/registry.h"

namespace carom::inline parts {
namespace {

struct Loaded {
  std::vector<PartSource> sources;
  std::vector<std::filesystem::path> files;  // canonical
};

Loaded& loaded() {
  static Loaded all;
  return all;
}

[[noreturn]] void refuse(const std::filesystem::path& file, const std::string& found, const std::string& expected,
                         const std::string& remedy) {
  ProblemList problems;
  problems.add(
      Problem{.file = file.string(), .key = "plug-in", .found = found, .expected = expected, .remedy = remedy});
  throw InputError(problems);
}

const v1::PluginEntry& entry_of(void* library, const std::filesystem::path& file) {
  const auto* entry = static_cast<const v1::PluginEntry*>(dlsym(library, "carom_plugin"));
  if (!entry)
    refuse(file, "a shared library without the symbol `carom_plugin`", "a plug-in of Carom",
           "include carom/plugin.h and register its parts in CAROM_PLUGIN(registry) { … }");
  if (entry->interface != v1::plugin_interface)
    refuse(file, fmt::format("a plug-in of interface {}", entry->interface),
           fmt::format("interface {}, that of Carom {}", v1::plugin_interface, carom_version),
           "compile it anew with the headers of this version");
  const std::string compiled_with = entry->library ? entry->library : "";
  if (compiled_with != v1::plugin_library)
    refuse(file, "a plug-in compiled with " + compiled_with, v1::plugin_library,
           "compile it with the standard library of this program");
  return *entry;
}

// What the plug-in throws is put into words while its code is still there.
std::string run_registration(const v1::PluginEntry& entry, PartRegistry& registry) {
  try {
    entry.register_parts(registry);
    return "";
  } catch (const std::exception& error) {
    return error.what();
  } catch (...) {
    return "something that is no std::exception";
  }
}

void register_parts(void* library, const std::filesystem::path& file, const std::filesystem::path& canonical) {
  const v1::PluginEntry& entry = entry_of(library, file);
  PartRegistry registry(file.string());
  if (const std::string thrown = run_registration(entry, registry); !thrown.empty())
    refuse(file, "an exception while it registered its parts: " + thrown, "parts", "correct the plug-in");
  registry.commit();
  loaded().sources.push_back({file.string(), registry.titles()});
  loaded().files.push_back(canonical);
}

}  // namespace

void load_plugin(const std::filesystem::path& file) {
  std::error_code error;
  const std::filesystem::path canonical = std::filesystem::canonical(file, error);
  if (error) refuse(file, "no such file", "a shared library", "check the path, or build the plug-in first");
  if (std::find(loaded().files.begin(), loaded().files.end(), canonical) != loaded().files.end()) return;
  void* const library = dlopen(canonical.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char* const reason = dlerror();
    refuse(file, fmt::format("a file that cannot be loaded ({})", reason ? reason : "no reason given"),
           "a shared library for this machine", "compile the plug-in with -shared -fPIC, or as a MODULE of CMake");
  }
  try {
    register_parts(library, file, canonical);
  } catch (const InputError&) {
    dlclose(library);
    throw;
  }
}

void load_plugins_of_environment() {
  const char* const given = std::getenv("CAROM_PLUGINS");
  std::string files = given ? given : "";
  for (std::size_t start = 0; start < files.size();) {
    const std::size_t end = std::min(files.find(':', start), files.size());
    if (end > start) load_plugin(files.substr(start, end - start));
    start = end + 1;
  }
}

void add_parts_of_program(const std::function<void(PartRegistry&)>& add) {
  PartRegistry registry(from_program);
  add(registry);
  registry.commit();
  std::vector<PartSource>& sources = loaded().sources;
  const auto own =
      std::find_if(sources.begin(), sources.end(), [](const PartSource& each) { return each.origin == from_program; });
  if (own == sources.end()) {
    sources.push_back({from_program, registry.titles()});
  } else {
    own->parts.insert(own->parts.end(), registry.titles().begin(), registry.titles().end());
  }
}

std::string with_part_sources(const std::string& settings_json) {
  if (part_sources().empty()) return settings_json;
  auto json = nlohmann::json::parse(settings_json);
  for (const PartSource& source : part_sources())
    json["plugins"].push_back({{"file", source.origin}, {"parts", source.parts}});
  return json.dump();
}

std::vector<PartSource> recorded_part_sources(const std::string& settings_json) {
  std::vector<PartSource> sources;
  const auto json = nlohmann::json::parse(settings_json, nullptr, false);
  if (!json.is_object() || !json.contains("plugins") || !json["plugins"].is_array()) return sources;
  for (const auto& each : json["plugins"]) {
    if (!each.is_object() || !each.contains("file") || !each["file"].is_string()) continue;
    PartSource& source = sources.emplace_back(PartSource{each["file"], {}});
    for (const auto& part : each.value("parts", nlohmann::json::array()))
      if (part.is_string()) source.parts.push_back(part);
  }
  return sources;
}

std::string missing_part_sources(const std::string& settings_json) {
  std::string text;
  for (const PartSource& source : recorded_part_sources(settings_json)) {
    const bool there = std::all_of(source.parts.begin(), source.parts.end(), [](const std::string& part) {
      return std::any_of(part_sources().begin(), part_sources().end(), [&](const PartSource& each) {
        return std::find(each.parts.begin(), each.parts.end(), part) != each.parts.end();
      });
    });
    if (there) continue;
    const bool plugin = source.origin != from_program;
    text += (text.empty() ? "" : "; ") +
            fmt::format("it was run with parts of {}: {}", plugin ? source.origin : "the program that ran it",
                        plugin ? "add --plugin " + source.origin : "they are known to that program alone");
  }
  return text;
}

const std::vector<PartSource>& part_sources() {
  return loaded().sources;
}

}  // namespace carom::inline parts
