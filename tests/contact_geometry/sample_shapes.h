#pragma once

#include <cmath>
#include <random>

#include "../support/meshes.h"
#include "contact_geometry/groove.h"
#include "contact_geometry/hull.h"
#include "contact_geometry/mesh_shape.h"
#include "contact_geometry/outline_of_shape.h"
#include "contact_geometry/pair.h"
#include "contact_geometry/ring.h"
#include "outline_io/path_text.h"

// Random shapes on random moving bodies, near enough to touch.
namespace carom {

class Dice {
 public:
  explicit Dice(unsigned seed) : random_(seed) {}
  double between(double low, double high) { return low + (high - low) * static_cast<double>(random_()) / 4294967296.0; }
  template <int D>
  VectorOf<D> vector(double size) {
    VectorOf<D> result;
    for (double& entry : result) entry = between(-size, size);
    return result;
  }
  template <int D>
  Rotation<D> rotation(double size = 3) {
    if constexpr (D == 2) {
      return Rotation<2>(between(-size, size));
    } else {
      return Rotation<3>(rotation_from_vector(vector<3>(size)).toRotationMatrix());
    }
  }

 private:
  std::mt19937 random_;
};

template <int D>
struct Scene {
  Shape<D> a, b;
  BodyState<D> body_a, body_b;
};

template <int D>
Rotation<D> product(const Rotation<D>& first, const Rotation<D>& second) {
  if constexpr (D == 2) {
    const Eigen::Vector2d x = first * Eigen::Vector2d(second * Eigen::Vector2d::UnitX());
    return Rotation<2>(std::atan2(x.y(), x.x()));
  } else {
    return Rotation<3>(first.matrix() * second.matrix());
  }
}

template <int D>
Rotation<D> inverse(const Rotation<D>& rotation) {
  if constexpr (D == 2) {
    const Eigen::Vector2d x = rotation * Eigen::Vector2d::UnitX();
    return Rotation<2>(-std::atan2(x.y(), x.x()));
  } else {
    return Rotation<3>(rotation.matrix().transpose());
  }
}

// The body after moving with its velocities for a time.
template <int D>
BodyState<D> after(const BodyState<D>& body, double time) {
  BodyState<D> moved = body;
  moved.position += time * body.velocity;
  if constexpr (D == 2) {
    moved.orientation = product<2>(Rotation<2>(time * body.angular_velocity[0]), body.orientation);
    moved.angle += time * body.angular_velocity[0];
  } else {
    moved.orientation =
        Rotation<3>(rotation_from_vector(time * body.angular_velocity).toRotationMatrix() * body.orientation.matrix());
  }
  return moved;
}

// Hollow at its lower side: y = 0.5 sin θ − 0.3 cos 2θ, x = 1.2 cos θ, times the scale.
inline Profile bean(double scale) {
  std::vector<Eigen::Vector2d> points;
  for (int k = 0; k < 48; ++k) {
    const double angle = 2 * M_PI * k / 48;
    points.emplace_back(1.2 * scale * std::cos(angle), scale * (0.5 * std::sin(angle) - 0.3 * std::cos(2 * angle)));
  }
  return Profile::through(points, true);
}

inline std::shared_ptr<const Profile> sample_profile(Dice& dice) {
  const double choice = dice.between(0, 4), size = dice.between(0.3, 0.6);
  if (choice < 1) return std::make_shared<Profile>(Profile::circle(size, dice.vector<2>(0.2)));
  if (choice < 2) return std::make_shared<Profile>(Profile::ellipse(size, dice.between(0.2, 0.5)));
  if (choice < 3) return std::make_shared<Profile>(bean(size));
  std::vector<Eigen::Vector2d> points;
  for (int k = 0; k < 12; ++k) {
    const double angle = -M_PI * k / 6, radius = size * dice.between(0.9, 1.1);
    points.emplace_back(radius * std::cos(angle), radius * std::sin(angle));
  }
  return std::make_shared<Profile>(Profile::through(points, true));
}

inline CurvePiece elliptic(const Eigen::Vector2d& from, const Eigen::Vector2d& to, double radius, bool left) {
  return elliptic_arc(from, to, {radius, radius}, 0, false, left);
}

// A part with corners, a notch, arcs of both kinds and a hole.
inline std::shared_ptr<const ShapeData> sample_outline(Dice& dice) {
  const double size = dice.between(0.3, 0.6);
  using V = Eigen::Vector2d;
  const auto at = [&](double x, double y) { return V(size * x, size * y); };
  const V p[7] = {at(-1, -0.6), at(0.8, -0.7), at(1, 0.2), at(0.4, 0.5), at(0.2, 0), at(-0.3, 0.1), at(-0.8, 0.7)};
  OutlineLoop loop = {CurvePiece::line(p[0], p[1]),
                      elliptic(p[1], p[2], 0.7 * size, true),
                      CurvePiece::line(p[2], p[3]),
                      CurvePiece::line(p[3], p[4]),
                      elliptic(p[4], p[5], 0.6 * size, false),
                      CurvePiece::cubic(p[5], at(-0.3, 0.6), at(-0.6, 0.8), p[6]),
                      CurvePiece::line(p[6], p[0])};
  OutlineLoop hole = {CurvePiece::arc(at(0.3, -0.35), 0.15 * size, 0, 2 * M_PI)};
  return std::make_shared<OutlineData>(Outline({loop, hole}, dice.between(0, 1) < 0.5 ? 0.02 * size : 0));
}

inline std::shared_ptr<const ShapeData> mesh_data(TriangleSoup soup) {
  return std::make_shared<MeshData>(close_surface(std::move(soup)), 1);
}

// With dents, holes and corners.
inline std::shared_ptr<const ShapeData> sample_mesh(Dice& dice) {
  const double choice = dice.between(0, 5), size = dice.between(0.4, 0.8);
  if (choice < 1) return mesh_data(bracket(size));
  if (choice < 2) return mesh_data(torus(0.7 * size, 0.25 * size, 9, 6));
  if (choice < 3) return mesh_data(box_soup(Eigen::Vector3d(0.5 * size, 0.4 * size, 0.3 * size)));
  if (choice < 4) return mesh_data(ball_soup(0.6 * size, 1));
  return mesh_data(ball_soup(0.6 * size, 1, [&](const Eigen::Vector3d&) { return dice.between(0.7, 1.3); }));
}

template <int D>
Shape<D> sample_shape(ShapeKind kind, Dice& dice) {
  Shape<D> shape;
  shape.kind = kind;
  shape.position = dice.vector<D>(0.3);
  shape.orientation = dice.rotation<D>();
  shape.radius = dice.between(0.2, 0.5);
  shape.length = dice.between(0.4, 1.2);
  shape.groove_radius = dice.between(0.55, 0.7);
  for (double& half : shape.half) half = dice.between(0.2, 0.6);
  if constexpr (D == 2) {
    if (kind == ShapeKind::profile || kind == groove_kind) shape.profile = sample_profile(dice);
    if (kind == outline_kind) shape.data = sample_outline(dice);
  } else {
    if (kind == mesh_kind || kind == heightfield_kind || kind == step_kind) shape.data = sample_mesh(dice);
  }
  if constexpr (D == 3) {
    if (kind == torus_kind) shape.half[0] = dice.between(0.1, 0.8) * shape.radius;
    if (kind == hull_kind) {
      std::vector<Eigen::Vector3d> points(static_cast<std::size_t>(dice.between(6, 40)));
      for (Eigen::Vector3d& point : points) point = shape.half.cwiseProduct(dice.vector<3>(1));
      shape.data = make_hull(points);
    }
  }
  return shape;
}

// Body b turned and shifted so that shape b has this placement in the axes of shape a.
template <int D>
void place(Scene<D>& scene, const VectorOf<D>& offset, const Rotation<D>& turn) {
  const Rotation<D> frame_a = product<D>(scene.body_a.orientation, scene.a.orientation);
  scene.body_b.orientation = product<D>(product<D>(frame_a, turn), inverse<D>(scene.b.orientation));
  if constexpr (D == 2) {
    const Eigen::Vector2d x = scene.body_b.orientation * Eigen::Vector2d::UnitX();
    scene.body_b.angle = std::atan2(x.y(), x.x());
  }
  const VectorOf<D> centre = centre_of<D>(scene.a, scene.body_a) + frame_a * offset;
  scene.body_b.position = centre - scene.body_b.orientation * scene.b.position;
}

template <int D>
Scene<D> sample_scene(const PairDescription<D>& pair, Dice& dice) {
  Scene<D> scene;
  scene.a = sample_shape<D>(pair.a, dice);
  scene.b = sample_shape<D>(pair.b, dice);
  for (BodyState<D>* body : {&scene.body_a, &scene.body_b}) {
    body->orientation = dice.rotation<D>();
    body->position = dice.vector<D>(1);
    body->velocity = dice.vector<D>(1);
    for (double& entry : body->angular_velocity) entry = dice.between(-1, 1);
  }
  VectorOf<D> offset = dice.vector<D>(1.5);
  Rotation<D> turn = dice.rotation<D>();
  if (pair.a == mesh_kind || pair.a == heightfield_kind || pair.a == step_kind) offset *= 0.6;
  switch (pair.a) {
    case ShapeKind::cavity:
    case ShapeKind::outer_race:
      scene.a.radius =
          (pair.b == ShapeKind::sphere ? scene.b.radius : scene.b.bounding_radius()) + dice.between(0.01, 0.3);
      offset = dice.vector<D>(0.15);
      break;
    case ShapeKind::slot:
      for (int k = 0; k < 2; ++k) {
        scene.a.half[k] = dice.between(0.6, 1.0);
        if (k > 0 || D == 3) offset[k] = dice.between(-0.4, 0.4);
      }
      break;
    case ShapeKind::bore:
      scene.a.radius = scene.b.radius + dice.between(0.01, 0.05);
      scene.a.half[2] = dice.between(-0.2, 0.2);
      scene.b.length = dice.between(0.3, 2);
      offset = dice.vector<D>(0.03);
      offset[D - 1] = dice.between(-0.6, 0.6);
      turn = dice.rotation<D>(0.15);
      if (pair.b != ShapeKind::cylinder) {
        scene.a.half[2] = 0;
        scene.a.radius = scene.b.bounding_radius() * dice.between(0.7, 1.2);
        turn = dice.rotation<D>(0.5);
      }
      break;
    default:
      break;
  }
  if constexpr (D == 2) {
    if (pair.a == groove_kind) {
      if (pair.b != ShapeKind::sphere) {
        scene.a.half[1] = 0.05;
        while (!make_walls(scene.a).empty()) scene.a.half[1] /= 2;
      }
      const double s = dice.between(0, scene.a.profile->end());
      offset = scene.a.profile->at(s).position + dice.between(-0.05, 0.05) * scene.a.profile->normal(s);
    }
  }
  if constexpr (D == 3) {
    if (pair.a == ShapeKind::inner_race || pair.a == ShapeKind::outer_race) {
      const bool outer = pair.a == ShapeKind::outer_race;
      scene.a.groove_radius = scene.b.radius + dice.between(0.01, 0.1);
      const double circle = scene.a.groove_radius + dice.between(0.1, 0.5);
      scene.a.radius = circle + (outer ? 1 : -1) * scene.a.groove_radius;
      const double at = dice.between(-M_PI, M_PI);
      offset = Eigen::Vector3d(circle * std::cos(at), circle * std::sin(at), 0) + dice.vector<3>(0.1);
    }
  }
  place<D>(scene, offset, turn);
  return scene;
}

}  // namespace carom
