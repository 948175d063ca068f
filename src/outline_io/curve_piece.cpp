#include "outline_io/curve_piece.h"

#include <algorithm>
#include <cmath>

namespace carom::inline outline_io {

namespace {

using Coefficients = std::array<Eigen::Vector2d, CurvePiece::degree + 1>;

// Of p(from + (to − from) u), by Horner's rule on polynomials.
Coefficients reparametrised(const Coefficients& c, double from, double to) {
  Coefficients result;
  result.fill(Eigen::Vector2d::Zero());
  const double span = to - from;
  for (int k = CurvePiece::degree; k >= 0; --k) {
    for (int j = CurvePiece::degree; j > 0; --j) result[j] = from * result[j] + span * result[j - 1];
    result[0] = from * result[0] + c[k];
  }
  return result;
}

double bend_of(const CurvePoint& point) {
  return cross_of(point.first, point.second) / std::pow(point.first.squaredNorm(), 1.5);
}

double turn_between(const Eigen::Vector2d& a, const Eigen::Vector2d& b) {
  return std::atan2(cross_of(a, b), a.dot(b));
}

}  // namespace

Coefficients CurvePiece::zeros() {
  Coefficients result;
  result.fill(Eigen::Vector2d::Zero());
  return result;
}

CurvePiece CurvePiece::line(const Eigen::Vector2d& from, const Eigen::Vector2d& to) {
  CurvePiece piece;
  piece.c[0] = from;
  piece.c[1] = to - from;
  return piece;
}

CurvePiece CurvePiece::arc(const Eigen::Vector2d& centre, double radius, double phase, double turn) {
  CurvePiece piece;
  piece.kind = Kind::round;
  piece.c[0] = centre;
  piece.c[1] = {radius, 0};
  piece.c[2] = {0, radius};
  piece.phase = phase;
  piece.turn = turn;
  return piece;
}

CurvePiece CurvePiece::arc_between(const Eigen::Vector2d& from, const Eigen::Vector2d& to,
                                   const Eigen::Vector2d& centre, bool left) {
  const Eigen::Vector2d a = from - centre, b = to - centre;
  double turn = turn_between(a, b);
  if (left && turn <= 0) turn += 2 * M_PI;
  if (!left && turn >= 0) turn -= 2 * M_PI;
  return arc(centre, a.norm(), std::atan2(a.y(), a.x()), turn);
}

CurvePiece CurvePiece::cubic(const Eigen::Vector2d& from, const Eigen::Vector2d& pull_from,
                             const Eigen::Vector2d& pull_to, const Eigen::Vector2d& to) {
  CurvePiece piece;
  piece.c[0] = from;
  piece.c[1] = 3 * (pull_from - from);
  piece.c[2] = 3 * (from - 2 * pull_from + pull_to);
  piece.c[3] = to - from + 3 * (pull_from - pull_to);
  return piece;
}

CurvePiece CurvePiece::quintic(const CurvePoint& from, const CurvePoint& to) {
  CurvePiece piece;
  const Eigen::Vector2d way = to.position - from.position - from.first - from.second / 2;
  const Eigen::Vector2d slope = to.first - from.first - from.second, bend = to.second - from.second;
  piece.c = {from.position,
             from.first,
             from.second / 2,
             10 * way - 4 * slope + bend / 2,
             -15 * way + 7 * slope - bend,
             6 * way - 3 * slope + bend / 2};
  return piece;
}

std::array<Eigen::Vector2d, 4> CurvePiece::middle_at(double u) const {
  CurvePiece middle = *this;
  middle.beside = 0;
  const CurvePoint point = middle.at(u);
  Eigen::Vector2d third = Eigen::Vector2d::Zero();
  if (kind == Kind::polynomial) {
    for (int k = degree; k >= 3; --k) third = u * third + k * (k - 1) * (k - 2) * c[k];
  } else if (kind == Kind::round) {
    third = -turn * turn * point.first;
  } else {
    const double angle = phase + turn * u, cosine = std::cos(angle), sine = std::sin(angle);
    third = turn * turn * turn * (2 * (cosine * c[2] - sine * c[1]) - angle * (cosine * c[1] + sine * c[2]));
  }
  return {point.position, point.first, point.second, third};
}

CurvePoint CurvePiece::at(double u) const {
  if (beside != 0) {
    // Along the same normals n: n' = κ p' for the normal on the right, with κ > 0 where the way turns left.
    const auto [position, first, second, third] = middle_at(u);
    const double square = first.squaredNorm(), speed = std::sqrt(square), cube = square * speed;
    const double bend = cross_of(first, second) / cube;
    const double bend_rate = cross_of(first, third) / cube - 3 * bend * first.dot(second) / square;
    const double stretch = 1 + beside * bend;
    return {position + beside / speed * right_of(first), stretch * first,
            stretch * second + beside * bend_rate * first};
  }
  if (kind == Kind::polynomial) {
    Eigen::Vector2d position = c[degree], first = Eigen::Vector2d::Zero(), half_second = first;
    for (int k = degree - 1; k >= 0; --k) {
      half_second = u * half_second + first;
      first = u * first + position;
      position = u * position + c[k];
    }
    return {position, first, 2 * half_second};
  }
  const double angle = phase + turn * u, cosine = std::cos(angle), sine = std::sin(angle);
  const Eigen::Vector2d spoke = cosine * c[1] + sine * c[2], along = cosine * c[2] - sine * c[1];
  if (kind == Kind::round) return {c[0] + spoke, turn * along, -turn * turn * spoke};
  return {c[0] + spoke - angle * along, turn * angle * spoke, turn * turn * (spoke + angle * along)};
}

CurvePiece CurvePiece::shifted(double to_the_right) const {
  CurvePiece result = *this;
  if (is_line()) {
    result.c[0] += to_the_right * right_of(c[1].normalized());
  } else if (is_arc()) {
    const double side = turn * cross_of(c[1], c[2]) > 0 ? 1 : -1, part = 1 + side * to_the_right / radius();
    result.c[1] *= part, result.c[2] *= part;
  } else {
    result.beside += to_the_right;
  }
  return result;
}

bool CurvePiece::is_line() const {
  if (kind != Kind::polynomial || beside != 0) return false;
  const double scale = c[1].norm();
  return std::all_of(c.begin() + 2, c.end(), [&](const Eigen::Vector2d& each) { return each.norm() <= 1e-14 * scale; });
}

bool CurvePiece::is_arc() const {
  if (kind != Kind::round || beside != 0) return false;
  const double scale = c[1].squaredNorm();
  return std::abs(c[1].dot(c[2])) <= 1e-12 * scale && std::abs(c[2].squaredNorm() - scale) <= 1e-12 * scale;
}

CurvePiece CurvePiece::part(double from, double to) const {
  CurvePiece result = *this;
  if (kind == Kind::polynomial) {
    result.c = reparametrised(c, from, to);
  } else {
    result.phase = phase + turn * from;
    result.turn = turn * (to - from);
  }
  if (to < from) result.beside = -beside;
  return result;
}

CurvePiece CurvePiece::mapped(const Eigen::Matrix2d& linear, const Eigen::Vector2d& shift) const {
  CurvePiece result = *this;
  for (Eigen::Vector2d& each : result.c) each = linear * each;
  result.c[0] += shift;
  if (beside != 0) {
    const double area = linear.determinant();
    result.beside *= std::copysign(std::sqrt(std::abs(area)), area);
  }
  return result;
}

double CurvePiece::length() const {
  if (is_line()) return c[1].norm();
  if (is_arc()) return std::abs(turn) * radius();
  const GaussRule& rule = gauss_rule();
  double sum = 0;
  for (std::size_t k = 0; k < rule.at.size(); ++k) sum += rule.weight[k] * at(rule.at[k]).first.norm();
  return sum;
}

std::vector<CurvePiece> CurvePiece::cut(double most_turn) const {
  if (is_line() || is_arc()) return {*this};
  constexpr int samples = 64;
  std::vector<double> cuts = {0};
  double before = bend_of(at(1e-9));
  for (int k = 1; k <= samples; ++k) {
    double low = (k - 1.0) / samples, high = static_cast<double>(k) / samples;
    const double here = bend_of(at(k == samples ? 1 - 1e-9 : high));
    if ((here > 0) != (before > 0) && k > 1) {
      const bool starts = before > 0;
      for (int halving = 0; halving < 60; ++halving) {
        const double middle = (low + high) / 2;
        ((bend_of(at(middle)) > 0) == starts ? low : high) = middle;
      }
      if (low > 1e-6 && low < 1 - 1e-6) cuts.push_back((low + high) / 2);
    }
    before = here;
  }
  cuts.push_back(1);
  std::vector<CurvePiece> result;
  const auto add = [&](const auto& self, double from, double to, int depth) -> void {
    const CurvePoint a = at(from), b = at(to), middle = at((from + to) / 2);
    const double turned = std::abs(turn_between(a.first, middle.first)) + std::abs(turn_between(middle.first, b.first));
    const double bends[3] = {std::abs(bend_of(a)), std::abs(bend_of(middle)), std::abs(bend_of(b))};
    const auto [least, most] = std::minmax_element(bends, bends + 3);
    // Near an inflection the curvature has no ratio, and matters little.
    const bool uneven = *most > 3 * *least && *most * (b.position - a.position).norm() > 0.05;
    if (depth < 12 && (turned > most_turn || uneven)) {
      self(self, from, (from + to) / 2, depth + 1);
      self(self, (from + to) / 2, to, depth + 1);
    } else {
      result.push_back(part(from, to));
    }
  };
  for (std::size_t k = 0; k + 1 < cuts.size(); ++k) add(add, cuts[k], cuts[k + 1], 0);
  return result;
}

// By Newton's iteration on Legendre's polynomial.
const GaussRule& gauss_rule() {
  static const GaussRule rule = [] {
    GaussRule result{};
    constexpr int n = 16;
    for (int k = 0; k < n; ++k) {
      double x = std::cos(M_PI * (k + 0.75) / (n + 0.5)), slope = 1;
      for (int pass = 0; pass < 100; ++pass) {
        double before = 1, value = x;
        for (int j = 2; j <= n; ++j) {
          const double next = ((2 * j - 1) * x * value - (j - 1) * before) / j;
          before = value, value = next;
        }
        slope = n * (x * value - before) / (x * x - 1);
        const double step = value / slope;
        x -= step;
        if (std::abs(step) < 1e-16) break;
      }
      result.at[k] = (1 - x) / 2;
      result.weight[k] = 1 / ((1 - x * x) * slope * slope);
    }
    return result;
  }();
  return rule;
}

}  // namespace carom::inline outline_io
