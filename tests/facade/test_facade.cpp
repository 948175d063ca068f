#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <filesystem>
#include <fstream>

#include <carom/carom.h>

namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

carom::Model pendulum() {
  carom::Model model("Pendulum");
  model.planar().gravity({0, -9.81});
  model.body("rod").mass(1).inertia("=1/12").position({0.5, 0});
  model.joint("pivot", "revolute").between("ground", "rod").at({0, 0});
  model.solver().end(2).tolerance(1e-10);
  return model;
}

class Facade : public testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        fs::temp_directory_path() / ("carom_facade_" + std::to_string(testing::UnitTest::GetInstance()->random_seed()) +
                                     "_" + testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  fs::path folder_;
};

TEST_F(Facade, ValuesAreWrittenAsInAModelFile) {
  using carom::Value;
  EXPECT_EQ(Value(3).text(), "3");
  EXPECT_EQ(Value(0.1).text(), "0.1");
  EXPECT_EQ(Value(1e-10).text(), "1e-10");
  EXPECT_EQ(Value(true).text(), "true");
  EXPECT_EQ(Value("5000 rpm").text(), "\"5000 rpm\"");
  EXPECT_EQ(Value("a \"b\" \\ \n").text(), "\"a \\\"b\\\" \\\\ \\u000a\"");
  const Value points = {{0, 0}, {1, "=length"}};
  EXPECT_EQ(points.text(), "[[0, 0], [1, \"=length\"]]");
  EXPECT_EQ(Value::table({{"alpha", 5}, {"beta", 2.5}}).text(), "{ \"alpha\" = 5, \"beta\" = 2.5 }");
  EXPECT_EQ(Value(std::vector<double>{1, 2}).text(), "[1, 2]");
}

TEST_F(Facade, APendulumSwingsAsInTheory) {
  const fs::path file = folder_ / "pendulum.h5";
  const carom::Result result = carom::simulate(pendulum(), file);
  EXPECT_EQ(result.summary().status, carom::Status::complete);
  EXPECT_EQ(result.summary().degrees_of_freedom, 1);
  EXPECT_EQ(result.summary().model, "Pendulum");
  EXPECT_EQ(result.sample_count(), 1001u);
  EXPECT_DOUBLE_EQ(result.times().back(), 2);
  EXPECT_EQ(result.unit("body:rod.angle"), "rad");
  EXPECT_LT(result.summary().largest_residual, 1e-8 * result.summary().largest_energy);

  // Energy: ½ (m l²/3) ω² = m g l/2 sin(−φ).
  const auto angle = result.column("body:rod.angle"), omega = result.column("body:rod.omega");
  for (std::size_t k = 0; k < angle.size(); ++k) {
    EXPECT_NEAR(omega[k] * omega[k] / 6, -9.81 / 2 * std::sin(angle[k]), 1e-7);
  }

  // Opened again, the file reports the same.
  const carom::Result again(file);
  EXPECT_EQ(again.column("body:rod.angle"), angle);
  EXPECT_EQ(again.summary().steps, result.summary().steps);
  EXPECT_THAT(again.model_text(), HasSubstr("Pendulum"));
}

TEST_F(Facade, AResultWithoutAFileVanishes) {
  fs::path file;
  {
    const carom::Result result = carom::simulate(pendulum());
    const carom::Result copy = result;  // NOLINT(performance-unnecessary-copy-initialization): copies share the file
    file = copy.file();
    EXPECT_TRUE(fs::exists(file));
    EXPECT_FALSE(copy.column("body:rod.x").empty());
  }
  EXPECT_FALSE(fs::exists(file));
}

TEST_F(Facade, ContactsPairsAndClearancesAreBuilt) {
  carom::Model model = pendulum();
  model.material("steel").set("young", "210 GPa").set("restitution", 0.8);
  model.body("rod").shape("sphere").name("tip").material("steel").radius(0.1).position({0.5, 0});
  model.ground().shape("plane").name("floor").material("steel").position({0, -2});
  model.joint("pivot")
      .clearance()
      .diametric("0.1 mm")
      .bearing_diameter("20 mm")
      .materials("steel", "steel")
      .contact("dry");
  model.contact("dry").law("flores").friction(carom::Value::table({{"law", "threlfall"}, {"coefficient", 0.1}}));
  model.pair("tip-floor").between("rod", "ground").shapes("tip", "floor").contact("dry");
  EXPECT_THAT(model.text(), HasSubstr("[joint.clearance]\n\"diametric\" = \"0.1 mm\"\n"));
  EXPECT_THAT(carom::validate(model), testing::IsEmpty());
  EXPECT_EQ(carom::contact_law_types().front().name, "adams");
  EXPECT_FALSE(carom::elastic_shape_types().empty());
  EXPECT_FALSE(carom::friction_law_types().empty());
  EXPECT_EQ(carom::integrator_types().front().name, "adams");
  EXPECT_EQ(carom::scheme_types().front().name, "decoupled");
  EXPECT_FALSE(carom::contact_solver_types().empty());

  model.contact("dry").law("florez");
  model.pair("tip-floor").between("rod", "groun");
  model.joint("pivot").clearance().radial("0.1 mm");
  std::vector<std::string> keys;
  for (const carom::Problem& problem : carom::validate(model)) keys.push_back(problem.key);
  EXPECT_THAT(
      keys, testing::UnorderedElementsAre("contact.dry.law", "pair.tip-floor.bodies", "joint.pivot.clearance.radial"));
}

// The lines of the text that the builder makes say nothing to anybody.
TEST_F(Facade, UnitsOfExpressionsAreCheckedAndNameNoLines) {
  carom::Model model = pendulum();
  model.parameter("width", "2 m");
  model.body("rod").mass("=width");
  const auto problems = carom::validate(model);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].key, "body.rod.mass");
  EXPECT_EQ(problems[0].found, "\"=width\", which is in m (parameter `width` in m)");
  EXPECT_EQ(problems[0].line, 0);
}

TEST_F(Facade, AllProblemsAreReportedByKey) {
  carom::Model model = pendulum();
  model.body("rod").mass(-1).set("colour", "red");
  model.joint("pivot").between("ground", "rodd");
  model.solver().end("2 kg");
  try {
    carom::simulate(model, folder_ / "never.h5");
    FAIL() << "nothing was thrown";
  } catch (const carom::InputError& error) {
    std::vector<std::string> keys;
    for (const carom::Problem& problem : error.problems()) {
      keys.push_back(problem.key);
      EXPECT_EQ(problem.file, "");
      EXPECT_EQ(problem.line, 0);
      EXPECT_FALSE(problem.found.empty());
    }
    EXPECT_THAT(keys,
                testing::UnorderedElementsAre("body.rod.mass", "body.rod.colour", "joint.pivot.bodies", "solver.end"));
    EXPECT_THAT(error.what(), HasSubstr("did you mean `rod`?"));
  }
  EXPECT_FALSE(fs::exists(folder_ / "never.h5"));
  EXPECT_EQ(carom::validate(model).size(), 4u);
  EXPECT_TRUE(carom::validate(pendulum()).empty());
  EXPECT_THROW(carom::check(carom::Model()), carom::InputError);
}

TEST_F(Facade, AFileIsLoadedAndItsParametersReplaced) {
  const fs::path file = fs::path(CAROM_SOURCE_DIR) / "examples/slider_crank.toml";
  carom::Model model = carom::Model::load(file);
  EXPECT_EQ(carom::check(model).degrees_of_freedom, 0);
  const double fast = carom::simulate(model).summary().end;
  model.parameter("speed", "2500 rpm");
  model.output().record({"body:slider.x"});
  const carom::Result slow = carom::simulate(model);
  EXPECT_NEAR(slow.summary().end, 2 * fast, 1e-12);
  ASSERT_EQ(slow.quantities().size(), 1u);
  EXPECT_EQ(slow.quantities()[0].name, "body:slider.x");
  // The model inside the result stands alone.
  EXPECT_THAT(slow.model_text(), testing::Not(HasSubstr("include")));
  EXPECT_THAT(slow.model_text(), HasSubstr("crankpin"));
}

TEST_F(Facade, TheModelInAResultKeepsItsBeams) {
  carom::Model model = carom::Model::load(fs::path(CAROM_SOURCE_DIR) / "examples/flexible_slider_crank.toml");
  model.parameter("clearance", "0.2 mm");
  model.solver().end("0.2 ms");
  model.output().every("0.1 ms");
  const carom::Result result = carom::simulate(model);
  EXPECT_THAT(result.model_text(), HasSubstr("[section.\"rod\"]"));
  EXPECT_THAT(result.model_text(), HasSubstr("flexible = { section = \"rod\", material = \"steel\", elements = 4"));
  std::ofstream(folder_ / "again.toml") << result.model_text();
  const carom::Result again = carom::simulate(carom::Model::load(folder_ / "again.toml"));
  ASSERT_EQ(again.quantities().size(), result.quantities().size());
  for (const std::string name : {"beam:rod-2.bending_z", "body:slider.x", "joint:pin.closed_force"}) {
    EXPECT_EQ(again.column(name), result.column(name)) << name;
  }
}

TEST_F(Facade, ProblemsOfAFileNameItsLines) {
  const fs::path file = folder_ / "bad.toml";
  std::ofstream(file) << "[model]\nplane = \"xy\"\n[[body]]\nname = \"a\"\nmass = -3\ninertia = 1\n";
  carom::Model model = carom::Model::load(file);
  for (const bool changed : {false, true}) {
    if (changed) model.solver().end(3);
    const auto problems = carom::validate(model);
    ASSERT_EQ(problems.size(), 1u);
    EXPECT_EQ(problems[0].file, file.string());
    EXPECT_EQ(problems[0].line, 5);
    EXPECT_EQ(problems[0].key, "body.a.mass");
  }
  EXPECT_THROW(carom::simulate(carom::Model::load(folder_ / "missing.toml")), carom::InputError);
}

TEST_F(Facade, CopiesAreIndependentAndSectionsAreFoundAgain) {
  carom::Model first = pendulum();
  carom::Model second = first;
  second.body("rod").mass(7);
  EXPECT_EQ(first.text().find("\"mass\" = 7"), std::string::npos);
  EXPECT_NE(second.text().find("\"mass\" = 7"), std::string::npos);
  EXPECT_EQ(second.text().find("\"mass\" = 1"), std::string::npos);
  first = second;
  EXPECT_EQ(first.text(), second.text());
}

TEST_F(Facade, EverySectionCanBeBuilt) {
  carom::Model model("All of it");
  model.gravity({0, 0, "-1 gravity"}).parameter("k", "2 kN/m");
  model.material("steel").set("young", "207 GPa").set("poisson", 0.3);
  model.ground().marker("base").position({0, 0, 1});
  model.ground().shape("plane");
  const carom::Body ball = model.body("ball").mass("2 kg").inertia({0.1, 0.1, 0.1}).position({1, 0, 1});
  ball.orientation(carom::Value::table({{"axis", {0, 0, 1}}, {"angle", "30 deg"}}));
  ball.marker("pin").position({-1, 0, 0});
  ball.shape("sphere").radius("5 cm").color("#4080c0");
  model.joint("hook", "spherical").markers("ground.base", "ball.pin");
  model.force("strut", "spring").between("ground", "ball").ends({0, 0, 0}, {1, 0, 1}).stiffness("=k").damping(3);
  model.force("wind", "force").on("ball").set("point", {0, 0, 0}).set("force", {"=sin(t)", 0, 0});
  model.solver().end(0.1).constraints("baumgarte").set("baumgarte", carom::Value::table({{"alpha", 20}, {"beta", 20}}));
  for (const carom::Problem& problem : carom::validate(model)) ADD_FAILURE() << carom::to_text(problem);
  const carom::Structure structure = carom::check(model);
  EXPECT_EQ(structure.dofs, 6);
  EXPECT_EQ(structure.degrees_of_freedom, 3);
  const carom::Result result = carom::simulate(model);
  ASSERT_EQ(result.summary().works.size(), 2u);
}

TEST_F(Facade, ARunCanBeWatchedAndInterrupted) {
  carom::Model model = pendulum();
  model.solver().end(1e5);
  model.output().every(10);
  std::atomic<bool> interrupt = false;
  double seen = 0;
  const carom::Result result = carom::simulate(model, folder_ / "long.h5",
                                               {.progress =
                                                    [&](const carom::Progress& progress) {
                                                      seen = progress.time;
                                                      interrupt = true;
                                                    },
                                                .interrupt = &interrupt});
  EXPECT_GT(seen, 0);
  EXPECT_EQ(result.summary().status, carom::Status::interrupted);
  EXPECT_LT(result.times().back(), 1e5);
}

TEST_F(Facade, AnUnknownQuantityOrFileIsAResultError) {
  const carom::Result result = carom::simulate(pendulum());
  EXPECT_THROW(result.column("body:rod.angel"), carom::ResultError);
  EXPECT_THROW(carom::Result(folder_ / "missing.h5"), carom::ResultError);
  EXPECT_THROW(carom::simulate(pendulum(), folder_ / "no" / "such" / "folder.h5"), carom::ResultError);
}

TEST_F(Facade, AModelThatCannotBeAssembledIsAnInputError) {
  carom::Model model = pendulum();
  model.body("far").mass(1).inertia(1);
  model.joint("one", "distance").between("ground", "far").set("points", {{0, 0}, {0, 0}}).set("length", 1);
  model.joint("two", "distance").between("ground", "far").set("points", {{5, 0}, {0, 0}}).set("length", 1);
  EXPECT_FALSE(carom::check(model).assembled);
  EXPECT_THROW(carom::simulate(model), carom::InputError);
}

TEST_F(Facade, AFailedRunKeepsWhatWasComputed) {
  // A point at the end of a rod of 1 m is driven along x and leaves its reach after a second.
  carom::Model model("Out of reach");
  model.planar();
  model.body("end").mass(1).inertia(1).position({0, 1});
  model.joint("rod", "distance").between("ground", "end").set("ends", {{0, 0}, {0, 1}});
  model.motion("pull").body("end", "x").position("=t");
  model.motion("hold").body("end", "angle").position(0);
  model.solver().analysis("kinematic").end(2);
  model.output().every(0.01);
  try {
    carom::simulate(model);
    FAIL() << "nothing was thrown";
  } catch (const carom::ComputationError& error) {
    EXPECT_EQ(error.result().summary().status, carom::Status::failed);
    EXPECT_FALSE(error.result().summary().reason.empty());
    EXPECT_NEAR(error.result().times().back(), 1, 0.02);
  }
}

TEST_F(Facade, ModesAndEquilibriumComeWithTheSummary) {
  carom::Model model = pendulum();
  model.body("rod").position({0, -0.5});
  model.joint("pivot").at({0, 0});
  model.solver().analysis("linear");
  const carom::Summary vibration = carom::simulate(model).summary();
  ASSERT_EQ(vibration.modes.size(), 1u);
  const double pi = std::acos(-1.0);
  EXPECT_NEAR(vibration.modes[0].frequency, std::sqrt(1.5 * 9.81) / (2 * pi), 1e-6);

  carom::Model leaning = pendulum();
  leaning.solver().analysis("static");
  const carom::Result rest = carom::simulate(leaning);
  EXPECT_EQ(rest.summary().verdict, "stable");
  EXPECT_NEAR(rest.column("body:rod.y").back(), -0.5, 1e-9);
}

TEST_F(Facade, TheGyroscopeOfTheExamplesPrecessesAsInTheory) {
  const fs::path file = fs::path(CAROM_SOURCE_DIR) / "examples/spatial_gyroscope.toml";
  const carom::Result result = carom::simulate(carom::Model::load(file));
  // Slow precession m g r / (I Ω); what it leaves out is of the order of the square of precession over spin.
  const double expected = 0.05 * 9.81 * 0.06 / (4e-4 * 400);
  EXPECT_NEAR(result.column("joint:precession.rotation").back() / result.times().back(), expected, 1e-3 * expected);
}

TEST_F(Facade, TheCataloguesTellNamesAndTables) {
  std::vector<std::string> names;
  for (const carom::Type& type : carom::joint_types()) names.push_back(type.name);
  EXPECT_THAT(names, testing::IsSupersetOf({"revolute", "prismatic", "spherical", "gear"}));
  for (const carom::Type& type : carom::joint_types()) {
    if (type.name != "revolute") continue;
    EXPECT_THAT(type.coordinates, ElementsAre("rotation"));
  }
  bool found = false;
  for (const carom::Type& type : carom::force_types()) {
    for (const carom::Parameter& parameter : type.parameters) {
      found = found || (type.name == "spring" && parameter.name == "stiffness" && parameter.unit == "N/m");
    }
  }
  EXPECT_TRUE(found);
  EXPECT_EQ(carom::model_sections().front().heading, "[model]");
  EXPECT_THAT(carom::json_schema(), HasSubstr("\"$schema\""));
  EXPECT_THAT(carom::reference_page(), HasSubstr("revolute"));
  EXPECT_EQ(carom::version(), "0.1.0");
}

}  // namespace
