#include "scene_builder.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace carom::check {

namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

const char* shape_name(const Solid& solid) {
  if (solid.race) return solid.kind == Kind::cavity ? "outer_race" : "inner_race";
  switch (solid.kind) {
    case Kind::ball:
      return "sphere";
    case Kind::half_space:
      return "plane";
    case Kind::box:
      return "box";
    case Kind::capsule:
      return "capsule";
    case Kind::cylinder:
      return "cylinder";
    case Kind::cavity:
      return "cavity";
    case Kind::slot:
      return "slot";
    case Kind::bore:
      return "bore";
    case Kind::outline:
      return solid.cornered ? "outline" : "profile";
    case Kind::ellipsoid:
      return "ellipsoid";
    case Kind::cone:
      return "cone";
  }
  return "";
}

}  // namespace

Solid SceneBuilder::solid(Kind kind, double size) {
  Solid made;
  made.kind = kind, made.planar = planar();
  made.radius = size;
  made.length = 0;
  // Thin ones, too.
  for (int k = 0; k < 3; ++k) made.half[k] = size * random_.decades(-1.5, 0);
  if (kind == Kind::capsule) made.length = size * random_.between(0.1, 4), made.radius = size * random_.decades(-1, 0);
  if (kind == Kind::cylinder || kind == Kind::bore || kind == Kind::cone) made.length = size * random_.between(0.2, 3);
  if (kind == Kind::outline) {
    // Wheels with many teeth, too.
    const bool toothed = random_.with(0.25);
    const int lobes = toothed ? 8 + random_.below(18) : random_.below(4), count = std::max(160, 24 * lobes);
    const double wave = toothed ? 8.0 / (lobes * lobes) : lobes < 2 ? 0.1 : random_.between(0.02, 0.15);
    for (int k = 0; k < count; ++k) {
      const double angle = 2 * M_PI * k / count, r = size * (1 + wave * std::cos(lobes * angle));
      made.outline.emplace_back(r * std::cos(angle), r * std::sin(angle));
    }
    if (cornered_) make_corners(made, size);
  }
  return made;
}

// A star with true corners, blunt ones and notches.
void SceneBuilder::make_corners(Solid& made, double size) {
  made.cornered = true;
  made.outline.clear();
  const int count = 4 + random_.below(20);
  for (int k = 0; k < count; ++k) {
    const double angle = 2 * M_PI * (k + random_.between(-0.2, 0.2)) / count, r = size * random_.between(0.65, 1);
    made.outline.emplace_back(r * std::cos(angle), r * std::sin(angle));
  }
}

Eigen::Quaterniond SceneBuilder::orientation() {
  const double angle = random_.between(-M_PI, M_PI);
  return Eigen::Quaterniond(Eigen::AngleAxisd(angle, planar() ? Vector3d(0, 0, 1) : random_.direction(false)));
}

int SceneBuilder::add_body(const Vector3d& position, const Vector3d& velocity, double size) {
  const std::string name = "body" + std::to_string(scene_.model.bodies.size() + 1);
  const double inertia = 0.4 * size * size;
  build::Body body(name, 1, Vector3d(inertia, 1.3 * inertia, 0.9 * inertia));
  const Eigen::Quaterniond turn = orientation();
  body.position = position;
  body.orientation = turn;
  body.angle = planar() ? 2 * std::atan2(turn.z(), turn.w()) : 0;
  body.moving(velocity);
  const double speed = velocity.norm() / size * random_.decades(-2, 0.5);
  body.spinning(planar() ? Vector3d(0, 0, random_.with(0.5) ? speed : -speed)
                         : Vector3d(speed * random_.direction(false)));
  scene_.model.bodies.push_back(body);
  return static_cast<int>(scene_.model.bodies.size());
}

int SceneBuilder::add_solid(Solid made, int on) {
  made.body = on;
  Geometry geometry;
  geometry.shape = shape_name(made);
  geometry.name = "s" + std::to_string(scene_.solids.size());
  geometry.position = made.at;
  geometry.orientation = made.turn;
  geometry.settings.set("radius", made.radius);
  geometry.settings.set("length", made.length);
  if (made.race) geometry.settings.set("groove_radius", 2 * made.radius);
  if (made.kind == Kind::box || made.kind == Kind::ellipsoid) {
    std::vector<double> size = {2 * made.half.x(), 2 * made.half.y()};
    if (!planar()) size.push_back(2 * made.half.z());
    geometry.settings.set("size", size);
  }
  if (made.kind == Kind::cone) geometry.settings.set("top_radius", made.half.x());
  if (made.kind == Kind::slot) {
    geometry.settings.set("width", 2 * (planar() ? made.half.y() : made.half.x()));
    geometry.settings.set("height", 2 * made.half.y());
  }
  if (made.kind == Kind::outline && made.cornered) {
    std::string path;
    for (const Vector2d& point : made.outline)
      path += fmt::format("{} {:.17g} {:.17g} ", path.empty() ? "M" : "L", point.x(), point.y());
    geometry.settings.set("path", path + "Z");
  } else if (made.kind == Kind::outline) {
    std::vector<Vector3d> points;
    for (const Vector2d& point : made.outline) points.emplace_back(point.x(), point.y(), 0);
    geometry.settings.set("points", points);
  }
  body(on).geometry.push_back(geometry);
  scene_.solids.push_back(std::move(made));
  return static_cast<int>(scene_.solids.size()) - 1;
}

void SceneBuilder::meet(int a, int b) {
  PairModel pair;
  pair.name = "meeting" + std::to_string(scene_.meetings.size());
  const Solid &one = scene_.solids[a], &two = scene_.solids[b];
  pair.bodies = {one.body == 0 ? "ground" : body(one.body).name, two.body == 0 ? "ground" : body(two.body).name};
  pair.shapes = {"s" + std::to_string(a), "s" + std::to_string(b)};
  pair.contact = "c" + std::to_string(scene_.meetings.size());
  scene_.model.pairs.push_back(pair);
  scene_.meetings.push_back({a, b, "contact:" + pair.name});
  scene_.what += std::string(scene_.what.empty() ? "" : ", ") + shape_name(one) + "–" + shape_name(two);
}

void SceneBuilder::add_contact(double speed, double size) {
  ContactModel contact;
  contact.name = "c" + std::to_string(scene_.meetings.size() - 1);
  contact.elastic = "linear";
  contact.restitution = random_.between(0.2, 0.9);
  const double depth = 0.03 * size;
  contact.settings.set("stiffness", speed * speed / (depth * depth));
  contact.minimum_speed = 1e-3 * speed;
  scene_.model.contacts.push_back(contact);
  scene_.size = std::min(scene_.size, size);
  scene_.speed = std::max(scene_.speed, speed);
}

void SceneBuilder::let_all_meet(double speed, double size) {
  scene_.meetings.emplace_back();  // which gives the contact its number
  add_contact(speed, size);
  scene_.meetings.pop_back();
  PairModel pair;
  pair.name = "all";
  pair.bodies = {"body*", "body*"};
  pair.contact = scene_.model.contacts.back().name;
  scene_.model.pairs.push_back(pair);
  const auto full_name = [&](int k) { return body(scene_.solids[k].body).name + ".s" + std::to_string(k); };
  for (int a = 0; a < static_cast<int>(scene_.solids.size()); ++a) {
    for (int b = 0; b < a; ++b) {
      const std::string one = full_name(a), two = full_name(b);
      scene_.meetings.push_back(
          {a, b, "contact:all (" + one + " on " + two + ")", "contact:all (" + two + " on " + one + ")"});
    }
  }
  scene_.what += "many spheres";
}

build::Element SceneBuilder::pivot_of(int on) {
  build::Element pivot("pivot" + std::to_string(on), "revolute");
  pivot.between("ground", body(on).name)
      .at(planar() ? std::vector<double>{origin_.x(), origin_.y()}
                   : std::vector<double>{origin_.x(), origin_.y(), origin_.z()});
  if (!planar()) pivot.axis({0, 0, 1});
  return pivot;
}

}  // namespace carom::check
