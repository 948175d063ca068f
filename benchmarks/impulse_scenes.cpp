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
  double sum = 0;
  const auto note = [&](double gap) {
    if (gap < 1e-3 * scene.radius) ++found.touching;
    if (!(gap < 0)) return;
    ++found.count;
    sum -= gap;
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
  if (found.count > 0) found.mean = sum / static_cast<double>(found.count);
  return found;
}

double kinetic_energy(const BallScene& scene, const std::vector<Ball>& balls) {
  double sum = 0;
  for (const Ball& ball : balls)
    sum += 0.5 * scene.mass * dot(ball.velocity, ball.velocity) + 0.5 * scene.inertia * dot(ball.spin, ball.spin);
  return sum;
}

double total_energy(const BallScene& scene, const std::vector<Ball>& balls) {
  double sum = kinetic_energy(scene, balls);
  for (const Ball& ball : balls) sum += scene.mass * scene.gravity * ball.position[2];
  return sum;
}

}  // namespace carom::benchmarks
