#include "contact_geometry/true_surface.h"

#include <algorithm>
#include <cmath>

namespace carom::inline contact_geometry {

namespace {

using Eigen::Vector3d;

constexpr double piece_of_turn = 2 * M_PI / 24;  // rad

// On the axis all directions across it are as good.
Vector3d direction_of(const Vector3d& across, double size, const Vector3d& axis) {
  return size > 0 ? Vector3d(across / size) : axis.unitOrthogonal();
}

SurfaceFoot round_foot(const TrueSurface& surface, const Vector3d& away) {
  if (surface.kind == SurfaceKind::sphere) {
    const double size = away.norm();
    return {size - surface.radius, direction_of(away, size, surface.axis)};
  }
  const double height = surface.axis.dot(away);
  const Vector3d across = away - height * surface.axis;
  const double size = across.norm();
  const Vector3d out = direction_of(across, size, surface.axis);
  if (surface.kind == SurfaceKind::cylinder) return {size - surface.radius, out};
  if (surface.kind == SurfaceKind::cone)
    return {(size - surface.radius) * surface.cosine - height * surface.sine,
            surface.cosine * out - surface.sine * surface.axis};
  const double beyond = size - surface.radius, distance = std::hypot(beyond, height);
  return {distance - surface.tube,
          distance > 0 ? Vector3d((beyond * out + height * surface.axis) / distance) : surface.axis};
}

// The foot x of a point p, in the axes of an ellipsoid with semi-axes a: x = a²p / (a² + t) with Σ (x/a)² = 1, of which
// the left side falls with t and is convex, so that Newton's method comes from below. Deep inside, on the plane across
// its shortest axis, there are two feet, and it is one of them.
Vector3d foot_on_ellipsoid(const Vector3d& half, const Vector3d& point) {
  const Vector3d square = half.cwiseAbs2(), scaled = half.cwiseProduct(point);
  Eigen::Index shortest = 0;
  const double least = square.minCoeff(&shortest);
  double t = (scaled.cwiseAbs() - square).maxCoeff();
  const double floor = -least * (1 - 1e-14);
  t = std::max(t, floor);
  const auto sum = [&](double at) { return scaled.cwiseQuotient((square.array() + at).matrix()).squaredNorm() - 1; };
  if (t == floor && sum(floor) < 0) {
    Vector3d foot = square.cwiseProduct(point).cwiseQuotient((square.array() + t).matrix());
    foot[shortest] = 0;
    const double rest = std::max(0.0, 1 - foot.cwiseQuotient(half).squaredNorm());
    foot[shortest] = std::copysign(half[shortest] * std::sqrt(rest), point[shortest]);
    return foot;
  }
  for (int round = 0; round < 60; ++round) {
    const Eigen::Array3d below = square.array() + t, part = scaled.array() / below;
    const double value = part.square().sum() - 1, fall = 2 * (part.square() / below).sum();
    const double step = value / fall;
    t += step;
    if (!(std::abs(step) > 1e-16 * (square.maxCoeff() + std::abs(t)))) break;
  }
  return square.cwiseProduct(point).cwiseQuotient((square.array() + t).matrix());
}

SurfaceFoot ellipsoid_foot(const TrueSurface& surface, const Vector3d& away) {
  const Vector3d point = surface.axes.transpose() * away, foot = foot_on_ellipsoid(surface.half, point);
  const Vector3d normal = foot.cwiseQuotient(surface.half.cwiseAbs2()).normalized();
  return {normal.dot(point - foot), surface.axes * normal};
}

// Of a cubic between two points, and its derivatives, at a part s of it.
struct CubicPiece {
  const Vector3d &p, &q, &u, &v;
  Vector3d at(double s) const {
    const double r = 1 - s;
    return r * r * (1 + 2 * s) * p + s * s * (1 + 2 * r) * q + r * r * s * u - s * s * r * v;
  }
  Vector3d slope(double s) const { return 6 * s * (1 - s) * (q - p) + (1 - s) * (1 - 3 * s) * u - s * (2 - 3 * s) * v; }
  Vector3d bend(double s) const { return (6 - 12 * s) * (q - p) + (6 * s - 4) * u + (6 * s - 2) * v; }
};

int piece_at(const TrueCurve& curve, double t) {
  return std::clamp(static_cast<int>(t), 0, static_cast<int>(curve.end) - 1);
}
CubicPiece cubic_of(const TrueCurve& curve, int k) {
  return {curve.points[k], curve.points[k + 1], curve.slopes[2 * k], curve.slopes[2 * k + 1]};
}

double nearest_on_arc(const TrueCurve& arc, const Vector3d& point) {
  const Vector3d off = point - arc.from;
  double angle = std::atan2(arc.y.dot(off), arc.x.dot(off));
  if (angle < 0) angle += 2 * M_PI;
  if (arc.closed || angle <= arc.end) return std::min(angle, arc.end);
  // Beyond the ends: by the middle of what is missing.
  return angle - arc.end < 2 * M_PI - angle ? arc.end : 0;
}

double nearest_on_spline(const TrueCurve& curve, const Vector3d& point) {
  const int count = static_cast<int>(curve.end);
  int best = 0;
  for (int k = 1; k <= count; ++k) {
    if ((curve.points[k] - point).squaredNorm() < (curve.points[best] - point).squaredNorm()) best = k;
  }
  double t = best;
  const double low = std::max(0, best - 1), high = std::min(count, best + 1);
  for (int round = 0; round < 20; ++round) {
    const Vector3d away = curve.at(t) - point, slope = curve.slope(t);
    const double rise = away.dot(slope), steep = slope.squaredNorm() + std::max(0.0, away.dot(curve.bend(t)));
    const double next = std::clamp(t - rise / steep, low, high);
    if (std::abs(next - t) < 1e-14) return next;
    t = next;
  }
  return t;
}

}  // namespace

SurfaceFoot TrueSurface::foot(const Vector3d& point) const {
  const Vector3d away = point - position;
  if (kind == SurfaceKind::plane) return {axis.dot(away), axis};
  if (kind == SurfaceKind::ellipsoid) return ellipsoid_foot(*this, away);
  SurfaceFoot foot = round_foot(*this, away);
  if (hollow) foot.distance = -foot.distance, foot.normal = -foot.normal;
  return foot;
}

Vector3d TrueSurface::farthest(const Vector3d& n) const {
  const Vector3d scaled = half.cwiseProduct(axes.transpose() * n);
  return position + axes * half.cwiseProduct(scaled) / scaled.norm();
}

Eigen::Matrix3d TrueSurface::curvature(const Vector3d& point, const Vector3d& outward) const {
  if (kind == SurfaceKind::plane) return Eigen::Matrix3d::Zero();
  const double side = hollow ? -1 : 1;
  const Eigen::Matrix3d across = Eigen::Matrix3d::Identity() - outward * outward.transpose();
  if (kind == SurfaceKind::sphere) return side / radius * across;
  if (kind == SurfaceKind::ellipsoid) {
    // P A⁻² P / ‖A⁻² x‖ with P across the normal.
    const Vector3d at = axes.transpose() * (point - position), weight = half.cwiseAbs2().cwiseInverse();
    return across * axes * weight.asDiagonal() * axes.transpose() * across / weight.cwiseProduct(at).norm();
  }
  const Vector3d away = point - position;
  const Vector3d flat = away - axis.dot(away) * axis;
  const Vector3d out = direction_of(flat, flat.norm(), axis), around = axis.cross(out);
  const Eigen::Matrix3d along = around * around.transpose();
  if (kind == SurfaceKind::cylinder) return side / radius * along;
  if (kind == SurfaceKind::cone) return side * cosine / std::max(1e-300, radius_at(axis.dot(away))) * along;
  const double lean = side * outward.dot(out);
  return side / tube * (across - along) + side * lean / (radius + tube * lean) * along;
}

Vector3d TrueCurve::at(double t) const {
  if (kind == Kind::line) return from + t * x;
  if (kind == Kind::circle) return from + radius * (std::cos(t) * x + std::sin(t) * y);
  const int k = piece_at(*this, t);
  return cubic_of(*this, k).at(t - k);
}

Vector3d TrueCurve::slope(double t) const {
  if (kind == Kind::line) return x;
  if (kind == Kind::circle) return radius * (std::cos(t) * y - std::sin(t) * x);
  const int k = piece_at(*this, t);
  return cubic_of(*this, k).slope(t - k);
}

Vector3d TrueCurve::bend(double t) const {
  if (kind == Kind::line) return Vector3d::Zero();
  if (kind == Kind::circle) return -radius * (std::cos(t) * x + std::sin(t) * y);
  const int k = piece_at(*this, t);
  return cubic_of(*this, k).bend(t - k);
}

double TrueCurve::nearest(const Vector3d& point) const {
  if (kind == Kind::line) return std::clamp(x.dot(point - from), 0.0, end);
  return kind == Kind::circle ? nearest_on_arc(*this, point) : nearest_on_spline(*this, point);
}

int TrueCurve::pieces() const {
  if (kind == Kind::line) return 1;
  if (kind == Kind::spline) return static_cast<int>(end);
  return std::max(2, static_cast<int>(std::ceil(end / piece_of_turn - 1e-9)));
}

double TrueCurve::sagitta() const {
  if (kind == Kind::line) return 0;
  if (kind == Kind::circle) return radius * (1 - std::cos(0.5 * end / pieces()));
  double most = 0;
  for (int k = 0; k < static_cast<int>(end); ++k)
    most = std::max(most, (at(k + 0.5) - 0.5 * (points[k] + points[k + 1])).norm());
  return 1.5 * most;
}

AxisBox TrueCurve::box() const {
  AxisBox box;
  const int count = pieces();
  for (int k = 0; k <= count; ++k) box.add(at(end * k / count));
  const Vector3d margin = Vector3d::Constant(sagitta());
  box.low -= margin, box.high += margin;
  return box;
}

TrueCurve TrueCurve::stretch(double low, double high) const {
  if (closed && high <= low) high += end;
  if (kind == Kind::line) return line(at(low), at(high));
  if (kind == Kind::circle)
    return arc(from, radius, std::cos(low) * x + std::sin(low) * y, std::cos(low) * y - std::sin(low) * x, high - low);
  TrueCurve part{.kind = Kind::spline, .points = {at(low)}};
  for (int k = piece_at(*this, low); k < high && k < end; ++k) {
    const double first = std::max<double>(k, low), last = std::min<double>(k + 1, high);
    const CubicPiece cubic = cubic_of(*this, k);
    part.points.push_back(cubic.at(last - k));
    part.slopes.push_back((last - first) * cubic.slope(first - k));
    part.slopes.push_back((last - first) * cubic.slope(last - k));
  }
  part.end = static_cast<double>(part.points.size() - 1);
  return part;
}

TrueCurve TrueCurve::line(const Vector3d& from, const Vector3d& to) {
  const double length = (to - from).norm();
  return {.kind = Kind::line, .from = from, .x = (to - from) / length, .end = length};
}

TrueCurve TrueCurve::arc(const Vector3d& centre, double radius, const Vector3d& x, const Vector3d& y, double angle) {
  return {.kind = Kind::circle,
          .from = centre,
          .x = x,
          .y = y,
          .radius = radius,
          .end = angle,
          .closed = angle > 2 * M_PI - 1e-9};
}

}  // namespace carom::inline contact_geometry
