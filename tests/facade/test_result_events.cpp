#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include <carom/carom.h>

namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr double g = 9.81, height = 0.45, mass = 2;

// A dumb-bell, whose two ends fall flat on the floor from 0.45 m.
carom::Model bell() {
  carom::Model model("Bell");
  model.planar().gravity({0, -g});
  carom::Body body = model.body("bell").mass(mass).inertia(0.1).position({0, height + 0.1});
  body.shape("sphere").name("left").radius(0.1).position({-0.5, 0});
  body.shape("sphere").name("right").radius(0.1).position({0.5, 0});
  model.ground().shape("plane").name("floor");
  model.contact("hard").restitution(0.5);
  model.pair("knock").between("ground", "bell").contact("hard");
  model.solver().end(0.8).set("method", "nonsmooth").set("step", 1e-4);
  model.output().set("every", 0.01);
  return model;
}

// A ball without weight that flies against a wall of Hertz' law, 2 m/s fast.
carom::Model ball() {
  carom::Model model("Ball");
  model.planar().gravity({0, 0});
  model.body("ball").mass(mass).inertia(0.1).position({0, 0.3}).set("velocity", {0, -2}).shape("sphere").radius(0.1);
  model.ground().shape("plane");
  model.contact("elastic").law("hertz").set("stiffness", 1e7);
  model.pair("wall").between("ball", "ground").contact("elastic");
  model.pair("other").between("ground", "ball").set("allow_initial_penetration", true).contact("elastic");
  model.solver().end(0.2).tolerance(1e-10);
  model.output().set("every", 1e-3);
  return model;
}

// With restitution 1/2 it touches at t₁ = √(2h/g), 2 t₁ and 2.5 t₁; each end takes half of m (1 + e) v.
TEST(ResultEvents, TellOfImpactsAsInTheory) {
  const carom::Result result = carom::simulate(bell());
  const double first = std::sqrt(2 * height / g), speed = std::sqrt(2 * g * height);
  const auto& events = result.events();
  ASSERT_EQ(events.size(), 6u);
  const double times[] = {first, 2 * first, 2.5 * first};
  double total = 0;
  for (std::size_t k = 0; k < 6; ++k) {
    const double approach = speed * std::pow(0.5, static_cast<double>(k / 2));
    EXPECT_EQ(events[k].kind, "impact");
    EXPECT_NEAR(events[k].time, times[k / 2], 3e-4);
    EXPECT_EQ(events[k].begin, events[k].time);
    EXPECT_NEAR(events[k].approach_speed, approach, 2e-3 * speed);
    EXPECT_NEAR(events[k].separation_speed, approach / 2, 2e-3 * speed);
    EXPECT_NEAR(events[k].impulse, 0.75 * mass * approach, 2e-3 * mass * speed);
    EXPECT_TRUE(std::isnan(events[k].penetration));
    EXPECT_EQ(events[k].values.size(), result.event_kinds().front().values.size());
    total += 0.75 * mass * approach;
  }
  const auto contacts = result.contacts();
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_EQ(contacts[0].name, "contact:knock");
  EXPECT_EQ(contacts[0].events, 6);
  EXPECT_NEAR(contacts[0].largest_impulse, 0.75 * mass * speed, 2e-3 * mass * speed);
  EXPECT_NEAR(contacts[0].total_impulse, total, 5e-3 * total);
  EXPECT_EQ(result.summary().method, "nonsmooth");
  EXPECT_EQ(result.summary().contacts, 6);
}

TEST(ResultEvents, AreFoundByNamesOfTheirContacts) {
  const carom::Result result = carom::simulate(bell());
  EXPECT_EQ(result.events("contact:knock").size(), 6u);
  EXPECT_EQ(result.events("*left*").size(), 3u);
  EXPECT_EQ(result.events(result.events().front().contact).size(), 3u);
  try {
    result.events("contact:knok");
    FAIL();
  } catch (const carom::ResultError& error) {
    EXPECT_THAT(error.what(), HasSubstr("matches 'contact:knok'; did you mean contact:knock?"));
  }
}

// ½ m v² = ⅖ K δ^2.5, F = K δ^1.5, T = 2.9432 δ/v.
TEST(ResultEvents, TellOfContactsAsInTheory) {
  carom::Model model = ball();
  const carom::Result result = carom::simulate(model);
  const double depth = std::pow(1.25 * mass * 4 / 2e7, 0.4), force = 2e7 * std::pow(depth, 1.5);  // two pairs
  const double duration = 2.943275 * depth / 2, begin = 0.1;
  const auto events = result.events("contact:wall");
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].kind, "touch");
  EXPECT_NEAR(events[0].time, begin, 1e-8);
  EXPECT_NEAR(events[0].approach_speed, 2, 1e-6);
  EXPECT_TRUE(std::isnan(events[0].peak_force) && std::isnan(events[0].duration) && std::isnan(events[0].impulse));
  EXPECT_EQ(events[1].kind, "contact");
  EXPECT_NEAR(events[1].begin, begin, 1e-8);
  EXPECT_NEAR(events[1].duration / duration, 1, 1e-4);
  EXPECT_NEAR(events[1].penetration / depth, 1, 1e-4);
  EXPECT_NEAR(events[1].peak_force / (force / 2), 1, 1e-4);
  EXPECT_NEAR(events[1].separation_speed, 2, 1e-4);
  const carom::Summary& summary = result.summary();
  EXPECT_EQ(summary.method, "compliant");
  EXPECT_EQ(summary.contacts, 2);
  EXPECT_NEAR(summary.peak_force / (force / 2), 1, 1e-4);
  EXPECT_THAT(summary.peak_contact, testing::AnyOf("contact:wall", "contact:other"));
  EXPECT_NEAR(summary.peak_time, begin, 1e-8);
  EXPECT_NEAR(summary.largest_penetration / depth, 1, 1e-2);  // at the end of a step
  const auto contacts = result.contacts();
  ASSERT_EQ(contacts.size(), 2u);
  EXPECT_EQ(contacts[0].events, 1);
  EXPECT_EQ(contacts[0].peak_force, events[1].peak_force);
  EXPECT_EQ(contacts[0].largest_penetration, events[1].penetration);
  EXPECT_TRUE(std::isnan(contacts[0].largest_impulse));
  EXPECT_TRUE(std::isnan(contacts[0].total_impulse));
}

TEST(ResultEvents, AreNoneWithoutContacts) {
  carom::Model model("Flight");
  model.planar();
  model.body("stone").mass(1).inertia(1).set("velocity", {1, 0});
  model.solver().end(0.1);
  const carom::Result result = carom::simulate(model);
  EXPECT_TRUE(result.events().empty());
  EXPECT_TRUE(result.contacts().empty());
  EXPECT_TRUE(result.beams().empty());
  EXPECT_EQ(result.summary().contacts, 0);
  EXPECT_THROW(result.events("contact:knock"), carom::ResultError);
}

// A contact that nothing happens to is there, and its name no mistake.
TEST(ResultEvents, KnowContactsThatNothingHappenedTo) {
  carom::Model model = bell();
  model.solver().end(0.1);
  const carom::Result result = carom::simulate(model);
  EXPECT_TRUE(result.events("contact:knock").empty());
  ASSERT_EQ(result.contacts().size(), 1u);
  EXPECT_EQ(result.contacts()[0].events, 0);
}

// A cover that reaches into the floor from the beginning changes nothing of the motion.
TEST(ResultEvents, HaveNoneOfVisualShapes) {
  carom::Model model = bell();
  const carom::Result plain = carom::simulate(model);
  model.body("bell").shape("sphere").name("cover").radius(2).set("visual", true);
  const carom::Result covered = carom::simulate(model);
  for (const char* name : {"body:bell.x", "body:bell.y", "body:bell.angle", "contact:knock.normal_impulse"})
    EXPECT_EQ(plain.column(name), covered.column(name)) << name;
  EXPECT_EQ(plain.events().size(), covered.events().size());
  model.pair("cover-floor").between("ground", "bell").shapes("floor", "cover").contact("hard");
  EXPECT_THAT(carom::validate(model).at(0).found, HasSubstr("`cover` of `bell`, which is visual"));
}

TEST(ResultParts, AreBearingsAndBeamsWithTheirQuantities) {
  carom::Model model = carom::Model::load(std::string(CAROM_SOURCE_DIR) + "/examples/ball_bearing.toml");
  model.solver().end(1e-4);
  model.output().set("record", {"bearing:*"});
  const carom::Result bearing = carom::simulate(model);
  ASSERT_EQ(bearing.bearings().size(), 1u);
  EXPECT_TRUE(bearing.beams().empty());
  for (const carom::Quantity& quantity : bearing.bearings()[0].quantities)
    EXPECT_EQ(bearing.column(quantity.name).size(), bearing.sample_count());

  carom::Model crank = carom::Model::load(std::string(CAROM_SOURCE_DIR) + "/examples/flexible_slider_crank.toml");
  crank.solver().end(1e-4);
  crank.output().set("record", {"beam:*"});
  const carom::Result flexible = carom::simulate(crank);
  const auto& beams = flexible.beams();
  ASSERT_GT(beams.size(), 1u);
  EXPECT_TRUE(beams[1].name.starts_with(beams[0].name + "-1"));
  EXPECT_THAT(beams[0].quantities.at(0).name, HasSubstr(beams[0].name + "."));
}

}  // namespace
