#pragma once

#include <algorithm>
#include <cmath>
#include <span>

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
  // Takes the list, if it holds still.
  void recall(double* memory);
  // Makes it anew, if it does not hold for a reach (m), with a skin for some looks to come that each go as far as the
  // last one; not for meshes that go farther from one look to the next than such a list, with the thickest skin, holds.
  void remember(double reach, double thickest, double* memory);

  // Calls visit(feature of a, feature of b) with all that are no farther apart than within(), and with some others; a
  // negative number ends it.
  template <NearKind kind, typename Within, typename Visit>
  void visit(const Within& within, const Visit& visit) const;
  // The same by the trees.
  template <NearKind kind, typename Within, typename Visit>
  void visit_trees(const Within& within, const Visit& visit) const;

 private:
  static constexpr int head = 29;
  // Of two flat sides that lie on each other, or of threads, every edge is near some triangles.
  static int most_of(const TriangleMesh& a, const TriangleMesh& b) {
    constexpr std::size_t by_edge = 2, least = 200, most = 40000;
    return static_cast<int>(std::clamp(by_edge * (a.sharp_edges().size() + b.sharp_edges().size()), least, most));
  }
  static constexpr double coded = 1 << 26;  // more than meshes have: two numbers of features are one number

  // Of a box of b, stretched: where it is along the axes of a, and its own size.
  struct Turned {
    AxisBox box;
    double centre[3], half[3];
  };
  Turned box_on_a(const AxisBox& box) const;
  // Square of a distance that is at most that of the two, by the axes of a and of b; more than `enough` is not asked
  // for.
  double bound(const AxisBox& a, const Turned& b, double enough) const;
  Eigen::Vector3d on_a(const Eigen::Vector3d& local) const;
  double moved_from(const double* pose) const;  // m
  void note(double* pose) const;
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
  Eigen::Matrix3d axes_, size_of_axes_;  // axes of b to those of a, with its stretch; their magnitudes
  Eigen::Matrix3d turn_;                 // without it
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

inline NearFeatures::Turned NearFeatures::box_on_a(const AxisBox& box) const {
  double centre[3], half[3];
  for (int k = 0; k < 3; ++k) centre[k] = 0.5 * (box.low[k] + box.high[k]), half[k] = 0.5 * (box.high[k] - box.low[k]);
  Turned turned;
  for (int k = 0; k < 3; ++k) {
    const double middle = offset_[k] + (axes_(k, 0) * centre[0] + axes_(k, 1) * centre[1] + axes_(k, 2) * centre[2]);
    const double size = size_of_axes_(k, 0) * half[0] + size_of_axes_(k, 1) * half[1] + size_of_axes_(k, 2) * half[2];
    turned.box.low[k] = middle - size, turned.box.high[k] = middle + size;
    turned.centre[k] = middle, turned.half[k] = stretch_[k] * half[k];
  }
  return turned;
}

// A thin box that lies askew is thin along its own axes alone.
inline double NearFeatures::bound(const AxisBox& a, const Turned& b, double enough) const {
  const double along_a = a.distance_squared(b.box);
  if (along_a > enough) return along_a;
  double between[3], half[3], along_b = 0;
  for (int k = 0; k < 3; ++k)
    between[k] = b.centre[k] - 0.5 * (a.low[k] + a.high[k]), half[k] = 0.5 * (a.high[k] - a.low[k]);
  for (int k = 0; k < 3; ++k) {
    const double apart = turn_(0, k) * between[0] + turn_(1, k) * between[1] + turn_(2, k) * between[2];
    const double size =
        std::abs(turn_(0, k)) * half[0] + std::abs(turn_(1, k)) * half[1] + std::abs(turn_(2, k)) * half[2];
    const double gap = std::abs(apart) - size - b.half[k];
    along_b += gap > 0 ? gap * gap : 0;
  }
  return along_a > along_b ? along_a : along_b;
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

template <NearKind kind, typename Within, typename Visit>
void NearFeatures::visit_trees(const Within& within, const Visit& visit) const {
  struct Open {
    int a, b;
    double bound;
  };
  const BoxTree &of_a = kind == NearKind::face_edge ? a_.tree() : a_.edge_tree(),
                &of_b = kind == NearKind::edge_face ? b_.tree() : b_.edge_tree();
  if (of_a.empty() || of_b.empty()) return;
  const auto feature_of_a = [&](int item) { return kind == NearKind::face_edge ? item : a_.sharp_edges()[item]; };
  const auto feature_of_b = [&](int item) { return kind == NearKind::edge_face ? item : b_.sharp_edges()[item]; };
  const double stretched = axes_.squaredNorm() / 3;
  Open stack[4 * BoxTree::deepest];
  int size = 0;
  stack[size++] = {0, 0, bound(of_a.root().box, box_on_a(of_b.root().box), 1e300)};
  while (size > 0) {
    const Open open = stack[--size];
    const double limit = within();
    if (limit < 0) return;
    if (open.bound > limit * limit) continue;
    const BoxTree::Node &a = of_a.node(open.a), &b = of_b.node(open.b);
    if (a.is_leaf() && b.is_leaf()) {
      for (const int item_b : of_b.items(b)) {
        const AxisBox box = item_of_b<kind>(item_b);
        for (const int item_a : of_a.items(a)) {
          const double now = within();
          if (now < 0) return;
          if (item_of_a<kind>(item_a).distance_squared(box) <= now * now)
            visit(feature_of_a(item_a), feature_of_b(item_b));
        }
      }
      continue;
    }
    // The larger of the two is opened, and its nearer half looked at first.
    Open halves[2];
    const bool open_a =
        !a.is_leaf() && (b.is_leaf() || a.box.diagonal_squared() >= stretched * b.box.diagonal_squared());
    const Turned whole_b = open_a ? box_on_a(b.box) : Turned{};
    for (const int k : {0, 1}) {
      halves[k] = open_a ? Open{a.first + k, open.b, bound(of_a.node(a.first + k).box, whole_b, limit * limit)}
                         : Open{open.a, b.first + k, bound(a.box, box_on_a(of_b.node(b.first + k).box), limit * limit)};
    }
    const int nearer = halves[0].bound <= halves[1].bound ? 0 : 1;
    for (const int k : {1 - nearer, nearer}) {
      if (halves[k].bound <= limit * limit) stack[size++] = halves[k];
    }
  }
}

template <NearKind kind, typename Within, typename Visit>
void NearFeatures::visit(const Within& within, const Visit& visit) const {
  if (complete_ >= 0) {
    const bool enough = within() <= complete_;
    const std::span<const double> list = kind == NearKind::edge_face   ? edge_face_
                                         : kind == NearKind::face_edge ? face_edge_
                                                                       : edge_edge_;
    for (const double code : list) {
      const auto of_a = static_cast<int>(code / coded), of_b = static_cast<int>(code - coded * of_a);
      if (within() < 0) return;
      visit(of_a, of_b);
    }
    if (enough || within() <= complete_) return;
  }
  visit_trees<kind>(within, visit);
}

}  // namespace carom::inline contact_geometry
