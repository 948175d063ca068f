#include "bearings/designations.h"

#include <array>
#include <cmath>

#include <fmt/format.h>

namespace carom::inline bearings {
namespace {

struct Boundary {
  double bore = 0, outer = 0, width = 0;  // mm; no bore: the size is not made
};

// Sizes 00, 01, … 20.
using Sizes = std::array<Boundary, 21>;

constexpr Sizes series_10 = {{{10, 26, 8},   {12, 28, 8},   {15, 32, 9},   {17, 35, 10},  {20, 42, 12},  {25, 47, 12},
                              {30, 55, 13},  {35, 62, 14},  {40, 68, 15},  {45, 75, 16},  {50, 80, 16},  {55, 90, 18},
                              {60, 95, 18},  {65, 100, 18}, {70, 110, 20}, {75, 115, 20}, {80, 125, 22}, {85, 130, 22},
                              {90, 140, 24}, {95, 145, 24}, {100, 150, 24}}};
constexpr Sizes series_02 = {{{10, 30, 9},   {12, 32, 10},  {15, 35, 11},  {17, 40, 12},  {20, 47, 14},  {25, 52, 15},
                              {30, 62, 16},  {35, 72, 17},  {40, 80, 18},  {45, 85, 19},  {50, 90, 20},  {55, 100, 21},
                              {60, 110, 22}, {65, 120, 23}, {70, 125, 24}, {75, 130, 25}, {80, 140, 26}, {85, 150, 28},
                              {90, 160, 30}, {95, 170, 32}, {100, 180, 34}}};
constexpr Sizes series_03 = {{{10, 35, 11},  {12, 37, 12},  {15, 42, 13},  {17, 47, 14},  {20, 52, 15},  {25, 62, 17},
                              {30, 72, 19},  {35, 80, 21},  {40, 90, 23},  {45, 100, 25}, {50, 110, 27}, {55, 120, 29},
                              {60, 130, 31}, {65, 140, 33}, {70, 150, 35}, {75, 160, 37}, {80, 170, 39}, {85, 180, 41},
                              {90, 190, 43}, {95, 200, 45}, {100, 215, 47}}};
// Tapered: the width is T, of cone and cup together.
constexpr Sizes tapered_02 = {{{},
                               {},
                               {},
                               {17, 40, 13.25},
                               {20, 47, 15.25},
                               {25, 52, 16.25},
                               {30, 62, 17.25},
                               {35, 72, 18.25},
                               {40, 80, 19.75},
                               {45, 85, 20.75},
                               {50, 90, 21.75},
                               {55, 100, 22.75},
                               {60, 110, 23.75},
                               {65, 120, 24.75},
                               {70, 125, 26.25},
                               {75, 130, 27.25},
                               {80, 140, 28.25},
                               {85, 150, 30.5},
                               {90, 160, 32.5},
                               {95, 170, 34.5},
                               {100, 180, 37}}};
constexpr Sizes thrust_11 = {{{10, 24, 9},
                              {12, 26, 9},
                              {15, 28, 9},
                              {17, 30, 9},
                              {20, 35, 10},
                              {25, 42, 11},
                              {30, 47, 11},
                              {35, 52, 12},
                              {40, 60, 13},
                              {45, 65, 14},
                              {50, 70, 14}}};

struct Series {
  std::string_view before, after;  // the two figures of the size
  BearingType type;
  const Sizes* sizes;
  double angle;  // degrees
};

constexpr std::array<Series, 25> all_series = {{{"60", "", BearingType::deep_groove, &series_10, 0},
                                                {"62", "", BearingType::deep_groove, &series_02, 0},
                                                {"63", "", BearingType::deep_groove, &series_03, 0},
                                                {"70", "C", BearingType::angular_contact, &series_10, 15},
                                                {"70", "AC", BearingType::angular_contact, &series_10, 25},
                                                {"70", "B", BearingType::angular_contact, &series_10, 40},
                                                {"72", "C", BearingType::angular_contact, &series_02, 15},
                                                {"72", "AC", BearingType::angular_contact, &series_02, 25},
                                                {"72", "B", BearingType::angular_contact, &series_02, 40},
                                                {"73", "AC", BearingType::angular_contact, &series_03, 25},
                                                {"73", "B", BearingType::angular_contact, &series_03, 40},
                                                {"N10", "", BearingType::cylindrical_roller, &series_10, 0},
                                                {"NU10", "", BearingType::cylindrical_roller, &series_10, 0},
                                                {"N2", "", BearingType::cylindrical_roller, &series_02, 0},
                                                {"NU2", "", BearingType::cylindrical_roller, &series_02, 0},
                                                {"N3", "", BearingType::cylindrical_roller, &series_03, 0},
                                                {"NU3", "", BearingType::cylindrical_roller, &series_03, 0},
                                                {"NJ10", "", BearingType::cylindrical_roller, &series_10, 0},
                                                {"NJ2", "", BearingType::cylindrical_roller, &series_02, 0},
                                                {"NJ3", "", BearingType::cylindrical_roller, &series_03, 0},
                                                {"NUP10", "", BearingType::cylindrical_roller, &series_10, 0},
                                                {"NUP2", "", BearingType::cylindrical_roller, &series_02, 0},
                                                {"NUP3", "", BearingType::cylindrical_roller, &series_03, 0},
                                                {"302", "", BearingType::tapered_roller, &tapered_02, 14},
                                                {"511", "", BearingType::thrust_ball, &thrust_11, 90}}};

// So many elements fill a share of the circle.
int filling(double share, double diameter, double pitch) {
  return static_cast<int>(std::floor(share * M_PI / std::asin(diameter / pitch)));
}

DesignatedBearing estimated(const Series& series, const Boundary& size) {
  constexpr double mm = 1e-3;
  DesignatedBearing found{.type = series.type,
                          .bore = size.bore * mm,
                          .outer = size.outer * mm,
                          .width = size.width * mm,
                          .pitch_diameter = (size.bore + size.outer) / 2 * mm,
                          .contact_angle = series.angle * M_PI / 180};
  const double height = (size.outer - size.bore) / 2 * mm, pitch = found.pitch_diameter;
  double& diameter = found.element_diameter;
  found.inner_conformity = 0.52, found.outer_conformity = 0.53;
  switch (series.type) {
    case BearingType::deep_groove:
      diameter = 0.588 * height;
      found.elements = 1 + static_cast<int>(std::floor(197 * M_PI / 180 / (2 * std::asin(diameter / pitch))));
      break;
    case BearingType::cylindrical_roller:
      diameter = found.length = 0.56 * height;
      found.elements = filling(0.85, diameter, pitch);
      found.ribs = series.before.starts_with("NJ")    ? BearingRibs::along
                   : series.before.starts_with("NUP") ? BearingRibs::both
                                                      : BearingRibs::none;
      break;
    case BearingType::tapered_roller:
      diameter = 0.47 * height, found.length = 0.65 * found.width;
      found.elements = filling(0.9, diameter, pitch);
      break;
    case BearingType::thrust_ball:
      diameter = 0.62 * (found.width - height / 5);
      found.elements = filling(0.85, diameter, pitch);
      found.inner_conformity = found.outer_conformity = 0.535;
      break;
    default:
      diameter = 0.58 * height;
      found.elements = filling(0.85, diameter, pitch);
  }
  return found;
}

}  // namespace

std::optional<DesignatedBearing> find_designation(std::string_view designation) {
  const auto figure = [](char c) { return c >= '0' && c <= '9'; };
  for (const Series& series : all_series) {
    const std::size_t places = series.before.size() + 2;
    if (designation.size() != places + series.after.size() || !designation.starts_with(series.before) ||
        !designation.ends_with(series.after))
      continue;
    const char tens = designation[places - 2], units = designation[places - 1];
    if (!figure(tens) || !figure(units)) continue;
    const std::size_t size = 10 * (tens - '0') + (units - '0');
    if (size < series.sizes->size() && (*series.sizes)[size].bore > 0) return estimated(series, (*series.sizes)[size]);
  }
  return std::nullopt;
}

std::vector<std::string> all_designations() {
  std::vector<std::string> all;
  for (const Series& series : all_series) {
    for (std::size_t size = 0; size < series.sizes->size(); ++size) {
      if ((*series.sizes)[size].bore > 0) all.push_back(fmt::format("{}{:02}{}", series.before, size, series.after));
    }
  }
  return all;
}

std::string known_designations() {
  return "60xx, 62xx or 63xx, 70xx or 72xx with C, AC or B, 73xx with AC or B, 2xx, 3xx or 10xx behind N, NU, NJ or "
         "NUP, "
         "302xx, 511xx, with xx from 00 (302: 03) to 20 (511: 10)";
}

}  // namespace carom::inline bearings
