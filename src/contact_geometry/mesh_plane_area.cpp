#include <algorithm>

#include <Eigen/Geometry>

#include "contact_geometry/area_pairs.h"
#include "contact_geometry/pressure_parts.h"
#include "contact_geometry/surface_overlap.h"

// A mesh pressed into a half space: what lies below the plane, cut exactly. Depths are measured along the normal of the
// plane to faces that look at it.
namespace carom::inline contact_geometry {
namespace {

constexpr double watched_for_areas = 0.01;  // of the size, above the plane
constexpr double same_area = 0.2;           // of the size

// Kept from call to call, so that nothing is allocated in a step.
struct PlaneWorkspace {
  PressureField field;
  PressureParts parts;
  std::vector<int> cell;           // by face, of those below the plane
  std::vector<long> sunk, beside;  // when a face was last seen there, and when a vertex was, beside such a face
  long now = 0;

  void make_room(const TriangleMesh& mesh) {
    const std::size_t count = std::min(mesh.faces().size(), most_reserved);
    field.reserve(count);
    if (!is_one_convex_body(mesh)) parts.reserve(count);
    if (beside.size() < mesh.vertices().size()) beside.resize(mesh.vertices().size(), 0);
    if (sunk.size() < mesh.faces().size()) sunk.resize(mesh.faces().size(), 0), cell.resize(mesh.faces().size(), 0);
  }
};

PlaneWorkspace& plane_workspace() {
  thread_local PlaneWorkspace workspace;
  return workspace;
}

class SunkMesh {
 public:
  SunkMesh(const Shape<3>& shape, const Shape<3>& plane, const BodyState<3>& body_a, const BodyState<3>& body_b)
      : mesh_(mesh_of(shape)),
        frame_(shape, body_a),
        up_(frame_.axes.transpose() * plane_normal<3>(plane, body_b)),
        base_(plane_normal<3>(plane, body_b).dot(centre_of<3>(plane, body_b) - frame_.origin)),
        axes_(up_),
        work_(plane_workspace()) {
    work_.make_room(mesh_);
  }

  void find(AreaSlots& slots, bool convex) {
    if (convex) {
      press_all(slots);
    } else {
      press_parts(slots);
      add_corners(slots);
    }
    if (slots.size() == 0) add_above(lowest_vertex(mesh_, up_), slots);
  }

 private:
  double depth(int vertex) const { return base_ - up_.dot(mesh_.vertex(vertex).position); }
  template <typename Visit>
  void visit_below(double height, const Visit& visit) const {
    const Eigen::Vector3d size = up_.cwiseAbs();
    mesh_.tree().visit([&](const AxisBox& box) { return up_.dot(box.centre()) - size.dot(box.half()) < height; },
                       visit);
  }

  bool is_below(int face) const {
    return std::ranges::any_of(mesh_.face(face).vertex, [this](int v) { return depth(v) > 0; });
  }
  bool looks_down(int face) const { return mesh_.face(face).normal.dot(up_) < 0; }
  Eigen::Vector3d on_plane(int vertex) const { return axes_.coordinates(mesh_.vertex(vertex).position, depth(vertex)); }
  std::array<Eigen::Vector3d, 3> corners_of(int face) const {
    const auto& vertex = mesh_.face(face).vertex;
    return {on_plane(vertex[0]), on_plane(vertex[1]), on_plane(vertex[2])};
  }

  void press(AreaSlots& slots, const FieldResult& result) const {
    const Eigen::Vector3d on_plane = result.centre.x() * axes_.first + result.centre.y() * axes_.second + base_ * up_;
    const double depth = result.depth();
    slots.add(on_plane,
              frame_.outside(ContactPoint<3>{-depth, -up_, on_plane - depth * up_, on_plane, area_of(result)}));
  }

  void press_all(AreaSlots& slots) {
    work_.field.clear();
    visit_below(base_, [&](int face) {
      if (looks_down(face) && is_below(face)) work_.field.add(corners_of(face));
    });
    if (!work_.field.empty()) press(slots, work_.field.solve(false));
  }

  // Each connected part by itself.
  void press_parts(AreaSlots& slots) {
    ++work_.now;
    work_.parts.clear();
    visit_below(base_, [&](int face) {
      if (is_below(face)) sink(face);
    });
    const int count = work_.parts.connect();
    for (int part = 0; part < count; ++part) {
      const FieldResult result = work_.parts.solve(part);
      if (result.force > 0) press(slots, result);
    }
  }

  void sink(int face) {
    const TriangleMesh::Face& own = mesh_.face(face);
    work_.sunk[face] = work_.now;
    work_.cell[face] = work_.parts.add(corners_of(face), looks_down(face));
    for (int k = 0; k < 3; ++k) {
      work_.beside[own.vertex[k]] = work_.now;
      const TriangleMesh::Edge& edge = mesh_.edge(own.edge[k]);
      const int other = edge.face[edge.face[0] == face ? 1 : 0];
      const int deeper = depth(edge.vertex[0]) >= depth(edge.vertex[1]) ? edge.vertex[0] : edge.vertex[1];
      if (work_.sunk[other] == work_.now && depth(deeper) > 0)
        work_.parts.link(work_.cell[face], work_.cell[other], on_plane(deeper));
    }
  }

  void add_above(int v, AreaSlots& slots) {
    const Eigen::Vector3d& at = mesh_.vertex(v).position;
    const double gap = -depth(v);
    slots.add(at, frame_.outside(ContactPoint<3>{gap, -up_, at, at - gap * up_}));
  }

  // Above the plane, where another area may begin.
  void add_corners(AreaSlots& slots) {
    const double height = base_ + watched_for_areas * mesh_.size();
    visit_below(height, [&](int face) {
      for (const int v : mesh_.face(face).vertex) {
        const TriangleMesh::Vertex& vertex = mesh_.vertex(v);
        if (vertex.owner != face || !vertex.is_corner || work_.beside[v] == work_.now) continue;
        const double gap = -depth(v);
        if (gap >= 0 && gap <= watched_for_areas * mesh_.size() && mesh_.vertex_looks_along(v, -up_, vertex.slack))
          add_above(v, slots);
      }
    });
  }

  const TriangleMesh& mesh_;
  PlacedFrame frame_;
  Eigen::Vector3d up_;  // normal of the plane and its height along it, in the axes of the mesh
  double base_;
  PlaneAxes axes_;
  PlaneWorkspace& work_;
};

int areas_on_plane(const Shape<3>& shape, const Shape<3>&) {
  plane_workspace().make_room(mesh_of(shape));
  return is_one_convex_body(mesh_of(shape)) ? 1 : most_areas;
}

int area_memory(const Shape<3>& shape, const Shape<3>& plane) {
  return memory_of_area * areas_on_plane(shape, plane);
}

void evaluate_mesh_plane_area(const Shape<3>& shape, const Shape<3>& plane, const BodyState<3>& body_a,
                              const BodyState<3>& body_b, ContactPoint<3>* points, double* memory) {
  const bool convex = is_one_convex_body(mesh_of(shape));
  AreaSlots slots(convex ? 1 : most_areas, same_area * mesh_of(shape).size(), memory);
  SunkMesh(shape, plane, body_a, body_b).find(slots, convex);
  slots.write(points);
}

}  // namespace

PairDescription<3> describe_mesh_plane_area(ShapeKind kind, const std::string& name) {
  return {.a = kind,
          .b = ShapeKind::plane,
          .name = name + "_plane_area",
          .summary = "the connected areas in which the mesh lies below the plane, and corners above it",
          .points = areas_on_plane,
          .memory = area_memory,
          .evaluate = evaluate_mesh_plane_area,
          .effective_radius = [](const Shape<3>& mesh, const Shape<3>&) { return mesh.bounding_radius(); }};
}

}  // namespace carom::inline contact_geometry
