#include "contact_geometry/polytope.h"

namespace carom::inline contact_geometry {

namespace {

// Bit k of the number of a corner: the positive end of axis k. Face 2 k + 1 is at the positive end of axis k.
Polytope make_cube() {
  Polytope cube;
  for (int corner = 0; corner < 8; ++corner) {
    cube.vertices.emplace_back((corner & 1) != 0 ? 1 : -1, (corner & 2) != 0 ? 1 : -1, (corner & 4) != 0 ? 1 : -1);
    cube.neighbours.push_back({corner ^ 1, corner ^ 2, corner ^ 4});
  }
  for (int axis = 0; axis < 3; ++axis) {
    const int u = 1 << (axis + 1) % 3, v = 1 << (axis + 2) % 3;
    for (const int end : {0, 1}) {
      const int base = end << axis;
      PolytopeFace face{(2 * end - 1) * Eigen::Vector3d::Unit(axis), {}, {}};
      if (end == 1) {
        face.corners = {base, base + u, base + u + v, base + v};
      } else {
        face.corners = {base, base + v, base + u + v, base + u};
      }
      face.touching = face.corners;
      cube.faces.push_back(face);
    }
  }
  return cube;
}

}  // namespace

// Of many vertices, from neighbour to neighbour: on a convex solid no hill is lower than the highest.
int farthest_vertex(const Polytope& polytope, const Eigen::Vector3d& n) {
  constexpr std::size_t few = 32;
  int best = 0;
  double most = n.dot(polytope.vertices[0]);
  if (polytope.vertices.size() <= few) {
    for (std::size_t k = 1; k < polytope.vertices.size(); ++k) {
      const double here = n.dot(polytope.vertices[k]);
      if (here > most) most = here, best = static_cast<int>(k);
    }
    return best;
  }
  for (bool moved = true; moved;) {
    moved = false;
    const int from = best;
    for (const int next : polytope.neighbours[from]) {
      const double here = n.dot(polytope.vertices[next]);
      if (here > most) most = here, best = next, moved = true;
    }
  }
  return best;
}

const Polytope& unit_cube() {
  static const Polytope cube = make_cube();
  return cube;
}

const Polytope& unit_segment() {
  static const Polytope segment{{-Eigen::Vector3d::UnitZ(), Eigen::Vector3d::UnitZ()}, {}, {{1}, {0}}};
  return segment;
}

const Polytope& single_point() {
  static const Polytope point{{Eigen::Vector3d::Zero()}, {}, {{}}};
  return point;
}

}  // namespace carom::inline contact_geometry
