#pragma once

#include <string>

#include "outline_io/curve_piece.h"

namespace carom::inline outline_io {

// Loops and open lines of a path as SVG writes them: M L H V C S Q T A Z and their small letters, which count from the
// present place. Lengths are multiplied by `scale`. Throws std::invalid_argument with what is wrong and where in the
// text.
struct PathLoops {
  std::vector<OutlineLoop> closed, open;
};
PathLoops read_path(const std::string& text, double scale);

// An elliptic arc by its ends, as in SVG: semi-axes, angle of the first one, rad, the longer way round or not, with
// growing angle or not. Radii that are too small are made larger.
CurvePiece elliptic_arc(const Eigen::Vector2d& from, const Eigen::Vector2d& to, const Eigen::Vector2d& radii,
                        double angle, bool large, bool sweep);

}  // namespace carom::inline outline_io
