#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/dimension.h"
#include "base/expression.h"
#include "base/expression_program.h"

namespace carom::inline base {

// Follows the dimensions through an expression while it is compiled, operand by operand.
//
// What an operand is:
// - known: of a dimension, from a unit that somebody wrote, or from the meaning of an argument (t is in s);
// - a number: a literal, pi, e, and what is computed of them alone. As a factor it has no dimension, as a term it takes
//   that of its neighbour;
// - free: a parameter without a unit and what has it as a factor. Its dimension cannot be reported; as a term it takes
// that of
//   its neighbour.
//
// An expression in which nobody wrote a unit is free as a whole, whatever its arguments mean: `0.1*sin(t)` is as good
// as any, since its numbers are SI and may stand for anything. Angles and ratios count as numbers here: 0.1 in
// `0.1*cos(tilt)` may be a length. Alone, they are what they are.
class DimensionCheck {
 public:
  explicit DimensionCheck(std::string_view text) : text_(text) {}

  // Operands, in the order of evaluation; begin and end are their place in the text.
  void push_number(std::size_t begin, std::size_t end);
  void push_constant();  // pi, e: a number that hides no unit
  void push_free();
  void push_known(const Dimension& dimension, bool written);
  // Sets the place of the last operand: names, and parentheses around it.
  void place(std::size_t begin, std::size_t end);

  // An operation on the last operands; `token` at `position` is how it is written. `exponent` is the value of the last
  // operand where that is a constant.
  void apply(Operation operation, std::string_view token, std::size_t position, std::optional<double> exponent);

  // When all is read: the first disagreement, if any counts.
  const std::optional<ExpressionError>& error() const;
  std::optional<Dimension> dimension() const;       // of the whole; none if it is free or a number
  std::optional<PlainFactor> plain_factor() const;  // a number in it that may lack a unit

 private:
  enum class Kind : std::uint8_t { number, free, known };
  struct Operand {
    Kind kind = Kind::number;
    Dimension dimension = {};
    std::size_t begin = 0, end = 0;
    std::optional<PlainFactor> factor = {};
  };

  std::string shown(const Operand& operand) const;
  std::string with_unit(const Operand& operand) const;
  void fail(std::size_t position, std::string message, std::string remedy);

  Operand combine(Operation operation, const Operand* operands, std::string_view token, std::size_t position,
                  std::optional<double> exponent);
  Operand agreed(const Operand& left, const Operand& right, std::string_view token, std::size_t position);
  Operand product(const Operand& left, const Operand& right, double power) const;
  Operand root(const Operand& operand, double power) const;
  Operand power(const Operand& base, const Operand& exponent, std::optional<double> value, std::size_t position);
  Operand rise(const Operand* operands, std::string_view token, std::size_t position);
  static Operand pure(const Operand* operands, int count);
  void require_no_unit(const Operand& operand, std::string_view token, std::size_t position);

  std::string_view text_;
  std::vector<Operand> operands_;
  bool written_ = false;   // somebody wrote a unit
  bool measured_ = false;  // the same, or that of an angle or ratio
  bool computed_ = false;  // there is an operation
  std::optional<ExpressionError> error_;
};

}  // namespace carom::inline base
