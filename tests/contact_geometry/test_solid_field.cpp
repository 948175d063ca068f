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

constexpr int samples = 3000;

struct Segment {
  Vector3d from, way;
  Vector3d at(double part) const { return from + part * way; }
};

// Any, and parts of the straight way across the hole from one place of the ring to another, which is near it twice.
Segment random_segment(Dice& dice) {
  if (dice.between(0, 1) < 0.5) return {dice.vector<3>(1.6), std::pow(10, dice.between(-2, 0.6)) * dice.vector<3>(1)};
  const double angle = dice.between(0, 6), other = angle + dice.between(0.5, 3);
  const Vector3d from = Vector3d(std::cos(angle), std::sin(angle), 0) + dice.vector<3>(0.2),
                 to = Vector3d(std::cos(other), std::sin(other), 0) + dice.vector<3>(0.2);
  const double start = dice.between(-0.2, 0.4), end = dice.between(0.4, 1.2);
  return {from + start * (to - from), (end - start) * (to - from)};
}

double distance_from_torus(const Shape<3>& torus, const Vector3d& point) {
  return std::hypot(std::hypot(point.x(), point.y()) - torus.radius, point.z()) - torus.half[0];
}

TEST(SegmentsBesideATorus, AreNearestOnceInAPiece) {
  Dice dice(31);
  const Shape<3> torus{.kind = torus_kind, .radius = 1, .half = {0.3, 0, 0}};
  int twice = 0, falls_again = 0;
  for (int trial = 0; trial < 1000; ++trial) {
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
  EXPECT_GT(twice, 20);
  EXPECT_GT(falls_again, 20);
}

}  // namespace
}  // namespace carom
