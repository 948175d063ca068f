#include "model/attachment.h"

#include "math/space.h"

namespace carom::inline model {
namespace {

Eigen::Vector3d to_body(const BodyModel& body, const Eigen::Vector3d& world) {
  return body.orientation.conjugate() * (world - body.position) - body.center_of_mass;
}

// In a planar model the element's axis lies in the plane and its frame keeps the plane's normal as third direction's
// partner.
Eigen::Matrix3d frame_about(const Model& model, const Eigen::Vector3d& axis) {
  if (!model.planar) return triad_about(axis);
  Eigen::Matrix3d frame;
  const Eigen::Vector3d along = axis.normalized();
  frame << Eigen::Vector3d::UnitZ().cross(along), Eigen::Vector3d::UnitZ(), along;
  return frame;
}

Attachment attach_marker(const Model& model, const std::string& path) {
  const auto dot = path.rfind('.');
  Attachment result;
  result.body = body_index(model, path.substr(0, dot));
  const BodyModel& body = body_at(model, result.body);
  for (const Marker& marker : body.markers) {
    if (marker.name != path.substr(dot + 1)) continue;
    result.point = marker.position - body.center_of_mass;
    result.frame = marker.orientation.toRotationMatrix();
    // A marker's z axis stands on the plane; the element's axis has to lie in it.
    if (model.planar) result.frame = frame_about(model, result.frame.col(0));
  }
  return result;
}

}  // namespace

int body_index(const Model& model, const std::string& name) {
  if (name == "ground") return 0;
  for (std::size_t k = 0; k < model.bodies.size(); ++k) {
    if (model.bodies[k].name == name) return static_cast<int>(k) + 1;
  }
  return -1;
}

const BodyModel& body_at(const Model& model, int index) {
  return index == 0 ? model.ground : model.bodies[index - 1];
}

Eigen::Vector3d world_position(const Model& model, const Attachment& attachment) {
  const BodyModel& body = body_at(model, attachment.body);
  return body.position + body.orientation * (attachment.point + body.center_of_mass);
}

AttachmentPair attach_pair(const Model& model, const Settings& settings) {
  AttachmentPair pair;
  if (settings.has("markers")) {
    const auto markers = settings.names("markers");
    for (int k = 0; k < 2; ++k) pair.at[k] = attach_marker(model, markers[k]);
    return pair;
  }
  const auto bodies = settings.names("bodies");
  const auto points = settings.points("points");
  const auto ends = settings.points("ends");
  const Eigen::Vector3d fallback_axis = model.planar ? Eigen::Vector3d::UnitX() : Eigen::Vector3d::UnitZ();
  const Eigen::Vector3d axis = settings.vector("axis", fallback_axis);
  Eigen::Matrix3d world_frame = frame_about(model, axis);
  if (settings.has("axis2")) {  // a second axis becomes the frame's x
    world_frame.col(1) = world_frame.col(2).cross(settings.vector("axis2")).normalized();
    world_frame.col(0) = world_frame.col(1).cross(world_frame.col(2));
  }
  const auto axes = settings.points("axes");
  for (int k = 0; k < 2; ++k) {
    Attachment& attachment = pair.at[k];
    attachment.body = body_index(model, bodies[k]);
    const BodyModel& body = body_at(model, attachment.body);
    if (points.size() == 2) {
      attachment.point = points[k] - body.center_of_mass;
    } else {
      attachment.point = to_body(body, ends.size() == 2 ? ends[k] : settings.vector("at"));
    }
    attachment.frame = axes.size() == 2
                           ? frame_about(model, axes[k])
                           : Eigen::Matrix3d(body.orientation.conjugate().toRotationMatrix() * world_frame);
  }
  if (axes.size() != 2) {
    const Eigen::Quaterniond turn =
        body_at(model, pair.at[0].body).orientation.conjugate() * body_at(model, pair.at[1].body).orientation;
    pair.twist = twist_angle(turn, pair.at[0].frame.col(2));
  }
  return pair;
}

std::vector<ParameterDescription> placement_rows(const std::string& markers_meaning) {
  return {{.name = "bodies", .kind = ParameterKind::bodies, .meaning = "the two bodies, or one and \"ground\""},
          {.name = "at",
           .kind = ParameterKind::vector,
           .unit = "m",
           .meaning = "the attachment point, world axes, in the configuration of the file"},
          {.name = "points",
           .kind = ParameterKind::points,
           .unit = "m",
           .meaning = "the attachment point in the axes of each body"},
          {.name = "markers", .kind = ParameterKind::markers, .meaning = markers_meaning}};
}

Attachment attach_single(const Model& model, const Settings& settings) {
  if (settings.has("marker")) return attach_marker(model, settings.text("marker"));
  Attachment result;
  result.body = body_index(model, settings.text("body"));
  const BodyModel& body = body_at(model, result.body);
  if (settings.has("at")) {
    result.point = to_body(body, settings.vector("at"));
  } else if (settings.has("point")) {
    result.point = settings.vector("point") - body.center_of_mass;
  }
  return result;
}

}  // namespace carom::inline model
