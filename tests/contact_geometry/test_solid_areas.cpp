#include <gtest/gtest.h>

#include <fmt/format.h>

#include "contact_geometry/ring.h"
#include "pressed_solids.h"

// Areas under pressure of built-in solids, by boundary elements: against Hertz and flat punches, and forces against
// differences of the energy.
namespace carom {
namespace {

using Vector = Eigen::Vector3d;

constexpr double ball = 0.01, deep = 1e-5;  // m

TEST(SolidAreas, ASphereTendsToHertz) {
  double before = 1;
  for (const int across : {12, 16, 32}) {
    PressedSolids sphere(solid(ShapeKind::sphere, ball), ground_plane(), across);
    sphere.body_a.position = {0.1, 0.2, ball - deep};
    const ContactPoint<3> point = sphere.point();
    const double error = std::abs(force_of(point) / hertz_force(ball, deep) - 1);
    RecordProperty(fmt::format("error_{}", across), fmt::format("{:.2e}", error));
    EXPECT_LT(error, 0.01);
    EXPECT_LT(error, 0.07 / across);
    before = error;
    EXPECT_NEAR(-point.gap / deep, 1, 0.005);
    EXPECT_NEAR(point.area.area / (M_PI * ball * deep), 1, across == 12 ? 0.12 : 0.05);
    EXPECT_NEAR(point.area.peak * M_PI * ball * deep / point.area.area, 1.5, 0.05);
    EXPECT_NEAR(point.area.lever / (3 * M_PI / 16 * std::sqrt(ball * deep)), 1, 0.02);
    EXPECT_NEAR((0.5 * (point.point_a + point.point_b) - Vector(0.1, 0.2, 0)).norm(), 0, deep);
  }
  EXPECT_LT(before, 2e-3);
}

// At first touch, where depths are rounding, there is one area as well.
TEST(SolidAreas, AFirstTouchIsOneArea) {
  for (const double depth : {1e-17, 1e-16, 1e-14, 1e-11}) {
    PressedSolids sphere(solid(ShapeKind::sphere, 0.015), ground_plane());
    sphere.body_a.orientation = turned({1, 0.4, -0.3}, 0.3);
    sphere.body_a.position = {0.001, 0.002, 0.015 - depth};
    EXPECT_LT(force_of(sphere.point()), 2 * hertz_force(0.015, depth)) << depth;
  }
}

// K. L. Johnson, Contact Mechanics, section 4.2: A/δ = (K − E)/(e² a² K), p₀ = δ/(b K).
double hertz_of_ellipsoid(double long_radius, double short_radius, double depth) {
  double low = 1e-6, high = 1;
  double first = 0, second = 0, square = 0;
  for (int round = 0; round < 100; ++round) {
    const double k = 0.5 * (low + high);
    square = 1 - k * k, first = std::comp_ellint_1(std::sqrt(square)), second = std::comp_ellint_2(std::sqrt(square));
    ((second / (k * k) - first) / (first - second) > long_radius / short_radius ? low : high) = k;
  }
  const double a = std::sqrt(depth * (first - second) * 2 * long_radius / (square * first));
  return 2.0 / 3 * M_PI * a * depth / first;
}

TEST(SolidAreas, EllipsoidsTendToHertz) {
  for (const double ratio : {2.0, 5.0, 10.0, 50.0}) {
    const double hertz = hertz_of_ellipsoid(ball * ratio, ball, 1e-6);
    for (const int across : {12, 16, 32}) {
      PressedSolids pressed(solid(ShapeKind::ellipsoid, 0, 0, Vector(ball * std::sqrt(ratio), ball, ball)),
                            ground_plane(), across);
      pressed.body_a.position = {0, 0, ball - 1e-6};
      pressed.body_a.orientation = turned(Vector::UnitZ(), 0.6);
      EXPECT_NEAR(force_of(pressed.point()) / hertz, 1, across == 32 ? 0.003 : 0.01) << ratio << ' ' << across;
    }
  }
}

// Away from its ends a lying cylinder has Hertz' line contact: p₀ = √(F' E*/(π R)), b = √(4 F' R/(π E*)).
TEST(SolidAreas, ALyingCylinderHasHertzLineContact) {
  static PressedPatch patch;
  patch.reserve(32);
  for (const int across : {12, 16, 32}) {
    const double length = 10 * ball;
    const std::array seeds = {Vector(0, -ball, length / 2), Vector(0, -ball, -length / 2)};
    // The plane looks along y of the cylinder, whose axis lies in it.
    const Eigen::Matrix3d turn = turned(Vector::UnitX(), -M_PI / 2).matrix();
    patch.press(solid(ShapeKind::cylinder, ball, length), ground_plane(), turn, Vector(0, -ball + deep, 0), seeds, deep,
                across);
    double force = 0, peak = 0, area = 0, long_side = 0;
    for (int k = 0; k < patch.cells().size(); ++k) {
      const HalfSpaceCell& cell = patch.cells().cell(k);
      if (cell.row != across / 2 || !(cell.force > 0)) continue;
      force += cell.force, area += cell.area, peak = std::max(peak, cell.force / cell.area);
      long_side = 2 * cell.half_v.norm();
    }
    ASSERT_GT(force, 0);
    const double per_length = force / long_side;
    EXPECT_NEAR(peak / std::sqrt(per_length / (M_PI * ball)), 1, 0.01) << across;
    EXPECT_NEAR(area / long_side / (2 * std::sqrt(4 * per_length * ball / M_PI)), 1, 1.5 / across) << across;
  }
}

TEST(SolidAreas, FlatPunches) {
  PressedSolids round(solid(ShapeKind::cylinder, ball, ball), ground_plane());
  round.body_a.position = {0, 0, ball / 2 - deep};
  EXPECT_NEAR(force_of(round.point()) / (2 * ball * deep), 1, 0.01);
  // Tilted, but with all of it in contact: 4/3 E* a³ θ.
  const double tilt = 2e-4;
  round.body_a.orientation = turned(Vector::UnitX(), tilt);
  const ContactPoint<3> tilted = round.point();
  const double moment = force_of(tilted) * std::abs(tilted.point_a.y());
  EXPECT_NEAR(moment / (4.0 / 3 * ball * ball * ball * tilt), 1, 0.03);
  // Of the area A, in √A E* δ: boundary elements of others (see test_contact_areas.cpp).
  for (const auto& [length, exact] :
       {std::pair{1.0, 1.1523}, std::pair{2.0, 1.182}, std::pair{4.0, 1.271}, std::pair{10.0, 1.492}}) {
    PressedSolids punch(solid(ShapeKind::box, 0, 0, {0.001 * length, 0.001, 0.001}), ground_plane());
    punch.body_a.position = {0, 0, 0.001 - 1e-6};
    EXPECT_NEAR(force_of(punch.point()) / (exact * 0.002 * std::sqrt(length) * 1e-6), 1, 0.025) << length;
  }
}

// Of all areas together, against differences of their energy; in parts of the force, and of the force times 1 cm.
double error_of_derivatives(PressedSolids& pressed) {
  const BodyState<3> start = pressed.body_b;
  const double step = 1e-8, lever = 0.01;
  Vector force = Vector::Zero(), moment = Vector::Zero();
  for (const ContactPoint<3>& point : pressed.points()) {
    const Vector own = force_of(point) * point.normal;
    force += own, moment += (0.5 * (point.point_a + point.point_b) - start.position).cross(own);
  }
  EXPECT_GT(force.norm(), 0);
  double worst = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const auto energy = [&](double way, double angle) {
      pressed.body_b = start;
      pressed.body_b.position += way * Vector::Unit(axis);
      pressed.body_b.orientation = Rotation<3>(turned(Vector::Unit(axis), angle).matrix() * start.orientation.matrix());
      double sum = 0;
      for (const ContactPoint<3>& point : pressed.points()) sum += energy_of(point);
      return sum;
    };
    const double angle = step / lever;
    worst = std::max({worst, std::abs((energy(-step, 0) - energy(step, 0)) / (2 * step) - force[axis]),
                      std::abs((energy(0, -angle) - energy(0, angle)) / (2 * angle) - moment[axis]) / lever});
  }
  pressed.body_b = start;
  return worst / force.norm();
}

struct Named {
  const char* name;
  Shape<3> shape;
};

std::vector<Named> round_solids() {
  return {{"sphere", solid(ShapeKind::sphere, 0.01)},
          {"ellipsoid", solid(ShapeKind::ellipsoid, 0, 0, Vector(0.012, 0.007, 0.01))},
          {"cylinder", solid(ShapeKind::cylinder, 0.01, 0.03)},
          {"capsule", solid(ShapeKind::capsule, 0.01, 0.02)},
          {"cone", solid(kind_named("cone"), 0.01, 0.02, Vector(0.004, 0, 0))},
          {"torus", solid(torus_kind, 0.01, 0, Vector(0.003, 0, 0))},
          {"box", solid(ShapeKind::box, 0, 0, Vector(0.01, 0.012, 0.008))}};
}

// Lowers a solid until its deepest point is so deep in the other.
void lower(PressedSolids& pressed, BodyState<3>& body, double depth) {
  const PairDescription<3>& points = *find_pair<3>(pressed.a.kind, pressed.b.kind);
  ContactManifold<3> manifold(points.points(pressed.a, pressed.b));
  std::vector<double> memory(points.memory(pressed.a, pressed.b));
  for (int round = 0; round < 60; ++round) {
    write_manifold(points, pressed.a, pressed.b, pressed.body_a, pressed.body_b, manifold, memory.data());
    double gap = 0.01;
    for (int k = 0; k < manifold.size(); ++k) gap = std::min(gap, manifold.point(k).gap);
    body.position.z() -= gap + depth;
  }
}

TEST(SolidAreas, ForcesAreDerivativesOfTheEnergy) {
  const Shape<3> table = solid(ShapeKind::box, 0, 0, {0.05, 0.05, 0.01}),
                 mesh = mesh_shape(box_soup({0.05, 0.05, 0.01}));
  const std::array poses = {Rotation<3>(), turned({1, 0, 0}, M_PI / 2), turned({1, 0.3, 0.1}, 0.002),
                            turned({1, 0.4, -0.3}, 0.7)};
  for (const Named& each : round_solids()) {
    for (const Shape<3>& below : {ground_plane(), table, mesh}) {
      if (each.shape.kind == ShapeKind::box && below.kind == mesh_kind) continue;  // by a potential
      for (const Rotation<3>& pose : poses) {
        if (below.kind != ShapeKind::plane && &pose != &poses[3]) continue;
        const bool turned_round = !find_pair<3>(each.shape.kind, below.kind);
        PressedSolids pressed(turned_round ? below : each.shape, turned_round ? each.shape : below);
        BodyState<3>& body = turned_round ? pressed.body_b : pressed.body_a;
        body.orientation = pose, body.position = {0.003, 0.002, 0.06};
        lower(pressed, body, 2e-5);
        EXPECT_LT(error_of_derivatives(pressed), 0.012)
            << each.name << " at a height of " << body.position.z() << " on " << static_cast<unsigned>(below.kind);
      }
    }
  }
}

// Whatever two solids overlap, how deep they may, what comes out are numbers.
TEST(SolidAreas, RoundSolidsPressOnEachOther) {
  for (const Named& one : round_solids()) {
    for (const Named& two : round_solids()) {
      if (!find_pair<3>(one.shape.kind, two.shape.kind)) continue;
      for (const double depth : {1e-6, 1e-4, 2e-3}) {
        PressedSolids pressed(one.shape, two.shape);
        pressed.body_b.orientation = turned({1, 0.5, 0.2}, 0.4);
        pressed.body_a.position = {0.001, 0.0015, 0.06};
        lower(pressed, pressed.body_a, depth);
        double force = 0;
        for (const ContactPoint<3>& point : pressed.points()) {
          if (!(point.gap < 0)) continue;
          EXPECT_NEAR(point.normal.norm(), 1, 1e-9);
          EXPECT_LT(-point.gap, 3 * depth);
          EXPECT_NEAR((point.point_b - point.point_a - point.gap * point.normal).norm(), 0, 1e-12);
          force += force_of(point);
        }
        EXPECT_GT(force, 0) << one.name << " on " << two.name << ' ' << depth;
        EXPECT_TRUE(std::isfinite(force)) << one.name << " on " << two.name << ' ' << depth;
      }
    }
  }
}

}  // namespace
}  // namespace carom
