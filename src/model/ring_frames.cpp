#include "model/ring_frames.h"

#include <cmath>

namespace carom::inline model {

AttachmentPair attach_rings(const Model& model, const Settings& settings) {
  using Eigen::Matrix3d, Eigen::Vector3d;
  AttachmentPair pair = attach_pair(model, settings);
  if (settings.has("markers")) return pair;
  const Matrix3d turn = body_at(model, pair.at[0].body).orientation.toRotationMatrix();
  const Vector3d axis = turn * pair.at[0].frame.col(2);
  const Vector3d wanted = std::abs(axis.x()) < 0.9 ? Vector3d::UnitX() : Vector3d::UnitY();
  Matrix3d world;
  world.col(2) = axis;
  world.col(0) = (wanted - wanted.dot(axis) * axis).normalized();
  world.col(1) = axis.cross(world.col(0));
  for (Attachment& at : pair.at) at.frame = body_at(model, at.body).orientation.toRotationMatrix().transpose() * world;
  return pair;
}

}  // namespace carom::inline model
