#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "contact_geometry/edge_at_faces.h"
#include "contact_geometry/triangle_mesh.h"

// Which features of two surfaces of triangles are near each other. All is in the axes of the first; the second may be
// stretched along its own axes, as a cube is to a box.
//
// Where two surfaces are nearest, touch or go through each other, a corner or a sharp edge of one of them takes part:
// two flat sides that lie on each other do so at the lines round them, however finely they are cut into triangles. So
// pairs of sharp edges with faces, and of ridges with ridges, tell all that pairs of triangles could.
namespace carom::inline contact_geometry {

enum class NearKind { edge_face, face_edge, edge_edge };  // of a, of b; corners go with their edges

class NearFeatures {
 public:
  NearFeatures(const TriangleMesh& a, const TriangleMesh& b, const Eigen::Matrix3d& axes, const Eigen::Vector3d& offset,
               double size_of_b);

  // Features that are near each other stay so for a while: a list of them spares the way through the trees. It is kept
  // in so many numbers, zeros at first, and holds as long as nothing has moved by more than its skin.
  static int numbers(const TriangleMesh& a, const TriangleMesh& b) { return head + most_of(a, b); }
  // A pose of b in a, and how far no point of b has come from it, m.
  static constexpr int pose_numbers = 12;
  void note(double* pose) const;
  double moved_from(const double* pose) const;
  // Takes the list, if it holds still.
  void recall(double* memory);
  // Makes it anew, if it does not hold for a reach (m), with a skin for some looks to come that each go as far as the
  // last one; not for meshes that go farther from one look to the next than such a list, with the thickest skin, holds.
  void remember(double reach, double thickest, double* memory);

  // Calls visit(feature of a, feature of b) with all that are no farther apart than within(), and with some others; a
  // negative number ends it.
  template <NearKind kind, typename Within, typename Visit>
  void visit(const Within& within, const Visit& visit) const;
  // The same in any order, of all that are no farther apart than a fixed way and that may be what is looked for:
  // may_be(EdgesAtFaces, sharp edge, face) tells of edges at faces, sooner than a visit.
  template <NearKind kind, typename MayBe, typename Visit>
  void visit_all(double within, const MayBe& may_be, const Visit& visit) const;
  // The same by the trees alone; visit() returns false to end it.
  template <NearKind kind, typename MayBe, typename Visit>
  void visit_all_of_trees(double within, const MayBe& may_be, const Visit& visit) const;

 private:
  template <NearKind kind>
  bool knows_planes() const;
  template <NearKind kind>
  EdgesAtFaces edges_at_faces() const;
  template <NearKind kind>
  WidePlaces places() const;
  template <NearKind kind, typename MayBe, typename Use>
  void with_filter(double within, const MayBe& may_be, const Use& use) const;
  template <NearKind kind, typename Within, typename Visit>
  void visit_trees(const Within& within, const Visit& visit) const;
  template <NearKind kind, typename Visit>
  bool visit_list(const Visit& visit) const;
  template <NearKind kind>
  int feature_of_a(int item) const {
    return kind == NearKind::face_edge ? item : a_.sharp_edges()[item];
  }
  template <NearKind kind>
  int feature_of_b(int item) const {
    return kind == NearKind::edge_face ? item : b_.sharp_edges()[item];
  }

  static constexpr int head = 29;
  // Of two flat sides that lie on each other, or of threads, every edge is near some triangles.
  static int most_of(const TriangleMesh& a, const TriangleMesh& b) {
    constexpr std::size_t by_edge = 2, least = 200, most = 40000;
    return static_cast<int>(std::clamp(by_edge * (a.sharp_edges().size() + b.sharp_edges().size()), least, most));
  }
  static constexpr double coded = 1 << 26;  // more than meshes have: two numbers of features are one number

  Eigen::Vector3d on_a(const Eigen::Vector3d& local) const;
  void take_list(const double* memory);
  bool make_list(double within, double* memory) const;  // false: it is too long
  template <NearKind kind>
  AxisBox item_of_b(int item) const;
  template <NearKind kind>
  const AxisBox& item_of_a(int item) const {
    if constexpr (kind == NearKind::face_edge) return a_.box_of(item);
    return a_.box_of_sharp_edge(item);
  }
  template <NearKind kind>
  bool are_near(int of_a, int of_b, double within) const;
  template <NearKind kind>
  int add_to_list(double within, int count, double* list) const;

  const TriangleMesh &a_, &b_;
  Eigen::Matrix3d axes_;  // axes of b to those of a, with its stretch
  Eigen::Matrix3d turn_;  // without it
  Eigen::Vector3d stretch_;
  Eigen::Vector3d offset_;
  double size_of_b_;                                           // m, farthest from its origin
  std::span<const double> edge_face_, face_edge_, edge_edge_;  // all that are nearer than `complete_`
  double complete_ = -1;                                       // m
  double moved_ = -1;                                          // m, since the last look; negative: there was none
};

// Number by number: these are the innermost of all searches.
inline Eigen::Vector3d NearFeatures::on_a(const Eigen::Vector3d& local) const {
  Eigen::Vector3d placed;
  for (int k = 0; k < 3; ++k)
    placed[k] = offset_[k] + (axes_(k, 0) * local[0] + axes_(k, 1) * local[1] + axes_(k, 2) * local[2]);
  return placed;
}

template <NearKind kind>
AxisBox NearFeatures::item_of_b(int item) const {
  AxisBox box;
  if constexpr (kind == NearKind::edge_face) {
    for (int k = 0; k < 3; ++k) box.add(on_a(b_.corner(item, k)));
  } else {
    for (const int end : b_.edge(b_.sharp_edges()[item]).vertex) box.add(on_a(b_.vertex(end).position));
  }
  return box;
}

// Whether edges of one at faces of the other are told apart by the planes of the faces; where b is stretched its planes
// are not what they are.
template <NearKind kind>
bool NearFeatures::knows_planes() const {
  return kind == NearKind::face_edge || (kind == NearKind::edge_face && !(stretch_.array() != 1).any());
}

template <NearKind kind>
EdgesAtFaces NearFeatures::edges_at_faces() const {
  if constexpr (kind == NearKind::face_edge) return {b_, a_, axes_, offset_};
  const Eigen::Matrix3d back = turn_.transpose();
  return {a_, b_, back, -(back * offset_)};
}

template <NearKind kind>
WidePlaces NearFeatures::places() const {
  return {kind == NearKind::face_edge ? a_.wide_tree() : a_.edge_tree(),
          kind == NearKind::edge_face ? b_.wide_tree() : b_.edge_tree(), turn_, offset_, stretch_};
}

// use(may(thing of a, thing of b, within)): by planes, or by boxes.
template <NearKind kind, typename MayBe, typename Use>
void NearFeatures::with_filter(double within, const MayBe& may_be, const Use& use) const {
  constexpr bool edge_of_a = kind == NearKind::edge_face;
  if (knows_planes<kind>()) {
    EdgesAtFaces at_faces = edges_at_faces<kind>();
    use([&](int item_a, int item_b) {
      return may_be(at_faces, edge_of_a ? item_a : item_b, edge_of_a ? item_b : item_a);
    });
    return;
  }
  int last_of_b = -1;
  AxisBox box_of_b;
  use([&](int item_a, int item_b) {
    if (item_b != last_of_b) box_of_b = item_of_b<kind>(item_b), last_of_b = item_b;
    return item_of_a<kind>(item_a).distance_squared(box_of_b) <= within * within;
  });
}

template <NearKind kind, typename Within, typename Visit>
void NearFeatures::visit_trees(const Within& within, const Visit& visit) const {
  const auto near = [&](EdgesAtFaces& at_faces, int edge, int face) {
    const double now = within();
    return now >= 0 && at_faces.may_be_near(edge, face, now);
  };
  with_filter<kind>(within(), near, [&](const auto& may) {
    places<kind>().visit(within, [&](int item_a, int item_b) {
      if (may(item_a, item_b)) visit(feature_of_a<kind>(item_a), feature_of_b<kind>(item_b));
    });
  });
}

template <NearKind kind, typename MayBe, typename Visit>
void NearFeatures::visit_all_of_trees(double within, const MayBe& may_be, const Visit& visit) const {
  with_filter<kind>(within, may_be, [&](const auto& may) {
    places<kind>().visit_all(within, [&](int item_a, int item_b) {
      return !may(item_a, item_b) || visit(feature_of_a<kind>(item_a), feature_of_b<kind>(item_b));
    });
  });
}

template <NearKind kind, typename Visit>
bool NearFeatures::visit_list(const Visit& visit) const {
  const std::span<const double> list = kind == NearKind::edge_face   ? edge_face_
                                       : kind == NearKind::face_edge ? face_edge_
                                                                     : edge_edge_;
  for (const double code : list) {
    const auto of_a = static_cast<int>(code / coded), of_b = static_cast<int>(code - coded * of_a);
    if (!visit(of_a, of_b)) return false;
  }
  return true;
}

template <NearKind kind, typename Within, typename Visit>
void NearFeatures::visit(const Within& within, const Visit& visit) const {
  if (complete_ >= 0) {
    const bool enough = within() <= complete_;
    const bool all = visit_list<kind>([&](int item_a, int item_b) {
      if (within() < 0) return false;
      visit(feature_of_a<kind>(item_a), feature_of_b<kind>(item_b));
      return true;
    });
    if (!all || enough || within() <= complete_) return;
  }
  visit_trees<kind>(within, visit);
}

template <NearKind kind, typename MayBe, typename Visit>
void NearFeatures::visit_all(double within, const MayBe& may_be, const Visit& visit) const {
  const auto go_on = [&](int of_a, int of_b) {
    visit(of_a, of_b);
    return true;
  };
  if (!(within <= complete_)) return visit_all_of_trees<kind>(within, may_be, go_on);
  if (!knows_planes<kind>()) {
    visit_list<kind>(
        [&](int item_a, int item_b) { return go_on(feature_of_a<kind>(item_a), feature_of_b<kind>(item_b)); });
    return;
  }
  with_filter<kind>(within, may_be, [&](const auto& may) {
    visit_list<kind>([&](int item_a, int item_b) {
      if (may(item_a, item_b)) visit(feature_of_a<kind>(item_a), feature_of_b<kind>(item_b));
      return true;
    });
  });
}

}  // namespace carom::inline contact_geometry
