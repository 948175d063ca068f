#pragma once

#include <array>
#include <memory>
#include <vector>

#include "contact_geometry/true_surface.h"

// A solid by its true faces: pieces of planes, cylinders, cones, spheres and tori, the edges between them, and corners.
// A free-form face is a patch of triangles; where it meets a true face their edge is the true curve. Lengths in m, in
// axes of its own. Nothing here allocates once it is made.
namespace carom::inline contact_geometry {

class FacedSolid {
 public:
  // A curve that bounds a face, which lies to the left of it, seen from outside, times the sign.
  struct Border {
    int edge = 0;
    double sign = 1;
  };
  struct Face {
    TrueSurface surface;
    std::vector<Border> borders = {};  // none: the whole surface
    AxisBox box = {};
    double low = 0, high = 0;  // m, along the axis of a cylinder or cone
    bool touches = true;       // false: it is there for the edges about it alone
    int patch = -1;            // it is a triangle of this patch
    // Of a triangle, of the true face that it stands for: 1/m, second fundamental form; 1 − cosine, by how much it
    // leans from the triangle.
    Eigen::Matrix3d bend = Eigen::Matrix3d::Zero();
    double lean = 0;
  };
  // The triangle of a patch that lies along an edge from a parameter on. It is a strip between the edge and its corner
  // away from it.
  struct Beside {
    double from = 0;
    int face = 0;
    Eigen::Vector3d away = Eigen::Vector3d::Zero();
  };
  struct Edge {
    TrueCurve curve;
    std::array<int, 2> face = {-1, -1};
    std::array<double, 2> sign = {1, -1};
    AxisBox box = {};
    double slack = 0;                 // sine: by how much a direction may be off that it looks to
    bool sharp = false;               // a ridge, or where a round face goes over into a hollow one
    bool trims = false;               // a stretch of an edge that bounds a triangle beside it, and is no edge by itself
    std::vector<Beside> beside = {};  // where the second face is a patch: its triangles along the edge
  };
  // Where edges end, and places of flat faces on which the solid stands.
  struct Corner {
    Eigen::Vector3d position = Eigen::Vector3d::Zero();
    Eigen::Vector3d normal = Eigen::Vector3d::Zero();  // of a flat face; zero where several faces meet
    std::vector<Eigen::Vector3d> leaving = {};         // unit, of edges and in faces
    double slack = 0;
  };
  // What is on the two sides of an edge at a place of it.
  struct Sides {
    std::array<Eigen::Vector3d, 2> normal, into;  // outward; into the faces, across the edge
    double turn = 0;                              // sine of the angle between them; negative where it is hollow
  };
  // A point of the surface of a face: m, how far it is inside its borders, and from which.
  struct Inside {
    double distance = 1e300;
    int edge = -1;
    double at = 0;
  };

  const std::vector<Face>& faces() const { return faces_; }
  const std::vector<Edge>& edges() const { return edges_; }
  const std::vector<Corner>& corners() const { return corners_; }
  const BoxTree& face_tree() const { return face_tree_; }
  const BoxTree& edge_tree() const { return edge_tree_; }
  const BoxTree& corner_tree() const { return corner_tree_; }
  const AxisBox& box() const { return box_; }
  bool endless() const { return endless_; }
  double size() const { return size_; }            // m, diagonal of its box; infinite without end
  double thickness() const { return thickness_; }  // m, half of how thin it is where it is thin

  Sides sides(int edge, double at) const;
  bool edge_looks_along(const Sides& sides, const Eigen::Vector3d& direction, double slack) const;
  bool corner_looks_along(const Corner& corner, const Eigen::Vector3d& direction) const;
  Inside inside(int face, const Eigen::Vector3d& point) const;
  // One of the two faces of an edge, at a place of it.
  int face_at(int edge, int side, double at) const;
  const Beside& beside(int edge, double at) const;
  // Which of the two faces of an edge is the other one.
  int across(int edge, int face, double at) const { return face_at(edge, edges_[edge].face[0] == face ? 1 : 0, at); }
  // 1/m, second fundamental form at a point of its surface with this outward normal; an edge is curved by `edge` across
  // itself, a corner in all directions.
  Eigen::Matrix3d curvature(const Eigen::Vector3d& point, const Eigen::Vector3d& outward, double edge) const;
  // 1/m, greatest curvature of its convex faces.
  double sharpness() const;

 private:
  friend class SolidMaker;
  std::vector<Face> faces_;
  std::vector<Edge> edges_;
  std::vector<Corner> corners_;
  BoxTree face_tree_, edge_tree_, corner_tree_;
  AxisBox box_;
  bool endless_ = false;
  double size_ = 0, thickness_ = 0;
};

// Puts a solid together from its faces and the edges between them.
class SolidMaker {
 public:
  int add_face(const TrueSurface& surface, bool touches = true);
  // A tighter box than that of the surface.
  void bound_face(int face, const AxisBox& box);
  // The sign of the second face is the opposite of that of the first one: both lie to the left of their own borders.
  void add_edge(const TrueCurve& curve, int first, double sign, int second);
  // The sign follows from a direction that leads into the first face at the start of the curve.
  void add_edge_into(const TrueCurve& curve, int first, const Eigen::Vector3d& into, int second);
  // A triangle of a patch, counter-clockwise from outside, with the outward normals of the true face at its corners.
  int add_triangle(int patch, const std::array<Eigen::Vector3d, 3>& corner,
                   const std::array<Eigen::Vector3d, 3>& normal);
  // The true edge of a true face beside a patch, to whose triangles it is a border by stretches.
  void add_rim(const TrueCurve& curve, int face, double sign, const std::vector<FacedSolid::Beside>& beside);
  // The tip of a cone: where its surface ends without an edge.
  void add_tip(int face);
  // `thickness`: see FacedSolid; 0: not known. Endless: half spaces and holes, which have no box.
  FacedSolid finish(double thickness, bool endless);

 private:
  struct Meeting {  // an end of an edge
    int edge = 0;
    bool at_end = false;
    Eigen::Vector3d leaving;
  };
  // Where edges end; `on_rim`: also stretches of edges.
  struct End {
    Eigen::Vector3d place = Eigen::Vector3d::Zero();
    std::vector<Meeting> meetings = {};
    bool on_rim = false;
  };
  std::vector<End> find_ends() const;
  bool is_amid_rim(const End& end) const;
  void add_tip_corner(int tip);
  AxisBox box_of_surface(const FacedSolid::Face& face) const;
  void measure_faces();
  void judge_edges();
  void find_corners();
  void make_corner(const Eigen::Vector3d& place, const std::vector<Meeting>& ends);
  void stand_on(int face, const Eigen::Vector3d& place);
  void find_standing_places();
  Eigen::Vector3d normal_at(int face, const Eigen::Vector3d& place) const;

  FacedSolid solid_;
  std::vector<std::pair<int, AxisBox>> bounds_;
  std::vector<int> tips_;
  std::vector<std::pair<Eigen::Vector3d, std::vector<int>>> smooth_ends_;  // and the edges that end there
};

}  // namespace carom::inline contact_geometry
