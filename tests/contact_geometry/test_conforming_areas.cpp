#include <gtest/gtest.h>

#include <fmt/format.h>

#include "pressed_solids.h"

// Pins in bores and balls in cavities under pressure over areas, against closed forms.
namespace carom {
namespace {

using Vector = Eigen::Vector3d;

// A. Persson, On the stress distribution of cylindrical elastic bodies in contact, Chalmers 1964, as in M. Ciavarella
// and P. Decuzzi, Int. J. Solids Structures 38 (2001) 4507, for equal materials in plane strain: with b = tan(ε/2) of
// the contact angle ± ε and E* = E/(2 (1 − ν²)).
double persson_load(double b) {  // Q / (E* ΔR)
  const double square = b * b;
  return 2 * M_PI * square * (square + 1) / (2 - std::log(square + 1) - 2 * square * square);
}
double persson_pressure(double b, double y) {  // p R / Q at y = tan(θ/2)
  const double square = b * b, root = std::sqrt(square + 1), away = std::sqrt(square - y * y);
  return 2 * away / (M_PI * root * (1 + y * y)) +
         std::log((root + away) / (root - away)) / (2 * M_PI * square * (square + 1));
}
double persson_angle(double load) {
  double low = 1e-4, high = 0.92;
  for (int round = 0; round < 100; ++round) {
    const double b = 0.5 * (low + high);
    (persson_load(b) < load ? low : high) = b;
  }
  return low;
}

struct Slice {
  double load = 0;                                  // per length, with E* = 1
  std::vector<std::pair<double, double>> pressure;  // at angles
  double end = 0;                                   // rad, of the outermost cell
};

// The middle of a long pin that is moved against its bore along x.
Slice pressed_pin(double radius, double clearance, double depth, int across) {
  static PressedPatch patch;
  patch.reserve(32);
  const double length = 20 * radius;
  const std::array seeds = {Vector(radius, 0, length / 2), Vector(radius, 0, -length / 2)};
  patch.press(solid(ShapeKind::cylinder, radius, length), solid(ShapeKind::bore, radius + clearance, length),
              Eigen::Matrix3d::Identity(), Vector(-clearance - depth, 0, 0), seeds, depth, across);
  Slice slice;
  for (int k = 0; k < patch.cells().size(); ++k) {
    const HalfSpaceCell& cell = patch.cells().cell(k);
    if (cell.row != across / 2 || !(cell.force > 0)) continue;
    slice.load -= cell.force * cell.normal.x() / (2 * cell.half_v.norm());
    const double angle = std::atan2(cell.place.y(), cell.place.x());
    slice.pressure.emplace_back(angle, cell.force / cell.area);
    slice.end = std::max(slice.end, std::abs(angle) + cell.half_u.norm() / radius);
  }
  return slice;
}

// From a line to a contact around three quarters of the lower half.
TEST(ConformingAreas, APinInABoreFollowsPersson) {
  const double radius = 0.01;
  for (const int across : {12, 16, 32}) {
    for (const double clearance : {1e-6, 1e-5, 1e-4}) {
      for (const double depth : {0.1, 1.0, 10.0}) {
        if (depth * clearance > 0.02 * radius) continue;  // too deep for linear elasticity
        const Slice slice = pressed_pin(radius, clearance, depth * clearance, across);
        const double b = persson_angle(slice.load / clearance), angle = 2 * std::atan(b);
        RecordProperty(fmt::format("angle_{}_{}_{}", across, clearance, depth), fmt::format("{:.4f}", angle));
        EXPECT_NEAR(slice.end / angle, 1, 1.5 / across) << across << ' ' << clearance << ' ' << depth;
        for (const auto& [at, pressure] : slice.pressure) {
          if (std::abs(at) > 0.7 * angle) continue;
          const double exact = slice.load / radius * persson_pressure(b, std::tan(at / 2));
          EXPECT_NEAR(pressure / exact, 1, 0.015) << across << ' ' << clearance << ' ' << depth << ' ' << at / angle;
        }
      }
    }
  }
}

// Small loads on little arcs: R R'/(R' − R), of a ball in all directions.
TEST(ConformingAreas, ABallInACavityTendsToHertzAtSmallLoads) {
  const double radius = 0.01, clearance = 1e-3, together = radius * (radius + clearance) / clearance;
  double before = 1;
  for (const double depth : {1e-5, 1e-6, 1e-7}) {
    PressedSolids seat(solid(ShapeKind::cavity, radius + clearance), solid(ShapeKind::sphere, radius));
    seat.body_b.position = {0, 0, -clearance - depth};
    const ContactPoint<3> point = seat.point();
    const double error = std::abs(force_of(point) / hertz_force(together, depth) - 1);
    EXPECT_LT(error, before);
    EXPECT_LT(error, 0.005 + 0.15 * std::sqrt(depth / clearance));
    EXPECT_NEAR((point.normal - Vector::UnitZ()).norm(), 0, 1e-6);
    before = std::max(error, 0.006);
  }
}

// A pin that stands askew in its bore is pressed at both ends, from opposite sides.
TEST(ConformingAreas, APinAskewPressesAtBothEnds) {
  PressedSolids pin(solid(ShapeKind::bore, 0.01005, 0.04), solid(ShapeKind::cylinder, 0.01, 0.06));
  pin.body_b.orientation = turned(Vector::UnitY(), 0.0028);
  std::vector<ContactPoint<3>> areas = pin.points();
  std::erase_if(areas, [](const auto& each) { return !(each.gap < 0); });
  ASSERT_EQ(areas.size(), 2U);
  EXPECT_NEAR(force_of(areas[0]) / force_of(areas[1]), 1, 1e-6);
  EXPECT_NEAR((areas[0].normal + areas[1].normal).norm(), 0, 1e-6);
  EXPECT_LT(areas[0].point_a.z() * areas[1].point_a.z(), 0);
}

}  // namespace
}  // namespace carom
