#include "random_scenes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>

#include "scene_builder.h"

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

using Eigen::Vector3d;

std::vector<Kinds> kinds(bool planar) {
  using enum Kind;
  std::vector<Kinds> all = {{ball, ball},          {ball, half_space},     {ball, box},    {box, half_space},
                            {capsule, ball},       {capsule, capsule},     {cavity, ball}, {slot, box},
                            {capsule, half_space}, {ellipsoid, half_space}};
  if (planar) {
    all.insert(all.end(), {{box, box}, {outline, ball}, {outline, half_space}, {outline, outline}, {slot, ball}});
  } else {
    all.insert(all.end(), {{cylinder, half_space}, {bore, cylinder}});
  }
  return all;
}

// Of outlines with true corners, and those that go by their outlines.
std::vector<Kinds> cornered_kinds() {
  using enum Kind;
  return {{outline, ball},    {outline, half_space}, {outline, outline}, {outline, outline}, {outline, box},
          {outline, capsule}, {capsule, box},        {cavity, outline},  {slot, outline}};
}

class SceneMaker : SceneBuilder {
 public:
  using SceneBuilder::SceneBuilder;

  Scene make() {
    const bool planar = random_.with(0.5);
    scene_.model = planar ? build::planar_model({0, 0}) : build::spatial_model({0, 0, 0});
    scene_.model.ground.name = "ground";
    scene_.size = 1e300, scene_.speed = 0;
    if (random_.with(0.01)) {
      settle(swarm(), true);
      return std::move(scene_);
    }
    const int style = random_.below(6);
    const int groups = random_.with(0.3) ? 2 : 1;
    double end = 0;
    for (int g = 0; g < groups; ++g) {
      origin_ = Vector3d(3.0 * g, 0, 0);
      end = std::max(end, one_of(style));
    }
    settle(end);
    return std::move(scene_);
  }

  Scene make_cornered() {
    cornered_ = true;
    scene_.model = build::planar_model({0, 0});
    scene_.model.ground.name = "ground";
    scene_.size = 1e300, scene_.speed = 0;
    settle(one_of(random_.below(6)));
    return std::move(scene_);
  }

  Scene make_solids() {
    using enum Kind;
    scene_.model = build::spatial_model({0, 0, 0});
    scene_.model.ground.name = "ground";
    scene_.size = 1e300, scene_.speed = 0;
    constexpr std::array solids = {ball, box, capsule, cylinder, cone, ellipsoid};
    Kinds pair;
    const auto is_known = [&] {
      const bool plain = pair[0] == ball && (pair[1] == ball || pair[1] == box || pair[1] == capsule);
      return plain || (pair[0] == capsule && pair[1] == capsule);
    };
    do {
      pair = {solids[random_.below(6)], solids[random_.below(6)]};
      if (pair[1] < pair[0]) std::swap(pair[0], pair[1]);
    } while (is_known());
    settle(pass(pair));
    return std::move(scene_);
  }

  Scene make_meshes() {
    using enum Kind;
    scene_.model = build::spatial_model({0, 0, 0});
    scene_.model.ground.name = "ground";
    scene_.size = 1e300, scene_.speed = 0;
    constexpr std::array others = {mesh, mesh,    mesh,     mesh, half_space, ball,
                                   box,  capsule, cylinder, cone, ellipsoid,  torus};
    const Kinds pair = {mesh, others[random_.below(static_cast<int>(others.size()))]};
    const bool can_swing = pair[1] == mesh || pair[1] == ball || pair[1] == box || pair[1] == capsule;
    const int style = can_swing ? random_.below(6) : 5;
    settle(style == 0 ? swing(pair) : style == 1 ? iterate_once(pair) : pass(pair));
    return std::move(scene_);
  }

  // Something that is not round in a closed groove that waves.
  Scene make_grooves() {
    using enum Kind;
    scene_.model = build::planar_model({0, 0});
    scene_.model.ground.name = "ground";
    scene_.size = 1e300, scene_.speed = 0;
    constexpr std::array others = {box, capsule, ellipsoid, outline, outline};
    const Kind other = others[random_.below(static_cast<int>(others.size()))];
    cornered_ = other == outline && random_.with(0.6);
    settle(run_in_groove(other));
    return std::move(scene_);
  }

 private:
  double run_in_groove(Kind kind) {
    const double size = random_.decades(-2, 0.5), speed = random_.decades(-3, 3);
    Solid groove;
    groove.kind = Kind::groove, groove.planar = true;
    groove.length = size, groove.radius = size * random_.decades(-1.7, -0.8);
    groove.waves = 2 + random_.below(5);
    groove.height = random_.between(0, 3) / (groove.waves * groove.waves + 1);
    // Walls that fold are refused.
    const double crest = 1 + groove.height, trough = 1 - groove.height,
                 bent = groove.height * groove.waves * groove.waves;
    const double narrowest = std::min(crest * crest / (crest + bent), trough * trough / std::abs(trough - bent));
    groove.radius = std::min(groove.radius, 0.8 * size * narrowest);
    Solid inside = solid(kind, groove.radius * random_.between(0.2, 0.9));
    const double fits = std::min(1.0, 0.95 * groove.radius / inside.extent());
    inside.radius *= fits, inside.length *= fits, inside.half *= fits;
    for (Eigen::Vector2d& point : inside.outline) point *= fits;
    const bool fixed = random_.with(0.5);
    const int around = fixed ? 0 : add_body(origin_, Vector3d::Zero(), size);
    if (!fixed) body(around).angular_velocity *= random_.with(0.5) ? speed / size : 0;
    const double angle = random_.between(-M_PI, M_PI), turn = fixed ? 0 : body(around).angle,
                 r = size * (1 + groove.height * std::cos(groove.waves * angle));
    const int within = add_body(origin_ + r * Vector3d(std::cos(angle + turn), std::sin(angle + turn), 0),
                                speed * random_.direction(true), inside.extent());
    if (fixed) groove.at = origin_;
    const double width = std::min(groove.radius, inside.smallest());
    meet(add_solid(std::move(groove), around), add_solid(std::move(inside), within));
    add_contact(speed, width);
    return size / speed * random_.between(0.5, 3);
  }

  std::vector<Kinds> possible_kinds() const { return cornered_ ? cornered_kinds() : kinds(planar()); }

  double one_of(int style) {
    if (style == 2) return crowd();
    if (style == 3 && !cornered_ && random_.with(0.3)) return hang();
    const auto possible = possible_kinds();
    const Kinds pair = possible[random_.below(static_cast<int>(possible.size()))];
    if (style > 1 || !can_swing(pair)) return pass(pair);
    return style == 0 ? swing(pair) : iterate_once(pair);
  }

  static bool can_swing(const Kinds& pair) {
    return std::all_of(pair.begin(), pair.end(), [](Kind kind) {
      return kind == Kind::ball || kind == Kind::box || kind == Kind::capsule || kind == Kind::outline;
    });
  }

  // One flies towards the other, which stands or flies itself; in a hole it starts inside.
  double pass(const Kinds& pair) {
    const double size = random_.decades(-3, 0);
    const double other = std::clamp(size * random_.decades(-1, 1), 1e-3, 1.0), speed = random_.decades(-3, 3);
    Solid first = solid(pair[0], size), second = solid(pair[1], other);
    // A ball in the plane may run on the races of a bearing.
    if (planar() && pair[1] == Kind::ball && (pair[0] == Kind::ball || pair[0] == Kind::cavity))
      first.race = random_.with(0.4);
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
    if (inside.kind == Kind::outline) {
      const double extent = inside.extent();
      for (Eigen::Vector2d& point : inside.outline) point *= inside.radius / extent;
    }
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
    scene_.model.joints.push_back(pivot_of(swinging));
    peg.at = at(peg_angle, reach + random_.between(-1.1, 1.1) * (bob.extent() + peg.extent()));
    const double clear = (at(start, reach) - peg.at).norm();
    if (clear < 1.05 * (bob.extent() + peg.extent())) peg.at = at(start, reach + 1.1 * (bob.extent() + peg.extent()));
    const double width = std::min(bob.smallest(), peg.smallest());
    meet(add_solid(std::move(bob), swinging), add_solid(std::move(peg), 0));
    add_contact(std::sqrt(2 * gravity * reach), width);
    return std::sqrt(reach / gravity) * random_.between(2, 12);
  }

  // A driven arm Gauss–Seidel iterations past something that lies about.
  double iterate_once(const Kinds& pair) {
    const double size = random_.decades(-3, -0.5), length = size * random_.between(3, 100),
                 speed = random_.decades(-3, 3);
    Solid tip = solid(pair[0], size), target = solid(pair[1], std::clamp(size * random_.decades(-1, 0.5), 1e-3, 1.0));
    const double apart = tip.extent() + target.extent(), reach = std::max(length, 2 * apart);
    const int arm = add_body(origin_, Vector3d::Zero(), reach);
    body(arm).angular_velocity = {0, 0, speed / reach};
    body(arm).orientation.setIdentity();
    body(arm).angle = 0;
    const build::Element pivot = pivot_of(arm);
    scene_.model.joints.push_back(pivot);
    MotionModel drive;
    drive.name = "drive" + std::to_string(arm);
    drive.joint = pivot.name;
    drive.level = MotionLevel::speed;
    drive.value = Function::constant(speed / reach);
    scene_.model.motions.push_back(drive);
    tip.at = Vector3d(reach, 0, 0);
    const double angle = random_.between(0.3, 5.5), off = random_.between(-1.1, 1.1) * apart;
    const double far = std::clamp(angle, 1.5 * apart / reach, 2 * M_PI - 1.5 * apart / reach);
    const int lying = add_body(origin_ + (reach + off) * Vector3d(std::cos(far), std::sin(far), 0), Vector3d::Zero(),
                               target.extent());
    body(lying).angular_velocity.setZero();
    const double width = std::min(tip.smallest(), target.smallest());
    meet(add_solid(std::move(tip), arm), add_solid(std::move(target), lying));
    add_contact(speed, width);
    return reach / speed * random_.between(1, 10);
  }

  // Up to five bodies fly towards one place, and whatever can touch does.
  double crowd() {
    const int count = 2 + random_.below(4);
    const double size = random_.decades(-3, -0.5), speed = random_.decades(-3, 3);
    std::vector<Solid> solids;
    double widest = 0, width = 1e300;
    for (int k = 0; k < count; ++k) {
      static constexpr std::array<Kind, 4> all = {Kind::ball, Kind::capsule, Kind::box, Kind::outline};
      // A ball is there always, since every other solid can touch it.
      solids.push_back(solid(all[k == 0 ? 0 : random_.below(planar() ? 4 : 3)], size * random_.between(0.3, 1)));
      widest = std::max(widest, solids.back().extent()), width = std::min(width, solids.back().smallest());
    }
    const double apart = 1.2 * count * widest * (1 + random_.decades(-2, 1));
    for (int k = 0; k < count; ++k) {
      const double angle = 2 * M_PI * k / count;
      const Vector3d out(std::cos(angle), std::sin(angle), 0);
      const Vector3d aim = 0.5 * widest * random_.direction(planar()) - apart * out;
      const int index =
          add_body(origin_ + apart * out, speed * random_.between(0.3, 1.5) * aim.normalized(), solids[k].extent());
      add_solid(solids[k], index);
    }
    auto possible = kinds(planar());
    for (const Kinds& each : possible_kinds()) possible.push_back(each);
    const auto first = static_cast<int>(scene_.solids.size()) - count;
    for (int a = first; a < first + count; ++a) {
      for (int b = first; b < first + count; ++b) {
        const Kinds pair = {scene_.solids[a].kind, scene_.solids[b].kind};
        if (a == b || (pair[0] == pair[1] && a > b)) continue;
        if (std::find(possible.begin(), possible.end(), pair) == possible.end()) continue;
        meet(a, b);
        add_contact(speed, width);
      }
    }
    return 2 * apart / speed * random_.between(0.5, 2);
  }

  // More balls than are compared with each other all the time: pairs come and go.
  double swarm() {
    constexpr int across = 8;
    const double size = random_.decades(-3, -1), speed = random_.decades(-3, 3), apart = size * random_.between(3, 20);
    for (int k = 0; k < across * 4; ++k) {
      const double radius = size * random_.between(0.3, 1);
      const Vector3d place(k % across * apart, k / across * apart, planar() ? 0 : random_.between(-1, 1) * size);
      // Some of them are much faster.
      const double own = speed * (random_.with(0.2) ? 1 : random_.decades(-3, -1));
      const int index = add_body(place, own * random_.direction(planar()), radius);
      Solid ball = solid(Kind::ball, radius);
      add_solid(ball, index);
    }
    let_all_meet(speed, 0.3 * size);
    return apart / speed * random_.between(2, 10);
  }

  // A body hangs on a pin with clearance, or on a ball in its socket.
  double hang() {
    const double reach = random_.decades(-2, 0.5), radius = reach * random_.between(0.02, 0.3);
    const double room = radius * random_.decades(-4, -0.5), gravity = random_.decades(-1, 3);
    scene_.model.gravity = Vector3d(0, -gravity, 0);
    const double angle = random_.between(0, 2.5);
    const int hanging =
        add_body(origin_ + reach * Vector3d(std::sin(angle), -std::cos(angle), 0), Vector3d::Zero(), reach);
    body(hanging).angular_velocity = {0, 0, random_.between(-1, 1) * std::sqrt(gravity / reach)};
    body(hanging).velocity = body(hanging).angular_velocity.cross(body(hanging).position - origin_);
    build::Element pivot = pivot_of(hanging);
    if (!planar()) pivot.type = "spherical";
    pivot.clearance.emplace();
    pivot.clearance->radial = room, pivot.clearance->bearing_radius = radius;
    pivot.clearance->contact = "c" + std::to_string(scene_.meetings.size());
    scene_.model.joints.push_back(pivot);
    Solid hole, pin;
    hole.kind = Kind::cavity, hole.planar = pin.planar = planar(), hole.radius = radius, hole.at = origin_;
    pin.radius = radius - room, pin.body = hanging;
    const Vector3d lever = origin_ - body(hanging).position;
    pin.at = planar() ? Vector3d(Eigen::AngleAxisd(-body(hanging).angle, Vector3d::UnitZ()) * lever)
                      : Vector3d(body(hanging).orientation.conjugate() * lever);
    scene_.solids.push_back(hole), scene_.solids.push_back(pin);
    const int last = static_cast<int>(scene_.solids.size()) - 1;
    scene_.meetings.push_back({last - 1, last, "joint:" + pivot.name});
    scene_.what += "pin in " + pivot.type;
    add_contact(std::sqrt(gravity * room) + 0.1 * std::sqrt(gravity * reach), std::min(room, pin.radius));
    return std::sqrt(reach / gravity) * random_.between(0.2, 2);
  }

  void settle(double end, bool many = false) {
    SolverSettings& solver = scene_.model.solver;
    solver.end = end;
    static constexpr std::array<const char*, 6> names = {"adams", "rk", "auto", "bdf", "generalized-alpha", "index2"};
    // Pairs that come and go are for explicit methods.
    const std::string name = names[random_.below(many ? 2 : 6)];
    const bool coarse = name == "generalized-alpha";
    solver.integrator = name == "index2" ? "bdf" : name;
    if (name == "index2") solver.constraints = ConstraintTreatment::index2;
    solver.tolerance = coarse ? random_.decades(-6, -3) : random_.decades(-10, -3);
    solver.penetration_tolerance = scene_.size * random_.decades(-7, -3);
    scene_.what += " by " + name;
  }
};

}  // namespace

Scene random_scene(std::uint64_t seed) {
  return SceneMaker(seed).make();
}

Scene random_corners(std::uint64_t seed) {
  return SceneMaker(seed).make_cornered();
}

Scene random_grooves(std::uint64_t seed) {
  return SceneMaker(seed).make_grooves();
}

Scene random_meshes(std::uint64_t seed) {
  return SceneMaker(seed).make_meshes();
}

Scene random_solids(std::uint64_t seed) {
  return SceneMaker(seed).make_solids();
}

std::uint64_t number_from(const char* variable, std::uint64_t fallback) {
  const char* text = std::getenv(variable);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : fallback;
}

void show_progress(std::uint64_t done, std::uint64_t all) {
  if (done % 1000 != 0 || done == all) return;
  fmt::print("{} of {} scenes\n", done, all);
  std::fflush(stdout);
}

}  // namespace carom::check
