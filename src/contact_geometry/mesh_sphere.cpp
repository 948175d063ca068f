#include "contact_geometry/mesh_points.h"
#include "contact_geometry/mesh_shape.h"
#include "contact_geometry/round_contact.h"
#include "contact_geometry/solid_between.h"

// A ball touches a mesh wherever its centre has a nearest point among those about it: one on a flat or convex part,
// however it is cut into triangles, several in a corner that looks inwards.
namespace carom::inline contact_geometry {

namespace {

constexpr double watched_around_ball = 0.02;  // of the radius, beyond the nearest point
constexpr double not_behind = 1e-12;          // cosine: rounding of directions that are across

// The nearest point of a face to the centre is nearest on the faces beside it, too.
bool is_nearest_around(const TriangleMesh& mesh, const SurfacePlace& place, const Eigen::Vector3d& centre) {
  const Eigen::Vector3d away = centre - place.point;
  const double distance = std::sqrt(place.distance_squared), slack = not_behind * distance;
  if (place.element == Element::face) return mesh.face(place.index).normal.dot(away) >= 0;
  if (mesh.normal_at(place).dot(away) < 0) return false;
  if (place.element == Element::edge) return mesh.edge_looks_along(place.index, away, slack);
  return mesh.vertex_looks_along(place.index, away, slack);
}

// What touches on the mesh: a number for each face, edge and vertex.
std::uint32_t number_of(const TriangleMesh& mesh, const SurfacePlace& place) {
  const auto faces = static_cast<std::uint32_t>(mesh.faces().size()),
             edges = static_cast<std::uint32_t>(mesh.edges().size());
  const auto index = static_cast<std::uint32_t>(place.index);
  return place.element == Element::face   ? index
         : place.element == Element::edge ? faces + index
                                          : faces + edges + index;
}

void write_mesh_sphere(const Shape<3>& shape, const Shape<3>& sphere, const BodyState<3>& body_a,
                       const BodyState<3>& body_b, ContactManifold<3>& manifold, double* memory) {
  const TriangleMesh& mesh = mesh_of(shape);
  const PlacedFrame frame(shape, body_a);
  const Eigen::Vector3d centre = frame.inside(centre_of<3>(sphere, body_b));
  const SurfacePlace nearest = mesh.nearest(centre);
  const double distance = std::sqrt(nearest.distance_squared);
  const bool inside = mesh.normal_at(nearest).dot(centre - nearest.point) < 0;
  MeshPoints points(1e-9 * mesh.size());
  const auto add = [&](const SurfacePlace& place) {
    const Eigen::Vector3d away = centre - place.point;
    const double height = (inside ? -1.0 : 1.0) * std::sqrt(place.distance_squared);
    const Eigen::Vector3d normal =
        std::abs(height) < coincident ? mesh.normal_at(place) : Eigen::Vector3d(away / height);
    // The ball is what keeps touching.
    points.add(
        feature_of(0, number_of(mesh, place)),
        frame.outside(ContactPoint<3>{height - sphere.radius, normal, place.point, centre - sphere.radius * normal}));
  };
  add(nearest);
  if (!inside) {
    const double reach = std::max(distance, sphere.radius) + watched_around_ball * sphere.radius;
    mesh.tree().visit([&](const AxisBox& box) { return box.distance_squared(centre) <= reach * reach; },
                      [&](int face) {
                        if (mesh.box_of(face).distance_squared(centre) > reach * reach) return;
                        const SurfacePlace place = mesh.nearest_on_face(face, centre);
                        if (place.distance_squared <= reach * reach && is_nearest_around(mesh, place, centre))
                          add(place);
                      });
  }
  points.write(manifold, most_ball_points, memory);
}

}  // namespace

PairDescription<3> describe_mesh_sphere(ShapeKind kind, const std::string& name) {
  return {.a = kind,
          .b = ShapeKind::sphere,
          .name = name + "_sphere",
          .summary =
              "every point of the mesh that is nearer to the centre than those about it; a centre inside leaves "
              "by the nearest",
          .points = fixed_count<3, most_ball_points>,
          .memory = fixed_count<3, MeshPoints::remembered(most_ball_points)>,
          .effective_radius = radius_of_second<3>,
          .write = write_mesh_sphere,
          .least_between = least_between_mesh_and_solid,
          .least_between_free = least_between_free_mesh_and_solid};
}

}  // namespace carom::inline contact_geometry
