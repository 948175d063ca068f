#include "contact_geometry/area_pairs.h"

#include <algorithm>
#include <limits>
#include <tuple>

#include "contact_geometry/convex_body.h"
#include "contact_geometry/mesh_shape.h"

namespace carom::inline contact_geometry {

PairDescription<3> describe_mesh_plane_area(ShapeKind kind, const std::string& name);
PairDescription<3> describe_mesh_mesh_area(ShapeKind a, ShapeKind b, const std::string& name);
PairDescription<3> describe_mesh_mesh_given(ShapeKind a, ShapeKind b, const std::string& name);
PairDescription<3> describe_flat_flat_given(ShapeKind a, ShapeKind b, const std::string& name);
std::vector<PairDescription<3>> describe_solid_areas(int across);

namespace {

// First number of the memory of a slot: 0 where nothing has been yet. Under pressure: when something was last.
constexpr double was_there = 1, was_pressed = 2;
constexpr int pressed_place = 4;  // first number of the memory of the last pressure

std::vector<PairDescription<3>> make_area_pairs() {
  std::vector<PairDescription<3>> pairs;
  for (const auto& [kind, name] : {std::pair{mesh_kind, std::string("mesh")}, std::pair{step_kind, std::string("step")},
                                   std::pair{heightfield_kind, std::string("heightfield")}}) {
    if (kind != heightfield_kind) pairs.push_back(describe_mesh_plane_area(kind, name));
    pairs.push_back(describe_mesh_mesh_area(kind, ShapeKind::box, name + "_box"));
  }
  for (const auto& [a, b, name] :
       {std::tuple{mesh_kind, mesh_kind, "mesh_mesh"}, std::tuple{heightfield_kind, mesh_kind, "heightfield_mesh"},
        std::tuple{step_kind, step_kind, "step_step"}, std::tuple{step_kind, mesh_kind, "step_mesh"},
        std::tuple{heightfield_kind, step_kind, "heightfield_step"}})
    pairs.push_back(describe_mesh_mesh_area(a, b, name));
  return pairs;
}

// All pairs of solids with flat faces one of which is made of triangles.
std::vector<PairDescription<3>> make_given_pairs() {
  std::vector<PairDescription<3>> pairs;
  for (const auto& [kind, name] : {std::pair{mesh_kind, std::string("mesh")}, std::pair{step_kind, std::string("step")},
                                   std::pair{heightfield_kind, std::string("heightfield")}}) {
    pairs.push_back(describe_mesh_mesh_given(kind, ShapeKind::box, name + "_box"));
    pairs.push_back(describe_mesh_mesh_given(kind, hull_kind, name + "_hull"));
    pairs.push_back(describe_mesh_mesh_given(kind, kind, name + "_" + name));
  }
  pairs.push_back(describe_mesh_mesh_given(heightfield_kind, mesh_kind, "heightfield_mesh"));
  pairs.push_back(describe_mesh_mesh_given(step_kind, mesh_kind, "step_mesh"));
  pairs.push_back(describe_mesh_mesh_given(heightfield_kind, step_kind, "heightfield_step"));
  return pairs;
}

const PairDescription<3>* find_among(const std::vector<PairDescription<3>>& pairs, ShapeKind a, ShapeKind b) {
  const auto found =
      std::find_if(pairs.begin(), pairs.end(), [&](const auto& pair) { return pair.a == a && pair.b == b; });
  return found == pairs.end() ? nullptr : &*found;
}

}  // namespace

template <>
const PairDescription<2>* find_area_pair<2>(ShapeKind, ShapeKind) {
  return nullptr;
}

template <>
const PairDescription<2>* find_given_pair<2>(ShapeKind, ShapeKind) {
  return nullptr;
}

template <>
const PairDescription<2>* find_flat_pair<2>(ShapeKind, ShapeKind) {
  return nullptr;
}

template <>
const PairDescription<3>* find_given_pair<3>(ShapeKind a, ShapeKind b) {
  static const std::vector<PairDescription<3>> all = make_given_pairs();
  return find_among(all, a, b);
}

template <>
const PairDescription<3>* find_flat_pair<3>(ShapeKind a, ShapeKind b) {
  static const std::vector<PairDescription<3>> all = {
      describe_flat_flat_given(ShapeKind::box, ShapeKind::box, "box_box"),
      describe_flat_flat_given(ShapeKind::box, hull_kind, "box_hull"),
      describe_flat_flat_given(hull_kind, hull_kind, "hull_hull")};
  const PairDescription<3>* const found = find_given_pair<3>(a, b);
  return found ? found : find_among(all, a, b);
}

template <>
const PairDescription<3>* find_area_pair<3>(ShapeKind a, ShapeKind b) {
  static const std::vector<PairDescription<3>> all = make_area_pairs();
  const PairDescription<3>* const found = find_among(all, a, b);
  return found ? found : find_given_pair<3>(a, b);
}

template <>
const PairDescription<2>* find_solid_area_pair<2>(ShapeKind, ShapeKind) {
  return nullptr;
}

template <>
const PairDescription<3>* find_solid_area_pair<3>(ShapeKind a, ShapeKind b) {
  static const std::vector<PairDescription<3>> all = describe_solid_areas(0);
  return find_among(all, a, b);
}

void AreaSlots::add(const Eigen::Vector3d& place, std::span<const ContactPoint<3>> points) {
  int index = size_;
  if (size_ < slots_) {
    ++size_;
  } else {
    index = 0;
    for (int c = 1; c < size_; ++c) index = gap(c) > gap(index) ? c : index;
    if (gap(index) <= points.front().gap) return;
  }
  candidates_[index] = {place, static_cast<int>(points.size()), -1};
  std::copy(points.begin(), points.end(), points_.begin() + index * each_);
}

// The nearest two of areas and slots belong together, then the nearest of the others, and so on.
void AreaSlots::pair_up(Kept kept, double near) {
  for (;;) {
    double least = near * near;
    int candidate = -1, slot = -1;
    for (int c = 0; c < size_; ++c) {
      if (candidates_[c].slot >= 0 || (kept != Kept::any && !(gap(c) < 0))) continue;
      for (int s = 0; s < slots_; ++s) {
        const double* const own = memory_ + memory_of_area * s;
        const double* const remembered = kept == Kept::any ? own : own + pressed_place;
        if (taken_[s] || remembered[0] == 0 || (kept == Kept::pressed_last && own[0] != was_pressed)) continue;
        const double distance =
            (candidates_[c].place - Eigen::Map<const Eigen::Vector3d>(remembered + 1)).squaredNorm();
        if (distance < least) least = distance, candidate = c, slot = s;
      }
    }
    if (candidate < 0) return;
    candidates_[candidate].slot = slot, taken_[slot] = true;
  }
}

// Areas under pressure come first, and go on as those that were under pressure before, also where states at which they
// were not were looked at in between. Where one parts, or two grow together, the centre of pressure leaps, so that it
// does not matter how far away they were.
void AreaSlots::match() {
  constexpr double anywhere = std::numeric_limits<double>::infinity();
  int balance = 0;
  for (int c = 0; c < size_; ++c) balance += gap(c) < 0 ? 1 : 0;
  for (int s = 0; s < slots_; ++s) balance -= memory_[memory_of_area * s] == was_pressed ? 1 : 0;
  pair_up(Kept::pressed_last, near_);
  if (balance != 0) pair_up(Kept::pressed_last, anywhere);
  pair_up(Kept::pressed, near_);
  pair_up(Kept::any, near_);
  pair_up(Kept::pressed_last, anywhere);
  for (int c = 0; c < size_; ++c) {
    if (candidates_[c].slot >= 0) continue;
    int free = -1;
    for (int s = 0; s < slots_; ++s) {
      if (!taken_[s] && (free < 0 || (memory_[memory_of_area * s] == 0 && memory_[memory_of_area * free] != 0)))
        free = s;
    }
    candidates_[c].slot = free, taken_[free] = true;
  }
}

void AreaSlots::remember(int candidate) {
  const Candidate& own = candidates_[candidate];
  double* remembered = memory_ + memory_of_area * own.slot;
  const bool pressed = gap(candidate) < 0;
  if (pressed || remembered[0] == 0) remembered[0] = pressed ? was_pressed : was_there;
  Eigen::Map<Eigen::Vector3d>(remembered + 1) = own.place;
  if (!pressed) return;
  remembered[pressed_place] = 1;
  Eigen::Map<Eigen::Vector3d>(remembered + pressed_place + 1) = own.place;
}

void AreaSlots::write(ContactPoint<3>* points) {
  std::fill_n(points, slots_ * each_, ContactPoint<3>{});
  const auto put = [&](int candidate, int slot) {
    std::copy_n(points_.begin() + candidate * each_, candidates_[candidate].points, points + slot * each_);
  };
  if (slots_ == 1) {
    if (size_ == 1) put(0, 0);
    return;
  }
  match();
  bool pressed = false;
  for (int c = 0; c < size_; ++c) pressed = pressed || gap(c) < 0;
  for (int s = 0; s < slots_ && pressed; ++s) {
    double& was = memory_[memory_of_area * s];
    if (was == was_pressed) was = was_there;
  }
  for (int c = 0; c < size_; ++c) {
    put(c, candidates_[c].slot);
    remember(c);
  }
}

}  // namespace carom::inline contact_geometry
