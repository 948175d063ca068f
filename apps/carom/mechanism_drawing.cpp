#include "mechanism_drawing.h"

#include <algorithm>
#include <cmath>

#include "model/attachment.h"
#include "model_io/read_model.h"

namespace carom {
namespace {

constexpr int positions_drawn = 7;

struct Pose {
  Eigen::Vector3d origin = Eigen::Vector3d::Zero();
  Eigen::Quaterniond turn = Eigen::Quaterniond::Identity();
};

// Poses of one body at the chosen samples; empty when its position was not recorded.
std::vector<Pose> read_poses(const ResultReader& result, const Model& model, const BodyModel& body,
                             const std::vector<std::size_t>& samples) {
  const auto names = result.quantities();
  const std::string prefix = "body:" + body.name + ".";
  const auto column = [&](const std::string& name) {
    return std::find(names.begin(), names.end(), prefix + name) == names.end() ? std::vector<double>()
                                                                               : result.column(prefix + name);
  };
  const auto x = column("x"), y = column("y"), z = model.planar ? std::vector<double>(x.size(), 0.0) : column("z");
  if (x.empty() || y.empty() || z.empty()) return {};
  const auto angle = column("angle"), w = column("qw"), i = column("qx"), j = column("qy"), k = column("qz");
  std::vector<Pose> poses;
  for (const std::size_t s : samples) {
    Pose pose;
    pose.origin = {x[s], y[s], z[s]};
    if (!angle.empty()) pose.turn = Eigen::AngleAxisd(angle[s], Eigen::Vector3d::UnitZ());
    if (!w.empty() && !k.empty()) pose.turn = Eigen::Quaterniond(w[s], i[s], j[s], k[s]);
    poses.push_back(pose);
  }
  return poses;
}

// Points of a body, in its own axes, where joints and forces hold it, in the order of the model.
std::vector<Eigen::Vector3d> attachment_points(const Model& model, int index) {
  std::vector<Eigen::Vector3d> points;
  const Eigen::Vector3d centre = body_at(model, index).center_of_mass;
  for (const ElementModel& joint : model.joints) {
    if (!joint.settings.has("bodies") && !joint.settings.has("markers")) continue;
    for (const Attachment& attachment : attach_pair(model, joint.settings).at) {
      if (attachment.body == index) points.push_back(attachment.point + centre);
    }
  }
  return points;
}

Shape outline(const std::vector<Eigen::Vector3d>& points, const Pose& pose, bool closed) {
  Shape shape;
  shape.kind = closed ? Shape::Kind::polygon : Shape::Kind::polyline;
  for (const Eigen::Vector3d& point : points) {
    const Eigen::Vector3d world = pose.origin + pose.turn * point;
    shape.x.push_back(world.x());
    shape.y.push_back(world.y());
  }
  return shape;
}

Shape draw_geometry(const Geometry& geometry, const Pose& body) {
  Pose pose{body.origin + body.turn * geometry.position, body.turn * geometry.orientation};
  const double radius = geometry.settings.number("radius"), length = geometry.settings.number("length");
  if (geometry.shape == "sphere" || radius > 0) {
    if (geometry.shape != "sphere" && length > 0) {
      return outline(
          {{-radius, 0, -length / 2}, {radius, 0, -length / 2}, {radius, 0, length / 2}, {-radius, 0, length / 2}},
          pose, true);
    }
    Shape circle = outline({Eigen::Vector3d::Zero()}, pose, false);
    circle.kind = Shape::Kind::circle;
    circle.radius = radius;
    return circle;
  }
  if (geometry.shape == "profile") return outline(geometry.settings.points("points"), pose, true);
  const Eigen::Vector3d half = geometry.settings.vector("size") / 2;
  return outline(
      {{-half.x(), -half.y(), 0}, {half.x(), -half.y(), 0}, {half.x(), half.y(), 0}, {-half.x(), half.y(), 0}}, pose,
      true);
}

}  // namespace

Panel draw_mechanism(const ResultReader& result) {
  ProblemList problems;
  const Model model = read_model_text(result.header().model_text, result.header().model_file, problems);
  if (problems.errors() > 0)
    throw ResultError("the model inside the result cannot be read again, so its mechanism cannot be drawn");
  std::vector<std::size_t> samples;
  const std::size_t count = std::min<std::size_t>(positions_drawn, result.sample_count());
  for (std::size_t k = 0; k < count; ++k)
    samples.push_back(count < 2 ? 0 : k * (result.sample_count() - 1) / (count - 1));

  Panel panel{.title = "mechanism", .x_label = "x [m]", .y_label = "y [m]", .equal_axes = true};
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const BodyModel& body = model.bodies[b];
    const auto poses = read_poses(result, model, body, samples);
    auto points = attachment_points(model, static_cast<int>(b) + 1);
    if (points.size() < 2) points.insert(points.begin(), body.center_of_mass);
    for (std::size_t k = 0; k < poses.size(); ++k) {
      // The first position stands out, the later ones fade in.
      const double opacity = k == 0 ? 1.0 : 0.15 + 0.35 * static_cast<double>(k) / static_cast<double>(poses.size());
      std::vector<Shape> shapes;
      for (const Geometry& geometry : body.geometry) shapes.push_back(draw_geometry(geometry, poses[k]));
      if (shapes.empty()) shapes.push_back(outline(points, poses[k], points.size() > 2));
      for (Shape& shape : shapes) {
        shape.stroke = static_cast<int>(b);
        shape.fill = k == 0 && shape.kind != Shape::Kind::polyline ? static_cast<int>(b) : color_none;
        shape.opacity = opacity * (k == 0 && shape.fill != color_none ? 0.6 : 1);
        shape.stroke_width = k == 0 ? 1.8 : 1;
        panel.shapes.push_back(shape);
      }
      if (k > 0) continue;
      for (const Eigen::Vector3d& point : attachment_points(model, static_cast<int>(b) + 1)) {
        Shape pin = outline({point}, poses[k], false);
        pin.kind = Shape::Kind::circle;
        pin.marker_size = 5;
        panel.shapes.push_back(pin);
      }
    }
  }
  if (panel.shapes.empty())
    throw ResultError("no positions were recorded; add \"body:*\" to output.record to draw the mechanism");
  return panel;
}

}  // namespace carom
