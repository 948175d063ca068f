#include <cmath>

#include <gtest/gtest.h>

#include "contact_geometry/groove.h"
#include "contact_geometry/pair.h"

// Curved grooves against geometry that is known otherwise.
namespace carom {
namespace {

std::vector<Eigen::Vector3d> circle(double radius, int count) {
  std::vector<Eigen::Vector3d> points;
  for (int k = 0; k < count; ++k) {
    const double angle = 2 * M_PI * k / count;
    points.emplace_back(radius * std::cos(angle), radius * std::sin(angle), 0);
  }
  return points;
}

Shape<2> pin(double radius) {
  Shape<2> shape;
  shape.radius = radius;
  return shape;
}

std::array<ContactPoint<2>, 2> walls(const Shape<2>& groove, const Eigen::Vector2d& at) {
  const PairDescription<2>* pair = find_pair<2>(groove_kind, ShapeKind::sphere);
  BodyState<2> body;
  body.position = at;
  std::array<ContactPoint<2>, 2> points;
  pair->evaluate(groove, pin(0.1), BodyState<2>(), body, points.data(), nullptr);
  return points;
}

TEST(Groove, IsAStraightSlotWhereItsCurveIsStraight) {
  Shape<2> groove, slot;
  make_groove({{-1, 0, 0}, {0.5, 0, 0}, {2, 0, 0}}, false, 0.3, groove);
  slot.kind = ShapeKind::slot;
  slot.half = {0.15, 0.15};
  // Beyond its ends, too.
  for (const double x : {-3.0, -1.0, 0.2, 2.0, 7.5}) {
    for (const double y : {-0.04, 0.0, 0.03}) {
      BodyState<2> body;
      body.position = {x, y};
      std::array<ContactPoint<2>, 2> straight;
      find_pair<2>(ShapeKind::slot, ShapeKind::sphere)
          ->evaluate(slot, pin(0.1), BodyState<2>(), body, straight.data(), nullptr);
      const auto curved = walls(groove, {x, y});
      // The slot counts the wall at positive y first; the right of the curve is at negative y.
      for (const int k : {0, 1}) {
        EXPECT_NEAR(curved[k].gap, straight[1 - k].gap, 1e-14);
        EXPECT_NEAR((curved[k].normal - straight[1 - k].normal).norm(), 0, 1e-14);
        EXPECT_NEAR((curved[k].point_a - straight[1 - k].point_a).norm(), 0, 1e-14);
      }
    }
  }
}

// Two walls about a circle: the gaps follow from the distance from its centre, to the fourth order in the spacing.
TEST(Groove, IsARingAboutACircle) {
  const auto error = [](int count) {
    Shape<2> groove;
    make_groove(circle(1, count), true, 0.3, groove);
    double most = 0;
    for (int k = 0; k < 200; ++k) {
      const double angle = 0.1 + 0.31 * k, radius = 1 + 0.04 * std::sin(1.7 * k);
      const auto points = walls(groove, radius * Eigen::Vector2d(std::cos(angle), std::sin(angle)));
      most = std::max(
          {most, std::abs(points[0].gap - (1.15 - radius - 0.1)), std::abs(points[1].gap - (radius - 0.85 - 0.1))});
    }
    return most;
  };
  const double coarse = error(24), fine = error(48);
  EXPECT_LT(coarse, 1e-4);
  EXPECT_NEAR(std::log2(coarse / fine), 4, 0.2);
}

// The height bends as the second difference along straight ways says.
TEST(Groove, BendIsTheSecondDerivativeOfTheHeight) {
  Shape<2> groove;
  make_groove({{1, 0, 0}, {0.7, 0.8, 0}, {-0.4, 0.9, 0}, {-0.9, -0.1, 0}, {-0.2, -0.3, 0}, {0.3, -0.9, 0}}, true, 0.1,
              groove);
  const double h = 1e-4;
  for (int k = 0; k < 60; ++k) {
    const double s = groove.profile->end() * (k + 0.37) / 60;
    const Eigen::Vector2d at = groove.profile->at(s).position + 0.05 * std::sin(k) * groove.profile->normal(s);
    const CurvePlace place = nearest_place(*groove.profile, at);
    const Eigen::Vector2d way = Eigen::Rotation2Dd(0.7 * k) * Eigen::Vector2d(0.6, 0.8);
    const auto height = [&](double step) { return nearest_place(*groove.profile, at + step * way).height; };
    const double along = place.tangent.dot(way);
    EXPECT_NEAR((height(h) - height(-h)) / (2 * h), place.normal.dot(way), 1e-6);
    EXPECT_NEAR((height(h) - 2 * place.height + height(-h)) / (h * h), place.bend() * along * along, 2e-2) << k;
  }
}

// Pieces beside curves of all kinds keep their distance and their tangents, and have the derivatives of differences, as
// parts, reversed, mirrored and larger.
TEST(Groove, PiecesRunBesideCurves) {
  CurvePiece wave = CurvePiece::cubic({0, 0}, {1, 0.5}, {1.5, -1}, {3, 0.2}),
             oval = CurvePiece::arc({1, 2}, 1, 0.3, 1.1), involute = oval;
  oval.c[2] *= 0.6;
  involute.kind = CurvePiece::Kind::involute;
  Eigen::Matrix2d mirrored;
  mirrored << 0, 2, 2, 0;
  for (const CurvePiece& curve : {wave, oval, involute}) {
    for (const double beside : {0.1, -0.07}) {
      const CurvePiece pieces[] = {curve.shifted(beside), curve.shifted(beside).part(0.2, 0.9),
                                   curve.shifted(beside).reversed(), curve.shifted(beside).mapped(mirrored, {3, 4})};
      const CurvePiece middles[] = {curve, curve.part(0.2, 0.9), curve.reversed(), curve.mapped(mirrored, {3, 4})};
      const double distances[] = {beside, beside, -beside, -2 * beside};
      for (int k = 0; k < 4; ++k) {
        for (const double u : {0.1, 0.5, 0.8}) {
          constexpr double h = 1e-4;
          const CurvePoint at = pieces[k].at(u), next = pieces[k].at(u + h), last = pieces[k].at(u - h),
                           middle = middles[k].at(u);
          const Eigen::Vector2d normal = right_of(middle.first.normalized());
          EXPECT_LT((at.position - middle.position - distances[k] * normal).norm(), 1e-14);
          EXPECT_LT((at.first - (next.position - last.position) / (2 * h)).norm(), 1e-6);
          EXPECT_LT((at.second - (next.first - last.first) / (2 * h)).norm(), 1e-6);
          EXPECT_LT(std::abs(cross_of(at.first, middle.first)), 1e-14);
        }
      }
    }
  }
}

TEST(Groove, NeedsACurve) {
  Shape<2> groove;
  make_groove({{0, 0, 0}, {1, 0, 0}}, true, 0.1, groove);
  EXPECT_EQ(groove.profile, nullptr);
  EXPECT_EQ(groove.kind, groove_kind);
}

}  // namespace
}  // namespace carom
