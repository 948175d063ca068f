#include "base/linear_form.h"

#include <algorithm>
#include <vector>

namespace carom::inline base {

namespace {

std::optional<LinearForm> combine(Operation operation, const LinearForm& u, const LinearForm& v) {
  if (operation == Operation::add) return sum_of(u, v, 1);
  if (operation == Operation::subtract) return sum_of(u, v, -1);
  if (operation == Operation::multiply && v.argument < 0) return LinearForm{u.argument, u.a * v.b, u.b * v.b};
  if (operation == Operation::multiply && u.argument < 0) return LinearForm{v.argument, v.a * u.b, v.b * u.b};
  if (operation == Operation::divide && v.argument < 0) return LinearForm{u.argument, u.a / v.b, u.b / v.b};
  return std::nullopt;
}

}  // namespace

std::optional<LinearForm> sum_of(const LinearForm& u, const LinearForm& v, double factor) {
  if (u.argument >= 0 && v.argument >= 0 && u.argument != v.argument) return std::nullopt;
  return LinearForm{std::max(u.argument, v.argument), u.a + factor * v.a, u.b + factor * v.b};
}

std::optional<LinearForm> linear_form(std::span<const Instruction> instructions) {
  std::vector<LinearForm> stack;
  for (const Instruction& instruction : instructions) {
    const int operands = operand_count(instruction.operation);
    if (operands == 0) {
      const bool constant = instruction.operation == Operation::constant;
      stack.push_back(constant ? LinearForm{-1, 0, instruction.constant} : LinearForm{instruction.argument, 1, 0});
    } else if (instruction.operation == Operation::negate) {
      stack.back() = {stack.back().argument, -stack.back().a, -stack.back().b};
    } else if (operands == 2) {
      const LinearForm right = stack.back();
      stack.pop_back();
      const std::optional<LinearForm> result = combine(instruction.operation, stack.back(), right);
      if (!result) return std::nullopt;
      stack.back() = *result;
    } else {
      return std::nullopt;
    }
  }
  return stack.size() == 1 ? std::optional(stack[0]) : std::nullopt;
}

}  // namespace carom::inline base
