#include "mechanism_drawing.h"

#include <algorithm>
#include <cmath>

#include "model/attachment.h"
#include "result_model.h"

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
  const auto add = [&](const Settings& settings) {
    if (!settings.has("bodies") && !settings.has("markers")) return;
    for (const Attachment& attachment : attach_pair(model, settings).at) {
      if (attachment.body == index) points.push_back(attachment.point + centre);
    }
  };
  for (const ElementModel& joint : model.joints) add(joint.settings);
  for (const BearingModel& bearing : model.bearings) add(bearing.element.settings);
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

bool is_race(const Geometry& geometry) {
  return geometry.shape == "inner_race" || geometry.shape == "outer_race";
}

// The first position stands out, the later ones fade in.
double opacity_of(std::size_t position, std::size_t positions) {
  return position == 0 ? 1.0 : 0.15 + 0.35 * static_cast<double>(position) / static_cast<double>(positions);
}

// The bent line of a beam: through its nodes, along the directions that they have.
Shape draw_beam(const BeamModel& beam, const std::vector<std::vector<Pose>>& poses, std::size_t position) {
  constexpr int parts = 8;  // of an element
  std::vector<Eigen::Vector3d> points;
  for (std::size_t e = 0; e < beam.elements.size(); ++e) {
    const Pose &a = poses[beam.nodes[e] - 1][position], &b = poses[beam.nodes[e + 1] - 1][position];
    const double length = beam.elements[e].length;
    const Eigen::Vector3d begin = length * (a.turn * beam.elements[e].frame_a.col(0)),
                          end = length * (b.turn * beam.elements[e].frame_b.col(0));
    for (int k = e == 0 ? 0 : 1; k <= parts; ++k) {
      const double s = static_cast<double>(k) / parts, r = 1 - s;
      points.emplace_back(r * r * (1 + 2 * s) * a.origin + s * s * (1 + 2 * r) * b.origin + r * r * s * begin -
                          s * s * r * end);
    }
  }
  return outline(points, {}, false);
}

}  // namespace

Panel draw_mechanism(const ResultReader& result) {
  const Model model = model_of(result);
  std::vector<std::size_t> samples;
  const std::size_t count = std::min<std::size_t>(positions_drawn, result.sample_count());
  for (std::size_t k = 0; k < count; ++k)
    samples.push_back(count < 2 ? 0 : k * (result.sample_count() - 1) / (count - 1));

  Panel panel{.title = "mechanism", .x_label = "x [m]", .y_label = "y [m]", .equal_axes = true};
  std::vector<std::vector<Pose>> all_poses;
  for (const BodyModel& body : model.bodies) all_poses.push_back(read_poses(result, model, body, samples));
  std::vector<bool> is_node(model.bodies.size(), false);
  for (std::size_t k = 0; k < model.beams.size(); ++k) {
    const BeamModel& beam = model.beams[k];
    bool recorded = true;
    for (const int node : beam.nodes) {
      is_node[node - 1] = true;
      recorded = recorded && !all_poses[node - 1].empty();
    }
    for (std::size_t position = 0; recorded && position < samples.size(); ++position) {
      Shape line = draw_beam(beam, all_poses, position);
      line.stroke = static_cast<int>(k);
      line.opacity = opacity_of(position, samples.size());
      line.stroke_width = position == 0 ? 2.5 : 1.4;
      panel.shapes.push_back(line);
    }
  }
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const BodyModel& body = model.bodies[b];
    const auto& poses = all_poses[b];
    auto points = attachment_points(model, static_cast<int>(b) + 1);
    if (points.size() < 2) points.insert(points.begin(), body.center_of_mass);
    for (std::size_t k = 0; k < poses.size(); ++k) {
      const double opacity = opacity_of(k, poses.size());
      std::vector<Shape> shapes;
      for (const Geometry& geometry : body.geometry) shapes.push_back(draw_geometry(geometry, poses[k]));
      // Races are rings; a body that has nothing else is a link between its joints.
      const bool races_only = std::all_of(body.geometry.begin(), body.geometry.end(), is_race);
      if (races_only && !is_node[b] && points.size() > 1)
        shapes.push_back(outline(points, poses[k], points.size() > 2));
      for (std::size_t s = 0; s < shapes.size(); ++s) {
        Shape& shape = shapes[s];
        const bool ring = s < body.geometry.size() && (is_race(body.geometry[s]) || body.geometry[s].shape == "cavity");
        shape.stroke = static_cast<int>(b);
        shape.fill = k == 0 && shape.kind != Shape::Kind::polyline && !ring ? static_cast<int>(b) : color_none;
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
  for (const Geometry& geometry : model.ground.geometry) {
    if (!is_race(geometry)) continue;
    Shape ring = draw_geometry(geometry, {});
    ring.fill = color_none;
    ring.stroke_width = 1.8;
    panel.shapes.push_back(ring);
  }
  if (panel.shapes.empty())
    throw ResultError("no positions were recorded; add \"body:*\" to output.record to draw the mechanism");
  return panel;
}

}  // namespace carom
