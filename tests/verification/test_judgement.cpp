#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "verification/judgement.h"

// Verdicts on readings whose truth is known.
namespace carom {
namespace {

using testing::HasSubstr;

const ModelAnswer force{"joint:pin", "largest force", "", "N", {}, {}};
const ModelAnswer count{"joint:pin", "contacts that begin", "", "1", {}, {}, true};

struct Said {
  double model = not_reported, finer = not_reported, finest = not_reported, integrator = not_reported,
         method = not_reported, method_finer = not_reported;

  Readings readings() const {
    Readings all;
    const auto put = [&](Role role, double value) { all[static_cast<std::size_t>(role)] = {value, value}; };
    put(Role::model, model), put(Role::finer, finer), put(Role::finest, finest);
    put(Role::other_integrator, integrator);
    put(Role::other_method, method), put(Role::other_method_finer, method_finer);
    return all;
  }
};

const Circumstances by_step{.refinement = Refinement::step, .other_integrator = "rk"};
const Circumstances by_tolerance{.refinement = Refinement::tolerance, .other_integrator = "rk"};

Judgement judged(const Said& said, const Circumstances& all, const ModelAnswer& answer = force) {
  Judgement judgement = judge(answer, said.readings(), 0, 0, all);
  judgement.text = verdict(answer, said.readings(), judgement, all);
  return judgement;
}

// A value with the error c hᵖ: order and limit are found, and the error is not less than the true one.
TEST(Judgement, FindsOrderAndLimitOfSteps) {
  for (const double order : {1.0, 2.0, 5.0}) {
    for (const double error : {0.1, 1e-3, 1e-5, -1e-4}) {
      const auto at = [&](double h) { return 100 * (1 + error * std::pow(h, order)); };
      const Judgement judgement = judged({at(1), at(0.5), at(0.25), 100}, by_step);
      ASSERT_TRUE(judgement.order);
      EXPECT_NEAR(*judgement.order, order, 1e-3);
      EXPECT_NEAR(*judgement.estimate, 100, 1e-6 * std::abs(error) * 100);
      EXPECT_GE(judgement.error, std::abs(error) * 100);
      EXPECT_LE(std::abs(error), std::pow(10, -judgement.digits));
    }
  }
}

TEST(Judgement, SaysOfStepsWhatChangesAndWhereItLeads) {
  const Judgement judgement = judged({104.2, 102.1, 101.05, 100.0}, by_step);
  EXPECT_EQ(judgement.standing, Standing::refinement);
  EXPECT_THAT(judgement.text, HasSubstr("depends on the step: 2 % at half the step"));
  EXPECT_THAT(judgement.text, HasSubstr("order 1.0; estimate 100.0 N"));
  EXPECT_THAT(judged({104.2, 102.1, 101.05, 100.0}, by_tolerance).text,
              HasSubstr("depends on the tolerance: 2 % at a tenth of it"));
}

TEST(Judgement, CountsTheDigitsThatHold) {
  const Judgement judgement = judged({100.0001, 100.00001, 100.000001, 100.0}, by_tolerance);
  EXPECT_EQ(judgement.standing, Standing::holds);
  EXPECT_EQ(judgement.digits, 5);
  EXPECT_EQ(judgement.text, "holds to 5 digits");
  EXPECT_EQ(judged({3, 3, 3, 3}, by_tolerance).digits, most_digits);
  // Runs that do not come nearer to each other are trusted less.
  EXPECT_LT(judged({100.0001, 100.00005, 100.00015, 100.0}, by_tolerance).digits, 6);
}

TEST(Judgement, BlamesTheIntegratorWhereOnlyItDiffers) {
  const Judgement judgement = judged({100.00001, 100.000001, 100, 90}, by_tolerance);
  EXPECT_EQ(judgement.standing, Standing::integrator);
  EXPECT_EQ(judgement.text, "depends on the integrator: rk says 90.00 N");
}

TEST(Judgement, BlamesTheSamplesWhereOnlyTheyDiffer) {
  Said said{100, 100, 100, 100};
  Readings readings = said.readings();
  readings[static_cast<std::size_t>(Role::finest)].value = 103;  // a peak between the samples
  const Judgement judgement = judge(force, readings, 0, 0, by_tolerance);
  EXPECT_EQ(judgement.standing, Standing::samples);
  EXPECT_NEAR(judgement.sampling, 0.04, 1e-12);
  EXPECT_EQ(judgement.digits, 1);
}

TEST(Judgement, SetsMethodsAgainstEachOther) {
  Circumstances both = by_tolerance;
  both.other_method_ran = true;
  const Judgement judgement = judged({4100, 4100, 4100, 4100, 3300, 3310}, both);
  EXPECT_EQ(judgement.standing, Standing::method);
  EXPECT_THAT(judgement.text, HasSubstr("depends on the method: compliant 4100 N, nonsmooth 3310 N; compliant to"));
  EXPECT_THAT(judged({4100, 4100, 4100, 4100, 4110, 4105}, both).text, HasSubstr("; nonsmooth agrees within 0.12 %"));
  EXPECT_THAT(judged({4100, 4100, 4100, 4100}, both).text, HasSubstr("; nonsmooth does not report it"));
  // A method that is not sure of itself is no witness.
  const Judgement unsure = judged({4100, 4100, 4100, 4100, 2000, 3300}, both);
  EXPECT_EQ(unsure.standing, Standing::holds);
  EXPECT_THAT(unsure.text, HasSubstr("; nonsmooth 3300 N, itself uncertain by"));
  both.other_method_poor = "its energy residual is 99 %";
  EXPECT_EQ(judged({4100, 4100, 4100, 4100, 3300, 3310}, both).standing, Standing::holds);
}

TEST(Judgement, CountsAreTheSameOrNot) {
  EXPECT_EQ(judged({57, 57, 57, 57}, by_tolerance, count).text, "the same in all runs");
  EXPECT_EQ(judged({57, 58, 58, 58}, by_tolerance, count).text, "depends on the tolerance: 57, 58, 58, 58");
}

TEST(Judgement, OfAChaoticMotionOnlyWhatHoldsIsTrusted) {
  Circumstances chaos = by_tolerance;
  chaos.chaotic = true, chaos.parting = "the runs part after 0.34 s";
  EXPECT_EQ(judged({1, 1, 1, 1}, chaos).standing, Standing::holds);
  EXPECT_EQ(judged({1, 2, 3, 4}, chaos).standing, Standing::chaotic);
  EXPECT_THAT(judged({57, 61, 58, 58}, chaos, count).text,
              HasSubstr("chaotic: the runs part after 0.34 s; 57, 61, 58"));
}

TEST(Judgement, WithoutAnotherRunNothingIsKnown) {
  EXPECT_EQ(judged({1}, by_tolerance).standing, Standing::unknown);
  EXPECT_EQ(judged({1}, by_tolerance).text, "no other run tells it");
  EXPECT_EQ(judged({not_reported, 1, 1}, by_tolerance).text, "not reported by this method");
}

TEST(Judgement, NumbersAreShownToTheDigitsThatHold) {
  const auto shown = [](const Said& said, double range = 0) {
    return held_text(force, said.readings(), judge(force, said.readings(), range, 0, by_tolerance));
  };
  EXPECT_EQ(shown({1234.5678, 1234.57, 1234.57, 1234.57}), "1234.6 N");
  EXPECT_EQ(shown({0.17, 0.17, 0.17, 0.17}), "0.170000000000 N");
  EXPECT_EQ(shown({1e-12, 2e-12, 2e-12, 2e-12}, 100), "0 N");
}

}  // namespace
}  // namespace carom
