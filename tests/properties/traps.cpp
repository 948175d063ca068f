#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "../support/build_model.h"
#include "integrators/smooth/contact_stepper.h"

// Places where searches for contacts go wrong, or become expensive.
namespace carom {
namespace {

Geometry shape(const std::string& kind, const std::string& key = "", const Value& value = 0.0) {
  Geometry geometry;
  geometry.shape = kind;
  geometry.name = kind;
  if (!key.empty()) geometry.settings.set(key, value);
  return geometry;
}

Geometry ball(double radius) {
  return shape("sphere", "radius", radius);
}

void let_touch(Model& model, const std::string& one, const std::string& two) {
  model.ground.name = "ground";
  if (model.contacts.empty()) {
    ContactModel contact;
    contact.name = "steel";
    contact.elastic = "linear";
    contact.restitution = 0.8;
    contact.settings.set("stiffness", 1e8);
    model.contacts = {contact};
  }
  PairModel pair;
  pair.name = one + "-" + two;
  pair.bodies = {one, two};
  pair.contact = "steel";
  model.pairs.push_back(pair);
}

struct Outcome {
  std::vector<ContactEvent> events;
  long steps = 0;
  ContactStatistics contacts;
  State end;
  std::string failure;

  int begun() const { return static_cast<int>(contacts.begun); }
  double first() const { return events.empty() ? -1 : events.front().episode.begin; }
};

Outcome run(Model model, double end) {
  const auto system = System::create(model);
  State state = system->initial_state();
  if (system->active_constraints() > 0) {
    system->project_position(0, state.q.data(), 1e-13, 20);
    system->project_velocity(0, state.q.data(), state.v.data());
  }
  const auto integrator = make_integrator(*system, model.solver);
  ContactStepper stepper(*system, model.solver);
  Outcome outcome;
  EXPECT_TRUE(stepper.start(state).empty());
  integrator->start(state);
  while (integrator->state().t < end) {
    const StepOutcome step = stepper.advance(
        *integrator, end, [](Integrator&, double) {}, outcome.events);
    if (!step.accepted()) {
      outcome.failure = step.reason;
      break;
    }
    ++outcome.steps;
  }
  outcome.contacts = stepper.statistics();
  outcome.end = integrator->state();
  return outcome;
}

class EveryIntegrator : public ::testing::TestWithParam<const char*> {
 protected:
  Model planar(const Eigen::Vector2d& gravity = {0, 0}) const {
    Model model = build::planar_model(gravity);
    model.solver.integrator = GetParam();
    if (std::string(GetParam()) == "index2")
      model.solver.integrator = "bdf", model.solver.constraints = ConstraintTreatment::index2;
    if (model.solver.integrator == "generalized-alpha") model.solver.tolerance = 1e-5;
    return model;
  }
};

INSTANTIATE_TEST_SUITE_P(All, EveryIntegrator, ::testing::Values("adams", "bdf", "rk", "generalized-alpha", "index2"),
                         [](const auto& one) {
                           std::string name = one.param;
                           std::erase(name, '-');
                           return name;
                         });

// A ball falls onto a thin table, through which a single step would take it.
TEST_P(EveryIntegrator, LandsOnAThinTable) {
  Model model = planar({0, -10});
  model.ground.geometry = {shape("box", "size", std::vector<double>{1, 0.02})};
  model.bodies = {build::planar_body("ball", 1, 1e-3).at(0, 5.03)};
  model.bodies[0].geometry = {ball(0.02)};
  let_touch(model, "ball", "ground");
  const Outcome outcome = run(model, 1.5);
  ASSERT_EQ(outcome.failure, "");
  ASSERT_GE(outcome.begun(), 1);
  EXPECT_NEAR(outcome.first(), 1, 1e-3 / 2);  // 5 m at 10 m/s²
  EXPECT_GT(outcome.end.q[1], 0);
}

TEST_P(EveryIntegrator, HitsTheBallThatItFliesTowards) {
  Model model = planar();
  model.bodies = {build::planar_body("cue", 0.17, 5.4e-5).at(-1, 0).moving({2, 0, 0}),
                  build::planar_body("eight", 0.17, 5.4e-5).at(0, 0)};
  for (BodyModel& body : model.bodies) body.geometry = {ball(0.0286)};
  let_touch(model, "cue", "eight");
  const Outcome outcome = run(model, 8);
  ASSERT_EQ(outcome.failure, "");
  EXPECT_EQ(outcome.begun(), 1);
  EXPECT_NEAR(outcome.first(), (1 - 2 * 0.0286) / 2, 1e-9);
}

// Slow swings over a peg of a few millimetres.
TEST_P(EveryIntegrator, PendulumFindsThePegUnderIt) {
  Model model = planar({0, -9.81});
  model.bodies = {build::planar_body("bob", 1, 0.01).at(0.5, -std::sqrt(0.75))};
  model.bodies[0].geometry = {ball(0.005)};
  model.joints = {build::pin("pivot", "ground", "bob", {0, 0})};
  model.ground.geometry = {ball(0.002)};
  model.ground.geometry[0].position = {5e-4, -1.004, 0};
  let_touch(model, "bob", "ground");
  const Outcome outcome = run(model, 1);
  ASSERT_EQ(outcome.failure, "");
  EXPECT_GE(outcome.begun(), 1);
}

// A rod of no thickness to speak of, which turns many times before its end comes by.
TEST_P(EveryIntegrator, ThinSpinningBoxHitsWhatItSweeps) {
  Model model = planar();
  model.bodies = {build::planar_body("blade", 1, 0.1).at(0, 0).spinning({0, 0, 20}),
                  build::planar_body("fly", 1e-3, 1e-7).at(0.9, 3).moving({0, -1, 0})};
  model.bodies[0].geometry = {shape("box", "size", std::vector<double>{2, 0.002})};
  model.bodies[1].geometry = {ball(0.003)};
  let_touch(model, "blade", "fly");
  const Outcome outcome = run(model, 4);
  ASSERT_EQ(outcome.failure, "");
  EXPECT_GE(outcome.begun(), 1);
}

// It touches the floor where it starts, but moves away; it comes back inside the first long step.
TEST_P(EveryIntegrator, ThrownUpFromTheFloorComesBack) {
  Model model = planar({0, -10});
  model.ground.geometry = {shape("plane")};
  model.bodies = {build::planar_body("ball", 1, 1e-3).at(0, 0.1).moving({0, 5, 0})};
  model.bodies[0].geometry = {ball(0.1)};
  let_touch(model, "ball", "ground");
  const Outcome outcome = run(model, 1.001);
  ASSERT_EQ(outcome.failure, "");
  ASSERT_EQ(outcome.begun(), 1);
  EXPECT_NEAR(outcome.first(), 1, 1e-6);
}

TEST_P(EveryIntegrator, FreeFlightTakesAsFewStepsAsWithoutContacts) {
  Model model = planar({0, -9.81});
  model.ground.geometry = {shape("plane")};
  model.bodies = {build::planar_body("ball", 1, 1e-3).at(0, 1).moving({1, 40, 0}).spinning({0, 0, 3})};
  model.bodies[0].geometry = {ball(0.1)};
  const auto system = System::create(model);
  const auto integrator = make_integrator(*system, model.solver);
  integrator->start(system->initial_state());
  while (integrator->state().t < 8) ASSERT_TRUE(integrator->step(8).accepted());
  let_touch(model, "ball", "ground");
  const Outcome outcome = run(model, 8);
  EXPECT_EQ(outcome.steps, integrator->statistics().steps);
  EXPECT_EQ(outcome.begun(), 0);
  EXPECT_LE(outcome.contacts.search_iterations, 4 * outcome.steps);
}

// Along a surface at a distance of 10 µm, at 10 m/s: nothing to be afraid of.
TEST_P(EveryIntegrator, SlidingPastASurfaceCostsLittle) {
  for (const char* floor : {"plane", "box", "capsule"}) {
    Model model = planar();
    Geometry ground = shape(floor);
    double top = 0;
    if (ground.shape == "box") ground.settings.set("size", std::vector<double>{100, 0.5}), top = 0.25;
    if (ground.shape == "capsule") ground.settings.set("length", 100.0), ground.settings.set("radius", 0.2), top = 0.2;
    model.ground.geometry = {ground};
    model.bodies = {
        build::planar_body("ball", 1, 1e-3).at(-10, top + 0.1 + 1e-5).moving({10, 0, 0}).spinning({0, 0, 3})};
    model.bodies[0].geometry = {ball(0.1)};
    let_touch(model, "ball", "ground");
    const Outcome outcome = run(model, 2);
    EXPECT_EQ(outcome.begun(), 0) << floor;
    EXPECT_LE(outcome.contacts.search_iterations, 8 * outcome.steps) << floor;
  }
}

TEST_P(EveryIntegrator, PassingAtANanometreCostsLittle) {
  Model model = planar();
  model.solver.penetration_tolerance = 1e-10;
  model.bodies = {build::planar_body("still", 1, 1e-3),
                  build::planar_body("flier", 1, 1e-3).at(-5, 0.2 + 1e-9).moving({10, 0, 0})};
  for (BodyModel& body : model.bodies) body.geometry = {ball(0.1)};
  let_touch(model, "still", "flier");
  const Outcome outcome = run(model, 1);
  EXPECT_EQ(outcome.begun(), 0);
  EXPECT_LE(outcome.contacts.search_iterations, 300 + 4 * outcome.steps);
}

// More pairs than are looked at all the time: those of the fast ball come and go inside single steps.
TEST_P(EveryIntegrator, BroadPhaseForgetsNoPairOfAFastBody) {
  Model model = planar();
  if (model.solver.integrator != "adams" && model.solver.integrator != "rk") GTEST_SKIP() << "refused with many pairs";
  constexpr int count = 40;
  for (int k = 0; k < count; ++k) {
    model.bodies.push_back(build::planar_body("ball" + std::to_string(k), 1, 1e-4).at(k, 0));
    model.bodies.back().geometry = {ball(0.05)};
  }
  model.bodies[0].velocity = {100, 0, 0};
  model.bodies[0].velocity_given = true;
  let_touch(model, "ball*", "ball*");
  model.contacts[0].restitution = 1;
  const Outcome outcome = run(model, 0.6);
  ASSERT_EQ(outcome.failure, "");
  EXPECT_EQ(outcome.begun(), count - 1);
}

}  // namespace
}  // namespace carom
