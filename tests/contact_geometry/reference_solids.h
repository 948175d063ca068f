#pragma once

#include <functional>
#include <optional>

#include "contact_geometry/shape_description.h"
#include "reference_search.h"
#include "sample_shapes.h"
#include "triangle_brute_force.h"

// Distances of solids by textbook formulas and by looking everywhere. Nothing here calls what it checks: of the sources
// only sizes and poses are taken.
namespace carom::reference {

using brute_force::Tri;
using Eigen::Vector2d;
using Eigen::Vector3d;

inline constexpr ShapeKind cone = kind_named("cone");

inline double to_segment(const Vector2d& x, const Vector2d& a, const Vector2d& b) {
  const Vector2d d = b - a;
  const double size = d.squaredNorm();
  return (a + (size > 0 ? std::clamp((x - a).dot(d) / size, 0.0, 1.0) : 0) * d - x).norm();
}

// Of a point outside: its foot is a² x / (t + a²) with Σ (a x / (t + a²))² = 1.
inline double from_ellipsoid(const Vector3d& half, const Vector3d& x) {
  const Vector3d scaled = x.cwiseQuotient(half);
  if (scaled.norm() <= 1) return (scaled.norm() - 1) * half.minCoeff();
  const Vector3d square = half.cwiseAbs2();
  double low = 0, high = x.norm() * half.maxCoeff();
  for (int k = 0; k < 200 && high - low > 1e-16 * high; ++k) {
    const double t = 0.5 * (low + high);
    double sum = 0;
    for (int axis = 0; axis < 3; ++axis) {
      const double each = half[axis] * x[axis] / (t + square[axis]);
      sum += each * each;
    }
    (sum > 1 ? low : high) = t;
  }
  Vector3d foot;
  for (int axis = 0; axis < 3; ++axis) foot[axis] = square[axis] * x[axis] / (low + square[axis]);
  return (x - foot).norm();
}

// Of a cylinder or cone, whose section through its axis is a trapezium.
inline double from_turned(const Shape<3>& solid, const Vector3d& x) {
  const double top = solid.kind == ShapeKind::cylinder ? solid.radius : solid.half[0], half = solid.length / 2;
  const double flat = std::hypot(x.x(), x.y());
  const Vector2d at(flat, x.z()), p(0, -half), q(solid.radius, -half), r(top, half), s(0, half);
  const double side = (flat - solid.radius - (top - solid.radius) * (x.z() + half) / solid.length) /
                      std::hypot(1, (top - solid.radius) / solid.length);
  const double behind = std::max(side, std::abs(x.z()) - half);
  if (behind <= 0) return behind;
  return std::min({to_segment(at, p, q), to_segment(at, q, r), to_segment(at, r, s)});
}

// Distance of a point in local axes from the material of a shape. Below zero inside, where it need not be a distance,
// but never changes by more than the point moves.
inline double from_solid(const Shape<3>& solid, const Vector3d& x) {
  const double flat = std::hypot(x.x(), x.y());
  if (solid.kind == ShapeKind::sphere) return x.norm() - solid.radius;
  if (solid.kind == ShapeKind::plane) return x.z();
  if (solid.kind == torus_kind) return std::hypot(flat - solid.radius, x.z()) - solid.half[0];
  if (solid.kind == ShapeKind::capsule)
    return std::hypot(flat, std::max(0.0, std::abs(x.z()) - solid.length / 2)) - solid.radius;
  if (solid.kind == ShapeKind::ellipsoid) return from_ellipsoid(solid.half, x);
  if (solid.kind == ShapeKind::cavity) return solid.radius - x.norm();
  if (solid.kind == ShapeKind::slot) return std::min(solid.half[0] - std::abs(x.x()), solid.half[1] - std::abs(x.y()));
  if (solid.kind == ShapeKind::bore) {  // a plate without end that has a hole
    const double beyond = std::abs(x.z()) - solid.length / 2, room = solid.radius - flat;
    if (beyond <= 0) return room > 0 ? room : std::max(room, beyond);
    return room > 0 ? std::hypot(room, beyond) : beyond;
  }
  if (solid.kind == ShapeKind::box) {
    const Vector3d beyond = x.cwiseAbs() - solid.half;
    return beyond.maxCoeff() <= 0 ? beyond.maxCoeff() : beyond.cwiseMax(0.0).norm();
  }
  return from_turned(solid, x);
}

// A surface over two variables (or a line over one, or a point) within 0 … 1, by whose points all within `thick` of
// them belong to the solid.
struct Patch {
  int dimension = 2;
  std::function<Vector3d(double, double)> at;
  std::array<double, 2> slope = {0, 0};  // m, greatest change of place by either variable
  double thick = 0;
};

inline Patch triangle_patch(const Vector3d& a, const Vector3d& b, const Vector3d& c) {
  return {2,
          [=](double u, double v) -> Vector3d { return a + u * ((b - a) + v * (c - b)); },
          {std::max((b - a).norm(), (c - a).norm()), (c - b).norm()}};
}

inline void add_round_ends(const Shape<3>& solid, std::vector<Patch>& patches) {
  const double top = solid.kind == ShapeKind::cylinder ? solid.radius : solid.half[0], half = solid.length / 2;
  const double low = solid.radius, widest = std::max(low, top);
  patches.push_back({2,
                     [=](double u, double v) {
                       const double r = low + v * (top - low);
                       return Vector3d(r * std::cos(2 * M_PI * u), r * std::sin(2 * M_PI * u), (2 * v - 1) * half);
                     },
                     {2 * M_PI * widest, std::hypot(top - low, 2 * half)}});
  for (const double end : {-1.0, 1.0}) {
    const double radius = end < 0 ? low : top;
    if (radius > 0)
      patches.push_back({2,
                         [=](double u, double v) {
                           return Vector3d(v * radius * std::cos(2 * M_PI * u), v * radius * std::sin(2 * M_PI * u),
                                           end * half);
                         },
                         {2 * M_PI * radius, radius}});
  }
}

// What a bounded solid without triangles is covered by, local axes.
inline std::vector<Patch> patches_of(const Shape<3>& solid) {
  std::vector<Patch> patches;
  const double half = solid.length / 2, radius = solid.radius;
  if (solid.kind == ShapeKind::sphere) {
    patches.push_back({0, [](double, double) { return Vector3d(0, 0, 0); }, {0, 0}, radius});
  } else if (solid.kind == ShapeKind::capsule) {
    patches.push_back({1, [=](double u, double) { return Vector3d(0, 0, (2 * u - 1) * half); }, {2 * half, 0}, radius});
  } else if (solid.kind == torus_kind) {
    patches.push_back({1,
                       [=](double u, double) {
                         return Vector3d(radius * std::cos(2 * M_PI * u), radius * std::sin(2 * M_PI * u), 0);
                       },
                       {2 * M_PI * radius, 0},
                       solid.half[0]});
  } else if (solid.kind == ShapeKind::box || solid.kind == ShapeKind::ellipsoid) {
    // The sides of a cube, stretched, or drawn onto the sphere before.
    const bool round = solid.kind == ShapeKind::ellipsoid;
    const Vector3d sizes = solid.half;
    for (int axis = 0; axis < 3; ++axis) {
      for (const double side : {-1.0, 1.0}) {
        const double first = round ? sizes.maxCoeff() : sizes[(axis + 1) % 3],
                     second = round ? sizes.maxCoeff() : sizes[(axis + 2) % 3];
        patches.push_back({2,
                           [=](double u, double v) {
                             Vector3d at;
                             at[axis] = side, at[(axis + 1) % 3] = 2 * u - 1, at[(axis + 2) % 3] = 2 * v - 1;
                             return Vector3d((round ? Vector3d(at.normalized()) : at).cwiseProduct(sizes));
                           },
                           {2 * first, 2 * second}});
      }
    }
  } else {
    add_round_ends(solid, patches);
  }
  return patches;
}

// The faces of the hull of some points: all triangles of three of them that have no point in front.
inline std::vector<Tri> hull_triangles(const std::vector<Vector3d>& points) {
  std::vector<Tri> result;
  const std::size_t n = points.size();
  double size = 0;
  for (const Vector3d& point : points) size = std::max(size, (point - points[0]).norm());
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      for (std::size_t k = j + 1; k < n; ++k) {
        const Vector3d normal = (points[j] - points[i]).cross(points[k] - points[i]);
        if (normal.norm() < 1e-12 * size * size) continue;
        double most = 0, least = 0;
        for (const Vector3d& point : points) {
          const double height = normal.normalized().dot(point - points[i]);
          most = std::max(most, height), least = std::min(least, height);
        }
        if (most <= 1e-12 * size) result.push_back({{points[i], points[j], points[k]}});
        if (least >= -1e-12 * size) result.push_back({{points[i], points[k], points[j]}});
      }
    }
  }
  return result;
}

// m, of a point from a closed surface; below zero inside.
inline double from_surface(const std::vector<Tri>& surface, const Vector3d& x) {
  double least = std::numeric_limits<double>::infinity();
  for (const Tri& each : surface) least = std::min(least, brute_force::point_triangle(x, each));
  return brute_force::winding(x, surface) > 0.5 ? -least : least;
}

// A shape in the world; `triangles` of those that have them, local axes.
struct Solid {
  Shape<3> shape;
  Vector3d centre;
  Eigen::Matrix3d axes;
  std::vector<Tri> triangles = {};

  Solid(const Shape<3>& shape_, const BodyState<3>& body, std::vector<Tri> triangles_ = {})
      : shape(shape_),
        centre(body.position + body.orientation.matrix() * shape_.position),
        axes(body.orientation.matrix() * shape_.orientation.matrix()),
        triangles(std::move(triangles_)) {}

  Vector3d local(const Vector3d& world) const { return axes.transpose() * (world - centre); }
  Vector3d world(const Vector3d& local) const { return centre + axes * local; }
  bool is_flat() const { return !triangles.empty(); }
  double distance(const Vector3d& point) const {
    return is_flat() ? from_surface(triangles, local(point)) : from_solid(shape, local(point));
  }
  std::vector<Patch> patches() const {
    if (!is_flat()) return patches_of(shape);
    std::vector<Patch> result;
    for (const Tri& each : triangles) result.push_back(triangle_patch(each.p[0], each.p[1], each.p[2]));
    return result;
  }
  std::vector<Tri> placed() const {
    std::vector<Tri> result = triangles;
    for (Tri& each : result) {
      for (Vector3d& corner : each.p) corner = world(corner);
    }
    return result;
  }
};

// m, of two closed surfaces of triangles; 0: they cross.
inline double between_surfaces(const std::vector<Tri>& a, const std::vector<Tri>& b) {
  const auto balls = [](const std::vector<Tri>& all) {
    std::vector<std::pair<Vector3d, double>> result;
    for (const Tri& t : all) {
      const Vector3d middle = (t.p[0] + t.p[1] + t.p[2]) / 3;
      result.push_back(
          {middle, std::max({(t.p[0] - middle).norm(), (t.p[1] - middle).norm(), (t.p[2] - middle).norm()})});
    }
    return result;
  };
  const auto balls_a = balls(a), balls_b = balls(b);
  struct Near {
    double bound;
    std::size_t i, j;
  };
  std::vector<Near> pairs;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < b.size(); ++j)
      pairs.push_back({(balls_a[i].first - balls_b[j].first).norm() - balls_a[i].second - balls_b[j].second, i, j});
  }
  std::sort(pairs.begin(), pairs.end(), [](const Near& one, const Near& two) { return one.bound < two.bound; });
  double least = std::numeric_limits<double>::infinity();
  for (const Near& each : pairs) {
    if (!(each.bound < least) || least == 0) break;
    least = std::min(least, brute_force::triangle_triangle(a[each.i], b[each.j]));
  }
  return least;
}

// m, of solid b from the material of a; `fine`: m, from which on grids are used.
inline double between(const Solid& a, const Solid& b) {
  if (a.is_flat() && b.is_flat()) {
    const std::vector<Tri> one = a.placed(), two = b.placed();
    const double least = between_surfaces(one, two);
    const bool within = brute_force::winding(one[0].p[0], two) > 0.5 || brute_force::winding(two[0].p[0], one) > 0.5;
    return least > 0 && within ? -least : least;
  }
  double least = std::numeric_limits<double>::infinity();
  const std::vector<Patch> patches = b.patches();
  for (const Patch& patch : patches) {
    const auto distance = [&](double u, double v) { return a.distance(b.world(patch.at(u, v))) - patch.thick; };
    const double fine = 0.01 * std::max(patch.slope[0], patch.slope[1]);
    double own = 0;
    if (patch.dimension == 0) {
      own = distance(0, 0);
    } else if (patch.dimension == 1) {
      own = least_over_cube<1>([&](const std::array<double, 1>& at) { return distance(at[0], 0); }, {patch.slope[0]},
                               fine, least)
                .value;
    } else {
      own = least_over_cube<2>([&](const std::array<double, 2>& at) { return distance(at[0], at[1]); }, patch.slope,
                               fine, least)
                .value;
    }
    least = std::min(least, own);
  }
  return least;
}

}  // namespace carom::reference
