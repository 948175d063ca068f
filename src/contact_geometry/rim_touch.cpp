#include "contact_geometry/rim_touch.h"

#include <algorithm>
#include <cmath>

namespace carom::inline contact_geometry {

namespace {

constexpr double nearly_along = 1e-3;  // sine: an edge that runs along the axis, the slant or the rim does not cross it
constexpr double on_border = 1e-9;     // of a normal, by which it may lie outside those of a rim
constexpr int most_newton_steps = 30;

// Outward normal of the side in the half plane of (radius, z).
Eigen::Vector2d side_normal(const Rim& low, const Rim& high) {
  const Eigen::Vector2d along(high.radius - low.radius, high.z - low.z);
  return Eigen::Vector2d(along.y(), -along.x()).normalized();
}

// Angle of the rim where the line comes in over its circle or goes out, as seen along the axis; where it passes beside
// the circle, or runs along the axis, the nearest one.
double first_angle(const Rim& rim, const Eigen::Vector3d& from, const Eigen::Vector3d& way, bool coming_in) {
  const double a = way.head<2>().squaredNorm(), b = way.head<2>().dot(from.head<2>()),
               c = from.head<2>().squaredNorm() - rim.radius * rim.radius;
  double part = 0;
  if (a > nearly_along * nearly_along * way.squaredNorm())
    part = (-b + (coming_in ? -1 : 1) * std::sqrt(std::max(0.0, b * b - a * c))) / a;
  const Eigen::Vector2d at = from.head<2>() + part * way.head<2>();
  return std::atan2(at.y(), at.x());
}

}  // namespace

// The height over the side, m · (ρ, z) with the distance ρ from the axis, has its least value in closed form: ρ² is a
// polynomial of degree two.
RimTouch touch_side(const Shape<3>& solid, const Eigen::Vector3d& from, const Eigen::Vector3d& way) {
  const Rim low = rim_of(solid, 0), high = rim_of(solid, 1);
  const Eigen::Vector2d m = side_normal(low, high);
  const double a = way.head<2>().squaredNorm(), middle = -way.head<2>().dot(from.head<2>()) / a;
  const double slope = -m.y() * way.z() / m.x();  // of ρ along the edge, where the height does not change
  if (!(a > slope * slope + nearly_along * nearly_along * way.squaredNorm())) return {};
  const double nearest = (from.head<2>() + middle * way.head<2>()).squaredNorm();
  RimTouch touch;
  touch.part = middle + std::copysign(std::sqrt(slope * slope * nearest / (a * (a - slope * slope))), slope);
  touch.on_edge = from + touch.part * way;
  const double radius = touch.on_edge.head<2>().norm();
  if (!(radius > 1e-6 * std::max(low.radius, high.radius))) return {};
  const Eigen::Vector2d out = touch.on_edge.head<2>() / radius;
  touch.exists = true;
  touch.gap = m.dot(Eigen::Vector2d(radius - low.radius, touch.on_edge.z() - low.z)) - low.blunt;
  touch.normal << m.x() * out, m.y();
  // Its foot on the side lies between the rims.
  const double foot = touch.on_edge.z() - touch.gap * m.y();
  touch.in_solid = foot > low.z && foot < high.z;
  return touch;
}

// Newton's method for the angle where the line across edge and circle is across both.
RimTouch touch_rim(const Shape<3>& solid, int end, const Eigen::Vector3d& from, const Eigen::Vector3d& way,
                   bool coming_in) {
  const Rim rim = rim_of(solid, end);
  if (!(rim.radius > rim.blunt)) return {};  // a tip
  const Eigen::Vector3d along = way.normalized();
  double angle = first_angle(rim, from, way, coming_in), sine = 0;
  Eigen::Vector3d radial, tangent, off;
  for (int round = 0; round < most_newton_steps; ++round) {
    radial << std::cos(angle), std::sin(angle), 0;
    tangent << -radial.y(), radial.x(), 0;
    off = rim.radius * radial + rim.z * Eigen::Vector3d::UnitZ() - from;  // from the edge, across it
    off -= along.dot(off) * along;
    const double cosine = along.dot(tangent);
    sine = 1 - cosine * cosine;
    const double bend = rim.radius * sine - off.dot(radial);
    if (!(sine > nearly_along && bend > 0)) return {};
    const double step = -off.dot(tangent) / bend;
    angle += std::clamp(step, -0.3, 0.3);
    if (std::abs(step) < 1e-15) break;
  }
  const bool comes_in = along.dot(radial) < 0;
  if (comes_in != coming_in) return {};
  RimTouch touch;
  touch.exists = true;
  touch.normal = along.cross(tangent) / std::sqrt(sine);
  const double outward = end == 0 ? -1 : 1;
  if (touch.normal.dot(radial) + outward * touch.normal.z() < 0) touch.normal = -touch.normal;
  const Eigen::Vector3d on_rim = rim.radius * radial + rim.z * Eigen::Vector3d::UnitZ();
  touch.part = along.dot(on_rim - from) / way.norm();
  touch.on_edge = from + touch.part * way;
  touch.gap = touch.normal.dot(touch.on_edge - on_rim) - rim.blunt;
  // Between the normals of the end and of the side.
  const Eigen::Vector2d m = side_normal(rim_of(solid, 0), rim_of(solid, 1));
  const double of_side = touch.normal.dot(radial) / m.x(), of_end = outward * (touch.normal.z() - of_side * m.y());
  touch.in_solid = of_side > -on_border && of_end > -on_border;
  return touch;
}

}  // namespace carom::inline contact_geometry
