#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "contact_geometry/faced_shapes.h"
#include "contact_geometry/faces_meeting.h"
#include "reference_scenes.h"

// Solids by their true faces: the built-in ones, put together from faces, edges and corners, against distances found by
// textbook formulas and by looking everywhere.
namespace carom {
namespace {

using Eigen::Vector3d;
using reference::Solid;
using reference::SpaceScene;

constexpr double precision_of_faces = 1e-9;  // of the size

ContactPoint<3> nearest_of_faces(const SpaceScene& scene) {
  ContactManifold<3> manifold(most_mesh_points);
  std::vector<double> memory(memory_of_faces_meeting, 0.0);
  write_faces(*faced_solid_of(scene.a), PlacedFrame(scene.a, scene.body_a), *faced_solid_of(scene.b),
              PlacedFrame(scene.b, scene.body_b), manifold, memory.data());
  ContactPoint<3> nearest;
  for (int k = 0; k < manifold.size(); ++k) {
    if (manifold.point(k).gap < nearest.gap) nearest = manifold.point(k);
  }
  return nearest;
}

struct FaceTally {
  int apart = 0, overlapping = 0, missed = 0, wrong = 0;
  double worst = 0;  // of the size
};

void check_faces(const std::string& name, const SpaceScene& scene, const std::string& place, FaceTally& tally) {
  const double truth = reference::true_distance(scene), small = precision_of_faces * scene.size;
  const ContactPoint<3> nearest = nearest_of_faces(scene);
  if (!(truth > small)) {
    ++tally.overlapping;
    if (nearest.gap < small) return;
    // Deep in each other there need not be a point.
    if (truth < -0.02 * scene.size || place.find("in by") == std::string::npos) return;
    ++tally.missed;
    ADD_FAILURE() << name << place << ": missed, gap " << nearest.gap << ", truth " << truth << ", size " << scene.size;
    return;
  }
  ++tally.apart;
  const Solid a(scene.a, scene.body_a, scene.flat_a), b(scene.b, scene.body_b, scene.flat_b);
  const double off = std::max(std::abs(a.distance(nearest.point_a)), std::abs(b.distance(nearest.point_b)));
  const double error = std::abs(nearest.gap - truth);
  const double across = (nearest.point_b - nearest.point_a - nearest.gap * nearest.normal).norm();
  if (error < small && off < 2 * small && across < small && std::abs(nearest.normal.norm() - 1) < 1e-12) {
    tally.worst = std::max(tally.worst, error / scene.size);
    return;
  }
  ++tally.wrong;
  ADD_FAILURE() << name << place << ": gap " << nearest.gap << ", truth " << truth << ", off the surfaces by " << off
                << ", " << across << ", size " << scene.size;
}

void compare_faces(const PairDescription<3>& pair, int trial, FaceTally& tally) {
  Dice dice(1000 + static_cast<unsigned>(trial));
  SpaceScene scene = reference::random_scene(pair, dice);
  check_faces(pair.name, scene, fmt::format(", trial {}", trial), tally);
  const ContactPoint<3> nearest = nearest_of_faces(scene);
  if (!(nearest.gap > 0) || !std::isfinite(nearest.gap)) return;
  const double gap = scene.size * std::pow(10, dice.between(-7, -3));
  scene.body_b.position += (gap - nearest.gap) * nearest.normal;
  check_faces(pair.name, scene, fmt::format(", trial {}, apart by {:.3g}", trial, gap), tally);
  scene.body_b.position -= 2 * gap * nearest.normal;
  check_faces(pair.name, scene, fmt::format(", trial {}, in by {:.3g}", trial, gap), tally);
}

void compare_all_faces(int each) {
  const char* only = std::getenv("CAROM_PAIR");
  const char* first = std::getenv("CAROM_TRIAL");
  for (const PairDescription<3>& pair : pair_catalogue<3>()) {
    if (!has_true_faces(pair.a) || !has_true_faces(pair.b) || (only && pair.name != only)) continue;
    // No face of a part is one.
    if (pair.a == ShapeKind::ellipsoid && pair.b == ShapeKind::ellipsoid) continue;
    FaceTally tally;
    const int start = first ? std::atoi(first) : 0;
    for (int trial = start; trial < (first ? start + 1 : each); ++trial) compare_faces(pair, trial, tally);
    fmt::print("{:24} {:5} apart, {:5} overlapping, error {:.1e}, missed {}, wrong {}\n", pair.name, tally.apart,
               tally.overlapping, tally.worst, tally.missed, tally.wrong);
  }
}

TEST(TrueFaces, AreAsFarApartAsTheSolidsThatTheyBound) {
  compare_all_faces(8);
}

TEST(TrueFaces, DISABLED_OfManyPairs) {
  const char* given = std::getenv("CAROM_PAIRS");
  compare_all_faces(given ? std::atoi(given) : 100);
}

}  // namespace
}  // namespace carom
