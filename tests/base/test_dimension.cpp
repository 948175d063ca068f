#include <gtest/gtest.h>

#include "base/dimension.h"
#include "base/units.h"

namespace carom {
namespace {

Dimension of(const std::string& unit) {
  const auto dimension = dimension_of_unit(unit);
  EXPECT_TRUE(dimension) << unit;
  return dimension.value_or(Dimension{});
}

TEST(Dimension, HoldsThePowersOfTheBaseUnits) {
  const std::array<double, 7> newton = {1, 1, -2, 0, 0, 0, 0};
  EXPECT_EQ(of("N").powers(), newton);
  const std::array<double, 7> all = {1, 2, -3, -1, -4, 5, 6};
  EXPECT_EQ(of("V mol^5 cd^6 / K^4").powers(), all);
}

TEST(Dimension, TakesRadiansForNumbers) {
  EXPECT_TRUE(of("deg").is_one());
  EXPECT_TRUE(of("%").is_one());
  EXPECT_TRUE(of("").is_one());
  EXPECT_EQ(of("rpm"), of("1/s"));
  EXPECT_EQ(of("N m/rad"), of("J"));
  EXPECT_FALSE(of("rpm").is_one());
}

TEST(Dimension, DoesNotDependOnPrefixesAndOffsets) {
  EXPECT_EQ(of("mm"), of("km"));
  EXPECT_EQ(of("degC"), of("K"));
  EXPECT_EQ(of("lbf"), of("kg m/s^2"));
  EXPECT_NE(of("mm"), of("mm^2"));
}

TEST(Dimension, MultipliesDividesAndTakesPowers) {
  EXPECT_EQ(of("kg") * of("m/s^2"), of("N"));
  EXPECT_EQ(of("m") / of("s"), of("m/s"));
  EXPECT_EQ(of("m^2").to_the(0.5), of("m"));
  EXPECT_EQ(of("m").to_the(1.0 / 3) * of("m").to_the(1.0 / 3) * of("m").to_the(1.0 / 3), of("m"));  // up to rounding
  EXPECT_TRUE((of("Pa") / of("N/m^2")).is_one());
}

TEST(Dimension, ReadsAsAUnit) {
  EXPECT_EQ(of("").text(), "1");
  EXPECT_EQ(of("mm").text(), "m");
  EXPECT_EQ(of("rpm").text(), "1/s");
  EXPECT_EQ(of("km/h").text(), "m/s");
  EXPECT_EQ(of("g mm^2").text(), "kg m^2");
  EXPECT_EQ(of("kN").text(), "N");
  EXPECT_EQ(of("J").text(), "N m");
  EXPECT_EQ(of("GPa").text(), "Pa");
  EXPECT_EQ(of("N/mm").text(), "N/m");
  EXPECT_EQ(of("N/m^1.5").text(), "N/m^1.5");
  EXPECT_EQ(of("N s/m").text(), "kg/s");
  EXPECT_EQ(of("W/(m K)").text(), "kg m/(s^3 K)");
  EXPECT_EQ(of("m^(2/3)").text(), "m^(2/3)");
  EXPECT_EQ(unit_phrase(of("deg")), "no unit");
}

TEST(Dimension, TextReadsBack) {
  for (const char* unit : {"m", "kg m^2/s^3", "1/(m s)", "A s", "m^0.25", "s^(-5/3)", "N/m^1.08", "W/(m^2 K)", "1/s^2",
                           "kg^(1/7) mol cd/K", "N", "Pa", "N m", "W"}) {
    EXPECT_EQ(of(of(unit).text()), of(unit)) << unit << " → " << of(unit).text();
  }
}

TEST(Dimension, OfQuantities) {
  EXPECT_EQ(dimension_of_quantity("50 mm"), of("m"));
  EXPECT_EQ(dimension_of_quantity(" +5e3rpm "), of("1/s"));
  EXPECT_EQ(dimension_of_quantity("30 deg"), Dimension{});
  EXPECT_EQ(dimension_of_quantity("3"), std::nullopt);
  EXPECT_EQ(dimension_of_quantity("5 qm"), std::nullopt);
}

}  // namespace
}  // namespace carom
