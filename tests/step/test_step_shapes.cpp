#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "../support/temporary_folder.h"
#include "model_io/read_model.h"
#include "model_io/write_model.h"
#include "recording/recorded_run.h"
#include "simulation/run.h"
#include "step_writer.h"

// Parts of STEP files as shapes of a model.
namespace carom {
namespace {

using Eigen::Vector3d;
using testing::HasSubstr;

// A ring and a pin in it, 10 µm thinner in radius, and a cube.
class StepShapes : public testing::Test {
 protected:
  StepShapes() {
    const Vector3d z = Vector3d::UnitZ();
    making::StepWriter writer;
    writer.place(writer.add_part("ring", making::cut(making::cylinder({0, 0, 0}, z, 0.02, 0.02),
                                                     making::cylinder({0, 0, 0}, z, 0.01, 0.02))),
                 Eigen::Isometry3d::Identity());
    writer.place(writer.add_part("pin", making::cylinder({0, 0, 0}, z, 0.00999, 0.02)), Eigen::Isometry3d::Identity());
    writer.place(writer.add_part("cube", making::box({0, 0, 0}, {0.1, 0.1, 0.1})), Eigen::Isometry3d::Identity());
    std::ofstream(folder_.path() / "parts.step") << writer.text();
  }

  Model read(const std::string& text, ProblemList& problems) const {
    return read_model_text(text, (folder_.path() / "model.toml").string(), problems, {}, folder_.path());
  }
  RecordedRun recorded(const std::string& text) const {
    ProblemList problems;
    const Model model = read(text, problems);
    EXPECT_EQ(problems.text(), "") << text;
    RecordedRun result;
    RunOptions options;
    options.memory = &result;
    EXPECT_EQ(run(model, options).status, RunStatus::complete);
    return result;
  }
  static void expect_same(const RecordedRun& one, const RecordedRun& two, const std::string& quantity, double limit) {
    const auto a = one.column(quantity), b = two.column(quantity);
    ASSERT_FALSE(a.empty()) << quantity;
    ASSERT_EQ(a.size(), b.size());
    double largest = 0, difference = 0;
    for (std::size_t k = 0; k < a.size(); ++k) {
      largest = std::max(largest, std::abs(b[k]));
      difference = std::max(difference, std::abs(a[k] - b[k]));
    }
    EXPECT_GT(largest, 0) << quantity;
    EXPECT_LT(difference, limit * largest) << quantity;
  }

  TemporaryFolder folder_;
};

const std::string falling_pin = R"(
[model]
name = "A pin in a ring"
gravity = [3, -9.81, 0]
[material.steel]
young = "210 GPa"
poisson = 0.3
[contact.dry]
law = "lankarani-nikravesh"
restitution = 0.9
[solver]
end = "10 ms"
tolerance = 1e-11
[[body]]
name = "pin"
mass = 0.05
inertia = [3e-6, 3e-6, 2.5e-6]
position = [0, 0, 0.01]
)";

// The true radii of the faces: a pair of them does what a joint with this clearance does.
TEST_F(StepShapes, FacesTouchAsTheJointWithClearance) {
  const std::string joint = R"(
[[joint]]
name = "fit"
type = "cylindrical"
bodies = ["ground", "pin"]
at = [0, 0, 0.01]
axis = [0, 0, 1]
[joint.clearance]
radial = "10 um"
bearing_radius = "10 mm"
length = "20 mm"
materials = ["steel", "steel"]
contact = "dry"
)";
  const std::string pair = R"(
[[body.geometry]]
name = "side"
shape = "step"
file = "parts.step"
part = "pin"
face = "pin 1"
position = [0, 0, -0.01]
[[ground.geometry]]
name = "wall"
shape = "step"
file = "parts.step"
part = "ring"
face = "hole 1"
[[pair]]
name = "fit"
bodies = ["ground", "pin"]
shapes = ["wall", "side"]
materials = ["steel", "steel"]
contact = "dry"
)";
  // With its mass centre in the middle, and 3 mm off, where it tilts and its rims touch.
  for (const std::string centre : {"0.01]", "0.013]"}) {
    const auto shifted = [&](std::string text) {
      for (std::size_t at = text.find("0.01]\n"); centre != "0.01]" && at != std::string::npos;
           at = text.find("0.01]\n", at + 1)) {
        if (text.compare(text.rfind('\n', at) + 1, 2, "at") != 0) text.replace(at, 5, centre);
      }
      return text;
    };
    const RecordedRun by_joint = recorded(shifted(falling_pin + joint)),
                      by_faces = recorded(shifted(falling_pin + pair));
    for (const std::string quantity : {"body:pin.x", "body:pin.y", "body:pin.vy"})
      expect_same(by_faces, by_joint, quantity, 1e-6);
    if (centre != "0.01]") expect_same(by_faces, by_joint, "body:pin.wx", 1e-6);
    EXPECT_GT(by_faces.events.size(), 2u);
  }
}

// Flat faces are cut into triangles without error: a part falls on a floor as the box that it is.
TEST_F(StepShapes, APartTouchesAsTheBoxThatItIs) {
  const auto model = [](const std::string& shape) {
    return R"(
[model]
name = "A cube falls on its edge"
gravity = [0, 0, -9.81]
[contact.stiff]
law = "kelvin-voigt"
stiffness = 1e6
restitution = 0.9
[solver]
end = "0.3 s"
tolerance = 1e-10
[[body]]
name = "cube"
density = 500
position = [0, 0, 0.15]
orientation = { axis = [1, 0.3, 0], angle = "20 deg" }
[[body.geometry]]
)" + shape +
           R"(
[[ground.geometry]]
shape = "plane"
[[pair]]
name = "floor"
bodies = ["cube", "ground"]
contact = "stiff"
)";
  };
  const RecordedRun box = recorded(model("shape = \"box\"\nsize = [0.1, 0.1, 0.1]\nposition = [0.05, 0.05, 0.05]\n"));
  const RecordedRun step = recorded(model("shape = \"step\"\nfile = \"parts.step\"\npart = \"cube\"\n"));
  for (const std::string quantity : {"body:cube.x", "body:cube.z", "body:cube.vz"})
    expect_same(step, box, quantity, 1e-6);
  EXPECT_GT(step.events.size(), 0u);
}

// Validation cases whose boxes are parts of a STEP file, in both methods.
TEST_F(StepShapes, CasesGiveTheSameAnswersWithParts) {
  struct Case {
    std::string name, body, box, end, shorter;
    Vector3d half;
  };
  for (const Case& each : {Case{"box_on_slope", "box", "shape = \"box\"\nsize = [0.2, 0.15, 0.1]\n", "steepness = 1 ",
                                "steepness = 1.5 ", Vector3d(0.1, 0.075, 0.05)},
                           Case{"tumbling_box", "box", "shape = \"box\"\nsize = [0.12, 0.08, 0.06]\n", "end = \"2 s\"",
                                "end = \"0.5 s\"", Vector3d(0.06, 0.04, 0.03)}}) {
    SCOPED_TRACE(each.name);
    making::StepWriter writer;
    writer.place(writer.add_part("box", making::box(-each.half, each.half)), Eigen::Isometry3d::Identity());
    std::ofstream(folder_.path() / "box.step") << writer.text();
    std::ostringstream file;
    file << std::ifstream(std::string(CAROM_SOURCE_DIR "/cases/") + each.name + "/model.toml").rdbuf();
    std::string text = file.str();
    const auto replace = [&](const std::string& from, const std::string& to) {
      ASSERT_NE(text.find(from), std::string::npos) << from;
      text.replace(text.find(from), from.size(), to);
    };
    replace(each.end, each.shorter);
    const RecordedRun by_box = recorded(text);
    replace(each.box, "shape = \"step\"\nfile = \"box.step\"\n");
    const RecordedRun by_part = recorded(text);
    for (const std::string quantity : {".x", ".z", ".vx"})
      expect_same(by_part, by_box, "body:" + each.body + quantity, 1e-6);
  }
}

TEST_F(StepShapes, AreWeighedByTheirFacesAndWrittenAsSaid) {
  const std::string text = R"(
[model]
name = "m"
[[body]]
name = "ring"
density = 7850
[[body.geometry]]
shape = "step"
file = "parts.step"
part = "ring"
[[body.geometry]]
name = "wall"
shape = "step"
file = "parts.step"
part = "ring"
face = "hole 1"
)";
  ProblemList problems;
  const Model model = read(text, problems);
  ASSERT_EQ(problems.text(), "");
  const double mass = 7850 * M_PI * (4e-4 - 1e-4) * 0.02;
  EXPECT_NEAR(model.bodies.at(0).mass / mass, 1, 1e-9);
  EXPECT_NEAR(model.bodies.at(0).inertia(2, 2) / (mass * (4e-4 + 1e-4) / 2), 1, 1e-9);
  ASSERT_EQ(model.bodies[0].geometry.size(), 2u);
  EXPECT_EQ(model.bodies[0].geometry[1].shape, "bore");
  const std::string written = write_model(model, &problems);
  EXPECT_EQ(problems.text(), "");
  EXPECT_THAT(written, HasSubstr("face = \"hole 1\""));
  EXPECT_EQ(write_model(read(written, problems)), written);
}

TEST_F(StepShapes, ReportPartsAndFacesThatAreNotThere) {
  const auto problems_of = [&](const std::string& keys) {
    ProblemList problems;
    read(
        "[model]\nname = \"m\"\n[[body]]\nname = \"b\"\nmass = 1\ninertia = [1, 1, 1]\n[[body.geometry]]\n"
        "shape = \"step\"\n" +
            keys,
        problems);
    return problems.text();
  };
  EXPECT_THAT(problems_of("file = \"nowhere.step\"\n"), HasSubstr("no such file"));
  EXPECT_THAT(problems_of("file = \"parts.step\"\n"), HasSubstr("part: found a file of 3 parts"));
  EXPECT_THAT(problems_of("file = \"parts.step\"\npart = \"rings\"\n"), HasSubstr("did you mean `ring`?"));
  EXPECT_THAT(
      problems_of("file = \"parts.step\"\npart = \"ring\"\nface = \"hole 7\"\n"),
      HasSubstr("model.toml:11:8: error: body.b.geometry[1].face: found \"hole 7\"; expected `pin 1` or `hole 1`"));
  EXPECT_THAT(problems_of(""), HasSubstr("add the key `file`"));
}

}  // namespace
}  // namespace carom
