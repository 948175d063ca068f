#include <gmock/gmock.h>

#include "model_io/write_model.h"
#include "sample_models.h"

namespace carom {
namespace {

using testing::HasSubstr;

// Two models say the same if they are written the same, and if what was written reads back to the same numbers.
void expect_round_trip(const std::string& text) {
  ProblemList problems;
  const Model model = sample::read(text, problems);
  ASSERT_EQ(problems.text(), "");
  const std::string written = write_model(model, &problems);
  const Model again = sample::read(written, problems);
  EXPECT_EQ(problems.text(), "") << written;
  EXPECT_EQ(write_model(again), written);
  ASSERT_EQ(again.bodies.size(), model.bodies.size());
  for (std::size_t k = 0; k < model.bodies.size(); ++k) {
    const BodyModel &a = model.bodies[k], &b = again.bodies[k];
    EXPECT_EQ(a.name, b.name);
    EXPECT_EQ(a.mass, b.mass);
    EXPECT_EQ(a.inertia, b.inertia);
    EXPECT_EQ(a.position, b.position);
    EXPECT_EQ(a.angle, b.angle);
    EXPECT_EQ(a.orientation.coeffs(), b.orientation.coeffs());
    EXPECT_EQ(a.center_of_mass, b.center_of_mass);
    EXPECT_EQ(a.velocity, b.velocity);
    EXPECT_EQ(a.angular_velocity, b.angular_velocity);
  }
  ASSERT_EQ(again.motions.size(), model.motions.size());
  for (std::size_t k = 0; k < model.motions.size(); ++k) {
    for (const double t : {0.0, 0.1, 0.7, 2.0})
      EXPECT_EQ(model.motions[k].value.value(t), again.motions[k].value.value(t));
  }
  EXPECT_EQ(again.parameters, model.parameters);
  EXPECT_EQ(again.solver.end, model.solver.end);
  EXPECT_EQ(again.output.record, model.output.record);
}

TEST(WriteModel, PlanarRoundTrip) {
  expect_round_trip(sample::slider_crank);
}
TEST(WriteModel, SpatialRoundTrip) {
  expect_round_trip(sample::spatial);
}

TEST(WriteModel, ContactRoundTrip) {
  expect_round_trip(sample::contact);
}

TEST(WriteModel, TextsAreEscaped) {
  ProblemList problems;
  Model model = sample::read(sample::spatial, problems);
  model.name = "a \"quoted\\\" name\nin two lines, ünïcode";
  const Model again = sample::read(write_model(model), problems);
  EXPECT_EQ(problems.text(), "");
  EXPECT_EQ(again.name, model.name);
}

TEST(WriteModel, SaysWhatCannotBeWritten) {
  ProblemList problems;
  Model model = sample::read(sample::spatial, problems);
  model.motions[0].value = Function::table({0, 1, 2}, {0, 1, 0}, Function::Interpolation::cubic);
  const std::string text = write_model(model, &problems);
  EXPECT_THAT(text, HasSubstr("# position: cubic table of 3 points cannot be written\n"));
  EXPECT_EQ(
      problems.text(),
      "model.toml: error: [[motion]] position: found cubic table of 3 points; expected a function that can be written "
      "to a file\n");
}

}  // namespace
}  // namespace carom
