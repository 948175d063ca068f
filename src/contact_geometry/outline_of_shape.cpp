#include "contact_geometry/outline_of_shape.h"

#include <cmath>

#include "contact_geometry/groove.h"
#include "contact_geometry/shape_description.h"

namespace carom::inline contact_geometry {

namespace {

using Kind = OutlineElement::Kind;

}  // namespace

OutlineElement& OutlineOfShape::add(Kind kind) {
  OutlineElement& element = made_->elements[count_];
  element.kind = kind;
  element.id = static_cast<std::uint32_t>(count_++);
  return element;
}

void OutlineOfShape::add_node(const Eigen::Vector2d& centre, double radius, const Eigen::Vector2d& from,
                              const Eigen::Vector2d& to) {
  OutlineElement& node = add(Kind::node);
  node.centre = node.middle = centre;
  node.radius = node.reach = radius;
  node.from = from, node.to = to;
  node.start = centre + radius * from, node.end = centre + radius * to;
  node.wide[0] = node.wide[1] = true;
}

void OutlineOfShape::add_side(const Eigen::Vector2d& from, const Eigen::Vector2d& to) {
  OutlineElement& line = add(Kind::line);
  line.centre = line.start = from, line.end = to;
  line.radius = (to - from).norm();
  line.from = line.to = right_of((to - from) / line.radius);
  line.middle = (from + to) / 2, line.reach = line.radius / 2;
}

void OutlineOfShape::add_endless(const Eigen::Vector2d& at, const Eigen::Vector2d& normal) {
  OutlineElement& line = add(Kind::line);
  line.centre = line.start = line.end = line.middle = at;
  line.radius = line.reach = std::numeric_limits<double>::infinity();
  line.from = line.to = normal;
  line.endless = true;
}

void OutlineOfShape::add_circle(Kind kind, double radius) {
  OutlineElement& circle = add(kind);
  circle.radius = circle.reach = radius;
  circle.full = circle.reflex = true;
  circle.start = circle.end = {radius, 0};
  circle.from = circle.to = Eigen::Vector2d(kind == Kind::node ? 1 : -1, 0);
}

void OutlineOfShape::make_box(const Eigen::Vector2d& half) {
  const Eigen::Vector2d corners[4] = {
      {-half.x(), -half.y()}, {half.x(), -half.y()}, {half.x(), half.y()}, {-half.x(), half.y()}};
  const Eigen::Vector2d normals[4] = {{0, -1}, {1, 0}, {0, 1}, {-1, 0}};
  for (int k = 0; k < 4; ++k) add_node(corners[k], 0, normals[(k + 3) % 4], normals[k]);
  for (int k = 0; k < 4; ++k) add_side(corners[k], corners[(k + 1) % 4]);
  for (int k = 0; k < 4; ++k) join(k, 4 + (k + 3) % 4, 4 + k);
}

void OutlineOfShape::make_capsule(double half, double radius) {
  add_node({half, 0}, radius, {0, -1}, {0, 1});
  add_node({-half, 0}, radius, {0, 1}, {0, -1});
  add_side({-half, -radius}, {half, -radius});
  add_side({half, radius}, {-half, radius});
  join(0, 2, 3), join(1, 3, 2);
}

// In twelve parts, of which none turns far where the ellipse is not too slender.
void OutlineOfShape::make_ellipse(const Eigen::Vector2d& half) {
  for (int k = 0; k < most; ++k) {
    CurvePiece& piece = made_->curves[k];
    piece.kind = CurvePiece::Kind::round;
    piece.c[1] = {half.x(), 0};
    piece.c[2] = {0, half.y()};
    piece.phase = 2 * M_PI * k / most;
    piece.turn = 2 * M_PI / most;
    OutlineElement& part = add(Kind::curve);
    part.id = 0;
    part.curve = k;
    const CurvePoint first = piece.at(0), last = piece.at(1);
    part.start = first.position, part.end = last.position;
    part.from = right_of(first.first.normalized()), part.to = right_of(last.first.normalized());
    part.middle = (part.start + part.end) / 2;
    part.reach = std::max((piece.at(0.5).position - part.middle).norm(), (part.end - part.start).norm() / 2) * 1.05;
  }
}

// A node and the sides before and after it. True corners are no pieces: sides are joined across them.
void OutlineOfShape::join(int node, int before, int after) {
  auto& all = made_->elements;
  const bool piece = all[node].radius > 0;
  all[node].joined = {all[before].id, all[after].id};
  all[before].joined[1] = all[piece ? node : after].id;
  all[after].joined[0] = all[piece ? node : before].id;
}

void OutlineOfShape::finish(double size, double thickness) {
  OutlineBranch& root = made_->tree[0];
  root.reach = size;
  root.first = 1, root.count = count_;
  for (int k = 0; k < count_; ++k) {
    made_->tree[1 + k] = {made_->elements[k].middle, made_->elements[k].reach, k, 0, made_->elements[k].is_special()};
  }
  view_ = {made_->elements.data(), made_->tree.data(), made_->curves.data(), size, thickness};
}

OutlineOfShape::OutlineOfShape(const Shape<2>& shape) {
  if (shape.kind == outline_kind || shape.kind == groove_kind) {
    view_ = outline_of(shape).view();
    return;
  }
  if (shape.kind == ShapeKind::profile) {
    view_ = shape.profile->outline().view();
    return;
  }
  made_.emplace();
  switch (shape.kind) {
    case ShapeKind::box:
      make_box(shape.half);
      break;
    case ShapeKind::capsule:
      make_capsule(shape.length / 2, shape.radius);
      break;
    case ShapeKind::ellipsoid:
      make_ellipse(shape.half);
      break;
    case ShapeKind::plane:
      add_endless({0, 0}, {0, 1});
      break;
    case ShapeKind::slot:
      add_endless({0, shape.half[1]}, {0, -1});
      add_endless({0, -shape.half[1]}, {0, 1});
      break;
    case ShapeKind::cavity:
      add_circle(Kind::hollow, shape.radius);
      break;
    default:
      add_circle(Kind::node, shape.radius);
      break;
  }
  const auto thickness = description_of<2>(shape.kind).thickness;
  finish(shape.bounding_radius(), thickness ? thickness(shape) : std::numeric_limits<double>::infinity());
}

}  // namespace carom::inline contact_geometry
