#pragma once

#include <string>

#include "outline_io/curve_piece.h"

namespace carom::inline outline_io {

// What a drawing holds.
struct DrawnCurves {
  std::vector<OutlineLoop> closed, open;
  double unit = 0;                    // m, of one unit of the drawing; 0: it does not say
  std::vector<std::string> left_out;  // kinds of entities that are no curves
};

// Pieces and open lines whose ends meet, within `near`, m, made loops; pieces may run either way. Throws
// std::invalid_argument with the place where a line ends, or where more than two meet.
std::vector<OutlineLoop> chain_loops(std::vector<OutlineLoop> lines, double near);

// SVG: path, polygon, polyline, rect, circle, ellipse and line with transforms, y upwards. `id` chooses an element or a
// group; empty: all. DXF: LINE, ARC, CIRCLE, ELLIPSE, LWPOLYLINE, POLYLINE and SPLINE; `layer` chooses. Lengths are in
// units of the drawing. Both throw std::invalid_argument with what is wrong and where.
DrawnCurves read_svg(const std::string& text, const std::string& id);
DrawnCurves read_dxf(const std::string& text, const std::string& layer);

}  // namespace carom::inline outline_io
