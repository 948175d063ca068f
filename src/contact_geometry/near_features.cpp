#include "contact_geometry/near_features.h"

#include <algorithm>

namespace carom::inline contact_geometry {

namespace {

// Places in the head of a list: how long it is, and one more, or minus the looks without one; how far it reaches, m;
// where parts of it begin; the poses at which it was made, and of the last look.
constexpr int size_at = 0, within_at = 1, face_edge_at = 2, edge_edge_at = 3, looked_at = 4, made_at = 5, last_at = 17;
constexpr double looks_ahead = 10;  // for which a list is made
constexpr double few_looks = 3;     // for which it is not worth while
constexpr double thinner = 0.25;    // skin, of a list that was too long

// Whether an edge may be so near to a triangle: not if it is beyond its plane, or beside it. Boxes along the axes say
// little about long thin triangles, into which round flat sides are cut.
bool may_be_near(const std::array<Eigen::Vector3d, 2>& edge, const std::array<Eigen::Vector3d, 3>& face,
                 double within) {
  const Eigen::Vector3d normal = (face[1] - face[0]).cross(face[2] - face[0]);
  const auto is_beyond = [&](const Eigen::Vector3d& side, const Eigen::Vector3d& on, double sign) {
    const double far = within * side.norm();
    return sign * side.dot(edge[0] - on) > far && sign * side.dot(edge[1] - on) > far;
  };
  if (is_beyond(normal, face[0], 1) || is_beyond(normal, face[0], -1)) return false;
  for (int k = 0; k < 3; ++k) {
    if (is_beyond((face[(k + 1) % 3] - face[k]).cross(normal), face[k], 1)) return false;
  }
  return true;
}

}  // namespace

NearFeatures::NearFeatures(const TriangleMesh& a, const TriangleMesh& b, const Eigen::Matrix3d& axes,
                           const Eigen::Vector3d& offset, double size_of_b)
    : a_(a),
      b_(b),
      axes_(axes),
      turn_(axes.colwise().normalized()),
      stretch_(axes.colwise().norm()),
      offset_(offset),
      size_of_b_(size_of_b) {}

// No point of b moves by more.
double NearFeatures::moved_from(const double* pose) const {
  const Eigen::Map<const Eigen::Vector3d> offset(pose);
  const Eigen::Map<const Eigen::Matrix3d> axes(pose + 3);
  return (offset_ - offset).norm() + (axes_ - axes).norm() * size_of_b_;
}

void NearFeatures::note(double* pose) const {
  std::copy_n(offset_.data(), 3, pose);
  std::copy_n(axes_.data(), 9, pose + 3);
}

void NearFeatures::recall(double* memory) {
  moved_ = memory[looked_at] > 0 ? moved_from(memory + last_at) : -1;
  memory[looked_at] = 1;
  if (memory[size_at] < 0) memory[size_at] += 1;
  note(memory + last_at);
  take_list(memory);
}

void NearFeatures::take_list(const double* memory) {
  complete_ = -1;
  if (!(memory[size_at] > 0)) return;
  complete_ = memory[within_at] - moved_from(memory + made_at);
  const auto size = static_cast<std::size_t>(memory[size_at]) - 1,
             faces = static_cast<std::size_t>(memory[face_edge_at]),
             edges = static_cast<std::size_t>(memory[edge_edge_at]);
  const std::span<const double> list(memory + head, size);
  edge_face_ = list.first(faces), face_edge_ = list.subspan(faces, edges - faces), edge_edge_ = list.subspan(edges);
}

template <NearKind kind>
bool NearFeatures::are_near(int of_a, int of_b, double within) const {
  const auto ends_of_a = [&] {
    const auto& ends = a_.edge(of_a).vertex;
    return std::array{a_.vertex(ends[0]).position, a_.vertex(ends[1]).position};
  };
  const auto ends_of_b = [&] {
    const auto& ends = b_.edge(of_b).vertex;
    return std::array{on_a(b_.vertex(ends[0]).position), on_a(b_.vertex(ends[1]).position)};
  };
  if constexpr (kind == NearKind::edge_face) {
    return may_be_near(ends_of_a(), {on_a(b_.corner(of_b, 0)), on_a(b_.corner(of_b, 1)), on_a(b_.corner(of_b, 2))},
                       within);
  } else if constexpr (kind == NearKind::face_edge) {
    return may_be_near(ends_of_b(), {a_.corner(of_a, 0), a_.corner(of_a, 1), a_.corner(of_a, 2)}, within);
  } else {
    if (!a_.edge(of_a).is_ridge() || !b_.edge(of_b).is_ridge()) return false;
    const auto a = ends_of_a(), b = ends_of_b();
    const SegmentPlaces places = nearest_of_segments(a[0], a[1], b[0], b[1]);
    return (places.on_two - places.on_one).squaredNorm() <= within * within;
  }
}

template <NearKind kind>
int NearFeatures::add_to_list(double within, int count, double* list) const {
  const int most = most_of(a_, b_);
  const auto near = [&](EdgesAtFaces& at_faces, int edge, int face) {
    return at_faces.may_be_near(edge, face, within);
  };
  with_filter<kind>(within, near, [&](const auto& may) {
    places<kind>().visit_all(within, [&](int item_a, int item_b) {
      if (!may(item_a, item_b)) return true;
      if (!knows_planes<kind>() && !are_near<kind>(feature_of_a<kind>(item_a), feature_of_b<kind>(item_b), within))
        return true;
      if (count++ < most) list[count - 1] = coded * item_a + item_b;
      return count <= most;
    });
  });
  return count;
}

void NearFeatures::remember(double reach, double thickest, double* memory) {
  if (complete_ >= reach || moved_ < 0 || few_looks * moved_ > thickest || memory[size_at] < 0) return;
  const double skin = std::clamp(looks_ahead * moved_, std::min(reach, thickest), thickest);
  if (!make_list(reach + skin, memory) && !make_list(reach + thinner * skin, memory)) memory[size_at] = -looks_ahead;
  take_list(memory);
}

bool NearFeatures::make_list(double within, double* memory) const {
  const int faces = add_to_list<NearKind::edge_face>(within, 0, memory + head),
            edges = add_to_list<NearKind::face_edge>(within, faces, memory + head),
            count = add_to_list<NearKind::edge_edge>(within, edges, memory + head);
  memory[size_at] = count + 1, memory[within_at] = within;
  memory[face_edge_at] = faces, memory[edge_edge_at] = edges;
  note(memory + made_at);
  return count <= most_of(a_, b_);
}

}  // namespace carom::inline contact_geometry
