#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "../contact_geometry/sample_shapes.h"
#include "../support/temporary_folder.h"
#include "contact_geometry/faced_shapes.h"
#include "contact_geometry/faces_meeting.h"
#include "contact_geometry/step_solid.h"
#include "model_io/read_model.h"
#include "recording/recorded_run.h"
#include "simulation/run.h"
#include "step/read_step.h"
#include "step_writer.h"

// Whole parts of STEP files touch by their true faces: as built-in shapes of the same sizes, and as formulas say.
namespace carom {
namespace {

using Eigen::Vector3d;

const Vector3d up = Vector3d::UnitZ();

std::shared_ptr<const FacedSolid> solid_of(const TopoDS_Shape& shape) {
  making::StepWriter writer;
  writer.place(writer.add_part("part", shape), Eigen::Isometry3d::Identity());
  const auto assembly = read_step(std::make_shared<const std::string>(writer.text()), {});
  return solid_of_part(assembly->parts.at(0), 1e-3);
}

Shape<3> shape_of(ShapeKind kind, double radius, double length, const Vector3d& half = Vector3d::Zero()) {
  Shape<3> shape;
  shape.kind = kind, shape.radius = radius, shape.length = length, shape.half = half;
  return shape;
}

BodyState<3> placed_at(const Vector3d& position, const Rotation<3>& orientation = {}) {
  BodyState<3> body;
  body.position = position, body.orientation = orientation;
  return body;
}

ContactManifold<3> points_between(const FacedSolid& a, const BodyState<3>& body_a, const FacedSolid& b,
                                  const BodyState<3>& body_b) {
  ContactManifold<3> manifold(most_mesh_points);
  const Shape<3> origin;
  write_faces(a, PlacedFrame(origin, body_a), b, PlacedFrame(origin, body_b), manifold, nullptr);
  return manifold;
}

double least_gap(const ContactManifold<3>& manifold) {
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < manifold.size(); ++k) least = std::min(least, manifold.point(k).gap);
  return least;
}

double gap_between(const FacedSolid& a, const BodyState<3>& body_a, const FacedSolid& b, const BodyState<3>& body_b) {
  return least_gap(points_between(a, body_a, b, body_b));
}

// Parts that are what a built-in shape is have its gaps, to rounding, whatever they meet.
TEST(TrueParts, AreWhatBuiltInShapesAre) {
  struct Same {
    std::string name;
    TopoDS_Shape part;
    Shape<3> shape;
  };
  using enum ShapeKind;
  Shape<3> cone = shape_of(cone_kind, 0.02, 0.03);
  cone.half[0] = 0.005;
  Shape<3> tip = shape_of(cone_kind, 0.02, 0.03);
  Shape<3> ring = shape_of(kind_named("torus"), 0.02, 0);
  ring.half[0] = 0.006;
  const Vector3d low(0, 0, -0.015);
  const std::vector<Same> all = {
      {"box", making::box({-0.01, -0.02, -0.03}, {0.01, 0.02, 0.03}), shape_of(box, 0, 0, {0.01, 0.02, 0.03})},
      {"cylinder", making::cylinder(low, up, 0.012, 0.03), shape_of(cylinder, 0.012, 0.03)},
      {"cone", making::cone(low, up, 0.02, 0.005, 0.03), cone},
      {"tip", making::cone(low, up, 0.02, 0, 0.03), tip},
      {"ball", making::ball(Vector3d::Zero(), 0.02), shape_of(sphere, 0.02, 0)},
      {"ring", making::ring(Vector3d::Zero(), up, 0.02, 0.006), ring},
      {"capsule",
       making::fuse(making::fuse(making::cylinder(low, up, 0.01, 0.03), making::ball(low, 0.01)),
                    making::ball(-low, 0.01)),
       shape_of(capsule, 0.01, 0.03)}};
  std::vector<std::shared_ptr<const FacedSolid>> parts;
  for (const Same& each : all) {
    parts.push_back(solid_of(each.part));
    ASSERT_TRUE(parts.back()) << each.name;
  }
  Dice dice(7);
  int apart = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const std::size_t i = trial % all.size(), k = (trial / all.size()) % all.size();
    const BodyState<3> a = placed_at(dice.vector<3>(0.1), dice.rotation<3>()),
                       b = placed_at(a.position + dice.between(0.03, 0.08) * dice.vector<3>(1).normalized(),
                                     dice.rotation<3>());
    const auto shape_a = faced_solid_of(all[i].shape), shape_b = faced_solid_of(all[k].shape);
    const double truth = gap_between(*shape_a, a, *shape_b, b);
    if (!(truth > 1e-6 && std::isfinite(truth))) continue;  // deep in each other there need not be a point
    ++apart;
    EXPECT_NEAR(gap_between(*parts[i], a, *parts[k], b), truth, 1e-12) << all[i].name << " " << all[k].name << trial;
    EXPECT_NEAR(gap_between(*parts[i], a, *shape_b, b), truth, 1e-12) << all[i].name << " " << all[k].name << trial;
  }
  EXPECT_GT(apart, 200);
}

// A plate of 20 mm with a hole of 20 mm across, and a pin with 10 µm of clearance in it.
TEST(TrueParts, PinsInBoresHaveTheClearanceOfTheDrawing) {
  const TopoDS_Shape plate =
      making::cut(making::box({-0.05, -0.05, 0}, {0.05, 0.05, 0.02}), making::cylinder({0, 0, 0}, up, 0.01, 0.02));
  const auto bored = solid_of(plate);
  const auto pin = solid_of(making::cylinder({0, 0, -0.03}, up, 0.00999, 0.06));
  ASSERT_TRUE(bored && pin);
  const Shape<3> bore = shape_of(ShapeKind::bore, 0.01, 0.02), journal = shape_of(ShapeKind::cylinder, 0.00999, 0.06);
  const PairDescription<3>& pair = *find_pair<3>(ShapeKind::bore, ShapeKind::cylinder);
  Dice dice(3);
  for (int trial = 0; trial < 300; ++trial) {
    const double tilt = trial % 3 == 0 ? 0 : 4e-4;
    const double angle = dice.between(0, 2 * M_PI), off = dice.between(0, 1.5e-5);
    const Vector3d at(off * std::cos(angle), off * std::sin(angle), 0.01 + dice.between(-0.005, 0.005));
    const BodyState<3> state = placed_at(at, dice.rotation<3>(tilt)), middle = placed_at({0, 0, 0.01});
    ContactPoint<3> slots[2];
    pair.evaluate(bore, journal, middle, state, slots, nullptr);
    const double truth = std::min(slots[0].gap, slots[1].gap);
    const ContactManifold<3> points = points_between(*bored, placed_at(Vector3d::Zero()), *pin, state);
    EXPECT_NEAR(least_gap(points), truth, 1e-12) << trial;
    EXPECT_NEAR(gap_between(*faced_solid_of(bore), middle, *pin, state), truth, 1e-12) << trial;
    if (tilt == 0) {
      EXPECT_NEAR(truth, 1e-5 - off, 1e-15);
      EXPECT_GE(points.size(), 2);
    }
  }
}

// Over the hole there is no plate: a ball touches its rim, and beside it the plane.
TEST(TrueParts, FacesEndAtTheirBorders) {
  const TopoDS_Shape plate =
      making::cut(making::box({-0.05, -0.05, 0}, {0.05, 0.05, 0.02}), making::cylinder({0, 0, 0}, up, 0.01, 0.02));
  const auto bored = solid_of(plate);
  const auto ball = faced_solid_of(shape_of(ShapeKind::sphere, 0.015, 0));
  const auto gap_at = [&](const Vector3d& centre) {
    return gap_between(*bored, placed_at(Vector3d::Zero()), *ball, placed_at(centre));
  };
  EXPECT_NEAR(gap_at({0.004, 0, 0.035}), std::hypot(0.006, 0.015) - 0.015, 1e-15);
  EXPECT_NEAR(gap_at({0.0101, 0.001, 0.036}), 0.001, 1e-15);
  EXPECT_NEAR(gap_at({0.06, 0.055, 0.03}), Vector3d(0.01, 0.005, 0.01).norm() - 0.015, 1e-15);
  EXPECT_NEAR(gap_at({0.03, 0.055, 0.036}), Vector3d(0, 0.005, 0.016).norm() - 0.015, 1e-15);
  // In the hole, a smaller one touches its wall.
  const auto small = faced_solid_of(shape_of(ShapeKind::sphere, 0.004, 0));
  EXPECT_NEAR(gap_between(*bored, placed_at(Vector3d::Zero()), *small, placed_at({0.003, 0.004, 0.01})), 0.001, 1e-15);
}

// A turned shaft with a shoulder: what lies in the corner touches both faces; a shaft lies on a plate with both ends.
TEST(TrueParts, TurnedPartsTouchWithAllTheirSteps) {
  const auto shaft = solid_of(
      making::fuse(making::cylinder({0, 0, 0}, up, 0.01, 0.05), making::cylinder({0, 0, 0.05}, up, 0.02, 0.02)));
  ASSERT_TRUE(shaft);
  const auto ball = faced_solid_of(shape_of(ShapeKind::sphere, 0.003, 0));
  const ContactManifold<3> corner =
      points_between(*shaft, placed_at(Vector3d::Zero()), *ball, placed_at({0.013, 0, 0.047}));
  ASSERT_EQ(corner.size(), 2);
  for (int k : {0, 1}) EXPECT_NEAR(corner.point(k).gap, 0, 1e-15);
  // Lying along x on a plate with the thick part over its end: the rims of the thin one touch.
  const auto plate = solid_of(making::box({0, -0.05, -0.02}, {0.1, 0.05, 0}));
  Eigen::Matrix3d axes;
  axes << 0, 0, -1, 0, 1, 0, 1, 0, 0;
  for (const double roll : {0.0, 0.3, 1.1, 2.9}) {
    const Eigen::Matrix3d turn = axes * Eigen::AngleAxisd(roll, up).toRotationMatrix();
    const ContactManifold<3> lying = points_between(*plate, placed_at(Vector3d::Zero()), *shaft,
                                                    placed_at({0.05 - 1e-3, 0, 0.01 + 1e-9}, Rotation<3>(turn)));
    ASSERT_GE(lying.size(), 2);
    EXPECT_NEAR(least_gap(lying), 1e-9, 1e-15) << roll;
  }
}

// Models with parts of a file.
class TruePartsInMotion : public testing::Test {
 protected:
  TruePartsInMotion() {
    making::StepWriter writer;
    const auto add = [&](const std::string& name, const TopoDS_Shape& shape) {
      writer.place(writer.add_part(name, shape), Eigen::Isometry3d::Identity());
    };
    add("ball", making::ball(Vector3d::Zero(), 0.02));
    add("roller", making::cylinder({0, 0, -0.03}, up, 0.02, 0.06));
    add("plate", making::box({-0.5, -0.5, -0.05}, {0.5, 0.5, 0}));
    add("bored", making::cut(making::box({-0.05, -0.05, -0.01}, {0.05, 0.05, 0.01}),
                             making::cylinder({0, 0, -0.01}, up, 0.01, 0.02)));
    add("pin", making::cylinder({0, 0, -0.02}, up, 0.00999, 0.04));
    std::ofstream(folder_.path() / "parts.step") << writer.text();
  }

  RecordedRun recorded(const std::string& text, const std::string& warning = "") const {
    ProblemList problems;
    const Model model = read_model_text(text, (folder_.path() / "model.toml").string(), problems, {}, folder_.path());
    EXPECT_EQ(problems.errors(), 0) << problems.text();
    if (warning.empty()) {
      EXPECT_EQ(problems.text(), "");
    }
    EXPECT_NE(problems.text().find(warning), std::string::npos) << problems.text();
    RecordedRun result;
    RunOptions options;
    options.memory = &result;
    EXPECT_EQ(run(model, options).status, RunStatus::complete);
    return result;
  }

  static double difference(const RecordedRun& one, const RecordedRun& two, const std::string& quantity) {
    const auto a = one.column(quantity), b = two.column(quantity);
    EXPECT_EQ(a.size(), b.size());
    double largest = 0, difference = 0;
    for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k) {
      largest = std::max(largest, std::abs(b[k]));
      difference = std::max(difference, std::abs(a[k] - b[k]));
    }
    EXPECT_GT(largest, 0) << quantity;
    return difference / largest;
  }

  static std::string part(const std::string& name) {
    return "shape = \"step\"\nfile = \"parts.step\"\npart = \"" + name + "\"\n";
  }

  TemporaryFolder folder_;
};

// Hertz' stiffness of the true radius, from the materials alone; the same motion as that of a sphere on a plane.
TEST_F(TruePartsInMotion, ABallBouncesAsTheSphereThatItIs) {
  const auto model = [](const std::string& ball, const std::string& floor) {
    return R"(
[model]
name = "A ball bounces"
gravity = [0, 0, -9.81]
[material.steel]
young = "210 GPa"
poisson = 0.3
[contact.elastic]
law = "hertz"
[solver]
end = "0.3 s"
tolerance = 1e-11
[[body]]
name = "ball"
mass = 0.26
inertia = [4.2e-5, 4.2e-5, 4.2e-5]
position = [0, 0, 0.03]
velocity = [0.2, 0, 0]
angular_velocity = [3, 5, 7]
[[body.geometry]]
material = "steel"
)" + ball + "[[ground.geometry]]\nmaterial = \"steel\"\n" +
           floor + "[[pair]]\nname = \"floor\"\nbodies = [\"ball\", \"ground\"]\ncontact = \"elastic\"\n";
  };
  const RecordedRun truth = recorded(model("shape = \"sphere\"\nradius = 0.02\n", "shape = \"plane\"\n"));
  const RecordedRun on_plane = recorded(model(part("ball"), "shape = \"plane\"\n"));
  const RecordedRun on_plate = recorded(model(part("ball"), part("plate")), "Hertz' theory knows no radius");
  for (const std::string quantity : {"body:ball.x", "body:ball.z", "body:ball.vz"}) {
    EXPECT_LT(difference(on_plane, truth, quantity), 1e-6) << quantity;
    EXPECT_LT(difference(on_plate, truth, quantity), 1e-6) << quantity;
  }
  EXPECT_GT(truth.events.size(), 4u);
  EXPECT_EQ(on_plate.events.size(), truth.events.size());
}

// A part that rolls on another one stays at its height, as no polygon does.
TEST_F(TruePartsInMotion, ARollerRollsWithoutRipple) {
  const RecordedRun rolled = recorded(R"(
[model]
name = "A roller"
gravity = [0, 0, -9.81]
[material.steel]
young = "210 GPa"
poisson = 0.3
[contact.rough]
restitution = 0
friction = 0.3
[solver]
method = "nonsmooth"
end = "0.5 s"
step = "1 ms"
[[body]]
name = "roller"
mass = 0.6
inertia = [2.4e-4, 2.4e-4, 1.2e-4]
position = [-0.2, 0, 0.02]
orientation = { axis = [1, 0, 0], angle = "90 deg" }
velocity = [0.6, 0, 0]
angular_velocity = [0, 30, 0]
[[body.geometry]]
material = "steel"
)" + part("roller") + "[[ground.geometry]]\nmaterial = \"steel\"\n" +
                                      part("plate") + R"([[pair]]
name = "floor"
bodies = ["roller", "ground"]
contact = "rough"
)");
  for (const double z : rolled.column("body:roller.z")) EXPECT_NEAR(z, 0.02, 1e-9);
  for (const double speed : rolled.column("body:roller.vx")) EXPECT_NEAR(speed, 0.6, 1e-6);
}

// Whole parts: the wall of the hole and the side of the pin, with nothing said of either; or a part in a bore.
TEST_F(TruePartsInMotion, APinInABoredPlateMovesAsInABore) {
  const auto model = [](const std::string& method, const std::string& pin, const std::string& bored) {
    return R"(
[model]
name = "A pin in a plate"
gravity = [3, -9.81, 0]
[contact.dry]
law = "kelvin-voigt"
stiffness = 2e8
restitution = 0.8
[[body]]
name = "pin"
mass = 0.1
inertia = [1.6e-5, 1.6e-5, 5e-6]
position = [0, 0, 0.002]
angular_velocity = [0.02, 0, 10]
[[body.geometry]]
)" + pin + "[[ground.geometry]]\n" +
           bored + "[[pair]]\nname = \"fit\"\nbodies = [\"ground\", \"pin\"]\ncontact = \"dry\"\n[solver]\n" + method;
  };
  const std::string journal = "shape = \"cylinder\"\nradius = 0.00999\nlength = 0.04\n",
                    bore = "shape = \"bore\"\nradius = 0.01\nlength = 0.02\n";
  for (const std::string method :
       {"end = \"10 ms\"\ntolerance = 1e-11\n", "method = \"nonsmooth\"\nend = \"20 ms\"\nstep = \"20 us\"\n"}) {
    const RecordedRun truth = recorded(model(method, journal, bore));
    for (const std::string& hole : {part("bored"), bore}) {
      const RecordedRun parts = recorded(model(method, part("pin"), hole));
      for (const std::string quantity : {"body:pin.x", "body:pin.y"})
        EXPECT_LT(difference(parts, truth, quantity), 1e-6) << quantity << method;
      // Speeds change by all of their size in a few steps: 3e-6 by when these are.
      for (const std::string quantity : {"body:pin.vy", "body:pin.wx"})
        EXPECT_LT(difference(parts, truth, quantity), 1e-5) << quantity << method;
      EXPECT_GT(parts.events.size(), 1u);
    }
  }
}

}  // namespace
}  // namespace carom
