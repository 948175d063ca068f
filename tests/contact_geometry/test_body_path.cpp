// How far bodies go in a step.
#include <algorithm>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "contact_geometry/body_path.h"

namespace carom {
namespace {

// The same motion, which does not say that it is straight.
class UnknownMotion final : public StepMotion {
 public:
  explicit UnknownMotion(const StraightMotion& motion) : motion_(motion) {}
  int degree() const override { return motion_.degree(); }
  void controls(int first, int count, double* out) const override { motion_.controls(first, count, out); }

 private:
  const StraightMotion& motion_;
};

template <int D>
void expect_the_same_way() {
  constexpr int bodies = 5, size = Space<D>::coordinates;
  std::mt19937 generator(3);
  std::normal_distribution<double> normal;
  std::vector<double> from(bodies * size), to(bodies * size);
  std::generate(from.begin(), from.end(), [&] { return normal(generator); });
  std::generate(to.begin(), to.end(), [&] { return normal(generator); });
  std::copy_n(from.begin(), size, to.begin());  // the first one stays
  const StraightMotion straight(from.data(), to.data());
  const UnknownMotion unknown(straight);
  BodyPath<D> known, found;
  known.start(straight, bodies + 1);
  found.start(unknown, bodies + 1);
  EXPECT_EQ(known.travel(0), 0);
  EXPECT_EQ(known.travel(1), 0);
  for (int body = 1; body <= bodies; ++body) {
    EXPECT_EQ(known.travel(body), found.travel(body)) << body;
    BodyState<D> end;
    known.place(body, 1, end);
    VectorOf<D> start;
    std::copy_n(from.begin() + (body - 1) * size, D, start.data());
    EXPECT_NEAR(known.travel(body), (end.position - start).norm(), 1e-14);
  }
}

TEST(BodyPath, StraightWaysAreKnownWithoutControlPoints) {
  expect_the_same_way<2>();
  expect_the_same_way<3>();
}

}  // namespace
}  // namespace carom
