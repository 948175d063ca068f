#include "contact_geometry/faced_shapes.h"

#include <algorithm>
#include <cmath>

#include "contact_geometry/flat_sided.h"
#include "contact_geometry/ring.h"
#include "contact_geometry/separation.h"

namespace carom::inline contact_geometry {

namespace {

using Eigen::Vector3d;

const Vector3d z_axis = Vector3d::UnitZ();

TrueSurface flat(const Vector3d& at, const Vector3d& outward) {
  return {.kind = SurfaceKind::plane, .position = at, .axis = outward};
}

TrueCurve rim(double height, double radius) {
  return TrueCurve::arc(height * z_axis, radius, Vector3d::UnitX(), Vector3d::UnitY(), 2 * M_PI);
}

void make_ball(SolidMaker& maker, const Vector3d& centre, double radius, bool hollow) {
  maker.add_face({.kind = SurfaceKind::sphere, .hollow = hollow, .position = centre, .radius = radius});
}

// Cylinders, cones and bores, between flat ends.
void make_turned(SolidMaker& maker, double low_radius, double high_radius, double length, bool hollow) {
  const double slope = (high_radius - low_radius) / length, size = std::hypot(1, slope);
  const bool straight = low_radius == high_radius;
  const int side = maker.add_face({.kind = straight ? SurfaceKind::cylinder : SurfaceKind::cone,
                                   .hollow = hollow,
                                   .radius = 0.5 * (low_radius + high_radius),
                                   .sine = slope / size,
                                   .cosine = 1 / size});
  for (const double end : {-0.5, 0.5}) {
    const double radius = end < 0 ? low_radius : high_radius;
    if (!(radius > 0)) {
      maker.add_tip(side);
      continue;
    }
    const Vector3d outward = (end < 0 ? -1 : 1) * z_axis;
    // Beside a bore its end faces go on without end, and do not touch.
    const int flat_end = maker.add_face(flat(end * length * z_axis, outward), !hollow);
    maker.add_edge_into(rim(end * length, radius), side, -outward, flat_end);
  }
}

// Round ends without edges: they go over into the side.
void make_capsule(SolidMaker& maker, double radius, double length) {
  const int side = maker.add_face({.kind = SurfaceKind::cylinder, .radius = radius});
  for (const double end : {-0.5, 0.5}) {
    const Vector3d centre = end * length * z_axis;
    const int ball = maker.add_face({.kind = SurfaceKind::sphere, .position = centre, .radius = radius});
    maker.add_edge_into(rim(end * length, radius), side, (end < 0 ? 1 : -1) * z_axis, ball);
  }
}

// Boxes and hulls: triangles of one side are one face.
void make_flat_sided(SolidMaker& maker, const FlatSided& shape) {
  const TriangleMesh& mesh = *shape.mesh;
  const auto at = [&](int v) -> Vector3d { return shape.stretch.cwiseProduct(mesh.vertex(v).position); };
  std::vector<int> face_of(mesh.faces().size(), -1);
  for (std::size_t start = 0; start < face_of.size(); ++start) {
    if (face_of[start] >= 0) continue;
    const auto& corners = mesh.face(static_cast<int>(start)).vertex;
    const Vector3d normal = (at(corners[1]) - at(corners[0])).cross(at(corners[2]) - at(corners[0])).normalized();
    const int face = maker.add_face(flat(at(corners[0]), normal));
    std::vector<int> open = {static_cast<int>(start)};
    face_of[start] = face;
    while (!open.empty()) {
      const int here = open.back();
      open.pop_back();
      for (const int index : mesh.face(here).edge) {
        const TriangleMesh::Edge& edge = mesh.edge(index);
        const int next = edge.face[edge.face[0] == here ? 1 : 0];
        if (edge.is_ridge() || edge.is_notch() || face_of[next] >= 0) continue;
        face_of[next] = face;
        open.push_back(next);
      }
    }
  }
  for (const TriangleMesh::Edge& edge : mesh.edges()) {
    if (face_of[edge.face[0]] == face_of[edge.face[1]]) continue;
    const Vector3d from = at(edge.vertex[0]), to = at(edge.vertex[1]);
    maker.add_edge_into(TrueCurve::line(from, to), face_of[edge.face[0]], at(edge.opposite[0]) - from,
                        face_of[edge.face[1]]);
  }
}

FacedSolid make_solid(const Shape<3>& shape) {
  SolidMaker maker;
  const double thickness = thickness_of<3>(shape);
  switch (shape.kind) {
    case ShapeKind::sphere:
    case ShapeKind::cavity:
      make_ball(maker, Vector3d::Zero(), shape.radius, shape.kind == ShapeKind::cavity);
      return maker.finish(thickness, false);
    case ShapeKind::plane:
      maker.add_face(flat(Vector3d::Zero(), z_axis));
      return maker.finish(0, true);
    case ShapeKind::slot:
      for (const int wall : {0, 1}) {
        for (const double side : {1.0, -1.0}) {
          const Vector3d out = side * Vector3d::Unit(wall);
          maker.add_face(flat(shape.half[wall] * out, -out));
        }
      }
      return maker.finish(0, true);
    case ShapeKind::bore:
      make_turned(maker, shape.radius, shape.radius, shape.length, true);
      return maker.finish(thickness, false);
    case ShapeKind::cylinder:
      make_turned(maker, shape.radius, shape.radius, shape.length, false);
      return maker.finish(thickness, false);
    case ShapeKind::capsule:
      make_capsule(maker, shape.radius, shape.length);
      return maker.finish(thickness, false);
    case ShapeKind::box:
      make_flat_sided(maker, flat_sided(shape));
      return maker.finish(thickness, false);
    default:
      break;
  }
  if (shape.kind == ShapeKind::ellipsoid) {
    maker.add_face({.kind = SurfaceKind::ellipsoid, .half = shape.half});
  } else if (shape.kind == torus_kind) {
    maker.add_face({.kind = SurfaceKind::torus, .radius = shape.radius, .tube = shape.half[0]});
  } else if (shape.kind == cone_kind) {
    make_turned(maker, shape.radius, shape.half[0], shape.length, false);
  } else {
    make_flat_sided(maker, flat_sided(shape));
  }
  return maker.finish(thickness, false);
}

// What a built-in solid is made of.
struct SolidKey {
  ShapeKind kind = ShapeKind::sphere;
  double radius = 0, length = 0;
  Vector3d half = Vector3d::Zero();
  const ShapeData* data = nullptr;
  bool operator==(const SolidKey& other) const = default;
};

}  // namespace

bool has_true_faces(ShapeKind kind) {
  using enum ShapeKind;
  return kind == sphere || kind == plane || kind == box || kind == cylinder || kind == capsule || kind == cavity ||
         kind == bore || kind == slot || kind == ellipsoid || kind == cone_kind || kind == hull_kind ||
         kind == torus_kind;
}

std::shared_ptr<const FacedSolid> faced_solid_of(const Shape<3>& shape) {
  if (!has_true_faces(shape.kind)) return faced_solid_of_step(shape);
  struct Entry {
    SolidKey key;
    std::shared_ptr<const ShapeData> data;  // keeps the address of the key
    std::shared_ptr<const FacedSolid> solid;
  };
  constexpr std::size_t most = 64;
  thread_local std::vector<Entry> known;
  thread_local std::size_t next = 0;
  const SolidKey key{shape.kind, shape.radius, shape.length, shape.half, shape.data.get()};
  for (const Entry& entry : known) {
    if (entry.key == key) return entry.solid;
  }
  Entry made{key, shape.data, std::make_shared<const FacedSolid>(make_solid(shape))};
  if (known.size() < most) return known.emplace_back(std::move(made)).solid;
  Entry& replaced = known[next++ % most];
  replaced = std::move(made);
  return replaced.solid;
}

}  // namespace carom::inline contact_geometry
