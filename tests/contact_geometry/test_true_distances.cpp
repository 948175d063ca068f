#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "reference_scenes.h"

// The contact points of every pair of solids of the catalogue against distances found by textbook formulas and by
// looking everywhere.
namespace carom {
namespace {

using Eigen::Vector3d;
using reference::Solid;
using reference::SpaceScene;

constexpr double precision = 1e-9;  // of the size

struct Tally {
  int apart = 0, overlapping = 0, missed = 0, wrong = 0;
  double worst = 0;  // of the size
};

// The point of the least gap and, of several, the one that lies best on both surfaces: where rims and rings lie flat
// their lowest point is the middle, which need not belong to them.
struct Nearest {
  ContactPoint<3> point;
  double off = std::numeric_limits<double>::infinity();  // m, from the surfaces
};

Nearest nearest_point(const PairDescription<3>& pair, const SpaceScene& scene) {
  ContactManifold<3> manifold(pair.points(scene.a, scene.b));
  std::vector<double> memory(pair.memory(scene.a, scene.b), 0.0);
  write_manifold<3>(pair, scene.a, scene.b, scene.body_a, scene.body_b, manifold, memory.data());
  const Solid a(scene.a, scene.body_a, scene.flat_a), b(scene.b, scene.body_b, scene.flat_b);
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < manifold.size(); ++k) least = std::min(least, manifold.point(k).gap);
  Nearest nearest;
  for (int k = 0; k < manifold.size(); ++k) {
    const ContactPoint<3>& point = manifold.point(k);
    if (point.gap > least + precision * scene.size) continue;
    const double off = std::max(std::abs(a.distance(point.point_a)), std::abs(b.distance(point.point_b)));
    if (off < nearest.off) nearest = {point, off};
  }
  return nearest;
}

// The edges of a bore touch what looks out of them: one that a solid does not reach has no point, be it the nearest.
bool leaves_out_an_edge(const SpaceScene& scene) {
  if (scene.a.kind != ShapeKind::bore) return false;
  const Solid b(scene.b, scene.body_b, scene.flat_b);
  for (const double end : {-1.0, 1.0}) {
    for (const double side : {-1.0, 1.0}) {
      Solid plane(scene.a, scene.body_a);
      plane.shape.kind = ShapeKind::plane;
      plane.centre += end * scene.a.length / 2 * plane.axes.col(2);
      plane.axes *= Eigen::Vector3d(1, side, side).asDiagonal();
      if (reference::between(plane, b) > 0) return true;
    }
  }
  return false;
}

// m, by which rims of cylinders and cones stand back on planes, in channels and beside meshes, where they are rounded
// as the pages say: a rim of angle β by ρ (1/sin(β/2) − 1) with the radius ρ.
double bluntness(const PairDescription<3>& pair, const SpaceScene& scene) {
  const auto of = [](const Shape<3>& shape) {
    if (shape.kind == ShapeKind::cylinder) return 1.01e-4 * shape.radius;
    if (shape.kind != reference::cone) return 0.0;
    const double angle = std::atan2(shape.length, std::abs(shape.radius - shape.half[0]));
    return 1.01e-4 * std::max(shape.radius, shape.half[0]) / std::sin(angle / 2);
  };
  if (pair.b == ShapeKind::plane) return of(scene.a);
  const bool meshed = pair.a == mesh_kind || pair.a == heightfield_kind || pair.a == step_kind;
  return pair.a == ShapeKind::slot || meshed ? of(scene.b) : 0;
}

// m, by which a journal that is tilted by θ in a bore may seem nearer than it is: where one of its ends is within R sin
// θ of the edge, its side and the wall of the bore count as going on so far.
double overhang(const SpaceScene& scene) {
  if (scene.a.kind != ShapeKind::bore || scene.b.kind != ShapeKind::cylinder) return 0;
  const Solid a(scene.a, scene.body_a), b(scene.b, scene.body_b);
  const Vector3d axis = a.axes.transpose() * b.axes.col(2), centre = a.local(b.centre);
  const double reach = scene.a.radius * std::hypot(axis.x(), axis.y());
  for (const double end : {-1.0, 1.0}) {
    const double level = centre.z() + end * scene.b.length / 2 * axis.z();
    if (std::abs(std::abs(level) - scene.a.length / 2) < reach) return reach;
  }
  return 0;
}

// Where a rim or a ring lies flat its lowest point is the middle, which need not be on its surface.
bool may_lie_flat(const SpaceScene& scene) {
  for (const ShapeKind kind : {scene.a.kind, scene.b.kind}) {
    if (kind == torus_kind) return scene.aligned;
  }
  return false;
}

void check(const PairDescription<3>& pair, const SpaceScene& scene, const std::string& place, Tally& tally) {
  const double truth = reference::true_distance(scene), small = precision * scene.size;
  const auto [nearest, off] = nearest_point(pair, scene);
  const double blunt = bluntness(pair, scene);
  if (!(truth > small)) {
    ++tally.overlapping;
    if (nearest.gap < small || (blunt > 0 && truth > -blunt)) return;
    ++tally.missed;
    ADD_FAILURE() << pair.name << place << ": missed, gap " << nearest.gap << ", truth " << truth << ", size "
                  << scene.size;
    return;
  }
  ++tally.apart;
  if (nearest.gap > truth + small && truth > 0.02 * scene.size && leaves_out_an_edge(scene)) return;
  const double error = std::max(nearest.gap - truth, truth - nearest.gap - overhang(scene));
  if (blunt == 0 && overhang(scene) == 0) tally.worst = std::max(tally.worst, error / scene.size);
  const double across = (nearest.point_b - nearest.point_a - nearest.gap * nearest.normal).norm();
  const bool on_surfaces = off < 2 * small + blunt || may_lie_flat(scene) || overhang(scene) > 0;
  if (error < small + blunt && on_surfaces && across < small && std::abs(nearest.normal.norm() - 1) < 1e-12) return;
  ++tally.wrong;
  ADD_FAILURE() << pair.name << place << ": gap " << nearest.gap << ", truth " << truth << ", off the surfaces by "
                << off << ", " << across << ", size " << scene.size;
}

// As it falls, and pushed along its normal until it is just apart and just overlapping.
void compare(const PairDescription<3>& pair, int trial, Tally& tally) {
  Dice dice(1000 + static_cast<unsigned>(trial));
  SpaceScene scene = reference::random_scene(pair, dice);
  check(pair, scene, fmt::format(", trial {}", trial), tally);
  const ContactPoint<3> nearest = nearest_point(pair, scene).point;
  if (!(nearest.gap > 0) || !std::isfinite(nearest.gap)) return;
  const double gap = scene.size * std::pow(10, dice.between(-7, -2));
  scene.body_b.position += (gap - nearest.gap) * nearest.normal;
  check(pair, scene, fmt::format(", trial {}, apart by {:.3g}", trial, gap), tally);
  // The normal stays when they come nearer along it, as far as points at this distance tell.
  const ContactPoint<3> close = nearest_point(pair, scene).point;
  if (!(nearest.gap > 0.02 * scene.size && leaves_out_an_edge(scene))) {
    EXPECT_LT((close.normal - nearest.normal).norm(), 1e-6 + 3 * precision * scene.size / gap)
        << pair.name << ", trial " << trial << ", " << gap;
  }
  scene.body_b.position -= 2 * gap * nearest.normal;
  check(pair, scene, fmt::format(", trial {}, in by {:.3g}", trial, gap), tally);
}

void compare_all(int each) {
  const char* only = std::getenv("CAROM_PAIR");
  const char* first = std::getenv("CAROM_TRIAL");
  int count = 0;
  for (const PairDescription<3>& pair : pair_catalogue<3>()) {
    if (only && pair.name != only) continue;
    if (pair.a == ShapeKind::inner_race || pair.a == ShapeKind::outer_race) continue;  // test_groove_race.cpp
    Tally tally;
    const int start = first ? std::atoi(first) : 0;
    for (int trial = start; trial < (first ? start + 1 : each); ++trial) compare(pair, trial, tally);
    count += tally.apart + tally.overlapping;
    fmt::print("{:24} {:5} apart, {:5} overlapping, error {:.1e}, missed {}, wrong {}\n", pair.name, tally.apart,
               tally.overlapping, tally.worst, tally.missed, tally.wrong);
  }
  fmt::print("{} places\n", count);
}

// About 15 seconds.
TEST(TrueDistances, OfSolids) {
  compare_all(2);
}

// Nearest places of a ring that are close to each other, one of which was overlooked; a round end that stands out far
// over the edge that it lies on, which touched beside it.
TEST(TrueDistances, OfSolidsThatWereWrongOnce) {
  for (const auto& [name, trial] : {std::pair{"cylinder_torus", 20}, std::pair{"box_cone", 52}}) {
    Tally tally;
    for (const PairDescription<3>& pair : pair_catalogue<3>()) {
      if (pair.name == name) compare(pair, trial, tally);
    }
    EXPECT_GT(tally.apart, 0) << name;
  }
}

// 100 pairs of each kind, near and far.
TEST(TrueDistances, DISABLED_OfTenThousandPairsOfSolids) {
  const char* given = std::getenv("CAROM_PAIRS");
  compare_all(given ? std::atoi(given) : 100);
}

}  // namespace
}  // namespace carom
