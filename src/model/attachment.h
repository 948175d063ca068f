#pragma once

#include <array>

#include "model/description.h"
#include "model/model.h"

namespace carom::inline model {

// Index of a body by name as the dynamics counts them: 0 is the ground, −1 is unknown.
int body_index(const Model& model, const std::string& name);
const BodyModel& body_at(const Model& model, int index);

// Where an element is attached to a body. Body axes, measured from the mass centre.
struct Attachment {
  int body = 0;
  Eigen::Vector3d point = Eigen::Vector3d::Zero();
  Eigen::Matrix3d frame = Eigen::Matrix3d::Identity();  // columns are the element's axes; z is the joint axis
};

// World position, in the configuration of the file, of an attached point.
Eigen::Vector3d world_position(const Model& model, const Attachment& attachment);

struct AttachmentPair {
  std::array<Attachment, 2> at;
  double twist = 0;  // rad, by which body 2 is turned against body 1 about the axis when the element's frames coincide
};

// Reads bodies with at, ends or points, or markers; axis (world) or axes (one per body). The axis of markers is their z
// axis, in a planar model their x axis. The settings have been validated.
AttachmentPair attach_pair(const Model& model, const Settings& settings);

// The rows of the table of keys for bodies with at, points or markers. `markers_meaning` says what the axes of the
// markers are used for.
std::vector<ParameterDescription> placement_rows(const std::string& markers_meaning);

// Reads body with at (world) or point (body axes), or marker.
Attachment attach_single(const Model& model, const Settings& settings);

}  // namespace carom::inline model
