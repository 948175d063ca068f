#include "model_io/touching.h"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "contact_geometry/pair.h"
#include "contacts/patch.h"

namespace carom {
namespace {

constexpr ShapeKind all_kinds[] = {ShapeKind::sphere,  ShapeKind::plane,      ShapeKind::box,       ShapeKind::cylinder,
                                   ShapeKind::capsule, ShapeKind::cavity,     ShapeKind::bore,      ShapeKind::slot,
                                   ShapeKind::profile, ShapeKind::inner_race, ShapeKind::outer_race};

// The sizes of a shape; where it sits does not matter here.
template <int D>
Shape<D> shape_of(const Geometry& geometry, ShapeKind kind) {
  Shape<D> shape;
  shape.kind = kind;
  shape.radius = geometry.settings.number("radius");
  shape.length = geometry.settings.number("length");
  shape.groove_radius = geometry.settings.number("groove_radius");
  const auto size = geometry.settings.numbers("size");
  for (std::size_t k = 0; k < size.size() && k < D; ++k) shape.half[static_cast<Eigen::Index>(k)] = size[k] / 2;
  if (kind == ShapeKind::slot) {
    const double width = geometry.settings.number("width");
    shape.half[0] = width / 2;
    shape.half[1] = (D == 2 ? width : geometry.settings.number("height", width)) / 2;
  }
  return shape;
}

template <int D>
Touch touch_in(const Geometry& first, const Geometry& second) {
  const auto kind_a = find_shape_kind(first.shape), kind_b = find_shape_kind(second.shape);
  if (!kind_a || !kind_b) return {};
  const PairDescription<D>* pair = find_pair<D>(*kind_a, *kind_b);
  const bool swapped = !pair;
  if (swapped) pair = find_pair<D>(*kind_b, *kind_a);
  if (!pair) return {};
  Touch touch;
  touch.possible = true;
  // The radius of a profile depends on the point.
  if (pair->a == ShapeKind::profile || pair->b == ShapeKind::profile) return touch;
  const Shape<D> a = swapped ? shape_of<D>(second, *kind_b) : shape_of<D>(first, *kind_a);
  const Shape<D> b = swapped ? shape_of<D>(first, *kind_a) : shape_of<D>(second, *kind_b);
  touch.effective_radius = patch_of(*pair, a, b).effective_radius;
  if (pair->clearance) touch.clearance = pair->clearance(a, b);
  return touch;
}

template <int D>
std::vector<std::string> partners_of(ShapeKind kind) {
  std::set<std::string> names;
  for (const PairDescription<D>& pair : pair_catalogue<D>()) {
    if (pair.a == kind) names.insert(name_of(pair.b));
    if (pair.b == kind) names.insert(name_of(pair.a));
  }
  return {names.begin(), names.end()};
}

}  // namespace

std::optional<ShapeKind> find_shape_kind(const std::string& name) {
  for (const ShapeKind kind : all_kinds) {
    if (name == name_of(kind)) return kind;
  }
  return std::nullopt;
}

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

}  // namespace carom
