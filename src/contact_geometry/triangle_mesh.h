#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "contact_geometry/nearest_places.h"
#include "geometry_io/box_tree.h"
#include "geometry_io/triangle_soup.h"
#include "geometry_io/wide_tree.h"

// A closed surface of triangles with everything that contact asks of it: neighbours, normals, which directions a vertex
// or an edge looks to, and a tree of boxes. Lengths in m, local axes. Nothing here allocates once it is made.
namespace carom::inline contact_geometry {

// Where on the surface a point is nearest.
struct SurfacePlace {
  Eigen::Vector3d point = Eigen::Vector3d::Zero();
  double distance_squared = 0;
  int face = -1;
  Element element = Element::face;
  int index = -1;  // of the vertex, edge or face
};

// Of a triangle: its own plane, and the three that stand on its sides and look away from it; in single precision. Where
// it is too thin to tell, everything is below them.
struct FacePlanes {
  Four x{}, y{}, z{}, offset{};
  // 0 or 1. The first: whether what comes in by the face may lead deeper than it lies below it, which is not so of a
  // flat side from all edges of which the surface falls off. The others: whether the face makes a notch with another.
  Four open{};
};

class TriangleMesh {
 public:
  struct Face {
    std::array<int, 3> vertex, edge;  // edge k is opposite to vertex k
    Eigen::Vector3d normal;           // outward
  };
  struct Edge {
    std::array<int, 2> vertex, face;
    std::array<int, 2> opposite;          // vertices of the two faces that are not on it
    std::array<Eigen::Vector3d, 2> into;  // unit, from the edge into its faces, perpendicular to it
    Eigen::Vector3d normal;               // mean of those of its faces, unit
    double turn = 0;                      // rad, between the normals of its faces; negative where it is hollow
    double slack = 0;                     // see looks_along
    bool is_ridge() const { return turn > flat_turn; }
    bool is_notch() const { return turn < -flat_turn; }
  };
  struct Vertex {
    Eigen::Vector3d position;
    Eigen::Vector3d normal;  // of the faces, weighted by their angles there (Bærentzen and Aanæs 2005)
    int first_neighbour = 0, neighbours = 0, owner = 0;  // a face of its own
    int owner_edge = -1;                                 // a ridge of its own; −1: it ends none
    double slack = 0;
    // Planes of several directions can touch it: it is neither amid a flat side nor on a straight edge nor in a hollow.
    bool is_corner = false;
  };

  static constexpr double flat_turn = 1e-7;  // rad, below which two faces are one

  explicit TriangleMesh(const ClosedSurface& surface, double scale = 1);

  std::span<const Vertex> vertices() const { return vertices_; }
  std::span<const Edge> edges() const { return edges_; }
  std::span<const Face> faces() const { return faces_; }
  const Vertex& vertex(int k) const { return vertices_[k]; }
  const Edge& edge(int k) const { return edges_[k]; }
  const Face& face(int k) const { return faces_[k]; }
  const Eigen::Vector3d& corner(int face, int k) const { return vertices_[faces_[face].vertex[k]].position; }
  const BoxTree& tree() const { return tree_; }
  const WideTree& wide_tree() const { return wide_tree_; }
  const AxisBox& box_of(int face) const { return boxes_[face]; }
  // Edges that are not amid a flat side: where two surfaces meet, a corner, a ridge or a notch of one of them takes
  // part, however finely their flat sides are cut. In a tree of their own, whose things are places in this list.
  std::span<const int> sharp_edges() const { return sharp_edges_; }
  const WideTree& edge_tree() const { return edge_tree_; }
  const AxisBox& box_of_sharp_edge(int place) const { return edge_boxes_[place]; }
  // m, in single precision, with 1 behind a corner that belongs to that edge, else 0.
  const std::array<Four, 2>& ends_of_sharp_edge(int place) const { return edge_ends_[place]; }
  const FacePlanes& planes_of(int face) const { return planes_[face]; }

  double bounding_radius() const { return bounding_radius_; }  // m, about the origin
  double size() const { return size_; }                        // m, diagonal of its box
  double thickness() const { return thickness_; }              // m, half of how thin it is where it is thin
  bool is_convex() const { return convex_; }
  double hollow() const { return hollow_; }  // rad, by which the surface turns back at its most hollow edge

  // Whether the surface about a vertex or an edge goes down from it, seen along a unit direction: a plane across the
  // direction can touch it there. The slack, a sine, says how far the direction may be off: a box that lies on a floor
  // almost flat touches it with all of its corners. It is smaller where the surface turns less, so that of a finely
  // cut round surface only what is nearest touches.
  bool vertex_looks_along(int vertex, const Eigen::Vector3d& direction, double slack) const;
  bool edge_looks_along(int edge, const Eigen::Vector3d& direction, double slack) const;

  SurfacePlace nearest_on_face(int face, const Eigen::Vector3d& point) const;
  // Over the whole surface; nothing farther than `within` is looked at, then the face is −1.
  SurfacePlace nearest(const Eigen::Vector3d& point, double within = 1e300) const;
  // The outward normal of the element of a place.
  const Eigen::Vector3d& normal_at(const SurfacePlace& place) const;
  bool contains(const Eigen::Vector3d& point) const;
  // m, from the surface; negative inside. It is found sooner where it is said to be no farther than `about`.
  double signed_distance(const Eigen::Vector3d& point, double about = 1e300) const;

 private:
  void find_edges(const ClosedSurface& surface);
  void find_neighbours();
  void find_corners();
  bool sticks_out(const Vertex& vertex) const;
  void find_sharp_edges();
  void find_planes();
  void find_plateaus();
  void mark_corners();
  void measure_thickness();
  double first_hit(const Eigen::Vector3d& from, const Eigen::Vector3d& direction) const;

  std::vector<Vertex> vertices_;
  std::vector<Edge> edges_;
  std::vector<Face> faces_;
  std::vector<int> neighbours_;              // vertices, by vertex
  std::vector<Eigen::Vector3d> directions_;  // unit, to those neighbours
  std::vector<AxisBox> boxes_, edge_boxes_;
  std::vector<int> sharp_edges_;
  std::vector<std::array<Four, 2>> edge_ends_;
  std::vector<FacePlanes> planes_;
  BoxTree tree_;
  WideTree wide_tree_, edge_tree_;
  double bounding_radius_ = 0, size_ = 0, thickness_ = 0, hollow_ = 0;
  bool convex_ = false;
};

// m³; m; m⁵ about the centre: of the inside at unit density, exact for these triangles.
struct MeshIntegrals {
  double volume = 0;
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();
};
MeshIntegrals integrals_of(const TriangleMesh& mesh);

}  // namespace carom::inline contact_geometry
