#pragma once

#include <algorithm>
#include <vector>

#include "sample_shapes.h"

// Distance of two shapes by brute force: many points of one surface against the distance field of the other.
namespace carom {

inline bool has_surface_samples(ShapeKind kind) {
  return kind != ShapeKind::bore && kind != ShapeKind::profile && kind != groove_kind && kind != outline_kind &&
         kind != torus_kind && kind != hull_kind;
}

// Distance of a point in local axes from the material of a shape; > 0 outside.
template <int D>
double field(const Shape<D>& shape, const VectorOf<D>& x) {
  if (shape.kind == kind_named("cone")) {  // no distance but on the surface
    const double up = x[D - 1] / shape.length + 0.5, radius = shape.radius + up * (shape.half[0] - shape.radius);
    return std::max({x.template head<2>().norm() - radius, -up * shape.length, (up - 1) * shape.length});
  }
  switch (shape.kind) {
    case ShapeKind::sphere:
    case ShapeKind::inner_race:
      return x.norm() - shape.radius;
    case ShapeKind::plane:
      return x[D - 1];
    case ShapeKind::cavity:
    case ShapeKind::outer_race:
      return shape.radius - x.norm();
    case ShapeKind::slot:
      return std::min(shape.half[1] - std::abs(x[1]),
                      D == 3 ? shape.half[0] - std::abs(x[0]) : std::numeric_limits<double>::infinity());
    case ShapeKind::box: {
      const VectorOf<D> over = x.cwiseAbs() - shape.half;
      return over.cwiseMax(0.0).norm() + std::min(0.0, over.maxCoeff());
    }
    case ShapeKind::ellipsoid:  // no distance but on the surface
      return x.cwiseQuotient(shape.half).norm() - 1;
    case ShapeKind::capsule: {
      VectorOf<D> off = x;
      double& along = off[D == 2 ? 0 : 2];
      along -= std::clamp(along, -shape.length / 2, shape.length / 2);
      return off.norm() - shape.radius;
    }
    case ShapeKind::cylinder: {
      const double out = x.template head<2>().norm() - shape.radius, up = std::abs(x[D - 1]) - shape.length / 2;
      return std::hypot(std::max(out, 0.0), std::max(up, 0.0)) + std::min(0.0, std::max(out, up));
    }
    default:
      return 0;
  }
}

// Points on the surface, local axes; empty for shapes without bounds and for holes.
template <int D>
std::vector<VectorOf<D>> surface(const Shape<D>& shape) {
  // Points of a cube or square around, pulled onto the surface by the distance field along rays from the centre.
  const double reach = shape.bounding_radius();
  std::vector<VectorOf<D>> result;
  if (!std::isfinite(reach) || shape.kind == ShapeKind::cavity || shape.kind == ShapeKind::outer_race) return result;
  const int count = D == 2 ? 2000 : 60;
  const auto pull = [&](const VectorOf<D>& direction) {
    double inside = 0, outside = 1.01 * reach;
    for (int k = 0; k < 40; ++k) {
      const double middle = (inside + outside) / 2;
      (field<D>(shape, middle * direction) > 0 ? outside : inside) = middle;
    }
    result.push_back(outside * direction);
  };
  for (int i = 0; i < count; ++i) {
    const double first = 2 * M_PI * i / count;
    if constexpr (D == 2) {
      pull({std::cos(first), std::sin(first)});
    } else {
      const int rings = count / 2;
      for (int j = 0; j <= rings; ++j) {
        const double second = M_PI * j / rings;
        pull({std::sin(second) * std::cos(first), std::sin(second) * std::sin(first), std::cos(second)});
      }
    }
  }
  if (shape.kind == ShapeKind::box) {
    for (int corner = 0; corner < 1 << D; ++corner) {
      VectorOf<D> point = shape.half;
      for (int k = 0; k < D; ++k) point[k] *= (corner >> k & 1) != 0 ? 1 : -1;
      result.push_back(point);
    }
  }
  if ((shape.kind == ShapeKind::cylinder || shape.kind == kind_named("cone")) && D == 3) {
    for (int i = 0; i < 720; ++i) {
      const double radius = shape.kind == ShapeKind::cylinder || i % 2 == 0 ? shape.radius : shape.half[0];
      VectorOf<D> point = VectorOf<D>::Unit(D - 1) * (i % 2 - 0.5) * shape.length;
      point[0] = radius * std::cos(i * M_PI / 360);
      point[1] = radius * std::sin(i * M_PI / 360);
      result.push_back(point);
    }
  }
  return result;
}

template <int D>
double sampled_gap(const Scene<D>& scene) {
  double gap = std::numeric_limits<double>::infinity();
  const VectorOf<D> centre_a = centre_of<D>(scene.a, scene.body_a), centre_b = centre_of<D>(scene.b, scene.body_b);
  for (const VectorOf<D>& local : surface<D>(scene.a)) {
    const VectorOf<D> point = centre_a + to_world<D>(scene.a, scene.body_a, local);
    gap = std::min(gap, field<D>(scene.b, to_shape<D>(scene.b, scene.body_b, VectorOf<D>(point - centre_b))));
  }
  for (const VectorOf<D>& local : surface<D>(scene.b)) {
    const VectorOf<D> point = centre_b + to_world<D>(scene.b, scene.body_b, local);
    gap = std::min(gap, field<D>(scene.a, to_shape<D>(scene.a, scene.body_a, VectorOf<D>(point - centre_a))));
  }
  return gap;
}

}  // namespace carom
