#include "model_io/expand_rolling_bearing.h"

#include <cmath>

#include <fmt/format.h>

#include "bearings/balls_as_bodies.h"
#include "model/ring_frames.h"
#include "model_io/read_race_faults.h"

namespace carom::inline model_io {
namespace {

using Eigen::Vector3d;

// Its names: NAME-outer, NAME-inner are the races, of further lines of contact NAME-outer2, …; NAME-ball1, … the balls
// of all rows; NAME-outer1, … the pairs of a ball with them, those of second lines with numbers after those of all
// balls.
class Expansion {
 public:
  Expansion(Model& model, BearingModel& bearing, const RollingGeometry& geometry)
      : model_(model),
        bearing_(bearing),
        settings_(bearing.element.settings),
        geometry_(geometry),
        balls_(geometry, bearing.rolling_start),
        place_(attach_rings(model, settings_)) {}

  void make() {
    bearing_.ball_radius = geometry_.element_diameter / 2;
    bearing_.outer_radius = balls_.lines().front().outer.bottom();
    bearing_.inner_radius = balls_.lines().front().inner.bottom();
    const int lines = static_cast<int>(balls_.lines().size());
    for (int line = 0; line < lines; ++line) {
      add_race(line, 0);
      add_race(line, 1);
    }
    const RingStates rings = in_file();
    for (int k = 0; k < balls_.balls(); ++k) add_ball(rings, k);
    for (int line = 0; line < lines; ++line) {
      for (int k = 0; k < geometry_.elements; ++k) add_ball_pairs(line, k);
    }
    for (std::size_t row = 0; row < geometry_.rows.size(); ++row) add_cage(rings, static_cast<int>(row));
  }

 private:
  std::string part(const std::string& name, int index) const {
    return fmt::format("{}-{}{}", bearing_.element.name, name, index + 1);
  }
  std::string race_name(int line, int side) const {
    const std::string name = bearing_.element.name + (side == 0 ? "-outer" : "-inner");
    return line == 0 ? name : fmt::format("{}-{}", name, line + 1);
  }
  BodyModel& carrier(int side) {
    const int index = place_.at[side].body;
    return index == 0 ? model_.ground : model_.bodies[index - 1];
  }

  // Side 0 has the outer race.
  void add_race(int line, int side) {
    const ContactLine& contact = balls_.lines()[line];
    const GrooveArc& arc = side == 0 ? contact.outer : contact.inner;
    const Attachment& at = place_.at[side];
    BodyModel& body = carrier(side);
    Geometry race;
    race.shape = side == 0 ? "outer_race" : "inner_race";
    race.name = race_name(line, side);
    race.material = settings_.text("material");
    race.position = at.point + body.center_of_mass + arc.along * at.frame.col(2);
    race.orientation = Eigen::Quaterniond(at.frame);
    race.settings.set("radius", arc.bottom());
    race.settings.set("groove_radius", arc.groove_radius);
    race.settings.set("contact_angle", arc.contact_angle);
    make_uneven(bearing_, side == 0 ? Race::outer : Race::inner, contact.row, race.settings);
    body.geometry.push_back(std::move(race));
  }

  BodyModel body_at_start(const std::string& name, double mass, const Vector3d& inertia, const PartState& start) const {
    BodyModel body;
    body.name = name;
    body.mass = mass;
    body.inertia = inertia.asDiagonal();
    body.position = start.position;
    body.orientation = start.orientation;
    body.velocity = start.velocity;
    body.angular_velocity = start.angular_velocity;
    body.where = bearing_.element.where;
    return body;
  }

  // In the configuration of the file; the assembly places them again (simulation/start.cpp).
  void add_ball(const RingStates& rings, int index) {
    BodyModel ball = body_at_start(part("ball", index), geometry_.mass, Vector3d::Constant(geometry_.inertia),
                                   balls_.ball(rings, index));
    Geometry sphere;
    sphere.shape = "sphere";
    sphere.name = "ball";
    sphere.material = settings_.text("ball_material", settings_.text("material"));
    sphere.settings.set("radius", bearing_.ball_radius);
    make_uneven_ball(bearing_, index, sphere.settings);
    ball.geometry.push_back(std::move(sphere));
    model_.bodies.push_back(std::move(ball));
    bearing_.balls.push_back(static_cast<int>(model_.bodies.size()));
  }

  void add_ball_pairs(int line, int seat) {
    const int row = balls_.lines()[line].row, number = line * geometry_.elements + seat;
    const std::string ball = part("ball", row * geometry_.elements + seat), contact = settings_.text("contact");
    add_pair(part("outer", number), {carrier(0).name, ball}, {race_name(line, 0), "ball"}, contact);
    add_pair(part("inner", number), {carrier(1).name, ball}, {race_name(line, 1), "ball"}, contact);
  }

  // The rings where the file has them.
  RingStates in_file() const {
    RingStates rings;
    for (const int side : {0, 1}) {
      const Attachment& at = place_.at[side];
      const BodyModel& body = body_at(model_, at.body);
      RingState& one = side == 0 ? rings.outer : rings.inner;
      one.centre = world_position(model_, at);
      one.axes = body.orientation * at.frame;
      one.velocity = body.velocity;
      one.angular_velocity = body.angular_velocity;
    }
    return rings;
  }

  void add_cage(const RingStates& rings, int row) {
    if (bearing_.cage_type == CageType::rigid) add_rigid_cage(rings, row);
    for (int k = 0; k < geometry_.elements; ++k) {
      const int first = row * geometry_.elements;
      add_neighbours(row, first + k, first + (k + 1) % geometry_.elements);
    }
  }

  std::string cage_name(int row) const {
    return row == 0 ? bearing_.element.name + "-cage" : fmt::format("{}-cage-{}", bearing_.element.name, row + 1);
  }

  void add_rigid_cage(const RingStates& rings, int row) {
    const Settings& cage = bearing_.cage_settings;
    const double about_axis = cage.number("inertia");
    BodyModel body = body_at_start(cage_name(row), cage.number("mass"), {about_axis / 2, about_axis / 2, about_axis},
                                   balls_.cage(rings, row));
    for (int k = 0; k < geometry_.elements; ++k) {
      const double angle = azimuth_of(geometry_, k), radius = geometry_.pitch_diameter / 2;
      Geometry pocket;
      pocket.shape = "cavity";
      pocket.name = fmt::format("pocket{}", k + 1);
      pocket.material = cage.text("material", settings_.text("material"));
      pocket.position = {radius * std::cos(angle), radius * std::sin(angle), 0};
      pocket.settings.set("radius", bearing_.ball_radius + cage.number("pocket_clearance"));
      body.geometry.push_back(std::move(pocket));
    }
    model_.bodies.push_back(std::move(body));
    if (row == 0) bearing_.cage = static_cast<int>(model_.bodies.size());  // those of further rows come next
  }

  // What keeps a ball from the next one of its row.
  void add_neighbours(int row, int index, int next_index) {
    const Settings& cage = bearing_.cage_settings;
    const std::string contact = cage.text("contact", settings_.text("contact"));
    const std::string ball = part("ball", index), next = part("ball", next_index);
    if (bearing_.cage_type == CageType::none)
      return add_pair(part("neighbours", index), {ball, next}, {"ball", "ball"}, contact);
    if (bearing_.cage_type == CageType::rigid)
      return add_pair(part("pocket", index), {cage_name(row), ball},
                      {fmt::format("pocket{}", index % geometry_.elements + 1), "ball"}, contact);
    ElementModel spring;
    spring.name = part("cage", index);
    spring.type = "spring";
    spring.where = bearing_.element.where;
    spring.settings.set("bodies", std::vector{ball, next});
    spring.settings.set("points", std::vector<Vector3d>(2, Vector3d::Zero()));
    spring.settings.set("stiffness", cage.number("stiffness"));
    spring.settings.set("damping", cage.number("damping"));
    spring.settings.set("free_length", geometry_.pitch_diameter * std::sin(M_PI / geometry_.elements));
    model_.forces.push_back(std::move(spring));
  }

  void add_pair(const std::string& name, const std::array<std::string, 2>& bodies,
                const std::array<std::string, 2>& shapes, const std::string& contact) {
    PairModel pair;
    pair.name = name;
    pair.bodies = bodies;
    pair.shapes = shapes;
    pair.contact = contact;
    pair.allow_initial_penetration = true;  // of a preload
    pair.bearing = bearing_.element.name;
    pair.where = bearing_.element.where;
    model_.pairs.push_back(std::move(pair));
  }

  Model& model_;
  BearingModel& bearing_;
  const Settings settings_;
  RollingGeometry geometry_;
  BallsBetweenRings balls_;
  AttachmentPair place_;
};

}  // namespace

void expand_rolling_bearing(Model& model, BearingModel& bearing) {
  RollingGeometry geometry = rolling_geometry(model, bearing);
  const double modulus = geometry.composite_modulus[0];
  if (geometry.preload > 0 && !(modulus > 0 && std::isfinite(modulus))) return;
  Expansion(model, bearing, geometry).make();
}

}  // namespace carom::inline model_io
