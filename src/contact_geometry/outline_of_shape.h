#pragma once

#include <array>
#include <optional>

#include "contact_geometry/outline_search.h"
#include "contact_geometry/pair.h"
#include "contact_geometry/shape_description.h"

// All planar shapes as outlines, so that each touches each.
namespace carom::inline contact_geometry {

inline constexpr ShapeKind outline_kind = kind_named("outline");

struct OutlineData : ShapeData {
  explicit OutlineData(Outline made) : outline(std::move(made)) {}
  Outline outline;
  std::vector<ShapeRemark> remarks;  // on how it was read
};

inline const Outline& outline_of(const Shape<2>& shape) {
  return static_cast<const OutlineData&>(*shape.data).outline;
}

// The outline of a shape, for as long as this lives.
class OutlineOfShape {
 public:
  explicit OutlineOfShape(const Shape<2>& shape);
  OutlineOfShape(const OutlineOfShape&) = delete;
  OutlineOfShape& operator=(const OutlineOfShape&) = delete;
  const OutlineView& view() const { return view_; }

 private:
  OutlineElement& add(OutlineElement::Kind kind);
  void add_node(const Eigen::Vector2d& centre, double radius, const Eigen::Vector2d& from, const Eigen::Vector2d& to);
  void add_side(const Eigen::Vector2d& from, const Eigen::Vector2d& to);
  void add_endless(const Eigen::Vector2d& at, const Eigen::Vector2d& normal);
  void add_circle(OutlineElement::Kind kind, double radius);
  void make_box(const Eigen::Vector2d& half);
  void make_capsule(double half, double radius);
  void make_ellipse(const Eigen::Vector2d& half);
  void join(int node, int before, int after);
  void finish(double size, double thickness);

  static constexpr int most = 12;
  // Of shapes that have no outline of their own.
  struct Made {
    std::array<OutlineElement, most> elements;
    std::array<OutlineBranch, most + 1> tree;
    std::array<CurvePiece, most> curves;
  };
  std::optional<Made> made_;
  int count_ = 0;
  OutlineView view_;
};

}  // namespace carom::inline contact_geometry
