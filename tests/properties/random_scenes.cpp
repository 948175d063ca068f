#include "random_scenes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "../support/build_model.h"

namespace carom::check {

double Random::next() {
  state_ += 0x9e3779b97f4a7c15u;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

double Random::decades(double low, double high) {
  return std::pow(10, between(low, high));
}

Eigen::Vector3d Random::direction(bool planar) {
  const double angle = between(0, 2 * M_PI), z = planar ? 0 : between(-1, 1), flat = std::sqrt(1 - z * z);
  return {flat * std::cos(angle), flat * std::sin(angle), z};
}

namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;
using Kinds = std::array<Kind, 2>;

std::vector<Kinds> kinds(bool planar) {
  using enum Kind;
  std::vector<Kinds> all = {{ball, ball},       {ball, half_space}, {ball, box}, {box, half_space},    {capsule, ball},
                            {capsule, capsule}, {cavity, ball},     {slot, box}, {capsule, half_space}};
  if (planar) {
    all.insert(all.end(), {{box, box}, {outline, ball}, {outline, half_space}, {outline, outline}, {slot, ball}});
  } else {
    all.insert(all.end(), {{cylinder, half_space}, {bore, cylinder}});
  }
  return all;
}

const char* shape_name(Kind kind) {
  switch (kind) {
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
      return "profile";
  }
  return "";
}

class SceneMaker {
 public:
  explicit SceneMaker(std::uint64_t seed) : random_(seed) {}

  Scene make() {
    const bool planar = random_.with(0.5);
    scene_.model = planar ? build::planar_model({0, 0}) : build::spatial_model({0, 0, 0});
    scene_.model.ground.name = "ground";
    scene_.size = 1e300, scene_.speed = 0;
    const auto possible = kinds(planar);
    const int style = random_.below(4);
    const int groups = random_.with(0.3) ? 2 : 1;
    double end = 0;
    for (int g = 0; g < groups; ++g) {
      origin_ = Vector3d(3.0 * g, 0, 0);
      const Kinds pair = possible[random_.below(static_cast<int>(possible.size()))];
      end = std::max(end, style == 0 && can_swing(pair)   ? swing(pair)
                          : style == 1 && can_swing(pair) ? sweep(pair)
                                                          : pass(pair));
    }
    settle(end);
    return std::move(scene_);
  }

 private:
  bool planar() const { return scene_.model.planar; }
  static bool can_swing(const Kinds& pair) {
    return std::all_of(pair.begin(), pair.end(), [](Kind kind) {
      return kind == Kind::ball || kind == Kind::box || kind == Kind::capsule || kind == Kind::outline;
    });
  }

  Solid solid(Kind kind, double size) {
    Solid made;
    made.kind = kind, made.planar = planar();
    made.radius = size;
    made.length = 0;
    // Thin ones, too.
    for (int k = 0; k < 3; ++k) made.half[k] = size * random_.decades(-1.5, 0);
    if (kind == Kind::capsule)
      made.length = size * random_.between(0.1, 4), made.radius = size * random_.decades(-1, 0);
    if (kind == Kind::cylinder || kind == Kind::bore) made.length = size * random_.between(0.2, 3);
    if (kind == Kind::outline) {
      const int lobes = random_.below(4), count = 160;
      const double wave = lobes < 2 ? 0.1 : random_.between(0.02, 0.15);
      for (int k = 0; k < count; ++k) {
        const double angle = 2 * M_PI * k / count, r = size * (1 + wave * std::cos(lobes * angle));
        made.outline.emplace_back(r * std::cos(angle), r * std::sin(angle));
      }
    }
    return made;
  }

  Eigen::Quaterniond orientation() {
    const double angle = random_.between(-M_PI, M_PI);
    return Eigen::Quaterniond(Eigen::AngleAxisd(angle, planar() ? Vector3d(0, 0, 1) : random_.direction(false)));
  }

  int add_body(const Vector3d& position, const Vector3d& velocity, double size) {
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

  BodyModel& body(int index) { return index == 0 ? scene_.model.ground : scene_.model.bodies[index - 1]; }

  int add_solid(Solid made, int on) {
    made.body = on;
    Geometry geometry;
    geometry.shape = shape_name(made.kind);
    geometry.name = "s" + std::to_string(scene_.solids.size());
    geometry.position = made.at;
    geometry.orientation = made.turn;
    geometry.settings.set("radius", made.radius);
    geometry.settings.set("length", made.length);
    if (made.kind == Kind::box) {
      std::vector<double> size = {2 * made.half.x(), 2 * made.half.y()};
      if (!planar()) size.push_back(2 * made.half.z());
      geometry.settings.set("size", size);
    }
    if (made.kind == Kind::slot) {
      geometry.settings.set("width", 2 * (planar() ? made.half.y() : made.half.x()));
      geometry.settings.set("height", 2 * made.half.y());
    }
    if (made.kind == Kind::outline) {
      std::vector<Vector3d> points;
      for (const Vector2d& point : made.outline) points.emplace_back(point.x(), point.y(), 0);
      geometry.settings.set("points", points);
    }
    body(on).geometry.push_back(geometry);
    scene_.solids.push_back(std::move(made));
    return static_cast<int>(scene_.solids.size()) - 1;
  }

  void meet(int a, int b) {
    PairModel pair;
    pair.name = "meeting" + std::to_string(scene_.meetings.size());
    const Solid &one = scene_.solids[a], &two = scene_.solids[b];
    pair.bodies = {one.body == 0 ? "ground" : body(one.body).name, two.body == 0 ? "ground" : body(two.body).name};
    pair.shapes = {"s" + std::to_string(a), "s" + std::to_string(b)};
    pair.contact = "c" + std::to_string(scene_.meetings.size());
    scene_.model.pairs.push_back(pair);
    scene_.meetings.push_back({a, b, pair.name});
    scene_.what += std::string(scene_.what.empty() ? "" : ", ") + shape_name(one.kind) + "–" + shape_name(two.kind);
  }

  // Stiff enough for shallow contacts at this speed.
  void add_contact(double speed, double size) {
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

  // One flies towards the other, which stands or flies itself; in a hole it starts inside.
  double pass(const Kinds& pair) {
    const double size = random_.decades(-3, 0);
    const double other = std::clamp(size * random_.decades(-1, 1), 1e-3, 1.0), speed = random_.decades(-3, 3);
    Solid first = solid(pair[0], size), second = solid(pair[1], other);
    const bool hole = pair[0] == Kind::cavity || pair[0] == Kind::slot || pair[0] == Kind::bore;
    if (hole) return rattle(std::move(first), std::move(second), speed);
    if (pair[1] == Kind::half_space) return land(std::move(first), std::move(second), size, speed);
    const double apart = (first.extent() + second.extent()) * (1.05 + random_.decades(-2, 1.5));
    const Vector3d way = random_.direction(planar());
    Vector3d across = way.cross(planar() ? Vector3d(0, 0, 1) : Vector3d(random_.direction(false))).normalized();
    across *= random_.between(-1.2, 1.2) * (first.extent() + second.extent());
    // Sometimes past each other with next to nothing between.
    if (pair[0] == Kind::ball && pair[1] == Kind::ball && random_.with(0.3))
      across = across.normalized() * (size + other + random_.decades(-9, -4));
    const Vector3d drift =
        random_.with(0.5) ? Vector3d::Zero() : Vector3d(speed * random_.between(0, 3) * random_.direction(planar()));
    const bool fixed = random_.with(0.3);
    const int target = fixed ? 0 : add_body(origin_, drift, first.extent());
    if (fixed) first.at = origin_;
    const int flier =
        add_body(origin_ - apart * way + across, speed * way + (fixed ? Vector3d::Zero() : drift), second.extent());
    const double width = std::min(first.smallest(), second.smallest());
    meet(add_solid(std::move(first), target), add_solid(std::move(second), flier));
    add_contact(speed, width);
    return apart / speed * random_.between(0.8, 4);
  }

  double land(Solid made, Solid floor, double size, double speed) {
    const Vector3d normal = random_.direction(planar());
    floor.turn = Eigen::Quaterniond::FromTwoVectors(planar() ? Vector3d::UnitY() : Vector3d::UnitZ(), normal);
    if (planar())
      floor.turn = Eigen::Quaterniond(Eigen::AngleAxisd(std::atan2(-normal.x(), normal.y()), Vector3d::UnitZ()));
    floor.at = origin_;
    const double height = made.extent() * (1.001 + random_.decades(-3, 1.5));
    const bool falls = random_.with(0.4);
    Vector3d way = -normal + random_.between(0, 2) * random_.direction(planar());
    way.normalize();
    // Thrown up, it comes back within one long step.
    if (falls) {
      scene_.model.gravity = -0.5 * speed * speed / height * normal * random_.between(0.5, 4);
      if (random_.with(0.5)) way = -way;
    }
    const int flier = add_body(origin_ + height * normal, speed * way, size);
    const double width = made.smallest();
    meet(add_solid(std::move(made), flier), add_solid(std::move(floor), 0));
    add_contact(falls ? 3 * speed : speed, width);
    return height / speed * random_.between(1, 6);
  }

  double rattle(Solid hole, Solid inside, double speed) {
    const double room = hole.radius * random_.decades(-2, -0.2);
    inside.radius = hole.radius - room;
    inside.length = hole.length * random_.between(0.5, 1.2);
    hole.half.setConstant(hole.radius);
    // A block that could turn freely in its slot, and one that cannot.
    inside.half = Vector3d::Constant(inside.radius * (random_.with(0.5) ? 1 : 0.5));
    inside.half[planar() ? 0 : 2] *= random_.between(0.3, 1);
    const bool fixed = random_.with(0.5);
    const Vector3d way = random_.direction(planar());
    const int around = fixed ? 0 : add_body(origin_, Vector3d::Zero(), hole.radius);
    const int within = add_body(origin_, speed * way, hole.radius);
    if (fixed) hole.at = origin_, hole.turn = Eigen::Quaterniond(body(within).orientation);
    if (!fixed) {
      body(around).orientation = body(within).orientation;
      body(around).angle = body(within).angle;
    }
    const double scale = std::min(room, inside.radius);
    if (inside.kind == Kind::box || inside.kind == Kind::cylinder) {
      // Turns that fit the room.
      body(within).angular_velocity *= std::min(1.0, room / hole.radius);
    }
    meet(add_solid(std::move(hole), around), add_solid(std::move(inside), within));
    add_contact(speed, scale);
    return room / speed * random_.between(1, 10);
  }

  // A pendulum over a peg that stands in its way, or just below it.
  double swing(const Kinds& pair) {
    const double size = random_.decades(-3, -0.5), reach = size * random_.between(3, 100);
    Solid bob = solid(pair[0], size), peg = solid(pair[1], std::clamp(size * random_.decades(-1, 0.5), 1e-3, 1.0));
    const double start = random_.between(0.2, 2.5), gravity = 9.81, peg_angle = random_.between(-start, start) * 0.9;
    scene_.model.gravity = planar() ? Vector3d(0, -gravity, 0) : Vector3d(0, -gravity, 0);
    const auto at = [&](double angle, double r) -> Vector3d {
      return origin_ + r * Vector3d(std::sin(angle), -std::cos(angle), 0);
    };
    const int swinging = add_body(at(start, reach), Vector3d::Zero(), size);
    body(swinging).angular_velocity.setZero();
    build::Element pivot("pivot" + std::to_string(swinging), "revolute");
    pivot.between("ground", body(swinging).name)
        .at(planar() ? std::vector<double>{origin_.x(), origin_.y()}
                     : std::vector<double>{origin_.x(), origin_.y(), origin_.z()});
    if (!planar()) pivot.axis({0, 0, 1});
    scene_.model.joints.push_back(pivot);
    peg.at = at(peg_angle, reach + random_.between(-1.1, 1.1) * (bob.extent() + peg.extent()));
    const double clear = (at(start, reach) - peg.at).norm();
    if (clear < 1.05 * (bob.extent() + peg.extent())) peg.at = at(start, reach + 1.1 * (bob.extent() + peg.extent()));
    const double width = std::min(bob.smallest(), peg.smallest());
    meet(add_solid(std::move(bob), swinging), add_solid(std::move(peg), 0));
    add_contact(std::sqrt(2 * gravity * reach), width);
    return std::sqrt(reach / gravity) * random_.between(2, 12);
  }

  // A driven arm sweeps past something that lies about.
  double sweep(const Kinds& pair) {
    const double size = random_.decades(-3, -0.5), reach = size * random_.between(3, 100),
                 speed = random_.decades(-3, 3);
    Solid tip = solid(pair[0], size), target = solid(pair[1], std::clamp(size * random_.decades(-1, 0.5), 1e-3, 1.0));
    const int arm = add_body(origin_, Vector3d::Zero(), reach);
    body(arm).angular_velocity = {0, 0, speed / reach};
    body(arm).orientation.setIdentity();
    body(arm).angle = 0;
    build::Element pivot("pivot" + std::to_string(arm), "revolute");
    pivot.between("ground", body(arm).name)
        .at(planar() ? std::vector<double>{origin_.x(), origin_.y()}
                     : std::vector<double>{origin_.x(), origin_.y(), origin_.z()});
    if (!planar()) pivot.axis({0, 0, 1});
    scene_.model.joints.push_back(pivot);
    MotionModel drive;
    drive.name = "drive" + std::to_string(arm);
    drive.joint = pivot.name;
    drive.level = MotionLevel::speed;
    drive.value = Function::constant(speed / reach);
    scene_.model.motions.push_back(drive);
    tip.at = Vector3d(reach, 0, 0);
    const double angle = random_.between(0.3, 5.5), off = random_.between(-1.1, 1.1) * (tip.extent() + target.extent());
    const double far = std::max(angle, 1.5 * (tip.extent() + target.extent()) / reach);
    const int lying = add_body(origin_ + (reach + off) * Vector3d(std::cos(far), std::sin(far), 0), Vector3d::Zero(),
                               target.extent());
    body(lying).angular_velocity.setZero();
    const double width = std::min(tip.smallest(), target.smallest());
    meet(add_solid(std::move(tip), arm), add_solid(std::move(target), lying));
    add_contact(speed, width);
    return reach / speed * random_.between(1, 10);
  }

  void settle(double end) {
    SolverSettings& solver = scene_.model.solver;
    solver.end = end;
    static constexpr std::array<const char*, 5> names = {"adams", "bdf", "rk", "generalized-alpha", "index2"};
    const std::string name = names[random_.below(5)];
    const bool coarse = name == "generalized-alpha";
    solver.integrator = name == "index2" ? "bdf" : name;
    if (name == "index2") solver.constraints = "index2";
    solver.tolerance = coarse ? random_.decades(-6, -3) : random_.decades(-10, -3);
    solver.penetration_tolerance = scene_.size * random_.decades(-7, -3);
    scene_.what += " by " + name;
  }

  Random random_;
  Scene scene_;
  Vector3d origin_ = Vector3d::Zero();
};

}  // namespace

Scene random_scene(std::uint64_t seed) {
  return SceneMaker(seed).make();
}

std::uint64_t number_from(const char* variable, std::uint64_t fallback) {
  const char* text = std::getenv(variable);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : fallback;
}

}  // namespace carom::check
