#include "contact_geometry/hull.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "contact_geometry/convex_body.h"
#include "contact_geometry/hull_faces.h"
#include "contact_geometry/pair.h"

namespace carom::inline contact_geometry {

namespace {

using Eigen::Vector3d;

constexpr std::size_t most_vertices = 5000;

// The corners of a face in order, seen from outside.
void sort_corners(const std::vector<Vector3d>& points, const Vector3d& outward, std::vector<int>& corners) {
  Vector3d middle = Vector3d::Zero();
  for (const int corner : corners) middle += points[corner] / static_cast<double>(corners.size());
  const Vector3d x = (points[corners[0]] - middle).normalized(), y = outward.cross(x);
  std::sort(corners.begin(), corners.end(), [&](int one, int two) {
    const auto angle = [&](int corner) {
      return std::atan2(y.dot(points[corner] - middle), x.dot(points[corner] - middle));
    };
    return angle(one) < angle(two);
  });
}

// By the area of the whole polygon, which is better than any three of its corners.
Vector3d normal_of(const std::vector<Vector3d>& points, const std::vector<int>& corners) {
  Vector3d area = Vector3d::Zero();
  for (std::size_t k = 1; k + 1 < corners.size(); ++k)
    area += (points[corners[k]] - points[corners[0]]).cross(points[corners[k + 1]] - points[corners[0]]);
  return area.normalized();
}

std::vector<int> some_of(const std::vector<int>& corners) {
  if (corners.size() <= most_face_corners) return corners;
  std::vector<int> some;
  for (int k = 0; k < most_face_corners; ++k) some.push_back(corners[k * corners.size() / most_face_corners]);
  return some;
}

// Sum over the tetrahedra between the faces and a point inside.
MassProperties mass_of(const Polytope& solid) {
  Vector3d inside = Vector3d::Zero();
  for (const Vector3d& vertex : solid.vertices) inside += vertex / static_cast<double>(solid.vertices.size());
  MassProperties mass;
  Eigen::Matrix3d second = Eigen::Matrix3d::Zero();  // ∫ x xᵀ dV, from inside
  for (const PolytopeFace& face : solid.faces) {
    for (std::size_t k = 1; k + 1 < face.corners.size(); ++k) {
      const Vector3d p = solid.vertices[face.corners[0]] - inside, q = solid.vertices[face.corners[k]] - inside,
                     r = solid.vertices[face.corners[k + 1]] - inside, sum = p + q + r;
      const double volume = p.dot(q.cross(r)) / 6;
      mass.volume += volume;
      mass.centre += volume / 4 * sum;
      second += volume / 20 * (sum * sum.transpose() + p * p.transpose() + q * q.transpose() + r * r.transpose());
    }
  }
  mass.centre /= mass.volume;
  second -= mass.volume * mass.centre * mass.centre.transpose();
  mass.inertia = second.trace() * Eigen::Matrix3d::Identity() - second;
  mass.centre += inside;
  return mass;
}

void add_neighbours(Polytope& solid) {
  std::vector<std::set<int>> beside(solid.vertices.size());
  for (const PolytopeFace& face : solid.faces) {
    for (std::size_t k = 0; k < face.corners.size(); ++k) {
      const int from = face.corners[k], to = face.corners[(k + 1) % face.corners.size()];
      beside[from].insert(to), beside[to].insert(from);
    }
  }
  for (const std::set<int>& each : beside) solid.neighbours.emplace_back(each.begin(), each.end());
}

// Vertices that no face has are left out.
Polytope take_faces(const std::vector<HullFace>& found, const std::vector<Vector3d>& points) {
  Polytope solid;
  std::map<int, int> numbers;
  for (const HullFace& each : found) {
    PolytopeFace face;
    for (const int point : each.points) {
      const auto [known, fresh] = numbers.try_emplace(point, static_cast<int>(solid.vertices.size()));
      if (fresh) solid.vertices.push_back(points[point]);
      face.corners.push_back(known->second);
    }
    sort_corners(solid.vertices, each.outward, face.corners);
    face.normal = normal_of(solid.vertices, face.corners);
    face.touching = some_of(face.corners);
    solid.faces.push_back(std::move(face));
  }
  return solid;
}

// Fans, which are sound in faces without dents.
std::unique_ptr<const TriangleMesh> triangles_of(const Polytope& solid) {
  ClosedSurface surface;
  surface.points = solid.vertices;
  for (const PolytopeFace& face : solid.faces) {
    for (std::size_t k = 1; k + 1 < face.corners.size(); ++k)
      surface.triangles.push_back({face.corners[0], face.corners[k], face.corners[k + 1]});
  }
  return std::make_unique<const TriangleMesh>(surface);
}

double half_width(const Polytope& solid) {
  double least = std::numeric_limits<double>::infinity();
  for (const PolytopeFace& face : solid.faces) {
    double low = 0;
    for (const Vector3d& vertex : solid.vertices)
      low = std::max(low, -face.normal.dot(vertex - solid.vertices[face.corners[0]]));
    least = std::min(least, low / 2);
  }
  return least;
}

std::shared_ptr<HullData> make_own_hull(const std::vector<Vector3d>& points, const std::string& key) {
  const auto refuse = [&](const std::string& what) -> ShapeError {
    return ShapeError({key, what, "four or more points that are the corners of a solid, in m",
                       "add points that lie outside the plane of the others"});
  };
  if (points.size() < 4) throw refuse(fmt::format("{} points", points.size()));
  Vector3d low = points[0], high = points[0];
  for (const Vector3d& point : points) low = low.cwiseMin(point), high = high.cwiseMax(point);
  const double size = (high - low).norm();
  auto hull = std::make_shared<HullData>();
  const std::vector<HullFace> faces = hull_faces(points);
  if (faces.size() < 4) throw refuse("points that lie in a plane or on a line");
  hull->solid = take_faces(faces, points);
  hull->thickness = half_width(hull->solid);
  if (!(hull->thickness > 1e-9 * size)) throw refuse("points that lie in a plane or on a line");
  if (hull->solid.vertices.size() > most_vertices)
    throw ShapeError({key, fmt::format("{} corners of the hull", hull->solid.vertices.size()),
                      fmt::format("at most {}", most_vertices), "leave out points that hardly show"});
  add_neighbours(hull->solid);
  hull->mesh = triangles_of(hull->solid);
  hull->mass = mass_of(hull->solid);
  for (const Vector3d& vertex : hull->solid.vertices) hull->radius = std::max(hull->radius, vertex.norm());
  return hull;
}

}  // namespace

std::shared_ptr<const HullData> make_hull(const std::vector<Vector3d>& points, const std::string& key) {
  return make_own_hull(points, key);
}

namespace {

const HullData& data_of(const Shape<3>& shape) {
  return static_cast<const HullData&>(*shape.data);
}

// The hull of all points of a file, with a word where that fills dents. A surface that is open has no volume to compare
// with, and need not have one.
std::shared_ptr<const HullData> hull_of_file(const ModelFile& file, double unit) {
  TriangleSoup soup;
  try {
    soup = read_triangles(file.content(), file.name);
  } catch (const std::invalid_argument& failure) {
    throw ShapeError({"file", fmt::format("\"{}\": {}", file.name, failure.what()),
                      "points of a solid in an STL, OBJ or PLY file", ""});
  }
  for (Vector3d& point : soup.points) point *= unit;
  const std::shared_ptr<HullData> hull = make_own_hull(soup.points, "file");
  constexpr double noticed = 1e-6;  // of the volume
  const double whole = hull->mass.volume;
  try {
    const double own = close_surface(std::move(soup)).volume;
    if (own < (1 - noticed) * whole)
      hull->filled =
          fmt::format("a part of {:.6g} m^3, whose hull has {:.6g} m^3: dents and holes are filled", own, whole);
  } catch (const std::invalid_argument& failure) {
    hull->filled = fmt::format("an open surface ({}), of which the hull of all points is taken", failure.what());
  }
  return hull;
}

void take_hull(const Settings& keys, Shape<3>& shape) {
  const bool by_file = keys.has("file");
  if (by_file == keys.has("points"))
    throw ShapeError({"", by_file ? "both `points` and `file`" : "neither `points` nor `file`",
                      "the corners of a convex solid, as `points` or as those of a `file`", "leave one of the two"});
  shape.data = by_file ? hull_of_file(keys.file("file"), keys.number("unit", 1)) : make_hull(keys.points("points"));
}

std::vector<ShapeRemark> remarks_on_hull(const Shape<3>& shape) {
  if (data_of(shape).filled.empty()) return {};
  return {{"file", data_of(shape).filled, "a part without dents", "shape = \"mesh\" keeps them"}};
}

double hull_bounding_radius(const Shape<3>& shape) {
  return data_of(shape).radius;
}

double hull_thickness(const Shape<3>& shape) {
  return data_of(shape).thickness;
}

double hull_lowest(const Shape<3>& shape, const BodyState<3>& body, const Vector3d& n) {
  const Vector3d local = to_shape<3>(shape, body, n);
  const Polytope& solid = hull_of(shape);
  return n.dot(centre_of<3>(shape, body)) + local.dot(solid.vertices[farthest_vertex(solid, -local)]);
}

double hull_normal_share(const Shape<3>& shape, const BodyState<3>& body, const Vector3d& n) {
  const Vector3d local = to_shape<3>(shape, body, n);
  double most = 0;
  for (const PolytopeFace& face : hull_of(shape).faces) most = std::max(most, std::abs(local.dot(face.normal)));
  return most;
}

MassProperties hull_mass(const Shape<3>& shape) {
  return data_of(shape).mass;
}

ShapeSurface hull_surface(const Shape<3>& shape, int) {
  ShapeSurface surface;
  surface.points = hull_of(shape).vertices;
  for (const PolytopeFace& face : hull_of(shape).faces) surface.faces.push_back(face.corners);
  return surface;
}

ContactPoint<3> corner_over_plane(const ConvexBody& solid, int corner, const Vector3d& normal, const Vector3d& base) {
  const Vector3d point = solid.point(corner, normal);
  const double gap = normal.dot(point);
  return {gap, -normal, base + point, base + point - gap * normal};
}

ContactPoint<3> point_of_corner(const Shape<3>& hull, const Shape<3>& plane, const BodyState<3>& body_a,
                                const BodyState<3>& body_b, Feature feature) {
  const Vector3d normal = plane_normal<3>(plane, body_b), base = centre_of<3>(plane, body_b);
  return corner_over_plane(ConvexBody(hull, body_a, base), lead_of(feature), normal, base);
}

// The corners of the face that looks down, and the lowest corner.
void write_hull_plane(const Shape<3>& hull, const Shape<3>& plane, const BodyState<3>& body_a,
                      const BodyState<3>& body_b, ContactManifold<3>& manifold, double*) {
  const Vector3d normal = plane_normal<3>(plane, body_b), base = centre_of<3>(plane, body_b);
  const ConvexBody solid(hull, body_a, base);
  const auto touch = [&](int corner) {
    manifold.add(feature_of(corner, 0), corner_over_plane(solid, corner, normal, base));
  };
  const int lowest = solid.farthest(-normal);
  const std::vector<int>& corners = solid.polytope().faces[solid.facing(-normal)].touching;
  for (const int corner : corners) touch(corner);
  if (std::find(corners.begin(), corners.end(), lowest) == corners.end()) touch(lowest);
}

}  // namespace

ShapeDescription<3> describe_hull() {
  return {.kind = hull_kind,
          .name = "hull",
          .optional = {"points", "file", "unit"},
          .take = take_hull,
          .remarks = remarks_on_hull,
          .bounding_radius = hull_bounding_radius,
          .lowest = hull_lowest,
          .lowest_point = lowest_of_convex,
          .thickness = hull_thickness,
          .normal_share = hull_normal_share,
          .mass = hull_mass,
          .surface = hull_surface};
}

PairDescription<3> describe_hull_plane() {
  return {.a = hull_kind,
          .b = ShapeKind::plane,
          .name = "hull_plane",
          .summary = "the corners of the face that looks down, and the lowest corner",
          .points = fixed_count<3, most_face_corners + 1>,
          .memory = fixed_count<3, 0>,
          .effective_radius = no_effective_radius<3>,
          .write = write_hull_plane,
          .point_of = point_of_corner};
}

}  // namespace carom::inline contact_geometry
