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

INSTANTIATE_TEST_SUITE_P(Catalogue, BouncingBall, ::testing::Values("rk", "adams", "bdf", "generalized-alpha"),
                         [](const auto& each) {
                           std::string name = each.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// Two independent codes, six digits: scene S3.
TEST(LooseSliderCrank, AgreesWithTheConvergedValues) {
  Model model = scenes::loose_slider_crank();
  model.solver.tolerance = std::getenv("TOL") ? std::atof(std::getenv("TOL")) : 1e-10;
  const Outcome outcome = integrate(model, model.solver.end);
  ASSERT_EQ(outcome.failure, "");
  double peak = 0, time = 0;
  for (const ContactEpisode& episode : outcome.episodes()) {
    std::printf("%.9g %.9g v0 %.9g depth %.9g force %.9g\n", episode.begin, episode.end, episode.impact_speed,
                episode.largest_penetration, episode.peak_force);
    if (episode.peak_force > peak) peak = episode.peak_force, time = episode.begin;
  }
  (void)time;
  std::printf("steps %ld evals %ld rejected %ld\n", outcome.steps.steps, outcome.steps.evaluations,
              outcome.steps.rejected);
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
