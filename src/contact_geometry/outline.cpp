#include "contact_geometry/outline.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include <fmt/format.h>

namespace carom::inline contact_geometry {

namespace {

constexpr double smooth = 1e-7;    // rad, by which tangents may differ where pieces join without a corner
constexpr double most_turn = 0.6;  // rad, of one curve

double turned(const Eigen::Vector2d& a, const Eigen::Vector2d& b) {
  return std::atan2(cross_of(a, b), a.dot(b));
}

double extent_of(const std::vector<OutlineLoop>& loops) {
  double most = 0;
  for (const OutlineLoop& loop : loops) {
    for (const CurvePiece& piece : loop) {
      for (int k = 0; k <= 16; ++k) most = std::max(most, piece.at(k / 16.0).position.norm());
    }
  }
  return most;
}

// A disc about points along a piece, with room for what lies between them.
void enclose(const CurvePiece& piece, OutlineElement& element) {
  constexpr int samples = 16;
  Eigen::Vector2d low = piece.start(), high = low;
  for (int k = 1; k <= samples; ++k) {
    const Eigen::Vector2d point = piece.at(k / static_cast<double>(samples)).position;
    low = low.cwiseMin(point), high = high.cwiseMax(point);
  }
  element.middle = (low + high) / 2;
  for (int k = 0; k <= samples; ++k) {
    element.reach =
        std::max(element.reach, (piece.at(k / static_cast<double>(samples)).position - element.middle).norm());
  }
  if (!piece.is_line()) element.reach *= 1.01;
}

// A contact that slides from a curve over its end stays the same: the node there has the number of the curve.
void join_tail(OutlineElement& node, const OutlineElement& before, const OutlineElement& after) {
  using Kind = OutlineElement::Kind;
  if (before.kind != Kind::curve && after.kind != Kind::curve) return;
  node.tail = true;
  node.id = before.kind == Kind::curve ? before.id : after.id;
}

int build_branch(std::span<const OutlineElement> elements, std::span<int> order, std::vector<OutlineBranch>& tree,
                 int place) {
  Eigen::Vector2d low = elements[order[0]].middle, high = low;
  for (const int k : order) {
    low = low.cwiseMin(elements[k].middle), high = high.cwiseMax(elements[k].middle);
  }
  OutlineBranch branch;
  branch.middle = (low + high) / 2;
  for (const int k : order) {
    branch.reach = std::max(branch.reach, (elements[k].middle - branch.middle).norm() + elements[k].reach);
  }
  if (order.size() == 1) {
    branch.middle = elements[order[0]].middle, branch.reach = elements[order[0]].reach, branch.first = order[0];
    branch.special = elements[order[0]].is_special();
    tree[place] = branch;
    return place;
  }
  const int axis = high.x() - low.x() > high.y() - low.y() ? 0 : 1;
  const auto half = static_cast<std::ptrdiff_t>(order.size() / 2);
  std::nth_element(order.begin(), order.begin() + half, order.end(), [&](int one, int two) {
    const double a = elements[one].middle[axis], b = elements[two].middle[axis];
    return a < b || (a == b && one < two);
  });
  branch.first = static_cast<int>(tree.size());
  branch.count = 2;
  tree.resize(tree.size() + 2);
  tree[place] = branch;
  build_branch(elements, order.first(static_cast<std::size_t>(half)), tree, branch.first);
  build_branch(elements, order.subspan(static_cast<std::size_t>(half)), tree, branch.first + 1);
  return place;
}

}  // namespace

std::vector<OutlineBranch> make_tree(std::span<const OutlineElement> elements) {
  std::vector<int> order(elements.size());
  std::iota(order.begin(), order.end(), 0);
  std::vector<OutlineBranch> tree(1);
  tree.reserve(2 * elements.size());
  build_branch(elements, order, tree, 0);
  return tree;
}

OutlineElement element_of(const CurvePiece& piece) {
  OutlineElement element;
  const CurvePoint first = piece.at(0), last = piece.at(1);
  element.start = first.position, element.end = last.position;
  element.from = right_of(first.first.normalized()), element.to = right_of(last.first.normalized());
  if (piece.is_line()) {
    element.kind = OutlineElement::Kind::line;
    element.centre = first.position;
    element.radius = piece.c[1].norm();
    element.to = element.from;
  } else if (piece.is_arc()) {
    // Mirrored arcs run the other way about their centre.
    const double turn = piece.turn * cross_of(piece.c[1], piece.c[2]);
    element.kind = turn > 0 ? OutlineElement::Kind::node : OutlineElement::Kind::hollow;
    element.centre = piece.c[0];
    element.radius = piece.radius();
    element.full = std::abs(piece.turn) > 2 * M_PI - 1e-9;
    element.reflex = std::abs(piece.turn) > M_PI + 1e-12;
  } else {
    element.kind = OutlineElement::Kind::curve;
    const CurvePoint middle = piece.at(0.5);
    element.convex = cross_of(middle.first, middle.second) > 0;
  }
  enclose(piece, element);
  return element;
}

Outline::Outline(std::vector<OutlineLoop> loops, double edge_radius) : loops_(std::move(loops)) {
  const double extent = extent_of(loops_);
  if (!std::isfinite(extent)) throw std::invalid_argument("the outline is not finite");
  if (extent > largest) {
    throw std::invalid_argument(fmt::format("the outline reaches {:.3g} m from its origin; give its `unit`", extent));
  }
  orient_loops(loops_, extent);
  round_corners(loops_, edge_radius);
  make_elements(true);
  measure();
}

Outline::Outline(const Profile& profile) : closed_(profile.is_closed()) {
  loops_.push_back(profile.pieces_of_curve());
  make_elements(profile.is_closed());
  measure();
}

namespace {

// Cut so that no part turns far; parts of curves are added to `curves`.
std::vector<OutlineElement> elements_of_loop(const OutlineLoop& loop, std::vector<CurvePiece>& curves) {
  std::vector<OutlineElement> elements;
  for (const CurvePiece& piece : loop) {
    for (const CurvePiece& part : piece.cut(most_turn)) {
      elements.push_back(element_of(part));
      if (elements.back().kind != OutlineElement::Kind::curve) continue;
      elements.back().curve = static_cast<int>(curves.size());
      curves.push_back(part);
    }
  }
  return elements;
}

// One number for a smooth curve, starting behind a place where one ends; `goes_on` says after which elements none does.
// Returns the next that is free.
std::uint32_t number_elements(std::vector<OutlineElement>& elements, const std::vector<bool>& goes_on,
                              std::uint32_t id) {
  const std::size_t n = elements.size();
  std::size_t first = 0;
  while (first < n && goes_on[(first + n - 1) % n]) ++first;
  if (first == n) first = 0;
  for (std::size_t k = 0; k < n; ++k) {
    elements[(first + k) % n].id = id;
    if (!goes_on[(first + k) % n]) ++id;
  }
  return id + 1;
}

}  // namespace

void Outline::make_elements(bool closed) {
  std::uint32_t id = 0;
  for (const OutlineLoop& loop : loops_) {
    std::vector<OutlineElement> own = elements_of_loop(loop, curves_);
    const std::size_t n = own.size();
    std::vector<OutlineElement> corners;
    std::vector<std::size_t> corner_after;  // the element before each
    std::vector<bool> goes_on(n, false);    // the next is part of the same smooth curve
    using Kind = OutlineElement::Kind;
    for (std::size_t k = 0; k < n; ++k) {
      if (!closed && k + 1 == n) break;
      OutlineElement &before = own[k], &after = own[(k + 1) % n];
      if (n == 1 && before.full) break;
      const double turn = turned(before.to, after.from);
      if (std::abs(turn) <= smooth) {
        before.wide[1] = after.kind == Kind::line;
        after.wide[0] = before.kind == Kind::line;
        goes_on[k] = before.kind == Kind::curve && after.kind == Kind::curve && before.convex == after.convex;
      } else if (turn < 0) {
        before.notch[1] = after.notch[0] = true;
        before.beyond[1] = after.from, after.beyond[0] = before.to;
      } else {
        OutlineElement corner;
        corner.centre = corner.start = corner.end = corner.middle = before.end;
        corner.from = before.to, corner.to = after.from;
        corner.wide[0] = before.kind == Kind::line, corner.wide[1] = after.kind == Kind::line;
        corners.push_back(corner);
        corner_after.push_back(k);
      }
    }
    if (around_) {
      for (std::size_t k = 0; k < n; ++k)
        own[k].id = wall_number(static_cast<std::size_t>(&loop - loops_.data()), k, n);
    } else {
      id = number_elements(own, goes_on, id);
    }
    for (std::size_t k = 0; k < (closed ? n : n - 1); ++k) {
      OutlineElement &before = own[k], &after = own[(k + 1) % n];
      if (!before.notch[1]) before.joined[1] = after.id, after.joined[0] = before.id;
    }
    for (std::size_t k = 0; k < corners.size(); ++k) {
      const OutlineElement &before = own[corner_after[k]], &after = own[(corner_after[k] + 1) % n];
      corners[k].id = id++;
      corners[k].joined = {before.id, after.id};
      join_tail(corners[k], before, after);
    }
    for (std::size_t k = 0; k < n; ++k) {
      if (own[k].kind == Kind::node && n > 1) join_tail(own[k], own[(k + n - 1) % n], own[(k + 1) % n]);
    }
    elements_.insert(elements_.end(), own.begin(), own.end());
    elements_.insert(elements_.end(), corners.begin(), corners.end());
  }
  tree_ = make_tree(elements_);
}

void Outline::measure() {
  for (const OutlineElement& element : elements_) {
    size_ = std::max(size_, element.middle.norm() + element.reach);
    if (element.kind == OutlineElement::Kind::node && element.radius > 0) {
      sharpness_ = std::max(sharpness_, 1 / element.radius);
    } else if (element.kind == OutlineElement::Kind::curve && element.convex) {
      for (int k = 0; k <= 8; ++k) {
        const CurvePoint point = curves_[element.curve].at(k / 8.0);
        const double speed = point.first.norm();
        if (speed > 0)
          sharpness_ = std::max(sharpness_, 1.1 * cross_of(point.first, point.second) / (speed * speed * speed));
      }
    }
  }
  double exact = 0;
  for (const OutlineLoop& loop : loops_) {
    for (const CurvePiece& piece : loop) {
      for (int k = 0; k <= 64; ++k) exact = std::max(exact, piece.at(k / 64.0).position.norm());
    }
  }
  size_ = std::min(size_, 1.002 * exact);
  measure_thickness();
}

// The width of the material is looked for across the middle of each piece, among a polygon of the outline.
void Outline::measure_thickness() {
  std::vector<std::pair<Eigen::Vector2d, Eigen::Vector2d>> sides;
  std::size_t loop = 0;
  for (auto& polygon : polygons(1e-2)) {
    if (open_walls_) polygon.push_back(loops_[loop++].back().end());
    const std::size_t count = open_walls_ ? polygon.size() - 1 : polygon.size();
    for (std::size_t k = 0; k < count; ++k) sides.emplace_back(polygon[k], polygon[(k + 1) % polygon.size()]);
  }
  double least = 2 * size_;
  // Pieces that are looked at; others are alike. Teeth repeat after a few pieces, and parts of the golden section never
  // do.
  constexpr std::size_t enough = 400;
  const std::size_t n = elements_.size();
  for (std::size_t k = 0; k < std::min(n, enough); ++k) {
    const double part = 0.6180339887498949 * static_cast<double>(k);
    const OutlineElement& element =
        elements_[n <= enough ? k : static_cast<std::size_t>((part - std::floor(part)) * static_cast<double>(n))];
    if (element.kind == OutlineElement::Kind::node && element.radius == 0) continue;
    Eigen::Vector2d point = (element.start + element.end) / 2, inward = -(element.from + element.to).normalized();
    if (element.kind == OutlineElement::Kind::curve) {
      const CurvePoint middle = curves_[element.curve].at(0.5);
      point = middle.position, inward = -right_of(middle.first.normalized());
    } else if (element.kind != OutlineElement::Kind::line) {
      if (element.full) continue;
      const double side = element.reflex ? -1 : 1;
      inward *= side;
      point = element.centre - (element.kind == OutlineElement::Kind::node ? 1 : -1) * element.radius * inward;
    }
    for (const auto& [a, b] : sides) {
      const Eigen::Vector2d along = b - a, to = a - point;
      const double across = cross_of(inward, along);
      if (std::abs(across) < 1e-300) continue;
      const double way = cross_of(to, along) / across, at = cross_of(to, inward) / across;
      if (at >= 0 && at <= 1 && way > 1e-3 * size_) least = std::min(least, way);
    }
  }
  thickness_ = least / 2;
}

AreaMoments Outline::moments() const {
  AreaMoments sum;
  const GaussRule& rule = gauss_rule();
  for (const OutlineLoop& loop : loops_) {
    for (const CurvePiece& piece : loop) {
      for (const CurvePiece& part :
           piece.kind == CurvePiece::Kind::polynomial ? OutlineLoop{piece} : piece.cut(most_turn)) {
        const int slices = part.is_arc() ? std::max(1, static_cast<int>(std::ceil(std::abs(part.turn) / 0.8))) : 1;
        for (int slice = 0; slice < slices; ++slice) {
          for (std::size_t k = 0; k < rule.at.size(); ++k) {
            const CurvePoint point = part.at((slice + rule.at[k]) / slices);
            const double w = rule.weight[k] / slices, x = point.position.x(), y = point.position.y();
            const double dx = w * point.first.x(), dy = w * point.first.y();
            sum.area += (x * dy - y * dx) / 2;
            sum.first += Eigen::Vector2d(x * x * dy / 2, -y * y * dx / 2);
            sum.xx += x * x * x * dy / 3;
            sum.yy -= y * y * y * dx / 3;
            sum.xy += (x * x * y * dy - x * y * y * dx) / 4;
          }
        }
      }
    }
  }
  return sum;
}

std::vector<std::vector<Eigen::Vector2d>> Outline::polygons(double part) const {
  std::vector<std::vector<Eigen::Vector2d>> result;
  for (const OutlineLoop& loop : loops_) {
    auto& polygon = result.emplace_back();
    for (const CurvePiece& piece : loop) add_polygon(piece, part * size_, polygon);
  }
  return result;
}

}  // namespace carom::inline contact_geometry
