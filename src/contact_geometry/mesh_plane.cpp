#include "contact_geometry/last_looks.h"
#include "contact_geometry/mesh_points.h"
#include "contact_geometry/mesh_shape.h"
#include "contact_geometry/slab_proof.h"

// The lowest vertices of a mesh over a half space.
namespace carom::inline contact_geometry {

int lowest_vertex(const TriangleMesh& mesh, const Eigen::Vector3d& n) {
  int best = -1;
  double least = std::numeric_limits<double>::infinity();
  const Eigen::Vector3d size = n.cwiseAbs();
  mesh.tree().visit([&](const AxisBox& box) { return n.dot(box.centre()) - size.dot(box.half()) < least; },
                    [&](int face) {
                      for (const int v : mesh.face(face).vertex) {
                        const double height = n.dot(mesh.vertex(v).position);
                        if (height < least || (height == least && v < best)) least = height, best = v;
                      }
                    });
  return best;
}

namespace {

constexpr double watched_above_plane = 0.01;  // of the size, above the lowest vertex

// A vertex and the plane, in the axes of the mesh.
class VertexOverPlane {
 public:
  VertexOverPlane(const Shape<3>& shape, const Shape<3>& plane, const BodyState<3>& body_a, const BodyState<3>& body_b)
      : mesh(mesh_of(shape)), frame_(shape, body_a) {
    const Eigen::Vector3d up = plane_normal<3>(plane, body_b);
    n = frame_.axes.transpose() * up;
    base = up.dot(centre_of<3>(plane, body_b) - frame_.origin);
  }
  ContactPoint<3> contact(int v) const {
    const Eigen::Vector3d& at = mesh.vertex(v).position;
    const double gap = n.dot(at) - base;
    return frame_.outside(ContactPoint<3>{gap, -n, at, at - gap * n});
  }

  const TriangleMesh& mesh;
  Eigen::Vector3d n;  // up
  double base = 0;    // height of the plane

 private:
  PlacedFrame frame_;
};

ContactPoint<3> point_of_vertex(const Shape<3>& shape, const Shape<3>& plane, const BodyState<3>& body_a,
                                const BodyState<3>& body_b, Feature feature) {
  return VertexOverPlane(shape, plane, body_a, body_b).contact(lead_of(feature));
}

void write_mesh_plane(const Shape<3>& shape, const Shape<3>& plane, const BodyState<3>& body_a,
                      const BodyState<3>& body_b, ContactManifold<3>& manifold, double* memory) {
  const LastLooks last(PlacedFrame(shape, body_a), PlacedFrame(plane, body_b), memory);
  if (last.recall(manifold)) return;
  if (memory) memory += LastLooks::numbers;
  const VertexOverPlane over(shape, plane, body_a, body_b);
  const TriangleMesh& mesh = over.mesh;
  const Eigen::Vector3d& n = over.n;
  const double base = over.base;
  MeshPoints points(1e-9 * mesh.size());
  const auto add = [&](int v) { points.add_other(feature_of(v, 0), over.contact(v)); };
  const int lowest = lowest_vertex(mesh, n);
  add(lowest);
  const double most = std::max(base, n.dot(mesh.vertex(lowest).position)) + watched_above_plane * mesh.size();
  const Eigen::Vector3d size = n.cwiseAbs();
  mesh.tree().visit([&](const AxisBox& box) { return n.dot(box.centre()) - size.dot(box.half()) <= most; },
                    [&](int face) {
                      for (const int v : mesh.face(face).vertex) {
                        const TriangleMesh::Vertex& vertex = mesh.vertex(v);
                        if (vertex.owner != face || v == lowest || !vertex.is_corner || n.dot(vertex.position) > most)
                          continue;
                        if (mesh.vertex_looks_along(v, -n, vertex.slack)) add(v);
                      }
                    });
  points.write(manifold, most_mesh_points, memory);
  last.remember(manifold);
}

// Every vertex by itself, but for those that are closed or below already.
double least_of_free_vertices(const Shape<3>& shape, const Shape<3>& plane, const BodyState<3>* from,
                              const BodyState<3>* to, const GapMotion& motion) {
  const TriangleMesh& mesh = mesh_of(shape);
  const PlacedFrame frames[2] = {PlacedFrame(shape, from[0]), PlacedFrame(shape, to[0])};
  Eigen::Vector3d n[2];
  double base[2];
  for (const int k : {0, 1}) {
    const BodyState<3>& body = k == 0 ? from[1] : to[1];
    const Eigen::Vector3d up = plane_normal<3>(plane, body);
    n[k] = frames[k].axes.transpose() * up, base[k] = up.dot(centre_of<3>(plane, body) - frames[k].origin);
  }
  const auto lowest = [&](const AxisBox& box, int k) {
    return n[k].dot(box.centre()) - n[k].cwiseAbs().dot(box.half()) - base[k];
  };
  double least = std::numeric_limits<double>::infinity();
  mesh.tree().visit(
      [&](const AxisBox& box) {
        return least >= motion.floor && least_between(lowest(box, 0), lowest(box, 1), motion.bend_b) < motion.floor;
      },
      [&](int face) {
        for (const int v : mesh.face(face).vertex) {
          const TriangleMesh::Vertex& vertex = mesh.vertex(v);
          if (vertex.owner != face || !vertex.is_corner || leads_closed(motion.closed, v)) continue;
          if (!mesh.vertex_looks_along(v, -n[0], vertex.slack + motion.turn)) continue;
          const double first = n[0].dot(vertex.position) - base[0], second = n[1].dot(vertex.position) - base[1];
          if (first >= motion.floor) least = std::min(least, least_between(first, second, motion.bend_b));
        }
      });
  return least;
}

}  // namespace

PairDescription<3> describe_mesh_plane(ShapeKind kind, const std::string& name) {
  return {.a = kind,
          .b = ShapeKind::plane,
          .name = name + "_plane",
          .summary = "the lowest vertex, and others that the surface goes up from, as the corners of a flat side",
          .points = fixed_count<3, most_mesh_points>,
          .memory = fixed_count<3, LastLooks::numbers + MeshPoints::remembered(most_mesh_points)>,
          .effective_radius = no_effective_radius<3>,
          .write = write_mesh_plane,
          .point_of = point_of_vertex,
          .least_between_free = least_of_free_vertices};
}

}  // namespace carom::inline contact_geometry
