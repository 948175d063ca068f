#include "model_io/read_beams.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/nearest_name.h"
#include "beams/section.h"
#include "model/attachment.h"
#include "model_io/field_tables.h"
#include "model_io/sections.h"

namespace carom::inline model_io {
namespace {

constexpr double largest_turn = M_PI / 3;  // rad, of one element in the reference shape

Eigen::Vector3d to_world(const BodyModel& body, const Eigen::Vector3d& point) {
  return body.position + body.orientation * point;
}

Eigen::Vector3d to_body(const BodyModel& body, const Eigen::Vector3d& point) {
  return body.orientation.conjugate() * (point - body.position);
}

std::vector<double> numbers_of(const Eigen::Vector3d& v, bool planar) {
  return planar ? std::vector<double>{v.x(), v.y()} : std::vector<double>{v.x(), v.y(), v.z()};
}

// s, with which the first bending mode of the beam on two supports has this damping ratio.
double stiffness_damping_for(double ratio, const BeamModel& beam, double length, bool planar) {
  const double bending = planar ? beam.section.inertia_z : std::min(beam.section.inertia_y, beam.section.inertia_z);
  const double first =
      std::pow(M_PI / length, 2) * std::sqrt(beam.young * bending / (beam.density * beam.section.area));
  return 2 * ratio / first;
}

void place_node(const BeamLine& line, std::size_t index, bool planar, BodyModel& node) {
  const Eigen::Matrix3d& frame = line.node_frames[index];
  node.position = line.nodes[index];
  if (planar) {
    node.angle = std::atan2(frame(1, 0), frame(0, 0));
    node.orientation = Eigen::Quaterniond(Eigen::AngleAxisd(node.angle, Eigen::Vector3d::UnitZ()));
  } else {
    node.orientation = Eigen::Quaterniond(frame);
  }
}

// With its beam, which moves as the carrier does, about this point.
void set_moving(const BodyModel& carrier, const Eigen::Vector3d& centre, BodyModel& node) {
  node.angular_velocity = carrier.angular_velocity;
  node.velocity = carrier.velocity + carrier.angular_velocity.cross(node.position - centre);
  node.velocity_given = carrier.velocity_given, node.angular_velocity_given = carrier.angular_velocity_given;
}

// Half of the elements that meet in the node.
void lump_mass(const BeamModel& beam, std::size_t index, BodyModel& node) {
  const BeamModel::Section& section = beam.section;
  const Eigen::Vector3d polar(section.inertia_y + section.inertia_z, section.inertia_y, section.inertia_z);
  node.mass = 0;
  node.inertia.setZero();
  for (std::size_t e = index > 0 ? index - 1 : 0; e < std::min(index + 1, beam.elements.size()); ++e) {
    const BeamModel::Element& element = beam.elements[e];
    const Eigen::Matrix3d& frame = e + 1 == index ? element.frame_b : element.frame_a;
    node.mass += beam.density * section.area * element.length / 2;
    node.inertia += beam.density * element.length / 2 * frame * polar.asDiagonal() * frame.transpose();
  }
}

}  // namespace

void BeamReader::read_section(const Entry& entry, const KeyPath& key) {
  SectionModel model{.name = entry.key, .settings = {}, .where = entry.value.where};
  read_fields(reading_, entry.value, cross_section_fields(), {}, key, model);
  model_.sections.push_back(model);
  Section& section = sections_[entry.key];
  section.settings = model.settings;
  const SectionShape* shape = find_section_shape(section.settings.text("shape"));
  if (!shape) return;
  section.sound = true;
  for (const std::string& each : shape->required) {
    if (entry.value.find(each)) {
      section.sound = section.sound && section.settings.has(each);
      continue;
    }
    reading_.complain(entry.value, key,
                      {"no `" + each + "`", "`" + each + "` for shape = \"" + shape->name + "\"", ""});
    section.sound = false;
  }
  for (const std::string& each : section.settings.keys()) {
    const auto among = [&](const std::vector<std::string>& list) {
      return std::find(list.begin(), list.end(), each) != list.end();
    };
    if (each == "shape" || among(shape->required) || among(shape->optional)) continue;
    reading_.complain(*entry.value.find(each), key / each,
                      {"a key that shape = \"" + shape->name + "\" does not have", alternatives(shape->required), ""});
  }
  if (!section.sound) return;
  for (const SectionFlaw& flaw : flaws_of(*shape, section.settings)) {
    const Node* at = entry.value.find(flaw.key);
    reading_.complain(at ? *at : entry.value, key / flaw.key,
                      {flaw.found, flaw.expected, "no body has such a section"});
    section.sound = false;
  }
}

void BeamReader::read_beam(const Node& table, BodyModel carrier, const KeyPath& key) {
  const auto& fields = beam_fields();
  const Settings given = read_keys(reading_, table, fields.rows(), section("beam").nested, key);
  require_keys(reading_, table, fields.rows(), key);
  carrier.flexible = std::make_shared<const FlexibleModel>();
  take(fields, given, carrier, model_.planar);
  carrier.where = table.where;
  model_.beam_bodies.push_back(carrier);
  requests_.push_back({.carrier = carrier, .flexible = *carrier.flexible, .given = given, .key = key, .table = &table});
}

std::shared_ptr<const FlexibleModel> BeamReader::note_flexible(std::size_t body, const Node& table,
                                                               const KeyPath& key) {
  if (!table.as<Node::Table>()) {
    reading_.complain(table, key, {found_text(table), "a table { section = \"…\", material = \"…\" }", ""});
    return nullptr;
  }
  const auto& fields = flexible_fields();
  const Settings given = read_keys(reading_, table, fields.rows(), {}, key);
  require_keys(reading_, table, fields.rows(), key);
  FlexibleModel flexible;
  take(fields, given, flexible, model_.planar);
  requests_.push_back({.carrier = {},
                       .body = static_cast<int>(body),
                       .flexible = flexible,
                       .given = given,
                       .key = key,
                       .table = &table});
  return std::make_shared<const FlexibleModel>(std::move(flexible));
}

void BeamReader::expand() {
  for (Request& request : requests_) {
    if (request.body >= 0) request.carrier = model_.bodies[request.body];
    expand(request);
  }
  if (beams_.empty()) return;
  for (std::size_t k = 0; k < model_.joints.size(); ++k) rename(model_.joints[k], "joint", k);
  for (std::size_t k = 0; k < model_.forces.size(); ++k) rename(model_.forces[k], "force", k);
  for (std::size_t k = 0; k < model_.bearings.size(); ++k) rename(model_.bearings[k].element, "bearing", k);
  rename_pairs();
}

void BeamReader::complain(const Request& request, const std::string& name, Complaint complaint) {
  const Node* at = request.table->find(name);
  reading_.complain(at ? *at : *request.table, at ? request.key / name : request.key, std::move(complaint));
}

// World axes; empty, and a problem, if there is none.
std::vector<Eigen::Vector3d> BeamReader::line_of(const Request& request) {
  const std::string name = request.body < 0 ? "points" : "line";
  std::vector<Eigen::Vector3d> points = request.flexible.line;
  if (points.empty() && request.table->find(name)) return {};  // reported already
  if (request.body >= 0) {
    for (Eigen::Vector3d& point : points) point = to_world(request.carrier, point);
    if (points.empty()) points = joint_points(request.carrier);
  }
  const LineShape shape = request.flexible.shape;
  if (points.size() < 2) {
    complain(request, name,
             {fmt::format("{} points", points.size()), "two or more points of the line",
              request.body < 0 ? "" : "a flexible body runs between two joints; else give `line`, in body axes"});
    return {};
  }
  for (std::size_t k = 1; k < points.size(); ++k) {
    if ((points[k] - points[k - 1]).norm() > 0) continue;
    complain(request, name,
             {fmt::format("points {} and {} at the same place", k, k + 1), "points that differ",
              "an element of no length has no direction; leave one out"});
    return {};
  }
  if (shape == LineShape::arc) {
    if (points.size() != 3) {
      complain(request, name,
               {fmt::format("{} points", points.size()), "three points of an arc: begin, one between, end", ""});
      return {};
    }
    const Eigen::Vector3d u = points[1] - points[0], v = points[2] - points[0];
    if (!(u.cross(v).norm() > 1e-12 * u.norm() * v.norm())) {
      complain(request, name, {"three points on one line", "an arc", "take shape = \"straight\""});
      return {};
    }
  }
  return points;
}

// Where joints and bearings take hold of the body: the two places that are farthest apart.
std::vector<Eigen::Vector3d> BeamReader::joint_points(const BodyModel& body) const {
  std::vector<Eigen::Vector3d> all;
  std::vector<const Settings*> places;
  for (const ElementModel& joint : model_.joints) places.push_back(&joint.settings);
  for (const BearingModel& bearing : model_.bearings) places.push_back(&bearing.element.settings);
  for (const Settings* place : places) {
    const auto bodies = place->names("bodies");
    for (int side = 0; side < static_cast<int>(bodies.size()) && side < 2; ++side) {
      if (bodies[side] == body.name) all.push_back(attached_at(*place, body, side));
    }
    for (const std::string& path : place->names("markers")) {
      const auto dot = path.rfind('.');
      if (dot == std::string::npos || path.substr(0, dot) != body.name) continue;
      for (const Marker& marker : body.markers) {
        if (marker.name == path.substr(dot + 1)) all.push_back(to_world(body, marker.position));
      }
    }
  }
  std::vector<Eigen::Vector3d> best;
  double farthest = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = i + 1; j < all.size(); ++j) {
      if (!((all[j] - all[i]).norm() > farthest)) continue;
      farthest = (all[j] - all[i]).norm();
      best = {all[i], all[j]};
    }
  }
  return best;
}

const Material* BeamReader::material_of(const Request& request) {
  if (!request.given.has("material")) return nullptr;
  const std::string& wanted = request.flexible.material;
  const Material* material = nullptr;
  std::vector<std::string> names;
  for (const Material& each : model_.materials) {
    names.push_back(each.name);
    if (each.name == wanted) material = &each;
  }
  if (!material) {
    complain(request, "material",
             {quoted_text(wanted), names.empty() ? "a [material.NAME]" : "a material: " + alternatives(names),
              did_you_mean(wanted, names)});
    return nullptr;
  }
  const bool has_young = material->young > 0, has_density = request.body >= 0 || material->density > 0;
  if (!has_young)
    complain(request, "material", {"no `young` in " + material->name, "Young's modulus", "add young = \"… Pa\""});
  if (!has_density)
    complain(request, "material", {"no `density` in " + material->name, "a density", "add density = \"… kg/m^3\""});
  return has_young && has_density ? material : nullptr;
}

bool BeamReader::take_section(const Request& request, const Material* material, BeamModel::Section& section) {
  if (!request.given.has("section")) return false;
  const std::string& wanted = request.flexible.section;
  const auto found = sections_.find(wanted);
  if (found == sections_.end()) {
    std::vector<std::string> names;
    for (const auto& [name, each] : sections_) names.push_back(name);
    complain(request, "section",
             {quoted_text(wanted), names.empty() ? "a [section.NAME]" : "a section: " + alternatives(names),
              did_you_mean(wanted, names)});
    return false;
  }
  if (!found->second.sound || !material) return false;  // reported already
  const Settings& keys = found->second.settings;
  section = find_section_shape(keys.text("shape"))->make(keys, material->poisson);
  return section.area > 0;
}

bool BeamReader::take_properties(const Request& request, double length, BeamModel& beam) {
  const FlexibleModel& flexible = request.flexible;
  const Settings& given = request.given;
  const Material* material = material_of(request);
  const bool has_section = take_section(request, material, beam.section);
  if (given.has("damping_ratio") && (given.has("mass_damping") || given.has("stiffness_damping"))) {
    complain(request, "damping_ratio",
             {"a damping ratio beside Rayleigh's factors", "one of them", "leave the ratio out"});
    return false;
  }
  if (!material || !has_section) return false;
  beam.young = material->young;
  beam.shear = material->young / (2 * (1 + material->poisson));
  beam.density = request.body < 0 ? material->density : request.carrier.mass / (beam.section.area * length);
  beam.mass_damping = flexible.mass_damping;
  beam.stiffness_damping = flexible.stiffness_damping;
  if (flexible.damping_ratio > 0)
    beam.stiffness_damping = stiffness_damping_for(flexible.damping_ratio, beam, length, model_.planar);
  return true;
}

// Into elements, no fewer than the line needs.
BeamLine BeamReader::divide(const Request& request, const std::vector<Eigen::Vector3d>& points) {
  const FlexibleModel& flexible = request.flexible;
  const int pieces = flexible.shape == LineShape::straight ? static_cast<int>(points.size()) - 1 : 1;
  const int elements = std::max(flexible.elements, pieces);
  if (flexible.elements < pieces)
    complain(request, "elements",
             {fmt::format("{} elements for {} pieces of the line", flexible.elements, pieces),
              fmt::format("at least {}", pieces), "every piece needs one"});
  BeamLine line = make_line({.points = points,
                             .shape = flexible.shape,
                             .elements = elements,
                             .up = flexible.up,
                             .twist = flexible.twist,
                             .planar = model_.planar});
  if (line.largest_turn > largest_turn) {
    const int enough = static_cast<int>(std::ceil(elements * line.largest_turn / largest_turn));
    complain(request, "elements",
             {fmt::format("{} elements, of which one turns by {:.0f}°", elements, line.largest_turn * 180 / M_PI),
              fmt::format("at most {:.0f}° each, {} elements or more", largest_turn * 180 / M_PI, enough),
              "too few for a curved line"});
  }
  return line;
}

void BeamReader::expand(const Request& request) {
  const std::vector<Eigen::Vector3d> points = line_of(request);
  if (points.empty()) return;
  const BodyModel& carrier = request.carrier;
  const BeamLine line = divide(request, points);
  BeamModel beam;
  beam.name = carrier.name;
  beam.where = request.body < 0 ? request.table->where : carrier.where;
  beam.elements = line.elements;
  const bool sound = take_properties(request, line.length, beam);

  Expanded expanded{.carrier = carrier, .nodes = {}};
  const Eigen::Vector3d centre = request.body < 0 ? points.front() : to_world(carrier, carrier.center_of_mass);
  for (std::size_t k = 0; k < line.nodes.size(); ++k) {
    BodyModel node;
    node.name = fmt::format("{}-{}", carrier.name, k);
    node.where = beam.where;
    place_node(line, k, model_.planar, node);
    set_moving(carrier, centre, node);
    lump_mass(beam, k, node);
    if (!sound) node.mass = 1, node.inertia.setIdentity();  // the rest of the file can still be looked at
    expanded.nodes.push_back(add_node(request, k, node));
  }
  if (model_.planar) unwind_angles(expanded.nodes);
  beam.nodes = expanded.nodes;
  if (sound) model_.beams.push_back(beam);
  move_to_nodes(expanded);
  beams_[carrier.name] = std::move(expanded);
}

// The first node of a body that becomes flexible takes its place; as body_index counts them.
int BeamReader::add_node(const Request& request, std::size_t index, const BodyModel& node) {
  if (request.body >= 0 && index == 0) {
    model_.bodies[request.body] = node;
    return request.body + 1;
  }
  model_.bodies.push_back(node);
  return static_cast<int>(model_.bodies.size());
}

// Angles of neighbours differ by the turn of the line, never by full turns.
void BeamReader::unwind_angles(const std::vector<int>& nodes) {
  for (std::size_t k = 1; k < nodes.size(); ++k) {
    BodyModel& node = model_.bodies[nodes[k] - 1];
    const double before = model_.bodies[nodes[k - 1] - 1].angle;
    node.angle = before + std::remainder(node.angle - before, 2 * M_PI);
  }
}

int BeamReader::nearest(const Expanded& beam, const Eigen::Vector3d& point) const {
  int best = beam.nodes.front();
  for (const int node : beam.nodes) {
    if ((model_.bodies[node - 1].position - point).norm() < (model_.bodies[best - 1].position - point).norm())
      best = node;
  }
  return best;
}

const BeamReader::Expanded* BeamReader::find(const std::string& name) const {
  const auto found = beams_.find(name);
  return found == beams_.end() ? nullptr : &found->second;
}

// Markers and shapes, each to the node that is nearest.
void BeamReader::move_to_nodes(const Expanded& beam) {
  const auto settle = [&](const Eigen::Vector3d& at, Eigen::Vector3d& position,
                          Eigen::Quaterniond& orientation) -> BodyModel& {
    BodyModel& node = model_.bodies[nearest(beam, to_world(beam.carrier, at)) - 1];
    position = to_body(node, to_world(beam.carrier, at));
    orientation = node.orientation.conjugate() * beam.carrier.orientation * orientation;
    return node;
  };
  for (Marker marker : beam.carrier.markers) {
    BodyModel& node = settle(marker.position, marker.position, marker.orientation);
    node.markers.push_back(std::move(marker));
  }
  for (Geometry shape : beam.carrier.geometry) {
    BodyModel& node = settle(shape.position, shape.position, shape.orientation);
    node.geometry.push_back(std::move(shape));
  }
}

Eigen::Vector3d BeamReader::attached_at(const Settings& settings, const BodyModel& body, int side) const {
  const auto points = settings.points("points"), ends = settings.points("ends");
  if (points.size() == 2) return to_world(body, points[side]);
  if (ends.size() == 2) return ends[side];
  if (settings.has("point")) return to_world(body, settings.vector("point"));
  return settings.vector("at");
}

void BeamReader::rename_marker(std::string& path) const {
  const auto dot = path.rfind('.');
  const Expanded* beam = dot == std::string::npos ? nullptr : find(path.substr(0, dot));
  if (!beam) return;
  for (const int node : beam->nodes) {
    for (const Marker& marker : model_.bodies[node - 1].markers) {
      if (marker.name == path.substr(dot + 1)) path = model_.bodies[node - 1].name + path.substr(dot);
    }
  }
}

void BeamReader::rename(ElementModel& element, const std::string& section, std::size_t index) {
  Settings& settings = element.settings;
  const KeyPath key = KeyPath::entry(KeyPath::section(section), index, element.name);
  const auto node_at = [&](const Expanded& beam, const Eigen::Vector3d& point) -> const BodyModel& {
    const BodyModel& node = model_.bodies[nearest(beam, point) - 1];
    const double away = (node.position - point).norm();
    const double spacing =
        (model_.bodies[beam.nodes[1] - 1].position - model_.bodies[beam.nodes[0] - 1].position).norm();
    if (away > 1e-3 * spacing) {
      reading_.add({Severity::warning, model_.file, element.where, key.shown,
                    fmt::format("a point {:.3g} m away from the nearest node, {}, to which it is attached rigidly",
                                away, node.name),
                    "a point of a node", "choose `elements` so that a node lies there"});
    }
    return node;
  };
  if (auto names = settings.names("bodies"); names.size() == 2) {
    auto points = settings.points("points"), axes = settings.points("axes");
    for (int side = 0; side < 2; ++side) {
      const Expanded* beam = find(names[side]);
      if (!beam) continue;
      const Eigen::Vector3d at = attached_at(settings, beam->carrier, side);
      const BodyModel& node = node_at(*beam, at);
      names[side] = node.name;
      if (points.size() == 2) points[side] = to_body(node, at);
      if (axes.size() == 2) axes[side] = node.orientation.conjugate() * (beam->carrier.orientation * axes[side]);
    }
    settings.set("bodies", names);
    if (points.size() == 2) settings.set("points", points);
    if (axes.size() == 2) settings.set("axes", axes);
  }
  if (const Expanded* beam = find(settings.text("body"))) {
    const Eigen::Vector3d at = attached_at(settings, beam->carrier, 0);
    const BodyModel& node = node_at(*beam, at);
    settings.set("body", node.name);
    if (settings.has("point")) settings.set("point", numbers_of(to_body(node, at), model_.planar));
  }
  if (settings.has("marker")) {
    std::string path = settings.text("marker");
    rename_marker(path);
    settings.set("marker", path);
  }
  if (auto markers = settings.names("markers"); !markers.empty()) {
    for (std::string& path : markers) rename_marker(path);
    settings.set("markers", markers);
  }
}

// A pair that names a beam is one for each of its nodes that carry shapes.
void BeamReader::rename_pairs() {
  std::vector<PairModel> pairs;
  const auto carriers = [&](const std::string& name, const std::string& shape) {
    std::vector<std::string> names;
    const Expanded* beam = find(name);
    if (!beam) return std::vector<std::string>{name};
    for (const int node : beam->nodes) {
      const BodyModel& body = model_.bodies[node - 1];
      const bool has = std::any_of(body.geometry.begin(), body.geometry.end(),
                                   [&](const Geometry& each) { return shape.empty() || each.name == shape; });
      if (has) names.push_back(body.name);
    }
    if (names.empty()) names.push_back(model_.bodies[beam->nodes.front() - 1].name);
    return names;
  };
  for (const PairModel& pair : model_.pairs) {
    const auto first = carriers(pair.bodies[0], pair.shapes[0]), second = carriers(pair.bodies[1], pair.shapes[1]);
    for (const std::string& a : first) {
      for (const std::string& b : second) {
        PairModel each = pair;
        each.bodies = {a, b};
        if (first.size() * second.size() > 1) each.name = fmt::format("{}-{}", pair.name, pairs.size());
        pairs.push_back(std::move(each));
      }
    }
  }
  model_.pairs = std::move(pairs);
}

}  // namespace carom::inline model_io
