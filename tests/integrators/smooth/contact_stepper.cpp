#include "integrators/smooth/contact_stepper.h"

#include <cmath>

#include <gtest/gtest.h>

#include "scenes.h"

namespace carom {
namespace {

struct Outcome {
  std::vector<ContactEvent> events;
  State end;
  IntegratorStatistics steps;
  ContactStatistics contacts;
  std::string failure;

  std::vector<ContactEpisode> episodes() const {
    std::vector<ContactEpisode> list;
    for (const ContactEvent& event : events) {
      if (!event.begins) list.push_back(event.episode);
    }
    return list;
  }
};

Outcome integrate(Model model, double end) {
  model.solver.end = end;
  const auto system = System::create(model);
  State state = system->initial_state();
  if (!model.motions.empty()) {
    // As with an ideal pin, stretched out: the rod turns back, the slider stands still.
    const double speed = model.bodies[0].angular_velocity.z();
    state.v << 0, 0.025 * speed, speed, 0, 0.05 * speed / 2, -speed * 0.05 / 0.12, 0, 0, 0;
  }
  const auto integrator = make_integrator(*system, model.solver);
  ContactStepper stepper(*system, model.solver);
  stepper.start(state);
  integrator->start(state);
  Outcome outcome;
  while (integrator->state().t < end) {
    const StepOutcome step = stepper.advance(
        *integrator, end, [](Integrator&, double) {}, outcome.events);
    if (!step.accepted()) {
      outcome.failure = step.reason;
      break;
    }
  }
  outcome.end = integrator->state();
  stepper.finish(outcome.end, outcome.events);
  outcome.steps = integrator->statistics();
  outcome.contacts = stepper.statistics();
  return outcome;
}

// Published: formulation notes, section 13; Flores et al. 2011.
class BouncingBall : public ::testing::TestWithParam<const char*> {};

TEST_P(BouncingBall, FirstImpactsAreThoseOfTheReference) {
  Model model = scenes::bouncing_ball("flores", 0.6);
  model.solver.integrator = GetParam();
  model.solver.tolerance = 1e-11;
  const bool second_order = std::string(GetParam()) == "generalized-alpha";
  if (second_order) {
    model.solver.tolerance = 1e-8;
    model.solver.rho_infinity = 1;
  }
  const double loose = second_order ? 1e3 : 1;
  const Outcome outcome = integrate(model, 1.4);
  ASSERT_EQ(outcome.failure, "");
  const auto episodes = outcome.episodes();
  ASSERT_EQ(episodes.size(), 4u);
  EXPECT_NEAR(episodes[0].begin, 0.428352936878, 1e-9 * loose);
  EXPECT_NEAR(episodes[0].impact_speed, 4.202142311, 1e-8 * loose);
  EXPECT_NEAR(episodes[0].separation_speed / episodes[0].impact_speed, 0.576332044, 1e-7 * loose);
  EXPECT_NEAR(episodes[0].largest_penetration, 1.549953780e-3, 1e-10 * loose);
  EXPECT_NEAR(episodes[0].peak_force, 10589.71729, 1e-3 * loose);
  EXPECT_NEAR(episodes[0].end - episodes[0].begin, 1.447585799e-3, 1e-10 * loose);
  EXPECT_NEAR(episodes[1].begin, 0.923547570, 1e-8 * loose);
  EXPECT_NEAR(episodes[2].begin, 1.209289323, 1e-8 * loose);
  EXPECT_NEAR(episodes[3].begin, 1.374104468, 1e-8 * loose);
  EXPECT_LE(outcome.contacts.deepest_beginning, model.solver.penetration_tolerance);
}

INSTANTIATE_TEST_SUITE_P(Catalogue, BouncingBall, ::testing::Values("rk", "adams", "auto", "bdf", "generalized-alpha"),
                         [](const auto& each) {
                           std::string name = each.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// Elastic: the ball must come back to its height, which it does only if no contact begins too deep.
double height_after_bounce(const std::string& control, const std::string& integrator, double step,
                           ContactStatistics* statistics = nullptr) {
  Model model = scenes::bouncing_ball("hertz", 1);
  model.solver.integrator = integrator;
  model.solver.tolerance = 1e-10;
  model.solver.max_step = step;
  model.solver.penetration_control = find_named<PenetrationControl>(control).value();
  model.solver.smallest_step = 1e-11;  // at 4.2 m/s the tolerance of 1e-9 m needs steps below 2.4e-10 s
  const Outcome outcome = integrate(model, 0.428352936878 * 2);
  EXPECT_EQ(outcome.failure, "");
  if (statistics) *statistics = outcome.contacts;
  return outcome.end.q[1] + outcome.end.v[1] * outcome.end.v[1] / (2 * 9.81);
}

class ContactStarts : public ::testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(ContactStarts, ElasticReboundReturnsToItsHeight) {
  const auto [control, integrator] = GetParam();
  ContactStatistics statistics;
  // Interpolation takes positions and velocities at different depths: an error of the order of the step.
  const double limit = std::string(control) == "interpolate" ? 1e-3 : 1e-6;
  EXPECT_NEAR(height_after_bounce(control, integrator, 1e-3, &statistics), 1, limit);
  EXPECT_EQ(statistics.begun, 1);
  if (std::string(control) != "interpolate") {
    EXPECT_EQ(statistics.too_deep, 0);
    EXPECT_LE(statistics.deepest_beginning, 1e-9);
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, ContactStarts,
                         ::testing::Values(std::pair("locate", "rk"), std::pair("locate", "adams"),
                                           std::pair("locate", "bdf"), std::pair("reject", "rk"),
                                           std::pair("reject", "adams"), std::pair("reject", "bdf"),
                                           std::pair("interpolate", "rk")),
                         [](const auto& each) { return std::string(each.param.first) + "_" + each.param.second; });

// A first step that ends at a depth δ has got the energy K δ^2.5 / 2.5 for nothing.
TEST(PenetrationControlOff, GainsTheEnergyOfTheFirstPenetration) {
  Model model = scenes::bouncing_ball("flores", 0.9);
  model.solver.integrator = "rk";
  model.solver.tolerance = 1e-10;
  model.solver.max_step = 1e-4;
  model.solver.penetration_control = PenetrationControl::off;
  const Outcome outcome = integrate(model, 0.5);
  ASSERT_GT(outcome.contacts.too_deep, 0);
  EXPECT_GT(outcome.contacts.deepest_beginning, 1e-6);
  const State& end = outcome.end;
  const double total = 9.81 * end.q[1] + 0.5 * end.v[1] * end.v[1];
  const double dissipated = -end.work[0], gained = 1.4e8 * std::pow(outcome.contacts.deepest_beginning, 2.5) / 2.5;
  EXPECT_NEAR(total + dissipated - 9.81, gained, 1e-6 + 1e-3 * gained);
}

// A viscous law that lets go while its spring is still bent loses what is in it: the books must say so.
TEST(ContactEnergy, WhatIsLeftInTheSpringAtReleaseIsDissipated) {
  Model model = scenes::bouncing_ball("kelvin-voigt", 0.3);
  model.contacts[0].settings.set("stiffness", 1e6);
  model.solver.integrator = "rk";
  model.solver.tolerance = 1e-10;
  const Outcome outcome = integrate(model, 0.5);
  ASSERT_EQ(outcome.contacts.ended, 1);
  const State& end = outcome.end;
  const double total = 9.81 * end.q[1] + 0.5 * end.v[1] * end.v[1];
  EXPECT_NEAR(total - end.work[0], 9.81, 1e-6);
}

// With any law of the slip speed a block on a slope creeps; with bristles it must not.
class Incline : public ::testing::TestWithParam<const char*> {};

TEST_P(Incline, BlockSticksBelowTheAngleOfFrictionAndSlidesAboveIt) {
  for (const double slope : {0.2, 0.5}) {
    Model model = scenes::bouncing_ball("marhefka-orin", 1);
    model.gravity = {9.81 * std::sin(slope), -9.81 * std::cos(slope), 0};
    Geometry box;
    box.shape = "box";
    box.settings.set("size", std::vector<double>{0.2, 0.1});
    model.bodies[0].geometry = {box};
    model.bodies[0].inertia *= 0.05;
    model.bodies[0].position.y() = 0.05;
    model.contacts[0].settings.set("stiffness", 1e7);
    model.contacts[0].settings.set("damping", 5.0);
    model.contacts[0].friction = "elasto-plastic";
    model.contacts[0].friction_settings.set("coefficient", 0.3);
    model.solver.integrator = GetParam();
    model.solver.tolerance = 1e-7;
    const Outcome outcome = integrate(model, 1.0);
    ASSERT_EQ(outcome.failure, "");
    const double speed = outcome.end.v[0];
    if (std::tan(slope) < 0.3) {
      EXPECT_NEAR(speed, 0, 1e-7);
      EXPECT_LT(outcome.end.q[0], 1e-3);
    } else {
      // The first instants, while the block settles, cost a little.
      EXPECT_NEAR(speed, 9.81 * (std::sin(slope) - 0.3 * std::cos(slope)), 0.02);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, Incline, ::testing::Values("rk", "adams", "bdf"),
                         [](const auto& each) { return std::string(each.param); });

TEST(Incline, BristlesNeedAnIntegratorForThem) {
  Model model = scenes::bouncing_ball("hertz", 1);
  model.contacts[0].friction = "lugre";
  model.contacts[0].friction_settings.set("coefficient", 0.3);
  model.solver.integrator = "generalized-alpha";
  const auto system = System::create(model);
  EXPECT_THROW(make_integrator(*system, model.solver), InputError);
}

// Two independent codes, six digits: scene S3.
TEST(LooseSliderCrank, AgreesWithTheConvergedValues) {
  Model model = scenes::loose_slider_crank();
  model.solver.tolerance = 1e-10;
  const Outcome outcome = integrate(model, model.solver.end);
  ASSERT_EQ(outcome.failure, "");
  double peak = 0;
  for (const ContactEpisode& episode : outcome.episodes()) {
    peak = std::max(peak, episode.peak_force);
  }
  EXPECT_NEAR(peak, 16905.2, 0.06);  // the reference looked at the ends of its steps only
  EXPECT_EQ(outcome.contacts.begun, 4);
  EXPECT_NEAR(outcome.contacts.largest_penetration, 14.507e-6, 0.5e-9);
  EXPECT_NEAR(outcome.end.q[6], 0.170029, 0.5e-6);
  EXPECT_NEAR(outcome.end.v[6], 0.00265577, 0.5e-6);
  EXPECT_NEAR(std::remainder(outcome.end.q[5], 2 * M_PI), 2.3915e-5, 0.5e-8);
  EXPECT_NEAR(outcome.end.v[5], -218.471, 0.5e-3);
}

}  // namespace
}  // namespace carom
