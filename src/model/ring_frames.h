#pragma once

#include "model/attachment.h"

namespace carom::inline model {

// Axes of a bearing in space in those of the world: z is its axis, and x that of the world as far as it stands across
// it, y where the axis lies along it.
Eigen::Matrix3d bearing_axes(const Eigen::Vector3d& axis);

// Where both rings of a bearing in space are attached, first that with the outer race, in these axes; those of markers
// stay as they are.
AttachmentPair attach_rings(const Model& model, const Settings& settings);

}  // namespace carom::inline model
