#include "contact_geometry/flat_sided.h"

#include <map>

#include "contact_geometry/convex_body.h"
#include "contact_geometry/hull.h"

namespace carom::inline contact_geometry {

namespace {

TriangleMesh mesh_of_box(const Eigen::Vector3d& half) {
  ClosedSurface surface;
  for (int k = 0; k < 8; ++k)
    surface.points.emplace_back(
        half.cwiseProduct(Eigen::Vector3d((k & 1) != 0 ? 1 : -1, (k & 2) != 0 ? 1 : -1, (k & 4) != 0 ? 1 : -1)));
  constexpr int sides[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
  for (const auto& side : sides) {
    surface.triangles.push_back({side[0], side[1], side[2]});
    surface.triangles.push_back({side[0], side[2], side[3]});
  }
  return TriangleMesh(surface);
}

const TriangleMesh& cube() {
  static const TriangleMesh mesh = mesh_of_box(Eigen::Vector3d::Ones());
  return mesh;
}

}  // namespace

FlatSided flat_sided(const Shape<3>& shape) {
  if (shape.kind == ShapeKind::box) return {&cube(), shape.half, 2 * shape.half.norm()};
  const TriangleMesh& mesh = shape.kind == hull_kind ? hull_mesh(shape) : mesh_of(shape);
  return {&mesh, Eigen::Vector3d::Ones(), mesh.size()};
}

const TriangleMesh& flat_mesh_of(const Shape<3>& shape) {
  if (shape.kind != ShapeKind::box) return *flat_sided(shape).mesh;
  thread_local std::map<std::array<double, 3>, TriangleMesh> known;
  const std::array<double, 3> key = {shape.half[0], shape.half[1], shape.half[2]};
  const auto found = known.find(key);
  return found != known.end() ? found->second : known.emplace(key, mesh_of_box(shape.half)).first->second;
}

}  // namespace carom::inline contact_geometry
