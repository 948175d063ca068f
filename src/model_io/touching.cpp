#include "model_io/touching.h"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "contact_geometry/area_pairs.h"
#include "contact_geometry/faced_shapes.h"
#include "contact_geometry/groove.h"
#include "contact_geometry/pair.h"
#include "contact_geometry/shape_description.h"
#include "contacts/patch.h"
#include "contacts/shape_of.h"

namespace carom::inline model_io {
namespace {

template <int D>
Touch touch_in(const Geometry& first, const Geometry& second) {
  const auto kind_a = find_shape_kind(first.shape), kind_b = find_shape_kind(second.shape);
  if (!kind_a || !kind_b) return {};
  try {
    return touch_of<D>(sized_shape<D>(first, *kind_a), sized_shape<D>(second, *kind_b));
  } catch (const ShapeError&) {  // reported with the shape
    Touch touch;
    touch.possible = true;
    return touch;
  }
}

template <int D>
std::vector<std::string> partners_of(ShapeKind kind) {
  std::set<std::string> names;
  for (const PairDescription<D>& pair : pair_catalogue<D>()) {
    if (pair.a == kind) names.insert(description_of<D>(pair.b).name);
    if (pair.b == kind) names.insert(description_of<D>(pair.a).name);
  }
  return {names.begin(), names.end()};
}

}  // namespace

template <int D>
Touch touch_of(const Shape<D>& first, const Shape<D>& second) {
  const PairDescription<D>* pair = find_pair<D>(first.kind, second.kind);
  const bool swapped = !pair;
  if (swapped) pair = find_pair<D>(second.kind, first.kind);
  if (!pair) return {};
  Touch touch;
  touch.possible = true;
  if constexpr (D == 2) {
    if (pair->a == groove_kind && pair->b != ShapeKind::sphere) {
      Shape<2> groove = swapped ? second : first;
      if (!groove.data) touch.hindered = make_walls(groove);
    }
  }
  // The radius of a profile depends on the point.
  if (pair->a == ShapeKind::profile || pair->b == ShapeKind::profile) return touch;
  const Shape<D>&a = swapped ? second : first, &b = swapped ? first : second;
  const Patch patch = patch_of(*pair, a, b);
  touch.effective_radius = patch.effective_radius;
  touch.guesses_radius = patch.by_point && (has_edges_or_flats<D>(a) || has_edges_or_flats<D>(b));
  if (pair->clearance) touch.clearance = pair->clearance(a, b);
  if constexpr (D == 3) touch.by_triangles = what_touches_by_triangles(a, b);
  touch.over_area = find_area_pair<D>(a.kind, b.kind) != nullptr;
  touch.one_energy = find_flat_pair<D>(a.kind, b.kind) && !prefers_points<D>(a, b);
  touch.area_if_asked = touch.over_area || find_solid_area_pair<D>(a.kind, b.kind) != nullptr;
  return touch;
}

template Touch touch_of<2>(const Shape<2>&, const Shape<2>&);
template Touch touch_of<3>(const Shape<3>&, const Shape<3>&);

Touch touch_of(const Geometry& a, const Geometry& b, bool planar) {
  return planar ? touch_in<2>(a, b) : touch_in<3>(a, b);
}

std::optional<Eigen::Vector2d> find_curve_crossing(const Geometry& profile) {
  constexpr std::size_t most_points = 2000;  // the search compares all with all
  constexpr double largest = 1e9;            // m, far from overflow
  std::vector<Eigen::Vector2d> points;
  for (const Eigen::Vector3d& each : profile.settings.points("points")) {
    if (!(each.cwiseAbs().maxCoeff() < largest)) return std::nullopt;
    points.push_back(each.head<2>());
  }
  if (points.size() > most_points) return std::nullopt;
  try {
    const Profile curve = Profile::through(std::move(points), profile.settings.boolean("closed", true));
    const auto crossing = curve.find_self_crossing();
    return crossing ? std::optional<Eigen::Vector2d>(curve.at(crossing->first).position) : std::nullopt;
  } catch (const std::invalid_argument&) {
    return std::nullopt;  // reported at the shape
  }
}

std::vector<std::string> touching_kinds(const std::string& kind, bool planar) {
  const auto known = find_shape_kind(kind);
  if (!known) return {};
  return planar ? partners_of<2>(*known) : partners_of<3>(*known);
}

}  // namespace carom::inline model_io
