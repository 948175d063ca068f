#include <random>

#include <gtest/gtest.h>

#include "contact_geometry/inside.h"
#include "contact_geometry/shape_description.h"

// Volume, centre and inertia of every shape against sums over slices of its inside, which share nothing with them but
// the definition of the shape.
namespace carom {
namespace {

// Gauss's rule of 40 points on [-1, 1], found by Newton's method.
struct Rule {
  std::vector<double> nodes, weights;
  Rule() {
    constexpr int n = 40;
    for (int k = 0; k < n; ++k) {
      double x = std::cos(M_PI * (k + 0.75) / (n + 0.5)), slope = 0;
      for (int i = 0; i < 100; ++i) {
        double p = 1, before = 0;
        for (int j = 1; j <= n; ++j) {
          const double next = ((2 * j - 1) * x * p - (j - 1) * before) / j;
          before = p, p = next;
        }
        slope = n * (x * p - before) / (x * x - 1);
        x -= p / slope;
      }
      nodes.push_back(x), weights.push_back(2 / ((1 - x * x) * slope * slope));
    }
  }
};

// Moments of 1, x, y, z, x², … over a solid between two heights, each slice an ellipse or a rectangle with half axes
// that depend on the height.
struct Moments {
  double volume = 0;
  Eigen::Vector3d first = Eigen::Vector3d::Zero(), second = Eigen::Vector3d::Zero();  // of x, y, z and their squares

  void add_slice(double z, double weight, double a, double b, bool round) {
    const double area = (round ? M_PI : 4) * a * b, share = round ? 4 : 3;
    volume += weight * area;
    first.z() += weight * area * z;
    second += weight * area * Eigen::Vector3d(a * a / share, b * b / share, z * z);
  }
  template <class HalfAxes>
  void add(double low, double high, bool round, HalfAxes half_axes) {
    static const Rule rule;
    for (std::size_t k = 0; k < rule.nodes.size(); ++k) {
      const double z = (low + high) / 2 + (high - low) / 2 * rule.nodes[k];
      const Eigen::Vector2d axes = half_axes(z);
      add_slice(z, (high - low) / 2 * rule.weights[k], axes.x(), axes.y(), round);
    }
  }
  MassProperties about_centre() const {
    MassProperties mass;
    mass.volume = volume;
    mass.centre = first / volume;
    const Eigen::Vector3d squares = second - volume * mass.centre.cwiseAbs2();
    mass.inertia = (squares.sum() * Eigen::Vector3d::Ones() - squares).asDiagonal();
    return mass;
  }
};

template <int D>
void expect_same(const ShapeDescription<D>& description, const Shape<D>& shape, const MassProperties& expected) {
  const MassProperties found = description.mass(shape);
  EXPECT_NEAR(found.volume / expected.volume, 1, 1e-12) << description.name;
  const double size = shape.bounding_radius();
  EXPECT_LT((found.centre - expected.centre).norm(), 1e-12 * size) << description.name;
  EXPECT_LT((found.inertia - expected.inertia).norm(), 1e-11 * expected.inertia.norm()) << description.name;
}

template <int D>
Shape<D> shape_of(const std::string& name) {
  Shape<D> shape;
  shape.kind = find_shape<D>(name)->kind;
  return shape;
}

TEST(Mass, OfSolidsInSpaceBySlices) {
  const double r = 0.31, length = 0.83;
  const auto check = [](const Shape<3>& shape, const std::string& name, const Moments& moments) {
    expect_same<3>(*find_shape<3>(name), shape, moments.about_centre());
  };
  Shape<3> shape = shape_of<3>("sphere");
  shape.radius = r, shape.length = length;
  const auto ball = [&](double z) { return Eigen::Vector2d::Constant(std::sqrt(r * r - z * z)).eval(); };
  Moments sphere;
  sphere.add(-r, r, true, ball);
  check(shape, "sphere", sphere);
  check(shape, "cavity", sphere);

  Moments cylinder;
  cylinder.add(-length / 2, length / 2, true, [&](double) { return Eigen::Vector2d(r, r); });
  check(shape, "cylinder", cylinder);
  check(shape, "bore", cylinder);

  Moments capsule = cylinder;
  const double end = length / 2;
  capsule.add(end, end + r, true, [&](double z) { return ball(z - end); });
  capsule.add(-end - r, -end, true, [&](double z) { return ball(z + end); });
  check(shape, "capsule", capsule);

  for (const double top : {0.0, 0.11, 0.31, 0.5}) {
    Shape<3> cone = shape;
    cone.kind = find_shape<3>("cone")->kind;
    cone.half[0] = top;
    Moments moments;
    moments.add(-end, end, true,
                [&](double z) { return Eigen::Vector2d::Constant(r + (top - r) * (z / length + 0.5)).eval(); });
    check(cone, "cone", moments);
  }

  shape.half = {0.2, 0.35, 0.5};
  Moments box, ellipsoid;
  box.add(-0.5, 0.5, false, [](double) { return Eigen::Vector2d(0.2, 0.35); });
  ellipsoid.add(-0.5, 0.5, true,
                [](double z) { return Eigen::Vector2d(std::sqrt(1 - 4 * z * z) * Eigen::Vector2d(0.2, 0.35)); });
  check(shape, "box", box);
  check(shape, "ellipsoid", ellipsoid);
}

// A planar shape is cut into strips between two heights: its left and right end at each.
template <class Ends>
void add_strips(Moments& moments, double low, double high, Ends ends) {
  static const Rule rule;
  for (std::size_t k = 0; k < rule.nodes.size(); ++k) {
    const double y = (low + high) / 2 + (high - low) / 2 * rule.nodes[k], weight = (high - low) / 2 * rule.weights[k];
    const auto [left, right] = ends(y);
    const double width = right - left, middle = (left + right) / 2;
    moments.volume += weight * width;
    moments.first += weight * width * Eigen::Vector3d(middle, y, 0);
    moments.second += weight * width * Eigen::Vector3d(middle * middle + width * width / 12, y * y, 1.0 / 12);
  }
}

TEST(Mass, OfPlanarShapesByStrips) {
  const double r = 0.31, length = 0.83;
  // The ends of a strip bend without bound at top and bottom; y = r sin φ makes them smooth.
  const auto add_round = [&](Moments& moments, auto half_width, double height) {
    static const Rule rule;
    for (std::size_t k = 0; k < rule.nodes.size(); ++k) {
      const double angle = M_PI / 2 * rule.nodes[k], y = height * std::sin(angle);
      const double weight = M_PI / 2 * rule.weights[k] * height * std::cos(angle), width = 2 * half_width(y);
      moments.volume += weight * width;
      moments.second += weight * width * Eigen::Vector3d(width * width / 12, y * y, 1.0 / 12);
    }
  };
  Shape<2> shape;
  shape.radius = r, shape.length = length, shape.half = {0.2, 0.35};
  Moments disc, capsule, ellipse, box;
  add_round(
      disc, [&](double y) { return std::sqrt(r * r - y * y); }, r);
  add_round(
      capsule, [&](double y) { return length / 2 + std::sqrt(r * r - y * y); }, r);
  add_round(
      ellipse, [](double y) { return 0.2 * std::sqrt(1 - y * y / (0.35 * 0.35)); }, 0.35);
  add_strips(box, -0.35, 0.35, [](double) { return std::pair(-0.2, 0.2); });
  const auto exactly = [&](const std::string& name, const Moments& moments) {
    shape.kind = find_shape<2>(name)->kind;
    expect_same<2>(*find_shape<2>(name), shape, moments.about_centre());
  };
  exactly("sphere", disc);
  exactly("cavity", disc);
  exactly("inner_race", disc);
  exactly("outer_race", disc);
  exactly("capsule", capsule);
  exactly("ellipsoid", ellipse);
  exactly("box", box);
}

TEST(Mass, OfAProfileByItsArcsAndItsSpline) {
  Shape<2> shape = shape_of<2>("profile");
  const Eigen::Vector2d centre(0.4, -0.2);
  shape.profile = std::make_shared<const Profile>(Profile::circle(0.3, centre));
  const MassProperties circle = find_shape<2>("profile")->mass(shape);
  EXPECT_NEAR(circle.volume, M_PI * 0.09, 1e-14);
  EXPECT_LT((circle.centre.head<2>() - centre).norm(), 1e-14);
  EXPECT_NEAR(circle.inertia(2, 2), M_PI * std::pow(0.3, 4) / 2, 1e-14);
  // A crooked spline against a polygon of very many corners, whose area and moments are exact sums (trapezia), by
  // Richardson's extrapolation.
  const std::vector<Eigen::Vector2d> points = {{0, 0}, {0.5, -0.1}, {0.8, 0.3}, {0.5, 0.35}, {0.45, 0.7}, {-0.1, 0.5}};
  shape.profile = std::make_shared<const Profile>(Profile::through(points, true));
  const auto polygon = [&](int count) {
    double area = 0, xx = 0, yy = 0;
    Eigen::Vector2d first = Eigen::Vector2d::Zero();
    for (int k = 0; k < count; ++k) {
      const Eigen::Vector2d a = shape.profile->at(shape.profile->end() * k / count).position;
      const Eigen::Vector2d b = shape.profile->at(shape.profile->end() * (k + 1) / count).position;
      const double part = (a.x() * b.y() - b.x() * a.y()) / 2;
      area += part;
      first += part * (a + b) / 3;
      xx += part * (a.x() * a.x() + a.x() * b.x() + b.x() * b.x()) / 6;
      yy += part * (a.y() * a.y() + a.y() * b.y() + b.y() * b.y()) / 6;
    }
    return Eigen::Vector4d(area, first.x() / area, first.y() / area, xx + yy - first.squaredNorm() / area);
  };
  const Eigen::Vector4d coarse = polygon(100000), fine = polygon(200000), expected = (4 * fine - coarse) / 3;
  const MassProperties found = find_shape<2>("profile")->mass(shape);
  EXPECT_NEAR(found.volume / expected[0], 1, 1e-10);
  EXPECT_NEAR(found.centre.x(), expected[1], 1e-10);
  EXPECT_NEAR(found.centre.y(), expected[2], 1e-10);
  EXPECT_NEAR(found.inertia(2, 2) / expected[3], 1, 1e-10);
}

// What lies inside must be what the volume is of.
template <int D>
void expect_inside(const std::string& name, Shape<D> shape) {
  shape.kind = find_shape<D>(name)->kind;
  std::mt19937 random(7);
  const double edge = shape.bounding_radius();
  std::uniform_real_distribution<double> place(-edge, edge);
  constexpr int count = 40000;
  int inside = 0;
  for (int k = 0; k < count; ++k) {
    VectorOf<D> point;
    for (int axis = 0; axis < D; ++axis) point[axis] = place(random);
    const auto answer = is_inside<D>(shape, point);
    ASSERT_TRUE(answer.has_value()) << name;
    inside += *answer ? 1 : 0;
  }
  const double box = std::pow(2 * edge, D), volume = find_shape<D>(name)->mass(shape).volume, share = volume / box;
  EXPECT_NEAR(static_cast<double>(inside) / count, share, 4 * std::sqrt(share * (1 - share) / count)) << name;
}

TEST(Mass, OfWhatIsInside) {
  Shape<3> solid;
  solid.radius = 0.3, solid.length = 0.5, solid.half = {0.2, 0.3, 0.4};
  for (const std::string name : {"sphere", "box", "ellipsoid", "cylinder", "capsule", "cavity", "bore"})
    expect_inside<3>(name, solid);
  Shape<2> flat;
  flat.radius = 0.3, flat.length = 0.5, flat.half = {0.2, 0.3};
  for (const std::string name : {"sphere", "box", "ellipsoid", "capsule", "cavity", "inner_race"})
    expect_inside<2>(name, flat);
  flat.profile = std::make_shared<const Profile>(Profile::ellipse(0.3, 0.2));
  expect_inside<2>("profile", flat);
}

}  // namespace
}  // namespace carom
