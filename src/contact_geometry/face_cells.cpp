#include "contact_geometry/face_cells.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace carom::inline contact_geometry {
namespace {

constexpr double knife = 1e-3;      // of twice a unit: normals that look away from each other have no direction between
constexpr double enough = 0.7;      // of the reach: nothing deeper hides
constexpr double farther_cell = 2;  // times the deepest
constexpr double same_way = 0.95;   // cosine: faces that hardly turn have the same depths about a corner
constexpr int most_around = 200;    // faces about a corner

}  // namespace

void CellPieces::make_room(const TriangleMesh& a, const TriangleMesh& b) {
  pieces_.reserve(std::min(4 * (a.faces().size() + b.faces().size()), most_reserved / 4));
}

template <bool of_a>
CellPieces::PlacedFace CellPieces::Side<of_a>::face(int index) const {
  PlacedFace placed;
  placed.normal = normal(index), placed.index = index;
  for (int k = 0; k < 3; ++k) placed.corner[k] = vertex(mesh().face(index).vertex[k]);
  return placed;
}

// Sutherland and Hodgman 1974.
template <typename Outside>
bool CellPiece::cut_off(const Outside& outside, std::int8_t on) {
  std::array<double, most_corners> beyond;
  bool whole = true;
  for (int c = 0; c < corners; ++c) beyond[c] = outside(corner[c], depth[c]), whole = whole && beyond[c] <= 0;
  if (whole) return true;
  const auto old_corner = corner;
  const auto old_depth = depth;
  const auto old_border = border;
  int kept = 0;
  for (int c = 0; c < corners; ++c) {
    const int next = c + 1 == corners ? 0 : c + 1;
    if (beyond[c] <= 0) corner[kept] = old_corner[c], depth[kept] = old_depth[c], border[kept++] = old_border[c];
    if ((beyond[c] <= 0) == (beyond[next] <= 0)) continue;
    // Leaving, the border goes on along the cut; coming back, along the old one.
    const double part = beyond[c] / (beyond[c] - beyond[next]);
    corner[kept] = old_corner[c] + part * (old_corner[next] - old_corner[c]);
    depth[kept] = old_depth[c] + part * (old_depth[next] - old_depth[c]);
    border[kept++] = beyond[c] <= 0 ? on : old_border[c];
  }
  corners = kept;
  return kept >= 3;
}

bool CellPiece::cut_side(const Eigen::Vector3d& out, const Eigen::Vector3d& on) {
  side[sides] = out;
  return cut_off([&](const Eigen::Vector3d& at, double) { return out.dot(at - on); },
                 static_cast<std::int8_t>(sides++));
}

// By the planes between the cells of a face and its neighbours over an edge. In a notch a cell widens with depth, by no
// more than the depth.
template <bool of_a>
bool CellPieces::cut_sides(const PlacedFace& face, const Side<of_a>& side, CellPiece& piece) {
  for (int k = 0; k < 3; ++k) {
    const Eigen::Vector3d along = (face.corner[(k + 2) % 3] - face.corner[(k + 1) % 3]).normalized(),
                          other = side.normal(side.beside(face.index, side.mesh().face(face.index).edge[k])),
                          between = along.cross(face.normal + other);
    const double size = between.norm();
    Eigen::Vector3d out = between / size;
    if (size < 2 * knife) {
      out = -face.normal;
    } else if (out.dot(face.normal) > std::numbers::sqrt2 / 2) {
      out = (along.cross(face.normal) + face.normal).normalized();
    }
    if (!piece.cut_side(out, face.corner[(k + 1) % 3])) return false;
  }
  return true;
}

// By the planes between the cells of a face and others that meet it in a corner, where both look away from each other:
// a wall that is cut into triangles has some that only a corner joins to the side above.
template <bool of_a>
bool CellPieces::cut_at_corners(const PlacedFace& face, const Side<of_a>& side, CellPiece& piece) {
  const TriangleMesh& mesh = side.mesh();
  const TriangleMesh::Face& own = mesh.face(face.index);
  const Eigen::Vector3d middle = (face.corner[0] + face.corner[1] + face.corner[2]) / 3;
  for (int k = 0; k < 3; ++k) {
    int edge = own.edge[(k + 1) % 3], at = side.beside(face.index, edge);
    for (int step = 0; at != face.index && step < most_around; ++step) {
      const TriangleMesh::Face& here = mesh.face(at);
      const int place =
          static_cast<int>(std::find(here.vertex.begin(), here.vertex.end(), own.vertex[k]) - here.vertex.begin());
      const int next = here.edge[(place + 1) % 3] == edge ? here.edge[(place + 2) % 3] : here.edge[(place + 1) % 3];
      const bool shares_edge = edge == own.edge[(k + 1) % 3] || next == own.edge[(k + 2) % 3];
      edge = next;
      const Eigen::Vector3d normal = side.normal(at);
      if (!shares_edge && normal.dot(face.normal) < same_way && piece.sides < CellPiece::most_sides &&
          normal.dot(middle - face.corner[k]) <= 0) {
        const Eigen::Vector3d its_middle =
            (side.vertex(here.vertex[0]) + side.vertex(here.vertex[1]) + side.vertex(here.vertex[2])) / 3;
        if (face.normal.dot(its_middle - face.corner[k]) <= 0 &&
            !piece.cut_side((normal - face.normal).normalized(), face.corner[k]))
          return false;
      }
      at = side.beside(at, edge);
    }
  }
  return true;
}

void CellPieces::find(const MeshesInPlace& meshes, double reach, double most) {
  for (reach = std::min(reach, most);;) {
    look(meshes, reach, most);
    if (!(deepest_ > enough * reach) || reach >= most) return;
    reach = std::min(farther_cell * deepest_, most);
  }
}

void CellPieces::look(const MeshesInPlace& meshes, double reach, double most) {
  pieces_.clear();
  deepest_ = 0;
  const Eigen::Matrix3d axes_b = meshes.turn * meshes.stretch.asDiagonal(), size_b = axes_b.cwiseAbs();
  // What lies in a cell no deeper than the reach is not farther from its face than this.
  const Eigen::Vector3d around = Eigen::Vector3d::Constant(std::numbers::sqrt2 * reach);
  const auto near = [&](const AxisBox& a, const AxisBox& b) {
    const Eigen::Vector3d between = (a.centre() - axes_b * b.centre() - meshes.offset).cwiseAbs();
    return ((between - a.half() - size_b * b.half() - around).array() <= 0).all();
  };
  const Side<true> side_a{meshes};
  const Side<false> side_b{meshes};
  struct Open {
    int a, b;
  };
  Open stack[4 * BoxTree::deepest];
  int size = 0;
  stack[size++] = {0, 0};
  const BoxTree &tree_a = meshes.a.tree(), &tree_b = meshes.b.tree();
  while (size > 0) {
    const Open open = stack[--size];
    const BoxTree::Node &a = tree_a.node(open.a), &b = tree_b.node(open.b);
    if (!near(a.box, b.box)) continue;
    if (a.is_leaf() && b.is_leaf()) {
      for (const int face_a : tree_a.items(a)) {
        const PlacedFace placed_a = side_a.face(face_a);
        for (const int face_b : tree_b.items(b)) {
          if (!near(meshes.a.box_of(face_a), meshes.b.box_of(face_b))) continue;
          const PlacedFace placed_b = side_b.face(face_b);
          if (!(placed_a.normal.dot(placed_b.normal) < 0)) continue;
          cut<false>(placed_b, placed_a, side_a, most);
          cut<true>(placed_a, placed_b, side_b, most);
        }
      }
      continue;
    }
    const bool open_a =
        !a.is_leaf() && (b.is_leaf() || a.box.half().squaredNorm() >= (size_b * b.box.half()).squaredNorm());
    for (const int k : {1, 0}) stack[size++] = open_a ? Open{a.first + k, open.b} : Open{open.a, b.first + k};
  }
}

template <bool of_a>
void CellPieces::cut(const PlacedFace& triangle, const PlacedFace& face, const Side<!of_a>& side, double most) {
  CellPiece piece;
  double deepest = 0;
  for (int k = 0; k < 3; ++k) {
    piece.corner[k] = triangle.corner[k];
    piece.depth[k] = face.normal.dot(face.corner[0] - triangle.corner[k]);
    piece.border[k] = CellPiece::own_edge;
    deepest = std::max(deepest, piece.depth[k]);
  }
  if (!(deepest > 0)) return;
  piece.corners = 3;
  piece.normal = face.normal, piece.own = triangle.normal;
  if (!piece.cut_off([](const Eigen::Vector3d&, double depth) { return -depth; }, CellPiece::surface) ||
      !cut_sides(face, side, piece) ||
      !piece.cut_off([&](const Eigen::Vector3d&, double depth) { return depth - most; }, CellPiece::bottom) ||
      !cut_at_corners(face, side, piece))
    return;
  piece.of_a = of_a;
  piece.share = -face.normal.dot(triangle.normal);
  for (int c = 0; c < piece.corners; ++c) deepest_ = std::max(deepest_, piece.depth[c]);
  pieces_.push_back(piece);
}

}  // namespace carom::inline contact_geometry
