#include <cmath>

#include <gtest/gtest.h>

#include "bearings/ninth_root.h"

namespace carom {
namespace {

TEST(NinthRoot, IsThatOfPow) {
  for (double x = 1e-30; x < 1e6; x *= 1.37) {
    const Packed given{x, 1.1 * x, 2.3 * x, 7 * x};
    Packed roots = given;
    take_ninth_root(roots);
    for (int lane = 0; lane < packed_width; ++lane) {
      const double expected = std::pow(given[lane], 1.0 / 9);
      EXPECT_NEAR(roots[lane], expected, 1e-15 * expected) << given[lane];
    }
  }
  Packed none = Packed{} + least_for_root;
  take_ninth_root(none);
  EXPECT_LT(none[0], 1e-27);
  EXPECT_GE(none[0], 0);
}

}  // namespace
}  // namespace carom
