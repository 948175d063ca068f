#pragma once

#include "outline_io/curve_piece.h"

namespace carom::inline outline_io {

// A B-spline, rational where it has weights; or points to go through, where it has no control points.
struct DxfSpline {
  int degree = 3;
  std::vector<double> knots, weights;
  std::vector<Eigen::Vector2d> control, fit;
};

// One piece for each span of knots; a rational one is followed by several of the fifth degree. Throws
// std::invalid_argument.
OutlineLoop pieces_of_spline(const DxfSpline& spline);

}  // namespace carom::inline outline_io
