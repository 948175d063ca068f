#include "contact_geometry/pair.h"
#include "contact_geometry/ring.h"
#include "contact_geometry/round_contact.h"
#include "contact_geometry/round_end.h"
#include "contact_geometry/shape_description.h"

// A torus: all points within `tube_radius` of a circle of `radius` about local z. Shape::half[0] holds the radius of
// the tube.
namespace carom::inline contact_geometry {

namespace {

using Eigen::Vector3d;

double tube_of(const Shape<3>& torus) {
  return torus.half[0];
}

void take_torus(const Settings& keys, Shape<3>& shape) {
  shape.half[0] = keys.number("tube_radius");
  if (!(shape.half[0] < shape.radius))
    throw ShapeError({"tube_radius", "a tube that has no hole", "less than the radius of the ring",
                      "make the tube thinner, or use a sphere or an ellipsoid"});
}

double torus_bounding_radius(const Shape<3>& torus) {
  return torus.radius + tube_of(torus);
}

double torus_curvature(const Shape<3>& torus) {
  return 2 / tube_of(torus);  // inside, where shapes overlap, too
}

MassProperties torus_mass(const Shape<3>& torus) {
  const double ring = torus.radius * torus.radius, tube = tube_of(torus) * tube_of(torus);
  MassProperties mass{.volume = 2 * M_PI * M_PI * torus.radius * tube};
  const double across = ring / 2 + 5 * tube / 8;
  mass.inertia.diagonal() << mass.volume * across, mass.volume * across, mass.volume * (ring + 0.75 * tube);
  return mass;
}

ShapeSurface torus_surface(const Shape<3>& torus, int sides) {
  ShapeSurface surface;
  const int around = std::max(8, sides / 2);
  for (int i = 0; i < sides; ++i) {
    const double ring = 2 * M_PI * i / sides;
    for (int j = 0; j < around; ++j) {
      const double tube = 2 * M_PI * j / around, out = torus.radius + tube_of(torus) * std::cos(tube);
      surface.points.emplace_back(out * std::cos(ring), out * std::sin(ring), tube_of(torus) * std::sin(tube));
    }
  }
  for (int i = 0; i < sides; ++i) {
    const int next = (i + 1) % sides;
    for (int j = 0; j < around; ++j) {
      const int up = (j + 1) % around;
      surface.faces.push_back({i * around + j, next * around + j, next * around + up, i * around + up});
    }
  }
  return surface;
}

// Balls at three places of the ring, on which one that lies flat lies.
Vector3d standing_place(const Ring& ring, int k) {
  return ring.at(2 * M_PI / 3 * k);
}

// The lowest point of the ring, which moves to its middle where the ring lies flat, see round_end.h.
void touch_torus_plane(const Shape<3>& torus, const Shape<3>& plane, const BodyState<3>& body_a,
                       const BodyState<3>& body_b, ContactPoint<3>* points, double*) {
  const Vector3d normal = plane_normal<3>(plane, body_b), base = centre_of<3>(plane, body_b);
  const Ring ring = ring_of(torus, body_a);
  const double tube = tube_of(torus);
  const auto touch = [&](double height, const Vector3d& middle) -> ContactPoint<3> {
    return {height - tube, -normal, middle - tube * normal, middle - height * normal};
  };
  const Vector3d lowest = lowest_on_ring(ring.centre, ring.axis, ring.radius, -normal);
  points[0] = touch(normal.dot(lowest - base), lowest);
  for (int k = 0; k < 3; ++k) {
    const Vector3d place = standing_place(ring, k);
    points[1 + k] = touch(normal.dot(place - base), place);
  }
}

// `from_a`: from the other solid, which comes first, to the torus.
ContactPoint<3> beside_torus(const Vector3d& middle, double tube, const RingDistance& next) {
  return {next.distance - tube, -next.direction, middle + next.distance * next.direction,
          middle + tube * next.direction};
}

void touch_sphere_torus(const Shape<3>& sphere, const Shape<3>& torus, const BodyState<3>& body_a,
                        const BodyState<3>& body_b, ContactPoint<3>* points, double*) {
  const Vector3d centre = centre_of<3>(sphere, body_a);
  spheres_touch<3>(centre, sphere.radius, ring_of(torus, body_b).nearest(centre), tube_of(torus), points[0]);
}

// Places of the ring that are nearest to a convex solid, and three that are fixed to it.
void write_convex_torus(const Shape<3>& solid, const Shape<3>& torus, const BodyState<3>& body_a,
                        const BodyState<3>& body_b, ContactManifold<3>& manifold, double*) {
  const ConvexBody other(solid, body_a, Vector3d::Zero());
  const Ring ring = ring_of(torus, body_b);
  const double tube = tube_of(torus);
  const auto distance = [&](const Vector3d& point) { return distance_to(other, point); };
  std::array<RingMinimum, most_ring_minima> minima;
  const int count = ring_minima<24>(ring, distance, minima);
  for (int k = 0; k < count; ++k)
    manifold.add(feature_of(0, minima[k].sector), beside_torus(ring.at(minima[k].angle), tube, minima[k].next));
  for (int k = 0; k < 3; ++k) {
    const Vector3d place = standing_place(ring, k);
    manifold.add(feature_of(1 + k, 0), beside_torus(place, tube, distance(place)));
  }
}

void write_torus_torus(const Shape<3>& one, const Shape<3>& two, const BodyState<3>& body_a, const BodyState<3>& body_b,
                       ContactManifold<3>& manifold, double*) {
  const Ring ring_a = ring_of(one, body_a), ring_b = ring_of(two, body_b);
  const auto distance = [&](const Vector3d& point) -> RingDistance {
    const Vector3d between = ring_a.nearest(point) - point;
    const double size = between.norm();
    return {size, size < coincident ? Vector3d(ring_a.axis) : Vector3d(between / size)};
  };
  const auto touch = [&](const Vector3d& place, const RingDistance& next) {
    const ContactPoint<3> tubes = beside_torus(place, tube_of(two), next);
    const double gap = tubes.gap - tube_of(one);
    return ContactPoint<3>{gap, tubes.normal, tubes.point_b - gap * tubes.normal, tubes.point_b};
  };
  std::array<RingMinimum, most_ring_minima> minima;
  const int count = ring_minima<48>(ring_b, distance, minima);
  for (int k = 0; k < count; ++k)
    manifold.add(feature_of(0, minima[k].sector), touch(ring_b.at(minima[k].angle), minima[k].next));
  for (int k = 0; k < 3; ++k) {
    const Vector3d place = standing_place(ring_b, k);
    manifold.add(feature_of(1 + k, 0), touch(place, distance(place)));
  }
}

PairDescription<3> describe_with_torus(ShapeKind other, const std::string& name) {
  return {
      .a = other,
      .b = torus_kind,
      .name = name + "_torus",
      .summary =
          "places of the ring that are nearest in their surroundings, four at the most, and three that are fixed to "
          "the torus, on which it lies",
      .points = fixed_count<3, most_ring_minima + 3>,
      .memory = fixed_count<3, 0>,
      .effective_radius = no_effective_radius<3>,
      .write = other == torus_kind ? write_torus_torus : write_convex_torus};
}

}  // namespace

ShapeDescription<3> describe_torus() {
  return {.kind = torus_kind,
          .name = "torus",
          .required = {"radius", "tube_radius"},
          .keys = {{.name = "tube_radius",
                    .unit = "m",
                    .meaning = "of the tube of a torus, less than the radius of its ring",
                    .minimum = 0,
                    .minimum_allowed = false}},
          .form = ShapeForm::outline,
          .take = take_torus,
          .bounding_radius = torus_bounding_radius,
          .thickness = tube_of,
          .turning_radius = radius_of<3>,
          .sharpness = torus_curvature,
          .mass = torus_mass,
          .surface = torus_surface};
}

std::vector<PairDescription<3>> describe_torus_pairs() {
  std::vector<PairDescription<3>> pairs = {
      {.a = torus_kind,
       .b = ShapeKind::plane,
       .name = "torus_plane",
       .summary = "the lowest point of the tube, then three at places that are fixed to the ring, on which it lies",
       .points = fixed_count<3, 4>,
       .memory = fixed_count<3, 0>,
       .evaluate = touch_torus_plane,
       .effective_radius = no_effective_radius<3>},
      {.a = ShapeKind::sphere,
       .b = torus_kind,
       .name = "sphere_torus",
       .summary = "the place of the ring that is nearest to the centre of the sphere",
       .points = fixed_count<3, 1>,
       .memory = fixed_count<3, 0>,
       .evaluate = touch_sphere_torus,
       .effective_radius = no_effective_radius<3>}};
  for (const auto& [kind, name] :
       {std::pair{ShapeKind::box, "box"}, std::pair{ShapeKind::capsule, "capsule"}, std::pair{cone_kind, "cone"},
        std::pair{ShapeKind::cylinder, "cylinder"}, std::pair{ShapeKind::ellipsoid, "ellipsoid"},
        std::pair{hull_kind, "hull"}, std::pair{torus_kind, "torus"}})
    pairs.push_back(describe_with_torus(kind, name));
  return pairs;
}

}  // namespace carom::inline contact_geometry
