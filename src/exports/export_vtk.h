#pragma once

#include <filesystem>

#include "recording/select_samples.h"
#include "viewing/viewed.h"

namespace carom::inline exports {

inline constexpr std::size_t most_vtk_samples = 1000;  // unless more are asked for

struct VtkFiles {
  std::filesystem::path collection;  // what to open
  std::size_t samples = 0, files = 0, bytes = 0;
};

/// Writes the motion for ParaView: folder/NAME.pvd and, for each of the samples, a file with the surfaces of the bodies
/// (point data `body`, their place in bodies.csv, and `velocity` of the mass centre, m/s), one with the beams as lines
/// (internal forces and stress of their elements, SI, and `radius`, m) and one with the points of contact (`force` on
/// the second body, N, and `contact`, their place in contacts.csv). Throws ResultError when positions are missing or a
/// file cannot be written.
VtkFiles export_vtk(const Viewed& viewed, const SampleRange& samples, const std::filesystem::path& folder,
                    const std::string& name);

}  // namespace carom::inline exports
