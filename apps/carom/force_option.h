#pragma once

#include "command_line.h"

namespace carom {

// --force of every command, and the protection of files that it lifts (base/protected_files.h).
void add_force_option(Command app);

}  // namespace carom
