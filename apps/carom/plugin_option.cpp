#include "plugin_option.h"

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "parts/plugins.h"

namespace carom {
namespace {

// Programs that this one starts, such as the runs of the viewer, find the same parts.
void hand_on_to_children() {
  std::string files;
  for (const PartSource& source : part_sources())
    files += (files.empty() ? "" : ":") + std::filesystem::absolute(source.origin).string();
  if (!files.empty()) setenv("CAROM_PLUGINS", files.c_str(), 1);
}

}  // namespace

void add_plugin_option(Command app) {
  const auto files = std::make_shared<std::vector<std::string>>();
  app.add_option_everywhere(
      "--plugin", "FILE",
      [files](const std::vector<std::string>& given) { files->insert(files->end(), given.begin(), given.end()); },
      "load parts of your own from a shared library (repeatable)");
  app.before_commands([files] {
    load_plugins_of_environment();
    for (const std::string& file : *files) load_plugin(file);
    hand_on_to_children();
  });
}

}  // namespace carom
