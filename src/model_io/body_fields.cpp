#include <cmath>

#include "contact_geometry/shape_description.h"
#include "model_io/field_tables.h"
#include "model_io/sections.h"

namespace carom::inline model_io {
namespace {

using Kind = ParameterKind;

Eigen::Quaterniond turned_by(double angle) {
  return Eigen::Quaterniond(Eigen::AngleAxisd(angle, Eigen::Vector3d::UnitZ()));
}

// Bodies count turns. Markers and shapes need not: one that was turned in code has an orientation alone.
double planar_angle(const BodyModel& body) {
  return body.angle;
}
template <class Part>
double planar_angle(const Part& part) {
  const Eigen::Quaterniond& turn = part.orientation;
  return turned_by(part.angle).coeffs() == turn.coeffs() ? part.angle : 2 * std::atan2(turn.z(), turn.w());
}

template <class Struct>
Field<Struct> orientation_field(const std::string& meaning) {
  return field_by<Struct>(
      {.name = "orientation", .kind = Kind::orientation, .unit = "rad", .meaning = meaning, .default_text = "none"},
      [](const Struct& held, bool planar) {
        const Eigen::Quaterniond& turn = held.orientation;
        return planar ? std::vector<double>{planar_angle(held)}
                      : std::vector<double>{turn.w(), turn.x(), turn.y(), turn.z()};
      },
      [](Struct& held, const Value& value, bool planar) {
        const auto& numbers = std::get<std::vector<double>>(value);
        if (planar) held.angle = numbers[0];
        held.orientation =
            planar ? turned_by(numbers[0]) : Eigen::Quaterniond(numbers[0], numbers[1], numbers[2], numbers[3]);
      });
}

// What has been made of the shapes is not said.
Field<BodyModel> unless(bool BodyModel::*from_shapes, Field<BodyModel> field) {
  field.given = [from_shapes, given = field.given](const BodyModel& body, bool planar) {
    return !(body.*from_shapes) && given(body, planar);
  };
  return field;
}

Value inertia_of(const BodyModel& body, bool planar) {
  const Eigen::Matrix3d& inertia = body.inertia;
  if (planar) return std::vector<double>{inertia(2, 2)};
  std::vector<double> numbers = {inertia(0, 0), inertia(1, 1), inertia(2, 2)};
  if (inertia(0, 1) != 0 || inertia(0, 2) != 0 || inertia(1, 2) != 0)
    numbers.insert(numbers.end(), {inertia(0, 1), inertia(0, 2), inertia(1, 2)});
  return numbers;
}

void set_inertia(BodyModel& body, const Value& value, bool) {
  const auto& given = std::get<std::vector<double>>(value);
  Eigen::Matrix3d& inertia = body.inertia;
  inertia.setIdentity();
  if (given.size() == 1) inertia(2, 2) = given[0];
  if (given.size() >= 3) inertia.diagonal() << given[0], given[1], given[2];
  if (given.size() < 6) return;
  inertia(0, 1) = inertia(1, 0) = given[3];
  inertia(0, 2) = inertia(2, 0) = given[4];
  inertia(1, 2) = inertia(2, 1) = given[5];
}

// A length of a shape.
Field<Geometry> length_field(const std::string& name, const std::string& meaning, const std::string& otherwise = {}) {
  return kept_in(&Geometry::settings, {.name = name,
                                       .unit = "m",
                                       .meaning = meaning,
                                       .default_text = otherwise,
                                       .minimum = 0,
                                       .minimum_allowed = false});
}

std::vector<std::string> shape_names() {
  std::vector<std::string> names;
  for (const auto& shape : shape_catalogue<3>()) names.push_back(shape.name);
  for (const auto& shape : shape_catalogue<2>()) {
    if (!find_shape<3>(shape.name)) names.push_back(shape.name);
  }
  return names;
}

Fields<Geometry> sizes_of_shapes() {
  return {
      length_field(
          "radius",
          "of sphere, cylinder, capsule, cone, inner_race, of the ring of a torus, and of the holes cavity, bore "
          "and outer_race"),
      length_field("length", "of cylinder, capsule and bore, along z; of a capsule in a planar model along x"),
      length_field("groove_radius",
                   "of inner_race and outer_race: of their groove, in the section through the axis of the bearing"),
      length_field("width", "of a slot or groove, between its walls: of a slot along y, in space along x"),
      length_field("height", "of a slot in space, between its walls along y", "the width"),
      kept_in(&Geometry::settings, {.name = "size",
                                    .kind = Kind::numbers,
                                    .unit = "m",
                                    .meaning = "edges of a box, or axes (diameters) of an ellipsoid, along x, y and z; "
                                               "z may be left out in a planar model",
                                    .minimum = 0,
                                    .minimum_allowed = false}),
      kept_in(&Geometry::settings, {.name = "points",
                                    .kind = Kind::points,
                                    .unit = "m",
                                    .meaning = "of a profile, in order, with the material on the left; closed ones in "
                                               "either sense; of the middle of a groove; of a hull, in any order"}),
      kept_in(&Geometry::settings, {.name = "closed",
                                    .kind = Kind::boolean,
                                    .meaning = "whether a profile or groove returns to its first point",
                                    .default_text = "true"})};
}

// Keys that single shapes have alone.
template <int D>
void add_own_sizes(const std::vector<ShapeDescription<D>>& shapes, Fields<Geometry>& fields) {
  for (const ShapeDescription<D>& shape : shapes) {
    for (const ParameterDescription& row : shape.keys) {
      if (!find_row(fields.rows(), row.name)) fields.add(kept_in(&Geometry::settings, row));
    }
  }
}

}  // namespace

Field<BodyModel> velocity_field(const std::string& meaning) {
  Field<BodyModel> result =
      field(&BodyModel::velocity, {.name = "velocity", .unit = "m/s", .meaning = meaning, .default_text = "{}"});
  result.set = [](BodyModel& body, const Value& value, bool planar) {
    Held<Eigen::Vector3d>::set(body.velocity, value, planar);
    body.velocity_given = true;
  };
  result.given = [](const BodyModel& body, bool) { return body.velocity_given || !body.velocity.isZero(0); };
  return result;
}

Field<BodyModel> angular_velocity_field(const std::string& meaning) {
  Field<BodyModel> result = field_by<BodyModel>(
      {.name = "angular_velocity",
       .kind = Kind::angular_velocity,
       .unit = "rad/s",
       .meaning = meaning,
       .default_text = "{}"},
      [](const BodyModel& body, bool planar) {
        return planar ? Value(std::vector<double>{body.angular_velocity.z()})
                      : Held<Eigen::Vector3d>::get(body.angular_velocity, false);
      },
      [](BodyModel& body, const Value& value, bool planar) {
        const auto& numbers = std::get<std::vector<double>>(value);
        if (planar) body.angular_velocity.z() = numbers[0];
        if (!planar) Held<Eigen::Vector3d>::set(body.angular_velocity, value, false);
        body.angular_velocity_given = true;
      });
  result.given = [](const BodyModel& body, bool) {
    return body.angular_velocity_given || !body.angular_velocity.isZero(0);
  };
  return result;
}

const Fields<BodyModel>& body_fields() {
  using B = BodyModel;
  static const Fields<B> all = {
      field(&B::name,
            {.name = "name", .meaning = "unique; `ground` is reserved; without any of . : * ? /", .required = true}),
      unless(&B::mass_from_shapes, always(field(&B::mass, {.name = "mass",
                                                           .unit = "kg",
                                                           .meaning = "mass",
                                                           .default_text = "from the shapes and their densities",
                                                           .minimum = 0,
                                                           .minimum_allowed = false}))),
      unless(&B::inertia_from_shapes,
             always(field_by<B>({.name = "inertia",
                                 .kind = Kind::inertia,
                                 .unit = "kg m^2",
                                 .meaning = "about the mass centre, in body axes; planar: one number; spatial: Ixx, "
                                            "Iyy, Izz and, if they are not zero, the entries Ixy, Ixz, Iyz of the "
                                            "inertia matrix",
                                 .default_text = "from the shapes and their densities"},
                                inertia_of, set_inertia))),
      field(&B::position,
            {.name = "position", .unit = "m", .meaning = "of the origin, world axes", .default_text = "{}"}),
      orientation_field<B>("planar: angle; spatial: quaternion [w, x, y, z] or { axis = […], angle = … }"),
      unless(&B::center_from_shapes,
             field(&B::center_of_mass, {.name = "center_of_mass",
                                        .unit = "m",
                                        .meaning = "mass centre, body axes",
                                        .default_text = "from the shapes where the mass is; otherwise the origin"})),
      field(&B::density,
            {.name = "density",
             .unit = "kg/m^3",
             .meaning = "of its shapes, from which mass, inertia and mass centre follow where they are not "
                        "given; a `density` of a shape comes first",
             .default_text = "those of the materials of the shapes",
             .minimum = 0,
             .minimum_allowed = false}),
      field(&B::thickness, {.name = "thickness",
                            .unit = "m",
                            .meaning = "of its shapes across the plane of a planar model, for mass from shapes",
                            .minimum = 0,
                            .minimum_allowed = false}),
      velocity_field("of the mass centre, world axes"),
      angular_velocity_field("planar: one number; spatial: world axes")};
  return all;
}

const Fields<Marker>& marker_fields() {
  static const Fields<Marker> all = {
      field(&Marker::name, {.name = "name", .meaning = "unique; without any of . : * ? /", .required = true}),
      field(&Marker::position, {.name = "position", .unit = "m", .meaning = "body axes", .default_text = "{}"}),
      orientation_field<Marker>("against the body axes")};
  return all;
}

const Fields<Geometry>& geometry_fields() {
  using G = Geometry;
  static const Fields<G> all = [] {
    Fields<G> fields = {
        field(&G::shape, {.name = "shape", .meaning = "kind of shape", .required = true, .choices = shape_names()}),
        field(&G::name, {.name = "name", .meaning = "unique on its body, for [[pair]]; without any of . : * ? /"}),
        field(&G::material,
              {.name = "material", .kind = Kind::material, .meaning = "what it is made of, for contact"})};
    fields.add(sizes_of_shapes());
    add_own_sizes(shape_catalogue<2>(), fields);
    add_own_sizes(shape_catalogue<3>(), fields);
    fields.add(field(&G::position, {.name = "position", .unit = "m", .meaning = "body axes", .default_text = "{}"}));
    fields.add(orientation_field<G>("against the body axes"));
    fields.add(field(&G::visual, {.name = "visual",
                                  .meaning = "drawn only: the shape touches nothing, and no [[pair]] may name it",
                                  .default_text = "{}"}));
    fields.add(
        kept_in(&G::settings, {.name = "density",
                               .unit = "kg/m^3",
                               .meaning = "for mass from shapes; 0: it weighs nothing",
                               .default_text = "that of the body, otherwise of the material; of what is drawn only: 0",
                               .minimum = 0}));
    fields.add(length_field("thickness", "across the plane of a planar model, for mass from shapes",
                            "the third edge of a box; otherwise that of the body"));
    fields.add(kept_in(&G::settings, {.name = "color", .kind = Kind::text, .meaning = "such as \"#4080c0\""}));
    return fields;
  }();
  return all;
}

const Fields<GridModel>& grid_fields() {
  using G = GridModel;
  static const Fields<G> all = {
      field(&G::count,
            {.name = "count", .kind = Kind::counts, .meaning = "of places along x, y and, in space, z", .minimum = 1}),
      field(&G::spacing, {.name = "spacing", .unit = "m", .meaning = "of the places along each axis"}),
      field(&G::total, {.name = "total",
                        .kind = Kind::integer,
                        .meaning = "of copies: only the first so many places are taken, x fastest, then y, then z; of "
                                   "a chain its links",
                        .default_text = "all",
                        .minimum = 1}),
      field(&G::jitter,
            {.name = "jitter",
             .unit = "m",
             .meaning = "farthest displacement of each coordinate of each copy, pseudo-random and evenly distributed",
             .default_text = "{}",
             .minimum = 0}),
      field(&G::seed, {.name = "seed",
                       .kind = Kind::integer,
                       .meaning = "start of the pseudo-random sequence; the same number gives the same places",
                       .default_text = "{}",
                       .minimum = 0,
                       .maximum = 9007199254740992}),  // 2^53: whole numbers up to it are exact
      field(&G::points,
            {.name = "points",
             .unit = "m",
             .meaning = "the way of a chain, world axes, instead of `count` and `spacing`; the copies are its "
                        "links, x along each"}),
      field(&G::radii, {.name = "radii",
                        .unit = "m",
                        .meaning = "of circles about the points that the way runs round: positive counter-clockwise, "
                                   "negative clockwise, 0 through the point; planar",
                        .default_text = "none"}),
      field(&G::pitch, {.name = "pitch",
                        .unit = "m",
                        .meaning = "length of a link of a chain, from joint to joint",
                        .minimum = 0,
                        .minimum_allowed = false}),
      field(&G::joint,
            {.name = "joint",
             .kind = Kind::choice,
             .meaning = "type of the joints between neighbours: halfway between the places of a lattice, and "
                        "where the links of a chain meet",
             .default_text = "none",
             .choices = {"revolute", "spherical", "fixed"}})};
  return all;
}

}  // namespace carom::inline model_io
