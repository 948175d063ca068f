#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "assemblies.h"
#include "cad_import/fits.h"
#include "step/read_step.h"

namespace carom {
namespace {

// All that was built in is found, with its diameters, and nothing else; what nearly fits is listed.
TEST(Fits, OfAMachineAreAllFoundAndNoneIsFalse) {
  const making::Machine machine = making::make_machine();
  ASSERT_EQ(machine.fits.size(), 40);
  const auto assembly = read_step(std::make_shared<const std::string>(machine.text), {});
  const Fits found = find_fits(find_features(*assembly), {});
  const auto name = [&](int place) { return assembly->placements[static_cast<std::size_t>(place)].name; };
  std::vector<bool> used(found.fits.size());
  for (const making::TrueFit& fit : machine.fits) {
    const std::string title = fit.inside + " in " + fit.hole;
    std::size_t k = 0;
    while (k < found.fits.size() && !(name(found.fits[k].hole) == fit.hole && name(found.fits[k].inside) == fit.inside))
      ++k;
    ASSERT_LT(k, found.fits.size()) << title;
    used[k] = true;
    const Fit& each = found.fits[k];
    EXPECT_EQ(each.kind, fit.kind) << title;
    EXPECT_LT((each.centre - fit.centre).norm(), 1e-9) << title;
    EXPECT_NEAR(each.clearance, fit.clearance, 1e-9) << title;
    if (fit.kind != FitKind::ball) {
      EXPECT_NEAR(each.length, fit.length, 1e-9) << title;
      EXPECT_LT(each.axis.cross(fit.axis).norm(), 1e-9) << title;
    }
    if (fit.kind != FitKind::slide) {
      EXPECT_NEAR(2 * each.hole_radius, fit.hole_diameter, 1e-9) << title;
    } else {
      const std::multiset<double> sides = {2 * each.hole_radius, each.hole_height};
      EXPECT_NEAR(*sides.begin(), std::min(fit.hole_diameter, fit.height), 1e-9) << title;
      EXPECT_NEAR(*sides.rbegin(), std::max(fit.hole_diameter, fit.height), 1e-9) << title;
    }
  }
  for (std::size_t k = 0; k < used.size(); ++k)
    EXPECT_TRUE(used[k]) << "false: " << name(found.fits[k].inside) << " in " << name(found.fits[k].hole);
  std::set<std::pair<std::string, std::string>> near, expected(machine.near_misses.begin(), machine.near_misses.end());
  for (const NearMiss& miss : found.near_misses) near.emplace(name(miss.hole), name(miss.inside));
  EXPECT_EQ(near, expected);
}

}  // namespace
}  // namespace carom
