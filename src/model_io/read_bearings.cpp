#include "model_io/read_bearings.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "bearings/geometry.h"
#include "contacts/patch.h"
#include "contacts/resolved_contacts.h"
#include "model/attachment.h"
#include "model/bearing_start.h"
#include "model_io/expand_rolling_bearing.h"
#include "model_io/field_tables.h"
#include "model_io/read_race_faults.h"
#include "model_io/sections.h"

namespace carom::inline model_io {
namespace {

// One number for both races, or two: inner, outer.
double of_race(const std::vector<double>& numbers, int race) {
  return numbers.size() == 2 ? numbers[race] : numbers.front();
}

double clearance_of(const Settings& settings) {
  return settings.has("diametric_clearance") ? settings.number("diametric_clearance") / 2
                                             : settings.number("clearance");
}

double groove_radius(const Settings& settings, int race) {
  return settings.has("groove_radius")
             ? of_race(settings.numbers("groove_radius"), race)
             : of_race(settings.numbers("conformity"), race) * settings.number("ball_diameter");
}

std::string ball_material(const Settings& settings) {
  return settings.text("ball_material", settings.text("material"));
}

double mass_of_ball(const Settings& settings, const Material* material) {
  const double radius = settings.number("ball_diameter") / 2;
  return settings.number("ball_mass", material ? 4.0 / 3 * M_PI * radius * radius * radius * material->density : 0);
}

// Of the regular polygon of the centres.
double side_of_polygon(double pitch_diameter, int balls) {
  return pitch_diameter * std::sin(M_PI / balls);
}

BodyModel round_part(const std::string& name, double mass, double inertia, const RollingState& start) {
  BodyModel body;
  body.name = name;
  body.mass = mass;
  body.inertia.setIdentity();
  body.inertia(2, 2) = inertia;
  body.position.head<2>() = start.position;
  body.velocity.head<2>() = start.velocity;
  body.angular_velocity.z() = start.angular_velocity;
  return body;
}

std::string part_name(const BearingModel& bearing, const std::string& part, int index) {
  return fmt::format("{}-{}{}", bearing.element.name, part, index + 1);
}

}  // namespace

void BearingReader::complain(Request& request, const std::string& name, Complaint complaint) {
  const Node* at = request.table->find(name);
  reading_.complain(at ? *at : *request.table, at ? request.key / name : request.key, std::move(complaint));
  request.sound = false;
}

void BearingReader::complain_of_cage(Request& request, const std::string& name, Complaint complaint) {
  const Node* at = request.cage_table->find(name);
  const KeyPath key = request.key / "cage";
  reading_.complain(at ? *at : *request.cage_table, at ? key / name : key, std::move(complaint));
  request.sound = false;
}

void BearingReader::read(const Node& table, const KeyPath& key) {
  Request request{.table = &table, .key = key};
  BearingModel bearing;
  read_fields(reading_, table, bearing_fields(), section("bearing").nested, key, bearing);
  const Settings& settings = bearing.element.settings;
  bearing.element.name = settings.text("name");
  bearing.element.type = "bearing";
  bearing.element.where = table.where;
  // A key with an unsound value, or one that is missing, is reported; nothing can be said of what depends on it.
  for (const ParameterDescription& row : bearing_fields().rows()) {
    if (reading_.sources.broken(key / row.name) || (row.required && !table.find(row.name))) request.sound = false;
  }
  if (const Node* cage = table.find("cage")) read_cage(request, bearing, *cage);
  if (!read_race_faults(reading_, table, key, bearing)) request.sound = false;
  if (!model_.planar) {
    bearing.is_element = settings.text("detail") != name_of(BearingDetail::dynamic);
    if (bearing.is_element) refuse_race_faults(request);
    if (request.sound) check_space(request, bearing);
    if (request.sound && !bearing.is_element) check_balls_in_space(request, bearing);
    if (request.sound && !bearing.is_element) request.sound = check_race_faults(reading_, table, key, bearing);
    if (request.sound && !bearing.is_element) check_cage(request, bearing);
  } else {
    check_plane(request, settings);
    if (request.sound) check_sizes(request, settings);
    if (request.sound) request.sound = check_race_faults(reading_, table, key, bearing);
    if (request.sound) check_cage(request, bearing);
  }
  check_mass(request, settings);
  model_.bearings.push_back(std::move(bearing));
  requests_.push_back(std::move(request));
}

// Elements in equilibrium run on races without faults.
void BearingReader::refuse_race_faults(Request& request) {
  for (const char* name : {"spall", "waviness"}) {
    if (!request.table->find(name)) continue;
    complain(request, name,
             {"faults of a bearing with detail = \"quasi-static\"", "none",
              "take detail = \"dynamic\", with which the balls of ball bearings are bodies"});
  }
}

void BearingReader::read_cage(Request& request, BearingModel& bearing, const Node& node) {
  const KeyPath key = request.key / "cage";
  reading_.note(key, node);
  if (!node.as<Node::Table>()) {
    request.sound = false;
    return reading_.complain(node, key, {found_text(node), "a table [bearing.cage]", ""});
  }
  request.cage_table = &node;
  read_fields(reading_, node, cage_fields(), {}, key, bearing);
  for (const ParameterDescription& row : cage_fields().rows()) {
    if (reading_.sources.broken(key / row.name)) request.sound = false;
  }
}

// What bearings in the plane need, and what they cannot have.
void BearingReader::check_plane(Request& request, const Settings& settings) {
  for (const std::string name : {"balls", "pitch_diameter", "ball_diameter"}) {
    if (!request.table->find(name)) miss(request, name, "");
  }
  for (const ParameterDescription& row : space_bearing_rows()) {
    if (settings.has(row.name))
      complain(request, row.name, {"a key of bearings in space", "a model without `plane`", "leave it out"});
  }
}

void BearingReader::check_sizes(Request& request, const Settings& settings) {
  const int balls = static_cast<int>(settings.number("balls"));
  const double pitch = settings.number("pitch_diameter"), ball = settings.number("ball_diameter");
  if (!(ball < pitch)) {
    complain(request, "ball_diameter",
             {fmt::format("{:g} m", ball), fmt::format("less than the pitch diameter, {:g} m", pitch),
              "nothing would be left of the inner race"});
  } else if (ball > side_of_polygon(pitch, balls)) {
    const int most = static_cast<int>(M_PI / std::asin(ball / pitch));
    complain(request, "balls",
             {fmt::format("{} balls of {:g} m, which do not fit around a pitch circle of {:g} m", balls, ball, pitch),
              fmt::format("at most {}", most), "take fewer or smaller ones, or a larger pitch circle"});
  }
  check_grooves(request, settings);
  if (settings.has("clearance") && settings.has("diametric_clearance")) {
    complain(request, "diametric_clearance",
             {"both `clearance` and `diametric_clearance`", "one of them", "the latter is twice the former"});
  }
  const double clearance = clearance_of(settings);
  const std::string name = settings.has("diametric_clearance") ? "diametric_clearance" : "clearance";
  if (request.sound && !(std::abs(clearance) < ball / 2 && clearance < pitch - ball)) {
    complain(
        request, name,
        {fmt::format("{:g} m", settings.number(name)), fmt::format("far less than a ball, of radius {:g} m", ball / 2),
         "clearances and preloads are micrometres: check the unit"});
  }
}

void BearingReader::check_grooves(Request& request, const Settings& settings) {
  const int given = (settings.has("groove_radius") ? 1 : 0) + (settings.has("conformity") ? 1 : 0);
  if (given != 1) {
    return complain(request, given == 0 ? "" : "conformity",
                    {given == 0 ? "neither `groove_radius` nor `conformity`" : "both `groove_radius` and `conformity`",
                     "exactly one of them", given == 0 ? "add groove_radius, usually 0.52 ball diameters" : ""});
  }
  const std::string name = settings.has("groove_radius") ? "groove_radius" : "conformity";
  const auto numbers = settings.numbers(name);
  if (numbers.empty() || numbers.size() > 2) {
    return complain(request, name,
                    {fmt::format("a list of {}", numbers.size()), "[inner, outer], or one for both", ""});
  }
  const double radius = settings.number("ball_diameter") / 2;
  for (int race = 0; race < 2; ++race) {
    const double groove = groove_radius(settings, race);
    if (groove > radius * (1 + 1e-9)) continue;
    return complain(request, name,
                    {fmt::format("a groove of radius {:g} m", groove),
                     fmt::format("more than the radius of the balls, {:g} m", radius),
                     "a ball cannot touch the bottom of a narrower groove; 0.52 ball diameters are usual"});
  }
}

void BearingReader::check_mass(Request& request, const Settings& settings) {
  if (settings.has("ball_mass") || request.table->find("ball_mass")) return;
  const std::string name = ball_material(settings);
  const Material* material = find_material(model_, name);
  if (!name.empty() && !material) return;  // the validation says so
  if (material && material->density > 0) return;
  complain(request, settings.has("ball_material") ? "ball_material" : "material",
           {material ? "no `density` in " + name : "no mass of the balls", "a density of the balls, or `ball_mass`",
            material ? "add density = \"… kg/m^3\" to [material." + name + "], or `ball_mass` here"
                     : "add `material`, with a density, or `ball_mass`"});
}

void BearingReader::check_cage(Request& request, const BearingModel& bearing) {
  if (!request.cage_table) return;
  const Settings &cage = bearing.cage_settings, &settings = bearing.element.settings;
  const CageType type = bearing.cage_type;
  struct Key {
    std::string name;
    CageType type;
    bool required;
  };
  for (const auto& [name, owner, required] : {Key{"stiffness", CageType::springs, true},
                                              {"damping", CageType::springs, false},
                                              {"pocket_clearance", CageType::rigid, true},
                                              {"mass", CageType::rigid, true},
                                              {"inertia", CageType::rigid, true},
                                              {"material", CageType::rigid, false}}) {
    if (owner == type && required && !cage.has(name)) {
      complain_of_cage(
          request, name,
          {"no `" + name + "`", "`" + name + "` for type = \"" + name_of(type) + "\"", "add the key `" + name + "`"});
    } else if (owner != type && cage.has(name)) {
      complain_of_cage(
          request, name,
          {"a key of type = \"" + name_of(owner) + "\"", "type = \"" + name_of(owner) + "\" with it", "leave it out"});
    }
  }
  if (type == CageType::springs && cage.has("contact")) {
    complain_of_cage(request, "contact",
                     {"a contact of springs", "it with type = \"rigid\" or \"none\"", "leave it out"});
  }
  if (type != CageType::rigid || !request.sound) return;
  const RollingGeometry geometry = stated_geometry(settings);
  const double ball = geometry.element_diameter, room = cage.number("pocket_clearance");
  const double side = side_of_polygon(geometry.pitch_diameter, geometry.elements);
  const double least = clearance_of(settings) / 2, most = (side - ball) / 2;
  if (room < least) {
    complain_of_cage(
        request, "pocket_clearance",
        {fmt::format("{:g} m", room), fmt::format("at least half the clearance of the bearing, {:g} m", least),
         "the balls could not move between the races without the cage"});
  } else if (!(room < most)) {
    complain_of_cage(request, "pocket_clearance",
                     {fmt::format("{:g} m", room), fmt::format("less than half the room between balls, {:g} m", most),
                      "the pockets would overlap"});
  }
}

void BearingReader::expand() {
  for (std::size_t k = 0; k < requests_.size(); ++k) {
    if (requests_[k].sound && !model_.planar) check_preload(requests_[k], model_.bearings[k]);
    if (requests_[k].sound && !model_.bearings[k].is_element) expand(k);
  }
}

// Whether bodies, or markers, and the place are all there; if not, the validation says so.
bool BearingReader::can_be_placed(const Settings& settings) const {
  const auto knows = [&](const std::string& body) { return body_index(model_, body) >= 0; };
  const bool axis = settings.has("axis");
  if (!model_.planar && (axis == settings.has("markers") || (axis && settings.vector("axis").isZero(0)))) return false;
  if (settings.has("markers")) {
    const auto paths = settings.names("markers");
    return !settings.has("bodies") && paths.size() == 2 &&
           std::all_of(paths.begin(), paths.end(), [&](const std::string& path) {
             const auto dot = path.rfind('.');
             if (dot == std::string::npos || !knows(path.substr(0, dot))) return false;
             const auto& markers = body_at(model_, body_index(model_, path.substr(0, dot))).markers;
             return std::any_of(markers.begin(), markers.end(),
                                [&](const Marker& each) { return each.name == path.substr(dot + 1); });
           });
  }
  const auto bodies = settings.names("bodies");
  if (bodies.size() != 2 || !knows(bodies[0]) || !knows(bodies[1])) return false;
  return settings.has("at") != (settings.points("points").size() == 2);
}

void BearingReader::expand(std::size_t index) {
  BearingModel& bearing = model_.bearings[index];
  const Settings& settings = bearing.element.settings;
  if (!can_be_placed(settings)) return;
  const AttachmentPair place = attach_pair(model_, settings);
  if (place.at[0].body == place.at[1].body) return;
  if (!model_.planar) return expand_rolling_bearing(model_, bearing);
  const double pitch = settings.number("pitch_diameter"), clearance = clearance_of(settings);
  bearing.ball_radius = settings.number("ball_diameter") / 2;
  bearing.inner_radius = (pitch - clearance) / 2 - bearing.ball_radius;
  bearing.outer_radius = (pitch + clearance) / 2 + bearing.ball_radius;
  Parts parts{.bearing = bearing,
              .settings = settings,
              .cage = bearing.cage_settings,
              .bodies = {body_at(model_, place.at[0].body).name, body_at(model_, place.at[1].body).name}};
  bearing.inner_share = inner_share(parts);
  add_races(parts);
  add_balls(parts);
  add_cage(parts);
}

// Balls press on both races with the same force: where they overlap, the softer contact takes more of it. Where there
// is room, they stand on the pitch circle, on which springs of a cage have no force.
double BearingReader::inner_share(const Parts& parts) const {
  if (parts.bearing.clearance() >= 0) return 0.5;
  const auto root = [&](ShapeKind kind, double radius, int race) {
    const Shape<2> surface{.kind = kind, .radius = radius, .groove_radius = groove_radius(parts.settings, race)};
    const Shape<2> ball{.kind = ShapeKind::sphere, .radius = parts.bearing.ball_radius};
    return std::cbrt(patch_of(*find_pair<2>(kind, ShapeKind::sphere), surface, ball).effective_radius);
  };
  // K ∝ √R, and K_i δ_i^1.5 = K_e δ_e^1.5.
  const double inner = root(ShapeKind::inner_race, parts.bearing.inner_radius, 0),
               outer = root(ShapeKind::outer_race, parts.bearing.outer_radius, 1);
  return outer / (inner + outer);
}

void BearingReader::add_races(Parts& parts) {
  const AttachmentPair place = attach_pair(model_, parts.settings);
  for (int side = 0; side < 2; ++side) {
    const bool outer = side == 0;
    const int index = place.at[side].body;
    BodyModel& body = index == 0 ? model_.ground : model_.bodies[index - 1];
    Geometry race;
    race.shape = outer ? "outer_race" : "inner_race";
    race.name = parts.bearing.element.name + (outer ? "-outer" : "-inner");
    race.material = parts.settings.text("material");
    race.position = place.at[side].point + body.center_of_mass;
    race.settings.set("radius", outer ? parts.bearing.outer_radius : parts.bearing.inner_radius);
    race.settings.set("groove_radius", groove_radius(parts.settings, outer ? 1 : 0));
    make_uneven(parts.bearing, outer ? Race::outer : Race::inner, 0, race.settings);
    body.geometry.push_back(std::move(race));
  }
}

void BearingReader::add_balls(Parts& parts) {
  BearingModel& bearing = parts.bearing;
  const std::string material = ball_material(parts.settings);
  const double mass = mass_of_ball(parts.settings, find_material(model_, material));
  const double inertia = parts.settings.number("ball_inertia", 0.4 * mass * bearing.ball_radius * bearing.ball_radius);
  const AttachmentPair place = attach_pair(model_, parts.settings);
  RaceStates races;
  for (int side = 0; side < 2; ++side) {
    RollingState& race = side == 0 ? races.outer : races.inner;
    const BodyModel& body = body_at(model_, place.at[side].body);
    race.position = world_position(model_, place.at[side]).head<2>();
    // The velocity of the file is that of the mass centre; the assembly knows better.
    race.velocity = body.velocity.head<2>();
    race.angular_velocity = body.angular_velocity.z();
  }
  const int count = static_cast<int>(parts.settings.number("balls"));
  bearing.balls.assign(count, 0);
  for (int k = 0; k < count; ++k) {
    BodyModel ball = round_part(part_name(bearing, "ball", k), mass, inertia, start_of_ball(bearing, races, k));
    Geometry sphere;
    sphere.shape = "sphere";
    sphere.name = "ball";
    sphere.material = material;
    sphere.settings.set("radius", bearing.ball_radius);
    make_uneven_ball(bearing, k, sphere.settings);
    ball.geometry.push_back(std::move(sphere));
    ball.where = bearing.element.where;
    const std::string name = ball.name, contact = parts.settings.text("contact");
    model_.bodies.push_back(std::move(ball));
    bearing.balls[k] = static_cast<int>(model_.bodies.size());
    add_pair(parts, part_name(bearing, "outer", k), {parts.bodies[0], name}, {bearing.element.name + "-outer", "ball"},
             contact);
    add_pair(parts, part_name(bearing, "inner", k), {parts.bodies[1], name}, {bearing.element.name + "-inner", "ball"},
             contact);
  }
  if (bearing.cage_type == CageType::rigid) {
    BodyModel cage = round_part(bearing.element.name + "-cage", parts.cage.number("mass"), parts.cage.number("inertia"),
                                start_of_cage(bearing, races));
    cage.where = bearing.element.where;
    model_.bodies.push_back(std::move(cage));
    bearing.cage = static_cast<int>(model_.bodies.size());
  }
}

void BearingReader::add_cage(Parts& parts) {
  const BearingModel& bearing = parts.bearing;
  const CageType type = bearing.cage_type;
  const std::string contact = parts.cage.text("contact", parts.settings.text("contact"));
  const int count = static_cast<int>(bearing.balls.size());
  if (type == CageType::springs) return add_springs(parts);
  for (int k = 0; k < count; ++k) {
    const std::string ball = part_name(bearing, "ball", k);
    if (type == CageType::none) {
      add_pair(parts, part_name(bearing, "neighbours", k), {ball, part_name(bearing, "ball", (k + 1) % count)},
               {"ball", "ball"}, contact);
      continue;
    }
    BodyModel& cage = model_.bodies[bearing.cage - 1];
    const double angle = angle_of_ball(bearing, k), radius = parts.settings.number("pitch_diameter") / 2;
    Geometry pocket;
    pocket.shape = "cavity";
    pocket.name = fmt::format("pocket{}", k + 1);
    pocket.material = parts.cage.text("material", parts.settings.text("material"));
    pocket.position = {radius * std::cos(angle), radius * std::sin(angle), 0};
    pocket.settings.set("radius", bearing.ball_radius + parts.cage.number("pocket_clearance"));
    cage.geometry.push_back(pocket);
    add_pair(parts, part_name(bearing, "pocket", k), {cage.name, ball}, {pocket.name, "ball"}, contact);
  }
}

// Without force while the balls stand evenly on the pitch circle.
void BearingReader::add_springs(const Parts& parts) {
  const int count = static_cast<int>(parts.bearing.balls.size());
  const double length = side_of_polygon(parts.settings.number("pitch_diameter"), count);
  for (int k = 0; k < count; ++k) {
    ElementModel spring;
    spring.name = part_name(parts.bearing, "cage", k);
    spring.type = "spring";
    spring.where = parts.bearing.element.where;
    spring.settings.set(
        "bodies", std::vector{part_name(parts.bearing, "ball", k), part_name(parts.bearing, "ball", (k + 1) % count)});
    spring.settings.set("points", std::vector<Eigen::Vector3d>(2, Eigen::Vector3d::Zero()));
    spring.settings.set("stiffness", parts.cage.number("stiffness"));
    spring.settings.set("damping", parts.cage.number("damping"));
    spring.settings.set("free_length", length);
    model_.forces.push_back(std::move(spring));
  }
}

void BearingReader::add_pair(const Parts& parts, const std::string& name, const std::array<std::string, 2>& bodies,
                             const std::array<std::string, 2>& shapes, const std::string& contact) {
  PairModel pair;
  pair.name = name;
  pair.bodies = bodies;
  pair.shapes = shapes;
  pair.contact = contact;
  pair.allow_initial_penetration = true;  // of a preload
  pair.bearing = parts.bearing.element.name;
  pair.where = parts.bearing.element.where;
  model_.pairs.push_back(std::move(pair));
}

}  // namespace carom::inline model_io
