#include "contact_geometry/overlap_pieces.h"

#include <algorithm>
#include <cmath>

namespace carom::inline contact_geometry {
namespace {

constexpr double steep = 1e-9;  // cosine: faces along the direction have no size across it

// A triangle across the direction, counter-clockwise, and the height of its plane there.
struct FlatTriangle {
  std::array<Eigen::Vector2d, 3> corner;
  std::array<std::int8_t, 3> side;  // from corner k on
  Eigen::Vector2d slope;
  double height, low, high;  // of corner 0; of all

  double at(const Eigen::Vector2d& place) const { return std::clamp(height + slope.dot(place - corner[0]), low, high); }
};

double turn_of(const Eigen::Vector2d& one, const Eigen::Vector2d& two) {
  return one.x() * two.y() - one.y() * two.x();
}

FlatTriangle flatten(const std::array<Eigen::Vector3d, 3>& corners, const PlaneAxes& axes,
                     const Eigen::Vector3d& direction, const Eigen::Vector3d& normal, int first_side) {
  FlatTriangle flat;
  std::array<double, 3> heights;
  for (int k = 0; k < 3; ++k) {
    flat.corner[k] = axes.coordinates(corners[k], 0).head<2>();
    heights[k] = direction.dot(corners[k]);
    flat.side[k] = static_cast<std::int8_t>(first_side + (k + 2) % 3);  // the side from corner k is opposite to k + 2
  }
  flat.height = heights[0];
  flat.low = std::min({heights[0], heights[1], heights[2]});
  flat.high = std::max({heights[0], heights[1], heights[2]});
  flat.slope = -axes.coordinates(normal, 0).head<2>() / normal.dot(direction);
  if (turn_of(flat.corner[1] - flat.corner[0], flat.corner[2] - flat.corner[0]) < 0) {
    std::swap(flat.corner[1], flat.corner[2]);
    const auto sides = flat.side;  // now: 0 → 2, 2 → 1, 1 → 0
    flat.side = {sides[2], sides[1], sides[0]};
  }
  return flat;
}

}  // namespace

bool OverlapPieces::Piece::is_deep() const {
  return std::any_of(corner.begin(), corner.begin() + corners, [](const auto& each) { return each.z() > 0; });
}

void OverlapPieces::make_room(const TriangleMesh& a, const TriangleMesh& b) {
  const std::size_t count = std::min(2 * (a.faces().size() + b.faces().size()), most_reserved);
  pieces_.reserve(count), borders_.reserve(4 * count);
}

void OverlapPieces::find(const MeshesInPlace& meshes, const Eigen::Vector3d& direction, double most) {
  direction_ = direction;
  axes_ = PlaneAxes(direction);
  pieces_.clear();
  Eigen::Matrix3d seen;
  seen << axes_.first.transpose(), axes_.second.transpose(), direction.transpose();
  const Eigen::Matrix3d seen_b = seen * meshes.turn * meshes.stretch.asDiagonal(), size_a = seen.cwiseAbs(),
                        size_b = seen_b.cwiseAbs();
  const Eigen::Vector3d shift = seen * meshes.offset;
  // Beside each other, apart, or deeper than can be.
  const auto meet = [&](const AxisBox& a, const AxisBox& b) {
    const Eigen::Vector3d between = seen * a.centre() - seen_b * b.centre() - shift,
                          reach = size_a * a.half() + size_b * b.half();
    return std::abs(between.x()) <= reach.x() && std::abs(between.y()) <= reach.y() && between.z() >= -reach.z() &&
           between.z() <= reach.z() + most;
  };
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
    if (!meet(a.box, b.box)) continue;
    if (a.is_leaf() && b.is_leaf()) {
      for (const int face_a : tree_a.items(a)) {
        if (!(meshes.a.face(face_a).normal.dot(direction) > steep)) continue;
        for (const int face_b : tree_b.items(b)) {
          if (meet(meshes.a.box_of(face_a), meshes.b.box_of(face_b))) clip(meshes, face_a, face_b, most);
        }
      }
      continue;
    }
    const bool open_a =
        !a.is_leaf() && (b.is_leaf() || (size_a * a.box.half()).squaredNorm() >= (size_b * b.box.half()).squaredNorm());
    for (const int k : {0, 1}) stack[size++] = open_a ? Open{a.first + k, open.b} : Open{open.a, b.first + k};
  }
}

// The part of both triangles across the direction, Sutherland and Hodgman 1974.
void OverlapPieces::clip(const MeshesInPlace& meshes, int face_a, int face_b, double most) {
  const Eigen::Vector3d normal_a = meshes.a.face(face_a).normal, normal_b = meshes.normal_of_b(face_b);
  if (!(normal_b.dot(direction_) < -steep)) return;
  const FlatTriangle a = flatten({meshes.a.corner(face_a, 0), meshes.a.corner(face_a, 1), meshes.a.corner(face_a, 2)},
                                 axes_, direction_, normal_a, 0);
  const FlatTriangle b =
      flatten({meshes.corner_of_b(face_b, 0), meshes.corner_of_b(face_b, 1), meshes.corner_of_b(face_b, 2)}, axes_,
              direction_, normal_b, 3);
  if (a.high <= b.low || a.low - b.high > most) return;
  std::array<Corner, 2 * most_corners> now, next;
  int count = 3;
  for (int k = 0; k < 3; ++k) now[k] = {a.corner[k], a.side[k]};
  for (int k = 0; k < 3 && count > 0; ++k) {
    const Eigen::Vector2d from = b.corner[k], along = b.corner[(k + 1) % 3] - from;
    int kept = 0;
    for (int c = 0; c < count; ++c) {
      const Corner &here = now[c], &there = now[(c + 1) % count];
      const double in_here = turn_of(along, here.at - from), in_there = turn_of(along, there.at - from);
      if (in_here >= 0) next[kept++] = here;
      if ((in_here >= 0) == (in_there >= 0)) continue;
      const Eigen::Vector2d cut = here.at + in_here / (in_here - in_there) * (there.at - here.at);
      // Leaving, the border goes on along the side of b; coming back, along the old one.
      next[kept++] = {cut, in_here >= 0 ? b.side[k] : here.side};
    }
    now = next, count = kept;
  }
  if (count < 3) return;
  Piece piece;
  piece.corners = std::min(count, most_corners), piece.face_a = face_a, piece.face_b = face_b;
  for (int c = 0; c < piece.corners; ++c) {
    piece.corner[c] << now[c].at, a.at(now[c].at) - b.at(now[c].at);
    piece.side[c] = now[c].side;
    if (piece.corner[c].z() > most) return;
  }
  if (piece.is_deep()) pieces_.push_back(piece);
}

// Two pieces are connected over an edge of one mesh above the same face of the other.
void OverlapPieces::connect(const MeshesInPlace& meshes, PressureParts& parts) {
  borders_.clear(), parts.clear();
  for (int p = 0; p < std::ssize(pieces_); ++p) {
    const Piece& piece = pieces_[p];
    parts.add(piece.polygon());
    for (int c = 0; c < piece.corners; ++c) {
      const int next = (c + 1) % piece.corners, deepest = piece.corner[c].z() >= piece.corner[next].z() ? c : next;
      if (!(piece.corner[deepest].z() > 0)) continue;
      const int side = piece.side[c];
      const auto edge = static_cast<std::uint64_t>(side < 3 ? meshes.a.face(piece.face_a).edge[side]
                                                            : meshes.b.face(piece.face_b).edge[side - 3]);
      const auto face = static_cast<std::uint64_t>(side < 3 ? piece.face_b : piece.face_a);
      borders_.push_back({edge << 33 | face << 1 | (side < 3 ? 0U : 1U), p, deepest});
    }
  }
  std::sort(borders_.begin(), borders_.end(), [](const Border& one, const Border& two) {
    return one.key != two.key ? one.key < two.key : one.piece < two.piece;
  });
  for (std::size_t k = 1; k < borders_.size(); ++k) {
    const Border &one = borders_[k - 1], &two = borders_[k];
    if (one.key != two.key || one.piece == two.piece) continue;
    const Eigen::Vector3d &on_one = pieces_[one.piece].corner[one.deepest],
                          &on_two = pieces_[two.piece].corner[two.deepest];
    parts.link(one.piece, two.piece, on_one.z() <= on_two.z() ? on_one : on_two);
  }
}

}  // namespace carom::inline contact_geometry
