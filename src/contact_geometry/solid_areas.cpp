#include <algorithm>
#include <cmath>

#include "contact_geometry/area_pairs.h"
#include "contact_geometry/mesh_shape.h"
#include "contact_geometry/pressed_patch.h"

// Built-in solids pressed over areas on whatever they touch, and surfaces of triangles in holes: by boundary elements
// over that one of the two that has smooth faces. Where they touch is known from their points.
namespace carom::inline contact_geometry {
namespace {

constexpr double same_solid_area = 0.2;  // of the smaller size

struct SolidWorkspace {
  PressedPatch patch;
  ContactManifold<3> manifold;
};

SolidWorkspace& solid_workspace() {
  thread_local SolidWorkspace workspace;
  return workspace;
}

// Whether the first of two shapes is the one that is cut into cells: never a plane or triangles, no hole with a
// solid in it, round ones rather than boxes, and the smaller of two.
bool first_is_carrier(const Shape<3>& a, const Shape<3>& b) {
  const bool one = has_faces(a.kind), two = has_faces(b.kind);
  if (one != two) return one;
  if (is_hole(a.kind) != is_hole(b.kind)) return is_hole(b.kind);
  if ((a.kind == ShapeKind::box) != (b.kind == ShapeKind::box)) return b.kind == ShapeKind::box;
  return a.bounding_radius() <= b.bounding_radius();
}

double smaller_size(const Shape<3>& a, const Shape<3>& b) {
  return std::min(a.bounding_radius(), b.bounding_radius());
}

// Places where the two overlap, on the carrier and in its axes, the deepest first.
struct Seeds {
  std::array<Eigen::Vector3d, PressedPatch::most_seeds> place;
  int count = 0;
  double depth = 0;  // m, the greatest
};

Seeds find_seeds(const ContactManifold<3>& manifold, const PlacedFrame& frame, bool carrier_is_a) {
  Seeds seeds;
  for (int k = 0; k < manifold.size(); ++k) {
    const ContactPoint<3>& point = manifold.point(k);
    if (!(point.gap < 0)) continue;
    const Eigen::Vector3d at = frame.inside(carrier_is_a ? point.point_a : point.point_b);
    if (-point.gap > seeds.depth && seeds.count > 0) {
      const Eigen::Vector3d before = seeds.place[0];
      seeds.place[0] = at, seeds.depth = -point.gap;
      if (seeds.count < PressedPatch::most_seeds) seeds.place[seeds.count++] = before;
    } else if (seeds.count < PressedPatch::most_seeds) {
      seeds.depth = std::max(seeds.depth, -point.gap);
      seeds.place[seeds.count++] = at;
    }
  }
  return seeds;
}

// The area as the sphere that stores its energy with its force.
ContactPoint<3> point_of_area(const PressedPatch::Area& area, const PlacedFrame& frame, bool carrier_is_a) {
  const double force = area.force.norm(), depth = 2.5 * area.energy / force,
               root = 0.75 * force / (depth * std::sqrt(depth));
  const Eigen::Vector3d normal = (carrier_is_a ? -1 : 1) / force * (frame.axes * area.force),
                        middle = frame.outside(area.centre);
  return {-depth,
          normal,
          middle + 0.5 * depth * normal,
          middle - 0.5 * depth * normal,
          {root * root, area.area, area.peak, area.lever}};
}

void add_nearest(const ContactManifold<3>& manifold, const PlacedFrame& frame, AreaSlots& slots) {
  int nearest = -1;
  for (int k = 0; k < manifold.size(); ++k) {
    if (nearest < 0 || manifold.point(k).gap < manifold.point(nearest).gap) nearest = k;
  }
  if (nearest < 0) return;
  ContactPoint<3> point = manifold.point(nearest);
  point.gap = std::max(point.gap, 0.0);
  slots.add(frame.inside(point.point_a), point);
}

template <int across>
void evaluate_solid_area(const Shape<3>& a, const Shape<3>& b, const BodyState<3>& body_a, const BodyState<3>& body_b,
                         ContactPoint<3>* points, double* memory) {
  SolidWorkspace& work = solid_workspace();
  const PairDescription<3>& pair = *find_pair<3>(a.kind, b.kind);
  write_manifold(pair, a, b, body_a, body_b, work.manifold, memory + most_areas * memory_of_area);
  const bool carrier_is_a = first_is_carrier(a, b);
  const PlacedFrame frame_a(a, body_a), frame_b(b, body_b);
  const PlacedFrame &frame = carrier_is_a ? frame_a : frame_b, &other = carrier_is_a ? frame_b : frame_a;
  AreaSlots slots(most_areas, same_solid_area * smaller_size(a, b), memory);
  const Seeds seeds = find_seeds(work.manifold, frame, carrier_is_a);
  if (seeds.count > 0) {
    work.patch.press(carrier_is_a ? a : b, carrier_is_a ? b : a, frame.axes.transpose() * other.axes,
                     frame.inside(other.origin), {seeds.place.data(), static_cast<std::size_t>(seeds.count)},
                     seeds.depth, across);
    for (const PressedPatch::Area& area : work.patch.areas()) {
      const ContactPoint<3> point = point_of_area(area, frame, carrier_is_a);
      slots.add(frame_a.inside(0.5 * (point.point_a + point.point_b)), point);
    }
  }
  if (slots.size() == 0) add_nearest(work.manifold, frame_a, slots);
  slots.write(points);
}

template <int across>
int areas_of_solids(const Shape<3>& a, const Shape<3>& b) {
  solid_workspace().patch.reserve(across);
  solid_workspace().manifold.reserve(find_pair<3>(a.kind, b.kind)->points(a, b));
  return most_areas;
}

int memory_of_solids(const Shape<3>& a, const Shape<3>& b) {
  return most_areas * memory_of_area + find_pair<3>(a.kind, b.kind)->memory(a, b);
}

bool can_press_over_areas(ShapeKind a, ShapeKind b) {
  return has_depths(a) && has_depths(b) && (has_faces(a) || has_faces(b)) && !(is_hole(a) && is_hole(b));
}

template <int across>
PairDescription<3> solid_area(const PairDescription<3>& points) {
  return {.a = points.a,
          .b = points.b,
          .name = points.name + "_area",
          .summary = "the connected areas in which the two press on each other, or the place where one may begin",
          .points = areas_of_solids<across>,
          .memory = memory_of_solids,
          .evaluate = evaluate_solid_area<across>,
          .effective_radius = smaller_size,
          .clearance = points.clearance,
          .middle = points.middle,
          .least_between = points.least_between};
}

}  // namespace

std::vector<PairDescription<3>> describe_solid_areas(int across) {
  std::vector<PairDescription<3>> pairs;
  for (const PairDescription<3>& points : pair_catalogue<3>()) {
    if (!can_press_over_areas(points.a, points.b)) continue;
    pairs.push_back(across == 12   ? solid_area<12>(points)
                    : across == 32 ? solid_area<32>(points)
                                   : solid_area<cells_across>(points));
  }
  return pairs;
}

}  // namespace carom::inline contact_geometry
