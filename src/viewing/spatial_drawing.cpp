#include "viewing/spatial_drawing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

namespace carom::inline viewing {
namespace {

constexpr double darkest = -0.2, brightest = 0.55;  // shades of faces
constexpr double edge_shade = -0.35;
constexpr double seam = 0.6;  // points, by which pieces of one face cover each other

using Segment = std::pair<int, int>;

Segment segment(int a, int b) {
  return {std::min(a, b), std::max(a, b)};
}

std::set<Segment> segments_of(const Solid& solid) {
  std::set<Segment> segments;
  for (const std::vector<int>& edge : solid.edges) {
    for (std::size_t k = 0; k + 1 < edge.size(); ++k) segments.insert(segment(edge[k], edge[k + 1]));
  }
  return segments;
}

// Newell's normal, which any flat polygon has; its length is twice the area.
template <class Polygon>
Eigen::Vector3d normal_of(const Polygon& polygon) {
  Eigen::Vector3d normal = Eigen::Vector3d::Zero();
  for (std::size_t k = 0; k < polygon.size(); ++k)
    normal += polygon[k].point.cross(polygon[(k + 1) % polygon.size()].point);
  return normal;
}

}  // namespace

void SpatialDrawing::add(const Solid& solid, const Pose& pose, int color, double line) {
  // Parts that stand on the ground are in front of it.
  const double back = color == color_muted ? piece_ / 2 : 0;
  const std::size_t first = pieces_.size();
  solid.ball_radius > 0 ? add_ball(solid, pose, color, line) : add_faces(solid, pose, color, line);
  for (std::size_t k = first; k < pieces_.size(); ++k) pieces_[k].depth -= back;
}

void SpatialDrawing::add_faces(const Solid& solid, const Pose& pose, int color, double line) {
  const Eigen::Vector3d eye = outlook_.towards_eye(),
                        light = (0.7 * eye + 0.9 * outlook_.up - 0.4 * outlook_.right).normalized();
  std::vector<Eigen::Vector3d> points;
  for (const Eigen::Vector3d& point : solid.points) points.push_back(pose * point);
  std::set<Segment> free = segments_of(solid);
  const std::set<Segment> edges = free;
  for (const std::vector<int>& face : solid.faces) {
    Polygon polygon;
    for (std::size_t k = 0; k < face.size(); ++k) {
      const Segment side = segment(face[k], face[(k + 1) % face.size()]);
      polygon.push_back({points[static_cast<std::size_t>(face[k])], edges.contains(side)});
      free.erase(side);
    }
    const Eigen::Vector3d normal = normal_of(polygon);
    if (!(normal.dot(eye) > 0)) continue;
    const double lit = std::max(0.0, normal.dot(light) / normal.norm());
    add_polygon(polygon, color, darkest + (brightest - darkest) * lit, line);
  }
  for (const auto& [a, b] : free)
    add_line(points[static_cast<std::size_t>(a)], points[static_cast<std::size_t>(b)], color, line);
}

void SpatialDrawing::add_ball(const Solid& solid, const Pose& pose, int color, double line) {
  const Eigen::Vector3d center = pose * solid.center;
  Piece piece{.depth = depth_of(center)};
  put(piece.fill, center);
  piece.fill.kind = DrawnShape::Kind::circle;
  piece.fill.radius = solid.ball_radius;
  piece.fill.fill = color;
  piece.fill.stroke = color_none;
  piece.fill.shade = (darkest + 2 * brightest) / 3;
  DrawnShape rim = piece.fill;
  rim.fill = color_none;
  rim.stroke = color;
  rim.stroke_width = line;
  rim.shade = edge_shade;
  piece.edges.push_back(std::move(rim));
  pieces_.push_back(std::move(piece));
}

// Cut in half across its longest direction until it is small enough.
void SpatialDrawing::add_polygon(const Polygon& polygon, int color, double shade, double line) {
  Eigen::AlignedBox3d box;
  for (const Corner& corner : polygon) box.extend(corner.point);
  int axis = 0;
  if (polygon.size() < 3) return;
  if (box.sizes().maxCoeff(&axis) <= piece_) {
    pieces_.push_back(piece_of(polygon, color, shade, line));
    return;
  }
  const double middle = box.center()[axis];
  for (const double side : {-1.0, 1.0}) {
    Polygon half;
    for (std::size_t k = 0; k < polygon.size(); ++k) {
      const Corner& a = polygon[k];
      const Corner& b = polygon[(k + 1) % polygon.size()];
      const double from = side * (a.point[axis] - middle), to = side * (b.point[axis] - middle);
      if (from >= 0) half.push_back({a.point, a.edge && to >= 0});
      if ((from < 0) == (to < 0)) continue;
      const Eigen::Vector3d cut = a.point + (b.point - a.point) * (from / (from - to));
      // Where the side leaves this half, the edge goes to the cut and the cut itself is none.
      if (from >= 0) half.back().edge = a.edge;
      half.push_back({cut, to >= 0 && a.edge});
    }
    add_polygon(half, color, shade, line);
  }
}

// An edge that belongs to no face.
void SpatialDrawing::add_line(const Eigen::Vector3d& from, const Eigen::Vector3d& to, int color, double line) {
  const int count = std::max(1, static_cast<int>(std::ceil((to - from).norm() / piece_)));
  for (int k = 0; k < count; ++k) {
    const Eigen::Vector3d a = from + (to - from) * k / count, b = from + (to - from) * (k + 1) / count;
    pieces_.push_back({.depth = depth_of((a + b) / 2), .edges = {edge_of(a, b, color, line)}});
  }
}

SpatialDrawing::Piece SpatialDrawing::piece_of(const Polygon& polygon, int color, double shade, double line) const {
  Piece piece;
  for (std::size_t k = 0; k < polygon.size(); ++k) {
    const Corner& corner = polygon[k];
    put(piece.fill, corner.point);
    piece.depth += depth_of(corner.point) / static_cast<double>(polygon.size());
    if (corner.edge) piece.edges.push_back(edge_of(corner.point, polygon[(k + 1) % polygon.size()].point, color, line));
  }
  piece.fill.kind = DrawnShape::Kind::polygon;
  piece.fill.fill = piece.fill.stroke = color;
  piece.fill.stroke_width = seam;
  piece.fill.shade = shade;
  return piece;
}

DrawnShape SpatialDrawing::edge_of(const Eigen::Vector3d& from, const Eigen::Vector3d& to, int color,
                                   double line) const {
  DrawnShape shape;
  put(shape, from);
  put(shape, to);
  shape.stroke = color;
  shape.stroke_width = line;
  shape.shade = edge_shade;
  return shape;
}

void SpatialDrawing::put(DrawnShape& shape, const Eigen::Vector3d& point) const {
  shape.x.push_back(outlook_.right.dot(point));
  shape.y.push_back(outlook_.up.dot(point));
}

void SpatialDrawing::draw(std::vector<DrawnShape>& shapes) {
  std::stable_sort(pieces_.begin(), pieces_.end(), [](const Piece& a, const Piece& b) { return a.depth < b.depth; });
  for (Piece& piece : pieces_) {
    if (!piece.fill.x.empty()) shapes.push_back(std::move(piece.fill));
    for (DrawnShape& edge : piece.edges) shapes.push_back(std::move(edge));
  }
  pieces_.clear();
}

}  // namespace carom::inline viewing
