#include "plugin_option.h"

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "parts/plugins.h"

namespace carom {
namespace {

using Files = std::shared_ptr<std::vector<std::string>>;

void add_to(CLI::App& app, const Files& files) {
  app.add_option_function<std::vector<std::string>>(
         "--plugin",
         [files](const std::vector<std::string>& given) { files->insert(files->end(), given.begin(), given.end()); },
         "load parts of your own from a shared library (repeatable)")
      ->type_name("FILE")
      ->allow_extra_args(false);
}

// Programs that this one starts, such as the runs of the viewer, find the same parts.
void hand_on_to_children() {
  std::string files;
  for (const PartSource& source : part_sources())
    files += (files.empty() ? "" : ":") + std::filesystem::absolute(source.origin).string();
  if (!files.empty()) setenv("CAROM_PLUGINS", files.c_str(), 1);
}

}  // namespace

void add_plugin_option(CLI::App& app) {
  const auto files = std::make_shared<std::vector<std::string>>();
  add_to(app, files);
  for (CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) add_to(*command, files);
  app.parse_complete_callback([files] {
    load_plugins_of_environment();
    for (const std::string& file : *files) load_plugin(file);
    hand_on_to_children();
  });
}

}  // namespace carom
