#include "viewing/mechanism_drawing.h"

#include <cmath>

#include <fmt/format.h>

#include "viewing/mechanism_painter.h"

namespace carom::inline viewing {
namespace {

constexpr std::size_t positions_drawn = 7;

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

Panel draw_mechanism(const Viewed& viewed, const SampleChoice& part) {
  const MechanismPainter painter(viewed, differing_samples(viewed, part, positions_drawn));
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
  const MechanismPainter painter(viewed, differing_samples(viewed, {}, count));
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
