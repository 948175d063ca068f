#include "viewing/embedded_files.h"

namespace carom {

std::span<const EmbeddedFile> embedded_files() {
  return {};
}

}  // namespace carom
