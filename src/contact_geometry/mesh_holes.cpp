#include "contact_geometry/depth_field.h"
#include "contact_geometry/hole_pairs.h"
#include "contact_geometry/mesh_points.h"
#include "contact_geometry/mesh_shape.h"
#include "contact_geometry/ring_mesh.h"
#include "contact_geometry/round_contact.h"

// Meshes in bores, spherical cavities and channels: vertices touch their walls, since nothing of a triangle is farther
// from the middle, or farther along a direction, than one of its corners; and the edges of a bore touch what looks out
// of it.
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
  if (farthest < 0) return;
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

// Edges of the bore count after the vertices. A contact of an edge lasts as long as it is found.
ContactPoint<3> vertex_in_bore(const Shape<3>& bore, const Shape<3>& shape, const BodyState<3>& body_a,
                               const BodyState<3>& body_b, Feature feature) {
  const TriangleMesh& mesh = mesh_of(shape);
  ContactPoint<3> contact;
  if (lead_of(feature) >= std::ssize(mesh.vertices())) return contact;
  const Eigen::Vector3d at = PlacedFrame(shape, body_b).outside(mesh.vertex(lead_of(feature)).position),
                        centre = centre_of<3>(bore, body_a), axis = axis_of<3>(bore, body_a, 2);
  const double along = axis.dot(at - centre);
  if (std::abs(along) <= bore.length / 2) journal_in_bearing<3>(centre + along * axis, bore.radius, at, 0, contact);
  return contact;
}

// Where an edge of the bore meets the mesh in a sector, and on both sides of where a feature of it is nearest.
RingHints hints_of(const RingPlaces::Sector& sector, double radius) {
  RingHints hints;
  if (sector.nearest.is_there()) {
    const double beside = std::clamp(1e-3 * sector.nearest.distance / radius, 1e-7, 1e-3);
    for (const double side : {-beside, beside}) hints.add(sector.nearest.angle + side);
  }
  if (sector.first.is_there()) hints.add(sector.first.angle);
  if (sector.last.is_there() && sector.last.angle > sector.first.angle) hints.add(sector.last.angle);
  std::sort(hints.angles.begin(), hints.angles.begin() + hints.count);
  return hints;
}

// Where an end of the bore is nearest to the mesh, or deepest in it. What lies along the edge is as near all along it:
// then the search finds no least distance, and the nearest feature counts.
struct BoreEdge {
  std::array<RingMinimum, most_ring_minima> minima;
  int count = 0;

  template <typename Distance>
  BoreEdge(const TriangleMesh& mesh, const Ring& edge, const Ring& local, double reach, const Distance& distance) {
    const RingPlaces places(mesh, local, reach);
    count = ring_minima<RingPlaces::sectors>(edge, distance, minima,
                                             [&](int k) { return hints_of(places.sector(k), edge.radius); });
    RingMinimum nearest;
    double least = std::numeric_limits<double>::infinity();
    for (int k = 0; k < RingPlaces::sectors; ++k) {
      const RingPlaces::Place& place = places.sector(k).nearest;
      if (place.distance < least) nearest = {k, place.angle, {}}, least = place.distance;
    }
    const bool is_found = count > 0 && !(minima[0].next.distance > least + 1e-12 * mesh.size());
    if (is_found || !(least < std::numeric_limits<double>::infinity())) return;
    nearest.next = distance(edge.at(nearest.angle));
    if (count == most_ring_minima) --count;
    std::copy_backward(minima.begin(), minima.begin() + count, minima.begin() + count + 1);
    minima[0] = nearest;
    ++count;
  }
};

void touch_bore_edges(const Shape<3>& bore, const Shape<3>& shape, const BodyState<3>& body_a, const PlacedFrame& frame,
                      MeshPoints& points) {
  const TriangleMesh& mesh = mesh_of(shape);
  const double reach = watched_in_hole * mesh.size();
  const auto distance = [&](const Eigen::Vector3d& at) -> RingDistance {
    const DepthPlace place = depth_in(shape, frame.inside(at), std::numeric_limits<double>::max());
    return {-place.depth, -(frame.axes * place.normal)};
  };
  Ring edge = ring_of(bore, body_a);
  const Eigen::Vector3d middle = edge.centre, box_axis = frame.axes.transpose() * edge.axis;
  const AxisBox& box = mesh.tree().root().box;
  const double level = edge.axis.dot(frame.outside(box.centre()) - middle), half = box_axis.cwiseAbs().dot(box.half());
  for (const int end : {0, 1}) {
    const double height = (end == 0 ? -0.5 : 0.5) * bore.length;
    if (height < level - half || height > level + half) continue;
    edge.centre = middle + height * edge.axis;
    const Ring local{frame.inside(edge.centre), frame.axes.transpose() * edge.x, frame.axes.transpose() * edge.y,
                     box_axis, edge.radius};
    const BoreEdge found(mesh, edge, local, reach, distance);
    for (int k = 0; k < found.count; ++k) {
      const Eigen::Vector3d place = edge.at(found.minima[k].angle);
      const RingDistance& next = found.minima[k].next;
      if (k == 0 || next.distance < reach)
        points.add(feature_of(static_cast<int>(mesh.vertices().size()) + end, found.minima[k].sector),
                   {next.distance, next.direction, place, place + next.distance * next.direction});
    }
  }
}

void write_bore_mesh(const Shape<3>& bore, const Shape<3>& shape, const BodyState<3>& body_a,
                     const BodyState<3>& body_b, ContactManifold<3>& manifold, double* memory) {
  const TriangleMesh& mesh = mesh_of(shape);
  const PlacedFrame frame(shape, body_b);
  const Eigen::Vector3d centre = frame.inside(centre_of<3>(bore, body_a)),
                        axis = frame.axes.transpose() * axis_of<3>(bore, body_a, 2);
  const double half = bore.length / 2;
  constexpr double beyond = -std::numeric_limits<double>::infinity();
  const auto out_of = [&](const Eigen::Vector3d& at) -> Eigen::Vector3d {
    return at - centre - axis.dot(at - centre) * axis;
  };
  const auto radius_at = [&](const Eigen::Vector3d& at) {
    return std::abs(axis.dot(at - centre)) <= half ? out_of(at).norm() : beyond;
  };
  MeshPoints points(1e-9 * mesh.size());
  add_outermost(
      mesh, bore.radius, radius_at,
      [&](const AxisBox& box) {
        const double size = axis.cwiseAbs().dot(box.half());
        if (std::abs(axis.dot(box.centre() - centre)) > half + size) return beyond;
        return out_of(box.centre()).norm() + box.half().norm();
      },
      [&](const Eigen::Vector3d& at) -> Eigen::Vector3d { return out_of(at).normalized(); },
      [&](int v) {
        if (radius_at(mesh.vertex(v).position) > beyond)
          points.add(feature_of(v, 0), vertex_in_bore(bore, shape, body_a, body_b, feature_of(v, 0)));
      });
  touch_bore_edges(bore, shape, body_a, frame, points);
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

double room_of_mesh_in_bore(const Shape<3>& bore, const Shape<3>& mesh) {
  return room_in_hole(bore.radius, mesh_of(mesh).thickness());
}

double room_of_mesh_in_cavity(const Shape<3>& cavity, const Shape<3>& mesh) {
  return room_in_hole(cavity.radius, mesh_of(mesh).thickness());
}

double room_of_mesh_in_slot(const Shape<3>& channel, const Shape<3>& mesh) {
  return room_in_hole(std::min(channel.half[0], channel.half[1]), mesh_of(mesh).thickness());
}

}  // namespace

PairDescription<3> describe_mesh_in_bore(ShapeKind kind, const std::string& name) {
  return {.a = ShapeKind::bore,
          .b = kind,
          .name = name,
          .summary =
              "inside the length of the bore the vertex farthest from the axis, and others that the surface goes "
              "down from, and where its edges are nearest to what looks out",
          .points = fixed_count<3, most_mesh_points>,
          .memory = fixed_count<3, MeshPoints::remembered(most_mesh_points)>,
          .effective_radius = no_effective_radius<3>,
          .clearance = room_of_mesh_in_bore,
          .write = write_bore_mesh,
          .point_of = vertex_in_bore};
}

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
