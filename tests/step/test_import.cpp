#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "assemblies.h"
#include "cad_import/import_assembly.h"
#include "model_io/read_model.h"
#include "recording/recorded_run.h"
#include "simulation/run.h"
#include "step/read_step.h"

namespace carom {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

// The file that the model names is handed over, so that none needs to be there.
Imported imported_from(const std::string& text, const ImportOptions& options) {
  const auto content = std::make_shared<const std::string>(text);
  return import_assembly(*read_step(content, {}), {"machine.step", content}, options);
}

Model read_again(const std::string& text) {
  ProblemList problems;
  Model model = read_model_text(text, "machine.toml", problems);
  EXPECT_EQ(problems.errors(), 0) << problems.text() << text;
  return model;
}

RecordedRun recorded(const Model& model) {
  RecordedRun result;
  RunOptions options;
  options.memory = &result;
  EXPECT_EQ(run(model, options).status, RunStatus::complete);
  return result;
}

// examples/loose_slider_crank.toml with the masses that the parts have by hand.
Model slider_crank_by_hand(const making::Engine& engine) {
  std::string text = R"(
[model]
plane = "xy"
gravity = [0, -9.81]
[material.steel]
young = "210 GPa"
poisson = 0.3
)";
  const auto add_body = [&](const std::string& name, const making::Engine::Body& body) {
    text += fmt::format("[[body]]\nname = \"{}\"\nmass = {}\ninertia = {}\nposition = [{}, {}]\n", name, body.mass,
                        body.inertia, body.centre.x(), body.centre.y());
  };
  add_body("crank", engine.crank);
  add_body("rod", engine.rod);
  add_body("slider", engine.slider);
  text += R"(
[[joint]]
name = "ground_crank"
type = "revolute"
bodies = ["ground", "crank"]
at = [0, 0]
[[joint]]
name = "rod_crank"
type = "revolute"
bodies = ["rod", "crank"]
at = ["50 mm", 0]
[[joint]]
name = "rod_slider"
type = "revolute"
bodies = ["rod", "slider"]
at = ["170 mm", 0]
[joint.clearance]
diametric = "0.05 mm"
bearing_diameter = "20 mm"
materials = ["steel", "steel"]
contact = "fit"
[[joint]]
name = "ground_slider"
type = "prismatic"
bodies = ["ground", "slider"]
at = ["170 mm", 0]
axis = [1, 0]
[[motion]]
name = "drive"
joint = "ground_crank"
speed = "5000 rpm"
[contact.fit]
law = "lankarani-nikravesh"
restitution = 0.9
friction = { law = "coulomb", coefficient = 0.01 }
[solver]
end = 0.012
integrator = "rk"
tolerance = 1e-12
[output]
every = 2e-5
)";
  return read_again(text);
}

TEST(Import, RunsASliderCrankAsTheModelByHand) {
  const making::Engine engine = making::make_engine(7850);
  const Imported imported = imported_from(engine.text, {.plane = "xy", .gravity = {0, -9.81, 0}});
  EXPECT_EQ(imported.fits.fits.size(), 4);
  EXPECT_THAT(imported.fits.near_misses, testing::IsEmpty());
  const Model by_hand = slider_crank_by_hand(engine);
  Model model = read_again(import_text(imported));
  ASSERT_EQ(model.bodies.size(), 3);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(model.bodies[k].name, by_hand.bodies[k].name);
    EXPECT_NEAR(model.bodies[k].mass / by_hand.bodies[k].mass, 1, 1e-9);
    EXPECT_NEAR(model.bodies[k].inertia(2, 2) / by_hand.bodies[k].inertia(2, 2), 1, 1e-9);
    EXPECT_LT((model.bodies[k].position - by_hand.bodies[k].position).norm(), 1e-10);
  }
  model.motions = by_hand.motions, model.contacts = by_hand.contacts;
  model.solver = by_hand.solver, model.output = by_hand.output;
  const RecordedRun one = recorded(model), two = recorded(by_hand);
  ASSERT_EQ(one.times, two.times);
  for (const std::string quantity :
       {"body:slider.x", "body:slider.ax", "body:rod.angle", "joint:rod_slider.normal_force",
        "joint:rod_slider.penetration", "motion:drive.force"}) {
    const auto a = one.column(quantity), b = two.column(quantity);
    ASSERT_FALSE(a.empty()) << quantity;
    double largest = 0, difference = 0;
    for (std::size_t k = 0; k < a.size(); ++k) {
      largest = std::max(largest, std::abs(b[k]));
      difference = std::max(difference, std::abs(a[k] - b[k]));
    }
    EXPECT_GT(largest, 0) << quantity;
    EXPECT_LT(difference / largest, 1e-6) << quantity;
  }
}

// In space the same assembly has joints of its own kinds, and runs.
TEST(Import, MakesASpatialModelThatRuns) {
  const making::Engine engine = making::make_engine(7850);
  const Imported imported = imported_from(engine.text, {.gravity = {0, -9.81, 0}});
  Model model = imported.model;
  ASSERT_EQ(model.joints.size(), 4);
  for (const BodyModel& body : model.bodies) {
    ASSERT_EQ(body.geometry.size(), 1);
    EXPECT_TRUE(body.geometry[0].visual);
  }
  const auto joint = [&](const std::string& name) {
    for (const ElementModel& each : model.joints) {
      if (each.name == name) return each;
    }
    ADD_FAILURE() << "no joint " << name;
    return ElementModel{};
  };
  EXPECT_EQ(joint("ground_slider").type, "prismatic");
  EXPECT_FALSE(joint("ground_slider").clearance);
  const ElementModel pin = joint("rod_slider");
  EXPECT_EQ(pin.type, "cylindrical");
  ASSERT_TRUE(pin.clearance);
  EXPECT_NEAR(pin.clearance->radial, 25e-6, 1e-10);
  EXPECT_NEAR(pin.clearance->bearing_radius, 0.01, 1e-10);
  EXPECT_NEAR(pin.clearance->length, 0.015, 1e-9);
  model.solver.end = 0.01;
  const RecordedRun result = recorded(model);
  EXPECT_NEAR(result.times.back(), 0.01, 1e-12);
}

TEST(Import, OfTheWholeMachineRuns) {
  const making::Machine machine = making::make_machine();
  Imported imported = imported_from(machine.text, {.gravity = {0, 0, -9.81}});
  EXPECT_EQ(imported.model.joints.size(), 40);
  imported.model.solver.end = 1e-3;
  for (BodyModel& body : imported.model.bodies) body.geometry.clear();  // they would need the file
  imported.model.ground.geometry.clear();
  Model model = read_again(import_text(imported));
  recorded(model);
}

TEST(Import, ReportsWhatIsMissing) {
  making::StepWriter writer;
  writer.place(writer.add_part("plate", making::box({0, 0, 0}, {1, 1, 1})), Eigen::Isometry3d::Identity());
  const std::string text = writer.text();
  const auto error = [&](const ImportOptions& options) {
    try {
      imported_from(text, options);
    } catch (const InputError& problem) {
      return problem.problems().text();
    }
    return std::string("nothing");
  };
  EXPECT_THAT(error({}), HasSubstr("--density: found no density of the part `plate`"));
  EXPECT_THAT(error({.density = 1000, .ground = {"plat"}}), HasSubstr("did you mean `plate`?"));
  EXPECT_THAT(error({.density = 1000, .plane = "xy", .gravity = {0, 0, -9.81}}),
              HasSubstr("--gravity: found gravity across"));
  const Imported sound = imported_from(text, {.density = 1000});
  EXPECT_NEAR(sound.model.bodies.at(0).mass, 1000, 1e-9);
  EXPECT_THAT(sound.remarks, Contains(HasSubstr("no part is the ground")));
  EXPECT_THAT(sound.remarks, Contains(HasSubstr("plate: no joint holds it")));
  EXPECT_THAT(sound.remarks, Contains(HasSubstr("nothing moves it yet")));
  EXPECT_THAT(imported_from(text, {.density = 1000, .gravity = {0, 0, -9.81}}).remarks,
              Not(Contains(HasSubstr("nothing moves it yet"))));
}

}  // namespace
}  // namespace carom
