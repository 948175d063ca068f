#include "contact_geometry/convex_manifold.h"
#include "contact_geometry/pair.h"
#include "contact_geometry/shape_description.h"

// Pairs of convex solids that have no closed form of their own.
namespace carom::inline contact_geometry {

namespace {

void write_convex_pair(const Shape<3>& a, const Shape<3>& b, const BodyState<3>& body_a, const BodyState<3>& body_b,
                       ContactManifold<3>& manifold, double*) {
  // From a, so that the precision does not depend on where in the world they are.
  const Eigen::Vector3d origin = centre_of<3>(a, body_a);
  write_convex_manifold(ConvexBody(a, body_a, origin), ConvexBody(b, body_b, origin), origin, manifold);
}

// With a sphere or an ellipsoid, which touches in one place.
void evaluate_convex_pair(const Shape<3>& a, const Shape<3>& b, const BodyState<3>& body_a, const BodyState<3>& body_b,
                          ContactPoint<3>* points, double*) {
  const Eigen::Vector3d origin = centre_of<3>(a, body_a);
  const ConvexGap nearest = convex_gap(ConvexBody(a, body_a, origin), ConvexBody(b, body_b, origin));
  const Eigen::Vector3d on_a = nearest.on_a + origin;
  points[0] = {nearest.gap, nearest.normal, on_a, on_a + nearest.gap * nearest.normal};
}

bool has_one_point(ShapeKind kind) {
  return kind == ShapeKind::sphere || kind == ShapeKind::ellipsoid;
}

PairDescription<3> describe_convex_pair(ShapeKind a, ShapeKind b, const std::string& name) {
  PairDescription<3> pair{.a = a,
                          .b = b,
                          .name = name,
                          .summary = "",
                          .points = fixed_count<3, 1>,
                          .memory = fixed_count<3, 0>,
                          .effective_radius = no_effective_radius<3>};
  if (has_one_point(a) || has_one_point(b)) {
    pair.evaluate = evaluate_convex_pair;
    pair.summary = "the nearest points; of solids that overlap, those of the shortest way apart";
  } else {
    pair.points = fixed_count<3, most_convex_points>;
    pair.write = write_convex_pair;
    pair.summary =
        "the nearest points, and where flat or straight sides face each other the corners of what they have in common: "
        "corners of one above the other, edges that cross";
  }
  return pair;
}

}  // namespace

std::vector<PairDescription<3>> describe_convex_pairs() {
  using enum ShapeKind;
  unit_cube(), unit_segment(), single_point();  // are made here, not in a step
  struct Named {
    ShapeKind kind;
    std::string name;
  };
  // In alphabetical order, so that the names of pairs are, too.
  const std::vector<Named> solids = {{box, "box"},           {capsule, "capsule"},     {cone_kind, "cone"},
                                     {cylinder, "cylinder"}, {ellipsoid, "ellipsoid"}, {hull_kind, "hull"},
                                     {sphere, "sphere"}};
  std::vector<PairDescription<3>> pairs;
  for (std::size_t i = 0; i < solids.size(); ++i) {
    for (std::size_t j = i; j < solids.size(); ++j) {
      const ShapeKind a = solids[i].kind, b = solids[j].kind;
      const bool closed_form =
          (b == sphere && (a == box || a == capsule || a == sphere)) || (a == capsule && b == capsule);
      if (!closed_form) pairs.push_back(describe_convex_pair(a, b, solids[i].name + "_" + solids[j].name));
    }
  }
  return pairs;
}

}  // namespace carom::inline contact_geometry
