#include "contact_geometry/hole_pairs.h"
#include "contact_geometry/mesh_points.h"
#include "contact_geometry/mesh_shape.h"
#include "contact_geometry/round_contact.h"

// Meshes in spherical cavities and in channels: vertices touch their walls, since nothing of a triangle is farther from
// the middle, or farther along a direction, than one of its corners.
namespace carom::inline contact_geometry {

namespace {

constexpr double watched_in_hole = 0.01;  // of the size, nearer to the middle than the farthest vertex

// Calls add(vertex) with the vertex of the greatest value, and with corners that are not much less and look along a
// direction there. bound(box): no less than the value of all points in it; along(position): the direction, unit.
template <typename Value, typename Bound, typename Along, typename Add>
void add_outermost(const TriangleMesh& mesh, double wall, const Value& value, const Bound& bound, const Along& along,
                   const Add& add) {
  int farthest = -1;
  double most = -std::numeric_limits<double>::infinity();
  mesh.tree().visit([&](const AxisBox& box) { return bound(box) > most; },
                    [&](int face) {
                      for (const int v : mesh.face(face).vertex) {
                        const double own = value(mesh.vertex(v).position);
                        if (own > most || (own == most && v < farthest)) most = own, farthest = v;
                      }
                    });
  add(farthest);
  const double least = std::min(most, wall) - watched_in_hole * mesh.size();
  mesh.tree().visit([&](const AxisBox& box) { return bound(box) >= least; },
                    [&](int face) {
                      for (const int v : mesh.face(face).vertex) {
                        const TriangleMesh::Vertex& vertex = mesh.vertex(v);
                        if (vertex.owner != face || !vertex.is_corner || value(vertex.position) < least) continue;
                        if (mesh.vertex_looks_along(v, along(vertex.position), vertex.slack)) add(v);
                      }
                    });
}

ContactPoint<3> vertex_in_cavity(const Shape<3>& cavity, const Shape<3>& shape, const BodyState<3>& body_a,
                                 const BodyState<3>& body_b, Feature feature) {
  const Eigen::Vector3d& at = mesh_of(shape).vertex(lead_of(feature)).position;
  ContactPoint<3> contact;
  journal_in_bearing<3>(centre_of<3>(cavity, body_a), cavity.radius, PlacedFrame(shape, body_b).outside(at), 0,
                        contact);
  return contact;
}

void write_cavity_mesh(const Shape<3>& cavity, const Shape<3>& shape, const BodyState<3>& body_a,
                       const BodyState<3>& body_b, ContactManifold<3>& manifold, double* memory) {
  const TriangleMesh& mesh = mesh_of(shape);
  const PlacedFrame frame(shape, body_b);
  const Eigen::Vector3d middle = centre_of<3>(cavity, body_a), centre = frame.inside(middle);
  MeshPoints points(1e-9 * mesh.size());
  const auto farthest_of = [&](const AxisBox& box) {
    return (box.low - centre).cwiseAbs().cwiseMax((box.high - centre).cwiseAbs()).norm();
  };
  add_outermost(
      mesh, cavity.radius, [&](const Eigen::Vector3d& at) { return (at - centre).norm(); }, farthest_of,
      [&](const Eigen::Vector3d& at) -> Eigen::Vector3d { return (at - centre).normalized(); },
      [&](int v) { points.add(feature_of(v, 0), vertex_in_cavity(cavity, shape, body_a, body_b, feature_of(v, 0))); });
  points.write(manifold, most_mesh_points, memory);
}

ContactPoint<3> vertex_in_slot(const Shape<3>& channel, const Shape<3>& shape, const BodyState<3>& body_a,
                               const BodyState<3>& body_b, Feature feature) {
  const auto wall = static_cast<int>(feature & 0xffffffff);
  const Eigen::Vector3d across = (wall % 2 == 0 ? 1 : -1) * axis_of<3>(channel, body_a, wall / 2);
  const Eigen::Vector3d at = PlacedFrame(shape, body_b).outside(mesh_of(shape).vertex(lead_of(feature)).position);
  const double gap = channel.half[wall / 2] - across.dot(at - centre_of<3>(channel, body_a));
  return {gap, -across, at + gap * across, at};
}

// Walls at positive local x of the channel, negative x, positive y, negative y.
void write_slot_mesh(const Shape<3>& channel, const Shape<3>& shape, const BodyState<3>& body_a,
                     const BodyState<3>& body_b, ContactManifold<3>& manifold, double* memory) {
  const TriangleMesh& mesh = mesh_of(shape);
  const PlacedFrame frame(shape, body_b);
  MeshPoints points(1e-9 * mesh.size());
  for (int wall = 0; wall < 4; ++wall) {
    const Eigen::Vector3d across = (wall % 2 == 0 ? 1 : -1) * axis_of<3>(channel, body_a, wall / 2),
                          n = frame.axes.transpose() * across;
    const double base = across.dot(centre_of<3>(channel, body_a) - frame.origin) + channel.half[wall / 2];
    add_outermost(
        mesh, base, [&](const Eigen::Vector3d& at) { return n.dot(at); },
        [&](const AxisBox& box) { return n.dot(box.centre()) + n.cwiseAbs().dot(box.half()); },
        [&](const Eigen::Vector3d&) { return n; },
        [&](int v) {
          const Feature feature = feature_of(v, wall);
          points.add(feature, vertex_in_slot(channel, shape, body_a, body_b, feature));
        });
  }
  points.write(manifold, most_mesh_points, memory);
}

double room_of_mesh_in_cavity(const Shape<3>& cavity, const Shape<3>& mesh) {
  return room_in_hole(cavity.radius, mesh_of(mesh).thickness());
}

double room_of_mesh_in_slot(const Shape<3>& channel, const Shape<3>& mesh) {
  return room_in_hole(std::min(channel.half[0], channel.half[1]), mesh_of(mesh).thickness());
}

}  // namespace

PairDescription<3> describe_mesh_in_hole(ShapeKind hole, ShapeKind kind, const std::string& name) {
  const bool round = hole == ShapeKind::cavity;
  return {.a = hole,
          .b = kind,
          .name = name,
          .summary = round ? "the vertex farthest from the centre, and others that the surface goes down from"
                           : "for each wall the vertex farthest towards it, and others that the surface goes down from",
          .points = fixed_count<3, most_mesh_points>,
          .memory = fixed_count<3, MeshPoints::remembered(most_mesh_points)>,
          .effective_radius = no_effective_radius<3>,
          .clearance = round ? room_of_mesh_in_cavity : room_of_mesh_in_slot,
          .write = round ? write_cavity_mesh : write_slot_mesh,
          .point_of = round ? vertex_in_cavity : vertex_in_slot};
}

}  // namespace carom::inline contact_geometry
