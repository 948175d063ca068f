#include "contact_geometry/convex_body.h"
#include "contact_geometry/pair.h"
#include "contact_geometry/round_end.h"
#include "contact_geometry/shape_description.h"

// A cone, or one whose tip is cut off: `radius` at the negative end of local z, `top_radius` at the positive one,
// `length` between them, centred half-way. Shape::half[0] holds the top radius.
namespace carom::inline contact_geometry {

namespace {

double radius_at(const Shape<3>& shape, int end) {
  return end == 0 ? shape.radius : shape.half[0];
}

void take(const Settings& keys, Shape<3>& shape) {
  shape.half[0] = keys.number("top_radius", 0);
}

double cone_bounding_radius(const Shape<3>& shape) {
  return std::hypot(std::max(radius_at(shape, 0), radius_at(shape, 1)), shape.length / 2);
}

double cone_lowest(const Shape<3>& shape, const BodyState<3>& body, const Eigen::Vector3d& n) {
  const double along = n.dot(axis_of<3>(shape, body, 2)), across = std::sqrt(std::max(0.0, 1 - along * along));
  return n.dot(centre_of<3>(shape, body)) + std::min(-0.5 * shape.length * along - radius_at(shape, 0) * across,
                                                     0.5 * shape.length * along - radius_at(shape, 1) * across);
}

// Half of the radius half-way up, or of the length: a ball of that size has room.
double cone_thickness(const Shape<3>& shape) {
  return 0.5 * std::min(0.5 * (radius_at(shape, 0) + radius_at(shape, 1)), shape.length);
}

// Integrals of the powers of the radius over the length.
MassProperties cone_mass(const Shape<3>& shape) {
  const double low = radius_at(shape, 0), high = radius_at(shape, 1), length = shape.length;
  const double squares = low * low + low * high + high * high;
  MassProperties mass{.volume = M_PI * length / 3 * squares};
  const double up = length * (low * low + 2 * low * high + 3 * high * high) / (4 * squares);
  mass.centre.z() = up - length / 2;
  const double about = M_PI * length / 10 *
                       (std::pow(low, 4) + std::pow(low, 3) * high + low * low * high * high + low * std::pow(high, 3) +
                        std::pow(high, 4));
  const double along = M_PI * std::pow(length, 3) * (low * low / 30 + low * high / 10 + high * high / 5);
  const double across = about / 2 + along - mass.volume * up * up;
  mass.inertia.diagonal() << across, across, about;
  return mass;
}

ShapeSurface surface(const Shape<3>& shape, int sides) {
  ShapeSurface result;
  for (const int end : {0, 1}) {
    for (int k = 0; k < sides; ++k) {
      const double angle = 2 * M_PI * k / sides, radius = radius_at(shape, end);
      result.points.emplace_back(radius * std::cos(angle), radius * std::sin(angle), (end - 0.5) * shape.length);
    }
  }
  std::vector<int> low, high;
  for (int k = 0; k < sides; ++k) {
    const int next = (k + 1) % sides;
    result.faces.push_back({k, next, sides + next, sides + k});
    low.push_back(sides - 1 - k), high.push_back(sides + k);
  }
  result.faces.push_back(low), result.faces.push_back(high);
  return result;
}

// A tip touches with its one point.
void touch_plane(const Shape<3>& shape, const Shape<3>& plane, const BodyState<3>& body_a, const BodyState<3>& body_b,
                 ContactPoint<3>* points, double*) {
  const Eigen::Vector3d normal = plane_normal<3>(plane, body_b), base = centre_of<3>(plane, body_b);
  const Eigen::Vector3d x = axis_of<3>(shape, body_a, 0), y = axis_of<3>(shape, body_a, 1),
                        axis = axis_of<3>(shape, body_a, 2);
  for (const int end : {0, 1}) {
    const Eigen::Vector3d outward = end == 0 ? Eigen::Vector3d(-axis) : axis;
    const Eigen::Vector3d middle = centre_of<3>(shape, body_a) + 0.5 * shape.length * outward;
    if (radius_at(shape, end) > 0) {
      touch_end(middle, radius_at(shape, end), outward, x, y, normal, base, points + 4 * end);
      continue;
    }
    const double gap = normal.dot(middle - base);
    points[4 * end] = {gap, -normal, middle, middle - gap * normal};
    for (int k = 1; k < 4; ++k) points[4 * end + k] = {};
  }
}

}  // namespace

ShapeDescription<3> describe_cone() {
  return {.kind = cone_kind,
          .name = "cone",
          .required = {"radius", "length"},
          .optional = {"top_radius"},
          .keys = {{.name = "top_radius",
                    .unit = "m",
                    .meaning = "of a cone at its end of positive z; 0: a tip",
                    .default_text = "0",
                    .minimum = 0}},
          .take = take,
          .bounding_radius = cone_bounding_radius,
          .lowest = cone_lowest,
          .lowest_point = lowest_of_convex,
          .thickness = cone_thickness,
          .mass = cone_mass,
          .surface = surface};
}

PairDescription<3> describe_cone_plane() {
  return {.a = cone_kind,
          .b = ShapeKind::plane,
          .name = "cone_plane",
          .summary =
              "4 slots per end (negative z end first): the lowest point of the rim, then three points fixed to the end "
              "face at 0.9 of the radius, on which the cone stands; of a tip only the first",
          .points = fixed_count<3, 8>,
          .memory = fixed_count<3, 0>,
          .evaluate = touch_plane,
          .effective_radius = no_effective_radius<3>};
}

}  // namespace carom::inline contact_geometry
