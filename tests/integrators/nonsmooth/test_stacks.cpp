#include <fmt/format.h>

#include "nonsmooth_run.h"

namespace carom {
namespace {

const std::string planar_floor = "[model]\nplane = \"xy\"\ngravity = [0, -10]\n" + flat_floor;

// Boxes of equal width on each other, 2 kg each, with a gap below each of them.
std::string stack(int boxes, double gap = 0) {
  std::string text = planar_floor;
  for (int b = 1; b <= boxes; ++b) {
    text += fmt::format(
        "[[body]]\nname = \"b{}\"\nmass = 2\ninertia = 0.037\nposition = [0, {:.17g}]\n"
        "geometry = [{{ shape = \"box\", size = [0.4, 0.25] }}]\n",
        b, 0.25 * (b - 0.5) + gap * b);
    text += pair(fmt::format("p{}", b), b == 1 ? "ground" : fmt::format("b{}", b - 1), fmt::format("b{}", b));
  }
  return text;
}

// N, by contact.
std::vector<double> closed_forces(NonsmoothRun& run) {
  std::vector<double> values, forces;
  run.system->record(run.state(), run.integrator->accelerations(), run.integrator->multipliers(), values);
  std::size_t at = 0;
  for (const auto& channel : run.system->channels()) {
    for (const auto& component : channel.components) {
      if (component.name == "closed_force") forces.push_back(values[at]);
      ++at;
    }
  }
  return forces;
}

// However many there are, however long the steps, whichever solver.
TEST(Stacks, AnyHeightRests) {
  for (const std::string solver : {"direct", "iterative"}) {
    for (const double step : {1e-5, 1e-3, 2e-2}) {
      const int boxes = 45;
      NonsmoothRun run(stack(boxes) + contact(0, 0.4), step, "contact_solver = \"" + solver + "\"");
      const Eigen::VectorXd q = run.state().q;
      ASSERT_TRUE(run.until(50 * step)) << run.reason;
      EXPECT_TRUE(run.integrator->impacts().empty()) << solver << step;
      EXPECT_LE((run.state().q - q).lpNorm<Eigen::Infinity>(), 1e-8) << solver << step;
      const std::vector<double> forces = closed_forces(run);
      ASSERT_EQ(forces.size(), static_cast<std::size_t>(boxes));
      for (int b = 0; b < boxes; ++b) EXPECT_NEAR(forces[b] / (20.0 * (boxes - b)), 1, 1e-6);
    }
  }
}

// Sequences of impacts end where the approach is no faster than the weight makes it in a step; what is left rests.
TEST(Stacks, BoxesThatBounceComeToRestWithBothSolvers) {
  for (const std::string solver : {"direct", "iterative"}) {
    NonsmoothRun run(stack(3, 0.01) + contact(0.3, 0.4), 1e-3, "contact_solver = \"" + solver + "\"");
    ASSERT_TRUE(run.until(1)) << run.reason;
    EXPECT_LE(run.state().v.lpNorm<Eigen::Infinity>(), 1e-9) << solver;
    run.integrator->impacts().clear();
    ASSERT_TRUE(run.until(1.1)) << run.reason;
    EXPECT_TRUE(run.integrator->impacts().empty()) << solver;
  }
}

// Boxes slide on each other by less than a hair: corners pass the ends of edges, and the corners of the other box take
// over from them.
TEST(Stacks, AStackThatIsHitStandsWithBothSolvers) {
  const std::string ball =
      "[[body]]\nname = \"ball\"\nmass = 0.5\ninertia = 0.0025\nposition = [-0.5, 1.125]\nvelocity = [2, 1]\n"
      "geometry = [{ shape = \"sphere\", radius = 0.1 }]\n" +
      pair("ball", "ball", "b5") + pair("below", "ball", "b4");
  double energies[2] = {};
  int at = 0;
  for (const std::string solver : {"direct", "iterative"}) {
    NonsmoothRun run(stack(5) + ball + contact(0.4, 0.4), 1e-3, "contact_solver = \"" + solver + "\"");
    const double before = run.energy();
    ASSERT_TRUE(run.until(0.4)) << run.reason;
    energies[at++] = run.energy();
    EXPECT_LT(run.energy(), before) << solver;
    EXPECT_NEAR(run.state().q[1], 0.125, 1e-4) << solver;
    EXPECT_LE(run.state().v.head(12).lpNorm<Eigen::Infinity>(), 0.2) << solver;  // it rocks a little
  }
  EXPECT_NEAR(energies[0], energies[1], 1e-4 * energies[0]);
}

struct Thrown {
  double mass, inertia, x, y, angle, vx, vy, omega;
  const char* shape;
};

// Parts that fall between two walls.
std::string scene(const std::vector<Thrown>& thrown, const std::string& law) {
  std::string text =
      "[model]\nplane = \"xy\"\ngravity = [0, -9.81]\n" + flat_floor +
      "[[ground.geometry]]\nname = \"left\"\nshape = \"plane\"\nposition = [-1, 0]\norientation = \"-90 deg\"\n"
      "[[ground.geometry]]\nname = \"right\"\nshape = \"plane\"\nposition = [1, 0]\norientation = \"90 deg\"\n";
  for (std::size_t k = 0; k < thrown.size(); ++k) {
    const Thrown& each = thrown[k];
    text += fmt::format(
        "[[body]]\nname = \"b{}\"\nmass = {}\ninertia = {}\nposition = [{}, {}]\norientation = {}\n"
        "velocity = [{}, {}]\nangular_velocity = {}\ngeometry = [{{ {} }}]\n",
        k, each.mass, each.inertia, each.x, each.y, each.angle, each.vx, each.vy, each.omega, each.shape);
  }
  return text + law + pair("walls", "*", "ground") + pair("parts", "*", "*");
}

// In a heap one contact may gain what others lose. Slip that comes back without a bounce of the normal: the guard
// against gains needs to know there, too, who touches whom.
TEST(ThrownParts, SlipComesBackWithoutABounce) {
  const std::vector<Thrown> thrown = {
      {2.46933, 0.0142938, -0.0524696, 1.75033, 1.07611, 0.983362, -0.0126845, 2.2233,
       "shape = \"box\", size = [0.134475, 0.226669]"},
      {0.849166, 0.00322269, -0.496211, 1.6962, 0.278422, 1.47469, -2.75582, 9.6229,
       "shape = \"box\", size = [0.155836, 0.145797]"},
      {7.96802, 0.0251751, -0.556799, 1.40503, 0, 1.73942, 0.712423, -0.418434,
       "shape = \"sphere\", radius = 0.0794924"},
      {0.520961, 0.00146192, 0.0638625, 0.800343, 2.92075, -1.59627, -1.86877, -0.458722,
       "shape = \"box\", size = [0.156291, 0.0961625]"},
      {9.95464, 0.197475, -0.502683, 0.736504, 0, 0.67703, 0.0159516, -7.60415,
       "shape = \"sphere\", radius = 0.199186"},
      {1.11852, 0.0158847, 0.362805, 0.422279, 0, -1.02935, -0.325619, -3.70787,
       "shape = \"sphere\", radius = 0.168532"},
      {0.467237, 0.0016326, -0.240318, 1.23318, 0.38485, 1.64714, 0.174331, 3.26163,
       "shape = \"box\", size = [0.134242, 0.154625]"},
      {8.31071, 0.00817386, 0.390898, 1.97811, 0.674716, -1.47814, -2.40056, 7.96902,
       "shape = \"box\", size = [0.0757874, 0.0778375]"},
  };
  NonsmoothRun run(scene(thrown, contact(0, 0.5, "tangential_restitution = 0.5")), 1e-3,
                   "contact_solver = \"iterative\"");
  const double before = run.energy();
  ASSERT_TRUE(run.until(1)) << run.reason;
  EXPECT_LE(run.energy(), before);
  EXPECT_LE(run.integrator->contact_statistics().energy_gain, 1e-6);
}

// Several groups of bodies are corrected in one step; what is left of a group that had nothing to push, reported as a
// part of nothing, must not excuse the overlaps of others.
TEST(ThrownParts, NoneStaysInTheWall) {
  const std::vector<Thrown> thrown = {
      {0.409607, 0.00224526, 0.538609, 0.99213, 0, -1.62187, -0.953288, -6.90353,
       "shape = \"sphere\", radius = 0.104704"},
      {0.14887, 0.00173619, 0.331653, 1.56716, 1.76638, -1.75507, -1.97913, 1.03921,
       "shape = \"box\", size = [0.254924, 0.273795]"},
      {0.25823, 0.00273353, -0.249651, 0.799241, 0, 0.141113, -0.570977, 1.46385,
       "shape = \"sphere\", radius = 0.145503"},
      {1.4524, 0.00936909, -0.301865, 1.67658, 0, 0.994785, 0.246528, -4.38323,
       "shape = \"sphere\", radius = 0.113585"},
      {0.285049, 0.00071205, 0.0295146, 0.961205, 1.82823, 1.77287, -1.76223, 0.629775,
       "shape = \"box\", size = [0.115432, 0.12904]"},
      {0.346057, 0.00106783, 0.0387526, 0.351072, 2.08264, 0.00578035, 0.890694, 7.16327,
       "shape = \"box\", size = [0.156899, 0.111405]"},
      {0.409404, 0.00105415, -0.122769, 1.90388, 0, 1.93095, 0.329783, -0.930622,
       "shape = \"sphere\", radius = 0.0717612"},
      {0.158082, 0.00122119, -0.555937, 0.359805, 1.30429, 1.45931, -0.593187, 7.33015,
       "shape = \"box\", size = [0.197109, 0.232052]"},
  };
  NonsmoothRun run(scene(thrown, contact(0, 0)), 1e-3);
  ASSERT_TRUE(run.until(0.8)) << run.reason;
  EXPECT_LE(run.integrator->contact_statistics().largest_penetration, 1e-8);
}

// Two boxes lie on each other and slide until a corner goes round another one: its contact ends, and nothing else does.
TEST(ThrownParts, ACornerThatGoesRoundAnotherStopsNobody) {
  const std::vector<Thrown> thrown = {
      {1.11433, 0.00974389, -0.0436548, 1.46789, 0, -0.630344, -0.35743, -2.2646,
       "shape = \"sphere\", radius = 0.132243"},
      {1.19637, 0.0142945, -0.590876, 0.449313, 0, -1.86963, -0.296112, 8.86911,
       "shape = \"sphere\", radius = 0.154585"},
      {0.106078, 0.000116283, 0.547631, 0.543967, 1.64776, -1.75759, -2.57502, 5.77761,
       "shape = \"box\", size = [0.0975749, 0.060279]"},
      {7.3168, 0.134666, 0.518343, 1.44594, 0, 1.64634, 0.911323, -2.60368, "shape = \"sphere\", radius = 0.19186"},
      {1.2003, 0.00603009, -0.587601, 1.00964, 0.920988, -1.83653, -1.10244, 0.249922,
       "shape = \"box\", size = [0.127545, 0.209805]"},
      {2.98295, 0.00879204, -0.242277, 1.78627, 0, 0.676817, -2.37285, -1.57392,
       "shape = \"sphere\", radius = 0.076778"},
      {1.43773, 0.0114193, 0.304368, 1.90891, 0, 0.372465, -1.24988, -1.07098, "shape = \"sphere\", radius = 0.126036"},
      {2.35864, 0.0154919, 0.225368, 0.494549, 2.95634, 1.89585, -1.39755, 8.08529,
       "shape = \"box\", size = [0.192275, 0.204568]"},
  };
  NonsmoothRun run(scene(thrown, contact(0, 0.2, "tangential_restitution = 0.5")), 1e-3,
                   "contact_solver = \"direct\"\nimpacts = \"simultaneous\"");
  ASSERT_TRUE(run.until(0.5)) << run.reason;
  EXPECT_LE(run.integrator->contact_statistics().largest_penetration, 1e-8);
}

}  // namespace
}  // namespace carom
