#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <random>

#include <fmt/format.h>

#include "base/expression.h"
#include "base/units.h"

// Random expressions in two systems of units. An expression of dimension D that means anything has, where the base
// units are smaller by certain factors, a value that is larger by those of D. The values come from a small evaluator of
// the test's own, which knows neither the compiler nor its check.
namespace carom {
namespace {

using Powers = std::array<double, 7>;

struct Term {
  std::string form;  // "leaf", an operator, or the name of a function
  std::vector<Term> operands = {};
  std::string text = {};     // of a leaf
  double value = 0;          // of a leaf, in SI
  Dimension dimension = {};  // of a leaf: what it means
};

std::string text_of(const Term& term) {
  if (term.form == "leaf") return term.text;
  const auto part = [&](std::size_t k) { return "(" + text_of(term.operands[k]) + ")"; };
  if (term.form == "negate") return "-" + part(0);
  if (term.form == "?") return part(0) + " ? " + part(1) + " : " + part(2);
  const bool named = 'a' <= term.form.front() && term.form.front() <= 'z';
  if (!named) return part(0) + " " + term.form + " " + part(1);
  std::string text = term.form + "(";
  for (const Term& each : term.operands) text += (&each == &term.operands.front() ? "" : ", ") + text_of(each);
  return text + ")";
}

// How many times larger a value of this dimension is in the other system.
double factor_of(const Dimension& dimension, const Powers& larger) {
  double factor = 1;
  for (std::size_t k = 0; k < larger.size(); ++k) factor *= std::pow(larger[k], dimension.powers()[k]);
  return factor;
}

double evaluate(const Term& term, const Powers& larger) {
  if (term.form == "leaf") return term.value * factor_of(term.dimension, larger);
  std::vector<double> x;
  for (const Term& each : term.operands) x.push_back(evaluate(each, larger));
  const std::string& form = term.form;
  if (form == "negate") return -x[0];
  if (form == "+") return x[0] + x[1];
  if (form == "-") return x[0] - x[1];
  if (form == "*") return x[0] * x[1];
  if (form == "/") return x[0] / x[1];
  if (form == "^") return std::pow(x[0], x[1]);
  if (form == "<") return x[0] < x[1];
  if (form == ">=") return x[0] >= x[1];
  if (form == "&&") return x[0] != 0 && x[1] != 0;
  if (form == "?" || form == "if") return x[0] != 0 ? x[1] : x[2];
  if (form == "sqrt") return std::sqrt(x[0]);
  if (form == "cbrt") return std::cbrt(x[0]);
  if (form == "abs") return std::abs(x[0]);
  if (form == "sign") return (x[0] > 0) - (x[0] < 0);
  if (form == "sin") return std::sin(x[0]);
  if (form == "tanh") return std::tanh(x[0]);
  if (form == "exp") return std::exp(x[0]);
  if (form == "log") return std::log(x[0]);
  if (form == "atan") return std::atan(x[0]);
  if (form == "floor") return std::floor(x[0]);
  if (form == "ceil") return std::ceil(x[0]);
  if (form == "atan2") return std::atan2(x[0], x[1]);
  if (form == "hypot") return std::hypot(x[0], x[1]);
  if (form == "min") return std::min(x[0], x[1]);
  if (form == "max") return std::max(x[0], x[1]);
  if (form == "mod") return x[0] - x[1] * std::floor(x[0] / x[1]);
  if (form == "step") {
    const double s = std::clamp((x[0] - x[1]) / (x[3] - x[1]), 0.0, 1.0);
    if (x[1] == x[3]) return x[0] < x[1] ? x[2] : x[4];
    return x[2] + (x[4] - x[2]) * s * s * (3 - 2 * s);
  }
  ADD_FAILURE() << "no such form: " << form;
  return 0;
}

// Draws expressions and keeps the names that they use.
class Dice {
 public:
  explicit Dice(unsigned seed) : random_(seed) {}

  std::size_t below(std::size_t count) { return random_() % count; }
  template <class T>
  const T& one_of(const std::vector<T>& choices) {
    return choices[below(choices.size())];
  }

  // Powers of 2¹²: what agrees, agrees to the last bit in both systems, up to roots and powers.
  Powers units() {
    Powers larger{};
    for (double& each : larger) each = std::pow(2.0, 12.0 * (static_cast<double>(below(5)) - 2));
    return larger;
  }

  Dimension some_dimension() {
    static const std::vector<std::string> units = {"1",   "m",   "s", "kg",  "m/s",    "N",
                                                   "1/s", "m^2", "K", "A s", "N/m^1.5"};
    return dimension_of_unit(one_of(units)).value();
  }

  Term number(const Dimension& meant = {}) {
    // No round values: nothing lies at a jump by chance.
    const std::string text = fmt::format("{:.5f}", 0.1 + 5e-5 * static_cast<double>(below(100000)));
    return {"leaf", {}, text, std::stod(text), meant};
  }
  Term quantity(const Dimension& dimension) {
    Term term = number(dimension);
    term.text += "[" + dimension.text() + "]";
    return term;
  }
  Term parameter(const Dimension& dimension) {
    Term term = number(dimension);
    term.text = "p" + std::to_string(constants.size());
    constants[term.text] = term.value;
    dimensions.written[term.text] = dimension;
    return term;
  }
  Term time() {
    arguments = {0.75};
    dimensions.meant["t"] = dimension_of_unit("s").value();
    return {"leaf", {}, "t", 0.75, dimensions.meant.at("t")};
  }
  Term known_leaf(const Dimension& dimension) {
    if (dimension == dimension_of_unit("s") && below(2) == 0) return time();
    return below(2) == 0 ? quantity(dimension) : parameter(dimension);
  }

  std::variant<Expression, ExpressionError> compile(const Term& term) const {
    return Expression::compile(text_of(term), {"t"}, constants, dimensions);
  }

  std::map<std::string, double> constants;
  KnownDimensions dimensions;
  std::vector<double> arguments = {0.75};

 private:
  std::mt19937 random_;
};

// Anything that can be written, right or wrong. Plain numbers are factors and exponents only: as a term, a number means
// whatever the check thinks it does.
Term anything(Dice& dice, int depth) {
  if (depth == 0 || dice.below(6) == 0) return dice.known_leaf(dice.some_dimension());
  const auto part = [&] { return anything(dice, depth - 1); };
  static const std::vector<std::string> forms = {
      "+",   "-",    "*",   "*",     "/",    "/",     "<",     "&&",  "?",   "negate", "sqrt", "cbrt", "abs",    "sign",
      "sin", "tanh", "exp", "floor", "ceil", "atan2", "hypot", "min", "max", "mod",    "^",    "step", "number*"};
  const std::string form = dice.one_of(forms);
  static const std::vector<std::string> unary = {"negate", "sqrt", "cbrt", "abs",   "sign",
                                                 "sin",    "tanh", "exp",  "floor", "ceil"};
  if (std::find(unary.begin(), unary.end(), form) != unary.end()) return {form, {part()}};
  if (form == "number*") return {dice.below(2) == 0 ? "*" : "/", {dice.number(), part()}};
  if (form == "^") return {form, {part(), dice.below(4) == 0 ? part() : dice.number()}};
  if (form == "?") return {form, {part(), part(), part()}};
  if (form == "step") {  // of five at random hardly any would agree
    const Dimension x = dice.some_dimension(), y = dice.some_dimension();
    const auto leaf = [&](const Dimension& each) {
      return dice.known_leaf(dice.below(6) == 0 ? dice.some_dimension() : each);
    };
    return {form, {leaf(x), leaf(x), leaf(y), leaf(x), leaf(y)}};
  }
  return {form, {part(), part()}};
}

// An expression that means something of this dimension, by the way it is built.
Term sound(Dice& dice, const Dimension& dimension, int depth);

Term sound_number(Dice& dice, int depth) {
  const Dimension other = dice.some_dimension();
  const auto part = [&](const Dimension& each) { return sound(dice, each, depth - 1); };
  switch (dice.below(7)) {
    case 0:
      return {dice.one_of<std::string>({"sin", "tanh", "exp", "atan", "floor", "ceil"}), {part({})}};
    case 1:
      return {"atan2", {part(other), part(other)}};
    case 2:
      return {"sign", {part(other)}};
    case 3:
      return {dice.one_of<std::string>({"<", ">="}), {part(other), part(other)}};
    case 4:
      return {"&&", {part(other), part(dice.some_dimension())}};
    case 5:
      return {"^", {part({}), part({})}};
    default:
      return {"/", {dice.known_leaf(other), dice.known_leaf(other)}};
  }
}

Term sound(Dice& dice, const Dimension& dimension, int depth) {
  if (depth == 0) return dice.below(5) == 0 ? dice.number(dimension) : dice.known_leaf(dimension);
  if (dimension.is_one() && dice.below(2) == 0) return sound_number(dice, depth);
  const Dimension other = dice.some_dimension();
  const auto part = [&](const Dimension& each) { return sound(dice, each, depth - 1); };
  const auto factor = [&](const Dimension& each) { return dice.known_leaf(each); };  // a number would be one of its own
  switch (dice.below(10)) {
    case 0:
      return {dice.one_of<std::string>({"+", "-", "min", "max", "hypot", "mod"}), {part(dimension), part(dimension)}};
    case 1:
      return {"+", {dice.number(dimension), part(dimension)}};
    case 2:
      return {dice.one_of<std::string>({"?", "if"}), {part(other), part(dimension), part(dimension)}};
    case 3:
      return {"step", {part(other), part(other), part(dimension), part(other), part(dimension)}};
    case 4:
      return {dice.one_of<std::string>({"negate", "abs"}), {part(dimension)}};
    case 5:
      return {"*", {dice.number(), factor(dimension)}};
    case 6:
      return {"*", {factor(other), factor(dimension / other)}};
    case 7:
      return {"/", {factor(dimension * other), factor(other)}};
    case 8:
      return {"^", {factor(dimension.to_the(0.5)), {"leaf", {}, "2", 2}}};
    default:
      return dice.below(2) == 0 ? Term{"sqrt", {factor(dimension.to_the(2))}}
                                : Term{"cbrt", {factor(dimension.to_the(3))}};
  }
}

bool usable(double value) {
  return std::isfinite(value) && (value == 0 || (std::abs(value) > 1e-150 && std::abs(value) < 1e150));
}

constexpr Powers si = {1, 1, 1, 1, 1, 1, 1};

// 1 if the value is that of the test's evaluator and scales as the dimension says; 0 if that cannot be reported.
int scales(Dice& dice, const Term& term, const Expression& expression) {
  const double value = evaluate(term, si), compiled = expression.value(dice.arguments);
  if (usable(value)) {
    EXPECT_NEAR(compiled, value, 1e-9 * std::abs(value)) << text_of(term);
  }
  if (!expression.dimension()) return 0;
  const Powers larger = dice.units();
  const double factor = factor_of(*expression.dimension(), larger), scaled = evaluate(term, larger);
  if (!usable(value) || !usable(scaled) || !usable(factor)) return 0;
  EXPECT_NEAR(scaled / factor, value, 1e-9 * std::abs(value))
      << text_of(term) << " is said to be in " << expression.dimension()->text();
  return 1;
}

TEST(RandomDimensions, WhatIsAcceptedScalesWithItsUnit) {
  int accepted = 0, checked = 0;
  for (unsigned seed = 0; seed < 40000; ++seed) {
    Dice dice(seed);
    const Term term = anything(dice, 1 + static_cast<int>(dice.below(4)));
    const auto result = dice.compile(term);
    const auto* expression = std::get_if<Expression>(&result);
    if (!expression) continue;
    ++accepted;
    checked += scales(dice, term, *expression);
    if (HasFailure()) break;
  }
  EXPECT_GT(accepted, 4000);
  EXPECT_GT(checked, 3000);
}

TEST(RandomDimensions, WhatMakesSenseIsAccepted) {
  int checked = 0;
  for (unsigned seed = 0; seed < 20000; ++seed) {
    Dice dice(seed);
    const Dimension dimension = dice.some_dimension();
    const Term term = sound(dice, dimension, 1 + static_cast<int>(dice.below(4)));
    const auto result = dice.compile(term);
    if (const auto* error = std::get_if<ExpressionError>(&result)) {
      FAIL() << text_of(term) << ": " << error->column << ": " << error->message;
    }
    const auto& expression = std::get<Expression>(result);
    if (expression.dimension()) {
      ASSERT_EQ(*expression.dimension(), dimension) << text_of(term) << " in " << expression.dimension()->text();
    }
    checked += scales(dice, term, expression);
    ASSERT_FALSE(HasFailure());
  }
  EXPECT_GT(checked, 10000);
}

// Whoever leaves a unit out gets fewer checks, never a new error.
TEST(RandomDimensions, LeavingOutUnitsIsNoError) {
  int left_out = 0;
  for (unsigned seed = 0; seed < 20000; ++seed) {
    Dice dice(seed);
    const Dimension dimension = dice.some_dimension();
    const Term term = sound(dice, dimension, 1 + static_cast<int>(dice.below(4)));
    left_out +=
        static_cast<int>(std::erase_if(dice.dimensions.written, [&](const auto&) { return dice.below(2) == 0; }));
    const auto result = dice.compile(term);
    if (const auto* error = std::get_if<ExpressionError>(&result)) {
      FAIL() << text_of(term) << ": " << error->column << ": " << error->message;
    }
    const auto& found = std::get<Expression>(result).dimension();
    if (found) {
      ASSERT_EQ(*found, dimension) << text_of(term);
    }
  }
  EXPECT_GT(left_out, 10000);
}

}  // namespace
}  // namespace carom
