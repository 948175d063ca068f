#include "viewing/scene.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "contact_geometry/shape_description.h"
#include "contacts/shape_of.h"
#include "joints/joint.h"
#include "model/attachment.h"
#include "viewing/bearing_solids.h"
#include "viewing/drawn_parts.h"

namespace carom::inline viewing {
namespace {

constexpr int surface_sides = 48;

using Json = nlohmann::ordered_json;

Json to_json(const Eigen::Vector3d& vector) {
  return {vector.x(), vector.y(), vector.z()};
}

Json to_json(const Eigen::Quaterniond& turn) {
  return {turn.x(), turn.y(), turn.z(), turn.w()};
}

Json outline_of(const Geometry& geometry) {
  Json outline = Json::array();
  for (const Eigen::Vector2d& point : profile_outline(geometry)) outline.push_back({point.x(), point.y()});
  return outline;
}

// Of a shape that brings its own.
Json surface_of(const ShapeSurface& surface) {
  Json points = Json::array();
  for (const Eigen::Vector3d& point : surface.points) points.push_back(to_json(point));
  return {{"points", points}, {"faces", surface.faces}, {"lines", surface.lines}};
}

template <int D>
void add_surface(const Geometry& geometry, Json& json) {
  const ShapeDescription<D>* const shape = find_shape<D>(geometry.shape);
  if (shape && shape->surface)
    json["surface"] = surface_of(shape->surface(sized_shape<D>(geometry, shape->kind), surface_sides));
}

Json describe_geometry(const Geometry& geometry, bool planar) {
  Json json = {{"shape", geometry.shape},
               {"name", geometry.name},
               {"position", to_json(geometry.position)},
               {"turn", to_json(geometry.orientation)}};
  for (const char* key : {"radius", "length", "width", "height"}) {
    if (geometry.settings.has(key)) json[key] = geometry.settings.number(key);
  }
  if (geometry.settings.has("size")) json["size"] = geometry.settings.numbers("size");
  if (geometry.settings.has("color")) json["color"] = geometry.settings.text("color");
  if (geometry.shape == "profile") {
    json["outline"] = outline_of(geometry);
    json["closed"] = geometry.settings.boolean("closed", true);
  }
  planar ? add_surface<2>(geometry, json) : add_surface<3>(geometry, json);
  return json;
}

Json describe_body(const BodyModel& body, bool planar) {
  Json json = {{"name", body.name},
               {"mass", body.mass},
               {"inertia", to_json(Eigen::Vector3d(body.inertia.diagonal()))},
               {"center", to_json(body.center_of_mass)}};
  json["geometry"] = Json::array();
  for (const Geometry& geometry : body.geometry) json["geometry"].push_back(describe_geometry(geometry, planar));
  return json;
}

bool holds_two_bodies(const ElementModel& element) {
  return element.settings.names("bodies").size() == 2 || element.settings.names("markers").size() == 2;
}

// Bodies count from 0 for the ground; points are in body axes from the body's origin.
Json describe_pair(const Model& model, const ElementModel& element) {
  Json json = {{"name", element.name}, {"type", element.type}};
  if (!holds_two_bodies(element)) return json;
  const AttachmentPair pair = attach_pair(model, element.settings);
  json["bodies"] = {pair.at[0].body, pair.at[1].body};
  json["points"] = Json::array();
  json["axes"] = Json::array();
  for (const Attachment& attachment : pair.at) {
    json["points"].push_back(
        to_json(Eigen::Vector3d(attachment.point + body_at(model, attachment.body).center_of_mass)));
    json["axes"].push_back(to_json(Eigen::Quaterniond(attachment.frame)));
  }
  return json;
}

bool has_walls(const Model& model, const ElementModel& joint) {
  const LooseTraits* loose = find_loose(joint.type, model.planar);
  return loose && loose->has_straight_walls;
}

Json describe_joint(const Model& model, const ElementModel& joint) {
  Json json = describe_pair(model, joint);
  for (const JointLine& line : joint_lines(model, joint)) {
    Json points = Json::array();
    for (const Eigen::Vector3d& point : line) points.push_back(to_json(point));
    json["lines"].push_back(std::move(points));
  }
  if (!joint.clearance) return json;
  json["clearance"] = {{"radial", joint.clearance->radial},
                       {"bearing_radius", joint.clearance->bearing_radius},
                       {"length", joint.clearance->length},
                       {"bearing", joint.clearance->bearing_second ? 1 : 0},
                       {"guide", has_walls(model, joint)}};
  return json;
}

Json describe_beam(const BeamModel& beam) {
  Json json = {{"name", beam.name}, {"nodes", beam.nodes}, {"radius", beam_radius(beam)}};
  json["elements"] = Json::array();
  for (const BeamModel::Element& element : beam.elements) {
    json["elements"].push_back({{"length", element.length},
                                {"begin", to_json(Eigen::Vector3d(element.frame_a.col(0)))},
                                {"end", to_json(Eigen::Vector3d(element.frame_b.col(0)))}});
  }
  return json;
}

Json surface_of(const Solid& solid) {
  Json points = Json::array();
  for (const Eigen::Vector3d& point : solid.points) points.push_back(to_json(point));
  return {{"points", points}, {"faces", solid.faces}, {"lines", solid.edges}};
}

Json describe_bearing(const Model& model, std::size_t index) {
  const DrawnBearing drawn = drawn_bearing(model, model.bearings[index], surface_sides);
  Json json = {{"index", index},
               {"name", model.bearings[index].element.name},
               {"bodies", drawn.body},
               {"rings", {surface_of(drawn.ring[0]), surface_of(drawn.ring[1])}},
               {"cage", surface_of(drawn.cage)},
               {"radius", drawn.radius},
               {"length", drawn.length}};
  json["elements"] = Json::array();
  for (const DrawnElement& element : drawn.elements)
    json["elements"].push_back({{"center", to_json(element.center)}, {"axis", to_json(element.axis)}});
  return json;
}

Json describe_parts(const std::vector<FrameLayout::Part>& parts) {
  Json list = Json::array();
  for (const FrameLayout::Part& part : parts) {
    list.push_back({{"index", part.index}, {"place", part.place}, {"count", part.count}});
  }
  return list;
}

// The two bodies of each pair by the name of its group, as body_index counts them; none where a pattern stands for
// many.
std::map<std::string, Json> bodies_of_pairs(const Model& model) {
  std::map<std::string, int> indices = {{"ground", 0}};
  for (const BodyModel& body : model.bodies) indices.emplace(body.name, static_cast<int>(indices.size()));
  std::map<std::string, Json> pairs;
  for (const PairModel& pair : model.pairs) {
    const auto first = indices.find(pair.bodies[0]), second = indices.find(pair.bodies[1]);
    if (first != indices.end() && second != indices.end())
      pairs.emplace("contact:" + pair.name, Json{first->second, second->second});
  }
  return pairs;
}

Json describe_layout(const Model& model, const FrameLayout& layout) {
  Json json = {{"width", layout.columns.size()}};
  json["bodies"] = Json::array();
  for (const FrameLayout::Body& body : layout.bodies) {
    json["bodies"].push_back(
        {{"place", body.place}, {"position", body.position_recorded}, {"turn", body.turn_recorded}});
  }
  json["contacts"] = Json::array();
  const auto pairs = bodies_of_pairs(model);
  for (const FrameLayout::Contact& contact : layout.contacts) {
    const auto pair = pairs.find(contact.group);
    json["contacts"].push_back({{"group", contact.group},
                                {"place", contact.place},
                                {"mean", contact.mean},
                                {"friction", contact.friction},
                                {"area", contact.over_area},
                                {"bodies", pair == pairs.end() ? Json() : pair->second}});
  }
  json["reactions"] = describe_parts(layout.reactions);
  json["eccentricities"] = describe_parts(layout.eccentricities);
  json["stresses"] = describe_parts(layout.stresses);
  json["bearings"] = describe_parts(layout.bearings);
  return json;
}

// What was not recorded and is needed to show the motion, with the remedy.
std::vector<std::string> missing_records(const Viewed& viewed, const FrameLayout& layout) {
  std::vector<std::string> sentences;
  if (!viewed.drawable || viewed.samples->times().empty()) return sentences;
  const auto still = std::count_if(layout.bodies.begin(), layout.bodies.end(),
                                   [](const FrameLayout::Body& body) { return !body.position_recorded; });
  const auto bodies = static_cast<long>(layout.bodies.size());
  if (still > 0) {
    const std::string pattern = viewed.model.planar ? "\"body:*.x\", \"body:*.y\", \"body:*.angle\""
                                                    : "\"body:*.x\", \"body:*.y\", \"body:*.z\", \"body:*.q*\"";
    sentences.push_back((still == bodies
                             ? std::string("No position of a body was recorded, so nothing moves")
                             : "The positions of " + std::to_string(still) + " of " + std::to_string(bodies) +
                                   " bodies were not recorded, so they stand still") +
                        ". Add " + pattern + " to output.record and run the model again.");
  }
  return sentences;
}

bool turns_about_an_axis(const ElementModel& joint) {
  const JointDescription* type = find_joint(joint.type);
  return type && type->ground_dof == GroundDof::rotation;
}

// The time of one turn of the first drive that turns at a constant speed, s; 0: there is none.
double period_of(const Model& model) {
  for (const MotionModel& motion : model.motions) {
    const auto joint = std::find_if(model.joints.begin(), model.joints.end(), [&](const ElementModel& candidate) {
      return motion.joint == candidate.name || motion.joint.starts_with(candidate.name + ".");
    });
    const bool turns = motion.component == BodyCoordinate::angle || motion.joint.ends_with(".rotation") ||
                       (joint != model.joints.end() && turns_about_an_axis(*joint));
    if (!turns || motion.level == MotionLevel::acceleration || !motion.value.signals().empty()) continue;
    const auto speed = [&](double share) {
      const double t = model.solver.start + share * (model.solver.end - model.solver.start);
      return motion.level == MotionLevel::speed ? motion.value.value(t) : motion.value.derivatives(t).first;
    };
    const double first = speed(0.13);
    const bool steady = std::abs(speed(0.37) - first) < 1e-9 * std::abs(first) &&
                        std::abs(speed(0.71) - first) < 1e-9 * std::abs(first);
    if (steady) return 2 * std::numbers::pi / std::abs(first);
  }
  return 0;
}

}  // namespace

Json describe_scene(const Viewed& viewed, const FrameLayout& layout) {
  const Model& model = viewed.model;
  const auto& times = viewed.samples->times();
  Json json = {{"kind", viewed.kind},
               {"name", model.name.empty() ? viewed.file : model.name},
               {"file", viewed.file},
               {"status", viewed.status},
               {"drawable", viewed.drawable},
               {"planar", model.planar},
               {"gravity", to_json(model.gravity)},
               {"samples", times.size()},
               {"start", times.empty() ? 0.0 : times.front()},
               {"end", times.empty() ? 0.0 : times.back()},
               {"events", viewed.samples->events().size()},
               {"method", name_of(model.solver.method)},
               {"period", period_of(model)}};
  json["warnings"] = viewed.warnings;
  for (const std::string& sentence : missing_records(viewed, layout)) json["warnings"].push_back(sentence);
  if (times.empty())
    json["warnings"].push_back("The result holds no samples yet. The page shows them as soon as there are some.");
  json["ground"] = describe_body(model.ground, model.planar);
  for (const char* list : {"bodies", "joints", "forces", "beams", "bearings"}) json[list] = Json::array();
  for (const BodyModel& body : model.bodies) json["bodies"].push_back(describe_body(body, model.planar));
  for (const ElementModel& joint : model.joints) json["joints"].push_back(describe_joint(model, joint));
  for (const ElementModel& force : model.forces) json["forces"].push_back(describe_pair(model, force));
  for (const BeamModel& beam : model.beams) json["beams"].push_back(describe_beam(beam));
  for (std::size_t k = 0; k < model.bearings.size(); ++k) {
    if (model.bearings[k].is_element) json["bearings"].push_back(describe_bearing(model, k));
  }
  json["frames"] = describe_layout(model, layout);
  return json;
}

Json describe_quantities(const Viewed& viewed) {
  // Thousands of bodies have the same components; each list of them is written once.
  std::vector<const std::vector<Component>*> lists;
  Json groups = Json::array(), components = Json::array();
  for (const ChannelGroup& group : viewed.samples->groups()) {
    std::size_t index = 0;
    while (index < lists.size() && *lists[index] != group.components) ++index;
    if (index == lists.size()) {
      lists.push_back(&group.components);
      Json list = Json::array();
      for (const Component& component : group.components) {
        list.push_back({{"name", component.name}, {"unit", component.unit}, {"meaning", component.meaning}});
      }
      components.push_back(std::move(list));
    }
    groups.push_back({{"name", group.name}, {"components", index}});
  }
  return {{"components", std::move(components)}, {"groups", std::move(groups)}};
}

}  // namespace carom::inline viewing
