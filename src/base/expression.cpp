#include "base/expression.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "base/expression_program.h"
#include "base/jet.h"

namespace carom::inline base {

namespace {

double truth(bool condition, double) {
  return condition ? 1 : 0;
}

Jet truth(bool condition, const Jet&) {
  return {condition ? 1.0 : 0.0, 0, 0};
}

double literal(double x, double) {
  return x;
}

Jet literal(double x, const Jet&) {
  return {x, 0, 0};
}

// The operands are t, t0, y0, t1, y1. At t0 the derivatives are those on its right, so that a run that starts there
// sees the rise begin.
template <typename Number>
Number rise(const Number* operand, bool quintic) {
  const Number &t = operand[0], &t0 = operand[1], &y0 = operand[2], &t1 = operand[3], &y1 = operand[4];
  if (value_of(t0) == value_of(t1)) return value_of(t) < value_of(t0) ? y0 : y1;
  const Number s = (t - t0) / (t1 - t0);
  if (value_of(s) < 0) return y0;
  if (value_of(s) >= 1) return y1;
  const auto number = [&](double x) { return literal(x, s); };
  const Number shape =
      quintic ? s * s * s * (number(10) + s * (number(6) * s - number(15))) : s * s * (number(3) - number(2) * s);
  return y0 + (y1 - y0) * shape;
}

// Long: one case per operation.
template <typename Number>
Number apply_to(Operation operation, const Number* operand) {
  using std::abs, std::acos, std::asin, std::atan, std::atan2, std::cbrt, std::ceil, std::cos, std::cosh, std::exp;
  using std::floor, std::hypot, std::log, std::log10, std::pow, std::sin, std::sinh, std::sqrt, std::tan, std::tanh;
  const Number& a = operand[0];
  const Number& b = operand[operand_count(operation) > 1 ? 1 : 0];
  const double x = value_of(a), y = value_of(b);
  switch (operation) {
    case Operation::constant:
    case Operation::argument:
      break;
    case Operation::negate:
      return -a;
    case Operation::logical_not:
      return truth(x == 0, a);
    case Operation::sin:
      return sin(a);
    case Operation::cos:
      return cos(a);
    case Operation::tan:
      return tan(a);
    case Operation::asin:
      return asin(a);
    case Operation::acos:
      return acos(a);
    case Operation::atan:
      return atan(a);
    case Operation::sinh:
      return sinh(a);
    case Operation::cosh:
      return cosh(a);
    case Operation::tanh:
      return tanh(a);
    case Operation::exp:
      return exp(a);
    case Operation::log:
      return log(a);
    case Operation::log10:
      return log10(a);
    case Operation::sqrt:
      return sqrt(a);
    case Operation::cbrt:
      return cbrt(a);
    case Operation::abs:
      return abs(a);
    case Operation::sign:
      return sign(a);
    case Operation::floor:
      return floor(a);
    case Operation::ceil:
      return ceil(a);
    case Operation::add:
      return a + b;
    case Operation::subtract:
      return a - b;
    case Operation::multiply:
      return a * b;
    case Operation::divide:
      return a / b;
    case Operation::power:
      return pow(a, b);
    case Operation::less:
      return truth(x < y, a);
    case Operation::less_equal:
      return truth(x <= y, a);
    case Operation::greater:
      return truth(x > y, a);
    case Operation::greater_equal:
      return truth(x >= y, a);
    case Operation::equal:
      return truth(x == y, a);
    case Operation::not_equal:
      return truth(x != y, a);
    case Operation::logical_and:
      return truth(x != 0 && y != 0, a);
    case Operation::logical_or:
      return truth(x != 0 || y != 0, a);
    case Operation::atan2:
      return atan2(a, b);
    case Operation::minimum:
      return y < x || std::isnan(y) ? b : a;
    case Operation::maximum:
      return y > x || std::isnan(y) ? b : a;
    case Operation::mod:
      return mod(a, b);
    case Operation::hypot:
      return hypot(a, b);
    case Operation::select:
      return x != 0 ? b : operand[2];
    case Operation::step:
      return rise(operand, false);
    case Operation::smoothstep5:
      return rise(operand, true);
  }
  assert(false);
  return a;
}

// Plain numbers without initial values, so that the stack costs nothing to set up.
struct JetSlot {
  double value, first, second;
  operator Jet() const { return {value, first, second}; }
};

template <class Argument>
Jet run_on_jets(const std::vector<Instruction>& instructions, const Argument& argument) {
  std::array<JetSlot, deepest_expression_stack> stack;
  JetSlot* top = stack.data();
  const auto push = [&top](const Jet& jet) { *top++ = {jet.value, jet.first, jet.second}; };
  for (const Instruction& instruction : instructions) {
    switch (instruction.operation) {
      case Operation::constant:
        push({instruction.constant, 0, 0});
        break;
      case Operation::argument:
        push(argument(instruction.argument));
        break;
      default: {
        const int count = operand_count(instruction.operation);
        top -= count;
        std::array<Jet, 5> operands;
        std::copy_n(top, count, operands.begin());
        push(apply_to(instruction.operation, operands.data()));
      }
    }
  }
  return stack[0];
}

}  // namespace

double apply(Operation operation, const double* operands) {
  return apply_to(operation, operands);
}

Expression::Expression() {
  static const std::shared_ptr<const Program> zero = [] {
    auto program = std::make_shared<Program>();
    program->text = std::string(1, '0');
    program->instructions = {{Operation::constant, 0, 0}};
    return program;
  }();
  program_ = zero;
}

double Expression::value(std::span<const double> arguments) const {
  assert(static_cast<int>(arguments.size()) >= program_->argument_count);
  std::array<double, deepest_expression_stack> stack;
  double* top = stack.data();  // one past the last operand
  for (const Instruction& instruction : program_->instructions) {
    switch (instruction.operation) {
      case Operation::constant:
        *top++ = instruction.constant;
        break;
      case Operation::argument:
        *top++ = arguments[static_cast<std::size_t>(instruction.argument)];
        break;
      default:
        top -= operand_count(instruction.operation);
        *top = apply_to(instruction.operation, top);
        ++top;
    }
  }
  return stack[0];
}

Jet Expression::derivatives(std::span<const double> arguments, int with_respect_to) const {
  assert(static_cast<int>(arguments.size()) >= program_->argument_count);
  return run_on_jets(program_->instructions, [&](int argument) -> Jet {
    return {arguments[static_cast<std::size_t>(argument)], argument == with_respect_to ? 1.0 : 0.0, 0};
  });
}

Jet Expression::along(std::span<const Jet> arguments) const {
  assert(static_cast<int>(arguments.size()) >= program_->argument_count);
  return run_on_jets(program_->instructions,
                     [&](int argument) { return arguments[static_cast<std::size_t>(argument)]; });
}

const std::string& Expression::text() const {
  return program_->text;
}

bool Expression::is_constant() const {
  // The compiler folds every operation on constants.
  return program_->instructions.size() == 1 && program_->instructions[0].operation == Operation::constant;
}

bool Expression::uses_argument(int argument) const {
  for (const Instruction& each : program_->instructions)
    if (each.operation == Operation::argument && each.argument == argument) return true;
  return false;
}

int Expression::argument_count() const {
  return program_->argument_count;
}

const std::vector<std::string>& Expression::names_used() const {
  return program_->names_used;
}

const std::optional<Dimension>& Expression::dimension() const {
  return program_->dimension;
}

const std::optional<PlainFactor>& Expression::plain_factor() const {
  return program_->plain_factor;
}

std::vector<double> Expression::switching_points(int argument) const {
  std::vector<double> points;
  for (const auto& [number, point] : program_->switching_points) {
    if (number == argument) points.push_back(point);
  }
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
  return points;
}

}  // namespace carom::inline base
