#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/expression.h"

// The inside of Expression, shared by its compiler and its evaluation.
namespace carom::inline base {

// clang-format off
enum class Operation : std::uint8_t {
  constant, argument,
  negate, logical_not, sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, exp, log, log10, sqrt, cbrt, abs, sign, floor, ceil,
  add, subtract, multiply, divide, power, less, less_equal, greater, greater_equal, equal, not_equal,
  logical_and, logical_or, atan2, minimum, maximum, mod, hypot,
  select,
  step, smoothstep5
};
// clang-format on

constexpr int operand_count(Operation operation) {
  if (operation <= Operation::argument) return 0;
  if (operation <= Operation::ceil) return 1;
  if (operation <= Operation::hypot) return 2;
  return operation == Operation::select ? 3 : 5;
}

// A function as written in an expression; those of any number of arguments are folded by a binary operation.
struct NamedFunction {
  std::string_view name;
  Operation operation;
  bool any_number = false;
};

// Null if there is no function of this name.
const NamedFunction* find_function(std::string_view name);
std::vector<std::string> function_names();

struct Instruction {
  Operation operation = Operation::constant;
  int argument = 0;     // for Operation::argument
  double constant = 0;  // for Operation::constant
};

// Bound of the evaluation stack: no formula written by hand comes near, and the stack lives on the machine's stack.
inline constexpr int deepest_expression_stack = 100;

struct Expression::Program {
  std::string text;
  std::vector<Instruction> instructions;  // postfix; leaves exactly one value
  int argument_count = 0;
  std::vector<std::string> names_used;
  std::vector<std::pair<int, double>> switching_points;  // argument, value
  std::optional<Dimension> dimension;
  std::optional<PlainFactor> plain_factor;
};

// The operation on operand_count() values, first operand first.
double apply(Operation operation, const double* operands);

}  // namespace carom::inline base
