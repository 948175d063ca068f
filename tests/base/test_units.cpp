#include <gmock/gmock.h>

#include <clocale>
#include <numbers>
#include <thread>

#include "base/units.h"

namespace carom {
namespace {

using std::numbers::pi;
using testing::HasSubstr;

struct Conversion {
  const char* text;
  const char* si_unit;
  double value;
};

std::ostream& operator<<(std::ostream& out, const Conversion& each) {
  return out << '"' << each.text << "\" as " << each.si_unit;
}

class ParseQuantity : public testing::TestWithParam<Conversion> {};

TEST_P(ParseQuantity, GivesTheValueInSi) {
  const auto& [text, si_unit, value] = GetParam();
  const QuantityResult result = parse_quantity(text, si_unit);
  EXPECT_TRUE(result.ok()) << text << ": " << result.error;
  EXPECT_NEAR(result.value, value, 1e-15 * std::abs(value) * 4) << text;
}

INSTANTIATE_TEST_SUITE_P(
    Conversions, ParseQuantity,
    testing::Values(
        Conversion{"0.05 mm", "m", 5e-5}, Conversion{"5000 rpm", "rad/s", 5000 * 2 * pi / 60},
        Conversion{"30 deg", "rad", pi / 6}, Conversion{"30°", "rad", pi / 6}, Conversion{"2 rev", "rad", 4 * pi},
        Conversion{"1 rev/s", "rad/s", 2 * pi}, Conversion{"207 GPa", "Pa", 207e9}, Conversion{"3 kg m^2", "kg m^2", 3},
        Conversion{"3 kg*m2", "kg m^2", 3}, Conversion{"3 kg.m2", "kg m^2", 3}, Conversion{"3 kg·m²", "kg m^2", 3},
        Conversion{"3 g mm**2", "kg m^2", 3e-9}, Conversion{"4 N/mm", "N/m", 4e3}, Conversion{"4 N*s/m", "N s/m", 4},
        Conversion{"4 kN m", "N m", 4e3}, Conversion{"4 N m/rad", "N m/rad", 4}, Conversion{"4 N m", "N m/rad", 4},
        Conversion{"1 N m/deg", "N m/rad", 180 / pi}, Conversion{"9.81 m s-2", "m/s2", 9.81},
        Conversion{"9.81 m/s^2", "m/s2", 9.81}, Conversion{"36 km/h", "m/s", 10}, Conversion{"5 1/s", "1/s", 5},
        Conversion{"5 /s", "1/s", 5}, Conversion{"1 N/mm^1.5", "N/m^1.5", std::pow(1e3, 1.5)},
        Conversion{"1 N/mm^(3/2)", "N/m^1.5", std::pow(1e3, 1.5)}, Conversion{"2 kW/(m K)", "W/(m K)", 2e3},
        Conversion{"7850 kg/m3", "kg/m^3", 7850}, Conversion{"12 %", "", 0.12}, Conversion{"12 %", "1", 0.12},
        Conversion{"3 mm/m", "1", 3e-3}, Conversion{"7", "m", 7}, Conversion{"  -7e-3  ", "m", -7e-3},
        Conversion{"+.5 m", "m", 0.5}, Conversion{"5mm", "m", 5e-3}, Conversion{"2e3mm", "m", 2},
        Conversion{"3 m", "mm", 3000}, Conversion{"50 Hz", "1/s", 50}, Conversion{"3 µm", "m", 3e-6},
        Conversion{"1 inch", "m", 0.0254}));

TEST(Units, AnOffsetIsAppliedToALoneUnitAndRejectedInAProduct) {
  EXPECT_DOUBLE_EQ(parse_quantity("20 degC", "K").value, 293.15);
  EXPECT_DOUBLE_EQ(parse_quantity("0 K", "degC").value, -273.15);
  EXPECT_THAT(parse_quantity("20 W/degC", "W/K").error, HasSubstr("offset"));
  EXPECT_THAT(parse_quantity("20 degC^2", "K^2").error, HasSubstr("offset"));
  EXPECT_THAT(parse_quantity("20 /degC", "1/K").error, HasSubstr("offset"));
  EXPECT_DOUBLE_EQ(parse_quantity("20 W/K", "W/K").value, 20);
}

struct Mistake {
  const char* text;
  const char* si_unit;
  const char* message;
};

std::ostream& operator<<(std::ostream& out, const Mistake& each) {
  return out << '"' << each.text << "\" as " << each.si_unit;
}

class ParseQuantityMistake : public testing::TestWithParam<Mistake> {};

TEST_P(ParseQuantityMistake, IsToldInWords) {
  const auto& [text, si_unit, message] = GetParam();
  const QuantityResult result = parse_quantity(text, si_unit);
  EXPECT_FALSE(result.ok()) << text << " gave " << result.value;
  EXPECT_THAT(result.error, HasSubstr(message));
}

INSTANTIATE_TEST_SUITE_P(
    Mistakes, ParseQuantityMistake,
    testing::Values(
        Mistake{"3 kg", "m", "`3 kg` is not a length: expected a unit like m"},
        Mistake{"3 m", "rad", "`3 m` is not an angle: expected a unit like rad"},
        Mistake{"3 deg", "1", "is not a dimensionless number: expected no unit"}, Mistake{"3 rad", "", "dimensionless"},
        Mistake{"3 rad m", "m", "is not a length"}, Mistake{"3 rpm", "Hz", "is not a frequency"},
        Mistake{"3 rad2/s", "rad/s", "is not an angular velocity"},
        Mistake{"50 Hz", "rad/s", "counts cycles, not radians"}, Mistake{"1 kHz", "rad/s", "counts cycles"},
        Mistake{"3 N/m", "N/m^1.5", "wrong dimension"}, Mistake{"3 parsnip", "m", "unknown unit `parsnip`"},
        Mistake{"3 mpa", "Pa", "did you mean `MPa`?"}, Mistake{"", "m", "does not begin with a number"},
        Mistake{"  ", "m", "does not begin with a number"}, Mistake{"mm", "m", "does not begin with a number"},
        Mistake{"nan", "m", "does not begin with a number"}, Mistake{"inf", "m", "does not begin with a number"},
        Mistake{"-inf m", "m", "does not begin with a number"}, Mistake{"+-3 m", "m", "does not begin with a number"},
        Mistake{". m", "m", "does not begin with a number"}, Mistake{"1e999 m", "m", "out of range"},
        Mistake{"1e308 km", "m", "out of range"}, Mistake{"3,5 m", "m", "decimal point"},
        Mistake{"3 5 m", "m", "two numbers"}, Mistake{"1 000 m", "m", "two numbers"},
        Mistake{"3 m 5", "m", "second number"}, Mistake{"3 m.5", "m", "second number"},
        Mistake{"3 1/10", "1", "second number"}, Mistake{"1/2 m", "m", "second number"},
        Mistake{"3 m/", "m", "not complete"}, Mistake{"3 (m", "m", "`)` is missing"},
        Mistake{"3 m)", "m", "cannot read `)`"}, Mistake{"3 m^", "m", "power is missing"},
        Mistake{"3 m^99", "m", "out of range"}, Mistake{"3 m^(1/0)", "m", "out of range"},
        Mistake{"3 m @ 4", "m", "cannot read `@ 4`"}, Mistake{"3 m", "parsnip", "unknown unit `parsnip`"},
        Mistake{"3 s since 2000-01-01", "s", "unknown unit"}));

TEST(Units, DeepParenthesesAreAnErrorNotACrash) {
  EXPECT_THAT(parse_quantity("3 " + std::string(100000, '('), "m").error, HasSubstr("too many parentheses"));
}

TEST(Units, NumbersDoNotDependOnTheLocale) {
  const std::string before = std::setlocale(LC_NUMERIC, nullptr);
  for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE"}) {
    if (std::setlocale(LC_NUMERIC, name) == nullptr) continue;
    EXPECT_DOUBLE_EQ(parse_quantity("2.5 mm", "m").value, 2.5e-3);
  }
  std::setlocale(LC_NUMERIC, before.c_str());
}

TEST(Units, MayBeReadFromSeveralThreads) {
  std::vector<double> values(4);
  {
    std::vector<std::jthread> threads;
    for (double& value : values) {
      threads.emplace_back([&value] {
        for (int i = 0; i < 200; ++i) value += parse_quantity("1 mm", "m").value + parse_quantity("1 x", "m").value;
      });
    }
  }
  for (const double value : values) EXPECT_NEAR(value, 0.2, 1e-12);
}

}  // namespace
}  // namespace carom
