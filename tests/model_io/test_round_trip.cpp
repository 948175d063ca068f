#include <gmock/gmock.h>

#include "../support/every_model.h"
#include "model_io/same_model.h"
#include "model_io/write_model.h"
#include "sample_models.h"

namespace carom {
namespace {

using testing::HasSubstr;

class EveryModel : public testing::TestWithParam<std::filesystem::path> {};

// Read, written and read again, every model of the examples and cases is the same model.
TEST_P(EveryModel, SurvivesBeingWritten) {
  ProblemList problems;
  const Model model = read_model(GetParam(), problems);
  ASSERT_EQ(problems.errors(), 0u) << problems.text();
  const std::string written = write_model(model, &problems);
  ASSERT_EQ(problems.errors(), 0u) << problems.text();
  const Model again = read_model_text(written, "written.toml", problems, {}, GetParam().parent_path());
  ASSERT_EQ(problems.errors(), 0u) << problems.text();
  EXPECT_TRUE(same_model(model, again)) << written;
  EXPECT_EQ(write_model(again), written);
}

INSTANTIATE_TEST_SUITE_P(RoundTrip, EveryModel, testing::ValuesIn(every_model(CAROM_SOURCE_DIR)), name_of_model);

const std::string beam = R"([model]
plane = "xy"

[material.steel]
density = 7850
young = 2e11
poisson = 0.3

[section.round]
shape = "circle"
diameter = 0.02

[[beam]]
name = "shaft"
points = [[0, 0], [1, 0]]
section = "round"
material = "steel"
elements = 4

[[joint]]
name = "clamp"
type = "fixed"
bodies = ["ground", "shaft"]
at = [0, 0]

[solver]
analysis = "static"
load_steps = 3
)";

TEST(RoundTrip, KeepsBeamsAndLoadSteps) {
  ProblemList problems;
  const Model model = sample::read(beam, problems);
  ASSERT_EQ(problems.errors(), 0u) << problems.text();
  const std::string written = write_model(model, &problems);
  EXPECT_EQ(problems.errors(), 0u) << problems.text();
  EXPECT_THAT(written, HasSubstr("[[beam]]\nname = \"shaft\"\n"));
  EXPECT_THAT(written, HasSubstr("load_steps = 3\n"));
  const Model again = sample::read(written, problems);
  ASSERT_EQ(again.beams.size(), 1u);
  EXPECT_EQ(again.beams[0].elements.size(), 4u);
  EXPECT_TRUE(same_model(model, again));
}

// What a study looks at to tell whether its models are still the same.
TEST(RoundTrip, TellsBeamsOfOtherStiffnessApart) {
  ProblemList problems;
  const Model model = sample::read(beam, problems);
  for (const auto& [from, to] : {std::pair("young = 2e11", "young = 1e11"),
                                 {"diameter = 0.02", "diameter = 0.03"},
                                 {"elements = 4", "elements = 5"},
                                 {"load_steps = 3", "load_steps = 4"}}) {
    std::string text = beam;
    text.replace(text.find(from), std::string(from).size(), to);
    const Model other = sample::read(text, problems);
    EXPECT_FALSE(same_model(model, other)) << to;
    EXPECT_NE(write_model(model), write_model(other)) << to;
  }
  EXPECT_EQ(problems.errors(), 0u) << problems.text();
}

TEST(RoundTrip, SaysThatChangedPartsCannotBeWritten) {
  ProblemList problems;
  Model model = sample::read(beam, problems);
  model.bodies[2].mass *= 2;
  write_model(model, &problems);
  EXPECT_THAT(problems.text(), HasSubstr("parts of grids, beams or bearings that differ from what was said of them"));
}

}  // namespace
}  // namespace carom
