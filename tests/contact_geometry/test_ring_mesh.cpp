#include <gtest/gtest.h>

#include "contact_geometry/ring_mesh.h"
#include "reference_scenes.h"

// Circles beside surfaces of triangles with teeth, dents and holes, against samples along the circle so close to each
// other that nothing fits between them.
namespace carom {
namespace {

using Eigen::Vector3d;

constexpr int samples = 40'000;

Ring random_ring(Dice& dice, double size) {
  const Eigen::Matrix3d axes = rotation_from_vector(dice.vector<3>(3)).toRotationMatrix();
  return {dice.vector<3>(0.7 * size), axes.col(0), axes.col(1), axes.col(2),
          size * std::pow(10, dice.between(-1.5, 0.2))};
}

double nearest_of(const RingPlaces& places) {
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < RingPlaces::sectors; ++k) {
    const RingPlaces::Sector& sector = places.sector(k);
    least = std::min({least, sector.nearest.distance, sector.first.distance});
  }
  return least;
}

// The least distance, and one sector at a time whether the ring goes through the surface there.
TEST(RingPlaces, AreTheNearestOfDenseSamples) {
  Dice dice(77);
  int through = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const double size = std::pow(10, dice.between(-3, 1));
    const Shape<3> shape{.kind = mesh_kind, .data = mesh_data(reference::random_soup(dice, size))};
    const TriangleMesh& mesh = mesh_of(shape);
    const Ring ring = random_ring(dice, size);
    const RingPlaces places(mesh, ring, 10 * size);
    const double half = M_PI * ring.radius / samples;  // m, from any place of the ring to the nearest sample
    double least = std::numeric_limits<double>::infinity(), before = mesh.signed_distance(ring.at(0));
    for (int k = 1; k <= samples; ++k) {
      const double angle = 2 * M_PI * k / samples, next = mesh.signed_distance(ring.at(angle));
      least = std::min(least, std::abs(next));
      if (before * next < 0) {
        const int one = static_cast<int>((angle - M_PI / samples) * RingPlaces::sectors / (2 * M_PI));
        EXPECT_TRUE(places.sector(one).first.is_there()) << "trial " << trial << ", angle " << angle;
        ++through;
      }
      before = next;
    }
    const double found = nearest_of(places);
    EXPECT_LE(found, least + 1e-12 * size) << "trial " << trial;
    EXPECT_GE(found, least - half - 1e-12 * size) << "trial " << trial;
  }
  EXPECT_GT(through, 20);
}

// A place beside an edge is where both are nearest to each other, not only near by.
TEST(RingPlaces, AreExact) {
  const Shape<3> box{.kind = mesh_kind, .data = mesh_data(box_soup({1, 1, 1}))};
  // Beside the edge from (1, 1, −1) to (1, 1, 1), in the plane across it: on the diagonal, 0.5 m away.
  const double far = std::sqrt(2.0) + 0.5 + 0.3;
  const Vector3d out = Vector3d(1, 1, 0).normalized();
  const Ring ring{far * out + Vector3d(0, 0, 0.2), out, Vector3d(-1, 1, 0).normalized(), Vector3d::UnitZ(), 0.3};
  EXPECT_NEAR(nearest_of(RingPlaces(mesh_of(box), ring, 1)), 0.5, 1e-15);
  // Across it, tilted: the ring lies in a plane through the diagonal and the vertical.
  const Ring upright{far * out + Vector3d(0, 0, 0.2), out, Vector3d::UnitZ(), out.cross(Vector3d::UnitZ()), 0.3};
  EXPECT_NEAR(nearest_of(RingPlaces(mesh_of(box), upright, 1)), 0.5, 1e-15);
}

}  // namespace
}  // namespace carom
