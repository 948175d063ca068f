#pragma once

#include <vector>

#include "plotting/figure.h"
#include "viewing/drawn_parts.h"
#include "viewing/mechanism_drawing.h"

namespace carom::inline viewing {

/// How one position is drawn.
struct Emphasis {
  double opacity = 1, line = 1.8;  // –, points
  bool filled = true;
  bool ground = true, moving = true;  // what never moves, and what does
  std::size_t most_faces = 20000;     // solids in space are shown by their outlines where they have more
};

/// Draws the bodies, beams, springs and joints of some samples of a result, one sample after the other.
class MechanismPainter {
 public:
  /// Of these samples. Throws ResultError where the model cannot be drawn or no positions were recorded.
  MechanismPainter(const Viewed& viewed, const std::vector<std::size_t>& samples);

  std::size_t positions() const { return times_.size(); }
  double time(std::size_t position) const { return times_[position]; }
  const Eigen::AlignedBox3d& box() const { return box_; }
  const FrameLayout& layout() const { return layout_; }
  const float* row(std::size_t position) const { return &rows_[position * layout_.columns.size()]; }

  void draw(std::size_t position, const Emphasis& emphasis, std::vector<DrawnShape>& shapes) const;
  void draw_ground(std::vector<DrawnShape>& shapes) const;

  /// Nothing to see; it makes room for all positions.
  DrawnShape frame() const;
  DrawnShape line(const std::vector<Eigen::Vector3d>& points) const;
  Panel panel() const;

 private:
  void draw_parts(const float* row, const Emphasis& emphasis, std::vector<DrawnShape>& shapes) const;
  void draw_part(const DrawnPart& part, const Pose& pose, const Emphasis& emphasis,
                 std::vector<DrawnShape>& shapes) const;
  DrawnShape outline(const Solid& solid, const Pose& pose) const;
  void draw_beam(std::size_t index, const float* row, const Emphasis& emphasis, std::vector<DrawnShape>& shapes) const;
  void draw_springs(const float* row, const Emphasis& emphasis, std::vector<DrawnShape>& shapes) const;
  void draw_pins(const float* row, std::vector<DrawnShape>& shapes) const;

  const Model& model_;
  FrameLayout layout_;
  Outlook outlook_;
  std::vector<double> times_;
  std::vector<float> rows_;
  Eigen::AlignedBox3d box_;
  std::vector<DrawnPart> parts_;
  std::vector<DrawnSpring> springs_;
  std::size_t faces_ = 0;  // of all parts
};

/// At most `wanted` samples of a part of the run: its first and those whose positions are farthest from all before, in
/// their order. Over full turns, samples at equal distances would show the same position again and again. Fewer where
/// there is much to draw in each.
std::vector<std::size_t> differing_samples(const Viewed& viewed, const SampleChoice& part, std::size_t wanted);

}  // namespace carom::inline viewing
