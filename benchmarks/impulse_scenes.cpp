#include "impulse_scenes.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "contact_scenes.h"

namespace carom::benchmarks {
namespace {

double dot(const Vector3& a, const Vector3& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

double norm(const Vector3& a) {
  return std::sqrt(dot(a, a));
}

// a + factor b
Vector3 sum(const Vector3& a, const Vector3& b, double factor = 1) {
  return {a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]};
}

Vector3 cross(const Vector3& a, const Vector3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

void add_box(BallScene& scene, double half_x, double half_y, SurfaceLaw floor, SurfaceLaw sides) {
  scene.walls.push_back({{0, 0, 1}, 0, floor});
  for (const double sign : {1.0, -1.0}) {
    scene.walls.push_back({{sign, 0, 0}, -half_x, sides});
    scene.walls.push_back({{0, sign, 0}, -half_y, sides});
  }
}

}  // namespace

BallScene falling_spheres(int count) {
  const SpheresBoxData data;
  const SpheresBoxStart start = spheres_box_start(count, SpheresStart::falling);
  BallScene scene;
  scene.radius = data.radius, scene.mass = data.mass(), scene.inertia = data.inertia();
  scene.gravity = data.gravity;
  scene.between = {data.friction, 0};
  add_box(scene, start.width / 2, start.width / 2, scene.between, scene.between);
  for (const Vector3& centre : start.centres) scene.balls.push_back({centre, {}, {}});
  return scene;
}

BallScene billiard_break() {
  BallScene scene;
  const double r = scene.radius = 0.028575;
  scene.gravity = 9.81;
  scene.mass = 1.666 / 9.81, scene.inertia = 5.5e-5;
  scene.between = {0.06, 0.93};
  add_box(scene, 1.27, 0.635, {0.2, 0}, {0, 0.85});
  const double behind = 0.635 + std::sqrt(3.0) * r;
  scene.balls = {{{-0.635, 0, r}, {10.729, 0, 0}, {}},
                 {{0.635, 0, r}, {}, {}},
                 {{behind, r, r}, {}, {}},
                 {{behind, -r, r}, {}, {}}};
  return scene;
}

BallScene ball_chain(int count) {
  const SpheresBoxData data;
  BallScene scene;
  scene.radius = data.radius, scene.mass = data.mass(), scene.inertia = data.inertia();
  scene.between = {0, 1};
  for (int k = 0; k < count; ++k) {
    const double x = k == 0 ? -0.05 : 2 * data.radius * k;
    scene.balls.push_back({{x, 0, 0}, {k == 0 ? 1.0 : 0.0, 0, 0}, {}});
  }
  return scene;
}

Overlaps overlaps(const BallScene& scene, const std::vector<Ball>& balls) {
  Overlaps found;
  double depths = 0;
  const auto note = [&](double gap) {
    if (gap < 1e-3 * scene.radius) ++found.touching;
    if (!(gap < 0)) return;
    ++found.count;
    depths -= gap;
    found.deepest = std::max(found.deepest, -gap);
  };
  // Along x, so that only near balls are compared.
  std::vector<int> order(balls.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = static_cast<int>(k);
  std::sort(order.begin(), order.end(), [&](int a, int b) { return balls[a].position[0] < balls[b].position[0]; });
  for (std::size_t k = 0; k < order.size(); ++k) {
    const Vector3& here = balls[order[k]].position;
    for (const Wall& wall : scene.walls) note(dot(wall.normal, here) - wall.distance - scene.radius);
    for (std::size_t m = k + 1; m < order.size(); ++m) {
      const Vector3& there = balls[order[m]].position;
      const Vector3 apart = {there[0] - here[0], there[1] - here[1], there[2] - here[2]};
      if (apart[0] > 2.01 * scene.radius) break;
      note(std::sqrt(dot(apart, apart)) - 2 * scene.radius);
    }
  }
  if (found.count > 0) found.mean = depths / static_cast<double>(found.count);
  return found;
}

double kinetic_energy(const BallScene& scene, const std::vector<Ball>& balls) {
  double energy = 0;
  for (const Ball& ball : balls)
    energy += 0.5 * scene.mass * dot(ball.velocity, ball.velocity) +
              0.5 * scene.inertia * dot(ball.angular_velocity, ball.angular_velocity);
  return energy;
}

double total_energy(const BallScene& scene, const std::vector<Ball>& balls) {
  double energy = kinetic_energy(scene, balls);
  for (const Ball& ball : balls) energy += scene.mass * scene.gravity * ball.position[2];
  return energy;
}

LawError law_error(const BallScene& scene, const std::vector<Ball>& before, const std::vector<Ball>& after,
                   const std::vector<Push>& pushes) {
  LawError error;
  const double r = scene.radius;
  std::vector<Vector3> pushed(after.size(), Vector3{});
  for (const Push& push : pushes) {
    const Ball& b = after[push.b];
    Vector3 u = sum(b.velocity, cross(b.angular_velocity, push.normal), -r);
    pushed[push.b] = sum(pushed[push.b], push.impulse);
    if (push.a >= 0) {
      const Ball& a = after[push.a];
      u = sum(u, sum(a.velocity, cross(a.angular_velocity, push.normal), r), -1);
      pushed[push.a] = sum(pushed[push.a], push.impulse, -1);
    }
    const double bodies = push.a >= 0 ? 2 : 1;
    const double moved = bodies / scene.mass, slid = moved + bodies * r * r / scene.inertia;  // m/s per N s
    const double normal = dot(push.normal, push.impulse), speed = dot(push.normal, u);
    const Vector3 slip = sum(u, push.normal, -speed), held = sum(push.impulse, push.normal, -normal);
    Vector3 due = sum(held, slip, -1 / slid);
    const double bound = push.friction * std::max(0.0, normal), size = norm(due);
    if (size > bound) due = sum({}, due, bound / size);
    const double wrong = std::max(std::abs(std::min(normal * moved, speed)), norm(sum(held, due, -1)) * slid);
    error.largest = std::max(error.largest, wrong);
    error.mean += wrong / static_cast<double>(pushes.size());
  }
  for (std::size_t k = 0; k < after.size(); ++k) {
    Vector3 rest = sum(sum(after[k].velocity, before[k].velocity, -1), pushed[k], -1 / scene.mass);
    rest[2] += scene.step * scene.gravity;
    error.momentum = std::max(error.momentum, norm(rest));
  }
  return error;
}

}  // namespace carom::benchmarks
