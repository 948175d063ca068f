#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/nearest_name.h"
#include "bearings/designations.h"
#include "bearings/geometry.h"
#include "bearings/quasi_static.h"
#include "model_io/field_tables.h"
#include "model_io/read_bearings.h"

// What a bearing in space needs, and whether its parts fit.
namespace carom::inline model_io {
namespace {

using Types = std::vector<BearingType>;

// Keys that only some types have.
struct KeyOfTypes {
  std::string_view name;
  Types types;
  bool needed = false;  // without a designation
};

const std::vector<KeyOfTypes>& keys_of_types() {
  using enum BearingType;
  static const Types balls = {deep_groove, angular_contact, four_point, thrust_ball},
                     rollers = {cylindrical_roller, tapered_roller, needle, spherical_roller};
  static const std::vector<KeyOfTypes> all = {
      {"balls", balls, true},
      {"ball_diameter", balls, true},
      {"groove_radius", balls},
      {"conformity", balls},
      {"rollers", rollers, true},
      {"roller_diameter", rollers, true},
      {"roller_length", rollers, true},
      {"profile", rollers},
      {"crowning", rollers},
      {"slices", rollers},
      {"ribs", {cylindrical_roller}},
      {"rib_clearance", {cylindrical_roller}},
      {"rib_stiffness", {cylindrical_roller}},
      {"contact_angle", {angular_contact, tapered_roller, spherical_roller}, true},
      {"clearance", {deep_groove, four_point, cylindrical_roller, needle, spherical_roller}},
      {"diametric_clearance", {deep_groove, four_point, cylindrical_roller, needle, spherical_roller}},
      {"preload", {deep_groove, angular_contact, thrust_ball, tapered_roller}},
      {"preload_displacement", {deep_groove, angular_contact, thrust_ball, tapered_roller}}};
  return all;
}

bool among(const Types& types, BearingType type) {
  return std::find(types.begin(), types.end(), type) != types.end();
}

std::string names_of_types(const Types& types) {
  std::vector<std::string> names;
  for (const BearingType type : types) names.push_back(name_of(type));
  return alternatives(names);
}

// By how much rings can be pushed together at the most: far beyond what any material bears.
double most_pressing(const RollingGeometry& geometry) {
  return geometry.element_diameter / 40;
}

// "did you mean `6209`? Else ", or nothing.
std::string nearest_designation(const std::string& wrong) {
  const std::string nearest = did_you_mean(wrong, all_designations());
  return nearest.empty() ? "" : nearest + " Else ";
}

}  // namespace

void BearingReader::check_space(Request& request, const BearingModel& bearing) {
  const Settings& settings = bearing.element.settings;
  const std::string designation = settings.text("designation");
  if (!designation.empty() && !find_designation(designation)) {
    return complain(request, "designation",
                    {"\"" + designation + "\"", known_designations(),
                     nearest_designation(designation) +
                         "leave it out and give the dimensions: balls, ball_diameter, pitch_diameter, …"});
  }
  check_keys_in_space(request, bearing);
  if (request.sound) check_rows(request, settings);
  if (request.sound) check_inside(request, settings);
  if (request.sound) check_clearance(request, settings);
}

void BearingReader::miss(Request& request, const std::string& name, const std::string& instead) {
  const ParameterDescription& row = *find_row(bearing_fields().rows(), name);
  request.sound = false;
  reading_.complain(*request.table, request.key / name,
                    {"nothing", expected_text(row, model_.planar), "add the key `" + name + "`" + instead});
}

void BearingReader::check_keys_in_space(Request& request, const BearingModel& bearing) {
  const Settings& settings = bearing.element.settings;
  const bool designated = settings.has("designation");
  const BearingType type = stated_geometry(settings).type;
  if (designated && settings.has("type") && find_designation(settings.text("designation"))->type != type) {
    complain(
        request, "type",
        {name_of(type), "the type of the designation", "leave it out, or give dimensions instead of a designation"});
    return;
  }
  for (const KeyOfTypes& key : keys_of_types()) {
    const std::string name(key.name);
    const bool given = settings.has(name);
    if (given && !among(key.types, type)) {
      complain(
          request, name,
          {"a key of type " + names_of_types(key.types), "none with type = \"" + name_of(type) + "\"", "leave it out"});
    } else if (!given && key.needed && !designated && among(key.types, type)) {
      miss(request, name, ", or a `designation`");
    }
  }
  if (!settings.has("pitch_diameter") && !designated) {
    miss(request, "pitch_diameter", ", or a `designation`");
  }
  if (settings.text("detail") == name_of(BearingDetail::dynamic)) return;
  for (const std::string name : {"contact", "rolling_start"}) {
    if (settings.has(name) || request.table->find(name))
      complain(request, name,
               {"a key of detail = \"dynamic\"", "none with detail = \"quasi-static\"",
                "its elements are in equilibrium: leave it out"});
  }
  if (request.cage_table) {
    complain(request, "cage",
             {"a cage", "none with detail = \"quasi-static\"",
              "its elements are in equilibrium, evenly spaced: leave [bearing.cage] out"});
  }
  if (settings.text("friction") != name_of(BearingFriction::palmgren)) {
    for (const std::string name : {"viscosity", "friction_factors"}) {
      if (settings.has(name)) complain(request, name, {"it without friction", "friction = \"palmgren\" with it", ""});
    }
  } else if (const std::size_t given = settings.numbers("friction_factors").size();
             settings.has("friction_factors") && given != 2 && given != 3) {
    complain(request, "friction_factors",
             {fmt::format("a list of {}", given), "two or three numbers, [f0, f1, f2]", ""});
  }
}

void BearingReader::check_rows(Request& request, const Settings& settings) {
  const RollingGeometry geometry = stated_geometry(settings);
  const bool several = geometry.rows.size() > 1;
  if (several && !settings.has("row_distance")) {
    return miss(request, "row_distance", "");
  }
  for (const std::string name : {"row_distance", "arrangement"}) {
    if (!several && settings.has(name))
      complain(request, name, {"it with one row", "`rows` of 2 or more", "leave it out, or give `rows`"});
  }
  if (several && settings.number("row_distance") < geometry.element_diameter * (geometry.balls() ? 0.5 : 0)) {
    complain(request, "row_distance",
             {fmt::format("{:g} m", settings.number("row_distance")),
              fmt::format("at least the radius of a ball, {:g} m", geometry.element_diameter / 2),
              "the balls of neighbouring rows would overlap"});
  }
}

void BearingReader::check_inside(Request& request, const Settings& settings) {
  const RollingGeometry geometry = stated_geometry(settings);
  const double pitch = geometry.pitch_diameter, diameter = geometry.element_diameter;
  const bool balls = geometry.balls();
  const std::string element = balls ? "ball" : "roller", several = element + "s";
  const double across = diameter * std::sin(std::max(geometry.contact_angle, 0.0));
  const double least = balls && geometry.type == BearingType::thrust_ball ? diameter
                       : balls                                            ? diameter * std::cos(geometry.contact_angle)
                               : diameter * std::cos(geometry.contact_angle) + geometry.length * across / diameter;
  if (!(least < pitch) || !(diameter < pitch)) {
    complain(request, element + "_diameter",
             {fmt::format("{:g} m", diameter), fmt::format("less than the pitch diameter, {:g} m", pitch),
              "nothing would be left of the inner race"});
    return;
  }
  const int most = static_cast<int>(M_PI / std::asin(diameter / pitch));
  if (geometry.elements > most) {
    complain(request, several,
             {fmt::format("{} {} of {:g} m, which do not fit around a pitch circle of {:g} m", geometry.elements,
                          several, diameter, pitch),
              fmt::format("at most {}", most), "take fewer or smaller ones, or a larger pitch circle"});
  }
  if (!balls) return check_rollers(request, settings);
  if (!settings.has("designation") || settings.has("groove_radius") || settings.has("conformity"))
    check_grooves(request, settings);
}

void BearingReader::check_rollers(Request& request, const Settings& settings) {
  const RollingGeometry geometry = stated_geometry(settings);
  if (geometry.profile == RollerProfile::straight && settings.has("crowning")) {
    return complain(
        request, "crowning",
        {"it with profile = \"straight\"", "`circular` or `logarithmic`", "leave it out, or give a `profile`"});
  }
  if (geometry.profile == RollerProfile::circular && !settings.has("crowning")) {
    return miss(request, "crowning", "");
  }
  for (const std::string name : {"rib_clearance", "rib_stiffness"}) {
    if (settings.has(name) && !geometry.has_ribs())
      complain(request, name,
               {"it without ribs", "`ribs`, or a designation with NJ or NUP",
                "rollers of N and NU bearings bear no axial load: add ribs = \"both\", or leave it out"});
  }
  if (geometry.crowning < geometry.element_diameter / 20) return;
  complain(request, "crowning",
           {fmt::format("{:g} m", geometry.crowning),
            fmt::format("far less than the radius of a roller, {:g} m", geometry.element_diameter / 2),
            "crownings are micrometres: check the unit"});
}

// What the force of a preload does to the elements needs their material.
void BearingReader::check_preload(Request& request, const BearingModel& bearing) {
  const RollingGeometry geometry = rolling_geometry(model_, bearing);
  if (!(geometry.preload > 0) || !(geometry.composite_modulus[0] > 0) || !std::isfinite(geometry.composite_modulus[0]))
    return;  // the validation speaks of materials
  const double pressed = QuasiStaticBearing(geometry).preload_displacement(), most = most_pressing(geometry);
  if (pressed < most) return;
  complain(request, "preload",
           {fmt::format("{:g} N, which would push the rings together by {:g} m or more", geometry.preload, most),
            "a preload that can be assembled", "take less, or more and larger elements"});
}

// Of a bearing whose balls are bodies.
void BearingReader::check_balls_in_space(Request& request, const BearingModel& bearing) {
  const Settings& settings = bearing.element.settings;
  const RollingGeometry geometry = stated_geometry(settings);
  if (!geometry.balls()) {
    return complain(request, "detail",
                    {"\"dynamic\" of a " + name_of(geometry.type) + " bearing", "a ball bearing with it",
                     "take detail = \"quasi-static\""});
  }
  for (const std::string name : {"speed", "damping", "rotational_damping", "viscosity", "friction_factors"}) {
    if (settings.has(name))
      complain(request, name,
               {"a key of detail = \"quasi-static\"", "none with detail = \"dynamic\"",
                "balls, cage and rings move as forces make them: leave it out, and give friction and damping to the "
                "`contact`"});
  }
  if (settings.has("friction") && settings.text("friction") != name_of(BearingFriction::none))
    complain(request, "friction",
             {settings.text("friction"), "none with detail = \"dynamic\"",
              "leave it out: friction is that of the `contact` of balls and races"});
  const double most = (geometry.pitch_diameter - geometry.element_diameter) / 2;
  const double groove = *std::max_element(geometry.groove_radius.begin(), geometry.groove_radius.end());
  if (!(groove < 0.9 * most))
    complain(request, settings.has("conformity") ? "conformity" : "groove_radius",
             {fmt::format("a groove of radius {:g} m", groove), fmt::format("less than {:g} m", 0.9 * most),
              "balls in so wide a groove would meet in the axis: grooves are usually 0.51 to 0.54 ball diameters"});
}

void BearingReader::check_clearance(Request& request, const Settings& settings) {
  if (settings.has("clearance") && settings.has("diametric_clearance")) {
    return complain(request, "diametric_clearance",
                    {"both `clearance` and `diametric_clearance`", "one of them", "the latter is twice the former"});
  }
  if (settings.has("preload") && settings.has("preload_displacement")) {
    return complain(request, "preload_displacement",
                    {"both `preload` and `preload_displacement`", "one of them", "each gives the other"});
  }
  const RollingGeometry geometry = stated_geometry(settings);
  const std::string name = settings.has("diametric_clearance") ? "diametric_clearance" : "clearance";
  // A ball can only be squeezed while a groove is around it.
  const double most = most_pressing(geometry);
  if (!(std::abs(geometry.clearance) < most)) {
    complain(request, name,
             {fmt::format("{:g} m", settings.number(name)),
              fmt::format("far less than {}, of radius {:g} m", geometry.balls() ? "a ball" : "a roller",
                          geometry.element_diameter / 2),
              "clearances and preloads are micrometres: check the unit"});
  }
  if (geometry.preload_displacement > most) {
    complain(request, "preload_displacement",
             {fmt::format("{:g} m", geometry.preload_displacement),
              fmt::format("at most a fortieth of the diameter of an element, {:g} m", most),
              "no rings can be pressed together by so much: check the unit"});
  }
}

}  // namespace carom::inline model_io
