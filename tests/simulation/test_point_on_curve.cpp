#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <Eigen/LU>

#include "contact_geometry/profile.h"
#include "model_io/read_model.h"
#include "run_scene.h"

// A pin in a cam groove, ideal and with clearance, against what the curve alone says.
namespace carom {
namespace {

using scene::Folder;
using scene::into;

constexpr double speed = 20, mass = 0.4, gravity = 9.81;  // rad/s, kg, m/s²

std::vector<Eigen::Vector2d> cam_points() {
  std::vector<Eigen::Vector2d> points;
  for (int k = 0; k < 36; ++k) {
    const double angle = 2 * M_PI * k / 36, radius = 0.04 + 0.008 * std::cos(2 * angle);
    points.emplace_back(radius * std::sin(angle), radius * std::cos(angle));
  }
  return points;
}

std::string text_of(const std::vector<Eigen::Vector2d>& points) {
  std::string text;
  for (const Eigen::Vector2d& point : points) text += fmt::format("[{:.17g}, {:.17g}], ", point.x(), point.y());
  return "[" + text + "]";
}

Model read(const std::string& text) {
  ProblemList problems;
  const Model model = read_model_text(text, "cam.toml", problems);
  EXPECT_EQ(problems.errors(), 0u) << problems.text();
  return model;
}

// A disc with the groove drives a follower up and down.
Model cam(const std::string& clearance, const std::string& solver = "integrator = \"rk\"\ntolerance = 1e-11\n") {
  return read(R"toml(
[model]
plane = "xy"
gravity = [0, -9.81]
[contact.soft]
law = "hunt-crossley"
restitution = 0.3
stiffness = 2e9
[[body]]
name = "cam"
mass = 1
inertia = 1e-3
[[body]]
name = "follower"
mass = 0.4
inertia = 1e-4
position = [0, 0.048]
[[joint]]
name = "shaft"
type = "revolute"
bodies = ["ground", "cam"]
at = [0, 0]
[[joint]]
name = "guide"
type = "prismatic"
bodies = ["ground", "follower"]
points = [[0, 0], [0, 0]]
axis = [0, 1]
[[motion]]
joint = "shaft"
speed = 20
[[joint]]
name = "groove"
type = "point-on-curve"
bodies = ["cam", "follower"]
points = [[0, 0], [0, 0]]
curve = )toml" +
              text_of(cam_points()) + "\n" + clearance + "[solver]\nend = 0.4\n" + solver +
              "[output]\nevery = \"0.5 ms\"\n");
}

std::string loose(double diametric) {
  return fmt::format("clearance = {{ diametric = {:.17g}, bearing_diameter = 0.012, contact = \"soft\" }}\n",
                     diametric);
}

// The follower of an ideal groove: where the ray from the shaft to the pin meets the curve, and its derivatives by the
// angle of the cam, by implicit differentiation of c(s) = y u(angle).
struct Follower {
  double y, rate, acceleration;
  Eigen::Vector2d normal;  // of the curve there, world

  Follower(const Profile& curve, double angle) {
    const Eigen::Vector2d u(std::sin(angle), std::cos(angle)), across(std::cos(angle), -std::sin(angle));
    double s = 0, least = 1;
    for (int k = 0; k < 1000; ++k) {
      const double at = curve.end() * k / 1000, off = (curve.at(at).position.normalized() - u).norm();
      if (off < least) least = off, s = at;
    }
    Eigen::Matrix2d matrix;
    y = curve.at(s).position.norm();
    for (int k = 0; k < 20; ++k) {
      const CurvePoint at = curve.at(s);
      matrix << at.first, -u;
      const Eigen::Vector2d step = matrix.inverse() * (y * u - at.position);
      s += step[0], y += step[1];
    }
    const CurvePoint at = curve.at(s);
    matrix << at.first, -u;
    const Eigen::Vector2d first = matrix.inverse() * (y * across);
    const Eigen::Vector2d second = matrix.inverse() * (2 * first[1] * across - y * u - first[0] * first[0] * at.second);
    rate = speed * first[1];
    acceleration = speed * speed * second[1];
    const Eigen::Vector2d on_cam = Eigen::Vector2d(at.first.y(), -at.first.x()).normalized();
    normal = Eigen::Rotation2Dd(angle) * on_cam;
  }
};

TEST(PointOnCurve, FollowerMovesAsTheCurveSays) {
  const Folder folder;
  const RunSummary summary = run(cam(""), into(folder / "cam.h5"));
  ASSERT_EQ(summary.status, RunStatus::complete) << summary.reason;
  const ResultReader result(folder / "cam.h5");
  const Profile curve = Profile::through(cam_points(), true);
  const auto y = result.column("body:follower.y"), vy = result.column("body:follower.vy"),
             ay = result.column("body:follower.ay"), fx = result.column("joint:groove.fx"),
             fy = result.column("joint:groove.fy");
  double largest = 0;
  for (std::size_t k = 0; k < y.size(); ++k) {
    const Follower exact(curve, speed * result.times()[k]);
    const double force = mass * (exact.acceleration + gravity);
    EXPECT_NEAR(y[k], exact.y, 1e-8 * 0.048) << k;
    EXPECT_NEAR(vy[k], exact.rate, 1e-8 * 0.3) << k;
    EXPECT_NEAR(ay[k], exact.acceleration, 1e-8 * 30) << k;
    EXPECT_NEAR(fy[k], force, 1e-8 * 10) << k;
    EXPECT_NEAR(fx[k], force * exact.normal.x() / exact.normal.y(), 1e-8 * 10) << k;
    largest = std::max(largest, std::abs(exact.acceleration));
  }
  EXPECT_GT(largest, 10);
  EXPECT_LT(summary.energy.largest_residual, 1e-8 * summary.energy.largest);
}

// A bead in a circular groove is a pendulum; the curve through points approaches the circle.
TEST(PointOnCurve, BeadInACircleIsAPendulum) {
  const auto bead = [](const std::string& joint) {
    return read(R"toml(
[model]
plane = "xy"
gravity = [0, -9.81]
[[body]]
name = "bead"
mass = 0.2
inertia = 1e-4
position = [0.5, 0]
[[joint]]
name = "hold"
bodies = ["ground", "bead"]
)toml" + joint + "[solver]\nend = 2\nintegrator = \"rk\"\ntolerance = 1e-11\n[output]\nevery = 0.01\n");
  };
  const Folder folder;
  run(bead("type = \"distance\"\nends = [[0, 0], [0.5, 0]]\n"), into(folder / "pendulum.h5"));
  const auto error = [&](int count) {
    std::vector<Eigen::Vector2d> points;
    for (int k = 0; k < count; ++k)
      points.emplace_back(0.5 * std::cos(2 * M_PI * k / count), -0.5 * std::sin(2 * M_PI * k / count));
    const RunSummary summary =
        run(bead("type = \"point-on-curve\"\npoints = [[0, 0], [0, 0]]\ncurve = " + text_of(points) + "\n"),
            into(folder / "bead.h5"));
    EXPECT_EQ(summary.status, RunStatus::complete) << summary.reason;
    EXPECT_LT(summary.energy.largest_residual, 1e-8 * summary.energy.largest);
    const ResultReader exact(folder / "pendulum.h5"), result(folder / "bead.h5");
    double most = 0;
    for (const char* name : {"body:bead.x", "body:bead.y"}) {
      const auto a = exact.column(name), b = result.column(name);
      for (std::size_t k = 0; k < a.size(); ++k) most = std::max(most, std::abs(a[k] - b[k]));
    }
    return most;
  };
  const double coarse = error(24), fine = error(96);
  EXPECT_LT(coarse, 1e-3);
  EXPECT_LT(fine, coarse / 60);
}

// Placed by markers that are turned, with the curve turned back, and with the mass centre elsewhere: the same motion.
TEST(PointOnCurve, MarkersCarryTheAxesOfTheCurve) {
  std::vector<Eigen::Vector2d> turned;
  for (const Eigen::Vector2d& point : cam_points())
    turned.push_back(Eigen::Rotation2Dd(-0.7) * (point - Eigen::Vector2d(0.01, 0.02)));
  Model model = cam("");
  ElementModel& groove = model.joints.back();
  Marker origin, pin;
  origin.name = "origin", pin.name = "pin";
  origin.position = {0.01, 0.02, 0};
  origin.orientation = Eigen::AngleAxisd(0.7, Eigen::Vector3d::UnitZ());
  model.bodies[0].markers = {origin};
  model.bodies[1].markers = {pin};
  std::vector<Eigen::Vector3d> curve;
  for (const Eigen::Vector2d& point : turned) curve.emplace_back(point.x(), point.y(), 0);
  groove.settings = {};
  groove.settings.set("markers", std::vector<std::string>{"cam.origin", "follower.pin"});
  groove.settings.set("curve", curve);
  const Folder folder;
  run(cam(""), into(folder / "points.h5"));
  ASSERT_EQ(run(model, into(folder / "markers.h5")).status, RunStatus::complete);
  const auto a = ResultReader(folder / "points.h5").column("body:follower.y"),
             b = ResultReader(folder / "markers.h5").column("body:follower.y");
  for (std::size_t k = 0; k < a.size(); ++k) EXPECT_NEAR(a[k], b[k], 1e-12);
}

// How far the follower is from that of an ideal groove, m. The pin keeps to its play and what walls give way, which is
// seen along the guide at a pressure angle of 22 degrees at the most.
double deviation(const Model& model, const Folder& folder) {
  const RunSummary summary = run(model, into(folder / "loose.h5"));
  EXPECT_EQ(summary.status, RunStatus::complete) << summary.reason;
  const ResultReader result(folder / "loose.h5");
  const Profile curve = Profile::through(cam_points(), true);
  const auto y = result.column("body:follower.y"), eccentricity = result.column("joint:groove.eccentricity");
  double most = 0;
  for (std::size_t k = 0; k < y.size(); ++k) {
    const double off = std::abs(y[k] - Follower(curve, speed * result.times()[k]).y);
    EXPECT_LE(off, eccentricity[k] / std::cos(0.4) + 1e-9);
    most = std::max(most, off);
  }
  return most;
}

const std::string impulses = "method = \"nonsmooth\"\nstep = \"50 us\"\n";

TEST(PointOnCurve, WithLessAndLessClearanceItIsIdeal) {
  const Folder folder;
  for (const std::string& solver : {std::string("integrator = \"rk\"\ntolerance = 1e-8\n"), impulses}) {
    for (const double diametric : {4e-4, 1e-4, 2.5e-5}) {
      const double off = deviation(cam(loose(diametric), solver), folder);
      EXPECT_GT(off, 0.45 * diametric) << solver;
      EXPECT_LT(off, 0.75 * diametric) << solver;
    }
  }
}

// Contact forces and impulses: the same walls are touched, and they transmit the same.
TEST(PointOnCurve, BothMethodsAgree) {
  const Folder folder;
  const RunSummary forces =
      run(cam(loose(1e-4), "integrator = \"rk\"\ntolerance = 1e-8\n"), into(folder / "forces.h5"));
  const RunSummary jumps = run(cam(loose(1e-4), impulses), into(folder / "impulses.h5"));
  ASSERT_EQ(forces.status, RunStatus::complete) << forces.reason;
  ASSERT_EQ(jumps.status, RunStatus::complete) << jumps.reason;
  EXPECT_LT(forces.energy.largest_residual, 1e-6 * forces.energy.largest);
  const ResultReader a(folder / "forces.h5"), b(folder / "impulses.h5");
  const auto y = a.column("body:follower.y"), other = b.column("body:follower.y"),
             e = a.column("joint:groove.eccentricity"), impulse = b.column("joint:groove.iy"),
             force = a.column("joint:groove.fy"), depth = a.column("joint:groove.penetration");
  double apart = 0, transmitted = 0, by_forces = 0;
  for (std::size_t k = 0; k < y.size(); ++k) {
    apart = std::max(apart, std::abs(y[k] - other[k]));
    EXPECT_NEAR(e[k], 5e-5 + depth[k], 1e-14);
    transmitted += impulse[k];
    if (k > 0) by_forces += 0.5 * (force[k] + force[k - 1]) * 5e-4;
  }
  EXPECT_LT(apart, 1.2e-4);
  // Weight over the whole time, and the momentum gained since the start, at which the follower stood still.
  const double momentum = mass * (gravity * 0.4 + b.column("body:follower.vy").back());
  EXPECT_NEAR(transmitted, momentum, 1e-6);
  EXPECT_NEAR(by_forces, momentum, 0.05 * momentum);
}

}  // namespace
}  // namespace carom
