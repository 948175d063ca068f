#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "studies/sampling.h"

namespace carom {
namespace {

Study drawn(Sampling sampling, std::size_t samples, const Spread& spread, std::uint64_t seed = 1) {
  Study study;
  study.models.resize(1);
  study.sampling = sampling;
  study.samples = samples;
  study.seed = seed;
  study.varied = {{.parameter = "a", .unit = "", .spread = spread}, {.parameter = "b", .unit = "", .spread = spread}};
  return study;
}

TEST(Sampling, GridRunsEveryCombinationInOrder) {
  Study study;
  study.models.resize(2);
  study.varied = {{.parameter = "a", .unit = "", .values = {1, 2}},
                  {.parameter = "b", .unit = "", .values = {3, 4, 5}}};
  const StudyPlan plan(study);
  ASSERT_EQ(plan.size(), 12u);
  EXPECT_EQ(plan.values(1), (std::vector<double>{1, 4}));
  EXPECT_EQ(plan.values(3), (std::vector<double>{2, 3}));
  EXPECT_EQ(plan.run(7).model, 1u);
  EXPECT_EQ(plan.values(7), plan.values(1));
  study.sampling = Sampling::list;
  study.varied[0].values = {1, 2, 9};
  EXPECT_EQ(StudyPlan(study).size(), 6u);
  EXPECT_EQ(StudyPlan(study).values(2), (std::vector<double>{9, 5}));
}

TEST(Sampling, LatinHypercubeFillsEverySlice) {
  const auto points = sample_points(drawn(Sampling::latin_hypercube, 50, {}));
  for (std::size_t d = 0; d < 2; ++d) {
    std::set<int> slices;
    for (const auto& point : points) slices.insert(static_cast<int>(point[d] * 50));
    EXPECT_EQ(slices.size(), 50u);
  }
}

// The second to fourth points of the sequence are 1/2, 3/4 and 1/4 in some order of the axes.
TEST(Sampling, SobolIsEven) {
  const auto points = sample_points(drawn(Sampling::sobol, 255, {}, 0));
  EXPECT_NEAR(points[0][0], 0.5, 1e-12);
  EXPECT_NEAR(points[0][1], 0.5, 1e-12);
  for (int cell = 0; cell < 16; ++cell) {
    const auto inside = std::count_if(points.begin(), points.end(), [&](const auto& p) {
      return static_cast<int>(p[0] * 4) == cell % 4 && static_cast<int>(p[1] * 4) == cell / 4;
    });
    EXPECT_NEAR(static_cast<double>(inside), 16, 1);
  }
}

TEST(Sampling, SameSeedSamePoints) {
  for (const Sampling sampling : {Sampling::latin_hypercube, Sampling::sobol, Sampling::random}) {
    EXPECT_EQ(sample_points(drawn(sampling, 20, {}, 7)), sample_points(drawn(sampling, 20, {}, 7)));
    EXPECT_NE(sample_points(drawn(sampling, 20, {}, 7)), sample_points(drawn(sampling, 20, {}, 8)));
  }
}

TEST(Sampling, DistributionsHaveTheirQuantiles) {
  const Spread normal = {.kind = Spread::Kind::normal, .mean = 5, .deviation = 2};
  EXPECT_NEAR(quantile(normal, 0.5), 5, 1e-12);
  EXPECT_NEAR(quantile(normal, 0.975), 5 + 2 * 1.959963984540054, 1e-9);
  const Spread weibull = {.kind = Spread::Kind::weibull, .shape = 2, .scale = 3, .location = 1};
  EXPECT_NEAR(quantile(weibull, 0.5), 1 + 3 * std::sqrt(std::log(2)), 1e-12);
  EXPECT_NEAR(quantile({.kind = Spread::Kind::log_uniform, .from = 1, .to = 100}, 0.5), 10, 1e-12);
  const Spread cut = {.kind = Spread::Kind::normal, .mean = 0, .deviation = 1, .lower = 0, .upper = 1};
  EXPECT_NEAR(quantile(cut, 1e-12), 0, 1e-9);
  EXPECT_NEAR(quantile(cut, 1 - 1e-12), 1, 1e-9);
}

}  // namespace
}  // namespace carom
