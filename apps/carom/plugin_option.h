#pragma once

#include "command_line.h"

namespace carom {

// --plugin FILE of the program and of every command: the plug-ins that it names, and those of the environment variable
// CAROM_PLUGINS, are loaded before a command starts. To be called when all commands are there.
void add_plugin_option(Command app);

}  // namespace carom
