#include <algorithm>

#include "contact_geometry/pair.h"
#include "contact_geometry/shape_description.h"

namespace carom::inline contact_geometry {

// One function per file of this room: shapes, then pairs.
template <int D>
ShapeDescription<D> describe_sphere();
template <int D>
ShapeDescription<D> describe_box();
template <int D>
ShapeDescription<D> describe_ellipsoid();
template <int D>
ShapeDescription<D> describe_cylinder();
template <int D>
ShapeDescription<D> describe_capsule();
template <int D>
ShapeDescription<D> describe_plane();
template <int D>
ShapeDescription<D> describe_profile_shape();
template <int D>
ShapeDescription<D> describe_cavity();
template <int D>
ShapeDescription<D> describe_slot();
template <int D>
ShapeDescription<D> describe_bore();
ShapeDescription<3> describe_cone();
ShapeDescription<3> describe_hull();
ShapeDescription<3> describe_torus();
ShapeDescription<3> describe_step();
ShapeDescription<2> describe_groove();
template <int D>
ShapeDescription<D> describe_inner_race();
template <int D>
ShapeDescription<D> describe_outer_race();

ShapeDescription<3> describe_inner_groove();
ShapeDescription<3> describe_outer_groove();

template <int D>
PairDescription<D> describe_box_plane();
template <int D>
PairDescription<D> describe_capsule_capsule();
template <int D>
PairDescription<D> describe_capsule_plane();
template <int D>
PairDescription<D> describe_capsule_sphere();
template <int D>
PairDescription<D> describe_cavity_sphere();
template <int D>
PairDescription<D> describe_ellipsoid_plane();
template <int D>
PairDescription<D> describe_slot_box();
template <int D>
PairDescription<D> describe_sphere_box();
template <int D>
PairDescription<D> describe_sphere_plane();
template <int D>
PairDescription<D> describe_sphere_sphere();
ShapeDescription<2> describe_outline_shape();
ShapeDescription<2> describe_gear();
ShapeDescription<2> describe_internal_gear();
ShapeDescription<2> describe_rack();
ShapeDescription<2> describe_cam();
ShapeDescription<2> describe_ratchet();
ShapeDescription<2> describe_geneva_wheel();
ShapeDescription<2> describe_geneva_driver();
ShapeDescription<2> describe_sprocket();
std::vector<PairDescription<2>> describe_outline_pairs();
PairDescription<2> describe_box_box();
PairDescription<2> describe_groove_sphere();
PairDescription<2> describe_inner_race_sphere();
PairDescription<2> describe_outer_race_sphere();
PairDescription<2> describe_profile_plane();
PairDescription<2> describe_profile_profile();
PairDescription<2> describe_profile_sphere();
PairDescription<2> describe_slot_sphere();
PairDescription<3> describe_bore_cylinder();
PairDescription<3> describe_inner_groove_sphere();
PairDescription<3> describe_outer_groove_sphere();
ShapeDescription<3> describe_mesh();
ShapeDescription<3> describe_heightfield();
std::vector<PairDescription<3>> describe_mesh_pairs();
PairDescription<3> describe_cone_plane();
PairDescription<3> describe_cylinder_plane();
PairDescription<3> describe_hull_plane();
std::vector<PairDescription<3>> describe_bore_solids();
std::vector<PairDescription<3>> describe_cavity_solids();
std::vector<PairDescription<3>> describe_convex_pairs();
std::vector<PairDescription<3>> describe_slot_solids();
std::vector<PairDescription<3>> describe_step_pairs();
std::vector<PairDescription<3>> describe_torus_pairs();

namespace {

template <int D>
std::vector<PairDescription<D>> make_catalogue() {
  std::vector<PairDescription<D>> catalogue = {describe_box_plane<D>(),     describe_capsule_capsule<D>(),
                                               describe_capsule_plane<D>(), describe_capsule_sphere<D>(),
                                               describe_cavity_sphere<D>(), describe_ellipsoid_plane<D>(),
                                               describe_slot_box<D>(),      describe_sphere_box<D>(),
                                               describe_sphere_plane<D>(),  describe_sphere_sphere<D>()};
  if constexpr (D == 2) {
    for (auto* describe :
         {describe_box_box, describe_groove_sphere, describe_inner_race_sphere, describe_outer_race_sphere,
          describe_profile_plane, describe_profile_profile, describe_profile_sphere, describe_slot_sphere})
      catalogue.push_back(describe());
    for (PairDescription<2>& pair : describe_outline_pairs()) catalogue.push_back(std::move(pair));
  } else {
    for (auto* describe : {describe_bore_cylinder, describe_cone_plane, describe_cylinder_plane, describe_hull_plane,
                           describe_inner_groove_sphere, describe_outer_groove_sphere})
      catalogue.push_back(describe());
    for (auto* describe : {describe_bore_solids, describe_cavity_solids, describe_convex_pairs, describe_mesh_pairs,
                           describe_slot_solids, describe_step_pairs, describe_torus_pairs}) {
      for (const PairDescription<3>& pair : describe()) catalogue.push_back(pair);
    }
  }
  std::sort(catalogue.begin(), catalogue.end(), [](const auto& one, const auto& two) { return one.name < two.name; });
  return catalogue;
}

}  // namespace

template <int D>
const std::vector<PairDescription<D>>& pair_catalogue() {
  static const std::vector<PairDescription<D>> catalogue = make_catalogue<D>();
  return catalogue;
}

template <int D>
const PairDescription<D>* find_pair(ShapeKind a, ShapeKind b) {
  const auto& catalogue = pair_catalogue<D>();
  const auto found =
      std::find_if(catalogue.begin(), catalogue.end(), [&](const auto& pair) { return pair.a == a && pair.b == b; });
  return found == catalogue.end() ? nullptr : &*found;
}

template const std::vector<PairDescription<2>>& pair_catalogue<2>();
template const std::vector<PairDescription<3>>& pair_catalogue<3>();
template const PairDescription<2>* find_pair<2>(ShapeKind, ShapeKind);
template const PairDescription<3>* find_pair<3>(ShapeKind, ShapeKind);

template <int D>
const std::vector<ShapeDescription<D>>& shape_catalogue() {
  static const std::vector<ShapeDescription<D>> all = [] {
    std::vector<ShapeDescription<D>> list = {
        describe_sphere<D>(),        describe_box<D>(),     describe_ellipsoid<D>(),
        describe_cylinder<D>(),      describe_capsule<D>(), describe_plane<D>(),
        describe_profile_shape<D>(), describe_cavity<D>(),  describe_slot<D>()};
    if constexpr (D == 3)
      list.insert(list.end(),
                  {describe_bore<D>(), describe_cone(), describe_hull(), describe_torus(), describe_mesh(),
                   describe_heightfield(), describe_step(), describe_inner_groove(), describe_outer_groove()});
    if constexpr (D == 2)
      list.insert(list.end(),
                  {describe_outline_shape(), describe_gear(), describe_internal_gear(), describe_rack(), describe_cam(),
                   describe_ratchet(), describe_geneva_wheel(), describe_geneva_driver(), describe_sprocket(),
                   describe_groove(), describe_inner_race<D>(), describe_outer_race<D>()});
    return list;
  }();
  return all;
}

template const std::vector<ShapeDescription<2>>& shape_catalogue<2>();
template const std::vector<ShapeDescription<3>>& shape_catalogue<3>();

}  // namespace carom::inline contact_geometry
