#include "model/ring_frames.h"

#include <cmath>

namespace carom::inline model {

Eigen::Matrix3d bearing_axes(const Eigen::Vector3d& axis) {
  const Eigen::Vector3d wanted = std::abs(axis.x()) < 0.9 ? Eigen::Vector3d::UnitX() : Eigen::Vector3d::UnitY();
  Eigen::Matrix3d axes;
  axes.col(2) = axis;
  axes.col(0) = (wanted - wanted.dot(axis) * axis).normalized();
  axes.col(1) = axis.cross(axes.col(0));
  return axes;
}

AttachmentPair attach_rings(const Model& model, const Settings& settings) {
  AttachmentPair pair = attach_pair(model, settings);
  if (settings.has("markers")) return pair;
  const Eigen::Matrix3d turn = body_at(model, pair.at[0].body).orientation.toRotationMatrix();
  const Eigen::Matrix3d world = bearing_axes(turn * pair.at[0].frame.col(2));
  for (Attachment& at : pair.at) at.frame = body_at(model, at.body).orientation.toRotationMatrix().transpose() * world;
  return pair;
}

}  // namespace carom::inline model
