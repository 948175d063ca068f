#include "contact_geometry/pressed_patch.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <Eigen/Geometry>

#include "contact_geometry/flat_sided.h"

namespace carom::inline contact_geometry {
namespace {

using Vector = Eigen::Vector3d;
using CellPlace = SurfaceFace::Place;

constexpr int coarse_across = 12;        // cells while the window is looked for
constexpr int samples_along = 13;        // of a side of the window
constexpr double least_facing = 0.1;     // cosine: steeper cells do not press
constexpr double spread = 3;             // half width of the window in standard deviations of the pressure; Hertz: 2.24
constexpr double rounded_depth = 1e-12;  // of the size
constexpr double elongated = 1.44;       // ratio of variances from which on a dome is turned along its patch

double size_of_shape(const Shape<3>& shape) {
  const double size = shape.bounding_radius();
  return std::isfinite(size) ? size : std::numeric_limits<double>::max();
}

}  // namespace

void PressedPatch::reserve(int across) {
  const auto cells = static_cast<std::size_t>(3 * across * across);
  half_space_.reserve(cells);
  parent_.reserve(cells), grid_.reserve(2 * cells);
}

DepthPlace PressedPatch::depth_at(const Vector& place) const {
  const DepthPlace local = depth_in(*other_, turn_.transpose() * (place - offset_), most_);
  return {local.depth, turn_ * local.normal};
}

// Deepest place of the overlap on a line of the window, at a value of one parameter.
double PressedPatch::deepest_along(const Window& window, int axis, double at) const {
  double deepest = -std::numeric_limits<double>::infinity();
  const auto look = [&](double across) {
    CellPlace place;
    place[axis] = at, place[1 - axis] = across;
    deepest = std::max(deepest, depth_at(window.face.at(place)).depth);
  };
  const double low = window.low[1 - axis], high = window.high[1 - axis];
  for (int k = 0; k < samples_along; ++k) look(low + (high - low) * k / (samples_along - 1));
  look(window.seed_low[1 - axis]);
  look(window.seed_high[1 - axis]);
  return deepest;
}

void PressedPatch::open(const CellPlace& at, double depth, Window& window) const {
  const SurfaceFace& face = window.face;
  window.seed_low = window.seed_high = at;
  const double length = 0.2 * std::sqrt(depth * std::min(size_of_shape(*carrier_), size_of_shape(*other_)));
  const CellPlace range = face.high - face.low;
  for (int axis = 0; axis < 2; ++axis) {
    CellPlace step = CellPlace::Zero();
    step[axis] = 1e-3 * range[axis];
    const double metric = (face.at(at + step) - face.at(at - step)).norm() / (2 * step[axis]);
    const double pad = std::min(metric > 0 ? length / metric : range[axis], 0.1 * range[axis]);
    window.low[axis] = std::max(face.low[axis], at[axis] - pad);
    window.high[axis] = std::min(face.high[axis], at[axis] + pad);
  }
}

// A flat face that is steep against the other surface: none of its cells would press.
bool PressedPatch::looks_away(const SurfaceFace& face, const Vector& point) const {
  if (face.form != SurfaceFace::Form::flat && face.form != SurfaceFace::Form::disc) return false;
  const Vector outward =
      face.side * (face.form == SurfaceFace::Form::flat ? face.first.cross(face.second) : Vector(-Vector::UnitZ()));
  return !(-depth_at(point).normal.dot(outward) > least_facing);
}

void PressedPatch::take_in(const CellPlace& at, Window& window) {
  window.seed_low = window.seed_low.cwiseMin(at), window.seed_high = window.seed_high.cwiseMax(at);
  window.low = window.low.cwiseMin(at), window.high = window.high.cwiseMax(at);
}

bool PressedPatch::holds(const Window& window, const Vector& point) {
  const CellPlace at = window.face.locate(point);
  return (at.array() >= window.low.array()).all() && (at.array() <= window.high.array()).all();
}

bool PressedPatch::overlap(const Window& one, const Window& two) {
  constexpr int steps = 4;
  for (int row = 0; row <= steps; ++row) {
    for (int column = 0; column <= steps; ++column) {
      const CellPlace share(double(column) / steps, double(row) / steps);
      const auto place_of = [&](const Window& window) {
        return window.face.at(window.low + share.cwiseProduct(window.high - window.low));
      };
      if (holds(two, place_of(one)) || holds(one, place_of(two))) return true;
    }
  }
  return false;
}

// About the seeds on the face, one for each part of the overlap that is apart from the others.
void PressedPatch::open_windows(const SurfaceFace& face, int number, std::span<const Vector> seeds, double depth) {
  const int first = window_count_;
  for (const Vector& seed : seeds) {
    if ((face.at(face.locate(seed)) - seed).norm() > 2 * depth || window_count_ == most_windows) continue;
    if (looks_away(face, seed)) continue;
    const auto own = std::span(windows_).subspan(first, window_count_ - first);
    if (std::ranges::any_of(own, [&](const Window& each) { return holds(each, seed); })) continue;
    Window& window = windows_[window_count_];
    window.face = face.about(seed), window.number = number;
    open(window.face.locate(seed), depth, window);
    widen(window);
    const auto met = std::ranges::find_if(own, [&](const Window& each) { return overlap(each, window); });
    if (met == own.end()) {
      ++window_count_;
    } else {
      take_in(met->face.locate(seed), *met);
      widen(*met);
    }
  }
  for (int k = first; k < window_count_; ++k) tighten(windows_[k]);
}

// Until nothing overlaps on its sides, or the face ends.
void PressedPatch::widen(Window& window) const {
  bool moved = true;
  for (int round = 0; round < 60 && moved; ++round) {
    moved = false;
    for (int axis = 0; axis < 2; ++axis) {
      const double step = 0.35 * (window.high[axis] - window.low[axis]);
      if (window.low[axis] > window.face.low[axis] && deepest_along(window, axis, window.low[axis]) > 0)
        window.low[axis] = std::max(window.face.low[axis], window.low[axis] - step), moved = true;
      if (window.high[axis] < window.face.high[axis] && deepest_along(window, axis, window.high[axis]) > 0)
        window.high[axis] = std::min(window.face.high[axis], window.high[axis] + step), moved = true;
    }
  }
  // An overlap that goes on beyond ±π is one all around.
  if (!window.face.closes) return;
  const bool at_low = window.low.x() <= -M_PI, at_high = window.high.x() >= M_PI;
  if (at_low != at_high) window.low.x() = -M_PI, window.high.x() = M_PI;
}

// Moves its sides to where the overlap ends, by false position (Illinois).
void PressedPatch::tighten(Window& window) const {
  const Window wide = window;
  for (int axis = 0; axis < 2; ++axis) {
    for (const bool upper : {false, true}) {
      double outer = upper ? wide.high[axis] : wide.low[axis],
             inner = upper ? wide.seed_high[axis] : wide.seed_low[axis];
      double beyond = deepest_along(wide, axis, outer), within = deepest_along(wide, axis, inner);
      if (beyond >= 0 || !(within > 0)) continue;
      for (int round = 0; round < 24 && std::abs(outer - inner) > 1e-9 * (wide.high[axis] - wide.low[axis]); ++round) {
        const double middle = (outer * within - inner * beyond) / (within - beyond);
        const double depth = deepest_along(wide, axis, middle);
        if (depth > 0) {
          inner = middle, within = depth, beyond *= 0.5;
        } else {
          outer = middle, beyond = std::min(depth, -1e-300), within *= 0.5;
        }
      }
      (upper ? window.high : window.low)[axis] = outer;
    }
  }
  window.tight_low = window.low, window.tight_high = window.high;
}

// Only cells that overlap can press.
void PressedPatch::cut(int across) {
  across_ = across;
  half_space_.clear();
  for (int w = 0; w < window_count_; ++w) {
    const Window& window = windows_[w];
    const CellPlace half = 0.5 / across * (window.high - window.low);
    const CellPlace along(half.x(), 0), up(0, half.y());
    for (int row = 0; row < across; ++row) {
      for (int column = 0; column < across; ++column) {
        const CellPlace middle = window.low + CellPlace((2 * column + 1) * half.x(), (2 * row + 1) * half.y());
        HalfSpaceCell cell;
        cell.place = window.face.at(middle);
        const DepthPlace depth = depth_at(cell.place);
        if (!(depth.depth > 0)) continue;
        Vector u = 0.5 * (window.face.at(middle + along) - window.face.at(middle - along)),
               v = 0.5 * (window.face.at(middle + up) - window.face.at(middle - up));
        const Vector outward = window.face.side * u.cross(v);
        if (!(-depth.normal.dot(outward) > least_facing * outward.norm())) continue;
        u -= depth.normal.dot(u) * depth.normal, v -= depth.normal.dot(v) * depth.normal;
        v -= u.dot(v) / u.squaredNorm() * u;
        cell.normal = depth.normal, cell.depth = depth.depth;
        cell.half_u = u, cell.half_v = v, cell.area = 4 * u.norm() * v.norm();
        cell.face = w, cell.row = row, cell.column = column;
        if (cell.area > 0) half_space_.add(cell);
      }
    }
  }
}

// Windows go about the pressure of the last cells, so that as many as can be lie under it.
void PressedPatch::follow_pressure() {
  for (int w = 0; w < window_count_; ++w) {
    Window& window = windows_[w];
    const CellPlace step = (window.high - window.low) / across_;
    double force = 0;
    CellPlace first = CellPlace::Zero();
    Eigen::Matrix2d second = Eigen::Matrix2d::Zero();
    for (int k = 0; k < half_space_.size(); ++k) {
      const HalfSpaceCell& cell = half_space_.cell(k);
      if (cell.face != w || !(cell.force > 0)) continue;
      const CellPlace at = window.low + CellPlace((cell.column + 0.5) * step.x(), (cell.row + 0.5) * step.y());
      force += cell.force, first += cell.force * at, second += cell.force * at * at.transpose();
    }
    window.low = window.tight_low, window.high = window.tight_high;
    if (!(force > 0)) continue;
    first /= force;
    // A cell that presses has its own width.
    second = second / force - first * first.transpose();
    second.diagonal() += step.cwiseProduct(step) / 12;
    const double middle = 0.5 * (second(0, 0) + second(1, 1)),
                 apart = std::hypot(0.5 * (second(0, 0) - second(1, 1)), second(0, 1));
    if (window.face.form == SurfaceFace::Form::dome && middle + apart > elongated * (middle - apart)) {
      const double angle = 0.5 * std::atan2(2 * second(0, 1), second(0, 0) - second(1, 1)), c = std::cos(angle),
                   s = std::sin(angle);
      const Vector along = c * window.face.first + s * window.face.second;
      window.face.second = c * window.face.second - s * window.face.first, window.face.first = along;
      first = CellPlace(c * first.x() + s * first.y(), c * first.y() - s * first.x());
      second = Eigen::Vector2d(middle + apart, middle - apart).asDiagonal();
      if (std::abs(s) > 1e-9) window.tight_low = window.face.low, window.tight_high = window.face.high;
    }
    const CellPlace width = spread * second.diagonal().cwiseSqrt();
    window.low = (first - width).cwiseMax(window.tight_low);
    window.high = (first + width).cwiseMin(window.tight_high);
  }
}

Conformity PressedPatch::conformity() const {
  const auto fits = [](const Shape<3>& hole, const Shape<3>& solid, ShapeKind round) {
    return solid.kind == round || (!has_faces(solid.kind) && !std::isinf(hole.bounding_radius()));
  };
  for (const bool swapped : {false, true}) {
    const Shape<3>&hole = swapped ? *carrier_ : *other_, &solid = swapped ? *other_ : *carrier_;
    if (hole.kind == ShapeKind::bore && fits(hole, solid, ShapeKind::cylinder))
      return {Conformity::Form::cylinder, hole.radius, swapped ? Vector(Vector::UnitZ()) : Vector(turn_.col(2))};
    if (hole.kind == ShapeKind::cavity && fits(hole, solid, ShapeKind::sphere))
      return {Conformity::Form::sphere, hole.radius, Vector::UnitZ()};
  }
  return {};
}

void PressedPatch::press(const Shape<3>& carrier, const Shape<3>& other, const Eigen::Matrix3d& turn,
                         const Vector& offset, std::span<const Vector> seeds, double depth, int across) {
  carrier_ = &carrier, other_ = &other, turn_ = turn, offset_ = offset;
  most_ = 2 * size_of_shape(carrier);
  shallow_ = depth < rounded_depth * std::min(size_of_shape(carrier), size_of_shape(other));
  window_count_ = area_count_ = 0;
  const double reach = std::min(size_of_shape(other), 1e6 * size_of_shape(carrier));
  const SurfaceFaces faces = faces_near(carrier, seeds.front(), reach);
  for (int k = 0; k < faces.count; ++k) open_windows(faces.face[k], k, seeds, depth);
  // Of many windows each has fewer cells, so that there is room for all.
  const double share = std::min(1.0, std::sqrt(3.0 / std::max(1, window_count_)));
  for (const int round : {0, 1, 2}) {
    cut(static_cast<int>(share * (round < 2 ? std::min(coarse_across, across) : across)));
    half_space_.solve(conformity());
    if (round < 2) follow_pressure();
  }
  gather();
}

int PressedPatch::root(int cell) {
  while (parent_[cell] != cell) cell = parent_[cell] = parent_[parent_[cell]];
  return cell;
}

void PressedPatch::join_neighbours() {
  const int count = half_space_.size();
  const auto pressed = [&](int k) { return k >= 0 && half_space_.cell(k).force > 0; };
  const auto join = [&](int one, int two) {
    const int a = root(one), b = root(two);
    parent_[std::max(a, b)] = std::min(a, b);
  };
  if (shallow_) {
    int first = -1;
    for (int k = 0; k < count; ++k) {
      if (pressed(k)) first < 0 ? void(first = k) : join(first, k);
    }
    return;
  }
  grid_.assign(static_cast<std::size_t>(window_count_) * across_ * across_, -1);
  const auto cell_at = [&](int face, int row, int column) -> int& {
    return grid_[(static_cast<std::size_t>(face) * across_ + row) * across_ + column];
  };
  for (int k = 0; k < count; ++k) {
    const HalfSpaceCell& cell = half_space_.cell(k);
    cell_at(cell.face, cell.row, cell.column) = k;
  }
  for (int k = 0; k < count; ++k) {
    if (!pressed(k)) continue;
    const HalfSpaceCell& cell = half_space_.cell(k);
    const Window& window = windows_[cell.face];
    const bool around = window.face.closes && window.high.x() - window.low.x() > 2 * M_PI * (1 - 1e-9);
    if (cell.row + 1 < across_ && pressed(cell_at(cell.face, cell.row + 1, cell.column)))
      join(k, cell_at(cell.face, cell.row + 1, cell.column));
    if (cell.column + 1 < across_ || around) {
      const int next = cell_at(cell.face, cell.row, (cell.column + 1) % across_);
      if (pressed(next)) join(k, next);
    }
    for (int other = k + 1; other < count && window_count_ > 1; ++other) {
      const HalfSpaceCell& two = half_space_.cell(other);
      if (two.face == cell.face || !pressed(other)) continue;
      const double reach = cell.half_u.norm() + cell.half_v.norm() + two.half_u.norm() + two.half_v.norm();
      if ((cell.place - two.place).norm() < reach) join(k, other);
    }
  }
}

// Connected cells under pressure are one area.
void PressedPatch::gather() {
  area_count_ = 0;
  parent_.resize(half_space_.size());
  std::iota(parent_.begin(), parent_.end(), 0);
  join_neighbours();
  for (int k = 0; k < half_space_.size() && area_count_ < most_groups; ++k) {
    if (root(k) == k && half_space_.cell(k).force > 0) sum_up(k, areas_[area_count_++]);
  }
}

void PressedPatch::sum_up(int first, Area& area) const {
  area = {};
  double sum = 0, peak = 0;
  Vector middle = Vector::Zero(), moment = Vector::Zero();
  const auto for_each = [&](const auto& visit) {
    for (int k = first; k < half_space_.size(); ++k) {
      int top = k;
      while (parent_[top] != top) top = parent_[top];
      if (top == first && half_space_.cell(k).force > 0) visit(half_space_.cell(k));
    }
  };
  for_each([&](const HalfSpaceCell& cell) {
    sum += cell.force, area.area += cell.area, area.energy += 0.5 * cell.force * cell.depth;
    area.force += cell.force * cell.normal, middle += cell.force * cell.place;
    peak = std::max(peak, cell.force / cell.area);
  });
  middle /= sum;
  for_each([&](const HalfSpaceCell& cell) { moment += (cell.place - middle).cross(cell.force * cell.normal); });
  area.centre = middle + area.force.cross(moment) / area.force.squaredNorm();
  const Vector along = area.force.normalized();
  for_each([&](const HalfSpaceCell& cell) {
    const Vector off = cell.place - area.centre;
    area.lever += cell.force / sum * (off - along.dot(off) * along).norm();
  });
  area.peak = peak * area.area / area.force.norm();
}

}  // namespace carom::inline contact_geometry
