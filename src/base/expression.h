#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/dimension.h"

namespace carom::inline base {

// Why a text is no expression.
struct ExpressionError {
  int column = 0;  // 1-based, in bytes
  std::string message;
  std::string remedy;  // may be empty
};

// What is known of the dimensions of names, arguments or constants. A name that is in neither list may have any.
struct KnownDimensions {
  std::map<std::string, Dimension> meant;    // by what an argument means: t is in s
  std::map<std::string, Dimension> written;  // by a unit that was written, such as that of a parameter
};

// A number in an expression that is a factor, or a divisor, without a unit of its own.
struct PlainFactor {
  std::string text;
  double power = 1;  // with which it enters the value

  // How to write it if it has the unit that the value lacks; may be empty.
  std::string remedy(const Dimension& missing) const;
};

// A value with its first and second derivative along one variable.
struct Jet {
  double value = 0;
  double first = 0;
  double second = 0;

  Jet() = default;
  Jet(double constant) : value(constant) {}  // NOLINT(google-explicit-constructor): a number is one without slope
  Jet(double value_at, double first_at, double second_at) : value(value_at), first(first_at), second(second_at) {}
};

// A scalar formula of named arguments, compiled once to a postfix program and evaluated without allocation.
//
// Own compiler instead of muParser because drives enter the constraint equations with their velocity and acceleration:
// they need exact first and second derivatives, which muParser only approximates by differences.
//
// Operators, weakest first: c ? a : b, ||, &&, comparisons (< <= > >= == !=, not chained), + -, * /, unary + - !,
// ^ or ** (from the right; -x^2 is -(x^2)). A condition is true if it is not zero; comparisons give 1 or 0. Both
// branches of a condition are evaluated and one is taken, so a NaN in the other does no harm.
//
// Functions: sin cos tan asin acos atan atan2(y, x) sinh cosh tanh exp, log and ln (both natural), log10 sqrt cbrt abs
// sign floor ceil, min and max (one or more arguments), mod(a, b) = a − b floor(a/b), hypot pow if(c, a, b);
// step(t, t0, y0, t1, y1) rises from y0 to y1 by 3s² − 2s³, smoothstep5 by 10s³ − 15s⁴ + 6s⁵, held outside t0 … t1.
//
// Numbers may have a unit right behind them, in brackets, and are converted to SI: 9.81[m/s^2], 3[mm]*sin(t/2[s]).
//
// Dimensions are checked if a unit, other than of an angle or ratio, is written in a number or for a name: terms,
// branches and what is compared must agree, exponents and arguments of sin, exp, floor and the like have none. A number
// without a unit has no dimension as a factor and takes that of its neighbour as a term; a name of unknown dimension
// makes its product unknown.
//
// Names: arguments, then constants, then pi and e; an earlier one hides a later one of the same name.
//
// At jumps and corners the derivative is that of the branch that supplies the value; abs and sign have derivative 0 at
// 0.
class Expression {
 public:
  Expression();  // the constant 0

  static std::variant<Expression, ExpressionError> compile(std::string_view text,
                                                           const std::vector<std::string>& arguments,
                                                           const std::map<std::string, double>& constants,
                                                           const KnownDimensions& dimensions = {});

  // One value per argument name given to compile, in that order.
  double value(std::span<const double> arguments) const;

  // Exact value, d/dx and d²/dx² along argument number with_respect_to, by forward differentiation.
  Jet derivatives(std::span<const double> arguments, int with_respect_to) const;
  // The same where all arguments change along one variable.
  Jet along(std::span<const Jet> arguments) const;

  const std::string& text() const;
  bool is_constant() const;  // refers to no argument
  bool uses_argument(int argument) const;
  int argument_count() const;                          // number of argument names given to compile
  const std::vector<std::string>& names_used() const;  // arguments and constants (not pi and e), sorted, each once

  // Of the value; none if it may have any: no unit is written, a name of unknown dimension is a factor, or it is a
  // number.
  const std::optional<Dimension>& dimension() const;
  // A number in it that may lack a unit, where the dimension is not what was expected.
  const std::optional<PlainFactor>& plain_factor() const;

  // Values of one argument at which a comparison with a constant changes or a step begins or ends, increasing: value
  // or derivatives may jump there. Only those visible in the text as `x < 2`, `abs(x - 2)`, `step(x, 1, …)` are known.
  std::vector<double> switching_points(int argument) const;

 private:
  struct Program;
  friend class ExpressionCompiler;
  explicit Expression(std::shared_ptr<const Program> program) : program_(std::move(program)) {}
  std::shared_ptr<const Program> program_;
};

}  // namespace carom::inline base
