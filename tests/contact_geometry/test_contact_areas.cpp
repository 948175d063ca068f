#include <gtest/gtest.h>

#include <fmt/format.h>

#include "contact_geometry/pressure_field.h"
#include "pressed.h"

// Areas under pressure, against Hertz, flat punch and cone in closed form, and forces against differences of the
// energy.
namespace carom {
namespace {

using Vector = Eigen::Vector3d;

TriangleSoup disc_soup(double radius, double height, int sides) {
  std::vector<Eigen::Vector2d> outline;
  for (int k = 0; k < sides; ++k)
    outline.push_back(radius * Eigen::Vector2d(std::cos(2 * M_PI * k / sides), std::sin(2 * M_PI * k / sides)));
  return prism(outline, height);
}

// δ/R = 0.001, so that a sphere is Hertz' paraboloid to 1e-4 (the sphere of Sneddon, 1965, is softer by 0.1 δ/R), and
// triangles of 1/8 to 1/32 of the radius of the overlap.
constexpr double ball_radius = 0.01, ball_depth = 1e-5;

TriangleSoup fine_ball(int rings) {
  return ball_with_fine_pole(ball_radius, 1.5 * std::sqrt(2 * ball_depth / ball_radius), rings);
}

double hertz_force(double radius, double depth) {
  return 4.0 / 3 * std::sqrt(radius) * std::pow(depth, 1.5);
}

TEST(ContactAreas, AMeshedSphereTendsToHertzOnAPlane) {
  const double hertz = hertz_force(ball_radius, ball_depth), width = std::sqrt(ball_radius * ball_depth);
  double before = 1;
  for (const int rings : {12, 24, 48}) {
    Pressed sphere(mesh_shape(fine_ball(rings)), ground_plane());
    double worst = 0;
    for (int pose = 0; pose < 10; ++pose) {
      sphere.body_a.orientation = turned({1, 0.3 * pose, -0.2}, 1.7e-3 * pose);
      sphere.body_a.position = {0.1, 0.2, ball_radius - ball_depth};
      const ContactPoint<3> point = sphere.point();
      worst = std::max(worst, std::abs(force_of(point) / hertz - 1));
      EXPECT_NEAR(point.area.area / (M_PI * width * width), 0.95, 0.01);
      EXPECT_NEAR(point.area.peak * 0.95 / 1.5, 0.935, 0.01);
      EXPECT_NEAR(point.area.lever / (3 * M_PI / 16 * width), 1, 0.01);
      EXPECT_NEAR((0.5 * (point.point_a + point.point_b) - Vector(0.1, 0.2, 0)).norm(), 0, 0.1 * width);
    }
    RecordProperty(fmt::format("error_{}", rings), fmt::format("{:.2e}", worst));
    EXPECT_LT(worst, 0.01);
    if (before < 1) {
      EXPECT_NEAR(std::log2(before / worst), 2, 0.3) << rings;  // order
    }
    before = worst;
  }
  EXPECT_LT(before, 1e-3);
}

TEST(ContactAreas, TwoMeshedSpheresTendToHertz) {
  const double hertz = hertz_force(ball_radius / 2, 2 * ball_depth);
  double before = 1;
  for (const int rings : {12, 18, 27}) {
    Pressed spheres(mesh_shape(fine_ball(rings)), mesh_shape(fine_ball(rings)));
    spheres.b.body = 2;
    double worst = 0;
    for (int pose = 0; pose < 3; ++pose) {
      spheres.body_a.orientation = turned({1, 0.3 * pose, -0.2}, 1.7e-3 * pose);
      spheres.body_b.orientation = turned({1, 0.1 * pose, 2e-3 * pose}, M_PI);
      spheres.body_b.position = {0, 0, -2 * ball_radius + 2 * ball_depth};
      const ContactPoint<3> point = spheres.point();
      worst = std::max(worst, std::abs(force_of(point) / hertz - 1));
      EXPECT_LT(point.normal.z(), -1 + 1e-5);
      EXPECT_LT((0.5 * (point.point_a + point.point_b) - 0.5 * spheres.body_b.position).norm(), 2e-3 * ball_radius);
    }
    RecordProperty(fmt::format("error_{}", rings), fmt::format("{:.2e}", worst));
    EXPECT_LT(worst, 0.01);
    if (before < 1) {
      EXPECT_NEAR(std::log(before / worst) / std::log(1.5), 2, 0.4) << rings;
    }
    before = worst;
  }
  EXPECT_LT(before, 1.5e-3);
}

// Rounded to the digits of an STL file a sphere has hollow edges, which make no areas of their own.
TEST(ContactAreas, ARoundedSphereIsOneArea) {
  TriangleSoup soup = fine_ball(16);
  for (Vector& point : soup.points) point = point.cast<float>().cast<double>();
  Pressed rounded(mesh_shape(soup), ground_plane()), exact(mesh_shape(fine_ball(16)), ground_plane());
  EXPECT_FALSE(mesh_of(rounded.a).is_convex());
  rounded.body_a.position = exact.body_a.position = {0, 0, ball_radius - ball_depth};
  EXPECT_NEAR(force_of(rounded.point()) / force_of(exact.point()), 1, 1e-3);
}

// 2 a E* δ: the pressure at a sharp rim has no bound, and none of ours.
TEST(ContactAreas, AFlatPunchIsATenthTooSoft) {
  const double radius = 0.02, depth = 1e-5;
  Pressed punch(mesh_shape(disc_soup(radius, 0.01, 180)), ground_plane());
  punch.body_a.position = {0, 0, -depth};
  const ContactPoint<3> point = punch.point();
  EXPECT_NEAR(force_of(point) / (2 * radius * depth), 0.897, 0.001);
  EXPECT_NEAR(energy_of(point) / (radius * depth * depth), 0.897, 0.001);
  EXPECT_NEAR(point.area.area / (M_PI * radius * radius), 1, 1e-3);
  EXPECT_NEAR(point.area.peak, 1, 1e-9);
}

// Of the area A, in √A E* δ: the capacity of a square plate, and boundary elements for rectangles.
TEST(ContactAreas, LongFlatPunchesAreSofterStill) {
  for (const auto& [length, exact, error] : {std::tuple{1.0, 1.1523, -0.12}, std::tuple{2.0, 1.182, -0.14},
                                             std::tuple{4.0, 1.271, -0.20}, std::tuple{10.0, 1.492, -0.32}}) {
    Pressed punch(mesh_shape(box_soup({0.001 * length, 0.001, 0.001})), ground_plane());
    punch.body_a.position = {0, 0, 0.001 - 1e-6};
    const double unit = 0.002 * std::sqrt(length) * 1e-6;
    EXPECT_NEAR(force_of(punch.point()) / (exact * unit) - 1, error, 0.005) << length;
  }
}

// Sneddon 1965: 2 E* δ² / (π tan β) with the angle β of its side to the plane.
TEST(ContactAreas, AConeIsWithinAHundredth) {
  PressureField field;
  const int sides = 720;
  for (int k = 0; k < sides; ++k) {
    const auto rim = [&](int at) {
      return Vector(std::cos(2 * M_PI * at / sides), std::sin(2 * M_PI * at / sides), 0);
    };
    field.add(std::array{Vector(0, 0, 1), rim(k), rim(k + 1)});
  }
  EXPECT_NEAR(field.solve(false).force / (2 / M_PI), 0.992, 0.001);
}

// Under every pressure the force is the derivative of the energy: no motion gains any.
void expect_forces_to_be_derivatives(Pressed pressed, double step, double within) {
  const ContactPoint<3> point = pressed.point();
  ASSERT_LT(point.gap, 0);
  const Vector force = force_of(point) * point.normal;  // on b
  const Vector place = 0.5 * (point.point_a + point.point_b);
  const BodyState<3> start = pressed.body_b;
  for (int axis = 0; axis < 3; ++axis) {
    const auto energy = [&](double way, double angle) {
      pressed.body_b = start;
      pressed.body_b.position += way * Vector::Unit(axis);
      pressed.body_b.orientation = Rotation<3>(turned(Vector::Unit(axis), angle).matrix() * start.orientation.matrix());
      return energy_of(pressed.point());
    };
    const double size = force.norm();
    EXPECT_NEAR(-(energy(step, 0) - energy(-step, 0)) / (2 * step) / size, force[axis] / size, within) << axis;
    const double lever = 0.01, moment = (place - start.position).cross(force)[axis];
    const double angle = step / lever;
    EXPECT_NEAR(-(energy(0, angle) - energy(0, -angle)) / (2 * angle) / (size * lever), moment / (size * lever), within)
        << axis;
  }
}

TEST(ContactAreas, ForcesOnAPlaneAreDerivativesOfTheEnergy) {
  Shape<3> plane = ground_plane();
  plane.body = 2;
  for (int pose = 0; pose < 6; ++pose) {
    Pressed box(mesh_shape(box_soup({0.01, 0.02, 0.01})), plane);
    box.body_a.orientation = turned({1, 0.5, 0.2 * pose}, pose < 3 ? 1e-3 * pose : 0.2 * pose);
    const Vector down = box.body_a.orientation.back(Vector(0, 0, -1));
    const Vector low = Vector(0.01, 0.02, 0.01).cwiseProduct(down.cwiseSign());
    box.body_a.position = {0, 0, low.dot(down) - 3e-5};
    expect_forces_to_be_derivatives(box, 1e-9, 1e-5);
  }
}

TEST(ContactAreas, ForcesBetweenMeshesAreDerivativesOfTheEnergy) {
  Pressed spheres(mesh_shape(ball_soup(0.01, 5)), mesh_shape(ball_soup(0.014, 5)));
  spheres.b.body = 2;
  for (int pose = 0; pose < 3; ++pose) {
    spheres.body_a.orientation = turned({1, 0.3 * pose, -0.2}, 0.37 * pose);
    spheres.body_b.position = 0.0233 * Vector(0.3 * pose, 1, -0.4).normalized();
    expect_forces_to_be_derivatives(spheres, 1e-8, 2e-3);
  }
}

// A table on two feet: two areas, each with its own pressure, whose slots stay theirs.
TEST(ContactAreas, FeetPressEachByItself) {
  const TriangleSoup foot = box_soup({0.01, 0.01, 0.025});
  Pressed table(mesh_shape(together(together({}, foot, {-0.1, 0, 0}), foot, {0.1, 0, 0})), ground_plane());
  table.body_a.position = {0, 0, 0.025 - 1e-5};
  ASSERT_EQ(table.points().size(), 2U);
  const double one = force_of(table.points()[0]);
  Pressed single(mesh_shape(foot), ground_plane());
  single.body_a.position = {0, 0, 0.025 - 1e-5};
  EXPECT_NEAR(one, force_of(single.point()), 1e-12 * one);
  std::vector<ContactPoint<3>> slots(table.pair->points(table.a, table.b));
  std::array<double, 2> sides;
  for (const double tilt : {0.0, 1e-5, -1e-5, 5e-4, -5e-4}) {
    table.body_a.orientation = turned(Vector::UnitY(), tilt);
    table.pair->evaluate(table.a, table.b, table.body_a, table.body_b, slots.data(), table.memory.data());
    for (int k = 0; k < 2; ++k) {
      ASSERT_TRUE(std::isfinite(slots[k].gap));
      if (tilt == 0) sides[k] = slots[k].point_a.x();
      EXPECT_GT(slots[k].point_a.x() * sides[k], 0);
    }
  }
  table.body_a.orientation = turned(Vector::UnitY(), 5e-4);
  const auto tilted = table.points();
  EXPECT_EQ(std::count_if(tilted.begin(), tilted.end(), [](const auto& each) { return each.gap < 0; }), 1);
}

TEST(ContactAreas, ABoxOnABoxHasItsFootprint) {
  Shape<3> table;
  table.kind = ShapeKind::box, table.half = {0.1, 0.1, 0.02};
  Pressed box(mesh_shape(box_soup({0.01, 0.02, 0.01})), table);
  box.body_a.position = {0.03, 0.01, 0.03 - 1e-5};
  const ContactPoint<3> point = box.point();
  EXPECT_NEAR((point.normal + Vector::UnitZ()).norm(), 0, 1e-12);
  EXPECT_NEAR(point.area.area, 0.02 * 0.04, 1e-12);
  EXPECT_NEAR((0.5 * (point.point_a + point.point_b) - Vector(0.03, 0.01, 0.02)).norm(), 0, 1e-5);
  // Half over the edge: half the area.
  box.body_a.position.x() = 0.1;
  EXPECT_NEAR(box.point().area.area, 0.01 * 0.04, 1e-12);
  EXPECT_NEAR(box.point().point_a.x(), 0.095, 1e-9);
  // A mesh of the same table gives the same.
  Pressed meshes(box.a, mesh_shape(box_soup(table.half)));
  meshes.body_a = box.body_a;
  EXPECT_NEAR(force_of(meshes.point()), force_of(box.point()), 1e-12 * force_of(box.point()));
  // Whole on the table and tilted against it, it is pushed along the table's normal. (Over the edge the rim lies on
  // both, and the direction is between those of both.)
  box.body_a.position.x() = 0.03;
  box.body_a.orientation = turned(Vector::UnitY(), 1e-4);
  EXPECT_NEAR((box.point().normal + Vector::UnitZ()).norm(), 0, 1e-8);
}

TEST(ContactAreas, ABumpOnAPlateNeverPulls) {
  const double half = 1e-3;
  PressureField field;
  double before = 0;
  for (double depth = 1e-5; depth < 1e-3; depth *= 1.1) {
    field.clear();
    const auto square = [&](double size, double deep) {
      field.add(std::array{Vector(-size, -size, deep), Vector(size, -size, deep), Vector(size, size, deep),
                           Vector(-size, size, deep)});
    };
    square(half, depth);
    if (depth > 2e-4) square(20 * half, depth - 2e-4);
    const FieldResult result = field.solve(true);
    EXPECT_GT(result.force, before);
    before = result.force;
  }
}

}  // namespace
}  // namespace carom
