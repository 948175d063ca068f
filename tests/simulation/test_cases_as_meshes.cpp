#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "../support/temporary_folder.h"
#include "model_io/read_model.h"
#include "recording/recorded_run.h"
#include "simulation/run.h"

// Validation cases whose boxes and planes are said as meshes, which are the same solids without any chord error, give
// the same answers.
namespace carom {
namespace {

std::string text_of(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

void replace(std::string& text, const std::string& from, const std::string& to) {
  ASSERT_NE(text.find(from), std::string::npos) << from;
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

// As text of an OBJ file, in m.
std::string block(const Eigen::Vector3d& low, const Eigen::Vector3d& high) {
  std::string text;
  for (int k = 0; k < 8; ++k)
    text += fmt::format("v {:.17g} {:.17g} {:.17g}\n", (k & 1) != 0 ? high.x() : low.x(),
                        (k & 2) != 0 ? high.y() : low.y(), (k & 4) != 0 ? high.z() : low.z());
  return text + "f 1 5 7 3\nf 2 4 8 6\nf 1 2 6 5\nf 3 7 8 4\nf 1 3 4 2\nf 5 6 8 7\n";
}

class CasesAsMeshes : public testing::Test {
 protected:
  RecordedRun recorded(const std::string& text) const {
    ProblemList problems;
    const Model model = read_model_text(text, "model.toml", problems, {}, folder_.path());
    EXPECT_EQ(problems.text(), "");
    RecordedRun result;
    RunOptions options;
    options.memory = &result;
    const RunSummary summary = run(model, options);
    EXPECT_EQ(summary.status, RunStatus::complete) << summary.reason;
    return result;
  }

  // `solid`: the lines of the shape that becomes the mesh.
  void compare(std::string text, const std::string& solid, const std::string& mesh, const std::string& body,
               double limit) const {
    std::ofstream(folder_.path() / "solid.obj") << mesh;
    const RecordedRun by_solid = recorded(text);
    replace(text, solid, "shape = \"mesh\"\nfile = \"solid.obj\"\nunit = \"1 m\"\n");
    const RecordedRun by_mesh = recorded(text);
    for (const std::string quantity : {".x", ".y", ".z", ".vx", ".vz"}) {
      const std::string name = fmt::format("body:{}{}", body, quantity);
      const auto one = by_solid.column(name), two = by_mesh.column(name);
      ASSERT_EQ(one.size(), two.size());
      double largest = 1e-3, difference = 0;
      for (std::size_t k = 0; k < one.size(); ++k) {
        largest = std::max(largest, std::abs(one[k]));
        difference = std::max(difference, std::abs(one[k] - two[k]));
      }
      EXPECT_LT(difference, limit * largest) << quantity;
    }
  }

  TemporaryFolder folder_;
};

// Of the largest value: where points are the same, and where their order or their number differs. The latter was
// chosen after 2.6e-5 had been seen.
constexpr double never = 1e-7, in_last_digits = 1e-4;

TEST_F(CasesAsMeshes, BoxOnSlope) {
  const Eigen::Vector3d half(0.1, 0.075, 0.05);
  std::string text = text_of(CAROM_SOURCE_DIR "/cases/box_on_slope/model.toml");
  replace(text, "steepness = 1 ", "steepness = 1.5 ");
  compare(text, "shape = \"box\"\nsize = [0.2, 0.15, 0.1]\n", block(-half, half), "box", never);
}

TEST_F(CasesAsMeshes, BoxOnSlopeByForces) {
  const Eigen::Vector3d half(0.1, 0.075, 0.05);
  std::string text = text_of(CAROM_SOURCE_DIR "/cases/box_on_slope/model.toml");
  replace(text, "steepness = 1 ", "steepness = 1.5 ");
  replace(text, "method = \"nonsmooth\"\nend = \"2 s\"\nstep = 0.01\nrho_infinity = 0.8\n",
          "end = \"0.3 s\"\ntolerance = 1e-9\n");
  replace(text, "restitution = 0\nfriction = \"=mu\"",
          "elastic = \"linear\"\nstiffness = 1e6\nrestitution = 0.5\n"
          "friction = { law = \"tanh\", coefficient = \"=mu\", slip_scale = 1e-3 }");
  compare(text, "shape = \"box\"\nsize = [0.2, 0.15, 0.1]\n", block(-half, half), "box", in_last_digits);
}

TEST_F(CasesAsMeshes, TumblingBox) {
  const Eigen::Vector3d half(0.06, 0.04, 0.03);
  std::string text = text_of(CAROM_SOURCE_DIR "/cases/tumbling_box/model.toml");
  replace(text, "end = \"2 s\"", "end = \"0.5 s\"");
  compare(text, "shape = \"box\"\nsize = [0.12, 0.08, 0.06]\n", block(-half, half), "box", 1e-6);
}

TEST_F(CasesAsMeshes, Gripper) {
  const Eigen::Vector3d half(0.03, 0.03, 0.03);
  compare(text_of(CAROM_SOURCE_DIR "/cases/gripper/model.toml"), "shape = \"box\"\nsize = [\"=s\", \"=s\", \"=s\"]\n",
          block(-half, half), "box", in_last_digits);
}

// The floor is the mesh. In the step of 10 ms in which sliding ends, both go their own way to rolling.
TEST_F(CasesAsMeshes, SphereOnPlane) {
  compare(text_of(CAROM_SOURCE_DIR "/cases/sphere_on_plane/model.toml"), "shape = \"plane\"\n",
          block({-20, -20, -1}, {20, 20, 0}), "ball", in_last_digits);
}

TEST_F(CasesAsMeshes, Superball) {
  compare(text_of(CAROM_SOURCE_DIR "/cases/superball/model.toml"), "shape = \"plane\"\n",
          block({-20, -20, -1}, {20, 20, 0}), "ball", never);
}

}  // namespace
}  // namespace carom
