#include "model_io/self_crossing.h"

#include <algorithm>

namespace carom::inline model_io {
namespace {

struct Edge {
  Eigen::Vector2d from, to;
  double left() const { return std::min(from.x(), to.x()); }
  double right() const { return std::max(from.x(), to.x()); }
};

double side(const Edge& edge, const Eigen::Vector2d& point) {
  const Eigen::Vector2d along = edge.to - edge.from, there = point - edge.from;
  return along.x() * there.y() - along.y() * there.x();
}

// Of a point on the line through the edge.
bool is_between(const Edge& edge, const Eigen::Vector2d& point) {
  return (point - edge.from).dot(point - edge.to) <= 0;
}

bool meet(const Edge& a, const Edge& b) {
  const double a_from = side(b, a.from), a_to = side(b, a.to), b_from = side(a, b.from), b_to = side(a, b.to);
  if (((a_from > 0 && a_to < 0) || (a_from < 0 && a_to > 0)) && ((b_from > 0 && b_to < 0) || (b_from < 0 && b_to > 0)))
    return true;
  return (a_from == 0 && is_between(b, a.from)) || (a_to == 0 && is_between(b, a.to)) ||
         (b_from == 0 && is_between(a, b.from)) || (b_to == 0 && is_between(a, b.to));
}

// Neighbours share an end; they overlap only if the second runs back along the first.
bool folds_back(const Edge& first, const Edge& second) {
  const Eigen::Vector2d a = first.to - first.from, b = second.to - second.from;
  return a.x() * b.y() - a.y() * b.x() == 0 && a.dot(b) < 0;
}

}  // namespace

std::optional<std::pair<std::size_t, std::size_t>> find_self_crossing(const std::vector<Eigen::Vector3d>& points,
                                                                      bool closed) {
  const std::size_t count = points.size() < 2 ? 0 : points.size() - (closed ? 0 : 1);
  std::vector<Edge> edges(count);
  std::vector<std::size_t> order(count);
  for (std::size_t k = 0; k < count; ++k) {
    edges[k] = {points[k].head<2>(), points[(k + 1) % points.size()].head<2>()};
    order[k] = k;
  }
  // From left to right, so that each edge is compared only with those beside it.
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return edges[a].left() < edges[b].left(); });
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = i + 1; j < count && edges[order[j]].left() <= edges[order[i]].right(); ++j) {
      const std::size_t first = std::min(order[i], order[j]), second = std::max(order[i], order[j]);
      const bool around = closed && first == 0 && second == count - 1;
      const bool crosses = second == first + 1 ? folds_back(edges[first], edges[second])
                           : around            ? folds_back(edges[second], edges[first])
                                               : meet(edges[first], edges[second]);
      if (crosses) return std::pair(first, second);
    }
  }
  return std::nullopt;
}

}  // namespace carom::inline model_io
