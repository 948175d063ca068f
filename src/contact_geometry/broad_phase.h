#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "contact_geometry/shape.h"

// Which shapes are near enough to be looked at.
namespace carom::inline contact_geometry {

// Two shapes by their numbers, a < b. The order of candidates is that of their keys.
struct Candidate {
  int a, b;
  std::uint64_t key() const { return static_cast<std::uint64_t>(a) << 32 | static_cast<std::uint32_t>(b); }
  friend bool operator==(const Candidate&, const Candidate&) = default;
};

// Calls carry(before, after) with the indices of every pair that is in both lists, in order: what belongs to a pair
// moves along when the list is made anew.
template <typename Carry>
void for_each_kept(std::span<const Candidate> old_list, std::span<const Candidate> new_list, Carry carry) {
  std::size_t before = 0, after = 0;
  while (before < old_list.size() && after < new_list.size()) {
    const std::uint64_t one = old_list[before].key(), two = new_list[after].key();
    if (one == two) carry(before, after);
    before += one <= two ? 1 : 0;
    after += two <= one ? 1 : 0;
  }
}

// Keeps the list of pairs whose bounding spheres are less than a skin apart. The list holds until a shape has moved by
// half a skin, because no two shapes outside the list can have met by then.
//
// Shapes up to twice the median radius lie in a grid of cells as wide as two of them and a skin, so each is tested
// against those in its own and the neighbouring cells only; larger ones, planes and slots are tested against all. The
// work grows with the number of shapes times the number of large ones plus one. Updates allocate nothing once the lists
// have had their greatest size.
template <int D>
class BroadPhase {
 public:
  // Which pairs may touch at all, by body, group and the like; asked for near pairs only.
  using Filter = std::function<bool(const Shape<D>&, const Shape<D>&)>;

  // Shapes of one body and kinds that have no pair in the catalogue never make candidates. skin > 0, m.
  BroadPhase(std::vector<Shape<D>> shapes, double skin, Filter allowed = {});

  // m, by which a shape has moved at most since the list was made; infinite before the first.
  double moved(const Bodies<D>& bodies) const;
  bool needs_update(const Bodies<D>& bodies) const { return !(moved(bodies) <= list_skin_ / 2); }
  // Makes the list anew if it must be, or will have to be once shapes have moved by another `margin`; true when it did.
  bool update(const Bodies<D>& bodies, double margin = 0) { return update_after(moved(bodies), bodies, margin); }
  // The same where it is known how far they have moved.
  bool update_after(double moved, const Bodies<D>& bodies, double margin);
  // Makes the list anew, with a wider skin, if shapes may meet that it does not hold while none moves farther than
  // `travel` from here; true when it did.
  bool cover(const Bodies<D>& bodies, double travel);
  // The list as of the last update, sorted.
  std::span<const Candidate> candidates() const { return candidates_; }
  // The list before that, to carry data over.
  std::span<const Candidate> previous_candidates() const { return previous_; }

  // The list of another one over the same shapes.
  void take_list(const BroadPhase& other) {
    Filter own = std::move(allowed_);
    *this = other;
    allowed_ = std::move(own);
  }

  const std::vector<Shape<D>>& shapes() const { return shapes_; }
  double skin() const { return skin_; }
  // Distances computed for the last list.
  std::uint64_t tests() const { return tests_; }

 private:
  using Cell = Eigen::Matrix<std::int64_t, D, 1>;

  void rebuild(const Bodies<D>& bodies, double skin);
  void place(const Bodies<D>& bodies);
  void fill_grid();
  void test_neighbours();
  void test_large();
  void sort_candidates();
  Cell cell_of(const VectorOf<D>& centre) const;
  std::size_t bucket_of(const Cell& cell) const;
  void test(int one, int two);
  double separation(int one, int two) const;

  std::vector<Shape<D>> shapes_;
  double skin_, list_skin_;            // m, usual and of the present list
  double cell_size_ = 1, widest_ = 0;  // m, and the radius of the largest small shape
  Filter allowed_;
  std::vector<double> radii_;
  std::vector<int> small_, large_;

  // Where the shapes were when the list was made.
  bool placed_ = false;
  double reach_ = 0;  // m, greatest distance of two shapes
  std::vector<VectorOf<D>> centres_, normals_;

  // Grid: the small shapes sorted by bucket.
  std::vector<Cell> cells_;
  std::vector<std::size_t> bucket_starts_;
  std::vector<int> members_;

  std::vector<Candidate> found_, candidates_, previous_;
  std::vector<std::size_t> offsets_;
  std::uint64_t tests_ = 0;
};

}  // namespace carom::inline contact_geometry
