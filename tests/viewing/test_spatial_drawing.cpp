#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "viewing/spatial_drawing.h"

namespace carom {
namespace {

// Seen along x, y to the right, z up.
const Outlook from_the_front{.right = Eigen::Vector3d::UnitY(), .up = Eigen::Vector3d::UnitZ()};

double area(const DrawnShape& shape) {
  double twice = 0;
  for (std::size_t k = 0; k < shape.x.size(); ++k) {
    const std::size_t next = (k + 1) % shape.x.size();
    twice += shape.x[k] * shape.y[next] - shape.x[next] * shape.y[k];
  }
  return twice / 2;
}

bool holds(const DrawnShape& polygon, double x, double y) {
  bool inside = true;
  for (std::size_t k = 0; k < polygon.x.size(); ++k) {
    const std::size_t next = (k + 1) % polygon.x.size();
    inside = inside && (polygon.x[next] - polygon.x[k]) * (y - polygon.y[k]) -
                               (polygon.y[next] - polygon.y[k]) * (x - polygon.x[k]) >=
                           0;
  }
  return inside;
}

// The colour that is seen at a point: that of the last shape that covers it.
int seen_at(const std::vector<DrawnShape>& shapes, double x, double y) {
  int color = color_none;
  for (const DrawnShape& shape : shapes) {
    if (shape.kind == DrawnShape::Kind::polygon && holds(shape, x, y)) color = shape.fill;
  }
  return color;
}

TEST(SpatialDrawing, ShowsTheFacesThatAreTurnedToTheEye) {
  SpatialDrawing drawing(from_the_front, 3);
  drawing.add(box_solid({1, 2, 0.5}), {}, 0, 1);
  std::vector<DrawnShape> shapes;
  drawing.draw(shapes);
  double faces = 0, edges = 0;
  for (const DrawnShape& shape : shapes) {
    if (shape.kind == DrawnShape::Kind::polygon) {
      EXPECT_GT(area(shape), 0);
      faces += area(shape);
    } else {
      edges += std::hypot(shape.x[1] - shape.x[0], shape.y[1] - shape.y[0]);
    }
  }
  EXPECT_NEAR(faces, 2 * 0.5, 1e-12);        // one of six, whole in all its pieces
  EXPECT_NEAR(edges, 2 * (2 + 0.5), 1e-12);  // and its four sides, none of the cuts between pieces
  EXPECT_GT(shapes.size(), 50U);
}

TEST(SpatialDrawing, WhatIsInFrontHidesWhatIsBehind) {
  // A long beam through the arms of an L: before the one, behind the other.
  const Pose before{.origin = {0.3, 0, 0}}, behind{.origin = {-0.3, 0.6, 0}};
  for (const bool reversed : {false, true}) {
    SpatialDrawing drawing(from_the_front, 2);
    const Solid arm = box_solid({0.2, 0.2, 1}), beam = box_solid({0.2, 2, 0.2});
    if (reversed) drawing.add(beam, {}, 2, 1);
    drawing.add(arm, before, 0, 1);
    drawing.add(arm, behind, 1, 1);
    if (!reversed) drawing.add(beam, {}, 2, 1);
    std::vector<DrawnShape> shapes;
    drawing.draw(shapes);
    EXPECT_EQ(seen_at(shapes, 0.013, 0.027), 0);
    EXPECT_EQ(seen_at(shapes, 0.613, 0.027), 2);
    EXPECT_EQ(seen_at(shapes, 0.613, 0.327), 1);
    EXPECT_EQ(seen_at(shapes, -0.4, 0.3), color_none);
  }
}

TEST(SpatialDrawing, CreasesAreWhereFacesMeetAtAnAngle) {
  EXPECT_EQ(crease_lines(box_solid({1, 1, 1})).size(), 12U);
  EXPECT_EQ(crease_lines(cylinder_solid(1, 1, 32)).size(), 64U);  // both rims, none of the sides
  EXPECT_TRUE(crease_lines(ball_solid(1, 32)).size() <= 64U);
}

}  // namespace
}  // namespace carom
