#pragma once

#include "geometry_io/triangle_soup.h"

namespace carom::inline geometry_io {

// A side that triangles have in common.
struct SurfaceEdge {
  std::array<int, 2> ends = {-1, -1};      // points, the smaller number first
  std::array<int, 2> triangle = {-1, -1};  // the first two that have it
  std::array<int, 2> corner = {-1, -1};    // of those triangles, opposite to it
  int users = 0;                           // triangles that have it
  bool same_way = false;                   // both run through it in the same direction
};

// Sorted by their ends.
std::vector<SurfaceEdge> edges_of(const std::vector<Triangle>& triangles);

}  // namespace carom::inline geometry_io
