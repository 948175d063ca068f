#include <algorithm>
#include <cmath>

#include "contact_geometry/step_solid.h"
#include "geometry_io/surface_edges.h"

// Free-form faces of STEP parts: their triangles among themselves as a mesh has them, and along true faces by the true
// edges, of which each triangle has a stretch.
namespace carom::inline contact_geometry {

namespace {

using Eigen::Vector3d;

constexpr double joined_nodes = 1e-6;  // of the size, as of meshes
constexpr double off_rim = 1e-2;       // of the length of a side, by which its ends may be off the edge besides

// The triangles of all free-form faces of a part.
struct PatchTriangles {
  TriangleSoup soup;               // joined
  double near = 0;                 // m: nodes nearer to each other are one
  std::vector<int> patch, number;  // faces of the part; of the solid
};

std::array<Vector3d, 3> normals_of(const StepPart& part, const Triangle& triangle) {
  const auto at = [&](int k) -> const Vector3d& { return part.points[triangle[k]]; };
  const Vector3d across = (at(1) - at(0)).cross(at(2) - at(0)).stableNormalized();
  std::array<Vector3d, 3> normals;
  for (int k = 0; k < 3; ++k) {
    const Vector3d& normal = part.normals[triangle[k]];
    normals[k] = normal.isZero() ? across : normal;
  }
  return normals;
}

PatchTriangles take_triangles(const StepPart& part, SolidMaker& maker) {
  PatchTriangles all;
  AxisBox box;
  for (const Vector3d& point : part.points) box.add(point);
  std::vector<std::size_t> from;
  all.soup.points = part.points;
  for (std::size_t k = 0; k < part.triangles.size(); ++k) {
    if (is_elementary(part.faces[part.face_of_triangle[k]])) continue;
    all.soup.triangles.push_back(part.triangles[k]);
    from.push_back(k);
  }
  if (from.empty()) return all;
  all.near = joined_nodes * std::sqrt(box.diagonal_squared());
  join_near_points(all.soup, all.near);
  std::vector<Triangle> kept;
  for (std::size_t k = 0; k < from.size(); ++k) {
    const Triangle& triangle = all.soup.triangles[k];
    if (triangle[0] == triangle[1] || triangle[1] == triangle[2] || triangle[2] == triangle[0]) continue;
    kept.push_back(triangle);
    all.patch.push_back(part.face_of_triangle[from[k]]);
    const auto& points = all.soup.points;
    all.number.push_back(maker.add_triangle(all.patch.back(),
                                            {points[triangle[0]], points[triangle[1]], points[triangle[2]]},
                                            normals_of(part, part.triangles[from[k]])));
  }
  all.soup.triangles = std::move(kept);
  return all;
}

// The rim on which both ends of a side of a triangle lie; null: none. Of two that meet in both, the nearer one between.
const PatchRim* rim_along(const std::vector<PatchRim>& rims, int patch, const Vector3d& from, const Vector3d& to,
                          double near) {
  const PatchRim* best = nullptr;
  const double most = near + off_rim * (to - from).norm();
  double least = 1e300;
  for (const PatchRim& rim : rims) {
    if (rim.patch != patch) continue;
    const auto off = [&](const Vector3d& point) { return (rim.curve.at(rim.curve.nearest(point)) - point).norm(); };
    const double ends = std::max(off(from), off(to)), middle = off(0.5 * (from + to));
    if (ends > most || middle > least) continue;
    least = middle, best = &rim;
  }
  return best;
}

}  // namespace

bool add_patches(const StepPart& part, const std::vector<PatchRim>& rims, SolidMaker& maker) {
  const PatchTriangles all = take_triangles(part, maker);
  const auto& points = all.soup.points;
  std::vector<std::vector<FacedSolid::Beside>> beside(rims.size());
  for (const SurfaceEdge& edge : edges_of(all.soup.triangles)) {
    const int one = edge.triangle[0], corner = edge.corner[0];
    const Vector3d &from = points[all.soup.triangles[one][(corner + 1) % 3]],
                   &to = points[all.soup.triangles[one][(corner + 2) % 3]];
    if (edge.users == 2 && !edge.same_way) {
      maker.add_edge(TrueCurve::line(from, to), all.number[one], 1, all.number[edge.triangle[1]]);
      continue;
    }
    const PatchRim* const rim = edge.users == 1 ? rim_along(rims, all.patch[one], from, to, all.near) : nullptr;
    if (!rim) return false;
    // Along the rim the true face lies to the side of its sign, the triangle to the other one.
    const double start = rim->curve.nearest(rim->sign > 0 ? to : from);
    beside[rim - rims.data()].push_back({start, all.number[one], points[all.soup.triangles[one][corner]]});
  }
  for (std::size_t k = 0; k < rims.size(); ++k) {
    if (beside[k].empty()) return false;
    std::sort(beside[k].begin(), beside[k].end(), [](const auto& a, const auto& b) { return a.from < b.from; });
    if (!rims[k].curve.closed) beside[k].front().from = 0;
    maker.add_rim(rims[k].curve, rims[k].face, rims[k].sign, beside[k]);
  }
  return true;
}

}  // namespace carom::inline contact_geometry
