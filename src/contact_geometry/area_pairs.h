#pragma once

#include <array>
#include <span>
#include <vector>

#include "contact_geometry/pair.h"

// Pairs of shapes that press on each other over areas: every point stands for one connected area in which they overlap,
// at its centre of pressure, or for a place where another one may begin. They take the place of the pairs of the same
// shapes where contact acts by areas.
namespace carom::inline contact_geometry {

// In this order, or null. Surfaces of triangles with planes, boxes and each other, by one potential (pressure_field.h).
template <int D>
const PairDescription<D>* find_area_pair(ShapeKind a, ShapeKind b);
// Solids with flat faces whose stiffness is given: all of their overlap has one energy.
template <int D>
const PairDescription<D>* find_given_pair(ShapeKind a, ShapeKind b);
// The same of all solids with flat faces, boxes and hulls among themselves, too, whose stiffness follows from their
// materials.
template <int D>
const PairDescription<D>* find_flat_pair(ShapeKind a, ShapeKind b);
// Built-in solids with each other, planes, holes and surfaces of triangles, and these in holes, by boundary elements
// (half_space.h).
template <int D>
const PairDescription<D>* find_solid_area_pair(ShapeKind a, ShapeKind b);
template <int D>
bool is_area_pair(const PairDescription<D>& pair) {
  return &pair == find_area_pair<D>(pair.a, pair.b) || &pair == find_flat_pair<D>(pair.a, pair.b) ||
         &pair == find_solid_area_pair<D>(pair.a, pair.b);
}

// Cells of boundary elements along each side of a patch of built-in solids.
inline constexpr int cells_across = 16;

// Most areas of one pair at a time.
inline constexpr int most_areas = 8;
// Numbers of search memory for each: whether and where something was, whether and where it was under pressure.
inline constexpr int memory_of_area = 8;

// What keeps the areas of a pair apart over time: an area goes into the slot of the one that was nearest to it.
class AreaSlots {
 public:
  static constexpr int most = 16;
  // `near`, m: areas farther apart than this are different ones. The memory has memory_of_area numbers for each slot.
  AreaSlots(int slots, double near, double* memory, int points_each = 1)
      : slots_(slots), each_(points_each), near_(near), memory_(memory) {}

  // `place`: in axes that hardly move under it. Of more than there are slots the deepest stay. An area has the points
  // that go with a slot, all of one depth, or the first of them.
  void add(const Eigen::Vector3d& place, std::span<const ContactPoint<3>> points);
  void add(const Eigen::Vector3d& place, const ContactPoint<3>& point) { add(place, {&point, 1}); }
  int size() const { return size_; }
  // The points of the slots one after another.
  void write(ContactPoint<3>* points);

 private:
  struct Candidate {
    Eigen::Vector3d place;
    int points, slot;
  };
  enum class Kept { pressed_last, pressed, any };
  // Of areas and slots that are left, those nearest to each other, closer than `near`.
  void pair_up(Kept kept, double near);
  void match();
  void remember(int candidate);
  double gap(int candidate) const { return points_[candidate * each_].gap; }

  std::array<Candidate, most> candidates_;
  std::array<ContactPoint<3>, most> points_;  // of the candidates
  std::array<bool, most> taken_ = {};         // slots
  int size_ = 0, slots_, each_;
  double near_;
  double* memory_;
};

}  // namespace carom::inline contact_geometry
