#include "outline_io/path_text.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

namespace carom::inline outline_io {

namespace {

constexpr std::size_t most_path_pieces = 1000000;

class PathReader {
 public:
  PathReader(const std::string& text, double scale) : text_(text), scale_(scale) {}

  PathLoops read() {
    char command = 0;
    for (skip(); at_ < text_.size(); skip()) {
      if (std::isalpha(static_cast<unsigned char>(text_[at_])) != 0) {
        command = text_[at_++];
        if (std::string("MmLlHhVvCcSsQqTtAaZz").find(command) == std::string::npos)
          fail(fmt::format("`{}` is no command of a path; there are M L H V C S Q T A Z", command));
      } else if (command == 0 || command == 'Z' || command == 'z') {
        fail("a path begins with `M x y`, and a number needs a command before it");
      }
      if (!begun_ && command != 'M' && command != 'm') fail("a path begins with `M x y`");
      obey(command);
      // More numbers after M are lines.
      if (command == 'M') command = 'L';
      if (command == 'm') command = 'l';
    }
    finish(false);
    return std::move(loops_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    const std::size_t from = at_ > 12 ? at_ - 12 : 0;
    throw std::invalid_argument(
        fmt::format("{}; at character {} of the path, after `{}`", what, at_ + 1, text_.substr(from, at_ - from)));
  }
  void skip() {
    while (at_ < text_.size() && (std::isspace(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == ','))
      ++at_;
  }
  double number() {
    skip();
    const char* first = text_.data() + at_;
    const char* const last = text_.data() + text_.size();
    if (first < last && *first == '+') ++first;
    double value = 0;
    const auto [end, error] = std::from_chars(first, last, value);
    if (error != std::errc() || !std::isfinite(value)) fail("a number is missing");
    at_ = static_cast<std::size_t>(end - text_.data());
    return value;
  }
  bool flag() {
    skip();
    if (at_ >= text_.size() || (text_[at_] != '0' && text_[at_] != '1')) fail("an arc needs two flags, 0 or 1");
    return text_[at_++] == '1';
  }
  Eigen::Vector2d place(bool relative) {
    const double x = number(), y = number();
    return scale_ * Eigen::Vector2d(x, y) + (relative ? here_ : Eigen::Vector2d(Eigen::Vector2d::Zero()));
  }
  void add(const CurvePiece& piece, const Eigen::Vector2d& to) {
    if (loop_.size() >= most_path_pieces) fail("too many pieces");
    loop_.push_back(piece);
    here_ = to;
  }
  void line_to(const Eigen::Vector2d& to) { add(CurvePiece::line(here_, to), to); }

  void finish(bool closed) {
    if (loop_.empty()) return;
    const double size = std::max(here_.norm(), start_.norm());
    const bool meets = (here_ - start_).norm() <= 1e-9 * size;
    if (closed && !meets) line_to(start_);
    (closed || meets ? loops_.closed : loops_.open).push_back(std::move(loop_));
    loop_.clear();
    here_ = start_;
  }

  void obey(char command) {
    const bool relative = std::islower(static_cast<unsigned char>(command)) != 0;
    const char kind = static_cast<char>(std::toupper(static_cast<unsigned char>(command)));
    const Eigen::Vector2d from = here_;
    Eigen::Vector2d pull = from;
    switch (kind) {
      case 'M':
        finish(false);
        start_ = here_ = place(relative);
        begun_ = true;
        break;
      case 'L':
        line_to(place(relative));
        break;
      case 'H':
        line_to({scale_ * number() + (relative ? here_.x() : 0), here_.y()});
        break;
      case 'V':
        line_to({here_.x(), scale_ * number() + (relative ? here_.y() : 0)});
        break;
      case 'C':
      case 'S': {
        const Eigen::Vector2d first = kind == 'C'    ? place(relative)
                                      : last_ == 'C' ? Eigen::Vector2d(2 * from - pull_)
                                                     : from;
        pull = place(relative);
        const Eigen::Vector2d to = place(relative);
        add(CurvePiece::cubic(from, first, pull, to), to);
        break;
      }
      case 'Q':
      case 'T': {
        pull = kind == 'Q' ? place(relative) : last_ == 'Q' ? Eigen::Vector2d(2 * from - pull_) : from;
        const Eigen::Vector2d to = place(relative);
        add(CurvePiece::cubic(from, (from + 2 * pull) / 3, (to + 2 * pull) / 3, to), to);
        break;
      }
      case 'A': {
        const double rx = number(), ry = number(), angle = number() * M_PI / 180;
        const bool large = flag(), sweep = flag();
        const Eigen::Vector2d to = place(relative), radii = scale_ * Eigen::Vector2d(std::abs(rx), std::abs(ry));
        if (to == from) fail("an arc ends where it starts; use two arcs for a circle");
        add(radii.minCoeff() > 0 ? elliptic_arc(from, to, radii, angle, large, sweep) : CurvePiece::line(from, to), to);
        break;
      }
      default:
        finish(true);
        break;
    }
    pull_ = pull;
    last_ = kind == 'S' ? 'C' : kind == 'T' ? 'Q' : kind;
  }

  const std::string& text_;
  double scale_;
  std::size_t at_ = 0;
  bool begun_ = false;
  char last_ = 0;
  Eigen::Vector2d here_ = Eigen::Vector2d::Zero(), start_ = here_, pull_ = here_;
  OutlineLoop loop_;
  PathLoops loops_;
};

}  // namespace

PathLoops read_path(const std::string& text, double scale) {
  return PathReader(text, scale).read();
}

// In the axes of the ellipse, stretched to a circle of radius 1.
CurvePiece elliptic_arc(const Eigen::Vector2d& from, const Eigen::Vector2d& to, const Eigen::Vector2d& radii,
                        double angle, bool large, bool sweep) {
  const Eigen::Rotation2Dd turn(angle);
  Eigen::Vector2d semi = radii;
  const Eigen::Vector2d half = turn.inverse() * Eigen::Vector2d((from - to) / 2);
  const double needed = half.cwiseQuotient(semi).norm();
  if (needed > 1) semi *= needed;
  const Eigen::Vector2d flat = half.cwiseQuotient(semi);
  const double square = std::max(0.0, 1 / flat.squaredNorm() - 1);
  const double side = (large == sweep ? -1 : 1) * std::sqrt(square);
  const Eigen::Vector2d middle = side * Eigen::Vector2d(flat.y(), -flat.x());
  const Eigen::Vector2d first = flat - middle, last = -flat - middle;
  double sweep_angle = std::atan2(first.x() * last.y() - first.y() * last.x(), first.dot(last));
  if (sweep && sweep_angle <= 0) sweep_angle += 2 * M_PI;
  if (!sweep && sweep_angle >= 0) sweep_angle -= 2 * M_PI;
  CurvePiece piece;
  piece.kind = CurvePiece::Kind::round;
  piece.c[0] = turn * Eigen::Vector2d(middle.cwiseProduct(semi)) + (from + to) / 2;
  piece.c[1] = turn * Eigen::Vector2d(semi.x(), 0);
  piece.c[2] = turn * Eigen::Vector2d(0, semi.y());
  piece.phase = std::atan2(first.y(), first.x());
  piece.turn = sweep_angle;
  return piece;
}

}  // namespace carom::inline outline_io
