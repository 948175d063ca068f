#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "base/expression.h"

namespace carom {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::vector<std::string> arguments = {"t", "x"};
const std::map<std::string, double> constants = {{"omega", 3.0}, {"length", 0.5}};

Expression compiled(const std::string& text) {
  const auto result = Expression::compile(text, arguments, constants);
  const ExpressionError* error = std::get_if<ExpressionError>(&result);
  if (error != nullptr) {
    ADD_FAILURE() << text << ": " << error->column << ": " << error->message;
    return {};
  }
  return std::get<Expression>(result);
}

ExpressionError error_of(const std::string& text) {
  const auto result = Expression::compile(text, arguments, constants);
  const ExpressionError* error = std::get_if<ExpressionError>(&result);
  if (error == nullptr) {
    ADD_FAILURE() << text << " compiled";
    return {};
  }
  return *error;
}

double value(const std::string& text, double t = 0.7, double x = 2) {
  const std::array<double, 2> at = {t, x};
  return compiled(text).value(at);
}

TEST(Expression, DefaultIsZero) {
  EXPECT_EQ(Expression().value({}), 0);
  EXPECT_TRUE(Expression().is_constant());
  EXPECT_EQ(Expression().text(), "0");
}

TEST(Expression, FollowsTheRanksOfOperators) {
  EXPECT_EQ(value("1 + 2 * 3"), 7);
  EXPECT_EQ(value("(1 + 2) * 3"), 9);
  EXPECT_EQ(value("8 - 4 - 2"), 2);
  EXPECT_EQ(value("8 / 4 / 2"), 1);
  EXPECT_EQ(value("2 ^ 3 ^ 2"), 512);
  EXPECT_EQ(value("2 ** 3 ** 2"), 512);
  EXPECT_EQ(value("-2 ^ 2"), -4);
  EXPECT_EQ(value("2 ^ -1"), 0.5);
  EXPECT_EQ(value("2 * -3"), -6);
  EXPECT_EQ(value("--+-2"), -2);
  EXPECT_EQ(value("-x^2"), -4);
  EXPECT_EQ(value("-x*3 - -t"), -6 + 0.7);
  EXPECT_EQ(value("1 + 1 < 3"), 1);
  EXPECT_EQ(value("1 < 2 && 2 < 1 || 1 < 2"), 1);
  EXPECT_EQ(value("1 || 0 && 0"), 1);
  EXPECT_EQ(value("!1 + 1"), 1);
  EXPECT_EQ(value("0 ? 1 : 0 ? 2 : 3"), 3);
  EXPECT_EQ(value("1 ? 0 ? 1 : 2 : 3"), 2);
}

TEST(Expression, ComparesAndDecides) {
  for (const auto& [text, expected] : std::map<std::string, double>{{"x < 2", 0},
                                                                    {"x <= 2", 1},
                                                                    {"x > 2", 0},
                                                                    {"x >= 2", 1},
                                                                    {"x == 2", 1},
                                                                    {"x != 2", 0},
                                                                    {"1 < x", 1},
                                                                    {"!x", 0},
                                                                    {"!(x-2)", 1},
                                                                    {"x && 0", 0},
                                                                    {"x && t", 1},
                                                                    {"0 || t", 1},
                                                                    {"0 || 0", 0}}) {
    EXPECT_EQ(value(text), expected) << text;
  }
  EXPECT_EQ(value("x > 1 ? 10 : 20"), 10);
  EXPECT_EQ(value("if(x > 3, 10, 20)"), 20);
  EXPECT_EQ(value("x < 0 ? sqrt(-x) : 5"), 5);  // the branch not taken does no harm
}

TEST(Expression, KnowsItsFunctions) {
  const double t = 0.7, x = 2;
  EXPECT_DOUBLE_EQ(value("sin(t)"), std::sin(t));
  EXPECT_DOUBLE_EQ(value("cos(t)"), std::cos(t));
  EXPECT_DOUBLE_EQ(value("tan(t)"), std::tan(t));
  EXPECT_DOUBLE_EQ(value("asin(t)"), std::asin(t));
  EXPECT_DOUBLE_EQ(value("acos(t)"), std::acos(t));
  EXPECT_DOUBLE_EQ(value("atan(t)"), std::atan(t));
  EXPECT_DOUBLE_EQ(value("atan2(t, -x)"), std::atan2(t, -x));
  EXPECT_DOUBLE_EQ(value("sinh(t) + cosh(t) + tanh(t)"), std::sinh(t) + std::cosh(t) + std::tanh(t));
  EXPECT_DOUBLE_EQ(value("exp(t)"), std::exp(t));
  EXPECT_DOUBLE_EQ(value("log(t)"), std::log(t));
  EXPECT_DOUBLE_EQ(value("ln(t)"), std::log(t));
  EXPECT_DOUBLE_EQ(value("log10(t)"), std::log10(t));
  EXPECT_DOUBLE_EQ(value("sqrt(t)"), std::sqrt(t));
  EXPECT_DOUBLE_EQ(value("cbrt(-t)"), std::cbrt(-t));
  EXPECT_DOUBLE_EQ(value("abs(-t)"), t);
  EXPECT_DOUBLE_EQ(value("sign(-t) + sign(0) + 3*sign(x)"), 2);
  EXPECT_DOUBLE_EQ(value("floor(-t) + ceil(t)"), 0);
  EXPECT_DOUBLE_EQ(value("min(t, x) + 10*max(t, x)"), t + 10 * x);
  EXPECT_DOUBLE_EQ(value("min(3, x, 5, t, 4)"), t);
  EXPECT_DOUBLE_EQ(value("max(t)"), t);
  EXPECT_DOUBLE_EQ(value("mod(7, 3)"), 1);
  EXPECT_DOUBLE_EQ(value("mod(-1, 3)"), 2);
  EXPECT_DOUBLE_EQ(value("mod(1, -3)"), -2);
  EXPECT_DOUBLE_EQ(value("mod(6, 3)"), 0);
  EXPECT_DOUBLE_EQ(value("hypot(3, x + 2)"), 5);
  EXPECT_DOUBLE_EQ(value("pow(x, 10)"), 1024);
  EXPECT_DOUBLE_EQ(value("pi"), std::numbers::pi);
  EXPECT_DOUBLE_EQ(value("e"), std::numbers::e);
}

TEST(Expression, StepsRiseBetweenTheirBordersAndHoldOutside) {
  EXPECT_EQ(value("step(t, 1, 5, 3, 9)", 0.5), 5);
  EXPECT_EQ(value("step(t, 1, 5, 3, 9)", 2), 7);
  EXPECT_EQ(value("step(t, 1, 5, 3, 9)", 4), 9);
  EXPECT_DOUBLE_EQ(value("step(t, 0, 0, 1, 1)", 0.25), 0.15625);
  EXPECT_DOUBLE_EQ(value("smoothstep5(t, 0, 0, 1, 1)", 0.25), 0.103515625);
  EXPECT_EQ(value("smoothstep5(t, 1, 5, 3, 9)", 0.5), 5);
  EXPECT_EQ(value("smoothstep5(t, 1, 5, 3, 9)", 3), 9);
  EXPECT_EQ(value("step(t, 3, 9, 1, 5)", 0.5), 5);   // borders in falling order
  EXPECT_EQ(value("step(t, 1, 5, 1, 9)", 0.99), 5);  // a jump
  EXPECT_EQ(value("step(t, 1, 5, 1, 9)", 1), 9);
}

TEST(Expression, ReadsNumbers) {
  EXPECT_EQ(value("1e-3"), 1e-3);
  EXPECT_EQ(value(".5"), 0.5);
  EXPECT_EQ(value("2."), 2);
  EXPECT_EQ(value("1.5E+2"), 150);
  EXPECT_EQ(value("  \t1 \n"), 1);
}

TEST(Expression, TellsWhichNamesItUses) {
  EXPECT_THAT(compiled("length*sin(omega*t) + length + pi").names_used(), ElementsAre("length", "omega", "t"));
  EXPECT_THAT(compiled("2*pi").names_used(), IsEmpty());
  EXPECT_EQ(compiled("t + x").argument_count(), 2);
  EXPECT_EQ(compiled(" 2*t ").text(), " 2*t ");
}

TEST(Expression, IsConstantIfItRefersToNoArgument) {
  EXPECT_TRUE(compiled("2*omega^2 > 1 ? step(1, 0, 0, 2, 1) : min(1, 2, 3)").is_constant());
  EXPECT_FALSE(compiled("0*t").is_constant());
}

TEST(Expression, ArgumentsHideConstantsAndConstantsHidePiAndE) {
  const std::array<double, 1> at = {5};
  EXPECT_EQ(std::get<Expression>(Expression::compile("e", {}, {{"e", 0.8}})).value({}), 0.8);
  EXPECT_EQ(std::get<Expression>(Expression::compile("e", {"e"}, {{"e", 0.8}})).value(at), 5);
}

TEST(Expression, KnowsWhereItSwitches) {
  EXPECT_THAT(compiled("t < 2 ? 1 : 0").switching_points(0), ElementsAre(2));
  EXPECT_THAT(compiled("t < 2 ? 1 : 0").switching_points(1), IsEmpty());
  EXPECT_THAT(compiled("5 >= 2*t + 1").switching_points(0), ElementsAre(2));
  EXPECT_THAT(compiled("abs(t - 3) + sign(x/2 + 1)").switching_points(0), ElementsAre(3));
  EXPECT_THAT(compiled("abs(t - 3) + sign(x/2 + 1)").switching_points(1), ElementsAre(-2));
  EXPECT_THAT(compiled("max(t, 1, -t)").switching_points(0), ElementsAre(1));
  EXPECT_THAT(compiled("step(t, 2, sin(t), 1 + omega, 5)*step(t, 4, 0, 8, 1)").switching_points(0),
              ElementsAre(2, 4, 8));
  EXPECT_THAT(compiled("t < x").switching_points(0), IsEmpty());
  EXPECT_THAT(compiled("sin(t) < 0.5").switching_points(0), IsEmpty());
  EXPECT_THAT(compiled("t - t < 1").switching_points(0), IsEmpty());
}

struct Mistake {
  const char* text;
  int column;
  const char* message;
  const char* remedy;
};

std::ostream& operator<<(std::ostream& out, const Mistake& mistake) {
  return out << mistake.text;
}

class ExpressionMistake : public testing::TestWithParam<Mistake> {};

TEST_P(ExpressionMistake, IsToldWithColumnAndRemedy) {
  const auto& [text, column, message, remedy] = GetParam();
  const ExpressionError error = error_of(text);
  EXPECT_EQ(error.column, column) << text << ": " << error.message;
  EXPECT_THAT(error.message, HasSubstr(message)) << text;
  EXPECT_THAT(error.remedy, HasSubstr(remedy)) << text;
}

INSTANTIATE_TEST_SUITE_P(
    Mistakes, ExpressionMistake,
    testing::Values(Mistake{"", 1, "empty", ""}, Mistake{"   ", 4, "empty", ""},
                    Mistake{"1 +", 4, "ends too early", ""},
                    Mistake{"2*omga*t", 3, "unknown name `omga`", "did you mean `omega`?"},
                    Mistake{"2*sni(t)", 3, "unknown function `sni`", "did you mean `sin`?"},
                    Mistake{"2*quark", 3, "unknown name `quark`", "known here are"},
                    Mistake{"2*[joint:a.x]", 3, "a quantity of the model", "right behind a number"},
                    Mistake{"sin + 1", 1, "is a function", "`sin(…)`"},
                    Mistake{"omega(t)", 1, "`omega` is not a function", "*"}, Mistake{"2 t", 3, "unexpected `t`", "*"},
                    Mistake{"2pi", 2, "unexpected `pi`", "*"}, Mistake{"2(t)", 2, "unexpected `(`", "*"},
                    Mistake{"(1 + 2", 7, "`)` is missing", ""}, Mistake{"1 + 2)", 6, "unexpected `)`", ""},
                    Mistake{"sin(1", 6, "`)` is missing", ""}, Mistake{"sin()", 1, "takes one argument, not 0", ""},
                    Mistake{"sin(1, 2)", 1, "takes one argument, not 2", ""},
                    Mistake{"1 + atan2(1)", 5, "takes 2 arguments, not 1", ""},
                    Mistake{"if(1, 2)", 1, "takes 3 arguments, not 2", ""},
                    Mistake{"max()", 1, "takes one or more arguments, not 0", ""},
                    Mistake{"step(t, 1, 2)", 1, "takes 5 arguments, not 3", "step(t, t0, y0, t1, y1)"},
                    Mistake{"t ? 1", 6, "`:` is missing", ""}, Mistake{"0 < t < 1", 7, "chained", "&&"},
                    Mistake{"t = 1", 3, "unexpected `=`", "`==`"}, Mistake{"t & x", 3, "unexpected `&`", "`&&`"},
                    Mistake{"t % x", 3, "unexpected `%`", "mod(a, b)"}, Mistake{"3,5*t", 2, "unexpected `,`", "point"},
                    Mistake{"2·t", 2, "unexpected `·`", "`*`"}, Mistake{"t²", 2, "unexpected `²`", "`^2`"},
                    Mistake{"2*€", 3, "unexpected `€`", ""}, Mistake{"2*", 3, "ends too early", ""},
                    Mistake{"*2", 1, "unexpected `*`", ""}, Mistake{"1e999", 1, "out of range", ""},
                    Mistake{"1.2.3", 4, "two decimal points", ""}, Mistake{".", 1, "unexpected `.`", ""},
                    Mistake{"0x10", 2, "unexpected `x10`", ""}, Mistake{"sin(,)", 5, "unexpected `,`", ""},
                    Mistake{"2 ^", 4, "ends too early", ""}));

TEST(Expression, DeepNestingIsAnErrorNotACrash) {
  const auto repeated = [](const std::string& part, int times) {
    std::string text;
    for (int i = 0; i < times; ++i) text += part;
    return text;
  };
  for (const char* part : {"(", "sin(", "2^", "1?", "1?2:", "t+(", "if(t,", "-("}) {
    EXPECT_THAT(error_of(repeated(part, 100000)).message, HasSubstr("nested too deeply")) << part;
  }
  EXPECT_EQ(value(repeated("(", 150) + "t" + repeated(")", 150)), 0.7);
  EXPECT_EQ(value(repeated("-", 100000) + "t"), 0.7);
  EXPECT_NEAR(value(repeated("t+", 100000) + "t"), 100001 * 0.7, 1e-5);
}

TEST(Expression, ZeroBytesAndStrayBytesAreErrors) {
  EXPECT_THAT(error_of(std::string("1\0+1", 4)).message, HasSubstr("unexpected"));
  EXPECT_THAT(error_of("1 \xff\xfe").message, HasSubstr("unexpected"));
}

}  // namespace
}  // namespace carom
