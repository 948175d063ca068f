#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/expression.h"
#include "math/spline.h"

namespace carom::inline math {

// A function of one argument from elsewhere, such as a drive made by a user. Never changes.
class GivenFunction {
 public:
  virtual ~GivenFunction() = default;
  virtual Jet derivatives(double x) const = 0;
  virtual std::vector<double> breakpoints() const = 0;
  virtual std::string description() const = 0;  // two functions of the same description are the same
};

// A scalar function of one or more arguments, in SI: constant, expression, table or one from elsewhere. Cheap to copy:
// the implementation is shared and never changes, so one function may be evaluated by several threads.
class Function {
 public:
  using Interpolation = carom::Interpolation;

  Function() = default;  // zero
  static Function constant(double value);
  static Function expression(Expression expression);

  // A function of the first argument. Outside the table the value of its nearer end is held. Throws
  // std::invalid_argument with the text of table_error() if the points are unsound.
  static Function table(std::vector<double> x, std::vector<double> y, Interpolation interpolation);

  static Function given(std::shared_ptr<const GivenFunction> function);

  // An expression whose last arguments are signals, of these names. It must be bound before it has a value.
  static constexpr std::size_t most_arguments = 16;  // signals among them
  static Function of_signals(Expression expression, std::vector<std::string> signals);
  // The names of the signals that it uses; none of any other function.
  const std::vector<std::string>& signals() const;
  // The same with the values of signals, which are found at `values[places[k]]` whenever it is evaluated and must
  // outlive it; functions without signals stay as they are.
  Function bound(const double* values, const std::vector<int>& places) const;
  // Where the first argument and all signals change along one variable; signals are found at `signals[places[k]]`.
  Jet along(const Jet& first_argument, const Jet* signals) const;

  bool is_constant() const;
  bool depends_on(int argument) const;  // false: the value is the same whatever that argument is

  // For functions of one argument, and of none.
  double value(double first_argument) const;
  Jet derivatives(double first_argument) const;

  // All arguments, as many as the expression was compiled with; tables and antiderivatives use the first.
  double value(std::span<const double> arguments) const;
  Jet derivatives(std::span<const double> arguments, int with_respect_to) const;

  // Abscissae, increasing, where the value or its first or second derivative may jump: knots of tables and the
  // switching points of expressions (Expression::switching_points). An integrator should end a step there.
  std::vector<double> breakpoints() const;

  // The points of a table, as they were given, and what lies between them; nothing for any other function.
  struct Table {
    std::vector<double> x, y;
    Interpolation interpolation;
  };
  std::optional<Table> table_points() const;

  // The function from elsewhere; null for any other.
  const GivenFunction* given() const;

  // F(x) = initial_value + ∫ from `from` to x; derivatives() gives F, f and f'. Closed form for constants and tables.
  // For expressions, the range from … until is cut once into panels on which 10-point Gauss–Legendre quadrature is
  // exact to about 1e-14 of the integral of |f|; a value then costs ten evaluations of the integrand. Beyond the range
  // panels of the same width are appended on each call, so that far away a value costs more and is less certain.
  // Throws ComputationError if the integrand is not finite in the range or needs more than half a million panels.
  Function antiderivative(double from, double initial_value, double until) const;

  std::string description() const;  // for messages: "expression `5*sin(t)`"

  // What a function other than a constant does; for function.cpp and its parts.
  class Implementation;

 private:
  explicit Function(std::shared_ptr<const Implementation> implementation);
  double constant_ = 0;                                   // the function, if there is no implementation
  std::shared_ptr<const Implementation> implementation_;  // null for constants
};

}  // namespace carom::inline math
