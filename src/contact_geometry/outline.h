#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "contact_geometry/profile.h"

// Planar parts bounded by lines, arcs and curves, with corners and holes.
namespace carom::inline contact_geometry {

// What touches. The material lies on the left of the direction of travel.
struct OutlineElement {
  enum class Kind : std::uint8_t {
    node,    // a convex corner, or a convex arc: a disc of `radius` about `centre`, seen between two normals
    line,    // straight
    hollow,  // a concave arc about `centre`
    curve,   // any other, whose normal turns one way
  };
  static constexpr std::uint32_t none = ~0u;
  Kind kind = Kind::node;
  bool convex = true;    // of a curve
  bool full = false;     // node and hollow: a whole circle
  bool reflex = false;   // node and hollow: its normals turn by more than π
  bool endless = false;  // line: without ends
  // Node and curve: a straight line goes on from this end, which stands for the end of the line.
  std::array<bool, 2> wide = {};
  std::array<bool, 2> notch = {};                      // the material turns by more than π at this end
  std::array<std::uint32_t, 2> joined = {none, none};  // numbers of the pieces next to it, but in notches
  bool tail = false;                                   // node: at the end of a curve, whose number it has
  std::uint32_t id = 0;                                // alike for the parts of one smooth curve
  int curve = -1;                                      // number of the piece
  double radius = 0;                                   // m; of a line its length
  Eigen::Vector2d centre = Eigen::Vector2d::Zero();    // of a line its start
  Eigen::Vector2d from = Eigen::Vector2d::UnitX(), to = Eigen::Vector2d::UnitX();  // outward normals at both ends
  Eigen::Vector2d start = Eigen::Vector2d::Zero(), end = Eigen::Vector2d::Zero();  // m
  // Normals of neighbours in notches.
  std::array<Eigen::Vector2d, 2> beyond = {Eigen::Vector2d::UnitX(), Eigen::Vector2d::UnitX()};
  Eigen::Vector2d middle = Eigen::Vector2d::Zero();  // of a disc that holds the element
  double reach = 0;                                  // m, its radius

  bool is_special() const { return endless || (kind == Kind::hollow && full); }
  Eigen::Vector2d tangent() const { return {-from.y(), from.x()}; }  // of a line
};

// A disc about a part of the elements. The root is node 0; children are neighbours, none or two: halves of the
// elements.
struct OutlineBranch {
  Eigen::Vector2d middle = Eigen::Vector2d::Zero();
  double reach = 0;
  int first = 0, count = 0;  // children; none: the element `first`
  bool special = false;      // that element is endless, or a round hole: no disc bounds it well

  bool is_plain() const { return !special && reach < std::numeric_limits<double>::infinity(); }
};
constexpr int deepest_tree = 32;  // levels, however many elements an int can count

// Elements with a tree over them, for searches.
struct OutlineView {
  const OutlineElement* elements = nullptr;
  const OutlineBranch* tree = nullptr;
  const CurvePiece* curves = nullptr;
  double size = 0;       // m, about the origin; infinite without ends
  double thickness = 0;  // m, see Outline; infinite around holes
  bool closed = true;    // false: a curve with ends, which holds nothing
  bool around = false;   // the material is around: what is far from all walls is in it
};

// m², m³ and m⁴, about the origin.
struct AreaMoments {
  double area = 0;
  Eigen::Vector2d first = Eigen::Vector2d::Zero();
  double xx = 0, yy = 0, xy = 0;  // ∫x², ∫y², ∫xy
};

class Outline {
 public:
  // Closed loops, in any order and direction: a loop within another is a hole, and so on by turns. Convex corners
  // become arcs of `edge_radius`, m. Throws std::invalid_argument with place and remedy for loops that are open, cross
  // themselves or each other, have pieces without length, are not finite, or too large; and where an edge has no room.
  explicit Outline(std::vector<OutlineLoop> loops, double edge_radius = 0);
  // A curve as it is, closed or open; the ends of an open one are no corners.
  explicit Outline(const Profile& profile);

  // The walls of a groove, half its width beside its middle, with material beyond them on both sides. Those of an open
  // one go on straight beyond its ends, for a thousand times its size. Throws std::invalid_argument where the walls
  // fold or cross each other.
  Outline(const Profile& middle, double half_width);

  OutlineView view() const {
    return {elements_.data(), tree_.data(), curves_.data(), size_, thickness_, closed_, around_};
  }
  std::span<const OutlineElement> elements() const { return elements_; }
  const std::vector<OutlineLoop>& loops() const { return loops_; }
  double bounding_radius() const { return size_; }  // m, about the origin
  double sharpness() const { return sharpness_; }   // 1/m, greatest curvature of convex arcs and curves
  double thickness() const { return thickness_; }   // m, half of the least width across the middle of a piece
  AreaMoments moments() const;
  // Polygons, one for each loop, no farther from it than a part of the size: for pictures.
  std::vector<std::vector<Eigen::Vector2d>> polygons(double part = 1e-3) const;

  static constexpr std::size_t most_pieces = 200000;
  static constexpr double largest = 1e4;  // m

 private:
  void make_elements(bool closed);
  void go_on_straight(double way);
  void measure();
  void measure_thickness();

  std::vector<OutlineLoop> loops_;
  std::vector<OutlineElement> elements_;
  std::vector<CurvePiece> curves_;
  std::vector<OutlineBranch> tree_;
  double size_ = 0, sharpness_ = 0, thickness_ = 0;
  bool closed_ = true, around_ = false;
  bool open_walls_ = false;
};

// The numbers of the elements of a wall of a groove tell which of them follow each other.
std::uint32_t wall_number(std::size_t wall, std::size_t index, std::size_t count);
bool are_beside(std::uint32_t one, std::uint32_t two);

// One polygon for every part: holes are joined to the loop around them by a cut there and back.
std::vector<std::vector<Eigen::Vector2d>> filled_polygons(const Outline& outline);
// Points along a piece, without its end, no farther from it than `error`, m.
void add_polygon(const CurvePiece& piece, double error, std::vector<Eigen::Vector2d>& points);
// Checks loops and turns them so that the material is on the left; see Outline.
void orient_loops(std::vector<OutlineLoop>& loops, double size);
// Rounds convex corners of loops that are oriented.
void round_corners(std::vector<OutlineLoop>& loops, double radius);
// The element of a piece, without what it knows of its neighbours; and a disc that holds it.
OutlineElement element_of(const CurvePiece& piece);
std::vector<OutlineBranch> make_tree(std::span<const OutlineElement> elements);

}  // namespace carom::inline contact_geometry
