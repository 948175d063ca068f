#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "../support/falling_ball.h"
#include "../support/temporary_folder.h"
#include "model_io/read_model.h"
#include "simulation/run.h"
#include "validation/compare_results.h"

namespace carom {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr double mass = 2, gravity = 10, duration = 1.2;

std::string ball(const std::string& solver, double every = 1e-3, const std::string& record = "\"*\"") {
  const std::string output = "\n[output]\nevery = " + std::to_string(every) + "\nrecord = [" + record + "]";
  return build::FallingBall{.solver = "end = 1.2\n" + solver + output}.text();
}

class CompareResults : public testing::Test {
 protected:
  std::filesystem::path simulate(const std::string& name, const std::string& text) const {
    ProblemList problems;
    const Model model = read_model_text(text, name + ".toml", problems);
    EXPECT_EQ(problems.text(), "");
    const std::filesystem::path file = folder_.path() / (name + ".h5");
    EXPECT_EQ(run(model, {.output = file, .progress = {}}).status, RunStatus::complete);
    return file;
  }

  const TemporaryFolder folder_;
};

// Momentum: what the floor gives is what the ball gains and what gravity takes, whichever way contact is treated.
TEST_F(CompareResults, impulsesOfBothMethodsBalanceTheMomentum) {
  const ResultReader a(simulate("a", ball("", 1e-4)));
  const ResultReader b(simulate("b", ball("method = \"nonsmooth\"\nstep = 1e-4", 1e-3)));
  const Comparison comparison = compare_results(a, b, {});
  EXPECT_EQ(comparison.a.method, "compliant");
  EXPECT_EQ(comparison.a.integrator, "auto");
  EXPECT_EQ(comparison.b.method, "nonsmooth");
  EXPECT_EQ(comparison.b.integrator, "decoupled");
  EXPECT_TRUE(comparison.interpolated);
  ASSERT_EQ(comparison.contacts.size(), 1u);
  const ContactComparison& contact = comparison.contacts[0];
  EXPECT_EQ(contact.name, "contact:bounce");
  EXPECT_FALSE(contact.a.by_impulses);
  EXPECT_TRUE(contact.b.by_impulses);
  EXPECT_EQ(contact.a.count, contact.b.count);
  EXPECT_GE(contact.a.count, 2);
  for (const auto& [totals, result] : {std::pair(&contact.a, &a), std::pair(&contact.b, &b)}) {
    const double gained = mass * (result->column("body:ball.vy").back() + gravity * duration);
    EXPECT_NEAR(std::abs(totals->impulse[1]), gained, 2e-3 * gained);
    EXPECT_NEAR(totals->normal_impulse, gained, 2e-3 * gained);
    EXPECT_DOUBLE_EQ(totals->mean_normal_force, totals->normal_impulse / duration);
    EXPECT_TRUE(std::isnan(totals->impulse[2]));
  }
  EXPECT_GT(contact.a.impulse[1] * contact.b.impulse[1], 0);
  EXPECT_NEAR(comparison.energy_a.dissipated_by_contacts, comparison.energy_a.dissipated, 1e-12);
  EXPECT_NEAR(comparison.energy_b.dissipated_by_contacts, comparison.energy_b.dissipated, 1e-12);
  // Gravity works on in the long, soft impacts of A.
  EXPECT_NEAR(comparison.energy_a.dissipated, comparison.energy_b.dissipated, 0.05 * comparison.energy_a.dissipated);
  EXPECT_THAT(comparison.warnings, Not(Contains(HasSubstr("models differ"))));
  EXPECT_THAT(comparison.warnings, Contains(HasSubstr("means over a step")));
}

TEST_F(CompareResults, aResultDoesNotDifferFromItself) {
  const ResultReader a(simulate("a", ball("")));
  const Comparison comparison = compare_results(a, a, {});
  EXPECT_EQ(comparison.quantities.size(), 9u);
  for (const QuantityDifference& each : comparison.quantities) EXPECT_EQ(each.relative_largest(), 0) << each.quantity;
  EXPECT_FALSE(comparison.interpolated);
  EXPECT_THAT(comparison.warnings, IsEmpty());
  EXPECT_EQ(comparison.energy_a.kinetic, a.column("energy.kinetic").back());
}

TEST_F(CompareResults, theLargestDifferenceComesFirstAndRoundingErrorsDoNot) {
  const ResultReader a(simulate("a", ball("")));
  const ResultReader b(simulate("b", ball("method = \"nonsmooth\"")));
  const Comparison comparison = compare_results(a, b, {"body:ball.x", "body:ball.y", "body:ball.vy"});
  ASSERT_EQ(comparison.quantities.size(), 3u);
  EXPECT_EQ(comparison.quantities[0].quantity, "body:ball.vy");
  EXPECT_EQ(comparison.quantities[2].quantity, "body:ball.x");  // flies on: rounding errors alone
  EXPECT_LT(comparison.quantities[2].relative_rms(), 1e-6);
  for (const QuantityDifference& each : comparison.quantities)
    EXPECT_DOUBLE_EQ(each.relative_largest(), each.difference.largest / each.difference.range);
}

// The angle of a ball without friction stays what it is in both.
TEST_F(CompareResults, whatDoesNotMoveDoesNotDiffer) {
  const ResultReader a(simulate("a", ball("")));
  const ResultReader b(simulate("b", ball("method = \"nonsmooth\"")));
  for (const QuantityDifference& each : compare_results(a, b, {"body:ball.angle", "body:ball.omega"}).quantities) {
    EXPECT_LT(each.difference.range, 1e-9);
    EXPECT_LT(each.relative_largest(), 1e-3) << each.quantity;
  }
}

TEST_F(CompareResults, otherModelsAndShortEpisodesAreNoticed) {
  const ResultReader a(simulate("a", ball("", 0.01)));
  std::string other = ball("");
  other.replace(other.find("height = 0.6"), 12, "height = 0.5");
  const ResultReader b(simulate("b", other));
  const auto warnings = compare_results(a, b, {}).warnings;
  EXPECT_THAT(warnings,
              Contains(HasSubstr("the models differ, first where A has `height = 0.6` and B `height = 0.5`")));
  EXPECT_THAT(warnings, Contains(HasSubstr("the parameter height is 0.6 in A and 0.5 in B")));
  EXPECT_THAT(warnings, Contains(HasSubstr("in A last less than 4 intervals of samples")));
}

TEST_F(CompareResults, whatOneSideDoesNotHaveIsUntold) {
  const ResultReader a(simulate("a", ball("")));
  const ResultReader b(simulate("b", ball("", 1e-3, "\"body:ball.y\"")));
  const Comparison comparison = compare_results(a, b, {});
  EXPECT_EQ(comparison.quantities.size(), 1u);
  ASSERT_EQ(comparison.contacts.size(), 1u);
  EXPECT_TRUE(comparison.contacts[0].a.present);
  EXPECT_FALSE(comparison.contacts[0].b.present);
  EXPECT_TRUE(std::isnan(comparison.energy_b.kinetic));
  const ResultReader c(simulate("c", ball("", 1e-3, "\"energy\"")));
  EXPECT_THROW(compare_results(b, c, {}), ResultError);
}

}  // namespace
}  // namespace carom
