#include "viewing/embedded_files.h"

namespace carom::inline viewing {

std::span<const EmbeddedFile> embedded_files() {
  return {};
}

}  // namespace carom::inline viewing
