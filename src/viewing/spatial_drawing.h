#pragma once

#include <vector>

#include "plotting/figure.h"
#include "viewing/drawn_parts.h"
#include "viewing/mechanism_drawing.h"

namespace carom::inline viewing {

/// Solids in space as they are seen: the faces that are turned to the eye, shaded, those behind before those in front.
/// Large faces are cut into pieces, so that the order by depth is right wherever solids do not overlap.
class SpatialDrawing {
 public:
  /// `extent`: size of the scene, m.
  SpatialDrawing(const Outlook& outlook, double extent) : outlook_(outlook), piece_(largest_piece * extent) {}

  /// `color` as DrawnShape has it; `line`: points, of edges.
  void add(const Solid& solid, const Pose& pose, int color, double line);

  /// Everything that was added, in the order to be drawn.
  void draw(std::vector<DrawnShape>& shapes);

 private:
  static constexpr double largest_piece = 0.04;  // of the extent

  struct Corner {
    Eigen::Vector3d point;
    bool edge = false;  // from here to the next corner
  };
  using Polygon = std::vector<Corner>;
  struct Piece {
    double depth = 0;  // m, towards the eye
    DrawnShape fill = {};
    std::vector<DrawnShape> edges = {};
  };

  void add_faces(const Solid& solid, const Pose& pose, int color, double line);
  void add_ball(const Solid& solid, const Pose& pose, int color, double line);
  void add_polygon(const Polygon& polygon, int color, double shade, double line);
  void add_line(const Eigen::Vector3d& from, const Eigen::Vector3d& to, int color, double line);
  Piece piece_of(const Polygon& polygon, int color, double shade, double line) const;
  DrawnShape edge_of(const Eigen::Vector3d& from, const Eigen::Vector3d& to, int color, double line) const;
  double depth_of(const Eigen::Vector3d& point) const { return outlook_.towards_eye().dot(point); }
  void put(DrawnShape& shape, const Eigen::Vector3d& point) const;

  Outlook outlook_;
  double piece_;  // m
  std::vector<Piece> pieces_ = {};
};

}  // namespace carom::inline viewing
