#include <cmath>
#include <numeric>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "force_recovery/recover_forces.h"
#include "model_io/read_model.h"
#include "run_scene.h"

// Forces that a run reports while it runs, and the sliding that wear needs.
namespace carom {
namespace {

using scene::Folder;
using scene::into;

Model model_of(const std::string& text) {
  ProblemList problems;
  Model model = read_model_text(text, "forces.toml", problems);
  EXPECT_EQ(problems.errors(), 0u) << problems.text();
  return model;
}

double sum(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

// Balls of 1 kg and 50 mm in a row along x, those from the second on at rest and touching; the first comes with 1 m/s.
std::string row(int count, double restitution) {
  std::string text = fmt::format(
      "[contact.skin]\nrestitution = {}\nstiffness = 1e9\n[solver]\nmethod = \"nonsmooth\"\nstep = 1e-3\nend = 0.05\n"
      "[output]\nevery = 1e-3\n",
      restitution);
  for (int k = 0; k < count; ++k) {
    text += fmt::format(
        "[[body]]\nname = \"b{}\"\nmass = 1\ninertia = [1e-3, 1e-3, 1e-3]\nposition = [{}, 0, 0]\n"
        "velocity = [{}, 0, 0]\ngeometry = [{{ shape = \"sphere\", radius = 0.05 }}]\n",
        k, k == 0 ? -0.11 : 0.1 * (k - 1), k == 0 ? 1 : 0);
    if (k > 0)
      text += fmt::format("[[pair]]\nname = \"p{}\"\nbodies = [\"b{}\", \"b{}\"]\ncontact = \"skin\"\n", k, k - 1, k);
  }
  return text;
}

// The blow runs through the row: each contact feels an impact of two balls, whatever speeds are left at the end.
TEST(ImpactForces, OfARowOfBallsAreThoseOfPairs) {
  const Folder folder;
  const Model model = model_of(row(5, 1));
  const RunSummary summary = run(model, into(folder / "row.h5"));
  ASSERT_EQ(summary.status, RunStatus::complete) << summary.reason;
  const ResultReader result(folder / "row.h5");
  const auto impacts = recover_forces(result, model, {});
  ASSERT_EQ(impacts.size(), 4u);
  const ImpactPulse two = PulseTable(PulseProfile::exact).pulse({.speed = 1, .mass = 0.5, .stiffness = 1e9});
  for (const RecoveredImpact& one : impacts) {
    EXPECT_EQ(one.unknown, "");
    EXPECT_NEAR(one.pulse.peak_force, two.peak_force, 1e-6 * two.peak_force) << one.contact;
    EXPECT_NEAR(one.pulse.duration, two.duration, 1e-6 * two.duration) << one.contact;
    EXPECT_NEAR(one.transmitted(), 0, 1e-9) << one.contact;
  }
  ASSERT_TRUE(summary.hardest);
  EXPECT_NEAR(summary.hardest->peak_force, two.peak_force, 1e-6 * two.peak_force);
  EXPECT_THAT(to_text(summary), testing::HasSubstr("hardest impact"));
}

TEST(ImpactForces, OfARowThatLosesEnergyKeepTheImpulses) {
  const Folder folder;
  const Model model = model_of(row(5, 0.8));
  ASSERT_EQ(run(model, into(folder / "row.h5")).status, RunStatus::complete);
  const auto impacts = recover_forces(ResultReader(folder / "row.h5"), model, {});
  const ImpactPulse first =
      PulseTable(PulseProfile::exact).pulse({.speed = 1, .mass = 0.5, .restitution = 0.8, .stiffness = 1e9});
  ASSERT_GE(impacts.size(), 4u);
  for (const RecoveredImpact& one : impacts) {
    EXPECT_NEAR(one.pulse.impulse, one.impulse, 1e-6 * one.impulse) << one.contact;
    // A contact that is hit several times in a step counts as hit once, with all of the impulse.
    EXPECT_LE(one.pulse.peak_force, 1.05 * first.peak_force) << one.contact;
    EXPECT_GT(one.pulse.peak_force, 0) << one.contact;
  }
}

// Events and samples of a run hold what carom forces finds afterwards.
TEST(ImpactForces, AreTheSameWhileItRunsAndAfterwards) {
  const Folder folder;
  const Model model = model_of(row(3, 0.9));
  ASSERT_EQ(run(model, into(folder / "row.h5")).status, RunStatus::complete);
  const ResultReader result(folder / "row.h5");
  const auto impacts = recover_forces(result, model, {});
  const auto& values = result.header().event_kinds.at(0).values;
  const auto place = [&](const std::string& name) {
    for (std::size_t k = 0; k < values.size(); ++k)
      if (values[k].name == name) return k;
    return values.size();
  };
  std::size_t next = 0;
  double largest = 0;
  for (const EventRecord& event : result.events()) {
    EXPECT_NEAR(event.values.at(place("peak_force")), impacts[next].pulse.peak_force, 1e-9);
    EXPECT_NEAR(event.values.at(place("duration")), impacts[next].pulse.duration, 1e-15);
    if (event.subject.starts_with("contact:p1")) largest = std::max(largest, impacts[next].pulse.peak_force);
    ++next;
  }
  const auto peaks = result.column("contact:p1.peak_force");
  EXPECT_NEAR(*std::max_element(peaks.begin(), peaks.end()), largest, 1e-9);
  EXPECT_NEAR(sum(result.column("contact:p1.impact_impulse")), sum(result.column("contact:p1.normal_impulse")), 1e-12);
}

// A block that lies on a table and is hit from above: the impact adds to the weight, which closed_force goes on
// telling.
TEST(ImpactForces, OfAClosedContactComeOnTopOfWhatItBears) {
  const Folder folder;
  const Model model = model_of(
      "[model]\nplane = \"xy\"\ngravity = [0, -10]\n[[ground.geometry]]\nshape = \"plane\"\n"
      "[contact.skin]\nrestitution = 0.5\nstiffness = 1e9\n"
      "[[body]]\nname = \"low\"\nmass = 2\ninertia = 1\nposition = [0, 0.1]\n"
      "geometry = [{ shape = \"sphere\", radius = 0.1 }]\n"
      "[[body]]\nname = \"high\"\nmass = 1\ninertia = 1\nposition = [0, 0.4]\n"
      "geometry = [{ shape = \"sphere\", radius = 0.1 }]\n"
      "[[pair]]\nname = \"floor\"\nbodies = [\"low\", \"ground\"]\ncontact = \"skin\"\n"
      "[[pair]]\nname = \"balls\"\nbodies = [\"low\", \"high\"]\ncontact = \"skin\"\n"
      "[solver]\nmethod = \"nonsmooth\"\nstep = 1e-3\nend = 0.16\n[output]\nevery = 1e-3\n");
  ASSERT_EQ(run(model, into(folder / "hit.h5")).status, RunStatus::complete);
  const ResultReader result(folder / "hit.h5");
  const auto closed = result.column("contact:floor.closed_force"),
             impact = result.column("contact:floor.impact_impulse"),
             normal = result.column("contact:floor.normal_impulse");
  const auto hit = std::max_element(impact.begin(), impact.end()) - impact.begin();
  ASSERT_GT(hit, 5);
  EXPECT_NEAR(closed[hit - 1], 20, 1e-9);
  EXPECT_NEAR(closed[hit], 20, 1e-9);
  EXPECT_NEAR(impact[hit], normal[hit] - 0.02, 1e-12);
  EXPECT_GT(impact[hit], 0.5);
}

// A block that slides to rest: the weight times the way, v²/(2 μ g).
class Sliding : public testing::TestWithParam<const char*> {};

TEST_P(Sliding, IsForceTimesDistance) {
  const Folder folder;
  const Model model = model_of(
      fmt::format("[model]\nplane = \"xy\"\ngravity = [0, -10]\n[[ground.geometry]]\nshape = \"plane\"\n"
                  "[contact.skin]\nrestitution = 0.9\nstiffness = 1e7\nlaw = \"hunt-crossley\"\n"
                  "friction = {{ coefficient = 0.2, law = \"tanh\" }}\n"
                  "[[body]]\nname = \"ball\"\nmass = 2\ninertia = 1e9\nposition = [0, 0.1]\nvelocity = [1, 0]\n"
                  "geometry = [{{ shape = \"sphere\", radius = 0.1 }}]\n"
                  "[[pair]]\nname = \"floor\"\nbodies = [\"ball\", \"ground\"]\ncontact = \"skin\"\n"
                  "[solver]\nmethod = \"{}\"\nend = 0.4\n{}\n[output]\nevery = 1e-2\n",
                  GetParam(), std::string(GetParam()) == "nonsmooth" ? "step = 1e-4" : ""));
  ASSERT_EQ(run(model, into(folder / "slide.h5")).status, RunStatus::complete);
  const ResultReader result(folder / "slide.h5");
  const auto slid = result.column("contact:floor.force_distance"), x = result.column("body:ball.x");
  EXPECT_NEAR(slid.back(), 20 * x.back(), 2e-3 * slid.back());
  EXPECT_NEAR(result.column("contact:floor.slip_speed").back(), result.column("body:ball.vx").back(), 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Methods, Sliding, testing::Values("compliant", "nonsmooth"));

}  // namespace
}  // namespace carom
