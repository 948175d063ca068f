#include "durability/rolling_life.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "base/problem.h"

namespace carom::inline durability {
namespace {

constexpr double mm = 1e-3;

double ratio_of(const RollingGeometry& geometry) {
  const double angle = geometry.type == BearingType::thrust_ball ? 0 : geometry.contact_angle;
  return geometry.element_diameter * std::cos(angle) / geometry.pitch_diameter;
}

// Σ ratios of (rating/load)^−exponent, which add up, into a life in millions.
double summed_life(double sum, double exponent) {
  return sum > 0 ? 1e6 * std::pow(sum, -exponent) : std::numeric_limits<double>::infinity();
}

double groove_term(const RollingGeometry& geometry) {
  const double inner = geometry.groove_radius[0], outer = geometry.groove_radius[1], ball = geometry.element_diameter;
  return std::pow(inner / outer * (2 * outer - ball) / (2 * inner - ball), 0.41);
}

RowRating rating_of_balls(const RollingGeometry& geometry) {
  const double ratio = ratio_of(geometry), count = geometry.elements;
  const double way = std::pow((1 - ratio) / (1 + ratio), 1.72) * groove_term(geometry);
  RowRating rating;
  if (geometry.type == BearingType::thrust_ball) {
    // ISO 281, thrust ball bearings with α = 90°: f_c with λη = 0.6, both races alike, b_m = 1.3.
    const double tightness =
        2 * geometry.groove_radius[0] / (2 * geometry.groove_radius[0] - geometry.element_diameter);
    const double diameter = geometry.element_diameter / mm;
    const double factor = 98.0665 * 0.6 * std::pow(ratio, 0.3) * std::pow(tightness, 0.41) *
                          std::pow(1 + std::pow(groove_term(geometry), 10.0 / 3), -0.3);
    const double size = diameter <= 25.4 ? std::pow(diameter, 1.8) : 3.647 * std::pow(diameter, 1.4);
    rating.dynamic = 1.3 * factor * std::pow(count, 2.0 / 3) * size;
    const double t = groove_term(geometry);
    rating.element = {rating.dynamic / count * std::pow(1 + std::pow(t, 10.0 / 3), 0.3),
                      rating.dynamic / count * std::pow(1 + std::pow(t, -10.0 / 3), 0.3)};
    return rating;
  }
  const BallBearing row{.balls = geometry.elements,
                        .ball_diameter = geometry.element_diameter,
                        .pitch_diameter = geometry.pitch_diameter,
                        .contact_angle = geometry.contact_angle,
                        .inner_groove_radius = geometry.groove_radius[0],
                        .outer_groove_radius = geometry.groove_radius[1]};
  rating.dynamic = dynamic_load_rating(row);
  const double share = rating.dynamic / (count * std::cos(geometry.contact_angle)), t = 1.044 * way;
  rating.element = {share / 0.407 * std::pow(1 + std::pow(t, 10.0 / 3), 0.3),
                    share / 0.389 * std::pow(1 + std::pow(t, -10.0 / 3), 0.3)};
  return rating;
}

// ISO 281, radial roller bearings: C = b_m f_c (L cos α)^(7/9) Z^(3/4) D^(29/27), with λν = 0.83 in f_c and b_m = 1.1.
RowRating rating_of_rollers(const RollingGeometry& geometry) {
  const double ratio = ratio_of(geometry), count = geometry.elements, cosine = std::cos(geometry.contact_angle);
  const double way = std::pow((1 - ratio) / (1 + ratio), 143.0 / 108);
  const double factor = 207.9 * 0.83 * std::pow(ratio, 2.0 / 9) * std::pow(1 - ratio, 29.0 / 27) /
                        std::pow(1 + ratio, 0.25) * std::pow(1 + std::pow(1.04 * way, 4.5), -2.0 / 9);
  RowRating rating;
  rating.dynamic = 1.1 * factor * std::pow(geometry.length / mm * cosine, 7.0 / 9) * std::pow(count, 0.75) *
                   std::pow(geometry.element_diameter / mm, 29.0 / 27);
  const double share = rating.dynamic / (0.83 * count * cosine), t = 1.038 * way;
  rating.element = {share / 0.378 * std::pow(1 + std::pow(t, 4.5), 2.0 / 9),
                    share / 0.364 * std::pow(1 + std::pow(t, -4.5), 2.0 / 9)};
  return rating;
}

// Loads of one row on its races, with what a load counts.
double damage_of_balls(const QuasiStaticBearing& bearing, int row, const RowRating& rating, const RingPlace& place,
                       const RingSpeeds& speeds) {
  const int count = bearing.geometry().elements;
  double inner = 0, outer = 0;
  for (int k = 0; k < count; ++k) {
    const ElementResult ball = bearing.element(row * count + k, place, speeds);
    inner += std::pow(ball.inner_load / rating.element[0], 3.0) / count;
    outer += std::pow(ball.outer_load / rating.element[1], 10.0 / 3) / count;
  }
  return std::pow(inner, 10.0 / 9) + outer;
}

double damage_of_rollers(const QuasiStaticBearing& bearing, int row, const RowRating& rating, const RingPlace& place,
                         const RingSpeeds& speeds) {
  const int count = bearing.geometry().elements, slices = bearing.geometry().slices;
  const double share = std::pow(slices, -7.0 / 9);
  std::vector<double> inner(slices), outer(slices), inner_sum(slices), outer_sum(slices);
  for (int k = 0; k < count; ++k) {
    slice_loads(bearing.rollers(), bearing.numbers(row * count + k, place), speeds, inner.data(), outer.data());
    for (int s = 0; s < slices; ++s) {
      // Of the middle slice the logarithm is −∞: no riser.
      const double off = slices > 1 ? std::abs(2.0 * (s + 1) - slices - 1) / (2.0 * slices - 2) : 0;
      const double riser = off > 0 ? 1 - 0.01 / std::log(1.985 * off) : 1;
      inner_sum[s] += std::pow(riser * inner[s] / (share * rating.element[0]), 4.0) / count;
      outer_sum[s] += std::pow(riser * outer[s] / (share * rating.element[1]), 4.5) / count;
    }
  }
  double sum = 0;
  for (int s = 0; s < slices; ++s) sum += std::pow(inner_sum[s], 9.0 / 8) + outer_sum[s];
  return sum;
}

}  // namespace

RowRating row_rating(const RollingGeometry& geometry) {
  return geometry.balls() ? rating_of_balls(geometry) : rating_of_rollers(geometry);
}

double dynamic_rating(const RollingGeometry& geometry) {
  const auto rows = static_cast<double>(geometry.rows.size());
  return std::pow(rows, geometry.balls() ? 0.7 : 7.0 / 9) * row_rating(geometry).dynamic;
}

double static_rating(const RollingGeometry& geometry) {
  const double count = geometry.elements * static_cast<double>(geometry.rows.size()),
               cosine = std::cos(geometry.contact_angle);
  if (!geometry.balls())
    return 44 * (1 - ratio_of(geometry)) * count * geometry.length / mm * geometry.element_diameter / mm * cosine;
  const ContactFigures figures(geometry);
  // p grows as Q^(1/3).
  const double pressure = std::max(figures.figure(0, 1).pressure, figures.figure(1, 1).pressure);
  const double ball = std::pow(4.2e9 / pressure, 3);
  return geometry.type == BearingType::thrust_ball ? count * ball : count * cosine * ball / 5;
}

ReferenceLife reference_life(const QuasiStaticBearing& bearing, const RingPlace& place, const RingSpeeds& speeds) {
  const RollingGeometry& geometry = bearing.geometry();
  const RowRating rating = row_rating(geometry);
  // (Σ …)^(−9/10) of balls, ^(−8/9) of rollers; rows add up in the same way.
  double sum = 0;
  for (std::size_t row = 0; row < geometry.rows.size(); ++row) {
    const int number = static_cast<int>(row);
    sum += geometry.balls() ? damage_of_balls(bearing, number, rating, place, speeds)
                            : damage_of_rollers(bearing, number, rating, place, speeds);
  }
  ReferenceLife life;
  life.revolutions = summed_life(sum, geometry.balls() ? 0.9 : 8.0 / 9);
  const ContactFigures figures(geometry);
  for (int k = 0; k < bearing.count(); ++k) {
    const ElementResult element = bearing.element(k, place, speeds);
    life.max_pressure = std::max(life.max_pressure, figures.worse(bearing, k, place, speeds, element).pressure);
  }
  const double permissible = geometry.balls() ? 4.2e9 : 4.0e9;
  life.static_safety = life.max_pressure > 0 ? std::pow(permissible / life.max_pressure, geometry.balls() ? 3 : 2)
                                             : std::numeric_limits<double>::infinity();
  return life;
}

RecordedLife recorded_life(const ResultReader& result, const Model& model, const std::string& name, double from,
                           double to) {
  const auto found = std::find_if(model.bearings.begin(), model.bearings.end(),
                                  [&](const BearingModel& each) { return each.element.name == name; });
  if (found == model.bearings.end() || !found->is_element)
    refuse("QUANTITY", "bearing:" + name, "a rolling bearing in space with quasi-static detail",
           "of others, count the load: bearing:NAME.fx bearing:NAME.fy");
  const QuasiStaticBearing bearing(rolling_geometry(model, *found));
  std::vector<std::vector<double>> columns;
  for (const std::string quantity : {"dx", "dy", "dz", "tilt_x", "tilt_y", "spin", "outer_speed"})
    columns.push_back(result.column("bearing:" + name + "." + quantity));
  const std::vector<double> all = result.times();
  std::vector<std::size_t> chosen;
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (all[k] >= from && all[k] <= to) chosen.push_back(k);
  }
  if (chosen.empty())
    throw ResultError(fmt::format("{} has no samples between the times asked for", result.path().string()));
  RecordedLife life{.geometry = bearing.geometry(), .rating = dynamic_rating(bearing.geometry())};
  life.samples = chosen.size();
  life.static_safety = std::numeric_limits<double>::infinity();
  double turned = 0, worn = 0, span = 0, worn_by_time = 0;
  for (std::size_t at = 0; at < chosen.size(); ++at) {
    const std::size_t k = chosen[at];
    RingPlace place;
    // The axis leans by (tilt_y, −tilt_x).
    place << columns[0][k], columns[1][k], columns[2][k], columns[4][k], -columns[3][k];
    const RingSpeeds speeds{.outer = columns[6][k], .spin = columns[5][k]};
    const ReferenceLife here = reference_life(bearing, place, speeds);
    life.max_pressure = std::max(life.max_pressure, here.max_pressure);
    life.static_safety = std::min(life.static_safety, here.static_safety);
    // Trapezoids; a single sample stands for itself.
    const double before = at > 0 ? all[k] - all[chosen[at - 1]] : 0,
                 after = at + 1 < chosen.size() ? all[chosen[at + 1]] - all[k] : 0;
    const double weight = before + after > 0 ? (before + after) / 2 : 1, turns = weight * std::abs(speeds.spin);
    span += weight, turned += turns;
    worn += turns / here.revolutions, worn_by_time += weight / here.revolutions;
  }
  life.speed = turned / span;
  const double worn_share = turned > 0 ? worn / turned : worn_by_time / span;
  life.revolutions = worn_share > 0 ? 1 / worn_share : std::numeric_limits<double>::infinity();
  return life;
}

}  // namespace carom::inline durability
