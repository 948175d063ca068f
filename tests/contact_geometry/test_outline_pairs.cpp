#include <gtest/gtest.h>

#include "contact_geometry/shape_description.h"
#include "planar_brute_force.h"

// Pairs of planar shapes that go by their outlines, against brute force.
namespace carom {
namespace {

struct Drawn {
  Shape<2> shape;
  PlanarCurves curves;
};

Drawn draw(ShapeKind kind, Dice& dice) {
  Drawn drawn;
  if (kind == outline_kind) {
    const std::vector<Corners> loops = random_loops(dice, dice.between(0, 1) < 0.7);
    drawn.shape = shape_of_loops(loops);
    for (const Corners& loop : loops) drawn.curves.loops.push_back(closed_curve(loop));
  } else {
    drawn.shape = sample_shape<2>(kind, dice);
    drawn.curves = curves_of(drawn.shape);
  }
  drawn.shape.position = dice.vector<2>(0.3);
  drawn.shape.orientation = dice.rotation<2>();
  return drawn;
}

ContactManifold<2> manifold_of(const PairDescription<2>& pair, const Scene<2>& scene) {
  ContactManifold<2> manifold(pair.points(scene.a, scene.b));
  std::vector<double> memory(pair.memory(scene.a, scene.b), 0.0);
  pair.write(scene.a, scene.b, scene.body_a, scene.body_b, manifold, memory.data());
  return manifold;
}

double least_gap(const ContactManifold<2>& manifold) {
  double gap = std::numeric_limits<double>::infinity();
  for (int k = 0; k < manifold.size(); ++k) gap = std::min(gap, manifold.point(k).gap);
  return gap;
}

// Of curves from a half plane or the walls of a slot.
double wall_distance(const Shape<2>& wall, const BodyState<2>& body, const PlanarCurves& curves) {
  double least = 1e300;
  for (const auto& loop : curves.loops) {
    const auto height = [&](double s) {
      const Eigen::Vector2d x =
          to_shape<2>(wall, body, Eigen::Vector2d(loop(s - std::floor(s)) - centre_of<2>(wall, body)));
      return wall.kind == ShapeKind::plane ? x.y() : wall.half[1] - std::abs(x.y());
    };
    for (int k = 0; k < 4000; ++k) {
      if (!(height(k / 4000.0) < least + 1e-3)) continue;
      double s = k / 4000.0, half = 1.0 / 4000, here = height(s);
      for (int zoom = 0; zoom < 30; ++zoom) {
        double best = s;
        for (int j = -4; j <= 4; ++j) {
          if (const double now = height(s + half * j / 4); now < here) here = now, best = s + half * j / 4;
        }
        s = best, half *= 0.5;
      }
      least = std::min(least, here);
    }
  }
  return least;
}

struct Tally {
  int apart = 0, overlapping = 0;
  double worst = 0;
};

void compare(const PairDescription<2>& pair, Dice& dice, Tally& tally) {
  Drawn a = draw(pair.a, dice), b = draw(pair.b, dice);
  const bool in_hole = pair.a == ShapeKind::cavity || pair.a == ShapeKind::slot;
  if (in_hole) a.shape.radius = b.shape.bounding_radius() * dice.between(1, 1.6), a.shape.half[1] = a.shape.radius;
  if (pair.a == ShapeKind::cavity) a.curves = curves_of(a.shape);
  Scene<2> scene{a.shape, b.shape, {}, {}};
  scene.body_a.orientation = dice.rotation<2>();
  scene.body_a.position = dice.vector<2>(1);
  Eigen::Vector2d offset = dice.vector<2>(in_hole ? 0.2 : 1.1);
  Rotation<2> turn = dice.rotation<2>();
  if (pair.b == ShapeKind::plane) {  // below
    offset.y() = -dice.between(0.6, 1.3);
    turn = dice.rotation<2>(0.3);
  }
  place<2>(scene, offset, turn);
  const PlanarCurves on_a = BruteForce::placed(scene.a, scene.body_a, a.curves),
                     on_b = BruteForce::placed(scene.b, scene.body_b, b.curves);
  const double gap = least_gap(manifold_of(pair, scene));
  double true_gap = 1e300, overlap = -1;
  if (on_a.loops.empty()) {
    true_gap = wall_distance(scene.a, scene.body_a, on_b);
  } else if (on_b.loops.empty()) {
    true_gap = wall_distance(scene.b, scene.body_b, on_a);
  } else {
    overlap = BruteForce::overlap(on_a, on_b);
    for (const auto& one : on_a.loops) {
      for (const auto& two : on_b.loops) true_gap = std::min(true_gap, BruteForce::distance(one, two));
    }
  }
  const auto lie_deeper = [&](double depth) {
    return pair.lie_deeper && pair.lie_deeper(scene.a, scene.b, scene.body_a, scene.body_b, depth);
  };
  if (overlap > 0.01) {
    ++tally.overlapping;
    EXPECT_LT(gap, 0) << "overlap " << overlap;
    // Dense points are no farther apart than this.
    constexpr double spacing = 0.03;
    EXPECT_TRUE(!pair.lie_deeper || lie_deeper(0.3 * (overlap - spacing) + 1e-6)) << "overlap " << overlap;
    EXPECT_FALSE(lie_deeper(overlap + spacing)) << "overlap " << overlap;
  } else if (overlap < 0 && true_gap > 1e-3) {
    EXPECT_FALSE(lie_deeper(1e-9));
    ++tally.apart;
    tally.worst = std::max(tally.worst, std::abs(gap - true_gap));
    EXPECT_NEAR(gap, true_gap, 1e-9) << "of random shapes";
  }
}

// A corner that touches a side to the last digit while the part that it belongs to lies in the other: the sides of the
// corner cross nothing but where they meet.
TEST(OutlinePairs, TellWhatLiesInsideBehindACornerThatTouches) {
  const PairDescription<2>& pair = *find_pair<2>(outline_kind, ShapeKind::box);
  Scene<2> scene;
  scene.a = shape_of_loops({{{{0, 0.5}, 0}, {{0.2, -0.2}, 0}, {{0.4, 0.5}, 0}, {{0.2, 0.8}, 0}}});
  scene.b.kind = ShapeKind::box;
  scene.b.half = {0.5, 0.5};
  const auto lie_deeper = [&](double depth) {
    return pair.lie_deeper(scene.a, scene.b, scene.body_a, scene.body_b, depth);
  };
  EXPECT_TRUE(lie_deeper(1e-7));
  EXPECT_TRUE(lie_deeper(0.2));
  EXPECT_FALSE(lie_deeper(0.39));  // of the sides of the corner below, 0.389 from two sides of the box
  for (const double gap : {0.0, 1e-12, 1e-3}) {
    scene.body_a.position = {0.1, 0.7 + gap};  // that corner on the side
    EXPECT_FALSE(lie_deeper(1e-9)) << gap;
  }
}

// m, how far a triangle and a capsule along x about the origin must be moved to part: the least over the normals of the
// sides of both and the lines from the ends of the capsule's axis to the corners.
double way_apart(const std::vector<Eigen::Vector2d>& corners, double half, double radius) {
  double least = 1e300;
  const auto try_direction = [&](const Eigen::Vector2d& n) {  // from the capsule to the triangle
    double lowest = 1e300;
    for (const Eigen::Vector2d& corner : corners) lowest = std::min(lowest, n.dot(corner));
    least = std::min(least, half * std::abs(n.x()) + radius - lowest);
  };
  for (std::size_t k = 0; k < corners.size(); ++k) {
    const Eigen::Vector2d side = corners[(k + 1) % corners.size()] - corners[k];
    try_direction(Eigen::Vector2d(-side.y(), side.x()).normalized());
    for (const double end : {-half, half}) try_direction((corners[k] - Eigen::Vector2d(end, 0)).normalized());
  }
  try_direction({0, 1});
  try_direction({0, -1});
  return least;
}

// Tips that lie in a capsule by a little, many of them where its side and its round end meet: one contact is as deep as
// they must be moved apart, whatever else touches there.
TEST(OutlinePairs, KnowHowDeepATipLiesInACapsule) {
  const PairDescription<2>& pair = *find_pair<2>(outline_kind, ShapeKind::capsule);
  Dice dice(11);
  for (int trial = 0; trial < 3000; ++trial) {
    const double half = 0.3, radius = dice.between(0.05, 0.3), depth = std::pow(10, dice.between(-7, -3.5));
    // Its first corner, at the origin, looks down.
    const double one = dice.between(0.1, 1.4), two = dice.between(0.1, 1.4);
    std::vector<Eigen::Vector2d> corners = {{0, 0}, {std::sin(one), std::cos(one)}, {-std::sin(two), std::cos(two)}};
    Scene<2> scene;
    scene.a = shape_of_loops({{{corners[0], 0}, {corners[1], 0}, {corners[2], 0}}});
    scene.b.kind = ShapeKind::capsule;
    scene.b.length = 2 * half, scene.b.radius = radius;
    const double at = dice.between(0, 1) < 0.5 ? half + dice.between(-3, 3) * depth : dice.between(-1.3, 1.3) * half;
    const double over = std::max(0.0, std::abs(at) - half);
    if (over >= 0.9 * radius) continue;
    scene.body_a.position = {at, std::sqrt(radius * radius - over * over) - depth};
    for (Eigen::Vector2d& corner : corners) corner += scene.body_a.position;
    const ContactManifold<2> manifold = manifold_of(pair, scene);
    EXPECT_NEAR(-least_gap(manifold), way_apart(corners, half, radius), 1e-11) << trial;
  }
}

// Tips in the inner wall of a round groove, one side of them nearly along it: where the wall presses on that side, the
// other side of the tip may be nearer.
TEST(OutlinePairs, KnowHowDeepATipLiesInTheWallOfAGroove) {
  const PairDescription<2>& pair = *find_pair<2>(groove_kind, outline_kind);
  constexpr double middle = 1, half = 0.1, inner = middle - half;
  std::vector<Eigen::Vector3d> points;
  for (int k = 0; k < 512; ++k)
    points.emplace_back(middle * std::cos(M_PI * k / 256), middle * std::sin(M_PI * k / 256), 0);
  Scene<2> scene;
  make_groove(points, true, 2 * half, scene.a);
  ASSERT_EQ(make_walls(scene.a), "");
  Dice dice(12);
  for (int trial = 0; trial < 1000; ++trial) {
    const double depth = std::pow(10, dice.between(-6, -4)), s = dice.between(-M_PI, M_PI);
    const double lean = dice.between(-3, 1) * depth / inner, open = dice.between(0.3, 2.5);
    const Eigen::Vector2d n(std::cos(s), std::sin(s)), along(-n.y(), n.x());
    const auto leaning = [&](double angle) { return Eigen::Vector2d(std::cos(angle) * along + std::sin(angle) * n); };
    const Eigen::Vector2d tip = (inner - depth) * n, end = tip + 0.05 * leaning(lean);
    const Eigen::Vector2d third = tip + 0.05 * leaning(lean + open);
    // The first corner is looked at by itself: it is not the tip.
    scene.b = shape_of_loops({{{third, 0}, {end, 0}, {tip, 0}}});
    EXPECT_NEAR(-least_gap(manifold_of(pair, scene)), way_apart({third, end, tip}, 0, inner), 1e-9) << trial;
  }
}

TEST(OutlinePairs, HaveTheDistanceOfBruteForce) {
  for (const PairDescription<2>& pair : pair_catalogue<2>()) {
    if (!pair.write || pair.a == groove_kind) continue;  // of grooves test_true_distances_plane.cpp has their own
    SCOPED_TRACE(pair.name);
    Dice dice(7);
    Tally tally;
    const int trials = pair.a == outline_kind && pair.b == outline_kind ? 60 : 15;
    for (int trial = 0; trial < trials; ++trial) {
      SCOPED_TRACE(trial);
      compare(pair, dice, tally);
    }
    EXPECT_GT(tally.apart, 2);
    std::printf("%-22s apart %3d overlapping %3d worst %.1e\n", pair.name.c_str(), tally.apart, tally.overlapping,
                tally.worst);
  }
}

}  // namespace
}  // namespace carom
