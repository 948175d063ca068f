#include <gtest/gtest.h>

#include "contact_geometry/broad_phase.h"
#include "sample_shapes.h"

namespace carom {
namespace {

// Spheres on a body each, a floor, and a few large spheres, all in motion.
template <int D>
struct Crowd {
  std::vector<Shape<D>> shapes;
  Bodies<D> bodies;

  Crowd(int count, double room, unsigned seed) {
    Dice dice(seed);
    bodies.resize(1);
    Shape<D> floor;
    floor.kind = ShapeKind::plane;
    shapes.push_back(floor);
    for (int k = 0; k < count; ++k) {
      BodyState<D> body;
      body.position = dice.vector<D>(room);
      body.velocity = dice.vector<D>(1);
      for (double& entry : body.angular_velocity) entry = dice.between(-1, 1);
      bodies.push_back(body);
      const bool large = k % 100 == 50;
      Shape<D> sphere;
      sphere.body = k + 1;
      sphere.position = dice.vector<D>(0.02);
      sphere.radius = large ? 0.5 : dice.between(0.05, 0.1);
      shapes.push_back(sphere);
    }
  }

  void move(double time) {
    for (std::size_t k = 1; k < bodies.size(); ++k) bodies[k] = after<D>(bodies[k], time);
  }

  double separation(const Shape<D>& a, const Shape<D>& b) const {
    const VectorOf<D> one = centre_of<D>(a, bodies[a.body]), two = centre_of<D>(b, bodies[b.body]);
    return a.kind == ShapeKind::plane ? two[D - 1] - b.radius : (one - two).norm() - a.radius - b.radius;
  }

  std::vector<Candidate> pairs_within(double distance) const {
    std::vector<Candidate> result;
    for (std::size_t a = 0; a < shapes.size(); ++a) {
      for (std::size_t b = a + 1; b < shapes.size(); ++b) {
        if (separation(shapes[a], shapes[b]) < distance) result.push_back({static_cast<int>(a), static_cast<int>(b)});
      }
    }
    return result;
  }
};

template <int D>
void check_against_all_pairs() {
  Crowd<D> crowd(500, D == 2 ? 4 : 1.5, 31);
  const double skin = 0.04;
  BroadPhase<D> broad_phase(crowd.shapes, skin);
  int rebuilds = 0, steps = 0;
  for (; steps < 200; ++steps) {
    const bool rebuilt = broad_phase.update(crowd.bodies);
    rebuilds += rebuilt ? 1 : 0;
    const auto list = broad_phase.candidates();
    if (rebuilt) {
      const auto expected = crowd.pairs_within(skin);
      ASSERT_TRUE(std::equal(list.begin(), list.end(), expected.begin(), expected.end()));
    }
    // Between updates nothing that touches is missing.
    for (const Candidate& pair : crowd.pairs_within(0)) {
      ASSERT_TRUE(std::binary_search(list.begin(), list.end(), pair,
                                     [](const Candidate& a, const Candidate& b) { return a.key() < b.key(); }));
    }
    crowd.move(0.003);
  }
  EXPECT_GT(rebuilds, 10);
  EXPECT_LT(rebuilds, steps / 2);
}

TEST(BroadPhase, FindsWhatAllPairsFindInThePlane) {
  check_against_all_pairs<2>();
}

TEST(BroadPhase, FindsWhatAllPairsFindInSpace) {
  check_against_all_pairs<3>();
}

TEST(BroadPhase, TestsPerBodyDoNotGrow) {
  double per_body[2] = {};
  for (const int k : {0, 1}) {
    const int count = k == 0 ? 500 : 8000;
    Crowd<3> crowd(count, 1.5 * std::cbrt(count / 500.0), 32);
    std::erase_if(crowd.shapes, [](const Shape<3>& shape) { return shape.radius > 0.1; });
    BroadPhase<3> broad_phase(crowd.shapes, 0.04);
    broad_phase.update(crowd.bodies);
    per_body[k] = static_cast<double>(broad_phase.tests()) / count;
  }
  EXPECT_LT(per_body[1], 30);
  EXPECT_LT(per_body[1], 1.5 * per_body[0]);
}

TEST(BroadPhase, AsksTheFilterAndLeavesOutShapesOfOneBody) {
  std::vector<Shape<2>> shapes(4);
  for (int k = 0; k < 4; ++k) {
    shapes[k].radius = 1;
    shapes[k].body = k / 2 + 1;
  }
  const Bodies<2> bodies(3);
  BroadPhase<2> all(shapes, 0.1);
  all.update(bodies);
  EXPECT_EQ(all.candidates().size(), 4u);
  shapes[0].name = "ghost";
  BroadPhase<2> some(shapes, 0.1,
                     [](const Shape<2>& a, const Shape<2>& b) { return a.name != "ghost" && b.name != "ghost"; });
  some.update(bodies);
  EXPECT_EQ(some.candidates().size(), 2u);
}

TEST(BroadPhase, SeesATurnedPlane) {
  std::vector<Shape<2>> shapes(2);
  shapes[0].kind = ShapeKind::plane;
  shapes[0].body = 1;
  shapes[1].body = 2;
  shapes[1].radius = 0.1;
  Bodies<2> bodies(3);
  bodies[2].position = {10, 1};
  BroadPhase<2> broad_phase(shapes, 0.05);
  broad_phase.update(bodies);
  EXPECT_TRUE(broad_phase.candidates().empty());
  EXPECT_FALSE(broad_phase.needs_update(bodies));
  bodies[1].orientation = Rotation<2>(0.1);
  EXPECT_TRUE(broad_phase.update(bodies));
  EXPECT_EQ(broad_phase.candidates().size(), 1u);
}

TEST(BroadPhase, DataFollowItsPairs) {
  Crowd<2> crowd(300, 3, 33);
  BroadPhase<2> broad_phase(crowd.shapes, 0.05);
  broad_phase.update(crowd.bodies);
  std::vector<std::uint64_t> data;
  for (const Candidate& pair : broad_phase.candidates()) data.push_back(pair.key());
  crowd.move(0.1);
  ASSERT_TRUE(broad_phase.update(crowd.bodies));
  std::size_t kept = 0;
  for_each_kept(broad_phase.previous_candidates(), broad_phase.candidates(),
                [&](std::size_t before, std::size_t after) {
                  EXPECT_EQ(data[before], broad_phase.candidates()[after].key());
                  ++kept;
                });
  EXPECT_GT(kept, 20u);
}

TEST(BroadPhase, BearsPositionsThatAreNotNumbers) {
  Crowd<2> crowd(20, 1, 34);
  crowd.bodies[3].position.setConstant(std::nan(""));
  crowd.bodies[4].position.setConstant(1e300);
  BroadPhase<2> broad_phase(crowd.shapes, 0.05);
  EXPECT_TRUE(broad_phase.update(crowd.bodies));
  EXPECT_TRUE(broad_phase.needs_update(crowd.bodies));
}

}  // namespace
}  // namespace carom
