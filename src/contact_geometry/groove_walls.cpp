#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "contact_geometry/groove.h"
#include "contact_geometry/outline.h"

// The walls of grooves as outlines, so that all planar shapes touch them.
namespace carom::inline contact_geometry {

namespace {

constexpr double far = 1000;                     // times its size, by which an open groove goes on beyond its ends
constexpr double straight = 1e-12;               // of its length, by which a curve bends that is none
constexpr std::uint32_t most_pieces = 1U << 15;  // of a wall
constexpr double most_looks = 1e4;               // places where the width of a groove is looked at

CurvePiece without_rounding(const CurvePiece& piece) {
  const double length = (piece.end() - piece.start()).norm();
  double bend = 0;
  for (int k = 2; k <= CurvePiece::degree; ++k) bend = std::max(bend, piece.c[k].norm());
  if (piece.kind != CurvePiece::Kind::polynomial || bend > straight * length) return piece;
  return CurvePiece::line(piece.start(), piece.end());
}

// The right one runs back, so that the material is on the left of both.
std::vector<OutlineLoop> walls_beside(const Profile& middle, double half) {
  std::vector<OutlineLoop> walls(2);
  for (const CurvePiece& raw : middle.pieces_of_curve()) {
    const CurvePiece piece = without_rounding(raw);
    walls[0].push_back(piece.shifted(half).reversed());
    walls[1].push_back(piece.shifted(-half));
  }
  std::reverse(walls[0].begin(), walls[0].end());
  return walls;
}

// Every place of a wall is half the width from the middle, and no other place of the middle is nearer: walls that fold
// where the curve bends more than they have room for, and those of passages that run into each other, are.
void check_width(const Profile& middle, double half, const std::vector<OutlineLoop>& walls) {
  const double apart = std::max(half, 2 * middle.length() / most_looks);
  for (const OutlineLoop& wall : walls) {
    for (const CurvePiece& piece : wall) {
      const int looks = std::clamp(static_cast<int>(std::ceil(piece.length() / apart)), 4, 1000);
      for (int k = 0; k < looks; ++k) {
        const Eigen::Vector2d at = piece.at((k + 0.5) / looks).position;
        const CurvePlace nearest = nearest_place(middle, at);
        if ((at - nearest.position).norm() > (1 - 1e-9) * half) continue;
        throw std::invalid_argument(fmt::format("a groove whose walls meet near ({:.4g}, {:.4g}) m", at.x(), at.y()));
      }
    }
  }
}

// m, how far an open groove may go on beyond its ends before these run into each other.
double room_beyond(const Profile& middle, double half, double most) {
  const CurvePoint first = middle.at(0), last = middle.at(middle.end());
  const Eigen::Vector2d back = -first.first.normalized(), on = last.first.normalized();
  const double turn = cross_of(back, on);
  if (std::abs(turn) < straight) return most;
  const Eigen::Vector2d between = last.position - first.position;
  const double from_first = cross_of(between, on) / turn, from_last = cross_of(between, back) / turn;
  if (from_first < 0 || from_last < 0) return most;
  const double room = std::max(from_first, from_last) - 2 * half / std::abs(turn);
  if (room < 2 * half) throw std::invalid_argument("a groove whose ends run into each other");
  return std::min(room, most);
}

}  // namespace

std::uint32_t wall_number(std::size_t wall, std::size_t index, std::size_t count) {
  if (count >= most_pieces) throw std::invalid_argument(fmt::format("a groove with walls of {} pieces", count));
  return static_cast<std::uint32_t>(wall << 30 | count << 15 | index);
}

bool are_beside(std::uint32_t one, std::uint32_t two) {
  if (one >> 15 != two >> 15) return false;
  constexpr std::uint32_t most = 3;  // short ones may be passed in a step
  const std::uint32_t count = one >> 15 & (most_pieces - 1), i = one & (most_pieces - 1), k = two & (most_pieces - 1);
  const std::uint32_t apart = i > k ? i - k : k - i;
  return apart <= most || count - apart <= most;
}

Outline::Outline(const Profile& middle, double half_width)
    : loops_(walls_beside(middle, half_width)), around_(true), open_walls_(!middle.is_closed()) {
  check_width(middle, half_width, loops_);
  make_elements(!open_walls_);
  measure();
  if (open_walls_) go_on_straight(room_beyond(middle, half_width, far * size_));
}

// After the walls have been measured, of which these lines are no part.
void Outline::go_on_straight(double way) {
  for (OutlineLoop& wall : loops_) {
    const CurvePoint first = wall.front().at(0), last = wall.back().at(1);
    wall.insert(wall.begin(), CurvePiece::line(first.position - way * first.first.normalized(), first.position));
    wall.push_back(CurvePiece::line(last.position, last.position + way * last.first.normalized()));
  }
  elements_.clear(), curves_.clear();
  make_elements(false);
  for (const OutlineElement& element : elements_) size_ = std::max(size_, element.middle.norm() + element.reach);
}

}  // namespace carom::inline contact_geometry
