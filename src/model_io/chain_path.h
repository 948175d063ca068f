#pragma once

#include <stdexcept>
#include <vector>

#include <Eigen/Core>

namespace carom::inline model_io {

// The way of a chain: straight from point to point, and round circles about points.
class ChainPath {
 public:
  // m, world axes. A circle with a positive radius is on the left of the way, which runs round it counter-clockwise,
  // one with a negative radius on the right; radius 0: through the point itself. The ends have none. Throws
  // std::invalid_argument with "found; remedy" where there is no such way.
  ChainPath(const std::vector<Eigen::Vector3d>& points, const std::vector<double>& radii);

  double length() const { return length_; }
  Eigen::Vector3d at(double s) const;  // m along the way
  // Where links of this pitch, m, join: each as far from the last as the pitch, straight. The ends of all links that
  // fit, at most `most` of them.
  std::vector<Eigen::Vector3d> joints(double pitch, std::size_t most) const;

 private:
  struct Piece {
    double begin = 0, length = 0;  // m along the way
    Eigen::Vector3d start = Eigen::Vector3d::Zero(),
                    along = start;  // of a straight one, whose direction is a unit vector
    double radius = 0, angle = 0;   // m, signed; rad, where an arc about `start` begins
  };
  void add_line(const Eigen::Vector3d& from, const Eigen::Vector3d& to);
  void add_arc(const Eigen::Vector3d& centre, double radius, double from, double turn);

  std::vector<Piece> pieces_;
  double length_ = 0;
};

}  // namespace carom::inline model_io
