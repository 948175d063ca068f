#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "contact_geometry/overlap_pieces.h"

// Where the surface of one mesh lies behind faces of another, and how deep (docs/theory/contact_areas.md#one-pair-one-
// energy).
//
// Behind each face lies its cell: what is nearer to the face than to its neighbours. Cells of neighbours meet in the
// plane that halves the angle between them, where both are equally far, so that depths go on without a step. Faces that
// meet in a corner only are neighbours, too. A cell is
// fixed to its mesh, and depths are counted along the normal of its face: how deep a place lies is a function of the
// poses alone.
namespace carom::inline contact_geometry {

// The part of a triangle of one surface that lies in the cell of a face of the other. All in the axes of the first
// mesh.
struct CellPiece {
  static constexpr int most_sides = 11, most_corners = most_sides + 5;
  // What an edge of a piece lies on: a side of the cell, by its number, or one of these: an edge of the triangle, or
  // where the cell begins and ends.
  static constexpr std::int8_t own_edge = -1, surface = -2, bottom = -3;

  std::array<Eigen::Vector3d, most_corners> corner;
  std::array<double, most_corners> depth;        // m
  std::array<std::int8_t, most_corners> border;  // from corner k on
  int corners = 0, sides = 0;
  bool of_a = false;                             // the triangle is one of the first mesh, the cell one of the second
  double share = 0;                              // −n · n': of its area as seen along the normal of the face
  Eigen::Vector3d normal, own;                   // outward, of the face of the cell; of the triangle
  std::array<Eigen::Vector3d, most_sides> side;  // unit, out of the cell

  // Keeps what is not outside: outside(corner, depth) > 0. False: nothing is left.
  template <typename Outside>
  bool cut_off(const Outside& outside, std::int8_t border);
  // The same with a further side of the cell, through a point.
  bool cut_side(const Eigen::Vector3d& out, const Eigen::Vector3d& on);
};

class CellPieces {
 public:
  void make_room(const TriangleMesh& a, const TriangleMesh& b);
  // All pieces of both surfaces, no deeper than `most`, m. `reach`, m: how far behind faces to look at first.
  void find(const MeshesInPlace& meshes, double reach, double most);
  std::span<const CellPiece> pieces() const { return pieces_; }

 private:
  // A triangle as it lies.
  struct PlacedFace {
    std::array<Eigen::Vector3d, 3> corner;
    Eigen::Vector3d normal;
    int index = 0;
  };
  // One of the two meshes, as it lies.
  template <bool of_a>
  struct Side {
    const MeshesInPlace& meshes;

    const TriangleMesh& mesh() const { return of_a ? meshes.a : meshes.b; }
    Eigen::Vector3d normal(int face) const { return of_a ? meshes.a.face(face).normal : meshes.normal_of_b(face); }
    Eigen::Vector3d vertex(int v) const {
      return of_a ? meshes.a.vertex(v).position : meshes.on_a(meshes.b.vertex(v).position);
    }
    PlacedFace face(int index) const;
    int beside(int face, int edge) const {
      const auto& faces = mesh().edge(edge).face;
      return faces[faces[0] == face ? 1 : 0];
    }
  };
  void look(const MeshesInPlace& meshes, double reach, double most);
  template <bool of_a>
  void cut(const PlacedFace& triangle, const PlacedFace& face, const Side<!of_a>& side, double most);
  template <bool of_a>
  static bool cut_sides(const PlacedFace& face, const Side<of_a>& side, CellPiece& piece);
  template <bool of_a>
  static bool cut_at_corners(const PlacedFace& face, const Side<of_a>& side, CellPiece& piece);

  std::vector<CellPiece> pieces_;
  double deepest_ = 0;  // m
};

}  // namespace carom::inline contact_geometry
