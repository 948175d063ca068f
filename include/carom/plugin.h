#pragma once

#include "carom/parts.h"

// A plug-in is a shared library with parts of one's own:
//
//   #include <carom/plugin.h>
//
//   CAROM_PLUGIN(registry) {
//     carom::ForcePart part;
//     …
//     registry.add(part);
//   }
//
// It is loaded by `carom run --plugin libmine.so`, by the environment variable CAROM_PLUGINS, or by
// carom::load_plugin. It needs these headers only; to link it to the library does no harm. Compile it with the compiler
// and the standard library of the program that loads it.
namespace carom {
using namespace v1;
}

#define CAROM_PLUGIN(registry)                                                                         \
  static void carom_register_parts(carom::v1::Registry& registry);                                     \
  extern "C" __attribute__((visibility("default"))) const carom::v1::PluginEntry carom_plugin;         \
  const carom::v1::PluginEntry carom_plugin = {carom::v1::plugin_interface, carom::v1::plugin_library, \
                                               &carom_register_parts};                                 \
  static void carom_register_parts(carom::v1::Registry& registry)
