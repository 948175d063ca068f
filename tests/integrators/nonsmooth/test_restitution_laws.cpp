#include <fstream>
#include <random>
#include <sstream>

#include <fmt/format.h>

#include "impact/one_point_impact.h"
#include "nonsmooth_run.h"

namespace carom {
namespace {

constexpr double foot = 1e-3;  // m, radius

std::string law_text(const std::string& law) {
  return "restitution_law = \"" + law + "\"";
}

// A planar body over the floor y = 0 that it touches with the point (x, y) from its centre.
std::string planar_body(double mass, double inertia, double x, double y, const Eigen::Vector3d& v) {
  return "[model]\nplane = \"xy\"\n" + flat_floor +
         fmt::format(
             "[[body]]\nname = \"body\"\nmass = {:.17g}\ninertia = {:.17g}\nposition = [0, {:.17g}]\nvelocity = "
             "[{:.17g}, {:.17g}]\nangular_velocity = {:.17g}\ngeometry = [{{ shape = \"sphere\", radius = {}, position "
             "= [{:.17g}, {:.17g}] }}]\n",
             mass, inertia, -y, v[0], v[1], v[2], foot, x, y + foot);
}

// Every row of the table, by a step that is short enough for the body not to turn.
TEST(RestitutionLaws, AgreeWithTwoHundredImpactsOfAPlanarBody) {
  std::ifstream file(CAROM_SOURCE_DIR "/tests/impact/data/planar_impacts.csv");
  std::string line;
  bool header = true;
  int rows = 0;
  double worst = 0;
  while (std::getline(file, line)) {
    if (line.empty() || line[0] == '#') continue;
    if (std::exchange(header, false)) continue;
    std::replace(line.begin(), line.end(), ',', ' ');
    std::istringstream in(line);
    double mass = 0, inertia = 0, x = 0, y = 0, mu = 0, e = 0;
    Eigen::Vector3d before, energetic, poisson;
    in >> mass >> inertia >> x >> y >> mu >> e;
    for (Eigen::Vector3d* v : {&before, &energetic, &poisson}) in >> v->x() >> v->y() >> v->z();
    ++rows;
    for (const std::string law : {"poisson", "energetic"}) {
      const std::string text = planar_body(mass, inertia, x, y, before) +
                               fmt::format("[contact.c]\nrestitution = {}\nfriction = {:.17g}\n", e, mu) +
                               law_text(law) + "\n" + pair("floor", "body", "ground");
      NonsmoothRun run(text, 1e-9);
      ASSERT_TRUE(run.until(2e-9)) << run.reason;
      const Eigen::Vector3d& expected = law == "poisson" ? poisson : energetic;
      const double error = (run.state().v - expected).norm() / std::max(1.0, expected.norm());
      EXPECT_LT(error, 1e-6) << law << ", row " << rows;
      worst = std::max(worst, error);
      EXPECT_EQ(run.integrator->contact_statistics().reduced_impacts, 0);
    }
  }
  EXPECT_EQ(rows, 200);
  RecordProperty("worst", fmt::format("{:.2e}", worst));
}

// Two rods that hang from a pivot and strike a rough floor (Kane).
std::string kane(const std::string& law) {
  return "[model]\nplane = \"xy\"\n[parameters]\na1 = \"20 deg\"\na2 = \"30 deg\"\n"
         "[[ground.geometry]]\nname = \"floor\"\nshape = \"plane\"\n"
         "position = [0, \"=-cos(a1) - cos(a2) - 1e-3 - 2e-5\"]\n"
         "[[body]]\nname = \"u\"\nmass = 1\ninertia = \"=1/12\"\nposition = [\"=0.5*sin(a1)\", \"=-0.5*cos(a1)\"]\n"
         "orientation = \"=a1\"\nangular_velocity = -0.1\nvelocity = [\"=-0.05*cos(a1)\", \"=-0.05*sin(a1)\"]\n"
         "[[body]]\nname = \"l\"\nmass = 1\ninertia = \"=1/12\"\n"
         "position = [\"=sin(a1) + 0.5*sin(a2)\", \"=-cos(a1) - 0.5*cos(a2)\"]\norientation = \"=a2\"\n"
         "angular_velocity = -0.2\nvelocity = [\"=-0.1*cos(a1) - 0.1*cos(a2)\", \"=-0.1*sin(a1) - "
         "0.1*sin(a2)\"]\ngeometry = [{ shape = \"sphere\", radius = 1e-3, position = [0, -0.5] }]\n"
         "[[joint]]\nname = \"top\"\ntype = \"revolute\"\nbodies = [\"ground\", \"u\"]\nat = [0, 0]\n"
         "[[joint]]\nname = \"mid\"\ntype = \"revolute\"\nbodies = [\"u\", \"l\"]\nat = [\"=sin(a1)\", "
         "\"=-cos(a1)\"]\n" +
         contact(0.9, 1, law_text(law)) + pair("tip", "l", "ground");
}

TEST(RestitutionLaws, KanesPendulumGainsNothing) {
  for (const std::string solver : {"direct", "iterative"}) {
    for (const std::string law : {"newton", "poisson", "energetic"}) {
      NonsmoothRun run(kane(law), 1e-4, "contact_solver = \"" + solver + "\"");
      const double before = run.energy();
      ASSERT_TRUE(run.until(2e-3)) << run.reason;
      ASSERT_EQ(run.integrator->impacts().size(), 1u);
      const NonsmoothStatistics& statistics = run.integrator->contact_statistics();
      if (law == "newton") {
        EXPECT_NEAR(run.energy(), before, 1e-6 * before) << solver;
        EXPECT_EQ(statistics.reduced_impacts, 1);
        EXPECT_NEAR(statistics.avoided_gain, 0.0968, 2e-4);
        ASSERT_EQ(run.integrator->remarks().size(), 1u);
        const std::string& remark = run.integrator->remarks()[0];
        for (const char* part : {"contact:tip", "t = 0.0002 s", "0.0969 J", "restitution_law = \"energetic\""})
          EXPECT_NE(remark.find(part), std::string::npos) << remark;
      } else {
        EXPECT_NEAR(run.energy(), law == "poisson" ? 0.012132 : 0.013505, 3e-6) << solver;
        EXPECT_EQ(statistics.reduced_impacts, 0);
        EXPECT_TRUE(run.integrator->remarks().empty());
      }
      EXPECT_LE(statistics.energy_gain, 1e-9 * before);
    }
  }
}

// A body in space with feet at random places that all touch the floor z = 0, of random inertia and velocity.
struct Body {
  double mass = 1;
  Eigen::Vector3d inertia, velocity, angular_velocity;
  std::vector<Eigen::Vector3d> feet;  // lowest points, from the centre
};

Body random_body(std::mt19937& random, int feet) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  Body body;
  // Moments that keep the inequality of the triangle.
  const Eigen::Vector3d spread(1.1 + uniform(random), 1.1 + uniform(random), 1.1 + uniform(random));
  body.inertia = 0.1 * Eigen::Vector3d(spread.y() + spread.z(), spread.x() + spread.z(), spread.x() + spread.y());
  body.velocity = {uniform(random), uniform(random), -1 - uniform(random)};
  body.angular_velocity = {uniform(random), uniform(random), 3 * uniform(random)};
  for (int k = 0; k < feet; ++k) body.feet.push_back({uniform(random), uniform(random), -1.0});
  return body;
}

std::string text_of(const Body& body) {
  const auto vector = [](const Eigen::Vector3d& v) {
    return fmt::format("[{:.17g}, {:.17g}, {:.17g}]", v[0], v[1], v[2]);
  };
  std::string text = "[model]\n" + flat_floor +
                     fmt::format(
                         "[[body]]\nname = \"body\"\nmass = {}\ninertia = {}\nposition = [0, 0, 1]\nvelocity = "
                         "{}\nangular_velocity = {}\n",
                         body.mass, vector(body.inertia), vector(body.velocity), vector(body.angular_velocity));
  for (std::size_t k = 0; k < body.feet.size(); ++k) {
    text += fmt::format("[[body.geometry]]\nname = \"foot{}\"\nshape = \"sphere\"\nradius = {}\nposition = {}\n", k,
                        foot, vector(body.feet[k] + Eigen::Vector3d(0, 0, foot)));
  }
  return text;
}

// A foot alone follows the process with the Delassus matrix of a free body.
TEST(RestitutionLaws, FollowTheProcessInSpace) {
  std::mt19937 random(2);
  for (int k = 0; k < 40; ++k) {
    const Body body = random_body(random, 1);
    const Eigen::Vector3d lever = body.feet[0];
    Eigen::Matrix<double, 3, 6> h;  // z, x, y of the foot
    Eigen::Matrix3d across;
    across << 0, lever.z(), -lever.y(), -lever.z(), 0, lever.x(), lever.y(), -lever.x(), 0;
    Eigen::Matrix<double, 3, 6> point;
    point << Eigen::Matrix3d::Identity(), across;
    h << point.row(2), point.row(0), point.row(1);
    Eigen::Matrix<double, 6, 1> inverse, v;
    inverse << Eigen::Vector3d::Constant(1 / body.mass), body.inertia.cwiseInverse();
    v << body.velocity, body.angular_velocity;
    OnePointImpact<3> impact;
    impact.delassus = h * inverse.asDiagonal() * h.transpose();
    impact.before = h * v;
    if (impact.before[0] > -0.1) continue;
    impact.friction = 0.1 + 0.1 * (k % 12), impact.restitution = 0.7;
    for (const std::string solver : {"direct", "iterative"}) {
      for (const bool energetic : {false, true}) {
        impact.end = energetic ? ImpactEnd::energetic : ImpactEnd::poisson;
        NonsmoothRun run(text_of(body) + contact(0.7, impact.friction, law_text(energetic ? "energetic" : "poisson")) +
                             pair("floor", "body", "ground"),
                         1e-8, "contact_solver = \"" + solver + "\"");
        ASSERT_TRUE(run.until(2e-8)) << run.reason;
        const Eigen::VectorXd expected = v + inverse.asDiagonal() * h.transpose() * follow_impact(impact).impulse;
        EXPECT_LT((run.state().v - expected).norm(), 1e-5 * (1 + expected.norm())) << k << " " << solver;
      }
    }
  }
}

TEST(RestitutionLaws, NoImpactOfOneToThreeFeetGainsEnergy) {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> uniform;
  long reduced = 0;
  for (int k = 0; k < 120; ++k) {
    const Body body = random_body(random, 1 + k % 3);
    const double e = uniform(random), mu = 2 * uniform(random);
    for (const std::string solver : {"direct", "iterative"}) {
      for (const std::string law : {"newton", "poisson", "energetic", "tangential"}) {
        const std::string keys = law == "tangential" ? "tangential_restitution = 0.9" : law_text(law);
        NonsmoothRun run(text_of(body) + contact(e, mu, keys) + pair("floor", "body", "ground"), 1e-7,
                         "contact_solver = \"" + solver + "\"");
        const double before = run.energy();
        ASSERT_TRUE(run.until(5e-7)) << run.reason;
        EXPECT_LE(run.energy(), before * (1 + 1e-6)) << k << " " << law << " " << solver;
        reduced += run.integrator->contact_statistics().reduced_impacts;
      }
    }
  }
  EXPECT_GT(reduced, 5);  // the limits above can fail
}

// Spin about all axes: the slip is reversed by e_T, whatever the correction of the step has turned.
TEST(RestitutionLaws, OfTheSlipAreExactWithAnySpin) {
  for (const std::string solver : {"direct", "iterative"}) {
    for (const double e_t : {-1.0, -0.5, 0.0, 0.3, 1.0}) {
      for (const char* pull : {"0", "-10"}) {
        const std::string text = fmt::format("[model]\ngravity = [0, 0, {}]\n", pull) + flat_floor +
                                 sphere("ball", "[0, 0, 0.1523]", "[1.3, -0.7, -2]") +
                                 contact(1, 10, fmt::format("tangential_restitution = {}", e_t)) +
                                 pair("floor", "ball", "ground");
        Model model =
            NonsmoothRun::read(text + "[solver]\nmethod = \"nonsmooth\"\ncontact_solver = \"" + solver + "\"\n");
        model.bodies[0].angular_velocity = Eigen::Vector3d(11, -23, 37);
        NonsmoothRun run(model, 1e-3);
        const auto world_angular_velocity = [&] {
          const Eigen::VectorXd& q = run.state().q;
          return Eigen::Vector3d(Eigen::Quaterniond(q[3], q[4], q[5], q[6]).normalized() *
                                 Eigen::Vector3d(run.state().v.segment<3>(3)));
        };
        const auto slip = [&] {
          return Eigen::Vector3d(run.state().v.head<3>() + world_angular_velocity().cross(Eigen::Vector3d(0, 0, -0.1)));
        };
        const Eigen::Vector3d before = slip();
        const double angular_velocity = world_angular_velocity().z();
        ASSERT_TRUE(run.until(0.04)) << run.reason;
        EXPECT_EQ(run.integrator->impacts().size(), 1u);
        EXPECT_NEAR(slip().x(), -e_t * before.x(), 1e-9);
        EXPECT_NEAR(slip().y(), -e_t * before.y(), 1e-9);
        EXPECT_NEAR(world_angular_velocity().z(), angular_velocity, 1e-9);
        EXPECT_EQ(run.integrator->contact_statistics().reduced_impacts, 0);
      }
    }
  }
}

// A ball on the floor and a box that slides to rest do so with every law: what a step presses together is no impact.
TEST(RestitutionLaws, RestAsNewtonsDoes) {
  for (const std::string law : {"newton", "poisson", "energetic"}) {
    const std::string text =
        gravity + flat_floor +
        "[[body]]\nname = \"box\"\nmass = 2\ninertia = [4e-3, 8e-3, 1e-2]\nposition = [0, 0, 0.05]\n"
        "velocity = [0.5, 0, 0]\ngeometry = [{ shape = \"box\", size = [0.2, 0.15, 0.1] }]\n" +
        contact(0.6, 0.3, law_text(law)) + pair("floor", "box", "ground");
    NonsmoothRun run(text, 1e-3);
    ASSERT_TRUE(run.until(0.5)) << run.reason;
    EXPECT_NEAR(run.state().q[0], 0.25 / 6, 1e-4) << law;
    EXPECT_NEAR(run.state().q[2], 0.05, 1e-9) << law;
    EXPECT_LT(run.state().v.norm(), 1e-9) << law;
    EXPECT_TRUE(run.integrator->impacts().empty()) << law;
  }
}

}  // namespace
}  // namespace carom
