#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "contacts/shape_of.h"
#include "model/model.h"

namespace carom::inline model_io {

// What the catalogue of pairs says about two shapes, in either order.
struct Touch {
  bool possible = false;
  double effective_radius = std::numeric_limits<double>::quiet_NaN();  // m; NaN: Hertz' theory does not apply
  double clearance = std::numeric_limits<double>::infinity();          // m; infinity: none of them is a hole
  bool over_area = false;      // they press over areas, unless true faces make points better
  bool area_if_asked = false;  // they can press over areas
  bool one_energy = false;     // they have flat faces, and press over all of their overlap unless areas are asked for
  std::string by_triangles = {};  // what touches by triangles in place of true faces; empty: nothing
  std::string hindered = {};      // why these two cannot touch, though others of their kinds can; empty: nothing
  bool guesses_radius = false;    // of edges, and of sides that are flat or straight, which have none
};
Touch touch_of(const Geometry& a, const Geometry& b, bool planar);
template <int D>
Touch touch_of(const Shape<D>& a, const Shape<D>& b);

// Where the smooth curve through the points of a profile crosses itself, shape axes. Curves of very many points, and
// points that make no curve, are not searched.
std::optional<Eigen::Vector2d> find_curve_crossing(const Geometry& profile);

// The kinds of shapes that one can touch, sorted.
std::vector<std::string> touching_kinds(const std::string& kind, bool planar);

}  // namespace carom::inline model_io
