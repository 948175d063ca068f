#include "../support/count_allocations.h"

#include <gtest/gtest.h>

#include "bearings/quasi_static.h"
#include "contact_laws/stiffness.h"

#ifdef CAROM_COUNTS_ALLOCATIONS

namespace carom {
namespace {

RollingGeometry tried(BearingType type) {
  RollingGeometry geometry{.type = type, .elements = 12, .element_diameter = 0.01, .pitch_diameter = 0.06};
  geometry.rows = {{.position = -0.01, .direction = 1}, {.position = 0.01, .direction = -1}};
  geometry.contact_angle = 0.3, geometry.preload_displacement = 5e-6;
  geometry.groove_radius = {0.0052, 0.0053};
  geometry.length = 0.01, geometry.crowning = 3.5e-6, geometry.profile = RollerProfile::logarithmic;
  geometry.slices = 31;
  geometry.mass = 0.005, geometry.inertia = 5e-8;
  geometry.composite_modulus.fill(composite_modulus(207e9, 0.3, 207e9, 0.3));
  return geometry;
}

TEST(QuasiStaticBearing, AllocatesNothingOnceItIsThere) {
  for (const BearingType type : {BearingType::angular_contact, BearingType::four_point, BearingType::tapered_roller,
                                 BearingType::spherical_roller}) {
    const QuasiStaticBearing bearing(tried(type));
    double sum = 0;
    const std::size_t before = allocations;
    for (int k = 0; k < 20; ++k) {
      const RingPlace place = std::sin(0.7 * k) * RingPlace{{2e-5, -1e-5, 1e-5, 2e-4, 1e-4}};
      const RingSpeeds speeds{.outer = 10.0 * (k % 3), .spin = 400.0 * (k % 4)};
      sum += bearing.forces(place, speeds).all[0] + bearing.load(place, speeds).force[1] +
             bearing.standing_energy(place) + bearing.element(k, place, speeds).inner_load;
    }
    EXPECT_EQ(allocations, before);
    EXPECT_GT(std::abs(sum), 1);
  }
}

}  // namespace
}  // namespace carom

#endif
