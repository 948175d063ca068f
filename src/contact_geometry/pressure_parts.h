#pragma once

#include <array>
#include <span>
#include <vector>

#include "contact_geometry/pressure_field.h"

// The pressure over an overlap that may consist of several connected parts, each of which may have several places where
// it is deepest (docs/theory/contact_areas.md#areas-that-part-and-join).
//
// Two parts that only just touch press like two, one part with a shallow dent like one, and what lies between must not
// jump. With the energy U of pressure_field.h, a part that falls in two where it is no deeper than the saddle s has
//   U[h] − U[t₁ + t₂] + U[t₁] + U[t₂],   tᵢ = min(h, 2 (h − s)) on the piece i of what is deeper than s,
// and so on for pieces that fall apart themselves at saddles of their own. At s = 0 these are two parts by themselves,
// without a dent one, and it does not matter which of two saddles of the same depth comes first. Energy and pressure
// p = ∂U/∂h are continuous on the way. As U depends on the depth of saddles, forces act there, too.
namespace carom::inline contact_geometry {

class PressureParts {
 public:
  // Of one part; the least pronounced dents beyond count for nothing.
  static constexpr int most_peaks = 16;

  void clear();
  void reserve(std::size_t cells);
  // A convex polygon in the plane of contact, with the depth as third number, somewhere deeper than 0. One that does
  // not press only connects others: a wall. Its number.
  int add(std::span<const Eigen::Vector3d> polygon, bool presses = true);
  // Two cells have a border in common, whose deepest place this is.
  void link(int one, int two, const Eigen::Vector3d& place);
  // All cells are there: how many connected parts they make.
  int connect();
  int part_of(int cell) const { return cells_[cell].part; }
  // Without pressing cells the force is 0.
  FieldResult solve(int part);
  // What presses on a cell of the part that was solved last, forces of saddles included.
  PressureField::Share share_of(int cell) const;

 private:
  struct Cell {
    int first = 0, corners = 0;  // in corners_
    int node = 0, part = 0;
    double peak = 0;  // m
    bool presses = true;
  };
  struct Link {
    int one, two;
    Eigen::Vector3d place;
  };
  // Of the tree in which pieces grow together as the level falls. The first ones are the cells.
  struct Node {
    double peak = 0;                                   // m
    int child[2] = {-1, -1}, above = -1;               // above: the piece that it becomes a part of
    int same_as = -1;                                  // it counts as another one
    int cell = -1;                                     // beside its saddle
    Eigen::Vector3d saddle = Eigen::Vector3d::Zero();  // place, depth
    int number = -1;                                   // of the part that is solved
    bool is_leaf() const { return child[0] < 0; }
  };
  // A node of the part that is solved.
  struct Piece {
    int node = 0;
    unsigned above = 0;  // pieces that it is in, itself included, one bit each
  };
  // A pressure slope · h + offset where the depth h of a piece exceeds the level.
  struct Layer {
    int piece = 0;
    bool within = false;  // on its own pieces only
    double level = 0, slope = 0, offset = 0;
  };
  struct PointForce {
    int cell;
    Eigen::Vector3d place;
    double force;
  };

  int root(int cell);
  int resolved(int node);
  void merge(const Link& link);
  void number_parts();
  int count_peaks(int node) const;
  int least_pronounced(int node) const;
  void drop_peak(int leaf);
  void number_pieces(int node, unsigned above);
  bool is_in(const Cell& cell, int piece, bool within) const;
  template <typename Visit>
  void for_each_cell(int piece, bool within, const Visit& visit) const;
  template <typename Visit>
  void visit_triangles(const Cell& cell, double level, const Visit& visit) const;
  bool presses_somewhere(int node) const;
  void settle_pieces(int top);
  void fill_field(int piece, bool within, double saddle);
  double force_of(const Layer& layer) const;
  // U[t] of a piece enters the energy with its sign; its derivative with respect to the saddle.
  double press_piece(int piece, bool within, double saddle, double sign);
  void press_tree(int piece);
  double pressure_at(const Cell& cell, double depth) const;
  void sum_up();

  std::vector<Eigen::Vector3d> corners_;
  std::vector<Cell> cells_;
  std::vector<Link> links_;
  std::vector<int> order_, parent_, top_;  // of links; of cells; node of a root
  std::vector<Node> nodes_;
  std::vector<int> members_, first_member_;  // cells by part
  PressureField field_;
  // Of the part that is solved.
  int part_ = 0;
  std::array<Piece, 2 * most_peaks> pieces_;
  int piece_count_ = 0;
  std::vector<Layer> layers_;
  std::vector<PointForce> points_;
  std::vector<double> starts_;
  FieldResult result_;
};

}  // namespace carom::inline contact_geometry
