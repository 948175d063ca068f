#pragma once

#include "reference_curves.h"

// Random pairs of planar shapes, large and small, and their true distance.
namespace carom::reference {

struct PlaneScene : Scene<2> {
  Figure figure_a, figure_b;  // local axes
  double size = 0;            // m, of the larger bounded shape
};

struct Drawn {
  Shape<2> shape;
  Figure figure;
};

inline Shape<2> shape_made(const std::string& name, const std::vector<std::pair<std::string, Value>>& keys) {
  Settings settings;
  for (const auto& [key, value] : keys) settings.set(key, value);
  Shape<2> shape;
  const ShapeDescription<2>* kind = find_shape<2>(name);
  shape.kind = kind->kind;
  kind->take(settings, shape);
  return shape;
}

// Gears and the like, of about this size.
inline Drawn random_machine_part(Dice& dice, double size) {
  const double teeth = std::floor(dice.between(18, 36)), pitch = 2 * size * std::sin(M_PI / teeth);
  Drawn drawn;
  switch (static_cast<int>(dice.between(0, 8))) {
    case 0:
    case 1:
      drawn.shape = shape_made("gear", {{"module", 2 * size / (teeth + 2)}, {"teeth", teeth}});
      break;
    case 2:
      drawn.shape = shape_made("rack", {{"module", size / 6}, {"teeth", 4.0}});
      break;
    case 3:
      drawn.shape =
          shape_made("internal_gear", {{"module", size / 40}, {"teeth", 60.0}, {"addendum", 0.8 * size / 40}});
      break;
    case 4:
      drawn.shape =
          shape_made("ratchet", {{"teeth", teeth}, {"outer_diameter", 2 * size}, {"tooth_depth", 0.15 * size}});
      break;
    case 5:
      drawn.shape = shape_made("sprocket", {{"teeth", teeth}, {"pitch", pitch}, {"roller_diameter", 0.67 * pitch}});
      break;
    case 6:
      drawn.shape =
          shape_made("geneva_driver", {{"slots", 6.0}, {"center_distance", size}, {"pin_diameter", 0.08 * size}});
      break;
    default:
      drawn.shape =
          shape_made("geneva_wheel", {{"slots", 4.0}, {"center_distance", size}, {"pin_diameter", 0.1 * size}});
  }
  for (const OutlineLoop& loop : outline_of(drawn.shape).loops()) drawn.figure.loops.push_back(drawn_loop(loop));
  return drawn;
}

inline Drawn random_outline(Dice& dice, double size) {
  Drawn drawn;
  const double choice = dice.between(0, 1);
  if (choice < 0.15) return random_machine_part(dice, size);
  std::vector<Corners> loops = random_loops(dice, choice > 0.4);
  for (Corners& loop : loops) {
    for (auto& corner : loop) corner.first *= size;
  }
  const bool rounded = choice < 0.3;
  if (rounded) loops.resize(1);  // a star of straight sides
  const double edge = rounded ? 0.01 * size : 0;
  drawn.shape = shape_of_loops(loops, edge);
  if (rounded) {
    std::vector<Vector2d> corners;
    for (const auto& corner : loops[0]) corners.push_back(corner.first);
    drawn.figure.loops.push_back(rounded_polygon(corners, edge));
  } else {
    for (const Corners& loop : loops)
      drawn.figure.loops.push_back(drawn_loop(read_path(path_of(loop), 1).closed.at(0)));
  }
  return drawn;
}

inline void draw_profile(Dice& dice, double size, Shape<2>& shape, Figure& figure) {
  const double choice = dice.between(0, 4), own = size * dice.between(0.4, 0.8);
  if (choice < 1) {
    const Vector2d centre = dice.vector<2>(0.2 * size);
    shape.profile = std::make_shared<Profile>(Profile::circle(own, centre));
    figure.loops = {{round_piece(centre, {own, own}, 0, 2 * M_PI)}};
    return;
  }
  if (choice < 2) {
    const Vector2d half(own, size * dice.between(0.2, 0.6));
    shape.profile = std::make_shared<Profile>(Profile::ellipse(half.x(), half.y()));
    figure.loops = {{round_piece(Vector2d::Zero(), half, 0, 2 * M_PI)}};
    return;
  }
  std::vector<Vector2d> points;
  for (int k = 0; k < (choice < 3 ? 48 : 12); ++k) {
    const double angle = 2 * M_PI * k / (choice < 3 ? 48 : 12);
    points.push_back(
        choice < 3 ? Vector2d(own * std::cos(angle), 0.8 * own * (0.5 * std::sin(angle) - 0.3 * std::cos(2 * angle)))
                   : Vector2d(own * dice.between(0.85, 1.15) * Vector2d(std::cos(angle), std::sin(angle))));
  }
  shape.profile = std::make_shared<Profile>(Profile::through(points, true));
  figure.loops = {closed_spline(points)};
}

inline Drawn random_figure(ShapeKind kind, double size, Dice& dice) {
  Drawn drawn;
  if (kind == outline_kind) drawn = random_outline(dice, size);
  Shape<2>& shape = drawn.shape;
  Figure& figure = drawn.figure;
  shape.kind = kind;
  shape.position = dice.vector<2>(0.3 * size);
  shape.orientation = dice.rotation<2>();
  const auto length = [&] {
    return size * dice.between(0.2, 0.6) * (dice.between(0, 1) < 0.33 ? std::pow(10, dice.between(-1.3, 0)) : 1);
  };
  shape.radius = length(), shape.length = 2 * length();
  shape.half = {length(), length()};
  shape.groove_radius = 0.6 * shape.radius;
  const double r = shape.radius, l = shape.length / 2, x = shape.half[0], y = shape.half[1], far = 20 * size;
  using enum ShapeKind;
  if (kind == sphere || kind == inner_race) figure.loops = {{round_piece({0, 0}, {r, r}, 0, 2 * M_PI)}};
  if (kind == ellipsoid) figure.loops = {{round_piece({0, 0}, {x, y}, 0, 2 * M_PI)}};
  if (kind == box) figure.loops = {polygon({{-x, -y}, {x, -y}, {x, y}, {-x, y}})};
  if (kind == capsule)
    figure.loops = {{straight({-l, -r}, {l, -r}), round_piece({l, 0}, {r, r}, -M_PI / 2, M_PI),
                     straight({l, r}, {-l, r}), round_piece({-l, 0}, {r, r}, M_PI / 2, M_PI)}};
  if (kind == plane) {
    figure.loops = {{straight({-far, 0}, {far, 0})}};
    figure.is_inside = [](const Vector2d& at) { return at.y() < 0; };
  }
  if (kind == profile || kind == groove_kind) draw_profile(dice, size, shape, figure);
  return drawn;
}

// The hole about what is in it.
inline void make_room(Shape<2>& shape, Figure& figure, double reach, Dice& dice) {
  const double room = shape.radius = shape.half[1] = reach * dice.between(1, 1.6);
  figure = {};
  if (shape.kind == ShapeKind::slot) {
    figure.loops = {
        {straight({-20 * reach, room}, {20 * reach, room}), straight({-20 * reach, -room}, {20 * reach, -room})}};
    figure.is_inside = [room](const Vector2d& at) { return std::abs(at.y()) > room; };
  } else {
    figure.loops = {{round_piece({0, 0}, {room, room}, 0, 2 * M_PI)}};
    figure.around = true;
  }
}

inline PlaneScene random_scene(const PairDescription<2>& pair, Dice& dice) {
  const double unit = std::pow(10, dice.between(-3, 1));
  Drawn a = random_figure(pair.a, unit * dice.between(0.5, 1), dice),
        b = random_figure(pair.b, unit * dice.between(0.5, 1), dice);
  const bool hole = pair.a == ShapeKind::cavity || pair.a == ShapeKind::slot || pair.a == ShapeKind::outer_race;
  const double reach_b = pair.b == ShapeKind::plane ? 0 : b.shape.bounding_radius();
  if (hole) make_room(a.shape, a.figure, reach_b, dice);
  PlaneScene scene;
  scene.a = a.shape, scene.b = b.shape;
  scene.figure_a = a.figure, scene.figure_b = b.figure;
  scene.body_a.orientation = dice.rotation<2>();
  scene.body_a.position = dice.vector<2>(3 * unit);
  // Any pose; sides along each other; or almost.
  const double choice = dice.between(0, 1), quarter = M_PI / 2 * std::floor(dice.between(0, 4));
  const Rotation<2> turn(choice < 0.7    ? dice.between(-3, 3)
                         : choice < 0.85 ? quarter
                                         : quarter + dice.between(-1e-3, 1e-3));
  Vector2d offset = dice.vector<2>(1).normalized();
  if (hole) {
    offset *= dice.between(0, 0.4) * reach_b;
    scene.size = reach_b;
  } else if (pair.b == ShapeKind::plane) {
    scene.size = a.shape.bounding_radius();
    offset = -dice.between(0.2, 1.2) * scene.size * (turn * Vector2d::UnitY());
  } else if (pair.a == groove_kind) {
    // Less than it bends.
    Drawn inside = random_figure(pair.b, unit * 0.01 * std::pow(2, dice.between(-1, 1)), dice);
    if (pair.b == ShapeKind::sphere) {
      inside.shape.radius = 0.01 * unit;
      inside.figure.loops = {{round_piece({0, 0}, {0.01 * unit, 0.01 * unit}, 0, 2 * M_PI)}};
    }
    const double reach = inside.shape.bounding_radius();
    scene.b = inside.shape, scene.figure_b = inside.figure;
    scene.a.half[1] = reach * (pair.b == ShapeKind::sphere ? dice.between(1.01, 1.3) : dice.between(0.7, 1.6));
    const Loop& loop = scene.figure_a.loops[0];
    offset = loop[static_cast<std::size_t>(dice.between(0, static_cast<double>(loop.size())))].at(dice.between(0, 1)) +
             dice.vector<2>(0.2 * reach);
    scene.size = a.shape.profile->bounding_radius();
    if (pair.b != ShapeKind::sphere && !make_walls(scene.a).empty()) return random_scene(pair, dice);
  } else {
    offset *= dice.between(0.3, 1.3) * (a.shape.bounding_radius() + reach_b);
    scene.size = std::max(a.shape.bounding_radius(), reach_b);
  }
  place<2>(scene, offset, turn);
  return scene;
}

// m, > 0 apart; 0 or less: they overlap, by how much it does not tell.
inline double true_distance(const PlaneScene& scene) {
  const Figure a = scene.figure_a.placed(scene.a, scene.body_a), b = scene.figure_b.placed(scene.b, scene.body_b);
  if (scene.a.kind == groove_kind && scene.b.kind == ShapeKind::sphere)  // walls on both sides of a curve
    return scene.a.half[1] - scene.b.radius -
           from_boundary(a.loops, scene.body_b.position + scene.body_b.orientation * scene.b.position);
  if (scene.a.kind == groove_kind) {
    // The walls are half the width from its middle: what is left of that by the point that is farthest from there.
    double least = std::numeric_limits<double>::infinity();
    for (const Loop& loop : b.loops) {
      for (const Curve& curve : loop) {
        const auto room = [&](const std::array<double, 1>& at) {
          return scene.a.half[1] - from_boundary(a.loops, curve.at(at[0]));
        };
        least = std::min(least, least_over_cube<1>(room, {curve.speed}, 0.02 * curve.speed, least).value);
      }
    }
    return least;
  }
  const double distance = between(a.loops, b.loops);
  // No boundary crosses the other: each lies inside or outside as a whole. The point that is far from the other tells.
  const auto lies_in = [&](const Figure& one, const Figure& other) {
    for (const Loop& loop : one.loops) {
      Vector2d farthest = loop[0].at(0);
      double far = -1;
      for (std::size_t k = 0; k<8 * loop.size(); k += loop.size()> 8 ? 8 : 1) {
        const Vector2d point = loop[k / 8].at(static_cast<double>(k % 8) / 8 + 0.05);
        double near = std::numeric_limits<double>::infinity();
        for (const Loop& wall : other.loops) {
          for (const Curve& each : wall) {
            for (int j = 0; j <= 8; ++j) near = std::min(near, (each.at(j / 8.0) - point).norm());
          }
        }
        if (near > far) far = near, farthest = point;
      }
      if (other.contains(farthest)) return true;
    }
    return false;
  };
  const bool overlap = lies_in(a, b) || lies_in(b, a);
  return overlap ? -distance : distance;
}

// m, how deep points of each boundary lie in the other figure, of some points of them.
inline double sampled_depth(const PlaneScene& scene) {
  const Figure a = scene.figure_a.placed(scene.a, scene.body_a), b = scene.figure_b.placed(scene.b, scene.body_b);
  double deepest = 0;
  for (const auto& [one, other] : {std::pair{&a, &b}, std::pair{&b, &a}}) {
    for (const Loop& loop : one->loops) {
      const int parts = loop.size() > 8 ? 4 : 40;
      for (const Curve& curve : loop) {
        for (int k = 0; k < parts; ++k) {
          const Vector2d point = curve.at(static_cast<double>(k) / parts);
          if (other->contains(point)) deepest = std::max(deepest, from_boundary(other->loops, point));
        }
      }
    }
  }
  return deepest;
}

}  // namespace carom::reference
