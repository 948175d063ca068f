#include "contact_geometry/profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "contact_geometry/outline.h"

namespace carom::inline contact_geometry {

namespace {

double plane_cross(const Eigen::Vector2d& a, const Eigen::Vector2d& b) {
  return a.x() * b.y() - a.y() * b.x();
}

Eigen::Vector2d outward(const Eigen::Vector2d& tangent) {
  return {tangent.y(), -tangent.x()};
}

double curvature_of(const CurvePoint& point) {
  return plane_cross(point.first, point.second) / std::pow(point.first.squaredNorm(), 1.5);
}

// Second derivatives of a cubic spline at its knots. A periodic one has as many intervals as points; its cyclic system
// is the natural one of all points plus a correction of rank one (Sherman and Morrison).
using Columns = Eigen::Matrix<double, Eigen::Dynamic, 2>;

Eigen::MatrixXd solve_tridiagonal(const Eigen::VectorXd& below, Eigen::VectorXd diagonal, const Eigen::VectorXd& above,
                                  Eigen::MatrixXd right) {
  for (Eigen::Index i = 1; i < diagonal.size(); ++i) {
    const double factor = below[i] / diagonal[i - 1];
    diagonal[i] -= factor * above[i - 1];
    right.row(i) -= factor * right.row(i - 1);
  }
  for (Eigen::Index i = diagonal.size(); i-- > 0;) {
    if (i + 1 < diagonal.size()) right.row(i) -= above[i] * right.row(i + 1);
    right.row(i) /= diagonal[i];
  }
  return right;
}

Columns natural_bends(const std::vector<Eigen::Vector2d>& points, const std::vector<double>& h) {
  const auto n = static_cast<Eigen::Index>(points.size());
  Eigen::VectorXd below = Eigen::VectorXd::Zero(n), diagonal = Eigen::VectorXd::Ones(n), above = below;
  Eigen::MatrixXd right = Eigen::MatrixXd::Zero(n, 2);
  for (Eigen::Index i = 1; i + 1 < n; ++i) {
    below[i] = h[i - 1];
    above[i] = h[i];
    diagonal[i] = 2 * (h[i - 1] + h[i]);
    right.row(i) = 6 * ((points[i + 1] - points[i]) / h[i] - (points[i] - points[i - 1]) / h[i - 1]);
  }
  return solve_tridiagonal(below, diagonal, above, right);
}

Columns periodic_bends(const std::vector<Eigen::Vector2d>& points, const std::vector<double>& h) {
  const auto n = static_cast<Eigen::Index>(points.size());
  Eigen::VectorXd below(n), diagonal(n), above(n);
  Eigen::MatrixXd right = Eigen::MatrixXd::Zero(n, 3);
  for (Eigen::Index i = 0; i < n; ++i) {
    const Eigen::Index before = (i + n - 1) % n, behind = (i + 1) % n;
    below[i] = h[before];
    above[i] = h[i];
    diagonal[i] = 2 * (h[before] + h[i]);
    right.row(i).head<2>() = 6 * ((points[behind] - points[i]) / h[i] - (points[i] - points[before]) / h[before]);
  }
  const double corner = h[n - 1], shift = -diagonal[0];
  diagonal[0] -= shift;
  diagonal[n - 1] -= corner * corner / shift;
  right(0, 2) = shift;
  right(n - 1, 2) = corner;
  const Eigen::MatrixXd solved = solve_tridiagonal(below, diagonal, above, right);
  const auto along = [&](Eigen::Index column) { return solved(0, column) + corner / shift * solved(n - 1, column); };
  Columns result(n, 2);
  for (const Eigen::Index k : {0, 1}) result.col(k) = solved.col(k) - along(k) / (1 + along(2)) * solved.col(2);
  return result;
}

}  // namespace

CurvePoint Profile::Segment::at(double s) const {
  const double u = s - start;
  if (round) {
    const double cosine = std::cos(phase + rate * u), sine = std::sin(phase + rate * u);
    const Eigen::Vector2d spoke = cosine * c[1] + sine * c[2];
    return {c[0] + spoke, rate * (cosine * c[2] - sine * c[1]), -rate * rate * spoke};
  }
  return {c[0] + u * (c[1] + u * (c[2] + u * c[3])), c[1] + u * (2 * c[2] + u * 3 * c[3]), 2 * c[2] + u * 6 * c[3]};
}

Profile::Segment Profile::Segment::reversed() const {
  Segment result = *this;
  if (round) {
    result.phase = phase + rate * length;
    result.rate = -rate;
  } else {
    const CurvePoint last = at(start + length);
    result.c[0] = last.position;
    result.c[1] = -last.first;
    result.c[2] = last.second / 2;
    result.c[3] = -c[3];
  }
  return result;
}

Profile::Profile(std::vector<Segment> segments, bool closed) : segments_(std::move(segments)), closed_(closed) {
  number_segments();
  if (closed_) {
    double area = 0;
    const std::vector<double> parameters = raw_parameters();
    for (std::size_t k = 0; k + 1 < parameters.size(); ++k) {
      area += plane_cross(at(parameters[k]).position, at(parameters[k + 1]).position);
    }
    if (area < 0) {
      std::reverse(segments_.begin(), segments_.end());
      for (Segment& segment : segments_) segment = segment.reversed();
      number_segments();
    }
  }
  sample_pieces();
  measure();
  outline_ = std::make_shared<const Outline>(*this);
}

void Profile::number_segments() {
  end_ = 0;
  for (Segment& segment : segments_) {
    segment.start = end_;
    end_ += segment.length;
  }
}

Profile Profile::through(std::vector<Eigen::Vector2d> points, bool closed) {
  if (closed && points.size() > 1 && points.front() == points.back()) points.pop_back();
  const std::size_t n = points.size(), least = closed ? 3 : 2;
  if (n < least) {
    throw std::invalid_argument(
        fmt::format("{} profile needs {} points or more", closed ? "a closed" : "an open", least));
  }
  const std::size_t intervals = closed ? n : n - 1;
  std::vector<double> h(intervals);
  for (std::size_t k = 0; k < n; ++k) {
    if (!points[k].allFinite()) throw std::invalid_argument(fmt::format("point {} is not finite", k + 1));
  }
  for (std::size_t k = 0; k < intervals; ++k) {
    h[k] = (points[(k + 1) % n] - points[k]).norm();
    if (!(h[k] > 0)) throw std::invalid_argument(fmt::format("points {} and {} coincide", k + 1, (k + 1) % n + 1));
  }
  const Columns bends = closed ? periodic_bends(points, h) : natural_bends(points, h);
  std::vector<Segment> segments(intervals);
  for (std::size_t k = 0; k < intervals; ++k) {
    const std::size_t next = (k + 1) % n;
    const auto bend = [&](std::size_t i) { return Eigen::Vector2d(bends.row(static_cast<Eigen::Index>(i))); };
    Segment& segment = segments[k];
    segment.length = h[k];
    segment.c[0] = points[k];
    segment.c[1] = (points[next] - points[k]) / h[k] - h[k] * (2 * bend(k) + bend(next)) / 6;
    segment.c[2] = bend(k) / 2;
    segment.c[3] = (bend(next) - bend(k)) / (6 * h[k]);
  }
  return {std::move(segments), closed};
}

Profile Profile::circle(double radius, const Eigen::Vector2d& centre) {
  Segment segment{.length = 2 * M_PI * radius, .round = true, .rate = 1 / radius};
  segment.c[0] = centre;
  segment.c[1] = {radius, 0};
  segment.c[2] = {0, radius};
  return {{segment}, true};
}

Profile Profile::ellipse(double semi_x, double semi_y) {
  const double scale = std::max(semi_x, semi_y);  // so that the parameter is a length
  Segment segment{.length = 2 * M_PI * scale, .round = true, .rate = 1 / scale};
  segment.c[1] = {semi_x, 0};
  segment.c[2] = {0, semi_y};
  return {{segment}, true};
}

Profile Profile::arc(double radius, double from, double to, const Eigen::Vector2d& centre) {
  Segment segment{.length = radius * std::abs(to - from), .round = true, .phase = from};
  segment.rate = (to > from ? 1 : -1) / radius;
  segment.c[0] = centre;
  segment.c[1] = {radius, 0};
  segment.c[2] = {0, radius};
  return {{segment}, false};
}

Profile Profile::line(const Eigen::Vector2d& from, const Eigen::Vector2d& to) {
  Segment segment{.length = (to - from).norm()};
  segment.c[0] = from;
  segment.c[1] = (to - from) / segment.length;
  return {{segment}, false};
}

Profile Profile::joined(std::span<const Profile> parts, bool closed) {
  std::vector<Segment> segments;
  for (const Profile& part : parts) segments.insert(segments.end(), part.segments_.begin(), part.segments_.end());
  if (segments.empty()) throw std::invalid_argument("a profile needs one part or more");
  Profile profile(std::move(segments), closed);
  for (std::size_t k = 0; k < profile.segments_.size(); ++k) {
    const Segment& segment = profile.segments_[k];
    const bool last = k + 1 == profile.segments_.size();
    if (last && !closed) break;
    const Segment& next = profile.segments_[last ? 0 : k + 1];
    const Eigen::Vector2d jump = next.at(next.start).position - segment.at(segment.start + segment.length).position;
    if (jump.norm() > 1e-9 * profile.bounding_radius_) {
      throw std::invalid_argument(fmt::format("part {} does not end where the next one starts", k + 1));
    }
  }
  return profile;
}

std::vector<CurvePiece> Profile::pieces_of_curve() const {
  std::vector<CurvePiece> result;
  for (const Segment& segment : segments_) {
    CurvePiece piece;
    piece.kind = segment.round ? CurvePiece::Kind::round : CurvePiece::Kind::polynomial;
    piece.phase = segment.phase;
    piece.turn = segment.rate * segment.length;
    double scale = 1;
    for (std::size_t k = 0; k < segment.c.size(); ++k) {
      piece.c[k] = scale * segment.c[k];
      if (!segment.round) scale *= segment.length;
    }
    result.push_back(piece);
  }
  return result;
}

double Profile::wrapped(double s) const {
  return closed_ ? s - end_ * std::floor(s / end_) : s;
}

CurvePoint Profile::at(double s) const {
  const double inside = wrapped(s);
  auto segment = std::upper_bound(segments_.begin(), segments_.end(), inside,
                                  [](double value, const Segment& one) { return value < one.start; });
  if (segment != segments_.begin()) --segment;
  return segment->at(inside);
}

Eigen::Vector2d Profile::normal(double s) const {
  return outward(at(s).first.normalized());
}

double Profile::curvature(double s) const {
  return curvature_of(at(s));
}

// Dense enough to see every change of curvature, of which a cubic has few and a round segment none, and sparse enough
// for searches to run over all samples.
std::vector<double> Profile::raw_parameters() const {
  std::vector<double> result;
  const int per_cubic = std::clamp(256 / static_cast<int>(segments_.size()), 2, 16);
  for (const Segment& segment : segments_) {
    const double turn = std::abs(segment.rate) * segment.length;
    const int count = segment.round ? std::max(8, static_cast<int>(64 * turn / (2 * M_PI))) : per_cubic;
    for (int k = 0; k < count; ++k) result.push_back(segment.start + segment.length * k / count);
  }
  result.push_back(end_);
  return result;
}

Profile::Sample Profile::sample_at(double s) const {
  const CurvePoint point = at(s);
  return {s, point.position, point.first.normalized(), 0};
}

// Where the curve bends sharply, samples are so close that the normal turns little between them.
void Profile::add_samples_up_to(double s, bool concave, int depth) {
  const Sample before = samples_.back();
  Sample sample = sample_at(s);
  const double turn = std::atan2(plane_cross(before.tangent, sample.tangent), before.tangent.dot(sample.tangent));
  if (std::abs(turn) > 0.2 && depth < 8) {
    add_samples_up_to((before.s + s) / 2, concave, depth + 1);
    add_samples_up_to(s, concave, depth + 1);
    return;
  }
  // Rounding must not turn the normal back.
  sample.angle = before.angle + (concave ? std::min(turn, 0.0) : std::max(turn, 0.0));
  samples_.push_back(sample);
}

void Profile::sample_pieces() {
  const std::vector<double> raw = raw_parameters();
  // Straight stretches belong to the piece before them.
  double size = 0;
  for (const double s : raw) size = std::max(size, (at(s).position - at(0).position).norm());
  const auto sign_at = [&](double s) {
    const double bend = curvature(s) * size;
    return std::abs(bend) < 1e-9 ? 0 : bend > 0 ? 1 : -1;
  };
  std::vector<std::pair<double, int>> cuts;  // parameter, sign of what follows
  double seen = 0;
  int sign = 0, first_sign = 0;
  for (std::size_t k = 0; k + 1 < raw.size(); ++k) {
    const double middle = (raw[k] + raw[k + 1]) / 2;
    const int here = sign_at(middle);
    if (here == 0) continue;
    if (sign != 0 && here != sign) {
      double low = seen, high = middle;
      for (int i = 0; i < 60; ++i) {
        const double between = (low + high) / 2;
        (sign_at(between) == here ? high : low) = between;
      }
      cuts.emplace_back(high, here);
    }
    if (sign == 0) first_sign = here;
    sign = here;
    seen = middle;
  }
  std::vector<std::pair<double, int>> starts = cuts;
  double origin = 0;
  if (!closed_ || cuts.empty() || sign != first_sign) {
    starts.insert(starts.begin(), {0, first_sign});
  } else {
    origin = cuts.front().first;
  }
  for (std::size_t k = 0; k < starts.size(); ++k) {
    const double from = starts[k].first, to = k + 1 < starts.size() ? starts[k + 1].first : end_ + origin;
    // The curve's own samples between the cuts, at least 16 intervals.
    const auto inside = std::count_if(
        raw.begin(), raw.end(), [&](double s) { return (s > from && s < to) || (s + end_ > from && s + end_ < to); });
    const int count = std::max(16, static_cast<int>(inside));
    Piece piece{samples_.size(), 0, starts[k].second < 0, 0, 0, Eigen::Vector2d::Zero(), 0};
    samples_.push_back(sample_at(from));
    const Eigen::Vector2d normal = outward(samples_.back().tangent);
    samples_.back().angle = std::atan2(normal.y(), normal.x());
    for (int i = 1; i <= count; ++i) add_samples_up_to(from + (to - from) * i / count, piece.concave);
    piece.last = samples_.size() - 1;
    piece.low = std::min(samples_[piece.first].angle, samples_[piece.last].angle);
    piece.high = std::max(samples_[piece.first].angle, samples_[piece.last].angle);
    pieces_.push_back(piece);
  }
}

void Profile::measure() {
  for (const Piece& piece : pieces_) {
    for (std::size_t k = piece.first; k < piece.last; ++k) {
      const double from = samples_[k].s, h = samples_[k + 1].s - from;
      for (const double node : {-std::sqrt(0.6), 0.0, std::sqrt(0.6)}) {
        length_ += (node == 0 ? 4.0 / 9 : 5.0 / 18) * h * at(from + h * (1 + node) / 2).first.norm();
      }
      const Eigen::Vector2d chord = (samples_[k + 1].position - samples_[k].position).normalized();
      const Eigen::Vector2d middle = at(from + h / 2).position;
      sagitta_ = std::max(sagitta_, std::abs(plane_cross(chord, middle - samples_[k].position)));
      bounding_radius_ = std::max({bounding_radius_, samples_[k].position.norm(), middle.norm()});
    }
    bounding_radius_ = std::max(bounding_radius_, samples_[piece.last].position.norm());
  }
  bounding_radius_ += sagitta_;
  for (Piece& piece : pieces_) {
    Eigen::Vector2d low = samples_[piece.first].position, high = low;
    for (std::size_t k = piece.first; k <= piece.last; ++k) {
      low = low.cwiseMin(samples_[k].position);
      high = high.cwiseMax(samples_[k].position);
    }
    piece.centre = (low + high) / 2;
    piece.radius = (high - low).norm() / 2 + sagitta_;
  }
}

bool Profile::is_convex() const {
  return pieces_.size() == 1 && !pieces_[0].concave && pieces_[0].high - pieces_[0].low < 2 * M_PI + 1e-6;
}

bool Profile::contains(const Eigen::Vector2d& point) const {
  if (!closed_) return true;
  if (point.squaredNorm() > bounding_radius_ * bounding_radius_) return false;
  bool inside = false;
  for (std::size_t k = 0; k + 1 < samples_.size(); ++k) {
    const Eigen::Vector2d &one = samples_[k].position, &two = samples_[k + 1].position;
    if ((one.y() > point.y()) == (two.y() > point.y())) continue;
    if (point.x() < one.x() + (point.y() - one.y()) * (two.x() - one.x()) / (two.y() - one.y())) inside = !inside;
  }
  return inside;
}

std::optional<std::pair<double, double>> Profile::find_self_crossing() const {
  const std::vector<double> raw = raw_parameters();
  std::vector<Eigen::Vector2d> points;
  for (const double s : raw) points.push_back(at(closed_ && s >= end_ ? 0 : s).position);
  const std::size_t chords = raw.size() - 1;
  for (std::size_t i = 0; i < chords; ++i) {
    const Eigen::Vector2d edge = points[i + 1] - points[i];
    const Eigen::Vector2d low = points[i].cwiseMin(points[i + 1]), high = points[i].cwiseMax(points[i + 1]);
    for (std::size_t j = i + 2; j < chords; ++j) {
      if (closed_ && i == 0 && j + 1 == chords) continue;  // neighbours across the seam
      const Eigen::Vector2d &from = points[j], &to = points[j + 1];
      if ((from.cwiseMin(to) - high).maxCoeff() > 0 || (low - from.cwiseMax(to)).maxCoeff() > 0) continue;
      const Eigen::Vector2d other = to - from, between = from - points[i];
      const double determinant = plane_cross(edge, other);
      if (determinant == 0) continue;
      const double u = plane_cross(between, other) / determinant, v = plane_cross(between, edge) / determinant;
      if (u < 0 || u > 1 || v < 0 || v > 1) continue;
      double s = raw[i] + u * (raw[i + 1] - raw[i]), t = raw[j] + v * (raw[j + 1] - raw[j]);
      for (int iteration = 0; iteration < 20; ++iteration) {
        const CurvePoint one = at(s), two = at(t);
        const double slopes = plane_cross(one.first, two.first);
        if (slopes == 0) break;
        const Eigen::Vector2d gap = two.position - one.position;
        s += plane_cross(gap, two.first) / slopes;
        t += plane_cross(gap, one.first) / slopes;
      }
      return std::pair{wrapped(s), wrapped(t)};
    }
  }
  return std::nullopt;
}

}  // namespace carom::inline contact_geometry
