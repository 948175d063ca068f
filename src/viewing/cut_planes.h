#pragma once

#include <vector>

#include "viewing/drawn_parts.h"

namespace carom::inline viewing {

/// Cuts the planes of the ground of a spatial model as the viewer shows them: each lies under the scene and ends where
/// it meets another, so that five of them make an open box. `parts` begins with the shapes of the ground, one each.
void cut_planes(const Model& model, const Eigen::AlignedBox3d& box, std::vector<DrawnPart>& parts);

}  // namespace carom::inline viewing
