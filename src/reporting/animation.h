#pragma once

#include <string>

#include "viewing/viewed.h"

namespace carom::inline reporting {

/// The moving picture of a page: what animation.js needs, thinned out so that the page stays small.
struct Animation {
  std::string scene;        // JSON
  std::string frames;       // base64
  std::size_t shown = 0;    // frames
  std::size_t stride = 1;   // samples from one to the next
  bool has_forces = false;  // forces of contacts were recorded
};

inline constexpr std::size_t most_frames = 600;
inline constexpr std::size_t most_frame_bytes = 1536 * 1024;  // of all frames, before base64; one frame is always there

Animation make_animation(const Viewed& viewed);

}  // namespace carom::inline reporting
