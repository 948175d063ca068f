#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <thread>

#include <carom/carom.h>

namespace {

using testing::HasSubstr;

// An arm with a motor in its joint.
carom::Model arm() {
  carom::Model model("Arm");
  model.planar().gravity({0, -9.81}).parameter("torque", "0 N m").parameter("half", "0.25 m");
  model.body("arm").mass(2).inertia("=2[kg]*half^2/3").position({"=half", 0});
  model.joint("pin", "revolute").between("ground", "arm").at({0, 0});
  model.force("motor", "torque").on("arm").set("torque", "=torque");
  model.solver().end(1).tolerance(1e-9);
  return model;
}

struct Method {
  const char *name, *method, *integrator;
};

void PrintTo(const Method& method, std::ostream* out) {
  *out << method.name;
}

const Method methods[] = {{"rk", "compliant", "rk"},     {"adams", "compliant", "adams"},
                          {"bdf", "compliant", "bdf"},   {"alpha", "compliant", "generalized-alpha"},
                          {"auto", "compliant", "auto"}, {"nonsmooth", "nonsmooth", ""}};

// A block that is thrown onto the floor, slides, and is pushed.
carom::Model thrown(const Method& method) {
  carom::Model model("Thrown");
  model.planar().gravity({0, -9.81}).parameter("push", "0 N");
  model.body("ball").mass(1).inertia(0.004).position({0, 0.15}).velocity({1, 0}).shape("sphere").radius(0.1);
  model.ground().shape("plane");
  model.contact("dry").restitution(0.7).friction(0.2).stiffness(1e5);
  model.pair("ball-floor").between("ball", "ground").contact("dry");
  model.force("wind", "force").on("ball").set("point", {0, 0}).set("force", {"=push", 0});
  model.solver().set("method", method.method).end(0.6).tolerance(1e-8);
  if (*method.integrator) model.solver().integrator(method.integrator);
  if (std::string(method.method) == "nonsmooth") model.solver().step(1e-3);
  model.output().every(1e-3);
  return model;
}

std::vector<double> all_values(const carom::Simulation& simulation) {
  std::vector<double> values = {simulation.time()};
  for (const carom::Quantity& each : simulation.quantities()) values.push_back(simulation.value(each.name));
  return values;
}

bool same_bytes(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

std::vector<double> follow(carom::Simulation& simulation, int pieces) {
  std::vector<double> values;
  for (int k = 0; k < pieces; ++k) {
    simulation.advance(5e-3);
    const std::vector<double> now = all_values(simulation);
    values.insert(values.end(), now.begin(), now.end());
  }
  for (const carom::SimulationEvent& event : simulation.events()) {
    values.push_back(event.time);
    for (const auto& [name, value] : event.values) values.push_back(value);
  }
  return values;
}

// Up to an instant at which the ball touches the floor.
void touch_down(carom::Simulation& simulation) {
  while (simulation.contacts().front().points == 0) ASSERT_TRUE(simulation.step());
}

class Methods : public testing::TestWithParam<Method> {};

TEST_P(Methods, StepsToTheEndGiveTheLastSampleOfARun) {
  const carom::Model model = thrown(GetParam());
  const carom::Result result = carom::simulate(model);
  carom::Simulation simulation(model);
  while (simulation.step()) {
  }
  EXPECT_EQ(simulation.time(), 0.6);
  EXPECT_EQ(simulation.steps(), result.summary().steps);
  for (const carom::Quantity& each : simulation.quantities())
    EXPECT_EQ(simulation.value(each.name), result.column(each.name).back()) << each.name;
}

TEST_P(Methods, GoesOnFromASnapshotWithTheSameBytes) {
  carom::Simulation simulation(thrown(GetParam()));
  touch_down(simulation);
  simulation.events();
  const carom::Snapshot snapshot = simulation.snapshot();
  EXPECT_GT(simulation.contacts().front().points, 0);
  const std::vector<double> here = all_values(simulation), after = follow(simulation, 40);
  EXPECT_FALSE(same_bytes(here, all_values(simulation)));
  simulation.restore(snapshot);
  EXPECT_TRUE(same_bytes(here, all_values(simulation)));
  EXPECT_TRUE(same_bytes(after, follow(simulation, 40)));

  // Also in another simulation of the model, which has come to somewhere else.
  carom::Simulation other(thrown(GetParam()));
  other.advance(0.3);
  other.restore(snapshot);
  EXPECT_EQ(other.time(), snapshot.time());
  EXPECT_TRUE(same_bytes(after, follow(other, 40)));
}

TEST_P(Methods, ASnapshotHardlyChangesTheMotion) {
  carom::Simulation kept(thrown(GetParam())), free(thrown(GetParam()));
  touch_down(kept);
  kept.snapshot();
  kept.advance_to(0.3);
  free.advance_to(0.3);
  EXPECT_NEAR(kept.value("body:ball.x"), free.value("body:ball.x"), 2e-4);
  EXPECT_NEAR(kept.value("body:ball.y"), free.value("body:ball.y"), 2e-3);
  EXPECT_NEAR(kept.value("energy.residual"), free.value("energy.residual"), 2e-3);
}

TEST_P(Methods, ReportsContactsAndEvents) {
  carom::Simulation simulation(thrown(GetParam()));
  const carom::ContactReport before = simulation.contacts().front();
  EXPECT_EQ(before.name, "contact:ball-floor");
  EXPECT_EQ(before.state, carom::ContactState::open);
  EXPECT_NEAR(before.gap, 0.05, 1e-12);
  simulation.advance_to(0.15);
  const std::vector<carom::SimulationEvent> events = simulation.events();
  ASSERT_FALSE(events.empty());
  EXPECT_EQ(events.front().contact, "contact:ball-floor");
  EXPECT_NEAR(events.front().time, std::sqrt(2 * 0.05 / 9.81), 2e-3);
  EXPECT_NEAR(events.front().values.at("impact_speed"), std::sqrt(2 * 9.81 * 0.05), 0.02);
  EXPECT_TRUE(simulation.events().empty());
}

INSTANTIATE_TEST_SUITE_P(Simulation, Methods, testing::ValuesIn(methods),
                         [](const auto& test) { return test.param.name; });

TEST(Simulation, AdvancesInTheSamplesOfANonsmoothRun) {
  const carom::Model model = thrown(methods[5]);
  const carom::Result result = carom::simulate(model);
  const std::vector<double> times = result.times();
  carom::Simulation simulation(model);
  std::map<std::string, std::vector<double>> columns;
  for (const carom::Quantity& each : simulation.quantities()) columns[each.name] = result.column(each.name);
  for (std::size_t k = 1; k < times.size(); ++k) {
    simulation.advance_to(times[k]);
    for (const auto& [name, column] : columns)
      ASSERT_EQ(simulation.value(name), column[k]) << name << " at " << times[k];
  }
}

TEST(Simulation, AdvancesNearTheSamplesOfACompliantRun) {
  const carom::Model model = arm();
  const carom::Result result = carom::simulate(model);
  const std::vector<double> times = result.times(), angle = result.column("body:arm.angle"),
                            force = result.column("joint:pin.fx");
  carom::Simulation simulation(model);
  for (std::size_t k = 100; k < times.size(); k += 100) {
    simulation.advance_to(times[k]);
    EXPECT_NEAR(simulation.value("body:arm.angle"), angle[k], 1e-7);
    EXPECT_NEAR(simulation.value("joint:pin.fx"), force[k], 1e-5);
  }
}

TEST(Simulation, GoesOnBehindTheEndOfTheModel) {
  carom::Model model = arm(), longer = arm();
  model.solver().end(0.3);
  longer.solver().end(2);
  for (carom::Model* each : {&model, &longer})
    each->force("kick", "torque").on("arm").set("torque", "=if(t < 0.9, 0, 5)");
  carom::Simulation simulation(model), reference(longer);
  while (simulation.time() < 1.5) simulation.advance(0.1);
  reference.advance_to(simulation.time());
  EXPECT_NEAR(simulation.value("body:arm.angle"), reference.value("body:arm.angle"), 1e-6);
  EXPECT_FALSE(simulation.step());
}

TEST(Simulation, SetsVelocitiesOnTheConstraints) {
  carom::Simulation simulation(arm());
  simulation.advance(0.1);
  const double angle = simulation.value("body:arm.angle");
  simulation.set({{"body:arm.omega", 3},
                  {"body:arm.vx", -3 * 0.25 * std::sin(angle)},
                  {"body:arm.vy", 3 * 0.25 * std::cos(angle)}});
  EXPECT_NEAR(simulation.value("body:arm.omega"), 3, 1e-12);
  EXPECT_NEAR(simulation.value("body:arm.angle"), angle, 1e-12);
  EXPECT_NEAR(simulation.value("energy.residual"), 0, 1e-7);
  // Alone it is shared with what the joint ties to it.
  simulation.set("body:arm.omega", 5);
  const double omega = simulation.value("body:arm.omega");
  EXPECT_GT(omega, 3);
  EXPECT_LT(omega, 5);
  EXPECT_NEAR(std::hypot(simulation.value("body:arm.vx"), simulation.value("body:arm.vy")), 0.25 * omega, 1e-12);
  const double energy = simulation.value("energy.total");
  simulation.advance(0.2);
  EXPECT_NEAR(simulation.value("energy.total"), energy, 1e-6);
}

TEST(Simulation, HasItsStateAsNumbers) {
  carom::Simulation simulation(arm());
  EXPECT_EQ(simulation.positions(), (std::vector<double>{0.25, 0, 0}));
  // Turned by a right angle about the pin.
  simulation.set_state({0, 0.25, M_PI / 2}, {-0.5, 0, 2});
  EXPECT_NEAR(simulation.value("body:arm.y"), 0.25, 1e-12);
  EXPECT_NEAR(simulation.velocities()[2], 2, 1e-12);
  EXPECT_THROW(simulation.set_state({0, 0.25}, {0, 0, 0}), carom::Error);
  EXPECT_THROW(simulation.set_state({0, 0.25, NAN}, {0, 0, 0}), carom::Error);
  EXPECT_NEAR(simulation.value("body:arm.y"), 0.25, 1e-12);
}

TEST(Simulation, ReportsEventsOfTheModelFromAText) {
  carom::Simulation simulation(carom::Model::from_text(R"(
    model = { plane = "xy", gravity = [0, -10] }
    body = [{ name = "ball", mass = 1, inertia = 1 }]
    signal = [{ name = "fallen", of = "body:ball.y" }]
    event = [{ name = "deep", when = "=fallen + 0.05[m]", direction = "falling" }]
    solver = { end = 1 })"));
  simulation.advance(0.5);
  const auto events = simulation.events();
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].kind, "event");
  EXPECT_EQ(events[0].contact, "event:deep");
  EXPECT_NEAR(events[0].time, 0.1, 1e-10);
  EXPECT_TRUE(simulation.events().empty());
}

TEST(Simulation, SetsPositionsOutOfContact) {
  for (const Method& method : methods) {
    carom::Simulation simulation(thrown(method));
    touch_down(simulation);
    simulation.set({{"body:ball.y", 0.3}, {"body:ball.vy", 0}});
    EXPECT_EQ(simulation.contacts().front().points, 0) << method.name;
    EXPECT_NEAR(simulation.value("body:ball.y"), 0.3, 1e-12);
    const double start = simulation.time();
    simulation.advance(0.1);
    EXPECT_NEAR(simulation.value("body:ball.y"), 0.3 - 0.5 * 9.81 * 0.01, 2e-6) << method.name;
    EXPECT_NEAR(simulation.time(), start + 0.1, 1e-12);
    EXPECT_THROW(simulation.set("body:ball.y", 0.05), carom::Error) << method.name;
  }
}

TEST(Simulation, ChangesAParameterOfAForce) {
  carom::Simulation simulation(arm());
  // Against the weight: it stays where it is.
  simulation.set_parameter("torque", 2 * 9.81 * 0.25);
  EXPECT_DOUBLE_EQ(simulation.parameter("torque"), 2 * 9.81 * 0.25);
  simulation.advance(0.5);
  EXPECT_NEAR(simulation.value("body:arm.angle"), 0, 1e-9);
  EXPECT_NEAR(simulation.value("energy.residual"), 0, 1e-7);
  // Twice as much lifts it as fast as it would have fallen.
  simulation.set_parameter("torque", "9.81 N m");
  const carom::Snapshot snapshot = simulation.snapshot();
  simulation.advance(0.01);
  const double angle = simulation.value("body:arm.angle");
  EXPECT_NEAR(angle, 0.5 * (2 * 9.81 * 0.25) / (2 * 0.25 * 0.25 * 4 / 3) * 1e-4, 1e-6);
  // A snapshot knows its parameters.
  simulation.set_parameter("torque", 0);
  simulation.restore(snapshot);
  EXPECT_DOUBLE_EQ(simulation.parameter("torque"), 9.81);
  simulation.advance(0.01);
  EXPECT_EQ(simulation.value("body:arm.angle"), angle);
}

TEST(Simulation, RefusesParametersThatAreTakenInAtTheStart) {
  carom::Simulation simulation(arm());
  try {
    simulation.set_parameter("half", 0.3);
    FAIL();
  } catch (const carom::InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("parameters.half"));
    EXPECT_THAT(error.what(), HasSubstr("body.arm.inertia depends on it"));
  }
  try {
    simulation.set_parameter("torqe", 1);
    FAIL();
  } catch (const carom::InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("did you mean `torque`"));
  }
  EXPECT_THROW(simulation.set_parameter("torque", "3 kg"), carom::InputError);
  simulation.advance(0.01);
  EXPECT_DOUBLE_EQ(simulation.parameter("torque"), 0);
}

TEST(Simulation, ChangesWhenALoadSwitches) {
  carom::Model model = arm();
  model.parameter("switch", "0.9 s");
  model.force("kick", "torque").on("arm").set("torque", "=if(t < switch, 0, 5)");
  carom::Model sooner = model;
  sooner.parameter("switch", "0.3 s");
  carom::Simulation simulation(model), reference(sooner);
  simulation.advance_to(0.2);
  reference.advance_to(0.2);
  simulation.set_parameter("switch", "0.3 s");
  simulation.advance_to(0.8);
  reference.advance_to(0.8);
  EXPECT_NEAR(simulation.value("body:arm.angle"), reference.value("body:arm.angle"), 1e-8);
}

TEST(Simulation, KnowsTheEnergyOfASnapshot) {
  carom::Simulation simulation(arm());
  simulation.advance(0.1);
  const carom::Snapshot snapshot = simulation.snapshot();
  const double residual = simulation.value("energy.residual");
  simulation.set("body:arm.omega", 20);
  simulation.restore(snapshot);
  EXPECT_EQ(simulation.value("energy.residual"), residual);
  EXPECT_THROW(carom::Simulation(thrown(methods[0])).restore(snapshot), carom::Error);
}

// Boxes whose corners come and go, and balls in space that come near each other as they fall.
carom::Model heap(const char* method, bool spatial) {
  carom::Model model("Heap");
  model.gravity(spatial ? carom::Value{0, 0, -9.81} : carom::Value{0, -9.81});
  if (!spatial) model.planar();
  for (int k = 0; k < 6; ++k) {
    const double up = 0.11 + 0.23 * k, aside = 0.02 * (k % 3);
    carom::Body body = model.body("piece" + std::to_string(k)).mass(1);
    if (spatial) {
      body.inertia({0.004, 0.004, 0.004}).position({aside, 0.01 * k, up}).shape("sphere").radius(0.1);
    } else {
      body.inertia(0.007).position({aside, up}).shape("box").size({0.2, 0.2});
    }
  }
  model.ground().shape("plane");
  model.contact("dry").restitution(0.3).friction(0.4).stiffness(1e5);
  model.pair("floor").between("*", "ground").contact("dry");
  model.pair("pieces").between("*", "*").contact("dry");
  model.solver().set("method", method).end(1).tolerance(1e-6);
  return model;
}

TEST(Simulation, KeepsContactsThatComeAndGoInSnapshots) {
  for (const char* method : {"compliant", "nonsmooth"}) {
    for (const bool spatial : {false, true}) {
      carom::Simulation simulation(heap(method, spatial));
      simulation.advance(0.25);
      simulation.events();
      int touching = 0;
      for (const carom::ContactReport& contact : simulation.contacts()) touching += contact.points;
      EXPECT_GT(touching, 0) << method << spatial;
      const carom::Snapshot snapshot = simulation.snapshot();
      const std::vector<double> after = follow(simulation, 20);
      simulation.restore(snapshot);
      EXPECT_TRUE(same_bytes(after, follow(simulation, 20))) << method << spatial;
    }
  }
}

TEST(Simulation, SetsOrientationsAndSpinsInSpace) {
  carom::Model model("Free body");
  model.body("top").mass(1).inertia({1, 2, 3}).center_of_mass({0.1, 0, 0});
  model.solver().end(1);
  carom::Simulation simulation(model);
  const double half = std::sqrt(0.5);
  simulation.set({{"body:top.x", 2}, {"body:top.qw", half}, {"body:top.qz", half}, {"body:top.wy", 1.5}});
  EXPECT_NEAR(simulation.value("body:top.x"), 2, 1e-14);
  EXPECT_NEAR(simulation.value("body:top.qz"), half, 1e-14);
  EXPECT_NEAR(simulation.value("body:top.wy"), 1.5, 1e-14);
  EXPECT_NEAR(simulation.value("body:top.wx"), 0, 1e-14);
  // The y axis of the world is x of the body, whose inertia is 1 kg m².
  EXPECT_NEAR(simulation.value("body:top.ly"), 1.5, 1e-14);
}

TEST(Simulation, RefusesUnknownNames) {
  carom::Simulation simulation(arm());
  try {
    simulation.value("joint:pin.fz");
    FAIL();
  } catch (const carom::ResultError& error) {
    EXPECT_THAT(error.what(), HasSubstr("joint:pin.fx"));
  }
  EXPECT_THROW(simulation.set("body:am.x", 1), carom::ResultError);
  EXPECT_THROW(simulation.set("body:arm.ax", 1), carom::ResultError);
  EXPECT_THROW(simulation.set("joint:pin.fx", 1), carom::ResultError);
  EXPECT_THROW(simulation.parameter("half_"), carom::ResultError);
  EXPECT_THROW(simulation.advance(-1), carom::Error);
}

TEST(Simulation, RefusesModelsThatDoNotMove) {
  carom::Model model = arm();
  model.solver().analysis("static");
  EXPECT_THROW(carom::Simulation{model}, carom::InputError);
  carom::Model broken = arm();
  broken.body("arm").mass("2 m");
  EXPECT_THROW(carom::Simulation{broken}, carom::InputError);
  EXPECT_THROW(carom::Simulation{carom::Model::load("not_there.toml")}, carom::InputError);
}

TEST(Simulation, StopsWhenItIsInterruptedAndTellsItsProgress) {
  std::atomic<bool> stop = false;
  double reached = 0;
  const auto progress = [&](const carom::Progress& now) {
    reached = now.time;
    if (now.time > 0.2) stop = true;
  };
  carom::Simulation simulation(arm(), {.progress = progress, .interrupt = &stop});
  EXPECT_FALSE(simulation.advance_to(1));
  EXPECT_GT(simulation.time(), 0.2);
  EXPECT_LT(simulation.time(), 0.9);
  EXPECT_EQ(reached, simulation.time());
  EXPECT_FALSE(simulation.step());
  stop = false;
  EXPECT_TRUE(simulation.step());
}

TEST(Simulation, SeveralThreadsGiveTheSameBytesAsOne) {
  const auto motion = [](const Method& method) {
    carom::Simulation simulation(thrown(method));
    std::vector<double> values = follow(simulation, 20);
    simulation.set_parameter("push", -3);
    const std::vector<double> rest = follow(simulation, 20);
    values.insert(values.end(), rest.begin(), rest.end());
    return values;
  };
  std::vector<std::vector<double>> alone, together(std::size(methods));
  for (const Method& method : methods) alone.push_back(motion(method));
  std::vector<std::thread> threads;
  for (std::size_t k = 0; k < together.size(); ++k) threads.emplace_back([&, k] { together[k] = motion(methods[k]); });
  for (std::thread& thread : threads) thread.join();
  for (std::size_t k = 0; k < together.size(); ++k) EXPECT_TRUE(same_bytes(alone[k], together[k])) << methods[k].name;
}

}  // namespace
