#include <algorithm>
#include <cmath>
#include <map>

#include "contact_geometry/faced_solid.h"
#include "contact_geometry/round_end.h"

namespace carom::inline contact_geometry {

namespace {

using Eigen::Vector3d;

constexpr double same_end = 1e-7;       // of the size: ends of edges that meet
constexpr double smooth = 1e-5;         // sine of the turn over an edge between faces that go over into each other
constexpr double opposite_ends = 1e-9;  // 1 − cosine: one edge goes on as another one
constexpr double slack_of_turn = 0.02, most_slack_of_faced = 0.03;  // as of meshes
constexpr double strip_slack = 1.5;      // times the tilt of strips along a true edge against their triangles
constexpr double straight_inside = 2.0;  // rad: of a wider face its middle leaves a corner, too

// 1/m: how normals turn along the three sides, by least squares (Rusinkiewicz 2004).
Eigen::Matrix3d bend_of_triangle(const std::array<Vector3d, 3>& corner, const std::array<Vector3d, 3>& normal,
                                 const Vector3d& across) {
  const Vector3d x = (corner[1] - corner[0]).normalized(), y = across.cross(x);
  Eigen::Matrix<double, 6, 3> rows;
  Eigen::Matrix<double, 6, 1> turns;
  for (int k = 0; k < 3; ++k) {
    const Vector3d side = corner[(k + 1) % 3] - corner[k], turn = normal[(k + 1) % 3] - normal[k];
    rows.row(2 * k) << side.dot(x), side.dot(y), 0;
    rows.row(2 * k + 1) << 0, side.dot(x), side.dot(y);
    turns.segment<2>(2 * k) << turn.dot(x), turn.dot(y);
  }
  const Vector3d form = (rows.transpose() * rows).inverse() * (rows.transpose() * turns);
  return form[0] * x * x.transpose() + form[1] * (x * y.transpose() + y * x.transpose()) + form[2] * y * y.transpose();
}

}  // namespace

int SolidMaker::add_face(const TrueSurface& surface, bool touches) {
  solid_.faces_.push_back({.surface = surface, .touches = touches});
  return static_cast<int>(solid_.faces_.size()) - 1;
}

void SolidMaker::bound_face(int face, const AxisBox& box) {
  bounds_.emplace_back(face, box);
}

void SolidMaker::add_edge(const TrueCurve& curve, int first, double sign, int second) {
  const int index = static_cast<int>(solid_.edges_.size());
  solid_.edges_.push_back({.curve = curve, .face = {first, second}, .sign = {sign, -sign}});
  solid_.faces_[first].borders.push_back({index, sign});
  solid_.faces_[second].borders.push_back({index, -sign});
}

void SolidMaker::add_edge_into(const TrueCurve& curve, int first, const Vector3d& into, int second) {
  const Vector3d left = normal_at(first, curve.at(0)).cross(curve.slope(0));
  add_edge(curve, first, left.dot(into) > 0 ? 1 : -1, second);
}

int SolidMaker::add_triangle(int patch, const std::array<Vector3d, 3>& corner, const std::array<Vector3d, 3>& normal) {
  const Vector3d across = (corner[1] - corner[0]).cross(corner[2] - corner[0]).stableNormalized();
  const int index = add_face({.kind = SurfaceKind::plane, .position = corner[0], .axis = across});
  FacedSolid::Face& face = solid_.faces_[index];
  face.patch = patch;
  face.bend = bend_of_triangle(corner, normal, across);
  for (const Vector3d& each : normal) face.lean = std::max(face.lean, 1 - each.dot(across));
  return index;
}

void SolidMaker::add_rim(const TrueCurve& curve, int face, double sign, const std::vector<FacedSolid::Beside>& beside) {
  const int index = static_cast<int>(solid_.edges_.size());
  solid_.edges_.push_back(
      {.curve = curve, .face = {face, beside.front().face}, .sign = {sign, -sign}, .beside = beside});
  solid_.faces_[face].borders.push_back({index, sign});
  double tilt = 0;  // sine, of strips against their triangles
  for (std::size_t k = 0; k < beside.size(); ++k) {
    const FacedSolid::Beside& own = beside[k];
    const bool last = k + 1 == beside.size();
    const double to = !last ? beside[k + 1].from : curve.closed ? beside.front().from : curve.end;
    const TrueCurve stretch = curve.stretch(own.from, to);
    const int trim = static_cast<int>(solid_.edges_.size());
    solid_.edges_.push_back({.curve = stretch, .face = {face, own.face}, .sign = {sign, -sign}, .trims = true});
    solid_.faces_[own.face].borders.push_back({trim, -sign});
    const Vector3d into = (own.away - stretch.at(0.5 * stretch.end)).stableNormalized();
    tilt = std::max(tilt, std::abs(solid_.faces_[own.face].surface.axis.dot(into)));
  }
  solid_.edges_[index].slack = strip_slack * tilt;
}

void SolidMaker::add_tip(int face) {
  tips_.push_back(face);
}

Vector3d SolidMaker::normal_at(int face, const Vector3d& place) const {
  return solid_.faces_[face].surface.foot(place).normal;
}

// Of the whole surface, between the ends of a cylinder or cone.
AxisBox SolidMaker::box_of_surface(const FacedSolid::Face& face) const {
  const TrueSurface& surface = face.surface;
  AxisBox box;
  const auto add_disc = [&](double height, double radius, double around) {
    const Vector3d centre = surface.position + height * surface.axis;
    const Vector3d half =
        radius * (1 - surface.axis.array().square()).max(0).sqrt().matrix() + Vector3d::Constant(around);
    box.add(centre - half), box.add(centre + half);
  };
  if (surface.kind == SurfaceKind::sphere) add_disc(0, 0, surface.radius);
  if (surface.kind == SurfaceKind::ellipsoid) {
    box.add(surface.position - surface.half), box.add(surface.position + surface.half);
  }
  if (surface.kind == SurfaceKind::torus) add_disc(0, surface.radius, surface.tube);
  if (surface.kind == SurfaceKind::cylinder || surface.kind == SurfaceKind::cone) {
    for (const double height : {face.low, face.high}) add_disc(height, std::abs(surface.radius_at(height)), 0);
  }
  for (const FacedSolid::Border& border : face.borders) box.add(solid_.edges_[border.edge].box);
  return box;
}

void SolidMaker::measure_faces() {
  for (FacedSolid::Edge& edge : solid_.edges_) edge.box = edge.curve.box();
  for (FacedSolid::Face& face : solid_.faces_) {
    const TrueSurface& surface = face.surface;
    double low = 1e300, high = -1e300;
    for (const FacedSolid::Border& border : face.borders) {
      const TrueCurve& curve = solid_.edges_[border.edge].curve;
      const int count = 4 * curve.pieces();
      for (int k = 0; k <= count; ++k) {
        const double height = surface.axis.dot(curve.at(curve.end * k / count) - surface.position);
        low = std::min(low, height), high = std::max(high, height);
      }
    }
    face.low = low, face.high = high;
  }
  for (const int tip : tips_) {
    FacedSolid::Face& face = solid_.faces_[tip];
    const double height = -face.surface.radius * face.surface.cosine / face.surface.sine;
    face.low = std::min(face.low, height), face.high = std::max(face.high, height);
  }
  for (FacedSolid::Face& face : solid_.faces_) face.box = box_of_surface(face);
  for (const auto& [face, bound] : bounds_) {
    AxisBox& box = solid_.faces_[face].box;
    box.low = box.low.cwiseMax(bound.low), box.high = box.high.cwiseMin(bound.high);
  }
}

// Along a patch by each of its triangles: it touches where any of them makes it a ridge.
void SolidMaker::judge_edges() {
  for (int k = 0; k < static_cast<int>(solid_.edges_.size()); ++k) {
    FacedSolid::Edge& edge = solid_.edges_[k];
    if (edge.trims) continue;
    const std::size_t places = std::max<std::size_t>(1, edge.beside.size());
    for (std::size_t i = 0; i < places; ++i) {
      const double from = edge.beside.empty() ? 0 : edge.beside[i].from,
                   to = i + 1 < edge.beside.size() ? edge.beside[i + 1].from : edge.curve.end;
      const FacedSolid::Sides sides = solid_.sides(k, 0.5 * (from + to));
      const double angle = std::atan2(sides.turn, sides.normal[0].dot(sides.normal[1]));
      const bool even = std::abs(sides.turn) < smooth;
      const auto hollow = [&](int side) { return solid_.faces_[edge.face[side]].surface.hollow; };
      edge.sharp = edge.sharp || (even ? hollow(0) != hollow(1) : angle > 0);
      edge.slack =
          std::max(edge.slack, even ? 1e-6 : std::min(most_slack_of_faced, slack_of_turn * std::max(0.0, angle)));
    }
  }
}

// Ends that are at one place, however many edges meet there.
std::vector<SolidMaker::End> SolidMaker::find_ends() const {
  const double near = same_end * solid_.size_;
  std::vector<End> ends;
  std::multimap<double, std::size_t> by_x;
  const auto end_at = [&](const Vector3d& place) -> End& {
    for (auto each = by_x.lower_bound(place.x() - near); each != by_x.end() && each->first <= place.x() + near;
         ++each) {
      if ((ends[each->second].place - place).norm() < near) return ends[each->second];
    }
    by_x.emplace(place.x(), ends.size());
    return ends.emplace_back(End{.place = place});
  };
  for (int k = 0; k < static_cast<int>(solid_.edges_.size()); ++k) {
    const TrueCurve& curve = solid_.edges_[k].curve;
    for (const bool at_end : {false, true}) {
      const double t = at_end ? curve.end : 0;
      const Vector3d along = curve.slope(t).stableNormalized();
      End& end = end_at(curve.at(t));
      if (solid_.edges_[k].trims)
        end.on_rim = true;
      else
        end.meetings.push_back({k, at_end, at_end ? Vector3d(-along) : along});
    }
  }
  return ends;
}

// A node of triangles on a true edge that goes on there: the edge touches, and none of its places is a corner.
bool SolidMaker::is_amid_rim(const End& end) const {
  return end.on_rim && std::all_of(end.meetings.begin(), end.meetings.end(), [&](const Meeting& each) {
           const auto& face = solid_.edges_[each.edge].face;
           return solid_.faces_[face[0]].patch >= 0 && solid_.faces_[face[1]].patch >= 0;
         });
}

void SolidMaker::find_corners() {
  for (const End& end : find_ends()) {
    if (!is_amid_rim(end)) make_corner(end.place, end.meetings);
  }
  for (const int tip : tips_) add_tip_corner(tip);
}

void SolidMaker::add_tip_corner(int tip) {
  const TrueSurface& surface = solid_.faces_[tip].surface;
  if (surface.hollow) return;
  const double side = surface.sine > 0 ? -1 : 1;  // of the tip along the axis
  FacedSolid::Corner corner{
      .position = surface.position - surface.radius * surface.cosine / surface.sine * surface.axis,
      .normal = side * surface.axis};
  const Vector3d x = surface.axis.unitOrthogonal(), y = surface.axis.cross(x);
  constexpr int directions = 48;
  for (int k = 0; k < directions; ++k) {
    const double angle = 2 * M_PI * k / directions;
    corner.leaving.push_back(std::abs(surface.sine) * (std::cos(angle) * x + std::sin(angle) * y) -
                             side * surface.cosine * surface.axis);
  }
  solid_.corners_.push_back(corner);
}

// A place where one edge goes on as another is none, nor is one where no two ridges end.
void SolidMaker::make_corner(const Vector3d& place, const std::vector<Meeting>& ends) {
  const auto face_of_end = [&](const Meeting& end, int side) {
    return solid_.face_at(end.edge, side, end.at_end ? solid_.edges_[end.edge].curve.end : 0);
  };
  FacedSolid::Corner corner{.position = place};
  bool runs_on = false;
  int ridges = 0;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const FacedSolid::Edge& edge = solid_.edges_[ends[i].edge];
    ridges += edge.sharp ? 1 : 0;
    corner.slack = std::max(corner.slack, edge.slack);
    for (std::size_t j = 0; j < i; ++j) runs_on = runs_on || ends[i].leaving.dot(ends[j].leaving) < -1 + opposite_ends;
    corner.leaving.push_back(ends[i].leaving);
    for (const int k : {0, 1}) {
      const int face = face_of_end(ends[i], k);
      const Vector3d normal = normal_at(face, place);
      // The border of the same face that goes out from here to the left of this one.
      const double sign = edge.sign[k] * (ends[i].at_end ? -1 : 1);
      if (sign < 0) continue;
      for (const Meeting& other : ends) {
        const FacedSolid::Edge& border = solid_.edges_[other.edge];
        for (const int side : {0, 1}) {
          if (face_of_end(other, side) != face || border.sign[side] * (other.at_end ? -1 : 1) > 0) continue;
          double angle =
              std::atan2(normal.dot(ends[i].leaving.cross(other.leaving)), ends[i].leaving.dot(other.leaving));
          if (angle < 1e-6) angle += 2 * M_PI;
          if (angle > straight_inside)
            corner.leaving.push_back(std::cos(angle / 2) * ends[i].leaving +
                                     std::sin(angle / 2) * normal.cross(ends[i].leaving));
        }
      }
    }
  }
  if (runs_on || ridges < 2) {
    std::vector<int> edges;
    for (const Meeting& end : ends) edges.push_back(end.edge);
    smooth_ends_.emplace_back(place, edges);
    return;
  }
  solid_.corners_.push_back(corner);
}

void SolidMaker::stand_on(int face, const Vector3d& place) {
  if (solid_.inside(face, place).distance < -1e-9 * solid_.size_) return;
  const Vector3d normal = solid_.faces_[face].surface.axis, x = normal.unitOrthogonal(), y = normal.cross(x);
  solid_.corners_.push_back(
      {.position = place, .normal = normal, .leaving = {x, -x, y, -y}, .slack = most_slack_of_faced});
}

// A flat face with a round outline has no corners to stand on: points fixed to it near its round borders, and where its
// straight ones go over into others. Those of whole circles lie inside them, as those of a cylinder do.
void SolidMaker::find_standing_places() {
  for (int index = 0; index < static_cast<int>(solid_.faces_.size()); ++index) {
    const FacedSolid::Face& face = solid_.faces_[index];
    if (face.surface.kind != SurfaceKind::plane || !face.touches || face.patch >= 0) continue;
    for (const FacedSolid::Border& border : face.borders) {
      const TrueCurve& curve = solid_.edges_[border.edge].curve;
      if (curve.kind == TrueCurve::Kind::line) continue;
      const int count = curve.closed ? 3 : 1;
      for (int k = 0; k < count; ++k) {
        const double t = curve.closed ? curve.end * k / count : curve.end / 2;
        const Vector3d place = curve.at(t);
        if (curve.kind == TrueCurve::Kind::spline) {
          stand_on(index, place);
          continue;
        }
        const Vector3d into = border.sign * face.surface.axis.cross(curve.slope(t).normalized());
        stand_on(index, place + (1 - standing_radius) * curve.radius * into);
      }
    }
    for (const auto& smooth_end : smooth_ends_) {
      const std::vector<int>& edges = smooth_end.second;
      const bool own = std::any_of(face.borders.begin(), face.borders.end(), [&](const FacedSolid::Border& border) {
        return !solid_.edges_[border.edge].curve.closed &&
               std::find(edges.begin(), edges.end(), border.edge) != edges.end();
      });
      if (own) stand_on(index, smooth_end.first);
    }
  }
}

FacedSolid SolidMaker::finish(double thickness, bool endless) {
  measure_faces();
  std::vector<AxisBox> faces, edges;
  for (const FacedSolid::Face& face : solid_.faces_) {
    faces.push_back(face.box);
    solid_.box_.add(face.box);
  }
  for (const FacedSolid::Edge& edge : solid_.edges_) edges.push_back(edge.box);
  solid_.endless_ = endless;
  const double none = std::numeric_limits<double>::infinity();
  solid_.size_ = endless ? none : std::sqrt(solid_.box_.diagonal_squared());
  solid_.thickness_ = thickness > 0 ? thickness : none;
  judge_edges();
  if (!endless) find_corners(), find_standing_places();
  std::vector<AxisBox> corners;
  for (const FacedSolid::Corner& corner : solid_.corners_) corners.push_back({corner.position, corner.position});
  solid_.face_tree_ = BoxTree(faces), solid_.edge_tree_ = BoxTree(edges), solid_.corner_tree_ = BoxTree(corners);
  return std::move(solid_);
}

}  // namespace carom::inline contact_geometry
