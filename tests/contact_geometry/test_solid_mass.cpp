#include <gtest/gtest.h>

#include <functional>

#include "contact_geometry/shape_description.h"
#include "sample_shapes.h"

// Mass properties of solids against integrals over their sections.
namespace carom {
namespace {

struct Section {
  double outer, inner;  // m, radii
};

// Of a solid about local z, from −half to half; z = half sin θ, so that round ends are no trouble.
MassProperties integrated(double half, const std::function<Section(double)>& section) {
  constexpr int parts = 20000;
  double volume = 0, first = 0, second = 0, about = 0;
  for (int k = 0; k <= parts; ++k) {
    const double angle = -M_PI / 2 + M_PI * k / parts, z = half * std::sin(angle);
    const double weight = (k == 0 || k == parts ? 1 : k % 2 == 1 ? 4 : 2) * M_PI / parts / 3 * half * std::cos(angle);
    const auto [outer, inner] = section(z);
    const double area = M_PI * (outer * outer - inner * inner);
    volume += weight * area, first += weight * area * z, second += weight * area * z * z;
    about += weight * M_PI / 2 * (std::pow(outer, 4) - std::pow(inner, 4));
  }
  MassProperties mass{.volume = volume, .centre = {0, 0, first / volume}};
  const double across = about / 2 + second - first * first / volume;
  mass.inertia.diagonal() << across, across, about;
  return mass;
}

void expect_same(const MassProperties& one, const MassProperties& two, double tolerance) {
  EXPECT_NEAR(one.volume, two.volume, tolerance * two.volume);
  EXPECT_LT((one.centre - two.centre).norm(), tolerance);
  EXPECT_LT((one.inertia - two.inertia).norm(), tolerance * two.inertia.norm());
}

MassProperties mass_of_shape(const Shape<3>& shape) {
  return description_of<3>(shape.kind).mass(shape);
}

TEST(MassOfSolids, IsTheIntegralOverSections) {
  Shape<3> shape;
  shape.radius = 0.3, shape.length = 0.8;
  const auto round = [&](double z) { return std::sqrt(std::max(0.0, 0.09 - z * z)); };
  shape.kind = ShapeKind::sphere;
  expect_same(mass_of_shape(shape), integrated(0.3, [&](double z) -> Section { return {round(z), 0}; }), 1e-9);
  shape.kind = ShapeKind::cylinder;
  expect_same(mass_of_shape(shape), integrated(0.4, [&](double) -> Section { return {0.3, 0}; }), 1e-9);
  shape.kind = kind_named("cone");
  shape.half[0] = 0.1;
  expect_same(mass_of_shape(shape), integrated(0.4, [&](double z) -> Section { return {0.2 - z / 4, 0}; }), 1e-9);
  shape.kind = kind_named("torus");
  expect_same(mass_of_shape(shape),
              integrated(0.1,
                         [&](double z) -> Section {
                           const double half = std::sqrt(std::max(0.0, 0.01 - z * z));
                           return {0.3 + half, 0.3 - half};
                         }),
              1e-9);
  shape.kind = ShapeKind::ellipsoid;
  shape.half = {0.3, 0.3, 0.5};
  expect_same(mass_of_shape(shape), integrated(0.5, [&](double z) -> Section { return {round(0.6 * z), 0}; }), 1e-9);
  // The sections of a capsule have corners, which cost digits.
  shape.kind = ShapeKind::capsule;
  expect_same(mass_of_shape(shape),
              integrated(0.7,
                         [&](double z) -> Section {
                           return {round(std::max(0.0, std::abs(z) - 0.4)), 0};
                         }),
              1e-7);
}

TEST(MassOfSolids, OfAHullIsThatOfTheBoxItIs) {
  Shape<3> box, hull;
  box.kind = ShapeKind::box, hull.kind = kind_named("hull");
  box.half = {0.1, 0.2, 0.35};
  std::vector<Eigen::Vector3d> points;
  const Eigen::Vector3d at(0.4, -0.3, 0.2);
  const Eigen::Matrix3d turn = rotation_from_vector(Eigen::Vector3d(0.3, 1, -0.4)).toRotationMatrix();
  for (const Eigen::Vector3d& corner : unit_cube().vertices)
    points.push_back(at + turn * box.half.cwiseProduct(corner));
  points.push_back(at);  // inside
  hull.data = make_hull(points);
  EXPECT_EQ(hull_of(hull).vertices.size(), 8U);
  EXPECT_EQ(hull_of(hull).faces.size(), 6U);
  MassProperties expected = mass_of_shape(box);
  expected.centre = at;
  expected.inertia = turn * expected.inertia * turn.transpose();
  expect_same(mass_of_shape(hull), expected, 1e-12);
}

TEST(Hull, RefusesPointsThatMakeNoSolid) {
  EXPECT_THROW(make_hull({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}), ShapeError);
  EXPECT_THROW(make_hull({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {2, 1, 0}}), ShapeError);
  EXPECT_THROW(make_hull({{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {3, 3, 3}}), ShapeError);
  EXPECT_THROW(make_hull({{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}}), ShapeError);
}

}  // namespace
}  // namespace carom
