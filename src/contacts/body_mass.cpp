#include "contacts/body_mass.h"

#include <algorithm>
#include <cmath>

#include "contact_geometry/inside.h"
#include "contact_geometry/separation.h"
#include "contact_geometry/shape_description.h"
#include "contacts/shape_of.h"

namespace carom::inline contacts {
namespace {

// A shape that has a volume.
template <int D>
struct Solid {
  std::size_t number;  // of the geometry
  Shape<D> shape;      // placed from the origin of the body
  MassProperties unit;
  double density;  // kg/m³; in the plane kg/m²
  bool hole;
};

// Points that fill a box evenly (Halton), the same ones every time.
double halton(int index, int base) {
  double result = 0, part = 1;
  for (; index > 0; index /= base) {
    part /= base;
    result += part * (index % base);
  }
  return result;
}

// Half edges of a box about the position, along the axes of the shape, that holds it.
template <int D>
VectorOf<D> half_box(const Shape<D>& shape) {
  VectorOf<D> half = VectorOf<D>::Constant(shape.bounding_radius());
  if (shape.kind == ShapeKind::bore) half << VectorOf<D>::Constant(shape.radius);
  if (shape.kind == ShapeKind::bore) half[D - 1] = shape.length / 2;
  if (description_of<D>(shape.kind).form != ShapeForm::convex) return half;
  Shape<D> alone = shape;
  alone.position.setZero();
  alone.orientation = {};
  for (int k = 0; k < D; ++k) {
    const VectorOf<D> axis = VectorOf<D>::Unit(k);
    half[k] = std::max(-lowest_along<D>(alone, {}, axis), -lowest_along<D>(alone, {}, VectorOf<D>(-axis)));
  }
  return half;
}

// Points inside the shape, in body axes; none where that is not known.
template <int D>
std::vector<VectorOf<D>> points_inside(const Solid<D>& solid) {
  constexpr int wanted = 1000, most = 60000;
  const VectorOf<D> half = half_box(solid.shape);
  const double box = std::pow(2, D) * half.prod();
  const int count = static_cast<int>(std::min<double>(most, wanted * box / solid.unit.volume));
  std::vector<VectorOf<D>> points;
  for (int k = 1; k <= count; ++k) {
    VectorOf<D> local;
    for (int axis = 0; axis < D; ++axis)
      local[axis] = (2 * halton(k, axis == 0 ? 2 : axis == 1 ? 3 : 5) - 1) * half[axis];
    const auto inside = is_inside<D>(solid.shape, local);
    if (!inside) return {};
    if (*inside) points.push_back(solid.shape.position + solid.shape.orientation * local);
  }
  return points;
}

template <int D>
bool holds(const Solid<D>& solid, const VectorOf<D>& point) {
  const VectorOf<D> away = point - solid.shape.position;
  if (away.norm() > solid.shape.bounding_radius()) return false;
  return is_inside<D>(solid.shape, VectorOf<D>(solid.shape.orientation.back(away))).value_or(false);
}

template <int D>
bool may_overlap(const Solid<D>& one, const Solid<D>& two) {
  const double reach = one.shape.bounding_radius() + two.shape.bounding_radius();
  return !one.hole && !two.hole && (one.shape.position - two.shape.position).norm() < reach;
}

template <int D>
void find_overlaps(const std::vector<Solid<D>>& solids, BodyMass& result) {
  constexpr double least_share = 0.003;  // of points: fewer may lie on a common border
  for (std::size_t k = 0; k < solids.size(); ++k) {
    std::vector<VectorOf<D>> points;  // in the smaller of two, which is looked at
    bool sampled = false;
    for (std::size_t i = 0; i < solids.size(); ++i) {
      const double here = solids[k].unit.volume, there = solids[i].unit.volume;
      const bool larger = there > here || (there == here && i > k);
      if (i == k || !larger || !may_overlap(solids[k], solids[i])) continue;
      if (!sampled) points = points_inside(solids[k]);
      sampled = true;
      const auto inside =
          std::count_if(points.begin(), points.end(), [&](const auto& point) { return holds(solids[i], point); });
      const double share = points.empty() ? 0 : static_cast<double>(inside) / static_cast<double>(points.size());
      if (share >= least_share) result.overlaps.push_back({solids[k].number, solids[i].number, share});
    }
  }
}

// Whether a hole lies in material, so that it can be taken away.
template <int D>
bool lies_in_material(const Solid<D>& hole, const std::vector<Solid<D>>& solids, BodyMass& result) {
  constexpr double nearly_all = 0.997;  // some points may lie on its border
  const auto points = points_inside(hole);
  const auto inside = std::count_if(points.begin(), points.end(), [&](const auto& point) {
    return std::any_of(solids.begin(), solids.end(),
                       [&](const auto& each) { return !each.hole && holds(each, point); });
  });
  const double share = points.empty() ? 0 : static_cast<double>(inside) / static_cast<double>(points.size());
  if (share >= nearly_all) return true;
  result.loose_holes.push_back({hole.number, hole.number, share});
  return false;
}

template <int D>
std::vector<Solid<D>> solids_of(const BodyModel& body, const std::vector<Material>& materials, BodyMass& result) {
  BodyModel origin;  // places count from the origin of the body
  origin.name = body.name;
  std::vector<Solid<D>> solids;
  for (std::size_t k = 0; k < body.geometry.size(); ++k) {
    const Geometry& geometry = body.geometry[k];
    const double density = density_of(body, geometry, materials).value_or(0);
    const auto* description = find_shape<D>(geometry.shape);
    if (density == 0 || !description) continue;
    const bool hole = is_hole(description->form);
    if (!description->mass) {
      if (hole && geometry.shape != "plane") result.endless_holes.push_back(k);
      continue;
    }
    const Shape<D> shape = placed_shape<D>(geometry, description->kind, origin, 0);
    const double depth = D == 2 ? depth_of(body, geometry) : 1;
    solids.push_back({k, shape, description->mass(shape), density * depth, hole});
  }
  return solids;
}

template <int D>
BodyMass sum_up(const BodyModel& body, const std::vector<Material>& materials) {
  BodyMass result;
  const auto solids = solids_of<D>(body, materials, result);
  find_overlaps(solids, result);
  Eigen::Vector3d moment = Eigen::Vector3d::Zero();
  Eigen::Matrix3d about_origin = Eigen::Matrix3d::Zero();
  const auto shifted = [](double mass, const Eigen::Vector3d& by) -> Eigen::Matrix3d {
    return mass * (by.squaredNorm() * Eigen::Matrix3d::Identity() - by * by.transpose());
  };
  for (const Solid<D>& solid : solids) {
    if (solid.hole && !lies_in_material(solid, solids, result)) continue;
    const Geometry& geometry = body.geometry[solid.number];
    const double density = solid.hole ? -solid.density : solid.density, mass = density * solid.unit.volume;
    const Eigen::Matrix3d turn = geometry.orientation.toRotationMatrix();
    const Eigen::Vector3d centre = geometry.position + turn * solid.unit.centre;
    result.mass += mass;
    moment += mass * centre;
    about_origin += density * turn * solid.unit.inertia * turn.transpose() + shifted(mass, centre);
  }
  if (result.mass > 0) result.centre = moment / result.mass;
  result.inertia = about_origin - shifted(result.mass, result.centre);
  result.inertia = (0.5 * (result.inertia + result.inertia.transpose())).eval();
  return result;
}

}  // namespace

std::optional<double> density_of(const BodyModel& body, const Geometry& geometry,
                                 const std::vector<Material>& materials) {
  if (geometry.settings.has("density")) return geometry.settings.number("density");
  if (geometry.visual) return 0;
  if (body.density > 0) return body.density;
  for (const Material& material : materials) {
    if (material.name == geometry.material && material.density > 0) return material.density;
  }
  return std::nullopt;
}

double depth_of(const BodyModel& body, const Geometry& geometry) {
  if (geometry.settings.has("thickness")) return geometry.settings.number("thickness");
  const auto size = geometry.settings.numbers("size");
  return geometry.shape == "box" && size.size() == 3 ? size[2] : body.thickness;
}

BodyMass mass_of_shapes(const BodyModel& body, const std::vector<Material>& materials, bool planar) {
  return planar ? sum_up<2>(body, materials) : sum_up<3>(body, materials);
}

}  // namespace carom::inline contacts
