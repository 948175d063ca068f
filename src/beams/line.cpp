#include "beams/line.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "math/space.h"
#include "math/spline.h"

namespace carom::inline beams {
namespace {

// A place on the line and its direction.
struct Place {
  Eigen::Vector3d point, tangent;
};

// One smooth piece of the line, by its arc length.
struct Piece {
  double length = 0;
  std::function<Place(double)> at;
  Eigen::Vector3d normal = Eigen::Vector3d::Zero();  // of its plane; zero: none
};

Piece straight(const Eigen::Vector3d& from, const Eigen::Vector3d& to) {
  const double length = (to - from).norm();
  const Eigen::Vector3d along = (to - from) / length;
  return {length, [=](double s) { return Place{from + s * along, along}; }, Eigen::Vector3d::Zero()};
}

Piece arc(const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c) {
  const Eigen::Vector3d u = b - a, v = c - a, normal = u.cross(v).normalized();
  // The centre lies on the perpendicular bisectors of both chords.
  const Eigen::Vector3d centre =
      a + u.cross(v).cross(v.squaredNorm() * u - u.squaredNorm() * v) / (2 * u.cross(v).squaredNorm());
  const double radius = (a - centre).norm();
  const Eigen::Vector3d x = (a - centre) / radius, y = normal.cross(x);
  const Eigen::Vector3d end = c - centre;
  double angle = std::atan2(y.dot(end), x.dot(end));
  if (angle <= 0) angle += 2 * M_PI;
  return {radius * angle,
          [=](double s) {
            const double t = s / radius;
            return Place{centre + radius * (std::cos(t) * x + std::sin(t) * y), -std::sin(t) * x + std::cos(t) * y};
          },
          normal};
}

Piece smooth(const std::vector<Eigen::Vector3d>& points) {
  std::vector<double> chord = {0};
  for (std::size_t k = 1; k < points.size(); ++k) chord.push_back(chord.back() + (points[k] - points[k - 1]).norm());
  std::vector<Spline> coordinates;
  for (int i = 0; i < 3; ++i) {
    std::vector<double> values;
    for (const Eigen::Vector3d& point : points) values.push_back(point[i]);
    coordinates.push_back(Spline::through(chord, values, Interpolation::cubic));
  }
  const auto rate = [coordinates](double u) {
    return Eigen::Vector3d(coordinates[0].derivatives(u).first, coordinates[1].derivatives(u).first,
                           coordinates[2].derivatives(u).first);
  };
  // Arc length over the chord parameter, by Simpson's rule on a fine grid.
  constexpr int grid = 4000;
  std::vector<double> length = {0};
  const double step = chord.back() / grid;
  for (int k = 0; k < grid; ++k) {
    const double u = k * step;
    length.push_back(length.back() +
                     step / 6 * (rate(u).norm() + 4 * rate(u + step / 2).norm() + rate(u + step).norm()));
  }
  return {
      length.back(),
      [=](double s) {
        const auto after = std::upper_bound(length.begin(), length.end(), s) - length.begin();
        const auto k = std::clamp<std::ptrdiff_t>(after - 1, 0, grid - 1);
        double u = step * (static_cast<double>(k) + (s - length[k]) / (length[k + 1] - length[k]));
        u = std::clamp(u, 0.0, chord.back());
        const Eigen::Vector3d tangent = rate(u == chord.back() ? u * (1 - 1e-14) : u);
        return Place{{coordinates[0].value(u), coordinates[1].value(u), coordinates[2].value(u)}, tangent.normalized()};
      },
      Eigen::Vector3d::Zero()};
}

Eigen::Matrix3d frame(const Eigen::Vector3d& tangent, const Eigen::Vector3d& up) {
  Eigen::Matrix3d result;
  const Eigen::Vector3d z = (up - tangent.dot(up) * tangent).normalized();
  result << tangent, z.cross(tangent), z;
  return result;
}

// The direction for z where none is given: the axis z, or y for lines along z.
Eigen::Vector3d default_up(const Eigen::Vector3d& tangent) {
  return std::abs(tangent.z()) < 0.99 ? Eigen::Vector3d::UnitZ() : Eigen::Vector3d::UnitY();
}

// At least one each, the others by length.
std::vector<int> distribute(int elements, const std::vector<Piece>& pieces) {
  std::vector<int> counts(pieces.size(), 1);
  for (int left = elements - static_cast<int>(pieces.size()); left > 0; --left) {
    std::size_t longest = 0;
    for (std::size_t k = 1; k < pieces.size(); ++k) {
      if (pieces[k].length / counts[k] > pieces[longest].length / counts[longest] * (1 + 1e-9)) longest = k;
    }
    ++counts[longest];
  }
  return counts;
}

}  // namespace

BeamLine make_line(const BeamLineRequest& request) {
  std::vector<Piece> pieces;
  if (request.shape == LineShape::arc) {
    pieces.push_back(arc(request.points[0], request.points[1], request.points[2]));
  } else if (request.shape == LineShape::spline && request.points.size() > 2) {
    pieces.push_back(smooth(request.points));
  } else {
    for (std::size_t k = 1; k < request.points.size(); ++k)
      pieces.push_back(straight(request.points[k - 1], request.points[k]));
  }
  BeamLine line;
  for (const Piece& piece : pieces) line.length += piece.length;
  const std::vector<int> counts = distribute(request.elements, pieces);

  Eigen::Vector3d up = request.planar ? Eigen::Vector3d::UnitZ() : request.up;
  double passed = 0;
  for (std::size_t p = 0; p < pieces.size(); ++p) {
    const Piece& piece = pieces[p];
    const bool follows = up.isZero(0) || (!request.planar && request.up.isZero(0));
    if (follows) up = piece.normal.isZero(0) ? default_up(piece.at(0).tangent) : piece.normal;
    const auto turned = [&](double s) {
      const Place place = piece.at(s);
      const Eigen::Matrix3d flat = frame(place.tangent, up);
      if (follows && piece.normal.isZero(0)) up = flat.col(2);  // carried along, without turning about the line
      const double twist = request.twist * (passed + s) / line.length;
      return Eigen::Matrix3d(flat * Eigen::AngleAxisd(twist, Eigen::Vector3d::UnitX()).toRotationMatrix());
    };
    const double length = piece.length / counts[p];
    Eigen::Matrix3d before = turned(0);
    if (p == 0) {
      line.nodes.push_back(piece.at(0).point);
      line.node_frames.push_back(before);
    }
    for (int k = 1; k <= counts[p]; ++k) {
      const double s = k == counts[p] ? piece.length : k * length;
      const Eigen::Matrix3d after = turned(s);
      line.elements.push_back({line.node_frames.back().transpose() * before, Eigen::Matrix3d::Identity(), length});
      line.nodes.push_back(piece.at(s).point);
      line.node_frames.push_back(after);
      line.largest_turn = std::max(line.largest_turn, Eigen::AngleAxisd(before.transpose() * after).angle());
      before = after;
    }
    passed += piece.length;
  }
  return line;
}

}  // namespace carom::inline beams
