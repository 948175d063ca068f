#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>

#include "outline_io/chain_loops.h"
#include "outline_io/dxf_spline.h"

namespace carom::inline outline_io {

namespace {

struct Group {
  int code;
  std::string value;
  std::size_t line;
};

std::string trimmed(std::string text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) text.pop_back();
  std::size_t first = 0;
  while (first < text.size() && std::isspace(static_cast<unsigned char>(text[first])) != 0) ++first;
  return text.substr(first);
}

double number_of(const Group& group) {
  double value = 0;
  const char* const end = group.value.data() + group.value.size();
  const char* const first = group.value.data() + (!group.value.empty() && group.value[0] == '+' ? 1 : 0);
  const auto [at, error] = std::from_chars(first, end, value);
  if (error != std::errc() || at != end || !std::isfinite(value) || std::abs(value) > 1e15)
    throw std::invalid_argument(
        fmt::format("line {} of the DXF file: expected a number, found `{}`", group.line, group.value.substr(0, 30)));
  return value;
}

std::vector<Group> read_groups(const std::string& text) {
  if (text.rfind("AutoCAD Binary DXF", 0) == 0)
    throw std::invalid_argument("a binary DXF file; save it as text (ASCII DXF)");
  std::vector<Group> groups;
  std::istringstream stream(text);
  std::string code, value;
  std::size_t line = 0;
  while (std::getline(stream, code)) {
    ++line;
    if (trimmed(code).empty() && stream.peek() == EOF) break;
    if (!std::getline(stream, value))
      throw std::invalid_argument(fmt::format("the DXF file ends in the middle of a group, at line {}", line));
    ++line;
    const std::string digits = trimmed(code);
    int number = 0;
    const auto [at, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error != std::errc() || at != digits.data() + digits.size())
      throw std::invalid_argument(
          fmt::format("line {} of the DXF file: expected a group code, found `{}`", line - 1, digits.substr(0, 30)));
    groups.push_back({number, trimmed(value), line});
  }
  return groups;
}

// The groups of one entity, from its name on.
class Entity {
 public:
  Entity(const std::vector<Group>& groups, std::size_t first, std::size_t last)
      : groups_(groups), first_(first), last_(last) {}
  const std::string& name() const { return groups_[first_].value; }
  std::size_t line() const { return groups_[first_].line; }
  double number(int code, double fallback = 0) const {
    for (std::size_t k = first_ + 1; k < last_; ++k) {
      if (groups_[k].code == code) return number_of(groups_[k]);
    }
    return fallback;
  }
  std::vector<double> numbers(int code) const {
    std::vector<double> result;
    for (std::size_t k = first_ + 1; k < last_; ++k) {
      if (groups_[k].code == code) result.push_back(number_of(groups_[k]));
    }
    return result;
  }
  std::string text(int code) const {
    for (std::size_t k = first_ + 1; k < last_; ++k) {
      if (groups_[k].code == code) return groups_[k].value;
    }
    return {};
  }
  Eigen::Vector2d point(int code) const { return {number(code), number(code + 10)}; }
  std::vector<Eigen::Vector2d> points(int code) const {
    const std::vector<double> x = numbers(code), y = numbers(code + 10);
    if (x.size() != y.size())
      throw std::invalid_argument(
          fmt::format("line {} of the DXF file: a {} with {} x and {} y", line(), name(), x.size(), y.size()));
    std::vector<Eigen::Vector2d> result;
    for (std::size_t k = 0; k < x.size(); ++k) result.emplace_back(x[k], y[k]);
    return result;
  }
  // Corners of a light polyline with the bulge of the side that follows each.
  std::vector<std::pair<Eigen::Vector2d, double>> corners() const {
    std::vector<std::pair<Eigen::Vector2d, double>> result;
    for (std::size_t k = first_ + 1; k < last_; ++k) {
      if (groups_[k].code == 10) result.push_back({{number_of(groups_[k]), 0}, 0});
      if (result.empty()) continue;
      if (groups_[k].code == 20) result.back().first.y() = number_of(groups_[k]);
      if (groups_[k].code == 42) result.back().second = number_of(groups_[k]);
    }
    return result;
  }

 private:
  const std::vector<Group>& groups_;
  std::size_t first_, last_;
};

// The tangent of a quarter of the angle, > 0 counter-clockwise.
CurvePiece bulged(const Eigen::Vector2d& from, const Eigen::Vector2d& to, double bulge) {
  if (std::abs(bulge) < 1e-12) return CurvePiece::line(from, to);
  const Eigen::Vector2d chord = to - from;
  const double angle = 4 * std::atan(bulge);
  const Eigen::Vector2d centre = (from + to) / 2 + Eigen::Vector2d(-chord.y(), chord.x()) / (2 * std::tan(angle / 2));
  const Eigen::Vector2d spoke = from - centre;
  return CurvePiece::arc(centre, spoke.norm(), std::atan2(spoke.y(), spoke.x()), angle);
}

OutlineLoop polyline(const std::vector<std::pair<Eigen::Vector2d, double>>& corners, bool closed) {
  OutlineLoop loop;
  for (std::size_t k = 0; k + (closed ? 0 : 1) < corners.size(); ++k) {
    const auto& [from, bulge] = corners[k];
    const Eigen::Vector2d& to = corners[(k + 1) % corners.size()].first;
    if ((to - from).norm() > 0) loop.push_back(bulged(from, to, bulge));
  }
  return loop;
}

double degrees(double angle) {
  return angle * M_PI / 180;
}

class DxfReader {
 public:
  DxfReader(const std::string& text, std::string layer) : groups_(read_groups(text)), layer_(std::move(layer)) {}

  DrawnCurves read() {
    std::string section;
    bool any = false;
    for (std::size_t k = 0; k < groups_.size();) {
      const Group& group = groups_[k];
      if (group.code == 9 && group.value == "$INSUNITS" && k + 1 < groups_.size())
        curves_.unit = unit_of(number_of(groups_[k + 1]));
      if (group.code != 0) {
        if (group.code == 2 && k > 0 && groups_[k - 1].code == 0 && groups_[k - 1].value == "SECTION")
          section = group.value;
        ++k;
        continue;
      }
      std::size_t next = k + 1;
      while (next < groups_.size() && groups_[next].code != 0) ++next;
      const Entity entity(groups_, k, next);
      if (group.value == "ENDSEC") section.clear();
      if (section == "ENTITIES") {
        any = true;
        take(entity);
      }
      // The name of a section follows its start.
      k = group.value == "SECTION" ? k + 1 : next;
    }
    if (!any)
      throw std::invalid_argument(
          "the DXF file has no entities; it needs a section ENTITIES with lines, arcs or splines");
    finish_polyline();
    if (!layer_.empty() && !layers_.contains(layer_)) {
      std::string names;
      for (const std::string& each : layers_) names += (names.empty() ? "`" : ", `") + each + "`";
      throw std::invalid_argument(fmt::format("the DXF file has no layer `{}`; it has {}", layer_, names));
    }
    return std::move(curves_);
  }

 private:
  static double unit_of(double code) {
    static const std::array<double, 15> units = {0,       0.0254,  0.3048, 1609.344, 1e-3, 1e-2, 1,  1e3,
                                                 2.54e-8, 2.54e-5, 0.9144, 1e-10,    1e-9, 1e-6, 0.1};
    return code >= 0 && code < static_cast<double>(units.size()) ? units[static_cast<std::size_t>(code)] : 0;
  }

  void add(const Entity& entity, OutlineLoop loop, bool closed) {
    if (loop.empty()) return;
    // Seen from below, where the drawing plane is turned round.
    if (entity.number(230, 1) < 0) {
      for (CurvePiece& piece : loop) piece = piece.mapped(Eigen::Vector2d(-1, 1).asDiagonal(), Eigen::Vector2d::Zero());
    }
    (closed ? curves_.closed : curves_.open).push_back(std::move(loop));
  }

  void take(const Entity& entity) {
    const std::string& name = entity.name();
    if (name == "SECTION" || name == "ENDSEC" || name == "EOF") return;
    layers_.insert(entity.text(8));
    if (!layer_.empty() && entity.text(8) != layer_ && name != "VERTEX" && name != "SEQEND") return;
    if (name == "VERTEX") {
      if (in_polyline_) corners_.push_back({entity.point(10), entity.number(42)});
      return;
    }
    finish_polyline();
    if (name == "LINE") {
      add(entity, {CurvePiece::line(entity.point(10), entity.point(11))}, false);
    } else if (name == "ARC") {
      const double from = degrees(entity.number(50));
      double turn = degrees(entity.number(51)) - from;
      while (turn <= 0) turn += 2 * M_PI;
      add(entity, {CurvePiece::arc(entity.point(10), entity.number(40), from, turn)}, false);
    } else if (name == "CIRCLE") {
      add(entity, {CurvePiece::arc(entity.point(10), entity.number(40), 0, 2 * M_PI)}, true);
    } else if (name == "ELLIPSE") {
      take_ellipse(entity);
    } else if (name == "LWPOLYLINE") {
      const bool closed = (static_cast<int>(entity.number(70)) & 1) != 0;
      add(entity, polyline(entity.corners(), closed), closed);
    } else if (name == "POLYLINE") {
      in_polyline_ = true;
      closed_polyline_ = (static_cast<int>(entity.number(70)) & 1) != 0;
    } else if (name == "SPLINE") {
      take_spline(entity);
    } else if (name != "SEQEND" && name != "POINT") {
      if (std::find(curves_.left_out.begin(), curves_.left_out.end(), name) == curves_.left_out.end())
        curves_.left_out.push_back(name);
    }
  }

  void finish_polyline() {
    if (!in_polyline_) return;
    OutlineLoop loop = polyline(corners_, closed_polyline_);
    if (!loop.empty()) (closed_polyline_ ? curves_.closed : curves_.open).push_back(std::move(loop));
    corners_.clear();
    in_polyline_ = false;
  }

  void take_ellipse(const Entity& entity) {
    const Eigen::Vector2d axis = entity.point(11);
    const double from = entity.number(41, 0), to = entity.number(42, 2 * M_PI);
    CurvePiece piece = CurvePiece::arc(entity.point(10), 1, from, to > from ? to - from : to - from + 2 * M_PI);
    piece.c[1] = axis;
    piece.c[2] = entity.number(40, 1) * Eigen::Vector2d(-axis.y(), axis.x());
    const bool whole = std::abs(piece.turn - 2 * M_PI) < 1e-9;
    (whole ? curves_.closed : curves_.open).push_back({piece});
  }

  void take_spline(const Entity& entity) {
    DxfSpline spline;
    spline.degree = static_cast<int>(entity.number(71, 3));
    spline.knots = entity.numbers(40);
    spline.control = entity.points(10);
    spline.weights = entity.numbers(41);
    spline.fit = entity.points(11);
    OutlineLoop loop;
    try {
      loop = pieces_of_spline(spline);
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument(
          fmt::format("the SPLINE at line {} of the DXF file: {}", entity.line(), error.what()));
    }
    const bool closed = (loop.back().end() - loop.front().start()).norm() < 1e-9 * (1 + loop.back().end().norm());
    (closed ? curves_.closed : curves_.open).push_back(std::move(loop));
  }

  std::vector<Group> groups_;
  std::string layer_;
  std::set<std::string> layers_;
  bool in_polyline_ = false, closed_polyline_ = false;
  std::vector<std::pair<Eigen::Vector2d, double>> corners_;
  DrawnCurves curves_;
};

}  // namespace

DrawnCurves read_dxf(const std::string& text, const std::string& layer) {
  return DxfReader(text, layer).read();
}

}  // namespace carom::inline outline_io
