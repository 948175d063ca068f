#include <algorithm>
#include <cmath>

#include "contact_geometry/area_pairs.h"
#include "contact_geometry/flat_sided.h"
#include "contact_geometry/mesh_meeting.h"
#include "contact_geometry/meshes_between.h"
#include "contact_geometry/overlap_pieces.h"

// Two meshes pressed into each other, and a mesh and a box: areas about the points that the pair has, with depths along
// the direction in which the pressure pushes.
namespace carom::inline contact_geometry {
namespace {

constexpr double settled_direction =
    1e-7;                      // by which a direction may change that is settled: each turn gains three digits
constexpr int most_turns = 8;  // of the direction
constexpr double same_meshes_area = 0.2;  // of the smaller size
constexpr double along_direction = 0.5;   // cosine: points that may belong to one area

struct MeshWorkspace {
  ContactManifold<3> manifold{most_mesh_points};
  OverlapPieces pieces;
  PressureField field;
  PressureParts parts;
};

MeshWorkspace& mesh_workspace() {
  thread_local MeshWorkspace workspace;
  return workspace;
}

class PressedMeshes {
 public:
  PressedMeshes(const MeshesInPlace& meshes, const PlacedFrame& frame, bool convex)
      : meshes_(meshes),
        frame_(frame),
        convex_(convex),
        most_(std::min(meshes.a.thickness(), meshes.stretch.minCoeff() * meshes.b.thickness())),
        work_(mesh_workspace()) {}

  // The points of the pair are in the manifold of the workspace.
  void find(AreaSlots& slots) {
    const int count = std::min(work_.manifold.size(), most_mesh_points);
    std::array<bool, most_mesh_points> covered = {};
    for (int k = 0; k < count; ++k) covered[k] = is_other_side(k, count);
    for (;;) {
      const int seed = deepest_left(covered, count);
      if (seed < 0) break;
      covered[seed] = true;
      const Eigen::Vector3d place = place_of(seed);
      if (press(frame_.axes.transpose() * work_.manifold.point(seed).normal, place)) {
        add_area(slots);
        for (int k = 0; k < count; ++k) covered[k] = covered[k] || belongs(k);
      } else {
        add_point(seed, slots);
      }
    }
    if (convex_ && slots.size() > 0) return;
    for (int k = 0; k < count; ++k) {
      if (!(work_.manifold.point(k).gap < 0)) add_point(k, slots);
    }
  }

 private:
  Eigen::Vector3d place_of(int point) const {
    const ContactPoint<3>& contact = work_.manifold.point(point);
    return frame_.inside(0.5 * (contact.point_a + contact.point_b));
  }
  void add_point(int point, AreaSlots& slots) const { slots.add(place_of(point), work_.manifold.point(point)); }

  // Whether the same corner overlaps less along another direction: a corner deep below a wall has just come over its
  // edge.
  bool is_other_side(int point, int count) const {
    const ContactPoint<3>& own = work_.manifold.point(point);
    const double same = 1e-9 * meshes_.a.size();
    for (int k = 0; k < count; ++k) {
      const ContactPoint<3>& other = work_.manifold.point(k);
      if (!(own.gap < other.gap && other.gap < 0)) continue;
      if ((own.point_a - other.point_a).norm() < same || (own.point_b - other.point_b).norm() < same) return true;
    }
    return false;
  }

  // −1: all that overlap are covered.
  int deepest_left(const std::array<bool, most_mesh_points>& covered, int count) const {
    int best = -1;
    for (int k = 0; k < count; ++k) {
      const double gap = work_.manifold.point(k).gap;
      if (!covered[k] && gap < 0 && (best < 0 || gap < work_.manifold.point(best).gap)) best = k;
    }
    return best;
  }

  // The part of the pieces that a place belongs to: over it, or nearest.
  int part_at(const Eigen::Vector3d& place) const {
    const Eigen::Vector2d at = work_.pieces.axes().coordinates(place, 0).head<2>();
    int best = -1;
    double least = std::numeric_limits<double>::infinity();
    for (int p = 0; p < std::ssize(work_.pieces.pieces()); ++p) {
      const OverlapPieces::Piece& piece = work_.pieces.pieces()[p];
      bool over = true;
      double nearest = least;
      for (int c = 0; c < piece.corners; ++c) {
        const Eigen::Vector2d from = piece.corner[c].head<2>(),
                              along = piece.corner[(c + 1) % piece.corners].head<2>() - from, to = at - from;
        over = over && along.x() * to.y() - along.y() * to.x() >= 0;
        nearest = std::min(nearest, to.squaredNorm());
      }
      if (over) nearest = 0;
      if (nearest < least) least = nearest, best = p;
    }
    return best < 0 ? -1 : work_.parts.part_of(best);
  }

  bool belongs(int point) const {
    const ContactPoint<3>& contact = work_.manifold.point(point);
    if (!(contact.gap < 0) || (frame_.axes.transpose() * contact.normal).dot(direction_) < along_direction)
      return false;
    return convex_ || part_at(place_of(point)) == part_;
  }

  // Turns the direction until the pressure pushes along it; false: nothing overlaps along it.
  bool press(Eigen::Vector3d direction, const Eigen::Vector3d& place) {
    for (int turn = 0; turn < most_turns; ++turn) {
      direction_ = direction;
      work_.pieces.find(meshes_, direction, most_);
      if (!(convex_ ? solve_all() : solve_part(place))) return false;
      direction = push();
      if ((direction - direction_).norm() <= settled_direction) break;
    }
    return true;
  }

  bool solve_all() {
    work_.field.clear();
    for (const auto& piece : work_.pieces.pieces()) work_.field.add(piece.polygon());
    if (work_.field.empty()) return false;
    result_ = work_.field.solve(false);
    return true;
  }

  bool solve_part(const Eigen::Vector3d& place) {
    work_.pieces.connect(meshes_, work_.parts);
    work_.parts.connect();
    part_ = part_at(place);
    if (part_ < 0) return false;
    result_ = work_.parts.solve(part_);
    return result_.force > 0;
  }

  // Whether the face beyond a side of a piece looks away: the surface ends there.
  bool ends_at(const OverlapPieces::Piece& piece, int side) const {
    if (side < 3) {
      const TriangleMesh::Edge& edge = meshes_.a.edge(meshes_.a.face(piece.face_a).edge[side]);
      const int other = edge.face[edge.face[0] == piece.face_a ? 1 : 0];
      return meshes_.a.face(other).normal.dot(direction_) <= 0;
    }
    const TriangleMesh::Edge& edge = meshes_.b.edge(meshes_.b.face(piece.face_b).edge[side - 3]);
    const int other = edge.face[edge.face[0] == piece.face_b ? 1 : 0];
    return meshes_.normal_of_b(other).dot(direction_) >= 0;
  }

  // The mean direction of the surfaces, weighted by the pressure. Without walls both have the same one; where one ends
  // in a wall, the rim of the overlap lies on the other, whose direction counts. → height_
  Eigen::Vector3d push() {
    Eigen::Vector3d of_a = Eigen::Vector3d::Zero(), of_b = Eigen::Vector3d::Zero();
    double walls_of_a = 0, walls_of_b = 0, heights = 0, forces = 0;
    for (int p = 0; p < std::ssize(work_.pieces.pieces()); ++p) {
      if (!convex_ && work_.parts.part_of(p) != part_) continue;
      const OverlapPieces::Piece& piece = work_.pieces.pieces()[p];
      const auto share = convex_ ? PressureField::share_of(piece.polygon(), result_) : work_.parts.share_of(p);
      if (!(share.area > 0) && share.force == 0) continue;
      const Eigen::Vector3d& normal_a = meshes_.a.face(piece.face_a).normal;
      const Eigen::Vector3d normal_b = meshes_.normal_of_b(piece.face_b);
      of_a += share.force / normal_a.dot(direction_) * normal_a;
      of_b += share.force / normal_b.dot(direction_) * normal_b;
      const Eigen::Vector3d below =
          share.moment.x() * work_.pieces.axes().first + share.moment.y() * work_.pieces.axes().second;
      const double height =
          normal_a.dot(share.force * meshes_.a.corner(piece.face_a, 0) - below) / normal_a.dot(direction_);
      heights += height - 0.5 * share.moment.z(), forces += share.force;
      for (int c = 0; c < piece.corners; ++c) {
        const Eigen::Vector3d &from = piece.corner[c], &to = piece.corner[(c + 1) % piece.corners];
        const double wall = (to - from).head<2>().norm() * std::max(0.0, 0.5 * (from.z() + to.z()));
        if (wall > 0 && ends_at(piece, piece.side[c])) (piece.side[c] < 3 ? walls_of_a : walls_of_b) += wall;
      }
    }
    height_ = heights / forces;
    of_a.normalize(), of_b.normalize();
    const double walls = walls_of_a + walls_of_b;
    const double share = walls > 0 ? walls_of_b / walls : 0.5;
    return (share * of_a + (1 - share) * of_b).normalized();
  }

  void add_area(AreaSlots& slots) const {
    const Eigen::Vector3d middle = result_.centre.x() * work_.pieces.axes().first +
                                   result_.centre.y() * work_.pieces.axes().second + height_ * direction_;
    const double depth = result_.depth();
    slots.add(middle, frame_.outside(ContactPoint<3>{-depth, direction_, middle + 0.5 * depth * direction_,
                                                     middle - 0.5 * depth * direction_, area_of(result_)}));
  }

  const MeshesInPlace& meshes_;
  const PlacedFrame& frame_;
  bool convex_;
  double most_;  // m, deeper overlaps are those of the other side
  MeshWorkspace& work_;
  Eigen::Vector3d direction_ = Eigen::Vector3d::UnitZ();
  int part_ = 0;
  FieldResult result_;
  double height_ = 0;  // m, of the middle between the surfaces along the direction
};

void evaluate_areas(const TriangleMesh& a, const PlacedFrame& frame_a, const TriangleMesh& b,
                    const PlacedFrame& frame_b, const Eigen::Vector3d& stretch, double size_b, ContactPoint<3>* points,
                    double* memory) {
  const bool convex = is_one_convex_body(a) && is_one_convex_body(b);
  const double size = std::min(a.size(), size_b);
  AreaSlots slots(convex ? 1 : most_areas, same_meshes_area * size, memory);
  MeshWorkspace& work = mesh_workspace();
  work.manifold.clear();
  write_meshes(a, frame_a, b, frame_b, stretch, size_b, work.manifold, nullptr);
  const MeshesInPlace meshes{a, b, frame_a.axes.transpose() * frame_b.axes, frame_a.inside(frame_b.origin), stretch};
  PressedMeshes(meshes, frame_a, convex).find(slots);
  slots.write(points);
}

int areas_of(const TriangleMesh& a, const TriangleMesh& b) {
  mesh_workspace().pieces.make_room(a, b);
  const std::size_t count = std::min(4 * (a.faces().size() + b.faces().size()), most_reserved);
  mesh_workspace().field.reserve(count);
  if (!(is_one_convex_body(a) && is_one_convex_body(b))) mesh_workspace().parts.reserve(count);
  return is_one_convex_body(a) && is_one_convex_body(b) ? 1 : most_areas;
}

double smaller_radius(const Shape<3>& a, const Shape<3>& b) {
  return std::min(a.bounding_radius(), b.bounding_radius());
}

int areas_of_meshes(const Shape<3>& a, const Shape<3>& b) {
  return areas_of(mesh_of(a), *flat_sided(b).mesh);
}

void evaluate_mesh_mesh_area(const Shape<3>& a, const Shape<3>& b, const BodyState<3>& body_a,
                             const BodyState<3>& body_b, ContactPoint<3>* points, double* memory) {
  const FlatSided other = flat_sided(b);
  evaluate_areas(mesh_of(a), PlacedFrame(a, body_a), *other.mesh, PlacedFrame(b, body_b), other.stretch, other.size,
                 points, memory);
}

const char* const meshes_summary = "the connected areas in which the two overlap, and places where more may begin";

}  // namespace

PairDescription<3> describe_mesh_mesh_area(ShapeKind a, ShapeKind b, const std::string& name) {
  return {.a = a,
          .b = b,
          .name = name + "_area",
          .summary = meshes_summary,
          .points = areas_of_meshes,
          .memory = [](const Shape<3>& one, const Shape<3>& two) { return memory_of_area * areas_of_meshes(one, two); },
          .evaluate = evaluate_mesh_mesh_area,
          .effective_radius = smaller_radius,
          .least_between = least_between_meshes};
}

}  // namespace carom::inline contact_geometry
