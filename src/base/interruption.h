#pragma once

#include <atomic>

namespace carom::inline base {

/// Set by whatever has seen that the user wants to stop and is about to: saving what was computed may then take its
/// time. What has not been noticed within a second is stopped by the command line.
inline std::atomic<bool>& interruption_noticed() {
  static std::atomic<bool> noticed = false;
  return noticed;
}

}  // namespace carom::inline base
