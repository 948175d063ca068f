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

TEST(WriteModel, RestitutionLawsRoundTrip) {
  for (const RestitutionLaw law : {RestitutionLaw::newton, RestitutionLaw::poisson, RestitutionLaw::energetic}) {
    ProblemList problems;
    Model model;
    model.file = "restitution";
    model.planar = true;
    model.solver.method = ContactMethod::nonsmooth;
    ContactModel contact;
    contact.name = "rough";
    contact.restitution = 0.5;
    contact.restitution_law = law;
    model.contacts.push_back(contact);
    const Model again = sample::read(write_model(model), problems);
    ASSERT_EQ(again.contacts.size(), 1u) << problems.text();
    EXPECT_EQ(again.contacts[0].restitution_law, law);
  }
}

TEST(WriteModel, TextsAreEscaped) {
  ProblemList problems;
  Model model = sample::read(sample::spatial, problems);
  model.name = "a \"quoted\\\" name\nin two lines, ünïcode";
  const Model again = sample::read(write_model(model), problems);
  EXPECT_EQ(problems.text(), "");
  EXPECT_EQ(again.name, model.name);
}

// Every point comes back to the last bit, and with them the function between the points and its derivatives.
TEST(WriteModel, TablesRoundTrip) {
  const std::vector<double> x = {-0.1, 0.2, 1.0 / 3, 0.7, 2}, y = {0.1, 1e-17, -2.0 / 7, 3, 3};
  for (const auto interpolation : {Function::Interpolation::cubic, Function::Interpolation::linear}) {
    ProblemList problems;
    Model model = sample::read(sample::spatial, problems);
    model.motions[0].value = Function::table(x, y, interpolation);
    const std::string text = write_model(model, &problems);
    const Model again = sample::read(text, problems);
    ASSERT_EQ(problems.text(), "") << text;
    const auto points = again.motions[0].value.table_points();
    ASSERT_TRUE(points);
    EXPECT_EQ(points->x, x);
    EXPECT_EQ(points->y, y);
    EXPECT_EQ(points->interpolation, interpolation);
    for (double t = -0.5; t < 2.5; t += 0.0625) {
      const Jet before = model.motions[0].value.derivatives(t), after = again.motions[0].value.derivatives(t);
      EXPECT_EQ(before.value, after.value) << t;
      EXPECT_EQ(before.first, after.first) << t;
      EXPECT_EQ(before.second, after.second) << t;
    }
    EXPECT_EQ(write_model(again), text);
  }
}

TEST(WriteModel, SaysWhatCannotBeWritten) {
  ProblemList problems;
  Model model = sample::read(sample::spatial, problems);
  const Function table = Function::table({0, 1, 2}, {0, 1, 0}, Function::Interpolation::cubic);
  model.motions[0].value = table.antiderivative(0, 0, 2);
  const std::string text = write_model(model, &problems);
  EXPECT_THAT(text, HasSubstr("# position: integral of cubic table of 3 points cannot be written\n"));
  EXPECT_EQ(problems.text(),
            "model.toml: error: [[motion]] position: found integral of cubic table of 3 points; expected a function "
            "that can be written to a file\n");
}

}  // namespace
}  // namespace carom
