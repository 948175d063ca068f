#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <numbers>

#include "base/units.h"
#include "sample_models.h"

namespace carom {
namespace {

using std::numbers::pi;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

const double speed = 5000 * 2 * pi / 60;

struct SliderCrank : testing::Test {
  void SetUp() override {
    model = sample::read(sample::slider_crank, problems);
    ASSERT_EQ(problems.text(), "");
  }
  ProblemList problems;
  Model model;
};

TEST_F(SliderCrank, Head) {
  EXPECT_EQ(model.name, "Slider-crank");
  EXPECT_EQ(model.file, "model.toml");
  EXPECT_EQ(model.text, sample::slider_crank);
  EXPECT_TRUE(model.planar);
  EXPECT_EQ(model.gravity, Eigen::Vector3d(0, -9.81, 0));
}

TEST_F(SliderCrank, ParametersInAnyOrderAndUnit) {
  EXPECT_DOUBLE_EQ(model.parameters.at("radius"), 0.05);
  EXPECT_DOUBLE_EQ(model.parameters.at("stroke"), 0.1);
  EXPECT_NEAR(model.parameters.at("speed"), speed, 1e-12);
  EXPECT_NEAR(model.parameters.at("contact"), 5 * std::pow(1e3, 1.5), 1e-9);
}

TEST_F(SliderCrank, Materials) {
  ASSERT_EQ(model.materials.size(), 1u);
  EXPECT_EQ(model.materials[0].name, "steel");
  EXPECT_NEAR(model.materials[0].density, 7850, 1e-9);
  EXPECT_DOUBLE_EQ(model.materials[0].young, 207e9);
  EXPECT_DOUBLE_EQ(model.materials[0].poisson, 0.3);
}

TEST_F(SliderCrank, Bodies) {
  ASSERT_EQ(model.bodies.size(), 3u);
  const BodyModel &crank = model.bodies[0], &rod = model.bodies[1], &slider = model.bodies[2];
  EXPECT_EQ(crank.name, "crank");
  EXPECT_EQ(crank.where.line, 17);
  EXPECT_DOUBLE_EQ(crank.mass, 0.3);
  EXPECT_DOUBLE_EQ(crank.inertia(2, 2), 1e-4);
  EXPECT_EQ(crank.position, Eigen::Vector3d(0.025, 0, 0));
  EXPECT_DOUBLE_EQ(crank.angle, pi / 6);
  EXPECT_NEAR(
      crank.orientation.angularDistance(Eigen::Quaterniond(Eigen::AngleAxisd(pi / 6, Eigen::Vector3d::UnitZ()))), 0,
      1e-15);
  EXPECT_EQ(rod.center_of_mass, Eigen::Vector3d(0.01, 0, 0));
  EXPECT_NEAR(rod.velocity.y(), 2 / 3.6, 1e-15);
  EXPECT_NEAR(rod.angular_velocity.z(), -speed, 1e-12);
  EXPECT_NEAR(slider.inertia(2, 2), 1e-4, 1e-18);
}

TEST_F(SliderCrank, MarkersAndGeometry) {
  const BodyModel& crank = model.bodies[0];
  ASSERT_EQ(crank.markers.size(), 1u);
  EXPECT_EQ(crank.markers[0].name, "pin");
  EXPECT_EQ(crank.markers[0].position, Eigen::Vector3d(0.025, 0, 0));
  EXPECT_NEAR(crank.markers[0].orientation.z(), std::sqrt(0.5), 1e-15);
  ASSERT_EQ(crank.geometry.size(), 1u);
  EXPECT_EQ(crank.geometry[0].shape, "box");
  EXPECT_THAT(crank.geometry[0].settings.numbers("size"), ElementsAre(0.05, 0.01));
  EXPECT_EQ(crank.geometry[0].settings.text("color"), "#4080c0");
  ASSERT_EQ(model.ground.markers.size(), 1u);
  EXPECT_EQ(model.ground.name, "ground");
}

TEST_F(SliderCrank, Joints) {
  ASSERT_EQ(model.joints.size(), 5u);
  EXPECT_EQ(model.joints[0].name, "pivot");
  EXPECT_EQ(model.joints[0].type, "revolute");
  EXPECT_THAT(model.joints[0].settings.names("bodies"), ElementsAre("ground", "crank"));
  EXPECT_THAT(model.joints[0].settings.numbers("at"), ElementsAre(0, 0));
  EXPECT_FALSE(model.joints[0].settings.has("name"));
  const auto points = model.joints[1].settings.points("points");
  EXPECT_THAT(points, ElementsAre(Eigen::Vector3d(0.025, 0, 0), Eigen::Vector3d(-0.06, 0, 0)));
  EXPECT_EQ(model.joints[2].settings.vector("axis"), Eigen::Vector3d::UnitX());
  EXPECT_THAT(model.joints[3].settings.names("markers"), ElementsAre("ground.base", "crank.pin"));
  EXPECT_THAT(model.joints[4].settings.numbers("coefficients"), ElementsAre(1, -2));
}

TEST_F(SliderCrank, Motions) {
  ASSERT_EQ(model.motions.size(), 2u);
  EXPECT_EQ(model.motions[0].name, "pivot");
  EXPECT_EQ(model.motions[0].level, MotionLevel::speed);
  EXPECT_NEAR(model.motions[0].value.value(3.0), speed, 1e-12);
  EXPECT_EQ(model.motions[1].body, "slider");
  EXPECT_EQ(model.motions[1].component, BodyCoordinate::x);
  EXPECT_NEAR(model.motions[1].value.value(0.25), 0.01, 1e-15);
}

TEST_F(SliderCrank, Forces) {
  ASSERT_EQ(model.forces.size(), 3u);
  EXPECT_DOUBLE_EQ(model.forces[0].settings.number("stiffness"), 2000);
  const std::array arguments = {-0.01, 2.0, 0.0};
  EXPECT_NEAR(model.forces[0].settings.function("force").value(arguments), 5 * std::pow(10, 1.5) + 6, 1e-9);
  EXPECT_NEAR(model.forces[1].settings.functions("force")[0].value(0.25), 5, 1e-12);
  EXPECT_DOUBLE_EQ(model.forces[1].settings.functions("force")[1].value(0.25), 2000);
  EXPECT_DOUBLE_EQ(model.forces[2].settings.functions("torque")[0].value(0), 3);
}

TEST_F(SliderCrank, SolverAndOutput) {
  EXPECT_NEAR(model.solver.end, 4 * pi / speed, 1e-15);
  EXPECT_EQ(model.solver.integrator, "bdf");
  EXPECT_DOUBLE_EQ(model.solver.tolerance, 1e-9);
  EXPECT_DOUBLE_EQ(model.solver.baumgarte_alpha, 10);
  EXPECT_DOUBLE_EQ(model.solver.baumgarte_beta, 5);
  EXPECT_EQ(model.solver.analysis, Analysis::dynamic);
  EXPECT_DOUBLE_EQ(model.output.every, 1e-5);
  EXPECT_THAT(model.output.record, ElementsAre("body:*", "joint:pin", "energy"));
}

TEST(ReadModel, SpatialModel) {
  ProblemList problems;
  const Model model = sample::read(sample::spatial, problems);
  ASSERT_EQ(problems.text(), "");
  EXPECT_FALSE(model.planar);
  EXPECT_NEAR(model.bodies[0].orientation.w(), std::sqrt(0.5), 1e-15);
  EXPECT_NEAR(model.bodies[0].orientation.z(), std::sqrt(0.5), 1e-15);
  EXPECT_DOUBLE_EQ(model.bodies[1].orientation.w(), 1);
  Eigen::Matrix3d inertia;
  inertia << 2, 0.1, 0.2, 0.1, 2, 0.3, 0.2, 0.3, 2;
  EXPECT_EQ(model.bodies[1].inertia, inertia);
  EXPECT_EQ(model.motions[0].name, "thread-rotation");
  EXPECT_THAT(model.forces[0].settings.numbers("rotational_stiffness"), ElementsAre(5));
}

// The scene S1 of the benchmarks in a few lines: 1000 spheres on a disturbed lattice.
TEST(ReadModel, Contact) {
  ProblemList problems;
  const Model model = sample::read(sample::contact, problems);
  ASSERT_EQ(problems.text(), "");
  EXPECT_EQ(model.materials[0].restitution, -1);
  EXPECT_DOUBLE_EQ(model.materials[1].restitution, 0.7);
  EXPECT_DOUBLE_EQ(model.materials[1].friction, 0.8);
  EXPECT_EQ(model.bodies[0].geometry[0].name, "skin");
  EXPECT_EQ(model.bodies[0].geometry[0].material, "rubber");
  EXPECT_FALSE(model.bodies[0].geometry[0].settings.has("name"));
  EXPECT_FALSE(model.bodies[1].geometry[0].settings.boolean("closed", true));
  EXPECT_DOUBLE_EQ(model.ground.geometry[1].settings.number("width"), 0.02);

  ASSERT_EQ(model.contacts.size(), 3u);
  const ContactModel &dry = model.contacts[0], &spring = model.contacts[1], &bushing = model.contacts[2];
  EXPECT_EQ(dry.name, "dry");
  EXPECT_EQ(dry.law, "lankarani-nikravesh");
  EXPECT_EQ(dry.elastic, "hertz");
  EXPECT_DOUBLE_EQ(dry.restitution, 0.9);
  EXPECT_EQ(dry.friction, "threlfall");
  EXPECT_DOUBLE_EQ(dry.friction_settings.number("slip_full"), 1e-3);
  EXPECT_FALSE(dry.friction_settings.boolean("renormalised", true));
  EXPECT_FALSE(dry.friction_settings.has("law"));
  EXPECT_DOUBLE_EQ(dry.rolling_resistance, 1e-4);
  EXPECT_DOUBLE_EQ(dry.spinning_resistance, 2e-4);
  EXPECT_DOUBLE_EQ(dry.minimum_speed, 1e-3);
  EXPECT_EQ(dry.slow_contact, SlowContact::elastic);
  EXPECT_EQ(spring.elastic, "");
  EXPECT_DOUBLE_EQ(spring.restitution, -1);
  EXPECT_DOUBLE_EQ(spring.settings.number("stiffness"), 1e6);
  EXPECT_EQ(spring.settings.text("end"), "adhesive");
  EXPECT_EQ(spring.friction, "tanh");
  EXPECT_DOUBLE_EQ(spring.friction_settings.number("coefficient"), 0.1);
  EXPECT_THAT(bushing.settings.keys(), ElementsAre("damping", "exponent", "stiffness"));
  EXPECT_EQ(bushing.friction, "");

  ASSERT_EQ(model.pairs.size(), 3u);
  EXPECT_EQ(model.pairs[0].name, "ball-floor");
  EXPECT_THAT(model.pairs[0].bodies, ElementsAre("ball", "ground"));
  EXPECT_THAT(model.pairs[0].shapes, ElementsAre("skin", "floor"));
  EXPECT_EQ(model.pairs[0].contact, "");
  EXPECT_THAT(model.pairs[1].bodies, ElementsAre("*", "ground"));
  EXPECT_THAT(model.pairs[1].shapes, ElementsAre("", "groove"));
  EXPECT_TRUE(model.pairs[1].allow_initial_penetration);
  EXPECT_EQ(model.pairs[1].contact, "spring");

  const ClearanceModel &pin = *model.joints[0].clearance, &slide = *model.joints[1].clearance;
  EXPECT_DOUBLE_EQ(pin.radial, 0.025e-3);
  EXPECT_DOUBLE_EQ(pin.bearing_radius, 0.01);
  EXPECT_EQ(pin.length, 0);
  EXPECT_FALSE(pin.bearing_second);
  EXPECT_THAT(pin.materials, ElementsAre("steel", "steel"));
  EXPECT_EQ(pin.contact, "dry");
  EXPECT_FALSE(model.joints[0].settings.has("clearance"));
  EXPECT_DOUBLE_EQ(slide.length, 0.05);
  EXPECT_TRUE(slide.bearing_second);

  EXPECT_EQ(model.solver.penetration_control, PenetrationControl::reject);
  EXPECT_DOUBLE_EQ(model.solver.penetration_tolerance, 1e-9);
  EXPECT_DOUBLE_EQ(model.solver.smallest_step, 1e-6);
}

TEST(ReadModel, SetReplacesParameters) {
  ProblemList problems;
  const Model model =
      sample::read(sample::slider_crank, problems, {{{"radius", "60 mm"}, {"speed", "=2*radius/1[m s]"}}});
  EXPECT_EQ(problems.text(), "");
  EXPECT_DOUBLE_EQ(model.parameters.at("stroke"), 0.12);
  EXPECT_DOUBLE_EQ(model.parameters.at("speed"), 0.12);
}

TEST(ReadModel, ProblemsOfSetNameTheOption) {
  ProblemList problems;
  sample::read(sample::slider_crank, problems, {{{"radus", "1"}, {"radius", "5 qm"}, {"speed", "=2*("}}});
  EXPECT_EQ(
      problems.text(),
      "--set radius: error: found \"5 qm\"; expected a number, a quantity or an expression; unknown unit `qm`; did "
      "you mean `m`?\n"
      "--set radus: error: found an unknown parameter; expected `contact`, `radius`, `speed` or `stroke`; did you "
      "mean `radius`?\n"
      "--set speed: error: found \"=2*(\"; expected an expression: the expression ends too early\n");
}

const std::string unit_model = R"(
[model]
plane = "xy"
[parameters]
length = "50 mm"
plain = 0.05
twice = "=2*length"
[[body]]
name = "a"
mass = 1
inertia = 1
position = ["=twice", "=plain"]
)";

std::string problems_with(const std::vector<std::pair<std::string, std::string>>& set) {
  ProblemList problems;
  sample::read(unit_model, problems, {.set = set});
  return problems.text();
}

TEST(UnitsOfParameters, ReplacedOnesAreChecked) {
  EXPECT_EQ(problems_with({{"length", "6 cm"}}), "");
  EXPECT_EQ(problems_with({{"length", "0.06"}}), "");
  EXPECT_EQ(problems_with({{"length", "=0.03*2"}}), "");
  EXPECT_EQ(problems_with({{"length", "=6[cm]"}}), "");
  EXPECT_EQ(problems_with({{"length", "6 kg"}}),
            "--set length: error: found \"6 kg\"; expected a quantity of the same kind as \"50 mm\" in the file\n");
  EXPECT_EQ(
      problems_with({{"length", "=6[kg]"}}),
      "--set length: error: found \"=6[kg]\", which is in kg; expected a quantity of the same kind as \"50 mm\" in "
      "the file\n");
  EXPECT_EQ(problems_with({{"length", "=plain + 2[kg]"}}),
            "--set length: error: found \"=plain + 2[kg]\", which is in kg; expected a quantity of the same kind as "
            "\"50 mm\" in the file\n");
  EXPECT_EQ(problems_with({{"twice", "=length + 2[s]"}}),
            "--set twice: error: found \"=length + 2[s]\"; expected an expression: `+` stands between `length` (m) and "
            "`2[s]` (s); both must have the same unit\n");
  EXPECT_EQ(problems_with({{"plain", "5 kg"}}),
            "model.toml:12:23: error: body.a.position: found \"=plain\", which is in kg (parameter `plain` in kg, "
            "replaced); expected a quantity in m\n");
}

TEST(UnitsOfParameters, PlainNumbersKeepTheKindOfWhatTheyReplace) {
  ProblemList problems;
  const Model model = sample::read(unit_model, problems, {.set = {{"length", "0.06"}}});
  EXPECT_EQ(model.parameter_dimensions.at("length"), dimension_of_unit("m"));
  EXPECT_EQ(model.parameter_dimensions.at("twice"), dimension_of_unit("m"));
  EXPECT_FALSE(model.parameter_dimensions.contains("plain"));
}

// `x` of the spring hides the parameter and its unit.
TEST(UnitsOfParameters, ArgumentsHideThem) {
  const std::string text = unit_model + R"(
[[force]]
name = "s"
type = "spring"
bodies = ["ground", "a"]
ends = [[0, 0], [1, 0]]
force = "=2[N/m]*x"
)";
  std::string with_x = text;
  with_x.replace(with_x.find("plain = 0.05"), 12, "plain = 0.05\nx = \"3 kg\"");
  ProblemList problems, warnings;
  sample::read(text, problems);
  EXPECT_EQ(problems.text(), "");
  sample::read(with_x, warnings);
  EXPECT_EQ(warnings.errors(), 0) << warnings.text();
  EXPECT_EQ(warnings.warnings(), 1);
}

// Keys whose unit depends on others, and directions.
TEST(UnitsOfParameters, OfAnyKindWhereTheKeyDoesNotSay) {
  const std::string text = unit_model + R"(
[contact.stop]
elastic = "power"
stiffness = "=(1 + plain)*3[N/m^1.8]"
exponent = 1.8
[[joint]]
name = "turn"
type = "revolute"
bodies = ["ground", "a"]
at = [0, 0]
[[body]]
name = "rack"
mass = 1
inertia = 1
[[joint]]
name = "slide"
type = "prismatic"
bodies = ["ground", "rack"]
at = [0, 0]
axis = ["=length", 0]
[[joint]]
name = "pinion"
type = "gear"
joints = ["slide", "turn"]
ratio = "=length"
)";
  ProblemList problems;
  sample::read(text, problems);
  EXPECT_EQ(problems.errors(), 0) << problems.text();
}

struct Files : testing::Test {
  void SetUp() override {
    folder = std::filesystem::path(testing::TempDir()) /
             ("carom_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder / "parts");
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  std::string write(const std::string& name, const std::string& text) {
    std::ofstream(folder / name, std::ios::binary) << text;
    return (folder / name).string();
  }
  std::string problems_of(const std::filesystem::path& file) {
    ProblemList problems;
    model = read_model(file, problems);
    return problems.text();
  }
  std::filesystem::path folder;
  Model model;
};

const std::string body = "[[body]]\nname = \"a\"\nmass = 1\ninertia = 1\n";

TEST_F(Files, IncludesAddEntriesAndGiveWayToTheIncludingFile) {
  write("parts/crank.toml", "include = [\"drive.toml\"]\n[parameters]\na = 1\nb = 2\n" + body);
  write("parts/drive.toml",
        "[[force]]\nname = \"f\"\ntype = \"torque\"\nbody = \"a\"\ntorque = { file = \"m.csv\" }\n");
  write("parts/m.csv", "time, torque\n# seconds, N m\n0, 0\n1.5, 3\r\n2 4\n");
  const auto file =
      write("m.toml",
            "include = [\"parts/crank.toml\", \"parts/drive.toml\"]\n[model]\nplane = \"xy\"\n[parameters]\na = 3\n");
  EXPECT_THAT(problems_of(file), AllOf(HasSubstr("m.csv:1:1: warning: force.f.torque.file"),
                                       HasSubstr("\"time, torque\", taken as a line of titles")));
  EXPECT_EQ(model.bodies.size(), 1u);
  EXPECT_EQ(model.forces.size(), 1u);
  EXPECT_DOUBLE_EQ(model.parameters.at("a"), 3);
  EXPECT_DOUBLE_EQ(model.parameters.at("b"), 2);
  EXPECT_DOUBLE_EQ(model.forces[0].settings.functions("torque")[0].value(1.5), 3);
}

TEST_F(Files, MissingOrNoFile) {
  const std::string missing = (folder / "none.toml").string();
  EXPECT_EQ(problems_of(missing), missing + ": error: found no such file; expected a file that can be read\n");
  EXPECT_EQ(problems_of(folder), folder.string() + ": error: found a directory; expected a file\n");
  EXPECT_EQ(problems_of("/dev/zero"), "/dev/zero: error: found a device or pipe; expected a regular file\n");
}

TEST_F(Files, EmptyFile) {
  const auto file = write("m.toml", "");
  EXPECT_EQ(problems_of(file), file + ": error: found an empty file; expected a model with at least one [[body]]\n");
}

TEST_F(Files, NotUtf8) {
  const auto latin1 = write("m.toml", "[model]\nname = \"M\xfcller\"\n");
  EXPECT_EQ(
      problems_of(latin1),
      latin1 + ":2:10: error: found the byte 0xfc at offset 17; expected text in UTF-8; save the file as UTF-8 text\n");
  const auto zero = write("n.toml", std::string("[model]\n\0", 9));
  EXPECT_EQ(problems_of(zero),
            zero + ":2:1: error: found a NUL byte at offset 8; expected text in UTF-8; save the file as UTF-8 text\n");
}

TEST_F(Files, HugeFileIsRefusedUnread) {
  const auto file = write("m.toml", "x");
  std::filesystem::resize_file(file, 100'000'000);  // sparse
  EXPECT_EQ(problems_of(file),
            file + ": error: found a file of 100000000 bytes; expected at most 67108864 bytes (64 MiB)\n");
}

TEST_F(Files, DeepNestingDoesNotOverflowTheStack) {
  std::string dots = "a";
  for (int k = 0; k < 2'000'000; ++k) dots += ".a";
  EXPECT_THAT(problems_of(write("dots.toml", dots + " = 1\n")),
              testing::HasSubstr(":1:130: error: found tables or lists nested more than 64 deep"));
  EXPECT_THAT(problems_of(write("header.toml", "[" + dots + "]\n")), testing::HasSubstr("nested more than 64 deep"));
  EXPECT_THAT(problems_of(write("lists.toml", "a = " + std::string(2'000'000, '['))),
              testing::HasSubstr("nested more than 64 deep"));
  std::string tables = "a = ";
  for (int k = 0; k < 500'000; ++k) tables += "{a=";
  EXPECT_THAT(problems_of(write("tables.toml", tables)), testing::HasSubstr("nested more than 64 deep"));
  // Dots and brackets inside strings and comments do not nest.
  EXPECT_EQ(problems_of(write("fine.toml", "# " + dots + "\n[model]\nplane = \"xy\"\nname = \"" + dots.substr(0, 1000) +
                                               "[[[[\"\n" + body)),
            "");
}

TEST_F(Files, ManyProblemsAreCutOff) {
  std::string text = "[model]\nplane = \"xy\"\n";
  for (int k = 0; k < 5000; ++k) text += "[[body]]\n";
  ProblemList problems;
  read_model(write("m.toml", text), problems);
  EXPECT_EQ(problems.all().size(), 1001u);
}

// A result keeps the text of its model as written; `--set` is only in the settings.
TEST(RecordedModel, HasTheParametersOfItsRun) {
  const std::string text = "[parameters]\nwidth = 2\n[[body]]\nname = \"a\"\nmass = \"=width\"\ninertia = [1, 1, 1]\n";
  ProblemList problems;
  const Model as_run = read_recorded_model(text, "model.toml", R"({"parameters": {"width": 3.5}})", problems);
  const Model as_written = read_recorded_model(text, "model.toml", "not JSON", problems);
  ASSERT_EQ(problems.errors(), 0) << problems.text();
  EXPECT_EQ(as_run.bodies.at(0).mass, 3.5);
  EXPECT_EQ(as_written.bodies.at(0).mass, 2);
}

// What ran with an older version can be looked at.
TEST(RecordedModel, IsReadWhateverItsUnits) {
  const std::string text =
      "[parameters]\nwidth = \"2 m\"\n[[body]]\nname = \"a\"\nmass = \"=width\"\ninertia = [1, 1, 1]\n";
  ProblemList problems, strict;
  EXPECT_EQ(read_recorded_model(text, "model.toml", R"({"parameters": {"width": 3.5}})", problems).bodies.at(0).mass,
            3.5);
  EXPECT_EQ(problems.text(), "");
  read_model_text(text, "model.toml", strict);
  EXPECT_EQ(strict.errors(), 1);
}

}  // namespace
}  // namespace carom
