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

// A pin with a round end of half an ellipsoid, cut off flat, which is a free-form face: its cylinder, its flat ends and
// their edges are true, the round end is within the chord error that is stated.
namespace carom {
namespace {

using Eigen::Vector3d;

constexpr double radius = 0.01, length = 0.03, height = 0.006, tip = 0.003;  // m
const double tip_angle = std::acos(tip / radius);

struct DomedPin {
  std::shared_ptr<const StepAssembly> assembly;
  std::shared_ptr<const FacedSolid> solid;
  double chord = 0;  // m, stated

  explicit DomedPin(double asked) {
    making::StepWriter writer;
    writer.place(writer.add_part("pin", making::domed(radius, length, height, tip)), Eigen::Isometry3d::Identity());
    assembly = read_step(std::make_shared<const std::string>(writer.text()), {.chord = asked});
    solid = solid_of_part(assembly->parts.at(0), 1e-3);
    for (const StepFace& face : assembly->parts[0].faces) {
      if (!is_elementary(face)) chord = std::max(chord, face.chord);
    }
  }
};

double least_gap(const FacedSolid& a, const FacedSolid& b, const Vector3d& position, const Rotation<3>& turn = {}) {
  ContactManifold<3> manifold(most_mesh_points);
  BodyState<3> here, there;
  there.position = position, there.orientation = turn;
  const Shape<3> origin;
  write_faces(a, PlacedFrame(origin, here), b, PlacedFrame(origin, there), manifold, nullptr);
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < manifold.size(); ++k) least = std::min(least, manifold.point(k).gap);
  return least;
}

struct TrueDistance {
  double distance = 0;   // m
  bool by_true = false;  // from a true face or edge
};

// Of the round end, of a point outside; by halving along the ellipse.
TrueDistance distance_to_dome(double x, double y) {
  const auto slope = [&](double angle) {
    return (radius * std::cos(angle) - x) * -radius * std::sin(angle) +
           (height * std::sin(angle) - y) * height * std::cos(angle);
  };
  double low = 0, high = tip_angle;
  if (slope(tip_angle) < 0) low = tip_angle;
  for (int k = 0; k < 100 && low < high; ++k) (slope(0.5 * (low + high)) < 0 ? low : high) = 0.5 * (low + high);
  return {std::hypot(radius * std::cos(low) - x, height * std::sin(low) - y), low == tip_angle};
}

TrueDistance distance_to_pin(const Vector3d& point) {
  const double out = std::hypot(point.x(), point.y());
  if (point.z() > length && out <= tip) return {point.z() - length - height * std::sin(tip_angle), true};
  if (point.z() > length) return distance_to_dome(out, point.z() - length);
  if (point.z() >= 0) return {out - radius, true};
  return {std::hypot(std::max(0.0, out - radius), point.z()), true};
}

// m, how far the pin stands out along a direction.
TrueDistance reach_of_pin(const Vector3d& along) {
  const double flat = along.head<2>().norm();
  if (along.z() <= 1e-12) return {radius * flat, true};
  const double angle = std::atan2(height * along.z(), radius * flat), at = std::min(angle, tip_angle);
  return {radius * std::cos(at) * flat + (length + height * std::sin(at)) * along.z(), angle > tip_angle};
}

TEST(FreeFormFaces, AloneAreTriangles) {
  const DomedPin pin(2e-5);
  ASSERT_TRUE(pin.solid);
  EXPECT_GT(pin.chord, 2e-6);
  EXPECT_LE(pin.chord, 2e-5);
  int triangles = 0;
  for (const FacedSolid::Face& face : pin.solid->faces()) triangles += face.patch >= 0 ? 1 : 0;
  EXPECT_EQ(pin.solid->faces().size(), static_cast<std::size_t>(triangles) + 3);
  EXPECT_GT(triangles, 50);
}

TEST(FreeFormFaces, LeaveTheGapsOfTheOtherFacesExact) {
  const DomedPin pin(2e-5);
  ASSERT_TRUE(pin.solid);
  Shape<3> sphere;
  sphere.kind = ShapeKind::sphere, sphere.radius = 0.004;
  const auto ball = faced_solid_of(sphere);
  Dice dice(11);
  double worst_true = 0, worst = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    const Vector3d at(dice.between(-0.02, 0.02), dice.between(-0.02, 0.02), dice.between(-0.01, 0.045));
    const TrueDistance truth = distance_to_pin(at);
    const double inside = at.z() < length ? 0 : (at.z() - length) / height;
    if (at.head<2>().squaredNorm() / (radius * radius) + inside * inside < 1 && at.z() > 0) continue;
    if (!(truth.distance > sphere.radius - 0.0005)) continue;
    const double error = std::abs(least_gap(*pin.solid, *ball, at) - truth.distance + sphere.radius);
    double& most = truth.by_true ? worst_true : worst;
    most = std::max(most, error);
  }
  EXPECT_LT(worst_true, 1e-12);
  EXPECT_LT(worst, 1.01 * pin.chord);
  EXPECT_GT(worst, 1e-3 * pin.chord);
}

// Over a plane in any direction: what stands out farthest.
TEST(FreeFormFaces, StandOutAsFarAsTheyAre) {
  const DomedPin pin(2e-5);
  ASSERT_TRUE(pin.solid);
  Shape<3> shape;
  shape.kind = ShapeKind::plane;
  const auto plane = faced_solid_of(shape);
  Dice dice(12);
  double worst_true = 0, worst = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    const Rotation<3> turn =
        trial % 4 > 0 ? dice.rotation<3>()
                      : Rotation<3>(Eigen::Matrix3d(Eigen::AngleAxisd(dice.between(0, 6), Vector3d::UnitZ()) *
                                                    Eigen::AngleAxisd(M_PI / 2, Vector3d::UnitY())));
    const Vector3d down = -turn.matrix().col(2);
    const TrueDistance truth = reach_of_pin(down);
    const double error = std::abs(least_gap(*pin.solid, *plane, (truth.distance + 1e-4) * down, turn) - 1e-4);
    double& most = truth.by_true ? worst_true : worst;
    most = std::max(most, error);
  }
  EXPECT_LT(worst_true, 1e-12);
  EXPECT_LT(worst, 1.01 * pin.chord);
}

// Hertz' theory needs the radii of the true face.
TEST(FreeFormFaces, HaveTheCurvatureOfTheTrueFace) {
  const DomedPin pin(5e-6);
  ASSERT_TRUE(pin.solid);
  const auto& faces = pin.solid->faces();
  int looked = 0;
  for (const FacedSolid::Face& face : faces) {
    if (face.patch < 0) continue;
    const Vector3d at = face.surface.position, x = at.cwiseProduct(Vector3d(1, 1, 0));
    const double low = at.z() - length;
    if (low > 0.9 * height || low < 0.1 * height) continue;  // away from its rims
    // Of an ellipse about its shorter axis: along the meridian, and around.
    const Vector3d gradient(x.x() / (radius * radius), x.y() / (radius * radius), low / (height * height));
    const Vector3d normal = gradient.normalized(), around = Vector3d::UnitZ().cross(x).normalized();
    const Eigen::Matrix3d form = pin.solid->curvature(at, normal, 1e3);
    const double along = 1 / (std::pow(radius * height, 2) * std::pow(gradient.norm(), 3));
    const Vector3d meridian = normal.cross(around);
    EXPECT_NEAR(meridian.dot(form * meridian) / along, 1, 0.2) << at.transpose();
    EXPECT_NEAR(around.dot(form * around) * radius * radius * gradient.norm(), 1, 0.1) << at.transpose();
    ++looked;
  }
  EXPECT_GT(looked, 100);
}

// A plate with a wavy side, hollow and round, whose edges are splines: distances in the plane of the curve, by looking
// everywhere along it.
TEST(FreeFormFaces, WavySidesAreHollowAndRound) {
  const std::array<Eigen::Vector2d, 4> poles = {{{0, 0}, {0.01, 0.03}, {0.03, -0.03}, {0.04, 0}}};
  const std::array<Eigen::Vector2d, 2> corners = {{{0.04, -0.03}, {0, -0.03}}};
  making::StepWriter writer;
  writer.place(writer.add_part("plate", making::curved_plate(poles, corners, 0.01)), Eigen::Isometry3d::Identity());
  const auto assembly = read_step(std::make_shared<const std::string>(writer.text()), {.chord = 1e-5});
  const auto plate = solid_of_part(assembly->parts.at(0), 5e-3);
  ASSERT_TRUE(plate);
  const auto on_curve = [&](double t) -> Eigen::Vector2d {
    const double r = 1 - t;
    return r * r * r * poles[0] + 3 * r * r * t * poles[1] + 3 * r * t * t * poles[2] + t * t * t * poles[3];
  };
  Shape<3> sphere;
  sphere.kind = ShapeKind::sphere, sphere.radius = 0.002;
  const auto ball = faced_solid_of(sphere);
  Dice dice(13);
  double worst_true = 0, worst = 0;
  int sides = 0, tops = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    // Off a place of the curve to the side without material, or over the top.
    const double t = dice.between(0.05, 0.95), off = dice.between(0.0015, 0.005), step = 1e-6;
    const Eigen::Vector2d along = (on_curve(t + step) - on_curve(t - step)).normalized(), out(-along.y(), along.x());
    const bool over = trial % 3 == 0;
    const Eigen::Vector2d at = on_curve(t) + (over ? -off : off) * out;
    double nearest = 1e300;
    for (int k = 0; k <= 4000; ++k) nearest = std::min(nearest, (on_curve(k / 4000.0) - at).norm());
    if (nearest < off - 1e-7 || at.x() < 0.001 || at.x() > 0.039) continue;
    const double z = over ? 0.01 + dice.between(0.0015, 0.005) : dice.between(0.0005, 0.0095);
    const double truth = (over ? z - 0.01 : off) - sphere.radius;
    const double error = std::abs(least_gap(*plate, *ball, {at.x(), at.y(), z}) - truth);
    double& most = over ? worst_true : worst;
    most = std::max(most, error);
    ++(over ? tops : sides);
  }
  EXPECT_GT(std::min(tops, sides), 500);
  EXPECT_LT(worst_true, 1e-12);
  EXPECT_LT(worst, 1.1e-5);
}

class FreeFormInMotion : public testing::Test {
 protected:
  FreeFormInMotion() {
    making::StepWriter writer;
    writer.place(writer.add_part("pin", making::domed(radius, length, height, tip)), Eigen::Isometry3d::Identity());
    writer.place(writer.add_part("plate", making::box({-0.5, -0.5, -0.05}, {0.5, 0.5, 0})),
                 Eigen::Isometry3d::Identity());
    std::ofstream(folder_.path() / "parts.step") << writer.text();
  }

  // The pin, with what is said of its motion, over a floor.
  RecordedRun recorded(const std::string& head, const std::string& motion, const std::string& pin,
                       const std::string& floor, const std::string& warning = "") const {
    const std::string text = head + R"([material.steel]
young = "210 GPa"
poisson = 0.3
[[body]]
name = "pin"
mass = 0.09
inertia = [1e-5, 1e-5, 4.5e-6]
)" + motion + "[[body.geometry]]\nmaterial = \"steel\"\n" +
                             pin + "[[ground.geometry]]\nmaterial = \"steel\"\n" + floor +
                             "[[pair]]\nname = \"floor\"\nbodies = [\"pin\", \"ground\"]\ncontact = \"touch\"\n";
    ProblemList problems;
    const Model model = read_model_text(text, (folder_.path() / "model.toml").string(), problems, {}, folder_.path());
    EXPECT_EQ(problems.errors(), 0) << problems.text();
    EXPECT_NE(problems.text().find(warning), std::string::npos) << problems.text();
    RecordedRun result;
    RunOptions options;
    options.memory = &result;
    EXPECT_EQ(run(model, options).status, RunStatus::complete);
    return result;
  }

  static inline const std::string part = "shape = \"step\"\nfile = \"parts.step\"\npart = \"pin\"\n",
                                  plate = "shape = \"step\"\nfile = \"parts.step\"\npart = \"plate\"\n";
  TemporaryFolder folder_;
};

// The pin rolls on its true cylinder, in both methods; the run states the chord error of the round end alone.
TEST_F(FreeFormInMotion, APinRollsOnItsTrueSide) {
  const std::string rolling = R"(position = [-0.2, 0, 0.01]
orientation = { axis = [1, 0, 0], angle = "90 deg" }
velocity = [0.3, 0, 0]
angular_velocity = [0, 30, 0]
)";
  const RecordedRun rolled = recorded(
      "[model]\ngravity = [0, 0, -9.81]\n[contact.touch]\nrestitution = 0\nfriction = 0.3\n[solver]\nmethod = "
      "\"nonsmooth\"\nend = \"0.5 s\"\nstep = \"1 ms\"\n",
      rolling, part + "position = [0, 0, -0.015]\n", plate, "a free-form face, which touches by triangles");
  for (const double z : rolled.column("body:pin.z")) EXPECT_NEAR(z, 0.01, 1e-9);
  for (const double speed : rolled.column("body:pin.vx")) EXPECT_NEAR(speed, 0.3, 1e-6);
}

// It bounces on its round end as the ellipsoid does of which that is a part.
TEST_F(FreeFormInMotion, ARoundEndBouncesByHertzTheory) {
  const std::string head =
      "[model]\ngravity = [0, 0, -9.81]\n[contact.touch]\nlaw = \"hertz\"\n[solver]\nend = \"0.05 s\"\ntolerance = "
      "1e-10\n";
  const std::string leaning = "position = [0, 0, 0.012]\norientation = { axis = [1, 0, 0], angle = \"140 deg\" }\n";
  const RecordedRun pin = recorded(head, leaning, part + "position = [0, 0, -0.03]\n", "shape = \"plane\"\n",
                                   "a free-form face, which touches by triangles"),
                    ellipsoid = recorded(head, leaning, "shape = \"ellipsoid\"\nsize = [0.02, 0.02, 0.012]\n",
                                         "shape = \"plane\"\n");
  ASSERT_EQ(pin.events.size(), 2u);
  ASSERT_EQ(ellipsoid.events.size(), 2u);
  EXPECT_NEAR(pin.events[0].time, ellipsoid.events[0].time, 1e-5);
  EXPECT_NEAR((pin.events[1].time - pin.events[0].time) / (ellipsoid.events[1].time - ellipsoid.events[0].time), 1,
              0.03);
  const auto a = pin.column("body:pin.z"), b = ellipsoid.column("body:pin.z");
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t k = 0; k < a.size(); ++k) EXPECT_NEAR(a[k], b[k], 1e-4);
}

// A pin that tumbles over its round end and its edges keeps its energy.
TEST_F(FreeFormInMotion, ATumblingPinKeepsItsEnergy) {
  const RecordedRun tumbling = recorded(
      "[model]\ngravity = [0, 0, -9.81]\n[contact.touch]\nlaw = \"kelvin-voigt\"\nstiffness = 1e6\nrestitution = 1\n"
      "[solver]\nend = \"0.4 s\"\ntolerance = 1e-9\n",
      "position = [0, 0, 0.04]\norientation = { axis = [1, 0.2, 0], angle = \"130 deg\" }\nangular_velocity = [5, 3, "
      "1]\n",
      part + "position = [0, 0, -0.015]\n", "shape = \"plane\"\n");
  EXPECT_GT(tumbling.events.size(), 3u);
  const double whole = 0.09 * 9.81 * 0.04;
  for (const double each : tumbling.column("energy.residual")) EXPECT_LT(std::abs(each), 1e-3 * whole);
}

}  // namespace
}  // namespace carom
