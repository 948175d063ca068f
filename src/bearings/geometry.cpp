#include "bearings/geometry.h"

#include <algorithm>
#include <cmath>

#include "bearings/designations.h"
#include "contact_laws/stiffness.h"

namespace carom::inline bearings {
namespace {

template <class Choice>
Choice choice_of(const Settings& settings, const std::string& key, Choice fallback) {
  return find_named<Choice>(settings.text(key)).value_or(fallback);
}

double usual_angle(BearingType type) {
  switch (type) {
    case BearingType::four_point:
      return 35 * M_PI / 180;
    case BearingType::thrust_ball:
      return M_PI / 2;
    default:
      return 0;
  }
}

const Material* material_of(const Model& model, const std::string& name) {
  const auto found = std::find_if(model.materials.begin(), model.materials.end(),
                                  [&](const Material& each) { return each.name == name; });
  return found == model.materials.end() ? nullptr : &*found;
}

// One number for both races, or two: inner, outer.
std::array<double, 2> pair_of(const std::vector<double>& numbers, double factor) {
  if (numbers.empty()) return {};
  return {factor * numbers.front(), factor * numbers.back()};
}

void place_rows(const Settings& settings, RollingGeometry& geometry) {
  const int count = std::max(1, static_cast<int>(settings.number("rows", 1)));
  const double distance = settings.number("row_distance");
  const auto arrangement = choice_of(settings, "arrangement", BearingArrangement::tandem);
  for (int k = 0; k < count; ++k) {
    BearingRow row{.position = (k - (count - 1) / 2.0) * distance};
    const bool upper = 2 * k >= count;
    // Lines of contact that spread meet the axis outside of the rows: the lower row holds what pushes upwards.
    if (arrangement == BearingArrangement::back_to_back) row.direction = upper ? -1 : 1;
    if (arrangement == BearingArrangement::face_to_face) row.direction = upper ? 1 : -1;
    geometry.rows.push_back(row);
  }
}

void shape_rollers(const Settings& settings, const DesignatedBearing& known, RollingGeometry& geometry) {
  geometry.element_diameter = settings.number("roller_diameter", known.element_diameter);
  geometry.elements = static_cast<int>(settings.number("rollers", known.elements));
  geometry.length = settings.number("roller_length", known.length);
  geometry.profile = choice_of(settings, "profile", RollerProfile::logarithmic);
  // ISO/TS 16281: P(x) = 0.00035 D_w ln(1/(1 − (2x/L)²)).
  const double usual = geometry.profile == RollerProfile::logarithmic ? 0.00035 * geometry.element_diameter : 0;
  geometry.crowning = settings.number("crowning", usual);
  geometry.slices = static_cast<int>(settings.number("slices", 31));
  geometry.ribs = choice_of(settings, "ribs", known.ribs);
  geometry.rib_clearance = settings.number("rib_clearance");
}

void shape_balls(const Settings& settings, const DesignatedBearing& known, RollingGeometry& geometry) {
  const double diameter = settings.number("ball_diameter", known.element_diameter);
  geometry.element_diameter = diameter;
  geometry.elements = static_cast<int>(settings.number("balls", known.elements));
  geometry.groove_radius = {known.inner_conformity * diameter, known.outer_conformity * diameter};
  if (settings.has("groove_radius")) geometry.groove_radius = pair_of(settings.numbers("groove_radius"), 1);
  if (settings.has("conformity")) geometry.groove_radius = pair_of(settings.numbers("conformity"), diameter);
}

void weigh(const Settings& settings, const Material* material, RollingGeometry& geometry) {
  const double radius = geometry.element_diameter / 2, density = material ? material->density : 0;
  const double volume =
      geometry.balls() ? 4.0 / 3 * M_PI * radius * radius * radius : M_PI * radius * radius * geometry.length;
  geometry.mass = settings.number("ball_mass", volume * density);
  geometry.inertia = settings.number("ball_inertia", (geometry.balls() ? 0.4 : 0.5) * geometry.mass * radius * radius);
}

}  // namespace

RollingGeometry stated_geometry(const Settings& settings) {
  const std::optional<DesignatedBearing> found = find_designation(settings.text("designation"));
  const DesignatedBearing known = found.value_or(DesignatedBearing{});
  RollingGeometry geometry;
  geometry.estimated = found.has_value();
  geometry.type = choice_of(settings, "type", known.type);
  geometry.pitch_diameter = settings.number("pitch_diameter", known.pitch_diameter);
  geometry.contact_angle = settings.number("contact_angle", found ? known.contact_angle : usual_angle(geometry.type));
  geometry.clearance =
      settings.has("diametric_clearance") ? settings.number("diametric_clearance") / 2 : settings.number("clearance");
  geometry.preload = settings.number("preload");
  geometry.preload_displacement = settings.number("preload_displacement");
  place_rows(settings, geometry);
  if (geometry.balls()) {
    shape_balls(settings, known, geometry);
  } else {
    shape_rollers(settings, known, geometry);
  }
  return geometry;
}

RollingGeometry rolling_geometry(const Model& model, const BearingModel& bearing) {
  const Settings& settings = bearing.element.settings;
  RollingGeometry geometry = stated_geometry(settings);
  geometry.first_angle = bearing.first_angle;
  const Material* races = material_of(model, settings.text("material"));
  const Material* elements = material_of(model, settings.text("ball_material", settings.text("material")));
  if (races && elements) {
    geometry.composite_modulus.fill(
        contact_laws::composite_modulus(races->young, races->poisson, elements->young, elements->poisson));
    geometry.poisson = races->poisson;
  }
  // As wide a contact as a fourth of the roller, on either ring.
  const double modulus = 2 / (1 / geometry.composite_modulus[0] + 1 / geometry.composite_modulus[1]);
  if (geometry.has_ribs())
    geometry.rib_stiffness = settings.number("rib_stiffness", modulus * geometry.element_diameter / 8);
  weigh(settings, elements, geometry);
  return geometry;
}

double RollingGeometry::half_taper() const {
  if (type != BearingType::tapered_roller) return 0;
  double half = 0;
  for (int k = 0; k < 30; ++k) half = std::atan(element_diameter * std::sin(contact_angle - half) / pitch_diameter);
  return half;
}

}  // namespace carom::inline bearings
