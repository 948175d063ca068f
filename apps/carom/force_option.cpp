#include "force_option.h"

#include "base/protected_files.h"

namespace carom {

void add_force_option(Command app) {
  protect_files(false);
  app.add_flag_everywhere(
      "--force", [] { protect_files(true); }, "replace files that this command reads, or that Carom did not write");
}

}  // namespace carom
