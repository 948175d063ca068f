#include "scene_builder.h"

#include <algorithm>
#include <cmath>
#include <map>

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
    case Kind::torus:
      return "torus";
    case Kind::groove:
      return "groove";
    case Kind::mesh:
      return solid.as_hull ? "hull" : "mesh";
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
  if (kind == Kind::torus) made.half.x() = size * random_.between(0.1, 0.6);
  if (kind == Kind::mesh) make_mesh(made, size);
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

// From an outline that is seen whole from its middle, up and down by `half`; `cone`: the upper one is smaller.
void SceneBuilder::make_prism(Solid& made, const std::vector<Vector2d>& outline, double half, double cone) {
  const int count = static_cast<int>(outline.size());
  for (const double side : {-1.0, 1.0}) {
    const double scale = side < 0 ? 1 : cone;
    for (const Vector2d& point : outline) made.points.emplace_back(scale * point.x(), scale * point.y(), side * half);
    made.points.emplace_back(0, 0, side * half);
  }
  for (int k = 0; k < count; ++k) {
    const int next = (k + 1) % count, up = count + 1;
    made.triangles.push_back({count, next, k});
    made.triangles.push_back({up + count, up + k, up + next});
    made.triangles.push_back({k, next, up + next});
    made.triangles.push_back({k, up + next, up + k});
  }
}

// Stars and brackets, rings, balls with spikes and dents, plates. `radius`: half of how thick they are at the least, of
// rings less.
void SceneBuilder::make_mesh(Solid& made, double size) {
  const int style = random_.below(5);
  if (style < 2) {
    const int count = style == 0 ? 3 + random_.below(3) : 2 * (3 + random_.below(4));
    std::vector<Vector2d> outline;
    for (int k = 0; k < count; ++k) {
      const double angle = 2 * M_PI * (k + random_.between(-0.2, 0.2)) / count;
      const double r = size * (style == 0 ? 1 : k % 2 == 0 ? random_.between(0.8, 1) : random_.between(0.25, 0.5));
      outline.emplace_back(r * std::cos(angle), r * std::sin(angle));
    }
    const double half = size * random_.decades(-1, 0);
    make_prism(made, outline, half, style == 0 ? 1 : random_.between(0.3, 1));
    made.radius = std::min(half, 0.2 * size);
  } else if (style == 2) {
    // A bracket, seen whole from its inner corner.
    const double leg = random_.between(0.2, 0.4);
    std::vector<Vector2d> outline = {{0, 0}, {1, 0}, {1, leg}, {leg, leg}, {leg, 1}, {0, 1}};
    for (Vector2d& point : outline) point = size * (point - 0.5 * Vector2d(leg, leg));
    make_prism(made, outline, 0.5 * size * random_.decades(-1, 0), 1);
    made.radius = std::min(0.5 * leg * size, std::abs(made.points[0].z()));
  } else if (style == 3) {
    make_ring(made, size);
  } else {
    make_spikes(made, size);
  }
}

void SceneBuilder::make_ring(Solid& made, double size) {
  const int around = 5 + random_.below(6), across = 3 + random_.below(3);
  const double tube = size * random_.between(0.15, 0.35);
  for (int i = 0; i < around; ++i) {
    const double angle = 2 * M_PI * i / around;
    for (int k = 0; k < across; ++k) {
      const double turn = 2 * M_PI * k / across, r = size - tube + tube * std::cos(turn);
      made.points.emplace_back(r * std::cos(angle), r * std::sin(angle), tube * std::sin(turn));
      const int next = (i + 1) % around * across, up = (k + 1) % across;
      made.triangles.push_back({i * across + k, next + k, next + up});
      made.triangles.push_back({i * across + k, next + up, i * across + up});
    }
  }
  made.radius = 0.3 * tube;
  made.inner = tube * std::cos(M_PI / across) * std::cos(M_PI / around);
}

// An octahedron whose sides are cut into four, with corners at different heights.
void SceneBuilder::make_spikes(Solid& made, double size) {
  made.points = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  std::vector<std::array<int, 3>> sides;
  for (const int x : {0, 1}) {
    for (const int y : {2, 3}) {
      for (const int z : {4, 5})
        sides.push_back((x + y + z) % 2 == 0 ? std::array<int, 3>{x, y, z} : std::array<int, 3>{x, z, y});
    }
  }
  std::map<std::pair<int, int>, int> middles;
  const auto middle = [&](int a, int b) {
    const auto [entry, fresh] = middles.emplace(std::minmax(a, b), static_cast<int>(made.points.size()));
    if (fresh) made.points.push_back((made.points[a] + made.points[b]).normalized());
    return entry->second;
  };
  for (const auto& [p, q, r] : sides) {
    const int a = middle(p, q), b = middle(q, r), c = middle(r, p);
    for (const std::array<int, 3>& part : {std::array{p, a, c}, {q, b, a}, {r, c, b}, {a, b, c}})
      made.triangles.push_back(part);
  }
  for (Vector3d& point : made.points) point *= size * random_.between(0.35, 1);
  made.radius = 0.2 * size;
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
  if (made.kind == Kind::torus) geometry.settings.set("tube_radius", made.half.x());
  if (made.kind == Kind::mesh && made.as_hull) geometry.settings.set("points", made.points);
  if (made.kind == Kind::mesh && !made.as_hull) {
    std::string text;
    for (const Vector3d& point : made.points)
      text += fmt::format("v {:.17g} {:.17g} {:.17g}\n", point.x(), point.y(), point.z());
    for (const auto& t : made.triangles) text += fmt::format("f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1);
    geometry.settings.set("file", ModelFile{"part.obj", std::make_shared<const std::string>(text)});
    geometry.settings.set("unit", 1.0);
  }
  if (made.kind == Kind::cone) geometry.settings.set("top_radius", made.half.x());
  if (made.kind == Kind::slot) {
    geometry.settings.set("width", 2 * (planar() ? made.half.y() : made.half.x()));
    geometry.settings.set("height", 2 * made.half.y());
  }
  if (made.kind == Kind::groove) {
    constexpr int count = 240;
    std::vector<Vector3d> points;
    for (int k = 0; k < count; ++k) {
      const double angle = 2 * M_PI * k / count, r = made.length * (1 + made.height * std::cos(made.waves * angle));
      points.emplace_back(r * std::cos(angle), r * std::sin(angle), 0);
    }
    geometry.settings.set("points", points);
    geometry.settings.set("width", 2 * made.radius);
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
