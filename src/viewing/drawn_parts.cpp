#include "viewing/drawn_parts.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/color.h"
#include "contact_geometry/profile.h"
#include "contact_geometry/shape_description.h"
#include "contacts/shape_of.h"
#include "joints/joint.h"
#include "model/attachment.h"
#include "viewing/bearing_solids.h"
#include "viewing/cut_planes.h"

namespace carom::inline viewing {
namespace {

constexpr double stroke_length = 0.028;  // of hatching, of the extent
constexpr double plane_margin = 0.05;    // by which planes reach beyond the box, of the extent
constexpr double carried_plane = 0.25;   // how far those of moving bodies reach from their origin, of the extent

struct Sizes {
  double extent = 1;  // m, of the whole scene
  int sides = 32;
};

// Ground: a line along x with strokes of this length below it, `side` = 1, or above.
Solid hatched_line(double from, double to, double stroke, double side) {
  const int strokes = std::clamp(static_cast<int>((to - from) / stroke), 4, 60);
  const double step = (to - from) / strokes;
  Solid solid = flat_solid({{from, 0}, {to, 0}}, false);
  for (int k = 1; k <= strokes; ++k) {
    const double x = from + k * step;
    append(solid, flat_solid({{x, 0}, {x - 0.7 * stroke, -side * stroke}}, false));
  }
  solid.hollow = true;
  return solid;
}

Solid hole(Solid solid) {
  solid.hollow = true;
  return solid;
}

// Of a shape that brings its own surface.
template <int D>
std::optional<ShapeSurface> surface_of(const Geometry& geometry, int sides) {
  const ShapeDescription<D>* const shape = find_shape<D>(geometry.shape);
  if (!shape || !shape->surface) return std::nullopt;
  return shape->surface(sized_shape<D>(geometry, shape->kind), sides);
}

template <int D>
std::optional<Solid> own_surface(const Geometry& geometry, const Sizes& sizes) {
  std::optional<ShapeSurface> surface = surface_of<D>(geometry, sizes.sides);
  if (!surface) return std::nullopt;
  Solid solid{.points = std::move(surface->points), .faces = std::move(surface->faces), .edges = surface->lines};
  solid.hollow = solid.faces.empty();
  if (!solid.edges.empty()) return solid;  // it knows its own
  if (D == 3) {
    solid.edges = crease_lines(solid);
    return solid;
  }
  for (std::vector<int> edge : solid.faces) {
    edge.push_back(edge.front());
    solid.edges.push_back(std::move(edge));
  }
  return solid;
}

Solid planar_shape(const Geometry& geometry, const Sizes& sizes) {
  if (auto own = own_surface<2>(geometry, sizes)) return std::move(*own);
  const double radius = geometry.settings.number("radius"), length = geometry.settings.number("length");
  const std::string& shape = geometry.shape;
  if (shape == "box") {
    const Eigen::Vector3d half = geometry.settings.vector("size") / 2;
    return flat_solid({{-half.x(), -half.y()}, {half.x(), -half.y()}, {half.x(), half.y()}, {-half.x(), half.y()}});
  }
  if (shape == "ellipsoid") {
    Solid solid = flat_solid(circle_points(1, std::max(sizes.sides, 48)));
    append(solid, flat_solid({{0, 0}, {1, 0}}, false));  // shows how it turns
    return stretched(std::move(solid), geometry.settings.vector("size") / 2);
  }
  if (shape == "capsule") return flat_solid(stadium_points({-length / 2, 0}, {length / 2, 0}, radius, sizes.sides));
  if (shape == "profile") return flat_solid(profile_outline(geometry), geometry.settings.boolean("closed", true));
  if (shape == "slot") {
    const double half = geometry.settings.number("width") / 2;
    const double reach = 0.3 * sizes.extent, stroke = stroke_length * sizes.extent;
    Solid low = hatched_line(-reach, reach, stroke, 1), high = hatched_line(-reach, reach, stroke, -1);
    place(low, {0, -half, 0}, Eigen::Quaterniond::Identity());
    place(high, {0, half, 0}, Eigen::Quaterniond::Identity());
    append(low, high);
    return low;
  }
  if (shape == "sphere" || shape == "cylinder") {
    Solid solid = flat_solid(circle_points(radius, sizes.sides));
    append(solid, flat_solid({{0, 0}, {radius, 0}}, false));  // shows how it turns
    solid.ball_radius = radius;
    return solid;
  }
  return hole(flat_solid(circle_points(radius, std::max(sizes.sides, 64))));  // cavity, bore, race
}

Solid spatial_shape(const Geometry& geometry, const Sizes& sizes) {
  if (auto own = own_surface<3>(geometry, sizes)) return std::move(*own);
  const double radius = geometry.settings.number("radius"), length = geometry.settings.number("length");
  const std::string& shape = geometry.shape;
  if (shape == "box") return box_solid(geometry.settings.vector("size"));
  if (shape == "ellipsoid") return stretched(ball_solid(1, 2 * sizes.sides), geometry.settings.vector("size") / 2);
  if (shape == "cylinder") return cylinder_solid(radius, length, sizes.sides);
  if (shape == "capsule") return capsule_solid(radius, length, sizes.sides);
  if (shape == "bore") return hole(cylinder_solid(radius, length, sizes.sides, false));
  if (shape == "slot") {
    const double width = geometry.settings.number("width"), height = geometry.settings.number("height", width);
    return hole(box_solid({width, height, 0.6 * sizes.extent}));
  }
  Solid ball = ball_solid(radius, sizes.sides);
  return shape == "cavity" ? hole(std::move(ball)) : ball;
}

// A cylinder or box with the mass and the inertia of the body: a flat one for a wheel, a long one for a rod.
std::optional<Solid> inertia_solid(const BodyModel& body, const Sizes& sizes) {
  const Eigen::Vector3d inertia = body.inertia.diagonal();
  if (!(body.mass > 0)) return std::nullopt;
  const double x = inertia.x(), y = inertia.y(), z = inertia.z(), largest = 0.4 * sizes.extent;
  if (std::abs(x - y) <= 0.05 * std::max(x, y) && z > 1.2 * x) {
    const double radius = std::sqrt(2 * z / body.mass);
    if (radius > largest) return std::nullopt;
    const double length = std::max(std::sqrt(std::max(12 * (x - z / 2) / body.mass, 0.0)), 0.12 * radius);
    return cylinder_solid(radius, length, sizes.sides);
  }
  const auto side = [&](double a, double b, double c) { return std::sqrt(std::max(6 * (a + b - c) / body.mass, 0.0)); };
  const Eigen::Vector3d size(side(y, z, x), side(x, z, y), side(x, y, z));
  const double longest = size.maxCoeff();
  if (longest > 2 * largest || !(longest > 0)) return std::nullopt;
  return box_solid(size.cwiseMax(0.04 * longest));
}

std::vector<Eigen::Vector3d> distinct(const std::vector<Eigen::Vector3d>& points, double tolerance) {
  std::vector<Eigen::Vector3d> kept;
  for (const Eigen::Vector3d& point : points) {
    const auto near = [&](const Eigen::Vector3d& other) { return (other - point).norm() <= tolerance; };
    if (std::none_of(kept.begin(), kept.end(), near)) kept.push_back(point);
  }
  return kept;
}

Solid planar_link(const BodyModel& body, std::vector<Eigen::Vector3d> points, double thickness) {
  if (points.size() == 1 && (points.front() - body.center_of_mass).norm() > thickness)
    points.push_back(body.center_of_mass);
  if (points.size() < 2) {
    const Eigen::Vector3d at = points.empty() ? body.center_of_mass : points.front();
    return flat_solid(circle_points(1.6 * thickness, 24, at.head<2>()));
  }
  FlatPoints all;
  for (const Eigen::Vector3d& point : points) {
    const FlatPoints around = circle_points(thickness, 16, point.head<2>());
    all.insert(all.end(), around.begin(), around.end());
  }
  return flat_solid(hull_points(std::move(all)));
}

std::vector<Solid> spatial_link(const BodyModel& body, const std::vector<Eigen::Vector3d>& points, const Sizes& sizes,
                                double thickness) {
  Solid mark = inertia_solid(body, sizes).value_or(ball_solid(1.6 * thickness, sizes.sides));
  place(mark, body.center_of_mass, Eigen::Quaterniond::Identity());
  std::vector<Solid> solids = {mark};
  for (const Eigen::Vector3d& point : points) {
    if ((point - body.center_of_mass).norm() > thickness)
      solids.push_back(bar_solid(body.center_of_mass, point, 0.6 * thickness, 12));
  }
  return solids;
}

// How far a bounded shape reaches from its place; 0 for others, and for profiles.
double reach_of(const Geometry& geometry) {
  if (geometry.shape == "plane" || geometry.shape == "slot") return 0;
  if (geometry.settings.has("size")) return geometry.settings.vector("size").norm() / 2;
  return geometry.settings.number("radius") + geometry.settings.number("length") / 2;
}

// A ball in body axes that holds a joint or a bounded shape.
struct Ball {
  Eigen::Vector3d center;
  double radius = 0;
};

// The lines of joints that a body carries.
std::vector<DrawnPart> line_parts(const Model& model, int body) {
  std::vector<DrawnPart> parts;
  for (const ElementModel& joint : model.joints) {
    for (const JointLine& line : joint_lines(model, joint)) {
      if (attach_pair(model, joint.settings).at[0].body != body) continue;
      FlatPoints points;
      for (const Eigen::Vector3d& point : line) points.emplace_back(point.head<2>());
      Solid solid = flat_solid(points, false);
      for (std::size_t k = 0; k < line.size(); ++k) solid.points[k].z() = line[k].z();
      parts.push_back({.body = body, .color = {}, .solid = hole(std::move(solid))});
    }
  }
  return parts;
}

std::vector<Ball> balls_of(const Model& model, int index) {
  const BodyModel& body = body_at(model, index);
  std::vector<Ball> balls;
  if (index > 0) balls.push_back({body.center_of_mass});
  for (const Eigen::Vector3d& point : held_points(model, index)) balls.push_back({point});
  for (const BearingModel& bearing : model.bearings) {
    if (!bearing.is_element) continue;
    for (const Attachment& at : attach_pair(model, bearing.element.settings).at) {
      if (at.body == index) balls.push_back({at.point + body_at(model, index).center_of_mass, bearing_reach(bearing)});
    }
  }
  for (const DrawnPart& part : line_parts(model, index)) {
    for (const Eigen::Vector3d& point : part.solid.points) balls.push_back({point});
  }
  constexpr int coarse = 16;  // sides of what is round
  for (const Geometry& geometry : body.geometry) {
    if (const auto surface = model.planar ? surface_of<2>(geometry, coarse) : surface_of<3>(geometry, coarse)) {
      Eigen::AlignedBox3d box;
      for (const Eigen::Vector3d& point : surface->points) box.extend(point);
      for (int k = 0; k < 8 && !box.isEmpty(); ++k) {
        const Eigen::Vector3d corner = box.corner(static_cast<Eigen::AlignedBox3d::CornerType>(k));
        balls.push_back({geometry.position + geometry.orientation * corner});
      }
      continue;
    }
    if (const double reach = reach_of(geometry); reach > 0) balls.push_back({geometry.position, reach});
    // Profiles often lie far from their origin.
    for (const Eigen::Vector3d& point : geometry.settings.points("points"))
      balls.push_back({geometry.position + geometry.orientation * point});
  }
  return balls;
}

// As much of a plane as lies along the box, with its body where the file has it; in the axes of the shape.
Solid clipped_plane(const Model& model, int index, const Geometry& geometry, const Eigen::AlignedBox3d& box,
                    const Sizes& sizes) {
  const BodyModel& body = body_at(model, index);
  const Pose pose = index == 0 ? Pose{} : Pose{body.position, body.orientation};
  Eigen::AlignedBox3d along;
  for (int k = 0; k < 8; ++k) {
    const Eigen::Vector3d corner = box.corner(static_cast<Eigen::AlignedBox3d::CornerType>(k));
    const Eigen::Vector3d in_body = pose.turn.conjugate() * (corner - pose.origin);
    along.extend(Eigen::Vector3d(geometry.orientation.conjugate() * (in_body - geometry.position)));
  }
  const double margin = plane_margin * sizes.extent;
  Eigen::Vector3d low = along.min().array() - margin, high = along.max().array() + margin;
  if (index > 0) {  // it is carried about: the whole scene long, it would hide the rest
    low = low.cwiseMax(-carried_plane * sizes.extent);
    high = high.cwiseMin(carried_plane * sizes.extent).cwiseMax(low + Eigen::Vector3d::Constant(margin));
  }
  if (model.planar) return hatched_line(low.x(), high.x(), stroke_length * sizes.extent, 1);
  return hole(flat_solid({{low.x(), low.y()}, {high.x(), low.y()}, {high.x(), high.y()}, {low.x(), high.y()}}));
}

void add_shapes(const Model& model, int index, const Eigen::AlignedBox3d& box, const Sizes& sizes,
                std::vector<DrawnPart>& parts) {
  for (const Geometry& geometry : body_at(model, index).geometry) {
    DrawnPart part{.body = index, .color = parse_color(geometry.settings.text("color")), .solid = {}};
    part.solid = geometry.shape == "plane" ? clipped_plane(model, index, geometry, box, sizes)
                 : model.planar            ? planar_shape(geometry, sizes)
                                           : spatial_shape(geometry, sizes);
    place(part.solid, geometry.position, geometry.orientation);
    parts.push_back(std::move(part));
  }
}

bool is_race(const Geometry& geometry) {
  return geometry.shape == "inner_race" || geometry.shape == "outer_race";
}

}  // namespace

Pose pose_of(const FrameLayout& layout, const float* row, int body) {
  if (body == 0) return {};
  const float* at = row + layout.bodies[static_cast<std::size_t>(body) - 1].place;
  return {{at[0], at[1], at[2]}, Eigen::Quaterniond(at[6], at[3], at[4], at[5]).normalized()};
}

std::vector<Eigen::Vector3d> held_points(const Model& model, int body) {
  std::vector<Eigen::Vector3d> points;
  const Eigen::Vector3d center = body_at(model, body).center_of_mass;
  const auto add = [&](const Settings& settings, bool at_first) {
    if (!settings.has("bodies") && !settings.has("markers")) return;
    const AttachmentPair pair = attach_pair(model, settings);
    for (const std::size_t side : {0, 1}) {
      if (pair.at[side].body == body && (at_first || side == 1)) points.push_back(pair.at[side].point + center);
    }
  };
  for (const ElementModel& joint : model.joints) {
    const JointDescription* type = find_joint(joint.type);
    add(joint.settings, !type || !type->lines);
  }
  for (const BearingModel& bearing : model.bearings) add(bearing.element.settings, true);
  return points;
}

std::vector<DrawnSpring> drawn_springs(const Model& model) {
  std::vector<DrawnSpring> springs;
  const auto end_of = [&](const Attachment& at) {
    return SpringEnd{at.body, at.point + body_at(model, at.body).center_of_mass};
  };
  for (const ElementModel& force : model.forces) {
    const Settings* settings = &force.settings;
    const bool torsion = force.settings.has("joint");
    if (torsion) {
      const std::string joint = force.settings.text("joint").substr(0, force.settings.text("joint").find('.'));
      const auto found = std::find_if(model.joints.begin(), model.joints.end(),
                                      [&](const ElementModel& each) { return each.name == joint; });
      if (found == model.joints.end()) continue;
      settings = &found->settings;
    }
    if (settings->names("bodies").size() != 2 && settings->names("markers").size() != 2) continue;
    const AttachmentPair pair = attach_pair(model, *settings);
    springs.push_back({.kind = torsion                  ? DrawnSpring::Kind::torsion
                               : force.type == "spring" ? DrawnSpring::Kind::coil
                                                        : DrawnSpring::Kind::line,
                       .ends = {end_of(pair.at[0]), end_of(pair.at[1])}});
  }
  return springs;
}

std::vector<JointLine> joint_lines(const Model& model, const ElementModel& joint) {
  const JointDescription* type = find_joint(joint.type);
  if (!type || !type->lines) return {};
  const Attachment first = attach_pair(model, joint.settings).at[0];
  std::vector<JointLine> lines = type->lines(joint.settings, joint.clearance ? &*joint.clearance : nullptr, first);
  for (JointLine& line : lines) {
    for (Eigen::Vector3d& point : line) point += body_at(model, first.body).center_of_mass;
  }
  return lines;
}

Eigen::AlignedBox3d scene_box(const Model& model, const FrameLayout& layout, const std::vector<float>& rows) {
  Eigen::AlignedBox3d box;
  const auto include = [&](const Eigen::Vector3d& middle, double reach) {
    if (!middle.allFinite()) return;
    const Eigen::Vector3d around = model.planar ? Eigen::Vector3d(reach, reach, 0) : Eigen::Vector3d::Constant(reach);
    box.extend(Eigen::Vector3d(middle - around));
    box.extend(Eigen::Vector3d(middle + around));
  };
  const std::size_t width = std::max<std::size_t>(layout.columns.size(), 1);
  for (int body = 0; body <= static_cast<int>(model.bodies.size()); ++body) {
    for (const Ball& ball : balls_of(model, body)) {
      for (std::size_t row = 0; row + width <= rows.size(); row += width)
        include(pose_of(layout, &rows[row], body) * ball.center, ball.radius);
    }
  }
  for (const DrawnSpring& spring : drawn_springs(model)) {
    for (const SpringEnd& end : spring.ends) {
      for (std::size_t row = 0; row + width <= rows.size(); row += width)
        include(pose_of(layout, &rows[row], end.body) * end.point, 0);
    }
  }
  if (box.isEmpty()) box.extend(Eigen::Vector3d(Eigen::Vector3d::Zero()));
  if (!(box.diagonal().norm() > 0)) {
    include(Eigen::Vector3d(box.min()), 0.5);
  }
  return box;
}

std::vector<DrawnPart> drawn_parts(const Model& model, const Eigen::AlignedBox3d& box, int sides) {
  const Sizes sizes{.extent = box.diagonal().norm(), .sides = sides};
  std::vector<DrawnPart> parts;
  std::vector<bool> is_node(model.bodies.size() + 1, false);
  for (const BeamModel& beam : model.beams)
    for (const int node : beam.nodes) is_node[static_cast<std::size_t>(node)] = true;
  const auto add_lines = [&](int index) {
    for (DrawnPart& part : line_parts(model, index)) parts.push_back(std::move(part));
  };
  add_shapes(model, 0, box, sizes, parts);
  cut_planes(model, box, parts);
  add_lines(0);
  for (int index = 1; index <= static_cast<int>(model.bodies.size()); ++index) {
    const BodyModel& body = body_at(model, index);
    // Races are rings; a body that has nothing else is a link between its joints.
    if (std::all_of(body.geometry.begin(), body.geometry.end(), is_race) && !is_node[static_cast<std::size_t>(index)]) {
      const auto points = distinct(held_points(model, index), 1e-6 * sizes.extent);
      const double thickness = 0.014 * sizes.extent;
      if (model.planar) {
        parts.push_back({.body = index, .color = {}, .solid = planar_link(body, points, thickness)});
      } else {
        for (Solid& solid : spatial_link(body, points, sizes, thickness))
          parts.push_back({.body = index, .color = {}, .solid = std::move(solid)});
      }
    }
    add_shapes(model, index, box, sizes, parts);
    add_lines(index);
  }
  if (!model.planar) add_bearings(model, sides, parts);
  return parts;
}

FlatPoints profile_outline(const Geometry& geometry) {
  FlatPoints points, outline;
  for (const Eigen::Vector3d& point : geometry.settings.points("points")) points.emplace_back(point.head<2>());
  const Profile profile = Profile::through(points, geometry.settings.boolean("closed", true));
  const auto count = static_cast<int>(std::clamp<std::size_t>(8 * points.size(), 64, 512));
  for (int k = 0; k <= count; ++k) outline.push_back(profile.at(profile.end() * k / count).position);
  return outline;
}

double beam_radius(const BeamModel& beam) {
  if (beam.section.edge_y > 0) return beam.section.edge_y;
  constexpr double pi = 3.14159265358979323846;
  return std::sqrt(beam.section.area / pi);
}

std::vector<Eigen::Vector3d> element_line(const BeamModel& beam, std::size_t element, const Pose& a, const Pose& b,
                                          int parts) {
  const BeamModel::Element& piece = beam.elements[element];
  const Eigen::Vector3d begin = piece.length * (a.turn * piece.frame_a.col(0)),
                        end = piece.length * (b.turn * piece.frame_b.col(0));
  std::vector<Eigen::Vector3d> points;
  for (int k = 0; k <= parts; ++k) {
    const double s = static_cast<double>(k) / parts, r = 1 - s;
    points.emplace_back(r * r * (1 + 2 * s) * a.origin + s * s * (1 + 2 * r) * b.origin + r * r * s * begin -
                        s * s * r * end);
  }
  return points;
}

}  // namespace carom::inline viewing
