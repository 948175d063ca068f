#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "validation/evaluate.h"

// Every kind of check on made-up samples: it passes where it should, and it can fail.
namespace carom {
namespace {

using std::numbers::pi;

// x = 2 sin(2πt/1.7) + offset over five periods; 100 samples a second.
Evidence wave(double offset = 0) {
  Evidence evidence;
  for (int k = 0; k <= 850; ++k) {
    const double t = k / 100.0;
    evidence.time.push_back(t);
    evidence.columns["body:a.x"].push_back(offset + 2 * std::sin(2 * pi * t / 1.7));
    evidence.columns["body:a.y"].push_back(5);
  }
  return evidence;
}

Check make_check(CheckKind kind, double relative = 0, double absolute = 0) {
  return {.name = "test",
          .kind = kind,
          .quantities = {"body:a.x"},
          .tolerance_relative = relative,
          .tolerance_absolute = absolute};
}

bool passes(const Check& check, const Evidence& evidence, const ReferenceTable& reference = {}) {
  const auto findings = evaluate(check, reference, evidence);
  EXPECT_FALSE(findings.empty());
  bool all = true;
  for (const Finding& finding : findings) {
    EXPECT_EQ(finding.passed, finding.use() <= 1) << finding.quantity;
    all = all && finding.passed;
  }
  return all;
}

ReferenceTable reference_of(double error_at_end) {
  ReferenceTable table{.time = {0, 0.5, 1.25}, .names = {"body:a.x"}, .columns = {{}}};
  for (const double t : table.time) table.columns[0].push_back(2 * std::sin(2 * pi * t / 1.7));
  table.columns[0].back() += error_at_end;
  return table;
}

TEST(EvaluateReference, comparesEverySampleOfTheReference) {
  const Check check = make_check(CheckKind::reference, 1e-9, 1e-9);
  EXPECT_TRUE(passes(check, wave(), reference_of(0)));
  EXPECT_TRUE(passes(check, wave(), reference_of(2.5e-9)));  // 1e-9 + 1e-9 · 1.997
  EXPECT_FALSE(passes(check, wave(), reference_of(3.5e-9)));
}

TEST(EvaluateReference, namesTheWorstSample) {
  const auto findings = evaluate(make_check(CheckKind::reference, 1e-9), reference_of(1e-3), wave());
  EXPECT_DOUBLE_EQ(findings.at(0).time, 1.25);
  EXPECT_NEAR(findings.at(0).error, 1e-3, 1e-12);
}

TEST(EvaluateReference, failsWithoutASampleAtTheTime) {
  ReferenceTable table = reference_of(0);
  table.time.back() = 1.2504;
  const auto findings = evaluate(make_check(CheckKind::reference, 1), table, wave());
  EXPECT_FALSE(findings.at(0).passed);
  EXPECT_THAT(findings.at(0).note, testing::HasSubstr("no sample at t = 1.2504"));
}

TEST(EvaluateReference, failsOnANumberThatIsNone) {
  Evidence evidence = wave();
  evidence.columns["body:a.x"][50] = std::nan("");
  EXPECT_FALSE(passes(make_check(CheckKind::reference, 1), evidence, reference_of(0)));
}

TEST(EvaluateFinal, looksAtTheLastSample) {
  Check check = make_check(CheckKind::final_value, 1e-6);
  check.quantities = {"body:a.y"};
  check.value = 5.000004;
  EXPECT_TRUE(passes(check, wave()));
  check.value = 5.000006;
  EXPECT_FALSE(passes(check, wave()));
}

TEST(EvaluateExtreme, findsTheVertexBetweenSamples) {
  Check check = make_check(CheckKind::extreme, 1e-6);
  check.value = 2;
  EXPECT_TRUE(passes(check, wave()));
  check.value = 2.0001;
  EXPECT_FALSE(passes(check, wave()));
  check.largest = false;
  check.value = -2;
  EXPECT_TRUE(passes(check, wave()));
  check.value = 2;
  EXPECT_FALSE(passes(check, wave()));
}

TEST(EvaluateConstant, isRelativeToTheInitialValueOrTheScale) {
  Check check = make_check(CheckKind::constant, 1e-6);
  Evidence evidence = wave();
  check.quantities = {"body:a.y"};
  evidence.columns["body:a.y"][300] = 5 + 4e-6;
  EXPECT_TRUE(passes(check, evidence));
  check.scale = 1;
  EXPECT_FALSE(passes(check, evidence));
  check.quantities = {"body:a.x"};
  EXPECT_FALSE(passes(check, evidence));
}

TEST(EvaluateBound, holdsForBothSigns) {
  Check check = make_check(CheckKind::bound);
  check.limit = 2.6;
  EXPECT_TRUE(passes(check, wave(0.5)));
  EXPECT_TRUE(passes(check, wave(-0.5)));
  check.limit = 2.4;
  EXPECT_FALSE(passes(check, wave(0.5)));
  EXPECT_FALSE(passes(check, wave(-0.5)));
}

TEST(EvaluateFalls, allowsNoRise) {
  const Check check = make_check(CheckKind::falls, 1e-9);
  Evidence evidence;
  for (int k = 0; k <= 100; ++k) {
    evidence.time.push_back(k / 100.0);
    evidence.columns["body:a.x"].push_back(2 - k / 100.0);
  }
  EXPECT_TRUE(passes(check, evidence));
  evidence.columns["body:a.x"].back() = 1.01 + 1.9e-9;
  EXPECT_TRUE(passes(check, evidence));
  evidence.columns["body:a.x"].back() = 1.01 + 2.1e-9;
  EXPECT_FALSE(passes(check, evidence));
  evidence.columns["body:a.x"].back() = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(passes(check, evidence));
  EXPECT_FALSE(passes(check, wave()));
}

TEST(EvaluateReaches, needsTheLargestValueOnly) {
  Check check = make_check(CheckKind::reaches);
  check.limit = 1.999;
  EXPECT_TRUE(passes(check, wave()));
  check.limit = 2.001;
  EXPECT_FALSE(passes(check, wave()));
  EXPECT_FALSE(passes(check, wave(-1)));
}

// Three impacts of a ball, the last of which does not end.
Evidence bounces() {
  Evidence evidence;
  evidence.episodes["contact:a"] = {
      {.begin = 1, .end = 1.5, .impact_speed = 4, .separation_speed = 2, .peak_force = 100},
      {.begin = 2, .end = 2.25, .impact_speed = 2, .separation_speed = 1, .peak_force = 50},
      {.begin = 3, .end = 9, .over = false, .impact_speed = 1}};
  return evidence;
}

Check episodes_check(std::vector<std::string> columns, std::vector<EpisodeTable::Row> rows, double relative = 1e-6) {
  Check check = make_check(CheckKind::episodes, relative);
  check.contact = "contact:a";
  check.episodes.columns = std::move(columns);
  check.episodes.rows = std::move(rows);
  return check;
}

TEST(EvaluateEpisodes, comparesEveryColumn) {
  Check check = episodes_check({"begin", "duration", "restitution", "peak_force"},
                               {{"", 1, {1, 0.5, 0.5, 100}}, {"", 2, {2, 0.25, 0.5, 50}}});
  EXPECT_TRUE(passes(check, bounces()));
  EXPECT_EQ(evaluate(check, {}, bounces()).size(), 4u);
  check.episodes.rows[1].values[3] = 50.0001;
  const auto findings = evaluate(check, {}, bounces());
  EXPECT_FALSE(findings.at(3).passed);
  EXPECT_EQ(findings.at(3).quantity, "peak_force");
  EXPECT_DOUBLE_EQ(findings.at(3).time, 2);
  check.columns = {"begin", "restitution"};
  EXPECT_TRUE(passes(check, bounces()));
}

TEST(EvaluateEpisodes, isRelativeToEachEntry) {
  Check check = episodes_check({"peak_force"}, {{"", 1, {100.00009}}, {"", 2, {50}}});
  EXPECT_TRUE(passes(check, bounces()));
  check.episodes.rows = {{"", 1, {100}}, {"", 2, {50.00009}}};
  EXPECT_FALSE(passes(check, bounces()));
  check.tolerance_absolute = 1e-4;
  EXPECT_TRUE(passes(check, bounces()));
}

TEST(EvaluateEpisodes, knowsWhatIsNotAskedAndWhatDoesNotEnd) {
  const double never = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(passes(episodes_check({"begin", "end"}, {{"", 2, {2, std::nan("")}}, {"", 3, {3, never}}}), bounces()));
  EXPECT_FALSE(passes(episodes_check({"end"}, {{"", 2, {never}}}), bounces()));
  EXPECT_FALSE(passes(episodes_check({"end"}, {{"", 3, {9}}}), bounces()));
  EXPECT_FALSE(passes(episodes_check({"begin"}, {{"", 1, {std::nan("")}}}), bounces()));
}

TEST(EvaluateEpisodes, failsWithoutTheEpisode) {
  const auto findings = evaluate(episodes_check({"begin"}, {{"", 4, {4}}}), {}, bounces());
  EXPECT_FALSE(findings.at(0).passed);
  EXPECT_THAT(findings.at(0).note, testing::HasSubstr("the run has 3 episodes of contact:a, none of number 4"));
  EXPECT_FALSE(passes(episodes_check({"begin"}, {{"", 1, {1}}}), {}));
}

TEST(EvaluateEpisodes, countsExactly) {
  Check check = episodes_check({"begin"}, {{"", 1, {1}}});
  check.count = 3;
  EXPECT_TRUE(passes(check, bounces()));
  check.count = 2;
  EXPECT_FALSE(passes(check, bounces()));
}

TEST(EvaluateEpisodes, doNotCountWhatTheModelDoesNotHave) {
  Check check = episodes_check({}, {});
  check.count = 0;
  check.contact = "contact:aa";
  const auto findings = evaluate(check, {}, bounces());
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_FALSE(findings[0].passed);
  EXPECT_THAT(findings[0].note, testing::HasSubstr("the model has no contact:aa; did you mean `contact:a`?"));
  check.contact = "contact:a point 3";  // a point that nothing happened to
  EXPECT_TRUE(passes(check, bounces()));
}

TEST(EvaluateEpisodes, takesTheRowsOfItsVariant) {
  Check check = episodes_check({"begin"}, {{"soft", 1, {1}}, {"hard", 1, {7}}});
  check.episodes.has_variants = true;
  EXPECT_TRUE(evaluate(check, {}, bounces(), "soft").at(0).passed);
  EXPECT_FALSE(evaluate(check, {}, bounces(), "hard").at(0).passed);
  const auto none = evaluate(check, {}, bounces(), "other");
  EXPECT_FALSE(none.at(0).passed);
  EXPECT_EQ(none.at(0).variant, "other");
  EXPECT_THAT(none.at(0).note, testing::HasSubstr("no value"));
}

TEST(EvaluatePeriod, findsCrossingsBetweenSamples) {
  Check check = make_check(CheckKind::period, 1e-7);
  check.value = 1.7;
  EXPECT_TRUE(passes(check, wave(0.3)));
  check.value = 1.70001;
  EXPECT_FALSE(passes(check, wave(0.3)));
}

TEST(EvaluatePeriod, failsWithoutTwoCrossings) {
  Check check = make_check(CheckKind::period, 1);
  check.value = 1;
  const auto findings = evaluate(check, {}, wave(3));
  EXPECT_FALSE(findings.at(0).passed);
  EXPECT_THAT(findings.at(0).note, testing::HasSubstr("0 upward zero crossings"));
}

TEST(EvaluateResidual, isRelativeToTheLargestEnergy) {
  Evidence evidence;
  evidence.largest_energy = 100;
  evidence.largest_residual = 0.9e-6;
  EXPECT_TRUE(passes(make_check(CheckKind::residual, 1e-8), evidence));
  evidence.largest_residual = 1.1e-6;
  EXPECT_FALSE(passes(make_check(CheckKind::residual, 1e-8), evidence));
  evidence.largest_residual = std::nan("");
  EXPECT_FALSE(passes(make_check(CheckKind::residual, 1e-8), evidence));
}

TEST(EvaluateDrift, holdsTheLimit) {
  Evidence evidence;
  evidence.position_drift = 1e-12;
  Check check = make_check(CheckKind::drift);
  check.limit = 2e-12;
  EXPECT_TRUE(passes(check, evidence));
  check.limit = 0.5e-12;
  EXPECT_FALSE(passes(check, evidence));
}

TEST(EvaluateMode, countsFromTheLowestFrequency) {
  Evidence evidence;
  evidence.modes = {{5, 0.1}, {2, 0}};
  Check check = make_check(CheckKind::mode, 1e-6);
  check.frequency = 2;
  EXPECT_TRUE(passes(check, evidence));
  check.damping_ratio = 1e-5;
  EXPECT_FALSE(passes(check, evidence));
  check.number = 2;
  check.frequency = 5;
  check.damping_ratio = 0.1;
  EXPECT_TRUE(passes(check, evidence));
  check.frequency = 5.00001;
  EXPECT_FALSE(passes(check, evidence));
  check.number = 3;
  EXPECT_FALSE(passes(check, evidence));
}

TEST(EvaluateSum, addsTheLastSamples) {
  Check check = make_check(CheckKind::sum, 0, 1e-9);
  check.quantities = {"body:a.y", "body:a.x", "body:a.y"};
  check.value = 10;  // the wave ends where it began, at 0
  EXPECT_TRUE(passes(check, wave()));
  EXPECT_FALSE(passes(check, wave(1e-8)));
  EXPECT_EQ(evaluate(check, {}, wave())[0].quantity, "body:a.y + body:a.x + body:a.y");
  check.quantities.push_back("body:a.z");
  EXPECT_THAT(evaluate(check, {}, wave())[0].note, testing::HasSubstr("no such quantity"));
  EXPECT_FALSE(passes(check, wave()));
}

TEST(EvaluatePenetration, holdsTheLimit) {
  Check check = make_check(CheckKind::penetration);
  check.limit = 1e-6;
  Evidence evidence = wave();
  evidence.largest_penetration = 0.9e-6;
  EXPECT_TRUE(passes(check, evidence));
  evidence.largest_penetration = 1.1e-6;
  EXPECT_FALSE(passes(check, evidence));
}

TEST(EvaluateIterations, holdsEachOfTheThree) {
  Check check = make_check(CheckKind::iterations);
  check.most = {2, 3, 1};
  Evidence evidence = wave();
  evidence.most_iterations = {2, 3, 1};
  EXPECT_TRUE(passes(check, evidence));
  for (const std::size_t k : {0, 1, 2}) {
    Evidence more = evidence;
    ++more.most_iterations[k];
    EXPECT_FALSE(passes(check, more)) << k;
  }
}

TEST(EvaluateRises, comparesEachVariantWithTheOneBefore) {
  const Check check = make_check(CheckKind::rises);
  const auto found = [&](const std::vector<double>& finals) {
    std::vector<Finding> all;
    for (const double offset : finals) {
      const auto some = evaluate(check, {}, wave(offset), std::to_string(offset));
      all.insert(all.end(), some.begin(), some.end());
    }
    judge_rises(all);
    return all;
  };
  const auto all_passed = [](const std::vector<Finding>& findings) {
    return std::all_of(findings.begin(), findings.end(), [](const Finding& each) { return each.passed; });
  };
  EXPECT_EQ(found({1, 2, 4}).size(), 2u);
  EXPECT_TRUE(all_passed(found({1, 2, 4})));
  EXPECT_FALSE(all_passed(found({1, 1})));
  EXPECT_FALSE(all_passed(found({1, std::nan("")})));
  EXPECT_FALSE(all_passed(found({std::nan(""), 1})));
  const auto falling = found({1, 3, 2.5});
  EXPECT_TRUE(falling[0].passed);
  EXPECT_FALSE(falling[1].passed);
  EXPECT_NEAR(falling[1].reference, 3, 1e-9);
  EXPECT_NEAR(falling[1].error, 0.5, 1e-9);
  EXPECT_GT(falling[1].use(), 1);
}

TEST(Evaluate, suggestsTheNearestQuantity) {
  Check check = make_check(CheckKind::bound);
  check.quantities = {"body:a.xx"};
  const auto findings = evaluate(check, {}, wave());
  EXPECT_FALSE(findings.at(0).passed);
  EXPECT_THAT(findings.at(0).note, testing::HasSubstr("did you mean `body:a.x`?"));
}

}  // namespace
}  // namespace carom
