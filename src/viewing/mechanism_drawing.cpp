#include "viewing/mechanism_drawing.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "viewing/drawn_parts.h"

namespace carom::inline viewing {
namespace {

constexpr std::size_t positions_drawn = 7;
constexpr std::size_t positions_looked_at = 97;  // over the run, to choose those from

// How one position is drawn.
struct Emphasis {
  double opacity = 1, line = 1.8;  // –, points
  bool filled = true;
};

/// Draws the bodies of one sample after the other into panels.
class MechanismPainter {
 public:
  MechanismPainter(const Viewed& viewed, std::size_t wanted)
      : model_(viewed.model), layout_(lay_out_frames(viewed)), outlook_(outlook_on(viewed.model)) {
    if (!viewed.drawable)
      throw ResultError(
          fmt::format("the model in {} cannot be read by this version, so it cannot be drawn", viewed.file));
    const bool recorded = std::any_of(layout_.bodies.begin(), layout_.bodies.end(),
                                      [](const FrameLayout::Body& body) { return body.position_recorded; });
    if (!recorded)
      throw ResultError("no positions were recorded; add \"body:*\" to output.record to draw the mechanism");
    choose_samples(viewed, wanted);
    box_ = scene_box(model_, layout_, rows_);
    parts_ = drawn_parts(model_, box_);
    if (parts_.size() > most_drawn_parts) parts_.resize(most_drawn_parts);
  }

  std::size_t positions() const { return times_.size(); }
  double time(std::size_t position) const { return times_[position]; }

  void draw(std::size_t position, const Emphasis& emphasis, std::vector<DrawnShape>& shapes) const {
    const float* row = &rows_[position * layout_.columns.size()];
    for (const DrawnPart& part : parts_) draw_part(part, pose_of(layout_, row, part.body), emphasis, shapes);
    for (std::size_t k = 0; k < model_.beams.size(); ++k) draw_beam(k, row, emphasis, shapes);
    if (!emphasis.filled || model_.joints.size() > most_drawn_parts) return;
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

  // Nothing to see; it makes room for all positions.
  DrawnShape frame() const {
    std::vector<Eigen::Vector3d> corners;
    for (int k = 0; k < 8; ++k) corners.push_back(box_.corner(static_cast<Eigen::AlignedBox3d::CornerType>(k)));
    DrawnShape shape = line(corners);
    shape.stroke = color_none;
    return shape;
  }

  Panel panel() const {
    return {.x_label = model_.planar ? "x [m]" : "to the right [m]",
            .y_label = model_.planar ? "y [m]" : "up [m]",
            .equal_axes = true};
  }

 private:
  // The first sample and those that are farthest from all before, in their order: over full turns, samples at equal
  // distances would show the same position again and again. Fewer where there is much to draw in each.
  void choose_samples(const Viewed& viewed, std::size_t wanted) {
    const std::size_t last = viewed.samples->times().size();
    if (last == 0) throw ResultError(fmt::format("{} holds no samples to draw", viewed.file));
    const std::size_t room = std::max<std::size_t>(most_drawn_parts / (model_.bodies.size() + 1), 1);
    const std::size_t count = std::min({wanted, room, last});
    const std::size_t candidates = count < 2 ? 1 : std::min(last, positions_looked_at);
    std::vector<std::vector<float>> rows;
    for (std::size_t k = 0; k < candidates; ++k) {
      const std::size_t sample = candidates < 2 ? 0 : k * (last - 1) / (candidates - 1);
      rows.push_back(read_frames(viewed, layout_, sample, sample + 1, 1));
    }
    double travel = 0;
    for (const auto& row : rows) travel = std::max(travel, between(row, rows.front(), 0));
    const double turn_weight = travel > 0 ? 1e-4 * travel : 1;
    std::vector<double> distance(candidates, std::numeric_limits<double>::infinity());
    std::vector<std::size_t> chosen;
    for (std::size_t next = 0; chosen.size() < count;) {
      chosen.push_back(next);
      for (std::size_t k = 0; k < candidates; ++k)
        distance[k] = std::min(distance[k], between(rows[k], rows[next], turn_weight));
      next = static_cast<std::size_t>(std::max_element(distance.begin(), distance.end()) - distance.begin());
      if (distance[next] <= 1e-6 * turn_weight) break;
    }
    std::sort(chosen.begin(), chosen.end());
    for (const std::size_t k : chosen) {
      times_.push_back(viewed.samples->times()[candidates < 2 ? 0 : k * (last - 1) / (candidates - 1)]);
      rows_.insert(rows_.end(), rows[k].begin(), rows[k].end());
    }
  }

  // How far bodies lie apart in two rows. Turns count for little, and only to tell wheels that stay where they are.
  double between(const std::vector<float>& a, const std::vector<float>& b, double turn_weight) const {
    double sum = 0;
    for (const FrameLayout::Body& body : layout_.bodies) {
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

  DrawnShape line(const std::vector<Eigen::Vector3d>& points) const {
    DrawnShape shape;
    for (const Eigen::Vector3d& point : points) {
      shape.x.push_back(outlook_.right.dot(point));
      shape.y.push_back(outlook_.up.dot(point));
    }
    return shape;
  }

  void draw_part(const DrawnPart& part, const Pose& pose, const Emphasis& emphasis,
                 std::vector<DrawnShape>& shapes) const {
    // What belongs to the ground and what one can look into stays in the background.
    if (part.body == 0 && !emphasis.filled) return;
    const Solid& solid = part.solid;
    const int color = part.body == 0 ? color_muted : part.body - 1;
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
    if (!solid.hollow && !solid.faces.empty()) add(outline(solid, pose), filled);
    if (!solid.hollow && (model_.planar || !emphasis.filled) && !solid.faces.empty()) return;
    for (const std::vector<int>& edge : solid.edges) add(line(points_of(solid, edge, pose)), false);
  }

  static std::vector<Eigen::Vector3d> points_of(const Solid& solid, const std::vector<int>& indices, const Pose& pose) {
    std::vector<Eigen::Vector3d> points;
    for (const int index : indices) points.push_back(pose * solid.points[static_cast<std::size_t>(index)]);
    return points;
  }

  // A flat shape itself; what one sees of a convex body is the hull of its points.
  DrawnShape outline(const Solid& solid, const Pose& pose) const {
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

  void draw_beam(std::size_t index, const float* row, const Emphasis& emphasis, std::vector<DrawnShape>& shapes) const {
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

  const Model& model_;
  FrameLayout layout_;
  Outlook outlook_;
  std::vector<double> times_;
  std::vector<float> rows_;
  Eigen::AlignedBox3d box_;
  std::vector<DrawnPart> parts_;
};

}  // namespace

Outlook outlook_on(const Model& model) {
  if (model.planar) return {};
  const Eigen::Vector3d up =
      model.gravity.norm() > 0 ? Eigen::Vector3d(-model.gravity.normalized()) : Eigen::Vector3d::UnitZ();
  // From the front, somewhat from the right and above.
  Eigen::Vector3d front =
      std::abs(up.y()) < 0.9 ? Eigen::Vector3d(-Eigen::Vector3d::UnitY()) : Eigen::Vector3d::UnitZ();
  front = (front - up * up.dot(front)).normalized();
  const Eigen::Vector3d side = up.cross(front);
  constexpr double azimuth = 0.5, elevation = 0.35;  // rad
  const Eigen::Vector3d level = std::cos(azimuth) * front + std::sin(azimuth) * side;
  const Eigen::Vector3d eye = std::cos(elevation) * level + std::sin(elevation) * up;
  const Eigen::Vector3d right = up.cross(eye).normalized();
  return {.right = right, .up = eye.cross(right)};
}

Panel draw_mechanism(const Viewed& viewed) {
  const MechanismPainter painter(viewed, positions_drawn);
  Panel panel = painter.panel();
  panel.title = "mechanism";
  for (std::size_t k = 0; k < painter.positions(); ++k) {
    const double share = static_cast<double>(k) / static_cast<double>(painter.positions());
    painter.draw(k, k == 0 ? Emphasis{} : Emphasis{.opacity = 0.15 + 0.35 * share, .line = 1, .filled = false},
                 panel.shapes);
  }
  return panel;
}

std::vector<Panel> draw_positions(const Viewed& viewed, std::size_t count) {
  const MechanismPainter painter(viewed, count);
  std::vector<Panel> panels;
  for (std::size_t k = 0; k < painter.positions(); ++k) {
    Panel panel = painter.panel();
    panel.title = fmt::format("{:.4g} s", painter.time(k));
    panel.shapes.push_back(painter.frame());
    painter.draw(k, {.line = 1}, panel.shapes);
    panels.push_back(std::move(panel));
  }
  return panels;
}

}  // namespace carom::inline viewing
