#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "viewing/solid.h"

namespace carom::inline exports {

/// A solid as programs for pictures want it: triangles whose corners have normals, and lines.
struct ShadedMesh {
  std::vector<float> points, normals;         // x y z of each corner, m
  std::vector<std::uint32_t> triangles = {};  // three corners each, seen counter-clockwise from outside
  std::vector<float> line_points = {};        // m
  std::vector<std::uint32_t> lines = {};      // two ends each
};

/// Faces that meet at less than 30° look round, others have edges.
ShadedMesh shaded_mesh(const Solid& solid);

/// Cuts a polygon, which need not be convex, into triangles by its ears; corners by their numbers in `points`.
std::vector<std::array<int, 3>> cut_polygon(const std::vector<Eigen::Vector3d>& points,
                                            const std::vector<int>& polygon);

}  // namespace carom::inline exports
