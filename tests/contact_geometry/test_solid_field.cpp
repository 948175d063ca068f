#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "contact_geometry/ring.h"
#include "contact_geometry/solid_field.h"
#include "sample_shapes.h"

// Segments beside a torus, against samples along them.
namespace carom {
namespace {

using Eigen::Vector3d;

constexpr int samples = 4000;

struct Segment {
  Vector3d from, way;
  Vector3d at(double part) const { return from + part * way; }
};

// Some of them lie along the tube.
Segment random_segment(Dice& dice) {
  const double length = std::pow(10, dice.between(-2, 0.6));
  if (dice.between(0, 1) < 0.5) return {dice.vector<3>(1.6), length * dice.vector<3>(1)};
  const double angle = dice.between(0, 6);
  const Vector3d along(-std::sin(angle), std::cos(angle), 0);
  return {Vector3d(std::cos(angle), std::sin(angle), 0) + dice.vector<3>(0.5),
          length * (along + dice.vector<3>(dice.between(0, 0.7)))};
}

double distance_from_torus(const Shape<3>& torus, const Vector3d& point) {
  return std::hypot(std::hypot(point.x(), point.y()) - torus.radius, point.z()) - torus.half[0];
}

TEST(SegmentsBesideATorus, AreNearestOnceInAPiece) {
  Dice dice(31);
  const Shape<3> torus{.kind = torus_kind, .radius = 1, .half = {0.3, 0, 0}};
  int twice = 0, falls_again = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const Segment segment = random_segment(dice);
    std::vector<double> distances;
    for (int k = 0; k <= samples; ++k)
      distances.push_back(distance_from_torus(torus, segment.at(static_cast<double>(k) / samples)));
    const SegmentPieces pieces = pieces_beside(torus, segment.from, segment.way);
    std::array<int, 2> found = {0, 0};
    for (int k = 1; k < samples; ++k) {
      if (!(distances[k] < distances[k - 1] && distances[k] < distances[k + 1])) continue;
      int piece = 0;
      while (piece < pieces.count &&
             (k + 1 < samples * pieces.pieces[piece].from || k - 1 > samples * pieces.pieces[piece].to))
        ++piece;
      ASSERT_LT(piece, pieces.count) << "trial " << trial << ", sample " << k;
      ++found[piece];
    }
    EXPECT_LE(std::max(found[0], found[1]), 1) << "trial " << trial;
    const int minima = found[0] + found[1];
    twice += minima == 2 ? 1 : 0;
    falls_again += minima == 1 && distances[samples] < distances[samples - 1] ? 1 : 0;
    const double least = *std::min_element(distances.begin(), distances.end());
    const double nearest = distance_from_torus(torus, segment.at(nearest_part(torus, segment.from, segment.way)));
    EXPECT_LE(nearest, least + 1e-11) << "trial " << trial;
  }
  EXPECT_GT(twice, 50);
  EXPECT_GT(falls_again, 20);
}

}  // namespace
}  // namespace carom
