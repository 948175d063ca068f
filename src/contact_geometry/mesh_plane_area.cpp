#include <algorithm>

#include <Eigen/Geometry>

#include "contact_geometry/area_pairs.h"
#include "contact_geometry/surface_overlap.h"

// A mesh pressed into a half space: what lies below the plane, cut exactly. Depths are measured along the normal of the
// plane to faces that look at it.
namespace carom::inline contact_geometry {
namespace {

constexpr double watched_for_areas = 0.01;  // of the size, above the plane
constexpr double same_area = 0.2;           // of the size

// Kept from call to call, so that nothing is allocated in a step.
struct PlaneWorkspace {
  struct Sunk {
    int face, root;
  };
  PressureField field;
  std::vector<Sunk> faces;
  // By vertex: when it was last seen below the plane, or beside such a one, and what it is connected with.
  std::vector<long> below, beside;
  std::vector<int> parent;
  long now = 0;

  void make_room(const TriangleMesh& mesh) {
    const std::size_t count = std::min(mesh.faces().size(), most_reserved);
    field.reserve(count), faces.reserve(count);
    if (parent.size() >= mesh.vertices().size()) return;
    below.resize(mesh.vertices().size(), 0), beside.resize(mesh.vertices().size(), 0);
    parent.resize(mesh.vertices().size(), 0);
  }
  int root(int v) {
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
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
    ++work_.now;
    work_.faces.clear();
    visit_below(base_, [&](int face) { sink(face, convex); });
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

  void sink(int face, bool convex) {
    const auto& corners = mesh_.face(face).vertex;
    int first = -1;
    for (const int v : corners) {
      if (!(depth(v) > 0)) continue;
      if (first < 0) first = v;
      if (convex) break;
      if (work_.below[v] != work_.now) work_.below[v] = work_.now, work_.parent[v] = v;
      work_.parent[work_.root(v)] = work_.root(first);
    }
    if (first < 0) return;
    if (!convex) {
      for (const int v : corners) work_.beside[v] = work_.now;
    }
    if (mesh_.face(face).normal.dot(up_) < 0) work_.faces.push_back({face, first});
  }

  void add_face(int face) {
    std::array<Eigen::Vector3d, 3> corners;
    for (int k = 0; k < 3; ++k) {
      const int v = mesh_.face(face).vertex[k];
      corners[k] = axes_.coordinates(mesh_.vertex(v).position, depth(v));
    }
    work_.field.add(corners);
  }

  void press(AreaSlots& slots, bool stepped) {
    if (work_.field.empty()) return;
    const FieldResult result = work_.field.solve(stepped);
    const Eigen::Vector3d on_plane = result.centre.x() * axes_.first + result.centre.y() * axes_.second + base_ * up_;
    const double depth = result.depth();
    slots.add(on_plane,
              frame_.outside(ContactPoint<3>{-depth, -up_, on_plane - depth * up_, on_plane, area_of(result)}));
  }

  void press_all(AreaSlots& slots) {
    work_.field.clear();
    for (const auto& each : work_.faces) add_face(each.face);
    press(slots, false);
  }

  // Each connected part by itself.
  void press_parts(AreaSlots& slots) {
    auto& faces = work_.faces;
    for (auto& each : faces) each.root = work_.root(each.root);
    std::sort(faces.begin(), faces.end(), [](const auto& one, const auto& two) {
      return one.root != two.root ? one.root < two.root : one.face < two.face;
    });
    for (std::size_t k = 0; k < faces.size();) {
      const int root = faces[k].root;
      work_.field.clear();
      for (; k < faces.size() && faces[k].root == root; ++k) add_face(faces[k].face);
      press(slots, true);
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
