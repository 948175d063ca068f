#include "contact_geometry/pressure_parts.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace carom::inline contact_geometry {
namespace {

// Of its depth: a peak that rises less above its saddle is none. What it would change goes with the square.
constexpr double pronounced = 1e-6;

struct Polygon {
  std::array<Eigen::Vector3d, 12> corner;
  std::size_t size = 0;
  void add(const Eigen::Vector3d& at) { corner[size++] = at; }
  std::span<Eigen::Vector3d> all() { return {corner.data(), size}; }
};

// The parts of a convex polygon that are deeper and less deep than a level.
void cut_at(std::span<const Eigen::Vector3d> polygon, double level, Polygon& deep, Polygon& shallow) {
  deep.size = shallow.size = 0;
  for (std::size_t k = 0; k < polygon.size(); ++k) {
    const Eigen::Vector3d &here = polygon[k], &there = polygon[(k + 1) % polygon.size()];
    (here.z() > level ? deep : shallow).add(here);
    if ((here.z() > level) == (there.z() > level)) continue;
    Eigen::Vector3d at = here + (level - here.z()) / (there.z() - here.z()) * (there - here);
    at.z() = level;
    deep.add(at), shallow.add(at);
  }
}

}  // namespace

void PressureParts::clear() {
  corners_.clear(), cells_.clear(), links_.clear(), nodes_.clear();
}

void PressureParts::reserve(std::size_t cells) {
  corners_.reserve(4 * cells), cells_.reserve(cells), links_.reserve(3 * cells), nodes_.reserve(2 * cells);
  order_.reserve(3 * cells), parent_.reserve(cells), top_.reserve(cells);
  members_.reserve(cells), first_member_.reserve(cells + 1);
  field_.reserve(2 * cells);
  layers_.reserve(8 * most_peaks), points_.reserve(most_peaks), starts_.reserve(most_peaks + 2);
}

int PressureParts::add(std::span<const Eigen::Vector3d> polygon, bool presses) {
  const int number = static_cast<int>(cells_.size());
  Cell cell{.first = static_cast<int>(corners_.size()),
            .corners = static_cast<int>(polygon.size()),
            .node = number,
            .presses = presses};
  for (const Eigen::Vector3d& corner : polygon) cell.peak = std::max(cell.peak, corner.z());
  corners_.insert(corners_.end(), polygon.begin(), polygon.end());
  cells_.push_back(cell);
  return number;
}

void PressureParts::link(int one, int two, const Eigen::Vector3d& place) {
  links_.push_back({one, two, place});
}

int PressureParts::root(int cell) {
  while (parent_[cell] != cell) cell = parent_[cell] = parent_[parent_[cell]];
  return cell;
}

int PressureParts::resolved(int node) {
  while (nodes_[node].same_as >= 0) {
    const int next = nodes_[node].same_as;
    if (nodes_[next].same_as >= 0) nodes_[node].same_as = nodes_[next].same_as;
    node = next;
  }
  return node;
}

int PressureParts::connect() {
  const int count = static_cast<int>(cells_.size());
  nodes_.assign(count, {});
  parent_.resize(count), top_.resize(count), order_.resize(links_.size());
  std::iota(parent_.begin(), parent_.end(), 0);
  std::iota(top_.begin(), top_.end(), 0);
  std::iota(order_.begin(), order_.end(), 0);
  for (int k = 0; k < count; ++k) nodes_[k].peak = cells_[k].peak;
  std::sort(order_.begin(), order_.end(), [this](int one, int two) {
    const double a = links_[one].place.z(), b = links_[two].place.z();
    return a != b ? a > b : one < two;
  });
  for (const int k : order_) merge(links_[k]);
  number_parts();
  return static_cast<int>(first_member_.size()) - 1;
}

// Two pieces grow together as the level falls to that of the link.
void PressureParts::merge(const Link& link) {
  const int one = root(link.one), two = root(link.two);
  if (one == two) return;
  int higher = top_[one], lower = top_[two];
  const auto less = [&](int a, int b) {
    return nodes_[a].peak != nodes_[b].peak ? nodes_[a].peak < nodes_[b].peak : a > b;
  };
  if (less(higher, lower)) std::swap(higher, lower);
  const int first = std::min(one, two);
  parent_[one] = parent_[two] = first;
  const Node& peak = nodes_[lower];
  if (peak.is_leaf() && peak.peak - link.place.z() <= pronounced * peak.peak) {
    nodes_[lower].same_as = higher;
    top_[first] = higher;
    return;
  }
  top_[first] = static_cast<int>(nodes_.size());
  nodes_[higher].above = nodes_[lower].above = top_[first];
  Node joined;
  joined.peak = nodes_[higher].peak;
  joined.child[0] = higher, joined.child[1] = lower;
  joined.cell = link.one, joined.saddle = link.place;
  nodes_.push_back(joined);
}

void PressureParts::number_parts() {
  int parts = 0;
  first_member_.clear();
  for (int k = 0; k < std::ssize(cells_); ++k) {
    const int first = root(k);
    cells_[k].part = first == k ? parts++ : cells_[first].part;
  }
  first_member_.assign(parts + 1, 0);
  for (const Cell& cell : cells_) ++first_member_[cell.part + 1];
  std::partial_sum(first_member_.begin(), first_member_.end(), first_member_.begin());
  members_.resize(cells_.size());
  // In the order of the cells: from behind, so that the last place of a part is that of its last cell.
  for (int k = static_cast<int>(cells_.size()) - 1; k >= 0; --k) members_[--first_member_[cells_[k].part + 1]] = k;
  first_member_.erase(first_member_.begin());
  first_member_.push_back(static_cast<int>(cells_.size()));
}

int PressureParts::count_peaks(int node) const {
  const Node& own = nodes_[node];
  return own.is_leaf() ? 1 : count_peaks(own.child[0]) + count_peaks(own.child[1]);
}

// The leaf that rises least above its saddle, in parts of its depth.
int PressureParts::least_pronounced(int node) const {
  const Node& own = nodes_[node];
  if (own.is_leaf()) return node;
  const int one = least_pronounced(own.child[0]), two = least_pronounced(own.child[1]);
  const auto rise = [&](int leaf) { return 1 - nodes_[nodes_[leaf].above].saddle.z() / nodes_[leaf].peak; };
  return rise(two) <= rise(one) ? two : one;
}

// The other piece at its saddle goes on for all.
void PressureParts::drop_peak(int leaf) {
  const int joined = nodes_[leaf].above, above = nodes_[joined].above;
  const int other = nodes_[joined].child[nodes_[joined].child[0] == leaf ? 1 : 0];
  nodes_[leaf].same_as = nodes_[joined].same_as = other;
  nodes_[other].above = above;
  if (above >= 0) nodes_[above].child[nodes_[above].child[0] == joined ? 0 : 1] = other;
}

void PressureParts::number_pieces(int node, unsigned above) {
  const int number = piece_count_++;
  nodes_[node].number = number;
  pieces_[number] = {.node = node, .above = above | 1U << number};
  if (nodes_[node].is_leaf()) return;
  for (const int child : nodes_[node].child) number_pieces(child, pieces_[number].above);
}

bool PressureParts::is_in(const Cell& cell, int piece, bool within) const {
  const int own = nodes_[cell.node].number;
  return cell.presses && (pieces_[own].above >> piece & 1U) != 0 && !(within && own == piece);
}

template <typename Visit>
void PressureParts::for_each_cell(int piece, bool within, const Visit& visit) const {
  for (int k = first_member_[part_]; k < first_member_[part_ + 1]; ++k) {
    const Cell& cell = cells_[members_[k]];
    if (is_in(cell, piece, within)) visit(cell);
  }
}

template <typename Visit>
void PressureParts::visit_triangles(const Cell& cell, double level, const Visit& visit) const {
  const Eigen::Vector3d* corner = corners_.data() + cell.first;
  for (int k = 2; k < cell.corners; ++k) PressureField::visit_above(corner[0], corner[k - 1], corner[k], level, visit);
}

bool PressureParts::presses_somewhere(int node) const {
  const Node& own = nodes_[node];
  const double saddle = own.above >= 0 ? nodes_[own.above].saddle.z() : 0;
  double area = 0;
  for_each_cell(own.number, false, [&](const Cell& cell) {
    visit_triangles(cell, saddle, [&](const auto&, const auto&, const auto&, double part) { area += part; });
  });
  return area > 0;
}

void PressureParts::fill_field(int piece, bool within, double saddle) {
  field_.clear();
  Polygon deep, shallow;
  for_each_cell(piece, within, [&](const Cell& cell) {
    const std::span<const Eigen::Vector3d> polygon(corners_.data() + cell.first,
                                                   static_cast<std::size_t>(cell.corners));
    if (!(saddle > 0)) return field_.add(polygon);
    if (!(cell.peak > saddle)) return;
    cut_at(polygon, 2 * saddle, deep, shallow);
    for (Eigen::Vector3d& corner : shallow.all()) corner.z() = 2 * (corner.z() - saddle);
    field_.add(deep.all());
    field_.add(shallow.all());
  });
}

double PressureParts::force_of(const Layer& layer) const {
  double force = 0;
  for_each_cell(layer.piece, layer.within, [&](const Cell& cell) {
    if (!(cell.peak > layer.level)) return;
    visit_triangles(cell, layer.level,
                    [&](const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c, double area) {
                      force += area * (layer.slope / 3 * (a.z() + b.z() + c.z()) + layer.offset);
                    });
  });
  return force;
}

double PressureParts::press_piece(int piece, bool within, double saddle, double sign) {
  fill_field(piece, within, saddle);
  if (field_.empty()) return 0;
  starts_.assign(1, 0);
  for (int k = 0; k < piece_count_; ++k) {
    const Node& node = nodes_[pieces_[k].node];
    if (node.is_leaf() && (pieces_[k].above >> piece & 1U) != 0)
      starts_.push_back(std::min(node.peak, 2 * (node.peak - saddle)) * 2 / 3);
  }
  const FieldResult own = field_.solve(starts_);
  const double slope = sign * own.slope, offset = sign * own.offset;
  result_.energy += sign * own.energy;
  result_.area += sign * own.area;
  if (!(own.level < 2 * saddle)) {
    layers_.push_back({piece, within, own.level, slope, offset});
    return 0;
  }
  // Below 2 s the depth counts twice, from the saddle on.
  const Layer shallow{piece, within, saddle + 0.5 * own.level, 4 * slope, 2 * offset - 4 * slope * saddle};
  const Layer shallow_above{piece, within, 2 * saddle, shallow.slope, shallow.offset};
  layers_.push_back(shallow);
  layers_.push_back({piece, within, 2 * saddle, slope - shallow.slope, offset - shallow.offset});
  return force_of(shallow_above) - force_of(shallow);
}

// What the pieces of a piece add to its energy.
void PressureParts::press_tree(int piece) {
  const Node& node = nodes_[pieces_[piece].node];
  if (node.is_leaf()) return;
  const double saddle = node.saddle.z();
  double at_saddle = press_piece(piece, true, saddle, -1);
  for (const int child : node.child) at_saddle += press_piece(nodes_[child].number, false, saddle, 1);
  points_.push_back({node.cell, node.saddle, at_saddle});
  for (const int child : node.child) press_tree(nodes_[child].number);
}

// Numbers the pieces of the part, of which a peak of walls alone is none.
void PressureParts::settle_pieces(int top) {
  while (count_peaks(top) > most_peaks) drop_peak(least_pronounced(top)), top = resolved(top);
  for (bool settled = false; !settled;) {
    settled = true;
    for (int k = first_member_[part_]; k < first_member_[part_ + 1]; ++k) {
      int& node = cells_[members_[k]].node;
      node = resolved(node);
    }
    piece_count_ = 0;
    number_pieces(top, 0);
    for (int k = 1; k < piece_count_ && settled; ++k) {
      if (!nodes_[pieces_[k].node].is_leaf() || presses_somewhere(pieces_[k].node)) continue;
      drop_peak(pieces_[k].node), top = resolved(top);
      settled = false;
    }
  }
}

FieldResult PressureParts::solve(int part) {
  part_ = part;
  layers_.clear(), points_.clear();
  result_ = {};
  settle_pieces(resolved(top_[root(members_[first_member_[part]])]));
  press_piece(0, false, 0, 1);
  if (layers_.empty()) return {};
  press_tree(0);
  sum_up();
  return result_;
}

double PressureParts::pressure_at(const Cell& cell, double depth) const {
  double pressure = 0;
  for (const Layer& layer : layers_) {
    if (depth > layer.level && is_in(cell, layer.piece, layer.within)) pressure += layer.slope * depth + layer.offset;
  }
  return pressure;
}

void PressureParts::sum_up() {
  PressureField::Resultant sum(corners_[cells_[members_[first_member_[part_]]].first].head<2>());
  double deepest = 0, peak = 0;
  for_each_cell(0, false, [&](const Cell& cell) {
    for (const Layer& layer : layers_) {
      if (!(cell.peak > layer.level) || !is_in(cell, layer.piece, layer.within)) continue;
      visit_triangles(cell, layer.level,
                      [&](const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c, double area) {
                        sum.add(a, b, c, area, layer.slope, layer.offset);
                      });
    }
    if (cell.peak > deepest) deepest = cell.peak, peak = pressure_at(cell, cell.peak);
  });
  for (const PointForce& point : points_) sum.add(point.place.head<2>(), point.force);
  sum.write(result_);
  result_.peak = peak * result_.area / result_.force;
}

PressureField::Share PressureParts::share_of(int number) const {
  const Cell& cell = cells_[number];
  PressureField::Share share;
  for (const Layer& layer : layers_) {
    if (!(cell.peak > layer.level) || !is_in(cell, layer.piece, layer.within)) continue;
    visit_triangles(cell, layer.level,
                    [&](const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c, double area) {
                      const Eigen::Vector3d middle = (a + b + c) / 3;
                      const double force = area * (layer.slope * middle.z() + layer.offset);
                      share.force += force, share.area += area;
                      share.moment += force * middle;
                    });
  }
  for (const PointForce& point : points_) {
    if (point.cell == number) share.force += point.force, share.moment += point.force * point.place;
  }
  return share;
}

}  // namespace carom::inline contact_geometry
