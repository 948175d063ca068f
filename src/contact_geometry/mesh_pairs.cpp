#include "contact_geometry/mesh_shape.h"

// All pairs in which a mesh is one of the two.
namespace carom::inline contact_geometry {

PairDescription<3> describe_mesh_plane(ShapeKind kind, const std::string& name);
PairDescription<3> describe_mesh_sphere(ShapeKind kind, const std::string& name);
PairDescription<3> describe_mesh_box(ShapeKind kind, const std::string& name);
PairDescription<3> describe_mesh_solid(ShapeKind kind, ShapeKind solid, const std::string& name);
PairDescription<3> describe_mesh_mesh(ShapeKind a, ShapeKind b, const std::string& name);

std::vector<PairDescription<3>> describe_mesh_pairs() {
  std::vector<PairDescription<3>> pairs;
  const auto add_pairs = [&](ShapeKind kind, const std::string& name) {
    pairs.push_back(describe_mesh_sphere(kind, name));
    pairs.push_back(describe_mesh_box(kind, name));
    for (const auto& [solid, its_name] :
         {std::pair{ShapeKind::capsule, "capsule"}, std::pair{ShapeKind::cylinder, "cylinder"},
          std::pair{ShapeKind::ellipsoid, "ellipsoid"}, std::pair{kind_named("cone"), "cone"}})
      pairs.push_back(describe_mesh_solid(kind, solid, name + "_" + its_name));
  };
  add_pairs(mesh_kind, "mesh");
  pairs.push_back(describe_mesh_plane(mesh_kind, "mesh"));
  pairs.push_back(describe_mesh_mesh(mesh_kind, mesh_kind, "mesh_mesh"));
  add_pairs(heightfield_kind, "heightfield");
  pairs.push_back(describe_mesh_mesh(heightfield_kind, mesh_kind, "heightfield_mesh"));
  return pairs;
}

}  // namespace carom::inline contact_geometry
