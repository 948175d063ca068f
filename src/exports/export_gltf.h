#pragma once

#include <filesystem>

#include "recording/select_samples.h"
#include "viewing/viewed.h"

namespace carom::inline exports {

inline constexpr std::size_t most_gltf_samples = 1000;  // unless more are asked for
inline constexpr std::size_t most_gltf_arrows = 200;    // contacts whose forces are drawn

struct GltfFile {
  std::size_t samples = 0, bytes = 0;
  double slower = 1;         // playing time over simulated time
  std::size_t left_out = 0;  // contacts without an arrow, those with the smallest forces
};

/// Writes the moving scene as one file in glTF 2.0 (.glb): a node per body with its shapes, their edges and an
/// animation of its poses, elements of beams as bars that move with their nodes, contact forces on the second body as
/// arrows. y is up, as glTF has it; lengths in m. The motion takes `seconds` to play; 0: as long as it lasted. Throws
/// ResultError when positions are missing or the file cannot be written.
GltfFile export_gltf(const Viewed& viewed, const SampleRange& samples, double seconds,
                     const std::filesystem::path& file);

}  // namespace carom::inline exports
