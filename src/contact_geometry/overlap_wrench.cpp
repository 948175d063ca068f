#include "contact_geometry/overlap_wrench.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>

namespace carom::inline contact_geometry {
namespace {

constexpr double of_each_surface = 0.5;  // both surfaces of an overlap count
constexpr double cancelling = 0.55;      // of the sum of pressures: a group whose force is less holds opposite sides

// Part of a piece that is deeper than the level.
struct DeepPart {
  std::array<Eigen::Vector3d, CellPiece::most_corners + 1> corner;
  std::array<double, CellPiece::most_corners + 1> depth;
  int corners = 0;
};

DeepPart deep_part(const CellPiece& piece, double level) {
  DeepPart part;
  const auto keep = [&](const Eigen::Vector3d& at, double depth) {
    part.corner[part.corners] = at, part.depth[part.corners++] = depth;
  };
  for (int c = 0; c < piece.corners; ++c) {
    const int next = c + 1 == piece.corners ? 0 : c + 1;
    const double here = piece.depth[c], there = piece.depth[next];
    if (here > level) keep(piece.corner[c], here);
    if ((here > level) != (there > level)) {
      const double way = (here - level) / (here - there);
      keep(piece.corner[c] + way * (piece.corner[next] - piece.corner[c]), level);
    }
  }
  return part;
}

}  // namespace

void PressedGroup::add(const PressedGroup& other) {
  force += other.force, moment += other.moment;
  sum += other.sum, area += other.area;
  first += other.first, second += other.second;
}

bool OverlapWrench::solve(std::span<const CellPiece> pieces) {
  field_.clear();
  std::array<Eigen::Vector3d, CellPiece::most_corners> flat;
  for (const CellPiece& piece : pieces) {
    // Any axes will do, stretched to the area that counts.
    const PlaneAxes axes(piece.own);
    const double stretch = std::sqrt(of_each_surface * piece.share);
    for (int c = 0; c < piece.corners; ++c)
      flat[c] << stretch * axes.first.dot(piece.corner[c]), stretch * axes.second.dot(piece.corner[c]), piece.depth[c];
    field_.add({flat.data(), static_cast<std::size_t>(piece.corners)});
  }
  group_count_ = 0;
  presses_.clear();
  if (field_.empty()) return false;
  result_ = field_.solve(true);
  for (const CellPiece& piece : pieces) {
    Press press;
    this->press(piece, press);
    if (press.own.sum > 0) presses_.push_back(press);
  }
  group();
  return group_count_ > 0;
}

void OverlapWrench::press(const CellPiece& piece, Press& press) const {
  const DeepPart part = deep_part(piece, result_.level);
  if (part.corners < 3) return;
  const double share = of_each_surface * piece.share;
  double couple = 0;  // ∫ ε dA
  PressedGroup& own = press.own;
  for (int c = 2; c < part.corners; ++c) {
    const std::array<int, 3> corner = {0, c - 1, c};
    const double area = 0.5 * (part.corner[c - 1] - part.corner[0]).cross(part.corner[c] - part.corner[0]).norm();
    own.area += share * area;
    // The middles of the sides: exact for quadratic polynomials.
    for (int k = 0; k < 3; ++k) {
      const int one = corner[k], two = corner[(k + 1) % 3];
      const Eigen::Vector3d at = 0.5 * (part.corner[one] + part.corner[two]);
      const double depth = 0.5 * (part.depth[one] + part.depth[two]), force = area / 3 * share * pressure(depth);
      own.sum += force, own.first += force * at, own.second += force * at * at.transpose();
      couple += area / 3 * of_each_surface * stored(depth);
    }
  }
  own.force = own.sum * piece.normal;
  own.moment = own.first.cross(piece.normal) - couple * piece.normal.cross(piece.own);
  press_sides(piece, press);
  press.direction = piece.normal;
  if (!piece.of_a) return;
  // What has been counted acts on the first body.
  own.force *= -1, own.moment *= -1, press.direction *= -1;
}

// Where a cell ends, more or less of the triangle comes into it.
void OverlapWrench::press_sides(const CellPiece& piece, Press& press) const {
  for (int c = 0; c < piece.corners; ++c) {
    const int border = piece.border[c];
    if (border == CellPiece::own_edge || border == CellPiece::surface) continue;
    const int next = c + 1 == piece.corners ? 0 : c + 1;
    Eigen::Vector3d from = piece.corner[c], to = piece.corner[next];
    double depth = piece.depth[c], end = piece.depth[next];
    if (!(std::max(depth, end) > result_.level)) continue;
    const double level = result_.level, part = (depth - level) / (depth - end);
    if (end < level) to = from + part * (to - from), end = level;
    if (depth < level) from += part * (to - from), depth = level;
    const Eigen::Vector3d out = border == CellPiece::bottom ? Eigen::Vector3d(-piece.normal) : piece.side[border];
    const double across = (out - out.dot(piece.own) * piece.own).norm();
    if (!(across > 1e-9)) continue;
    const double length = of_each_surface * piece.share * (to - from).norm() / across;
    const Eigen::Vector3d middle = 0.5 * (from + to);
    // Simpson's rule: exact for cubic polynomials.
    const double ends[] = {length / 6 * stored(depth), length * 2 / 3 * stored(0.5 * (depth + end)),
                           length / 6 * stored(end)};
    press.own.force += (ends[0] + ends[1] + ends[2]) * out;
    press.own.moment += (ends[0] * from + ends[1] * middle + ends[2] * to).cross(out);
  }
}

// The axis along which the pressures of a group act most.
Eigen::Vector3d OverlapWrench::main_axis(int group) const {
  Eigen::Matrix3d sum = Eigen::Matrix3d::Zero();
  for (const Press& press : presses_) {
    if (press.group == group) sum += press.own.sum * press.direction * press.direction.transpose();
  }
  Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver;
  solver.computeDirect(sum);
  return solver.eigenvectors().col(2);
}

void OverlapWrench::group() {
  groups_[0] = {};
  for (Press& press : presses_) press.group = 0, groups_[0].add(press.own);
  if (presses_.empty()) return;
  group_count_ = 1;
  for (int g = 0; g < group_count_ && group_count_ < most_groups;) {
    if (groups_[g].force.norm() > cancelling * groups_[g].sum) {
      ++g;
      continue;
    }
    const Eigen::Vector3d axis = main_axis(g);
    const int other = group_count_++;
    groups_[g] = groups_[other] = {};
    for (Press& press : presses_) {
      if (press.group != g) continue;
      if (press.direction.dot(axis) < 0) press.group = other;
      groups_[press.group].add(press.own);
    }
    if (!(groups_[g].sum > 0) || !(groups_[other].sum > 0)) break;
  }
}

}  // namespace carom::inline contact_geometry
