#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace carom {

// Why a text is no expression.
struct ExpressionError {
  int column = 0;  // 1-based, in bytes
  std::string message;
  std::string remedy;  // may be empty
};

// A value with its first and second derivative along one variable.
struct Jet {
  double value = 0;
  double first = 0;
  double second = 0;
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
// Names: arguments, then constants, then pi and e; an earlier one hides a later one of the same name.
//
// At jumps and corners the derivative is that of the branch that supplies the value; abs and sign have derivative 0 at
// 0.
class Expression {
 public:
  Expression();  // the constant 0

  static std::variant<Expression, ExpressionError> compile(std::string_view text,
                                                           const std::vector<std::string>& arguments,
                                                           const std::map<std::string, double>& constants);

  // One value per argument name given to compile, in that order.
  double value(std::span<const double> arguments) const;

  // Exact value, d/dx and d²/dx² along argument number with_respect_to, by forward differentiation.
  Jet derivatives(std::span<const double> arguments, int with_respect_to) const;

  const std::string& text() const;
  bool is_constant() const;                            // refers to no argument
  int argument_count() const;                          // number of argument names given to compile
  const std::vector<std::string>& names_used() const;  // arguments and constants (not pi and e), sorted, each once

  // Values of one argument at which a comparison with a constant changes or a step begins or ends, increasing: value
  // or derivatives may jump there. Only those visible in the text as `x < 2`, `abs(x - 2)`, `step(x, 1, …)` are known.
  std::vector<double> switching_points(int argument) const;

 private:
  struct Program;
  friend class ExpressionCompiler;
  explicit Expression(std::shared_ptr<const Program> program) : program_(std::move(program)) {}
  std::shared_ptr<const Program> program_;
};

}  // namespace carom
