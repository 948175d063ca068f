#include <complex>

#include <gmock/gmock.h>

#include "integrators/nonsmooth/scheme.h"
#include "nonsmooth_run.h"

// What holds for every scheme of the nonsmooth method, and what each promises.
namespace carom {
namespace {

std::string chosen(const std::string& scheme, const std::string& more = "") {
  return "scheme = \"" + scheme + "\"\n" + more;
}

class EveryScheme : public testing::TestWithParam<std::string> {};

// A ball bounces and comes to rest; nothing is gained on the way.
TEST_P(EveryScheme, BringsABouncingBallToRest) {
  NonsmoothRun run(gravity + flat_floor + sphere("ball", "[0, 0, 0.6]", "[0.3, 0, 0]") + contact(0.5, 0.2) +
                       pair("floor", "ball", "ground"),
                   1e-3, chosen(GetParam()));
  double last = run.energy();
  const double first = last;
  for (int k = 0; k < 40; ++k) {
    ASSERT_TRUE(run.until(run.state().t + 0.05)) << run.reason;
    EXPECT_LE(run.energy(), last + 2e-3 * first) << run.state().t;
    last = run.energy();
  }
  EXPECT_NEAR(run.state().q[2], 0.1, 5e-3);
  EXPECT_NEAR(run.state().v[2], 0, 1e-2);
  // Rolling: 5/7 of the speed is left after sliding, and friction takes some of the bounces' tangential motion alike.
  EXPECT_NEAR(run.state().v[0], 0.3 * 5 / 7, 1e-3);
}

// One ball hits another, off centre and with friction.
TEST_P(EveryScheme, KeepsMomentumInAnImpact) {
  NonsmoothRun run("[model]\ngravity = [0, 0, 0]\n" + sphere("a", "[-0.15, 0, 0]", "[1, 0, 0]", 2) +
                       sphere("b", "[0.1, 0.02, 0]", "[0, 0, 0]", 3) + contact(0.6, 0.3) + pair("balls", "a", "b"),
                   1e-3, chosen(GetParam()));
  ASSERT_TRUE(run.until(0.3)) << run.reason;
  const Eigen::VectorXd& v = run.state().v;
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(2 * v[k] + 3 * v[6 + k], k == 0 ? 2 : 0, 1e-9) << k;
  EXPECT_GT(v[6], 0.5);
  EXPECT_FALSE(run.integrator->impacts().empty());
}

std::vector<std::string> names() {
  std::vector<std::string> result;
  for (const SchemeDescription& each : scheme_catalogue()) result.push_back(each.name);
  return result;
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryScheme, testing::ValuesIn(names()), [](const auto& named) {
  std::string name = named.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(Schemes, AreSortedAndDescribed) {
  EXPECT_TRUE(std::is_sorted(scheme_catalogue().begin(), scheme_catalogue().end(),
                             [](const auto& a, const auto& b) { return a.name < b.name; }));
  for (const SchemeDescription& each : scheme_catalogue()) {
    EXPECT_FALSE(each.summary.empty()) << each.name;
    EXPECT_FALSE(each.reference.empty()) << each.name;
  }
}

// A ball that slides in a bowl without friction is a pendulum.
double order_in_a_bowl(const std::string& solver) {
  const std::string text =
      "[model]\nplane = \"xy\"\ngravity = [0, -10]\n[[ground.geometry]]\nname = \"bowl\"\nshape = \"cavity\"\n"
      "radius = 0.5\n[[body]]\nname = \"ball\"\nmass = 0.2\ninertia = 1e-3\nposition = [0.36, -0.27]\n"
      "[[body.geometry]]\nshape = \"sphere\"\nradius = 0.05\n[contact.c]\nrestitution = 0\nfriction = 0\n"
      "[[pair]]\nname = \"bowl\"\nbodies = [\"ground\", \"ball\"]\ncontact = \"c\"\nallow_initial_penetration = true\n";
  constexpr double end = 0.4, length = 0.45;
  double angle = std::atan2(0.36, 0.27), rate = 0;
  constexpr int parts = 40000;
  for (int k = 0; k < parts; ++k) {  // symplectic, of second order
    constexpr double h = end / parts;
    rate -= 0.5 * h * 10 / length * std::sin(angle);
    angle += h * rate;
    rate -= 0.5 * h * 10 / length * std::sin(angle);
  }
  const auto error = [&](double step) {
    NonsmoothRun run(text, step, solver);
    EXPECT_TRUE(run.until(end)) << run.reason;
    return std::hypot(run.state().q[0] - length * std::sin(angle), run.state().q[1] + length * std::cos(angle));
  };
  return std::log2(error(2e-3) / error(1e-3));
}

TEST(Schemes, HaveTheirOrderInContactsThatLast) {
  EXPECT_NEAR(order_in_a_bowl(chosen("decoupled")), 2, 0.2);
  for (const std::string theta : {"0.5", "0.75", "1"})
    EXPECT_NEAR(order_in_a_bowl(chosen("projected-moreau-jean", "theta = " + theta)), 1, 0.2) << theta;
}

TEST(ProjectedMoreauJean, LetsNothingOverlapOrDrift) {
  NonsmoothRun run(gravity + flat_floor + sphere("ball", "[0, 0, 0.6]", "[0, 0, 0]") + contact(0.5, 0) +
                       pair("floor", "ball", "ground"),
                   1e-2, chosen("projected-moreau-jean"));
  double lowest = 1;
  for (int k = 0; k < 300; ++k) {
    ASSERT_TRUE(run.until(run.state().t + 1e-2)) << run.reason;
    lowest = std::min(lowest, run.state().q[2] - 0.1);
  }
  EXPECT_GE(lowest, -1e-9);
  EXPECT_NEAR(run.state().q[2], 0.1, 1e-9);  // at rest
}

// Without contacts it is the θ-method: ½ keeps the energy of a vibration and is of second order, 1 damps it.
TEST(ProjectedMoreauJean, IsTheThetaMethodWithoutContacts) {
  const std::string text =
      "[model]\nplane = \"xy\"\n[[body]]\nname = \"a\"\nmass = 1\ninertia = 1\nposition = [0, 1.1]\n"
      "[[force]]\nname = \"s\"\ntype = \"spring\"\nbodies = [\"ground\", \"a\"]\npoints = [[0, 0], [0, 0]]\n"
      "stiffness = 100\nfree_length = 1\n";
  const auto place = [&](double theta, double step) {
    NonsmoothRun run(text, step, chosen("projected-moreau-jean", "theta = " + std::to_string(theta)));
    EXPECT_TRUE(run.until(1)) << run.reason;
    return run.state().q[1];
  };
  // ω = 10/s: what a step multiplies the motion by, in closed form.
  const auto exact = [](double theta, double step) {
    const std::complex<double> i(0, 10);
    return 1 + 0.1 * std::real(std::pow((1.0 + (1 - theta) * step * i) / (1.0 - theta * step * i), 1 / step));
  };
  for (const double theta : {0.5, 0.75, 1.0}) EXPECT_NEAR(place(theta, 1e-2), exact(theta, 1e-2), 1e-7) << theta;
}

// A key of one scheme is refused with another, and its range is checked.
TEST(Schemes, TakeTheirOwnKeysOnly) {
  const auto problems_of = [](const std::string& solver) {
    ProblemList problems;
    read_model_text(
        "[model]\nname = \"x\"\n[[body]]\nname = \"a\"\nmass = 1\ninertia = [1, 1, 1]\n[solver]\n"
        "method = \"nonsmooth\"\n" +
            solver,
        "test.toml", problems);
    return problems.text();
  };
  EXPECT_THAT(problems_of("contact_iterations = 100\n"), testing::HasSubstr("contact_solver = \"admm\""));
  EXPECT_EQ(problems_of("contact_solver = \"admm\"\ncontact_iterations = 100\n"), "");
  EXPECT_THAT(problems_of("contact_solver = \"admm\"\ncontact_iterations = 0\n"), testing::HasSubstr("1"));
  EXPECT_THAT(problems_of("theta = 0.6\n"), testing::HasSubstr("scheme = \"projected-moreau-jean\""));
  EXPECT_THAT(problems_of("scheme = \"projected-moreau-jean\"\ntheta = 0.3\n"), testing::HasSubstr("0.5"));
  EXPECT_EQ(problems_of("scheme = \"projected-moreau-jean\"\ntheta = 0.6\n"), "");
  EXPECT_THAT(problems_of("scheme = \"decopled\"\n"), testing::HasSubstr("decoupled"));
}

// Whatever solves the contacts of a stack that slides apart, the motion is the same.
TEST(ContactSolvers, MoveAStackAlike) {
  std::string text = "[model]\nplane = \"xy\"\ngravity = [0, -10]\n" + flat_floor + contact(0, 0.4);
  for (int k = 0; k < 4; ++k) {
    text += "[[body]]\nname = \"box" + std::to_string(k) + "\"\nmass = 1\ninertia = 0.01\nposition = [" +
            std::to_string(0.02 * k) + ", " + std::to_string(0.1 + 0.2 * k) + "]\nvelocity = [" +
            std::to_string(0.3 * k) + ", 0]\n[[body.geometry]]\nshape = \"box\"\nsize = [0.3, 0.2]\n";
  }
  text += pair("floor", "box0", "ground");
  for (const char* k : {"0", "1", "2"})
    text += pair(std::string("pair") + k, std::string("box") + k, std::string("box") + static_cast<char>(*k + 1));
  const auto moved = [&](const std::string& solver) {
    NonsmoothRun run(text, 1e-3, "contact_solver = \"" + solver + "\"\ncontact_tolerance = 1e-6");
    EXPECT_TRUE(run.until(0.15)) << solver << run.reason;
    return run.state().q;
  };
  const Eigen::VectorXd reference = moved("direct");
  for (const ContactSolverDescription& each : contact_solver_catalogue())
    EXPECT_LE((moved(each.name) - reference).lpNorm<Eigen::Infinity>(), 1e-5) << each.name;
}

}  // namespace
}  // namespace carom
