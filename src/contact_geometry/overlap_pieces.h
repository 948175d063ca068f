#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "contact_geometry/pressure_parts.h"
#include "contact_geometry/surface_overlap.h"

// Where the surfaces of two meshes overlap, seen along a direction: polygons across it over which one face of each
// lies, with the depth between the two. All is in the axes of the first; the second may be stretched along its own
// axes.
namespace carom::inline contact_geometry {

// Two meshes as they lie.
struct MeshesInPlace {
  const TriangleMesh &a, &b;
  Eigen::Matrix3d turn;  // axes of b to those of a
  Eigen::Vector3d offset, stretch;

  Eigen::Vector3d corner_of_b(int face, int k) const { return on_a(b.corner(face, k)); }
  Eigen::Vector3d on_a(const Eigen::Vector3d& local) const { return offset + turn * stretch.cwiseProduct(local); }
  // Outward.
  Eigen::Vector3d normal_of_b(int face) const {
    return (turn * b.face(face).normal.cwiseQuotient(stretch)).normalized();
  }
};

class OverlapPieces {
 public:
  static constexpr int most_corners = 6;
  struct Piece {
    std::array<Eigen::Vector3d, most_corners> corner;  // coordinates across the direction, and depth
    std::array<std::int8_t, most_corners> side;        // from corner k on: of the triangle of a (0 to 2) or b (3 to 5)
    int corners = 0, face_a = 0, face_b = 0;
    bool is_deep() const;
    std::span<const Eigen::Vector3d> polygon() const { return {corner.data(), static_cast<std::size_t>(corners)}; }
  };

  void make_room(const TriangleMesh& a, const TriangleMesh& b);
  // All pieces across a unit direction, which points from a to b; no overlap is deeper than `most`, m.
  void find(const MeshesInPlace& meshes, const Eigen::Vector3d& direction, double most);
  // The pieces are the cells of the parts that they make, in their order.
  void connect(const MeshesInPlace& meshes, PressureParts& parts);
  std::span<const Piece> pieces() const { return pieces_; }
  const Eigen::Vector3d& direction() const { return direction_; }
  const PlaneAxes& axes() const { return axes_; }

 private:
  // A side of a piece over which its neighbour lies.
  struct Border {
    std::uint64_t key;
    int piece, deepest;  // and its corner there
  };
  struct Corner {
    Eigen::Vector2d at;
    std::int8_t side;
  };
  void clip(const MeshesInPlace& meshes, int face_a, int face_b, double most);

  Eigen::Vector3d direction_ = Eigen::Vector3d::UnitZ();
  PlaneAxes axes_{Eigen::Vector3d::UnitZ()};
  std::vector<Piece> pieces_;
  std::vector<Border> borders_;
};

}  // namespace carom::inline contact_geometry
