#include <algorithm>
#include <cmath>

#include "contact_geometry/faced_solid.h"
#include "contact_geometry/round_end.h"

namespace carom::inline contact_geometry {

namespace {

using Eigen::Vector3d;

constexpr double same_end = 1e-7;       // of the size: ends of edges that meet
constexpr double smooth = 1e-5;         // sine of the turn over an edge between faces that go over into each other
constexpr double opposite_ends = 1e-9;  // 1 − cosine: one edge goes on as another one
constexpr double slack_of_turn = 0.02, most_slack_of_faced = 0.03;  // as of meshes
constexpr double straight_inside = 2.0;  // rad: of a wider face its middle leaves a corner, too

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

void SolidMaker::judge_edges() {
  for (int k = 0; k < static_cast<int>(solid_.edges_.size()); ++k) {
    FacedSolid::Edge& edge = solid_.edges_[k];
    const FacedSolid::Sides sides = solid_.sides(k, 0.5 * edge.curve.end);
    const double angle = std::atan2(sides.turn, sides.normal[0].dot(sides.normal[1]));
    const bool even = std::abs(sides.turn) < smooth;
    const auto hollow = [&](int side) { return solid_.faces_[edge.face[side]].surface.hollow; };
    edge.sharp = even ? hollow(0) != hollow(1) : angle > 0;
    edge.slack = even ? 1e-6 : std::min(most_slack_of_faced, slack_of_turn * std::max(0.0, angle));
  }
}

// Ends that are at one place, however many edges meet there.
void SolidMaker::find_corners() {
  const double near = same_end * solid_.size_;
  std::vector<std::pair<Vector3d, std::vector<Meeting>>> places;
  for (int k = 0; k < static_cast<int>(solid_.edges_.size()); ++k) {
    const TrueCurve& curve = solid_.edges_[k].curve;
    for (const bool at_end : {false, true}) {
      const double t = at_end ? curve.end : 0;
      const Vector3d place = curve.at(t), along = curve.slope(t).stableNormalized();
      const auto known = std::find_if(places.begin(), places.end(),
                                      [&](const auto& each) { return (each.first - place).norm() < near; });
      auto& ends = known == places.end() ? places.emplace_back(place, std::vector<Meeting>{}) : *known;
      ends.second.push_back({k, at_end, at_end ? Vector3d(-along) : along});
    }
  }
  for (const auto& [place, ends] : places) make_corner(place, ends);
  for (const int tip : tips_) {
    const FacedSolid::Face& face = solid_.faces_[tip];
    const TrueSurface& surface = face.surface;
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
    if (!surface.hollow) solid_.corners_.push_back(corner);
  }
}

// A place where one edge goes on as another is none, nor is one where no two ridges end.
void SolidMaker::make_corner(const Vector3d& place, const std::vector<Meeting>& ends) {
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
      const Vector3d normal = normal_at(edge.face[k], place);
      // The border of the same face that goes out from here to the left of this one.
      const double sign = edge.sign[k] * (ends[i].at_end ? -1 : 1);
      if (sign < 0) continue;
      for (const Meeting& other : ends) {
        const FacedSolid::Edge& border = solid_.edges_[other.edge];
        for (const int side : {0, 1}) {
          if (border.face[side] != edge.face[k] || border.sign[side] * (other.at_end ? -1 : 1) > 0) continue;
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
    if (face.surface.kind != SurfaceKind::plane || !face.touches) continue;
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
  solid_.face_tree_ = BoxTree(faces), solid_.edge_tree_ = BoxTree(edges);
  return std::move(solid_);
}

}  // namespace carom::inline contact_geometry
