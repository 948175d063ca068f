#include <gmock/gmock.h>

#include <cmath>

#include "base/expression.h"
#include "base/units.h"

namespace carom {
namespace {

using testing::HasSubstr;

Dimension of(const std::string& unit) {
  return dimension_of_unit(unit).value();
}

// length, width (m), mass (kg), angle, ratio (1), speed (m/s) with units; plain and count without; t in s, u without.
std::variant<Expression, ExpressionError> compile(const std::string& text) {
  const KnownDimensions dimensions = {.meant = {{"t", of("s")}},
                                      .written = {{"length", of("m")},
                                                  {"width", of("m")},
                                                  {"mass", of("kg")},
                                                  {"angle", of("rad")},
                                                  {"ratio", of("1")},
                                                  {"speed", of("m/s")},
                                                  {"span", of("s")}}};
  return Expression::compile(text, {"t", "u"},
                             {{"length", 2},
                              {"width", 3},
                              {"mass", 5},
                              {"angle", 0.5},
                              {"ratio", 2},
                              {"speed", 7},
                              {"span", 0.25},
                              {"plain", 1.5},
                              {"count", 3}},
                             dimensions);
}

// The unit of the expression, "free" if it may have any, or its error.
std::string unit_of(const std::string& text) {
  const auto result = compile(text);
  if (const auto* error = std::get_if<ExpressionError>(&result)) return "error: " + error->message;
  const auto& dimension = std::get<Expression>(result).dimension();
  return dimension ? dimension->text() : "free";
}

std::string problem(const std::string& text) {
  const auto result = compile(text);
  const auto* error = std::get_if<ExpressionError>(&result);
  return error ? std::to_string(error->column) + ": " + error->message + "; " + error->remedy : "none";
}

TEST(ExpressionDimension, OfNamesAndNumbers) {
  EXPECT_EQ(unit_of("length"), "m");
  EXPECT_EQ(unit_of("angle"), "1");
  EXPECT_EQ(unit_of("plain"), "free");
  EXPECT_EQ(unit_of("3"), "free");
  EXPECT_EQ(unit_of("pi"), "free");
  EXPECT_EQ(unit_of("t"), "free");  // nobody wrote a unit
  EXPECT_EQ(unit_of("u"), "free");
  EXPECT_EQ(unit_of("-length"), "m");
  EXPECT_EQ(unit_of("+(length)"), "m");
}

TEST(ExpressionDimension, NumbersAreFactorsWithoutUnit) {
  EXPECT_EQ(unit_of("2*length"), "m");
  EXPECT_EQ(unit_of("length*pi/4"), "m");
  EXPECT_EQ(unit_of("2*pi/span"), "1/s");
  EXPECT_EQ(unit_of("(2 + 3)*length"), "m");
  EXPECT_EQ(unit_of("sqrt(3)*length"), "m");
  EXPECT_EQ(unit_of("sin(0.3)*length"), "m");
  EXPECT_EQ(unit_of("max(1, 2)*length"), "m");
  EXPECT_EQ(unit_of("(1 < 2)*length"), "m");
  EXPECT_EQ(unit_of("2^3*length"), "m");
}

TEST(ExpressionDimension, NumbersAreTermsOfAnyUnit) {
  EXPECT_EQ(unit_of("length + 0.01"), "m");
  EXPECT_EQ(unit_of("0.01 - length"), "m");
  EXPECT_EQ(unit_of("length + 2*0.01"), "m");
  EXPECT_EQ(unit_of("max(0, length)"), "m");
  EXPECT_EQ(unit_of("length > 0.1 ? 50 : 0"), "free");  // two numbers
  EXPECT_EQ(unit_of("t > span ? length : 0"), "m");
}

TEST(ExpressionDimension, NamesWithoutUnitMakeProductsFree) {
  EXPECT_EQ(unit_of("plain*length"), "free");
  EXPECT_EQ(unit_of("length/plain"), "free");
  EXPECT_EQ(unit_of("2*plain*length"), "free");
  EXPECT_EQ(unit_of("plain + length"), "m");
  EXPECT_EQ(unit_of("length - plain"), "m");
  EXPECT_EQ(unit_of("plain*length + mass"), "kg");
  EXPECT_EQ(unit_of("plain^2*length"), "free");
  EXPECT_EQ(unit_of("sqrt(plain)*length"), "free");
  EXPECT_EQ(unit_of("u*length"), "free");
}

TEST(ExpressionDimension, WithoutAWrittenUnitNothingIsChecked) {
  EXPECT_EQ(unit_of("0.1*sin(t)"), "free");
  EXPECT_EQ(unit_of("3*t + 2"), "free");
  EXPECT_EQ(unit_of("t + t^2"), "free");
  EXPECT_EQ(unit_of("plain*exp(-t)"), "free");
  EXPECT_EQ(unit_of("t > 1 ? t : t^2"), "free");
}

TEST(ExpressionDimension, AnglesAndRatiosAloneLeaveNumbersFree) {
  EXPECT_EQ(unit_of("0.1*cos(angle)"), "free");  // 0.1 may be a length
  EXPECT_EQ(unit_of("ratio*t"), "free");
  EXPECT_EQ(unit_of("30[deg] + angle"), "free");
  EXPECT_EQ(unit_of("-angle"), "1");
  EXPECT_EQ(unit_of("30[deg]"), "1");
  EXPECT_EQ(unit_of("length*cos(angle)"), "m");
}

TEST(ExpressionDimension, OfOperators) {
  EXPECT_EQ(unit_of("mass*length"), "kg m");
  EXPECT_EQ(unit_of("length/t*mass/t"), "N");
  EXPECT_EQ(unit_of("speed*t"), "m");
  EXPECT_EQ(unit_of("speed*t + length"), "m");
  EXPECT_EQ(unit_of("length - width"), "m");
  EXPECT_EQ(unit_of("length < width"), "1");
  EXPECT_EQ(unit_of("length <= width && mass == 3"), "1");
  EXPECT_EQ(unit_of("length >= width || mass != 3"), "1");
  EXPECT_EQ(unit_of("length > width"), "1");
  EXPECT_EQ(unit_of("!length"), "1");
  EXPECT_EQ(unit_of("length && mass"), "1");
  EXPECT_EQ(unit_of("mass ? length : width"), "m");
}

TEST(ExpressionDimension, OfPowers) {
  EXPECT_EQ(unit_of("length^2"), "m^2");
  EXPECT_EQ(unit_of("length**-1"), "1/m");
  EXPECT_EQ(unit_of("length^(2/3)"), "m^(2/3)");
  EXPECT_EQ(unit_of("pow(length, 3)"), "m^3");
  EXPECT_EQ(unit_of("length^0"), "1");
  EXPECT_EQ(unit_of("length^plain"), "m^1.5");  // the exponent is a constant, and none has a unit
  EXPECT_EQ(unit_of("length^ratio"), "m^2");
  EXPECT_EQ(unit_of("length*ratio^t"), "error: the exponent `t` (s) has a unit");
  EXPECT_EQ(unit_of("ratio^(t/span)"), "1");
  EXPECT_EQ(unit_of("2^(t/span)"), "1");
  EXPECT_EQ(unit_of("2^plain*length"), "free");
  EXPECT_EQ(unit_of("plain^ratio"), "free");
  EXPECT_EQ(unit_of("e^(-t/span)*length"), "m");
  EXPECT_EQ(unit_of("length^(t/span)"), "error: `length` (m) has an exponent that is no constant");
  EXPECT_EQ(unit_of("2^length"), "error: the exponent `length` (m) has a unit");
  EXPECT_EQ(unit_of("length^1e9"), "error: the exponent `1e9` of `length` (m) is out of range");
  EXPECT_EQ(unit_of("length^(0/0)"), "error: the exponent `(0/0)` of `length` (m) is out of range");
  EXPECT_EQ(unit_of("sqrt(length*width)"), "m");
  EXPECT_EQ(unit_of("sqrt(mass)"), "kg^0.5");
  EXPECT_EQ(unit_of("cbrt(length^3)"), "m");
}

TEST(ExpressionDimension, OfFunctionsOfNumbers) {
  for (const std::string name :
       {"sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "log", "ln", "log10"}) {
    EXPECT_EQ(unit_of("length*" + name + "(angle)"), "m") << name;
    EXPECT_EQ(unit_of(name + "(t/span)"), "1") << name;
    EXPECT_EQ(unit_of("length*" + name + "(plain)"), "m") << name;
    EXPECT_EQ(unit_of("length*" + name + "(0.5)"), "m") << name;
    EXPECT_EQ(unit_of("length + " + name + "(0.5)"), "m") << name;  // a number
    EXPECT_EQ(unit_of(name + "(length)"), "error: `" + name + "` takes a number without a unit, not `length` (m)");
    EXPECT_EQ(unit_of("length*" + name + "(t)"), "error: `" + name + "` takes a number without a unit, not `t` (s)");
    EXPECT_THAT(unit_of("length + " + name + "(angle)"), HasSubstr("error: `+` stands between"));
  }
  for (const std::string name : {"floor", "ceil"}) {
    EXPECT_EQ(unit_of(name + "(t/span)"), "1");
    EXPECT_EQ(unit_of(name + "(plain)*length"), "free");
    EXPECT_EQ(unit_of(name + "(2.5)*length"), "m");
    EXPECT_THAT(unit_of(name + "(length)"), HasSubstr("takes a number without a unit"));
  }
}

TEST(ExpressionDimension, OfFunctionsThatKeepIt) {
  EXPECT_EQ(unit_of("abs(length)"), "m");
  EXPECT_EQ(unit_of("sign(length)"), "1");
  EXPECT_EQ(unit_of("sign(plain)*length"), "m");
  EXPECT_EQ(unit_of("min(length)"), "m");
  for (const std::string name : {"min", "max", "mod", "hypot"}) {
    EXPECT_EQ(unit_of(name + "(length, width)"), "m") << name;
    EXPECT_EQ(unit_of(name + "(length, 2)"), "m") << name;
    EXPECT_EQ(unit_of(name + "(plain, width)"), "m") << name;
    EXPECT_EQ(unit_of(name + "(length, mass)"), "error: `" + name + "` is given `length` (m) and `mass` (kg)");
  }
  EXPECT_THAT(unit_of("min(length, 1, mass)"), HasSubstr("`mass` (kg)"));
  EXPECT_EQ(unit_of("atan2(length, width)"), "1");
  EXPECT_EQ(unit_of("atan2(length, mass)"), "error: `atan2` is given `length` (m) and `mass` (kg)");
  EXPECT_EQ(unit_of("if(t > span, length, 0)"), "m");
  EXPECT_EQ(unit_of("if(t > span, length, mass)"), "error: `if` is given `length` (m) and `mass` (kg)");
}

TEST(ExpressionDimension, OfSteps) {
  for (const std::string name : {"step", "smoothstep5"}) {
    EXPECT_EQ(unit_of(name + "(t, 0, 0, 0.5, length)"), "m");
    EXPECT_EQ(unit_of(name + "(t, 0, width, span, length)"), "m");
    EXPECT_EQ(unit_of(name + "(t, 0, 0, span, 1)"), "free");
    EXPECT_EQ(unit_of(name + "(length, 0, 0, width, 1)"), "free");
    EXPECT_EQ(unit_of(name + "(t, length, 0, 1, 1)"), "error: `" + name + "` is given `t` (s) and `length` (m)");
    EXPECT_EQ(unit_of(name + "(t, 0, 0, length, 1)"), "error: `" + name + "` is given `t` (s) and `length` (m)");
    EXPECT_EQ(unit_of(name + "(0, t, 0, length, 1)"), "error: `" + name + "` is given `t` (s) and `length` (m)");
    EXPECT_EQ(unit_of(name + "(t, 0, mass, 1, length)"), "error: `" + name + "` is given `mass` (kg) and `length` (m)");
  }
}

TEST(ExpressionDimension, ErrorsNameOperatorSidesAndColumn) {
  EXPECT_EQ(problem("length + mass"),
            "8: `+` stands between `length` (m) and `mass` (kg); both must have the same unit");
  EXPECT_EQ(problem("2 + (length - mass*width)"),
            "13: `-` stands between `length` (m) and `mass*width` (kg m); both must have the same unit");
  EXPECT_EQ(problem("length < mass"),
            "8: `<` stands between `length` (m) and `mass` (kg); both must have the same unit");
  EXPECT_EQ(problem("1 ? length : mass"),
            "12: `:` stands between `length` (m) and `mass` (kg); both must have the same unit");
  EXPECT_EQ(problem("(length + angle)*mass"),
            "9: `+` stands between `length` (m) and `angle` (no unit); both must have the same unit");
  EXPECT_EQ(problem("mass * cos( speed )"),
            "8: `cos` takes a number without a unit, not `speed` (m/s); divide it by a quantity in m/s, such as "
            "`1[m/s]`");
  EXPECT_EQ(problem("(length + width)*(1 + width)*(length*width) + length"),
            "45: `+` stands between `(length + width)*(1 + width)*(length*wid…` (m^4) and `length` (m); both must have "
            "the same unit");
}

TEST(ExpressionDimension, NumbersThatLackAUnitAreNamed) {
  EXPECT_EQ(problem("mass*9.81 + 3[N]"),
            "11: `+` stands between `mass*9.81` (kg) and `3[N]` (N); if the number has a unit, write `9.81[m/s^2]`");
  EXPECT_EQ(problem("length + 4/3*speed*0.01"),
            "8: `+` stands between `length` (m) and `4/3*speed*0.01` (m/s); if the number has a unit, write "
            "`0.01[s]`");
  EXPECT_EQ(problem("length + speed/50"),
            "8: `+` stands between `length` (m) and `speed/50` (m/s); if the number has a unit, write `50[1/s]`");
  EXPECT_EQ(problem("length*sin(2*pi*t)"),
            "8: `sin` takes a number without a unit, not `2*pi*t` (s); if the number has a unit, write `2[1/s]`");
  EXPECT_EQ(problem("length + sqrt(0.3*mass)"),
            "8: `+` stands between `length` (m) and `sqrt(0.3*mass)` (kg^0.5); if the number has a unit, write "
            "`0.3[m^2/kg]`");
}

TEST(ExpressionDimension, TheFirstErrorOfSyntaxComesBeforeThatOfUnits) {
  EXPECT_EQ(problem("length + mass + )").substr(0, 3), "17:");
}

TEST(UnitInExpression, ConvertsToSi) {
  const auto value = [](const std::string& text) {
    return std::get<Expression>(compile(text)).value(std::array{1.0, 1.0});
  };
  EXPECT_DOUBLE_EQ(value("9.81[m/s^2]"), 9.81);
  EXPECT_DOUBLE_EQ(value("3[mm]"), 3e-3);
  EXPECT_DOUBLE_EQ(value("2e3[mm] + length"), 4);
  EXPECT_DOUBLE_EQ(value("3[mm]*sin(t/2[s])"), 3e-3 * std::sin(0.5));
  EXPECT_DOUBLE_EQ(value("20[degC]"), 293.15);
  EXPECT_DOUBLE_EQ(value("-5[ mm ]^2"), -25e-6);
  EXPECT_DOUBLE_EQ(value("50[%]"), 0.5);
  EXPECT_DOUBLE_EQ(value("2[W/(m K)]"), 2);
  EXPECT_DOUBLE_EQ(value("3[µm]"), 3e-6);
}

TEST(UnitInExpression, HasItsDimension) {
  EXPECT_EQ(unit_of("9.81[m/s^2]*mass"), "N");
  EXPECT_EQ(unit_of("3[mm]*sin(t/2[s])"), "m");
  EXPECT_EQ(unit_of("1[1]"), "1");
  EXPECT_EQ(unit_of("length^2[1]"), "m^2");
  EXPECT_EQ(unit_of("2[m]*plain"), "free");
}

TEST(UnitInExpression, SwitchesWhereItSays) {
  const auto expression = std::get<Expression>(compile("t > 20[ms] ? 1 : 0"));
  EXPECT_THAT(expression.switching_points(0), testing::ElementsAre(0.02));
}

TEST(UnitInExpression, ErrorsHaveColumns) {
  EXPECT_EQ(problem("1 + 3[qm]"), "7: unknown unit `qm`; did you mean `m`?; ");
  EXPECT_EQ(problem("3[mm"), "2: a `]` is missing; ");
  EXPECT_EQ(problem("3[]"), "2: a unit is missing between `[` and `]`; write 1 for a number without a unit");
  EXPECT_EQ(problem("3 [m]"), "3: unexpected `[`; a unit stands right behind a number: `9.81[m/s^2]`");
  EXPECT_EQ(problem("length[mm]"), "7: unexpected `[`; a unit stands right behind a number: `9.81[m/s^2]`");
  EXPECT_EQ(problem("3[2 m]"), "3: a second number in the unit `2 m`; ");
  EXPECT_EQ(problem("1e308[km]"), "1: a number out of range; ");
}

}  // namespace
}  // namespace carom
