#include <carom/plugin.h>

extern "C" __attribute__((visibility("default"))) const carom::PluginEntry carom_plugin;
const carom::PluginEntry carom_plugin = {carom::plugin_interface + 1, carom::plugin_library, nullptr};
