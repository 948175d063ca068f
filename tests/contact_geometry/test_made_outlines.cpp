#include <gtest/gtest.h>

#include <cmath>
#include <ctime>
#include <random>

#include "contact_geometry/outline_of_shape.h"
#include "contact_geometry/outline_shape.h"
#include "contact_geometry/separation.h"

// Gears, cams and others that are made of a few numbers: against closed forms.
namespace carom {
namespace {

Shape<2> made(const std::string& name, const std::vector<std::pair<std::string, Value>>& keys) {
  Settings settings;
  for (const auto& [key, value] : keys) settings.set(key, value);
  Shape<2> shape;
  const ShapeDescription<2>* kind = find_shape<2>(name);
  shape.kind = kind->kind;
  kind->take(settings, shape);
  return shape;
}

Shape<2> gear(double teeth, double backlash = 0, double shift = 0) {
  return made("gear", {{"module", 2e-3}, {"teeth", teeth}, {"backlash", backlash}, {"profile_shift", shift}});
}

struct Mesh {
  Shape<2> a, b;
  BodyState<2> body_a, body_b;
  std::vector<double> memory = {0, 0};
  ContactManifold<2> manifold{most_outline_points};

  void place(double angle_a, double angle_b) {
    body_a.orientation = Rotation<2>(angle_a), body_b.orientation = Rotation<2>(angle_b);
  }
  const ContactManifold<2>& contacts() {
    manifold.clear();
    find_pair<2>(a.kind, b.kind)->write(a, b, body_a, body_b, manifold, memory.data());
    return manifold;
  }
  // Least gap of the flanks that push b counter-clockwise (1) or clockwise (−1).
  double gap(double side) {
    double least = 1;
    for (int k = 0; k < contacts().size(); ++k) {
      const ContactPoint<2>& point = manifold.point(k);
      const Eigen::Vector2d lever = point.point_b - body_b.position;
      const double turning = lever.x() * point.normal.y() - lever.y() * point.normal.x();
      if (turning * side > 0) least = std::min(least, point.gap);
    }
    return least;
  }
  // The angle of b at which flanks of this side touch.
  double touching(double angle_a, double low, double high, double side) {
    for (int halving = 0; halving < 50; ++halving) {
      const double middle = (low + high) / 2;
      place(angle_a, middle);
      ((gap(side) > 0) == (side < 0) ? low : high) = middle;
    }
    return (low + high) / 2;
  }
};

Mesh mesh_of(double teeth_a, double teeth_b, double backlash) {
  Mesh mesh{gear(teeth_a, backlash), gear(teeth_b, backlash), {}, {}};
  mesh.body_b.position = {1e-3 * (teeth_a + teeth_b), 0};
  return mesh;
}

// A tooth of a along x needs a space of b there: b turned by π over its teeth where their number is even.
double facing(double teeth) {
  return M_PI + M_PI / teeth;
}

TEST(Gears, KeepTheirRatio) {
  Mesh mesh = mesh_of(23, 41, 1e-4);
  const double ratio = -23.0 / 41, start = facing(41), slack = 1e-4 / 41e-3;
  double first = 0;
  for (int k = 0; k <= 60; ++k) {
    const double angle = 0.4 * k / 60;
    const double touch = mesh.touching(angle, start + ratio * angle - slack, start + ratio * angle + slack, 1);
    if (k == 0) first = touch;
    EXPECT_NEAR(touch - first, ratio * angle, 1e-11) << k;
  }
}

TEST(Gears, HaveTheirBacklash) {
  const double backlash = 2e-4;
  Mesh mesh = mesh_of(30, 45, backlash);
  const double start = facing(45), slack = 2 * backlash / 45e-3;
  const double low = mesh.touching(0, start - slack, start, 1), high = mesh.touching(0, start, start + slack, -1);
  EXPECT_NEAR((high - low) * 45e-3, backlash, 1e-9);
}

// About half of the width of a tooth across its flanks, however many there are: contacts are told apart by it.
TEST(Gears, AreAsThinAsTheirTeeth) {
  for (const double teeth : {20, 60, 120, 180, 360}) {
    const double thickness = thickness_of<2>(gear(teeth, 1e-4));
    EXPECT_GT(thickness, 0.5e-3) << teeth;
    EXPECT_LT(thickness, 2.2e-3) << teeth;
  }
}

TEST(Gears, CostLittle) {
  Mesh mesh = mesh_of(60, 60, 1e-4);
  const std::clock_t begin = std::clock();  // time of this processor, not of others
  constexpr int calls = 2000;
  int points = 0;
  for (int k = 0; k < calls; ++k) {
    mesh.place(1e-3 * k, facing(60) - 1e-3 * k);
    points += mesh.contacts().size();
  }
  const double spent = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  EXPECT_GT(points, calls);
  std::printf("two gears of 60 teeth: %.2f us, %.1f points\n", 1e6 * spent / calls, points / double(calls));
#ifndef __SANITIZE_ADDRESS__
  EXPECT_LT(spent / calls, 200e-6);  // profiles took 38 ms
#endif
}

TEST(Gears, StayApartWithInternalOnesAndRacks) {
  Mesh mesh{made("internal_gear", {{"module", 2e-3}, {"teeth", 60.0}, {"backlash", 1e-4}, {"addendum", 1.6e-3}}),
            gear(24, 1e-4),
            {},
            {}};
  mesh.body_b.position = {36e-3, 0};
  // A space of the ring lies along x.
  mesh.place(0, 0);
  const double half = 0.5e-4 * std::cos(M_PI / 9);
  EXPECT_NEAR(mesh.gap(1), half, 1e-9);
  EXPECT_NEAR(mesh.gap(-1), half, 1e-9);
  Mesh line{made("rack", {{"module", 2e-3}, {"teeth", 9.0}, {"backlash", 1e-4}}), gear(24, 1e-4), {}, {}};
  line.body_b.position = {M_PI * 1e-3, 24e-3};
  line.place(0, -M_PI / 2);
  EXPECT_NEAR(line.gap(1), half, 1e-9);
  EXPECT_NEAR(line.gap(-1), half, 1e-9);
}

TEST(Gears, RefuseWhatCannotBe) {
  EXPECT_THROW(gear(9), ShapeError);                                                                // undercut
  EXPECT_THROW(gear(60, 4e-3), ShapeError);                                                         // no teeth left
  EXPECT_THROW(made("gear", {{"module", 2e-3}, {"teeth", 20.0}, {"addendum", 8e-3}}), ShapeError);  // pointed
  EXPECT_NO_THROW(made("gear", {{"module", 2e-3}, {"teeth", 20.0}, {"tip_relief", 2e-5}, {"edge_radius", 1e-4}}));
}

// The support function of a cam under a flat follower is base circle and lift.
TEST(Cam, LiftsAFlatFollower) {
  Function lift =
      Function::expression(std::get<Expression>(Expression::compile("0.004*(1-cos(angle))", {"angle"}, {})));
  const Shape<2> cam = made("cam", {{"base_radius", 0.02}, {"follower", std::string("flat")}, {"lift", lift}});
  Shape<2> plane;
  plane.kind = ShapeKind::plane;
  for (double angle = 0; angle < 6.2; angle += 0.1) {
    BodyState<2> cam_body, plate;
    cam_body.orientation = Rotation<2>(M_PI / 2 - angle);  // the follower is above
    plate.position = {0, 0.05};
    plate.orientation = Rotation<2>(M_PI);
    ContactManifold<2> manifold(most_outline_points);
    double memory[2] = {0, 0};
    find_pair<2>(cam.kind, plane.kind)->write(cam, plane, cam_body, plate, manifold, memory);
    double gap = 1;
    for (int k = 0; k < manifold.size(); ++k) gap = std::min(gap, manifold.point(k).gap);
    EXPECT_NEAR(0.05 - gap, 0.02 + 0.004 * (1 - std::cos(angle)), 1e-10) << angle;
  }
}

TEST(Cam, LiftsARoller) {
  Function lift =
      Function::expression(std::get<Expression>(Expression::compile("0.004*(1-cos(angle))", {"angle"}, {})));
  const Shape<2> cam = made("cam", {{"base_radius", 0.02},
                                    {"follower", std::string("roller")},
                                    {"lift", lift},
                                    {"roller_radius", 0.006},
                                    {"offset", 0.003}});
  Shape<2> roller;
  roller.radius = 0.006;
  for (double angle = 0; angle < 6.2; angle += 0.1) {
    BodyState<2> cam_body, body;
    cam_body.orientation = Rotation<2>(-angle);
    body.position = {std::sqrt(0.026 * 0.026 - 0.003 * 0.003) + 0.004 * (1 - std::cos(angle)), 0.003};
    ContactManifold<2> manifold(most_outline_points);
    double memory[2] = {0, 0};
    find_pair<2>(cam.kind, roller.kind)->write(cam, roller, cam_body, body, manifold, memory);
    double gap = 1;
    for (int k = 0; k < manifold.size(); ++k) gap = std::min(gap, manifold.point(k).gap);
    EXPECT_NEAR(gap, 0, 1e-10) << angle;
  }
}

TEST(MadeOutlines, HaveTheirAreas) {
  const auto area = [](const Shape<2>& shape) { return outline_of(shape).moments().area; };
  // A ratchet is a fan of triangles from its centre.
  const Shape<2> ratchet = made("ratchet", {{"teeth", 12.0}, {"outer_diameter", 0.1}, {"tooth_depth", 0.01}});
  EXPECT_NEAR(area(ratchet), 12 * 0.5 * 0.04 * 0.05 * std::sin(M_PI / 6), 1e-15);
  for (const char* name : {"geneva_wheel", "geneva_driver"}) {
    const Shape<2> part =
        made(name, {{"slots", 6.0}, {"center_distance", 0.1}, {"pin_diameter", 0.008}, {"slot_clearance", 2e-4}});
    EXPECT_GT(area(part), 0) << name;
  }
  const Shape<2> sprocket = made("sprocket", {{"teeth", 17.0}, {"pitch", 12.7e-3}, {"roller_diameter", 8.51e-3}});
  EXPECT_GT(area(sprocket), 0);
}

// A disc, a half disc with a hole, and a parabola, whose moments are known.
TEST(MadeOutlines, HaveTheirMoments) {
  const Shape<2> disc = made("outline", {{"path", std::string("M 2 1 A 1 1 0 0 1 0 1 A 1 1 0 0 1 2 1 Z")}});
  const MassProperties mass = find_shape<2>("outline")->mass(disc);
  EXPECT_NEAR(mass.volume, M_PI, 1e-13);
  EXPECT_NEAR((mass.centre - Eigen::Vector3d(1, 1, 0)).norm(), 0, 1e-13);
  EXPECT_NEAR(mass.inertia(2, 2), M_PI / 2, 1e-13);
  const Shape<2> ring = made(
      "outline",
      {{"path", std::string("M 3 0 A 3 3 0 0 1 -3 0 A 3 3 0 0 1 3 0 Z M 1 0 A 1 1 0 0 1 -1 0 A 1 1 0 0 1 1 0 Z")}});
  EXPECT_NEAR(find_shape<2>("outline")->mass(ring).volume, 8 * M_PI, 1e-12);
  EXPECT_NEAR(find_shape<2>("outline")->mass(ring).inertia(2, 2), M_PI / 2 * (81 - 1), 1e-11);
  const Shape<2> parabola = made("outline", {{"path", std::string("M 0 0 Q 1 2 2 0 Z")}});
  EXPECT_NEAR(find_shape<2>("outline")->mass(parabola).volume, 4.0 / 3, 1e-14);
  EXPECT_NEAR(find_shape<2>("outline")->mass(parabola).centre.y(), 0.4, 1e-14);
}

TEST(MadeOutlines, FollowFormulas) {
  Settings keys;
  const auto compile = [](const char* text) {
    return Function::expression(std::get<Expression>(Expression::compile(text, {"s"}, {})));
  };
  const Shape<2> ellipse = made(
      "outline", {{"x", compile("2*cos(s)")}, {"y", compile("sin(s)")}, {"range", std::vector<double>{0, 2 * M_PI}}});
  EXPECT_NEAR(outline_of(ellipse).moments().area, 2 * M_PI, 1e-9);
  const Shape<2> star = made(
      "outline", {{"path", std::string("M 1 0 L 0.5 0.28867513459481287 L 0.5 0.8660254037844386")}, {"repeat", 6.0}});
  EXPECT_NEAR(outline_of(star).moments().area, 6 * 2 * 0.5 * 0.5773502691896257 * 0.5, 1e-9);
}

TEST(MadeOutlines, RefuseUnsoundOnes) {
  const auto message = [](const char* path, double edge = 0) {
    try {
      made("outline", {{"path", std::string(path)}, {"edge_radius", edge}});
      return std::string("taken");
    } catch (const ShapeError& error) {
      return error.remark().found + " | " + error.remark().remedy;
    }
  };
  EXPECT_NE(message("M 0 0 L 1 0 L 1 1").find("ends at"), std::string::npos);
  EXPECT_NE(message("M 0 0 L 1 1 L 1 0 L 0 1 Z").find("crosses itself"), std::string::npos);
  EXPECT_NE(message("M 0 0 L 1 0 L 1 0 L 1 1 Z").find("no length"), std::string::npos);
  EXPECT_NE(message("M 0 0 L 1e6 0 L 1e6 1e6 Z").find("reaches"), std::string::npos);
  EXPECT_NE(message("M 0 0 L 1 0 L 1 1 Z", 0.9).find("edge_radius"), std::string::npos);
  EXPECT_NE(message("M 0 0 L 1 0 X 1 1 Z").find("no command"), std::string::npos);
  EXPECT_NE(message("L 1 0").find("begins with"), std::string::npos);
  EXPECT_NE(message("M 0 0 L 4 0 L 4 4 L 0 4 Z M 3 1 L 5 1 L 5 2 Z").find("cross"), std::string::npos);
  EXPECT_EQ(message("M 0 0 L 1 0 L 1 1 Z", 0.05), "taken");
}

// m, of a point from the polygon of an outline, below zero inside: by all its sides.
double distance_by_sides(const std::vector<std::vector<Eigen::Vector2d>>& polygons, const Eigen::Vector2d& point) {
  double least = std::numeric_limits<double>::infinity();
  bool inside = false;
  for (const auto& polygon : polygons) {
    for (std::size_t k = 0; k < polygon.size(); ++k) {
      const Eigen::Vector2d a = polygon[k], along = polygon[(k + 1) % polygon.size()] - a;
      const double at = std::clamp((point - a).dot(along) / along.squaredNorm(), 0.0, 1.0);
      least = std::min(least, (a + at * along - point).norm());
      const bool above = a.y() > point.y();
      if (above != (a.y() + along.y() > point.y()) && point.x() < a.x() + (point.y() - a.y()) / along.y() * along.x())
        inside = !inside;
    }
  }
  return inside ? -least : least;
}

// Discs that barely touch teeth, tips and corners have no other contact that is as deep.
TEST(MadeOutlines, TouchDiscsAtTheNearestPlaceAlone) {
  const std::vector<Shape<2>> outlines = {
      gear(17, 1e-4), gear(60, 1e-4),
      made("sprocket", {{"teeth", 18.0}, {"pitch", 12.7e-3}, {"roller_diameter", 8.51e-3}, {"bore_diameter", 20e-3}}),
      made("ratchet", {{"teeth", 24.0}, {"outer_diameter", 0.1}, {"tooth_depth", 6e-3}, {"bore_diameter", 20e-3}}),
      made("geneva_wheel", {{"slots", 4.0}, {"center_distance", 0.1}, {"pin_diameter", 10e-3}})};
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> between(0, 1);
  for (const Shape<2>& outline : outlines) {
    const double size = outline.bounding_radius();
    const auto polygons = outline_of(outline).polygons(1e-5);
    Shape<2> disc;
    disc.kind = ShapeKind::sphere;
    disc.radius = 0.1 * size;
    Mesh mesh{outline, disc, {}, {}};
    for (int k = 0; k < 500; ++k) {
      const double angle = 2 * M_PI * between(random), depth = size * std::pow(10.0, -2.5 - 5 * between(random));
      const Eigen::Vector2d ray(std::cos(angle), std::sin(angle));
      double low = 0.5 * size, high = 1.5 * size;
      for (int halving = 0; halving < 50; ++halving) {
        const double middle = (low + high) / 2;
        (distance_by_sides(polygons, middle * ray) - disc.radius > -depth ? high : low) = middle;
      }
      mesh.body_b.position = high * ray;
      const double distance = distance_by_sides(polygons, mesh.body_b.position);
      if (distance < 0) continue;
      double least = size;
      for (int point = 0; point < mesh.contacts().size(); ++point)
        least = std::min(least, mesh.manifold.point(point).gap);
      EXPECT_NEAR(least, distance - disc.radius, 5e-5 * size) << outline.name << " at " << angle;
    }
  }
}

}  // namespace
}  // namespace carom
