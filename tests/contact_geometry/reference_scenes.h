#pragma once

#include "geometry_io/height_grid.h"
#include "reference_solids.h"

// Random pairs of solids, large and small, long and flat, in any pose or with sides along each other, and their true
// distance.
namespace carom::reference {

struct SpaceScene : Scene<3> {
  std::vector<Tri> flat_a = {}, flat_b = {};  // of shapes that have triangles, local axes
  double size = 0;                            // m, of the larger bounded shape
  bool aligned = false;                       // sides are along each other, or almost
};

inline std::vector<Tri> triangles_of(const TriangleSoup& soup) {
  std::vector<Tri> result;
  for (const Triangle& t : soup.triangles)
    result.push_back({{soup.points[t[0]], soup.points[t[1]], soup.points[t[2]]}});
  return result;
}

inline std::vector<Tri> box_triangles(const Vector3d& half) {
  return triangles_of(box_soup(half));
}

// With dents, holes and corners, of about this size.
inline TriangleSoup random_soup(Dice& dice, double size) {
  switch (static_cast<int>(dice.between(0, 6))) {
    case 0:
      return bracket(size);
    case 1:
      return torus(0.7 * size, dice.between(0.1, 0.4) * size, 9, 6);
    case 2:
      return box_soup(size * Vector3d(dice.between(0.05, 0.5), dice.between(0.05, 0.5), dice.between(0.05, 0.5)));
    case 3:
      return ball_soup(0.6 * size, 1);
    case 4: {  // a star of sharp teeth
      std::vector<Vector2d> outline;
      const int teeth = 3 + static_cast<int>(dice.between(0, 6));
      for (int k = 0; k < 2 * teeth; ++k) {
        const double angle = M_PI * k / teeth, radius = (k % 2 == 0 ? 0.7 : dice.between(0.25, 0.5)) * size;
        outline.emplace_back(radius * std::cos(angle), radius * std::sin(angle));
      }
      return prism(outline, dice.between(0.05, 0.4) * size);
    }
    default:
      return ball_soup(0.6 * size, 1, [&](const Vector3d&) { return dice.between(0.7, 1.3); });
  }
}

inline TriangleSoup random_relief(Dice& dice, double size) {
  HeightGrid grid{2 + static_cast<int>(dice.between(0, 6)), 2 + static_cast<int>(dice.between(0, 6)), {}};
  for (int k = 0; k < grid.columns * grid.rows; ++k) grid.heights.push_back(dice.between(-0.15, 0.15) * size);
  return solid_below(grid, 2 * dice.between(0.4, 0.8) * size, 2 * dice.between(0.4, 0.8) * size,
                     dice.between(0.05, 0.3) * size);
}

inline Shape<3> random_solid(ShapeKind kind, double size, Dice& dice, std::vector<Tri>& flat) {
  Shape<3> shape;
  shape.kind = kind;
  shape.position = dice.vector<3>(0.5 * size);
  shape.orientation = dice.rotation<3>();
  // One in three is long or flat.
  const auto length = [&] {
    return size * dice.between(0.2, 0.6) * (dice.between(0, 1) < 0.33 ? std::pow(10, dice.between(-1.3, 0)) : 1);
  };
  shape.radius = length();
  shape.length = 2 * length();
  for (double& half : shape.half) half = length();
  if (kind == cone && dice.between(0, 1) < 0.2) shape.half[0] = 0;
  if (kind == torus_kind) shape.half[0] = dice.between(0.05, 0.8) * shape.radius;
  if (kind == ShapeKind::box) flat = box_triangles(shape.half);
  if (kind == hull_kind) {
    std::vector<Vector3d> points(static_cast<std::size_t>(dice.between(4, 24)));
    for (Vector3d& point : points) point = shape.half.cwiseProduct(dice.vector<3>(1));
    shape.data = make_hull(points);
    flat = hull_triangles(points);
  }
  if (kind == mesh_kind || kind == heightfield_kind || kind == step_kind) {
    const TriangleSoup soup = kind == heightfield_kind ? random_relief(dice, size) : random_soup(dice, size);
    flat = triangles_of(soup);
    shape.data = mesh_data(soup);
  }
  return shape;
}

inline Rotation<3> quarter_turns(Dice& dice) {
  Eigen::Matrix3d turn = Eigen::Matrix3d::Identity();
  for (int axis = 0; axis < 3; ++axis) {
    const int quarters = static_cast<int>(dice.between(0, 4));
    turn = turn * rotation_from_vector(M_PI / 2 * quarters * Vector3d::Unit(axis)).toRotationMatrix();
  }
  return Rotation<3>(turn);
}

// Any pose; sides along each other; or almost.
inline Rotation<3> random_turn(Dice& dice, bool& is_aligned) {
  const double choice = dice.between(0, 1);
  is_aligned = choice >= 0.7;
  if (!is_aligned) return dice.rotation<3>();
  const Rotation<3> aligned = quarter_turns(dice);
  return choice < 0.85 ? aligned : product<3>(aligned, dice.rotation<3>(1e-3));
}

inline bool is_endless(ShapeKind kind) {
  return kind == ShapeKind::plane || kind == ShapeKind::slot;
}

// The hole `a` about the solid `b`, and where b is in it.
inline Vector3d place_in_hole(Shape<3>& a, const Shape<3>& b, double reach, Dice& dice) {
  Vector3d offset = dice.vector<3>(0.3 * reach);
  if (a.kind == ShapeKind::cavity) {
    a.radius = reach * dice.between(1, 1.5);
  } else if (a.kind == ShapeKind::slot) {
    for (int k = 0; k < 2; ++k) a.half[k] = reach * dice.between(0.9, 1.5);
  } else {
    const double across = b.kind == ShapeKind::cylinder || b.kind == ShapeKind::capsule ? b.radius
                          : b.kind == cone                                              ? std::max(b.radius, b.half[0])
                                                                                        : reach;
    a.radius = across * dice.between(1.02, 1.4);
    a.length = 2 * reach * dice.between(0.3, 1.5);
    a.half[2] = 0;
    offset.head<2>() *= 0.3 * across / reach;
    offset.z() = dice.between(-0.5, 0.5) * (reach + a.length / 2);
  }
  return offset;
}

inline SpaceScene random_scene(const PairDescription<3>& pair, Dice& dice) {
  SpaceScene scene;
  const double unit = std::pow(10, dice.between(-3, 1));
  scene.a = random_solid(pair.a, unit * dice.between(0.5, 1), dice, scene.flat_a);
  scene.b = random_solid(pair.b, unit * dice.between(0.5, 1), dice, scene.flat_b);
  for (BodyState<3>* body : {&scene.body_a, &scene.body_b}) {
    body->orientation = dice.rotation<3>();
    body->position = dice.vector<3>(3 * unit);
  }
  const bool hole = pair.a == ShapeKind::cavity || pair.a == ShapeKind::slot || pair.a == ShapeKind::bore;
  const double reach_b = pair.b == ShapeKind::plane ? 0 : scene.b.bounding_radius();
  Vector3d offset;
  Rotation<3> turn = random_turn(dice, scene.aligned);
  if (hole) {
    offset = place_in_hole(scene.a, scene.b, reach_b, dice);
    if (pair.a == ShapeKind::bore) turn = dice.rotation<3>(0.1);
    scene.size = reach_b;
  } else if (pair.b == ShapeKind::plane) {
    offset = -dice.between(0.2, 1.2) * scene.a.bounding_radius() * (turn * Vector3d::UnitZ());
    scene.size = scene.a.bounding_radius();
  } else {
    const double reach = scene.a.bounding_radius() + reach_b;
    const int axis = static_cast<int>(dice.between(0, 3));
    offset = dice.between(0, 1) < 0.7
                 ? Vector3d(dice.vector<3>(1).normalized())
                 : Vector3d((dice.between(0, 1) < 0.5 ? -1 : 1) * Vector3d::Unit(axis) + dice.vector<3>(0.2));
    offset *= dice.between(0.4, 1.4) * reach;
    scene.size = std::max(scene.a.bounding_radius(), reach_b);
  }
  place<3>(scene, offset, turn);
  return scene;
}

// m, > 0 apart; 0 or less: they overlap, by how much it does not tell.
inline double true_distance(const SpaceScene& scene) {
  const Solid a(scene.a, scene.body_a, scene.flat_a), b(scene.b, scene.body_b, scene.flat_b);
  const auto covers = [](const Solid& one, const Solid& other) {  // the lines of a round one are less work
    if (is_endless(one.shape.kind) || one.shape.kind == ShapeKind::cavity || one.shape.kind == ShapeKind::bore)
      return false;
    const auto work = [](const Solid& solid) {
      if (solid.shape.kind == ShapeKind::sphere) return 0;
      if (solid.is_flat()) return 1;
      return solid.shape.kind == ShapeKind::capsule || solid.shape.kind == torus_kind ? 2
             : solid.shape.kind == ShapeKind::ellipsoid                               ? 3
                                                                                      : 4;
    };
    return is_endless(other.shape.kind) || work(one) < work(other);
  };
  const bool swapped = covers(a, b);
  const Solid &wall = swapped ? b : a, &cover = swapped ? a : b;
  const double distance = between(wall, cover);
  if (distance <= 0 || (wall.is_flat() && cover.is_flat()) || is_endless(wall.shape.kind) ||
      wall.shape.kind == ShapeKind::cavity || wall.shape.kind == ShapeKind::bore)
    return distance;
  // One that lies within what the other covers is not seen from its surface.
  const Vector3d inside = wall.is_flat()                  ? wall.triangles[0].p[0]
                          : wall.shape.kind == torus_kind ? Vector3d(wall.shape.radius, 0, 0)
                                                          : Vector3d(0, 0, 0);
  return cover.distance(wall.world(inside)) < 0 ? -distance : distance;
}

}  // namespace carom::reference
