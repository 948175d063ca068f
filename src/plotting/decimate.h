#pragma once

#include <vector>

namespace carom::inline plotting {

/// A place on the page, in points from the upper left corner.
struct PagePoint {
  double x = 0;
  double y = 0;
};

using PageLine = std::vector<PagePoint>;

/// Splits a curve at places that are not finite and thins it out: of consecutive points that fall into one column of
/// `column_width`, the first, the lowest, the highest and the last remain, in their order. What is drawn looks the
/// same.
std::vector<PageLine> decimate_line(const std::vector<PagePoint>& points, double column_width);

/// Finite points, at most one in each square cell of `cell_width`, in their order.
PageLine decimate_points(const std::vector<PagePoint>& points, double cell_width);

}  // namespace carom::inline plotting
