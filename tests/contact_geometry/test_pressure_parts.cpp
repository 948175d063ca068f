#include <gtest/gtest.h>

#include <random>

#include "contact_geometry/pressure_parts.h"
#include "pressed.h"

// Areas that part and join: energy and force go on without a jump, and the force is the derivative of the energy.
namespace carom {
namespace {

using Vector = Eigen::Vector3d;

// What all areas of a pair do together.
struct Total {
  double energy = 0;
  Vector force = Vector::Zero(), moment = Vector::Zero();  // on b, about the origin
  int areas = 0;
};

Total total_of(Pressed& pressed) {
  Total total;
  for (const ContactPoint<3>& point : pressed.points()) {
    if (!(point.gap < 0)) continue;
    const Vector force = force_of(point) * point.normal;
    total.energy += energy_of(point);
    total.force += force;
    total.moment += (0.5 * (point.point_a + point.point_b)).cross(force);
    ++total.areas;
  }
  return total;
}

// A body is turned about an axis through the origin.
BodyState<3> leaning(const Vector& axis, double angle, double height) {
  BodyState<3> state;
  state.orientation = turned(axis, angle);
  state.position = {0, 0, height};
  return state;
}

// Of the work that the forces do on a way through states, and the energy that they store, which must be the same.
struct Way {
  double work = 0, stored = 0, largest = 0;
  double jump = 0;  // largest change of the force between neighbours, of its largest value
  int fewest = 100, most = 0;
};

template <typename StateAt>
Way follow(Pressed& pressed, const StateAt& state_at, int steps) {
  Way way;
  Total before;
  double strongest = 0, jump = 0;
  for (int k = 0; k <= steps; ++k) {
    const BodyState<3> old = pressed.body_a;
    pressed.body_a = state_at(static_cast<double>(k) / steps);
    const Total now = total_of(pressed);
    if (k > 0) {
      // On a acts the opposite, at its places: dW = F · dx + M · dφ.
      const Vector way_of = pressed.body_a.position - old.position;
      const Eigen::AngleAxisd turn(pressed.body_a.orientation.matrix() * old.orientation.matrix().transpose());
      const Vector force = -0.5 * (now.force + before.force), moment = -0.5 * (now.moment + before.moment);
      const Vector middle = 0.5 * (pressed.body_a.position + old.position);
      way.work -= force.dot(way_of) + (moment - middle.cross(force)).dot(turn.angle() * turn.axis());
      way.stored += now.energy - before.energy;
      jump = std::max(jump, (now.force - before.force).norm());
      way.fewest = std::min(way.fewest, now.areas), way.most = std::max(way.most, now.areas);
    }
    strongest = std::max(strongest, now.force.norm());
    way.largest = std::max(way.largest, now.energy);
    before = now;
  }
  way.jump = jump / strongest;
  return way;
}

// A bracket on two feet, one at the end of each arm, settles on its flat side: the feet grow together.
TEST(PressureParts, TheAreasOfABracketGrowTogetherWithoutAJump) {
  const double size = 0.1, depth = 1e-4;
  Pressed pressed(mesh_shape(bracket(size)), ground_plane());
  const auto state_at = [&](double part) {
    return leaning({-1, 1, 0}, (1 - part) * 3 * depth / size, (1 - part) * 1.8 * depth - part * depth);
  };
  const Way way = follow(pressed, state_at, 2000);
  EXPECT_EQ(way.fewest, 1);
  EXPECT_EQ(way.most, 2);
  EXPECT_LT(way.jump, 2e-3);
  EXPECT_NEAR(way.work / way.largest, way.stored / way.largest, 1e-4);
}

TEST(PressureParts, EveryPoseHasAForce) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> any(-1, 1);
  Pressed pressed(mesh_shape(bracket(0.1)), ground_plane());
  for (int pose = 0; pose < 20000; ++pose) {
    const double small = std::pow(10, -6 + 6 * any(random));
    const double depth = std::pow(10, -7 + 4 * any(random));
    BodyState<3> state;
    state.orientation = turned({any(random), any(random), any(random)}, M_PI / 2 * (pose % 4) * (pose % 2) + small);
    pressed.body_a = state;
    double low = 0;
    for (const auto& vertex : mesh_of(pressed.a).vertices())
      low = std::min(low, (state.orientation.matrix() * vertex.position).z());
    pressed.body_a.position.z() = -low - depth;
    for (const ContactPoint<3>& point : pressed.points()) {
      if (!(point.gap < 0)) continue;
      ASSERT_TRUE(
          std::isfinite(point.gap + point.area.radius + point.area.lever + point.area.peak + point.point_a.sum()))
          << pose;
      ASSERT_GT(point.area.radius, 0) << pose;
    }
  }
}

// A part of which peaks of any size lie at any depth below the plane.
TriangleSoup hills(int count, std::mt19937& random) {
  std::uniform_real_distribution<double> any(-1, 1);
  std::vector<std::vector<Vector>> rows;
  std::vector<Vector> peaks;
  for (int k = 0; k < count; ++k) peaks.emplace_back(0.04 * any(random), 0.04 * any(random), 0.75 + 0.25 * any(random));
  const int cells = 24;
  TriangleSoup soup;
  const double edge = 0.1;
  const auto height = [&](double x, double y) {
    double sum = 0;
    for (const Vector& peak : peaks) {
      const double r = std::hypot(x - peak.x(), y - peak.y()) / 0.02;
      sum -= peak.z() * std::exp(-r * r);
    }
    return 1e-3 * sum;
  };
  // The relief below, a flat side above.
  for (int layer = 0; layer < 2; ++layer) {
    for (int i = 0; i <= cells; ++i) {
      for (int k = 0; k <= cells; ++k) {
        const double x = edge * (double(i) / cells - 0.5), y = edge * (double(k) / cells - 0.5);
        soup.points.emplace_back(x, y, layer == 0 ? height(x, y) : 0.03);
      }
    }
  }
  const auto at = [&](int i, int k, int layer) { return (layer * (cells + 1) + i) * (cells + 1) + k; };
  const auto add = [&](int a, int b, int c, int d) {
    soup.triangles.push_back({a, b, c});
    soup.triangles.push_back({a, c, d});
  };
  for (int i = 0; i < cells; ++i) {
    for (int k = 0; k < cells; ++k) {
      add(at(i, k, 0), at(i, k + 1, 0), at(i + 1, k + 1, 0), at(i + 1, k, 0));
      add(at(i, k, 1), at(i + 1, k, 1), at(i + 1, k + 1, 1), at(i, k + 1, 1));
    }
    add(at(i, 0, 0), at(i + 1, 0, 0), at(i + 1, 0, 1), at(i, 0, 1));
    add(at(i, cells, 0), at(i, cells, 1), at(i + 1, cells, 1), at(i + 1, cells, 0));
    add(at(0, i, 0), at(0, i, 1), at(0, i + 1, 1), at(0, i + 1, 0));
    add(at(cells, i, 0), at(cells, i + 1, 0), at(cells, i + 1, 1), at(cells, i, 1));
  }
  return soup;
}

// Down, while it turns, and up again somewhere else.
TEST(PressureParts, WhatHillsStoreIsTheWorkDoneOnThem) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> any(-1, 1);
  int several = 0;
  for (int trial = 0; trial < 4; ++trial) {
    SCOPED_TRACE(trial);
    Pressed pressed(mesh_shape(hills(2 + trial, random)), ground_plane());
    const Vector axis(any(random), any(random), 0);
    const double deep = 1e-3 * (0.9 + 0.2 * any(random));
    const auto state_at = [&](double part) {
      return leaning(axis, 0.02 * (part - 0.5), 1.2e-3 - 4 * part * (1 - part) * deep - 5e-4 * part);
    };
    const Way way = follow(pressed, state_at, 1200);
    several += way.most > 1 ? 1 : 0;
    EXPECT_LT(way.jump, 1e-2);
    EXPECT_NEAR(way.work / way.largest, way.stored / way.largest, 1e-4);
  }
  EXPECT_GE(several, 2);
}

}  // namespace
}  // namespace carom
