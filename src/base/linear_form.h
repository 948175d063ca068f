#pragma once

#include <optional>
#include <span>

#include "base/expression_program.h"

namespace carom::inline base {

// a·x + b, x being one argument; no argument if a is 0.
struct LinearForm {
  int argument = -1;
  double a = 0;
  double b = 0;
};

// u + factor·v, if that is a form of one argument.
std::optional<LinearForm> sum_of(const LinearForm& u, const LinearForm& v, double factor);

// The linear form a piece of program computes, if it computes one.
std::optional<LinearForm> linear_form(std::span<const Instruction> instructions);

}  // namespace carom::inline base
