#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "../support/build_model.h"
#include "plotting/film.h"
#include "viewing/drawn_parts.h"
#include "viewing/mechanism_painter.h"

namespace carom {
namespace {

// A ball one metre above a floor whose origin is far away, hung from a spring; two samples, the second lower.
Viewed hung_ball(bool planar) {
  Viewed viewed;
  viewed.kind = "result";
  Model& model = viewed.model;
  model.planar = planar;
  const Eigen::Vector3d up = planar ? Eigen::Vector3d::UnitY() : Eigen::Vector3d::UnitZ();
  model.gravity = -9.81 * up;
  Geometry floor;
  floor.shape = "plane";
  floor.position = {40, 0, 0};
  model.ground.geometry.push_back(floor);
  build::Body ball("ball", 1, {1, 1, 1});
  ball.position = up;
  Geometry skin;
  skin.shape = "sphere";
  skin.settings.set("radius", 0.1);
  ball.geometry.push_back(skin);
  model.bodies.push_back(ball);
  model.forces.push_back(build::Element("spring", "spring").between("ground", "ball").ends(2 * up, up));
  std::vector<Component> place = {{"x", "m", ""}, {"y", "m", ""}};
  std::vector<double> values = {0, planar ? 1.0 : 0.0};
  if (!planar) place.push_back({"z", "m", ""}), values.push_back(1);
  viewed.samples = single_sample(0, {{"body:ball", place}}, values);
  return viewed;
}

// Largest distance of the points of a part from the middle of the box, along the horizontal.
double reach(const Solid& solid, const Pose& pose, const Eigen::AlignedBox3d& box) {
  double reach = 0;
  for (const Eigen::Vector3d& point : solid.points)
    reach = std::max(reach, std::abs((pose * point - box.center()).x()));
  return reach;
}

TEST(MechanismDrawing, PlanesAreClippedToTheScene) {
  for (const bool planar : {true, false}) {
    const Viewed viewed = hung_ball(planar);
    const MechanismPainter painter(viewed, {0});
    const auto& box = painter.box();
    const auto parts = drawn_parts(viewed.model, box);
    const auto plane = std::find_if(parts.begin(), parts.end(), [](const DrawnPart& part) { return part.body == 0; });
    ASSERT_NE(plane, parts.end());
    // The scene is 0.2 m wide and 1.1 m high; the floor was 1.3 m long before.
    EXPECT_LT(reach(plane->solid, {}, box), 0.1 + 0.06 * box.diagonal().norm()) << planar;
    EXPECT_GE(reach(plane->solid, {}, box), 0.1) << planar;
  }
}

TEST(MechanismDrawing, TheSceneHoldsShapesThatBringTheirSurface) {
  Viewed viewed = hung_ball(true);
  Geometry& skin = viewed.model.bodies[0].geometry[0];
  skin.shape = "outline";
  skin.settings = {};
  skin.settings.set("path", std::string("M -0.4 0 L 0.7 0 L 0 0.3 Z"));
  const MechanismPainter painter(viewed, {0});
  EXPECT_NEAR(painter.box().min().x(), -0.4, 1e-6);
  EXPECT_NEAR(painter.box().max().x(), 0.7, 1e-6);
}

TEST(MechanismDrawing, ShapesHaveTheColoursOfTheModel) {
  for (const bool planar : {true, false}) {
    Viewed viewed = hung_ball(planar);
    const auto fills = [&] {
      const MechanismPainter painter(viewed, {0});
      std::vector<DrawnShape> shapes;
      painter.draw(0, {}, shapes);
      return std::count_if(shapes.begin(), shapes.end(),
                           [](const DrawnShape& shape) { return shape.fill == color_rgb + 0x4080c0; });
    };
    EXPECT_EQ(fills(), 0);
    viewed.model.bodies[0].geometry[0].settings.set("color", std::string("#4080C0"));
    EXPECT_GT(fills(), 0) << planar;
  }
}

TEST(MechanismDrawing, SpringsAreCoilsBetweenTheirEnds) {
  const Viewed viewed = hung_ball(true);
  const MechanismPainter painter(viewed, {0});
  std::vector<DrawnShape> shapes;
  painter.draw(0, {}, shapes);
  const auto coil = std::find_if(shapes.begin(), shapes.end(), [](const DrawnShape& shape) {
    return shape.kind == DrawnShape::Kind::polyline && shape.stroke == color_ink && shape.x.size() > 8;
  });
  ASSERT_NE(coil, shapes.end());
  EXPECT_NEAR(coil->y.front(), 2, 1e-9);
  EXPECT_NEAR(coil->y.back(), 1, 1e-6);
  const auto [left, right] = std::minmax_element(coil->x.begin(), coil->x.end());
  EXPECT_NEAR(*left, -*right, 1e-9);
  EXPECT_GT(*right, 0.01);
  EXPECT_TRUE(painter.box().contains(Eigen::Vector3d(0, 2, 0)));  // the end on the ground is in the picture
}

TEST(MechanismDrawing, FilmsNeedPicturesAndMoveWithoutAScript) {
  EXPECT_THROW(film_svg({}), FigureError);
  DrawnShape line;
  line.x = {0, 1}, line.y = {0, 1};
  Film film{
      .title = "a < b", .seconds = 4, .views = {{.width = 100, .height = 100, .frames = {{line}, {line}, {}, {}}}}};
  const std::string svg = film_svg(film);
  EXPECT_NE(svg.find("<title>a &lt; b</title>"), std::string::npos);
  EXPECT_NE(svg.find("animation:f 4s"), std::string::npos);
  EXPECT_NE(svg.find("25.0000%"), std::string::npos);  // a quarter of the round each
  EXPECT_NE(svg.find("prefers-reduced-motion"), std::string::npos);
  EXPECT_EQ(svg.find("<script"), std::string::npos);
  EXPECT_EQ(film_svg(film), svg);
  film.views.push_back({.frames = {{line}}});
  EXPECT_THROW(film_svg(film), FigureError);
}

}  // namespace
}  // namespace carom
