#pragma once

#include <algorithm>
#include <limits>

#include "sample_shapes.h"

// The points of a pair in a scene.
namespace carom {

using Manifold = ContactManifold<3>;

inline Manifold touch(const PairDescription<3>& pair, const Scene<3>& scene) {
  Manifold manifold(pair.points(scene.a, scene.b));
  std::vector<double> memory(pair.memory(scene.a, scene.b), 0.0);
  write_manifold<3>(pair, scene.a, scene.b, scene.body_a, scene.body_b, manifold, memory.data());
  return manifold;
}

inline double least_gap(const Manifold& manifold) {
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < manifold.size(); ++k) least = std::min(least, manifold.point(k).gap);
  return least;
}

}  // namespace carom
