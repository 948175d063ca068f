#pragma once

#include <optional>
#include <utility>
#include <vector>

#include <Eigen/Core>

namespace carom::inline model_io {

// Two edges of a polygon in the plane z = 0, closed or open, that meet elsewhere than at a common end. Edge k runs from
// point k to the next.
std::optional<std::pair<std::size_t, std::size_t>> find_self_crossing(const std::vector<Eigen::Vector3d>& points,
                                                                      bool closed);

}  // namespace carom::inline model_io
