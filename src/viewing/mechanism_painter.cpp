#include "viewing/mechanism_painter.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "model/attachment.h"
#include "viewing/spatial_drawing.h"

namespace carom::inline viewing {
namespace {

constexpr std::size_t positions_looked_at = 97;  // over the run, to choose those from
constexpr double spring_width = 0.022;           // half, of the extent of the scene

// How far bodies lie apart in two rows. Turns count for little, and only to tell wheels that stay where they are.
double between(const FrameLayout& layout, const std::vector<float>& a, const std::vector<float>& b,
               double turn_weight) {
  double sum = 0;
  for (const FrameLayout::Body& body : layout.bodies) {
    const auto place = static_cast<std::ptrdiff_t>(body.place);
    const auto product = [&](std::ptrdiff_t from, std::ptrdiff_t to) {
      return std::inner_product(a.begin() + place + from, a.begin() + place + to, b.begin() + place + from, 0.0);
    };
    double apart = turn_weight * (1 - std::pow(product(3, 7), 2));
    for (std::ptrdiff_t k = place; k < place + 3; ++k) apart += std::pow(a[k] - b[k], 2);
    if (std::isfinite(apart)) sum += std::max(0.0, apart);
  }
  return sum;
}

std::vector<Eigen::Vector3d> points_of(const Solid& solid, const std::vector<int>& indices, const Pose& pose) {
  std::vector<Eigen::Vector3d> points;
  for (const int index : indices) points.push_back(pose * solid.points[static_cast<std::size_t>(index)]);
  return points;
}

int color_of(const DrawnPart& part) {
  if (part.color) return color_rgb + *part.color;
  return part.body == 0 ? color_muted : part.body - 1;
}

// A coil between two points of the picture: straight ends and teeth that give way when it gets shorter.
DrawnShape coil(const Eigen::Vector2d& from, const Eigen::Vector2d& to, double half_width) {
  constexpr int teeth = 16;
  constexpr double straight = 0.14;  // of the length, at either end
  const Eigen::Vector2d along = to - from;
  const double length = along.norm();
  const Eigen::Vector2d across =
      length > 0 ? Eigen::Vector2d(-along.y() / length, along.x() / length) : Eigen::Vector2d::Zero();
  DrawnShape shape;
  const auto add = [&](double share, double side) {
    const Eigen::Vector2d point = from + share * along + side * half_width * across;
    shape.x.push_back(point.x());
    shape.y.push_back(point.y());
  };
  add(0, 0);
  add(straight, 0);
  for (int k = 0; k < teeth; ++k) add(straight + (1 - 2 * straight) * (k + 0.5) / teeth, k % 2 == 0 ? 1 : -1);
  add(1 - straight, 0);
  add(1, 0);
  return shape;
}

// A spiral about a point of the picture.
DrawnShape spiral(const Eigen::Vector2d& center, double radius) {
  constexpr int count = 60;
  constexpr double turns = 2.5;
  DrawnShape shape;
  for (int k = 0; k <= count; ++k) {
    const double share = static_cast<double>(k) / count, angle = 2 * M_PI * turns * share;
    shape.x.push_back(center.x() + radius * (0.25 + 0.75 * share) * std::cos(angle));
    shape.y.push_back(center.y() + radius * (0.25 + 0.75 * share) * std::sin(angle));
  }
  return shape;
}

}  // namespace

std::vector<std::size_t> differing_samples(const Viewed& viewed, const SampleChoice& part, std::size_t wanted) {
  const recording::SampleRange range = select_samples(viewed.samples->times(), part);
  if (range.count() == 0) throw ResultError(fmt::format("{} holds no samples to draw", viewed.file));
  const FrameLayout layout = lay_out_frames(viewed);
  const std::size_t room = std::max<std::size_t>(most_drawn_parts / (viewed.model.bodies.size() + 1), 1);
  const std::size_t count = std::min({wanted, room, range.count()});
  const std::size_t candidates = count < 2 ? 1 : std::min(range.count(), positions_looked_at);
  std::vector<std::size_t> samples;
  std::vector<std::vector<float>> rows;
  for (std::size_t k = 0; k < candidates; ++k) {
    samples.push_back(range.first + (candidates < 2 ? 0 : k * (range.count() - 1) / (candidates - 1)));
    rows.push_back(read_frames(viewed, layout, samples.back(), samples.back() + 1, 1));
  }
  double travel = 0;
  for (const auto& row : rows) travel = std::max(travel, between(layout, row, rows.front(), 0));
  const double turn_weight = travel > 0 ? 1e-4 * travel : 1;
  std::vector<double> distance(candidates, std::numeric_limits<double>::infinity());
  std::vector<std::size_t> chosen;
  for (std::size_t next = 0; chosen.size() < count;) {
    chosen.push_back(samples[next]);
    for (std::size_t k = 0; k < candidates; ++k)
      distance[k] = std::min(distance[k], between(layout, rows[k], rows[next], turn_weight));
    next = static_cast<std::size_t>(std::max_element(distance.begin(), distance.end()) - distance.begin());
    if (distance[next] <= 1e-6 * turn_weight) break;
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

MechanismPainter::MechanismPainter(const Viewed& viewed, const std::vector<std::size_t>& samples)
    : model_(viewed.model), layout_(lay_out_frames(viewed)), outlook_(outlook_on(viewed.model)) {
  if (!viewed.drawable)
    throw ResultError(
        fmt::format("the model in {} cannot be read by this version, so it cannot be drawn", viewed.file));
  const bool recorded = std::any_of(layout_.bodies.begin(), layout_.bodies.end(),
                                    [](const FrameLayout::Body& body) { return body.position_recorded; });
  if (!recorded) throw ResultError("no positions were recorded; add \"body:*\" to output.record to draw the mechanism");
  for (const std::size_t sample : samples) {
    times_.push_back(viewed.samples->times()[sample]);
    const std::vector<float> row = read_frames(viewed, layout_, sample, sample + 1, 1);
    rows_.insert(rows_.end(), row.begin(), row.end());
  }
  box_ = scene_box(model_, layout_, rows_);
  parts_ = drawn_parts(model_, box_);
  springs_ = drawn_springs(model_);
  if (parts_.size() > most_drawn_parts) parts_.resize(most_drawn_parts);
  for (const DrawnPart& part : parts_) faces_ += part.solid.ball_radius > 0 ? 1 : part.solid.faces.size();
}

void MechanismPainter::draw(std::size_t position, const Emphasis& emphasis, std::vector<DrawnShape>& shapes) const {
  const float* const now = row(position);
  draw_parts(now, emphasis, shapes);
  for (std::size_t k = 0; k < model_.beams.size(); ++k) draw_beam(k, now, emphasis, shapes);
  if (model_.forces.size() <= most_drawn_parts) draw_springs(now, emphasis, shapes);
  if (emphasis.filled && model_.joints.size() <= most_drawn_parts) draw_pins(now, shapes);
}

void MechanismPainter::draw_ground(std::vector<DrawnShape>& shapes) const {
  draw_parts(nullptr, {.line = 1, .moving = false}, shapes);
}

// The row is not looked at where nothing moves.
void MechanismPainter::draw_parts(const float* row, const Emphasis& emphasis, std::vector<DrawnShape>& shapes) const {
  SpatialDrawing spatial(outlook_, box_.diagonal().norm());
  for (const DrawnPart& part : parts_) {
    if (part.body == 0 ? !emphasis.ground : !emphasis.moving) continue;
    const Pose pose = pose_of(layout_, row, part.body);
    const bool solid = !part.solid.hollow && !part.solid.faces.empty();
    if (solid && !model_.planar && emphasis.filled && faces_ <= emphasis.most_faces) {
      spatial.add(part.solid, pose, color_of(part), 0.6 * emphasis.line);
    } else {
      draw_part(part, pose, emphasis, shapes);
    }
  }
  spatial.draw(shapes);
}

void MechanismPainter::draw_pins(const float* row, std::vector<DrawnShape>& shapes) const {
  for (int body = 1; body <= static_cast<int>(model_.bodies.size()); ++body) {
    for (const Eigen::Vector3d& point : held_points(model_, body)) {
      DrawnShape pin = line({pose_of(layout_, row, body) * point});
      pin.kind = DrawnShape::Kind::circle;
      pin.marker_size = 5;
      pin.stroke_width = 1;
      shapes.push_back(pin);
    }
  }
}

void MechanismPainter::draw_springs(const float* row, const Emphasis& emphasis, std::vector<DrawnShape>& shapes) const {
  const double half_width = spring_width * box_.diagonal().norm();
  const auto add = [&](DrawnShape shape) {
    shape.stroke = color_ink;
    shape.stroke_width = emphasis.filled ? 1.2 : 0.7;
    shape.opacity = emphasis.opacity;
    shapes.push_back(std::move(shape));
  };
  const auto on_picture = [&](const SpringEnd& end) {
    const Eigen::Vector3d point = pose_of(layout_, row, end.body) * end.point;
    return Eigen::Vector2d(outlook_.right.dot(point), outlook_.up.dot(point));
  };
  for (const DrawnSpring& spring : springs_) {
    const Eigen::Vector2d from = on_picture(spring.ends[0]), to = on_picture(spring.ends[1]);
    if (spring.kind == DrawnSpring::Kind::torsion) {
      if (emphasis.filled) add(spiral(from, 1.6 * half_width));
    } else if (spring.kind == DrawnSpring::Kind::coil) {
      add(coil(from, to, half_width));
    } else {
      DrawnShape straight;
      straight.x = {from.x(), to.x()};
      straight.y = {from.y(), to.y()};
      add(std::move(straight));
    }
  }
}

DrawnShape MechanismPainter::frame() const {
  std::vector<Eigen::Vector3d> corners;
  for (int k = 0; k < 8; ++k) corners.push_back(box_.corner(static_cast<Eigen::AlignedBox3d::CornerType>(k)));
  DrawnShape shape = line(corners);
  shape.stroke = color_none;
  return shape;
}

Panel MechanismPainter::panel() const {
  return {.x_label = model_.planar ? "x [m]" : "to the right [m]",
          .y_label = model_.planar ? "y [m]" : "up [m]",
          .equal_axes = true};
}

DrawnShape MechanismPainter::line(const std::vector<Eigen::Vector3d>& points) const {
  DrawnShape shape;
  for (const Eigen::Vector3d& point : points) {
    shape.x.push_back(outlook_.right.dot(point));
    shape.y.push_back(outlook_.up.dot(point));
  }
  return shape;
}

// Whether edges have points of their own: faces of outlines with holes are cut open.
static bool has_own_edges(const Solid& solid) {
  if (solid.hollow || solid.faces.empty() || solid.edges.empty() || solid.ball_radius > 0) return false;
  int last = 0;
  for (const std::vector<int>& face : solid.faces) last = std::max(last, *std::max_element(face.begin(), face.end()));
  return std::all_of(solid.edges.begin(), solid.edges.end(),
                     [&](const std::vector<int>& edge) { return !edge.empty() && edge.front() > last; });
}

void MechanismPainter::draw_part(const DrawnPart& part, const Pose& pose, const Emphasis& emphasis,
                                 std::vector<DrawnShape>& shapes) const {
  // What belongs to the ground and what one can look into stays in the background.
  if (part.body == 0 && !emphasis.filled) return;
  const Solid& solid = part.solid;
  const int color = color_of(part);
  const bool filled = emphasis.filled && !solid.hollow && !solid.faces.empty();
  const auto add = [&](DrawnShape shape, bool fill) {
    shape.stroke = color;
    shape.fill = fill ? color : color_none;
    shape.opacity = emphasis.opacity * (fill ? 0.6 : 1);
    shape.stroke_width = solid.hollow ? std::min(emphasis.line, 1.0) : emphasis.line;
    shapes.push_back(std::move(shape));
  };
  if (solid.ball_radius > 0) {
    DrawnShape circle = line({pose * solid.center});
    circle.kind = DrawnShape::Kind::circle;
    circle.radius = solid.ball_radius;
    add(std::move(circle), filled);
    return;
  }
  if (model_.planar && has_own_edges(solid)) {
    for (const std::vector<int>& face : filled ? solid.faces : std::vector<std::vector<int>>{}) {
      add(line(points_of(solid, face, pose)), true);
      shapes.back().stroke = color_none;
    }
    for (const std::vector<int>& edge : solid.edges) add(line(points_of(solid, edge, pose)), false);
    return;
  }
  if (!solid.hollow && !solid.faces.empty()) add(outline(solid, pose), filled);
  if (!solid.hollow && (model_.planar || !emphasis.filled) && !solid.faces.empty()) return;
  for (const std::vector<int>& edge : solid.edges) add(line(points_of(solid, edge, pose)), false);
}

// A flat shape itself; what one sees of a convex body is the hull of its points.
DrawnShape MechanismPainter::outline(const Solid& solid, const Pose& pose) const {
  DrawnShape shape;
  if (model_.planar) {
    shape = line(points_of(solid, solid.faces.front(), pose));
  } else {
    FlatPoints points;
    for (const Eigen::Vector3d& point : solid.points)
      points.emplace_back(outlook_.right.dot(pose * point), outlook_.up.dot(pose * point));
    for (const Eigen::Vector2d& point : hull_points(std::move(points))) {
      shape.x.push_back(point.x());
      shape.y.push_back(point.y());
    }
  }
  shape.kind = DrawnShape::Kind::polygon;
  return shape;
}

void MechanismPainter::draw_beam(std::size_t index, const float* row, const Emphasis& emphasis,
                                 std::vector<DrawnShape>& shapes) const {
  const BeamModel& beam = model_.beams[index];
  for (const int node : beam.nodes) {
    if (!layout_.bodies[static_cast<std::size_t>(node) - 1].position_recorded) return;
  }
  std::vector<Eigen::Vector3d> points;
  for (std::size_t e = 0; e < beam.elements.size(); ++e) {
    const auto piece =
        element_line(beam, e, pose_of(layout_, row, beam.nodes[e]), pose_of(layout_, row, beam.nodes[e + 1]), 8);
    points.insert(points.end(), piece.begin() + (e == 0 ? 0 : 1), piece.end());
  }
  DrawnShape shape = line(points);
  shape.stroke = static_cast<int>(index);
  shape.opacity = emphasis.opacity;
  shape.stroke_width = 1.4 * emphasis.line;
  shapes.push_back(std::move(shape));
}

}  // namespace carom::inline viewing
