#pragma once

#include <string>
#include <vector>

#include "contact_geometry/shape.h"

// A groove with parallel walls along a curve, in the plane; a slot is a straight one.
namespace carom::inline contact_geometry {

inline constexpr ShapeKind groove_kind = kind_named("groove");

// The place of a curve that is nearest to a point. Open curves go on straight beyond their ends.
struct CurvePlace {
  Eigen::Vector2d position, tangent, normal;  // the normal is the tangent turned by −90°
  double height = 0;                          // m, of the point along the normal
  double curvature = 0;                       // 1/m, > 0 where the normal points away from the centre of curvature

  // 1/m, by which the height bends when the point moves along the curve: d²height/dt² = … + bend · (tangent ·
  // velocity)².
  double bend() const;
};
CurvePlace nearest_place(const Profile& curve, const Eigen::Vector2d& point);

// m, smallest radius of curvature; infinity: the curve is straight.
double smallest_radius(const Profile& curve);

// Shape::profile is the middle of the groove, Shape::half[1] half its width, Shape::radius the smallest radius of
// curvature within its clearance. Points that make no curve leave it without one.
void make_groove(const std::vector<Eigen::Vector3d>& points, bool closed, double width, Shape<2>& groove);

// Its walls as an outline, Shape::data, for all but discs, which need none. What hinders it, such as walls that fold or
// meet: then there is none.
std::string make_walls(Shape<2>& groove);

// The two walls, or with no width the middle, as points from first to last; closed ones end where they begin. Open ones
// reach a little beyond their ends, as the groove does.
std::vector<std::vector<Eigen::Vector2d>> groove_lines(const Profile& curve, double width);

}  // namespace carom::inline contact_geometry
