#include "contact_geometry/mesh_shape.h"
#include "contact_geometry/ring.h"

// All pairs in which a mesh is one of the two.
namespace carom::inline contact_geometry {

PairDescription<3> describe_mesh_plane(ShapeKind kind, const std::string& name);
PairDescription<3> describe_mesh_sphere(ShapeKind kind, const std::string& name);
PairDescription<3> describe_mesh_solid(ShapeKind kind, ShapeKind solid, const std::string& name);
PairDescription<3> describe_mesh_mesh(ShapeKind a, ShapeKind b, const std::string& name);
PairDescription<3> describe_mesh_in_bore(ShapeKind kind, const std::string& name);
PairDescription<3> describe_mesh_in_hole(ShapeKind hole, ShapeKind kind, const std::string& name);

std::vector<PairDescription<3>> describe_mesh_pairs() {
  std::vector<PairDescription<3>> pairs;
  const auto add_pairs = [&](ShapeKind kind, const std::string& name) {
    pairs.push_back(describe_mesh_sphere(kind, name));
    pairs.push_back(describe_mesh_mesh(kind, ShapeKind::box, name + "_box"));
    pairs.push_back(describe_mesh_mesh(kind, hull_kind, name + "_hull"));
    for (const auto& [solid, its_name] :
         {std::pair{ShapeKind::capsule, "capsule"}, std::pair{ShapeKind::cylinder, "cylinder"},
          std::pair{ShapeKind::ellipsoid, "ellipsoid"}, std::pair{cone_kind, "cone"}, std::pair{torus_kind, "torus"}})
      pairs.push_back(describe_mesh_solid(kind, solid, name + "_" + its_name));
    pairs.push_back(describe_mesh_plane(kind, name));
    pairs.push_back(describe_mesh_mesh(kind, kind, name + "_" + name));
    pairs.push_back(describe_mesh_in_bore(kind, "bore_" + name));
    pairs.push_back(describe_mesh_in_hole(ShapeKind::cavity, kind, "cavity_" + name));
    pairs.push_back(describe_mesh_in_hole(ShapeKind::slot, kind, "slot_" + name));
  };
  add_pairs(mesh_kind, "mesh");
  add_pairs(heightfield_kind, "heightfield");
  pairs.push_back(describe_mesh_mesh(heightfield_kind, mesh_kind, "heightfield_mesh"));
  return pairs;
}

}  // namespace carom::inline contact_geometry
