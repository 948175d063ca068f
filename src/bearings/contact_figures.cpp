#include "bearings/contact_figures.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace carom::inline bearings {

ContactFigures::ContactFigures(const RollingGeometry& geometry)
    : modulus_(geometry.composite_modulus), length_(geometry.length) {
  const double cosine = std::cos(geometry.contact_angle), element = geometry.element_diameter / 2,
               pitch = geometry.pitch_diameter / 2;
  for (int race = 0; race < 2; ++race) {
    const double side = race == 0 ? 1 : -1;
    const double curvature = side * cosine / (pitch - side * element * cosine);  // of the race along the way, 1/m
    if (!geometry.balls()) {
      radius_[race] = 1 / (1 / element + curvature);
    } else {
      const double along = std::abs(curvature) > 1e-9 ? 1 / curvature : std::numeric_limits<double>::infinity();
      ellipse_[race] = elliptic_contact({element, element}, {-geometry.groove_radius[race], along}, 0);
    }
  }
  for (int race = 0; race < 2; ++race) {
    if (!(modulus_[race] > 0)) continue;
    const ContactFigure of_a_newton = figure(race, 1);
    shear_share_[race] = summary_of(of_a_newton, geometry.poisson).shear / of_a_newton.pressure;
  }
  if (geometry.balls()) return;
  slice_ = geometry.length / geometry.slices;
  inner_.resize(geometry.slices), outer_.resize(geometry.slices);
}

ContactFigure ContactFigures::figure(int race, double load) const {
  if (!(load > 0)) return {};
  if (ellipse_[race]) {
    const HertzPatch patch = point_contact_patch(*ellipse_[race], load, modulus_[race]);
    return {patch.max_pressure, patch.major_half_axis, patch.minor_half_axis, false, race};
  }
  const HertzPatch patch = line_contact_patch(radius_[race], load, modulus_[race]);
  return {patch.max_pressure, length_ / 2, patch.minor_half_axis, true, race};
}

ContactFigure ContactFigures::worse(const QuasiStaticBearing& bearing, int index, const RingPlace& place,
                                    const RingSpeeds& speeds, const ElementResult& element) const {
  double inner = element.inner_load, outer = element.outer_load;
  if (!inner_.empty()) {
    slice_loads(bearing.rollers(), bearing.numbers(index, place), speeds, inner_.data(), outer_.data());
    inner = *std::max_element(inner_.begin(), inner_.end()) / slice_;
    outer = *std::max_element(outer_.begin(), outer_.end()) / slice_;
  }
  const ContactFigure first = figure(0, inner), second = figure(1, outer);
  return first.pressure >= second.pressure ? first : second;
}

StressSummary summary_of(const ContactFigure& figure, double poisson) {
  if (!(figure.pressure > 0)) return {};
  const double major = figure.line ? std::numeric_limits<double>::infinity() : figure.major_axis;
  const HertzPatch patch{.major_half_axis = major,
                         .minor_half_axis = figure.minor_axis,
                         .max_pressure = figure.pressure,
                         .mean_pressure = 0};
  const StressMaxima maxima = stress_maxima(patch, poisson);
  return {maxima.shear.value, maxima.shear.depth, orthogonal_shear(patch).value};
}

}  // namespace carom::inline bearings
