#include "base/dimension_check.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cmath>

#include "base/problem.h"

namespace carom::inline base {

namespace {

constexpr double largest_power = 1000;  // of a base unit: beyond it, an exponent is a mistake

// 4 and 3 in 4/3*pi are rarely quantities, 9.81 and 1000 often.
bool may_be_a_count(std::string_view number) {
  int value = 0;
  const auto end = std::from_chars(number.data(), number.data() + number.size(), value);
  return end.ec == std::errc() && end.ptr == number.data() + number.size() && value <= 12;
}

// The one that is more likely to lack a unit; the first of equals.
std::optional<PlainFactor> likelier(const std::optional<PlainFactor>& left, const std::optional<PlainFactor>& right) {
  if (!left || !right) return left ? left : right;
  return may_be_a_count(left->text) && !may_be_a_count(right->text) ? right : left;
}

std::optional<PlainFactor> raised(std::optional<PlainFactor> factor, double power) {
  if (factor) factor->power *= power;
  return factor;
}

// A function, not a sign between two operands.
bool is_name(std::string_view token) {
  return !token.empty() && (('a' <= token.front() && token.front() <= 'z'));
}

}  // namespace

std::string PlainFactor::remedy(const Dimension& missing) const {
  const Dimension unit = missing.to_the(1 / power);
  if (!std::all_of(unit.powers().begin(), unit.powers().end(), [](double p) { return std::abs(p) <= largest_power; }))
    return "";
  return "if the number has a unit, write " + quoted(text + "[" + unit.text() + "]");
}

void DimensionCheck::push_number(std::size_t begin, std::size_t end) {
  operands_.push_back({Kind::number, {}, begin, end, PlainFactor{std::string(text_.substr(begin, end - begin)), 1}});
}

void DimensionCheck::push_constant() {
  operands_.push_back({Kind::number});
}

void DimensionCheck::push_free() {
  operands_.push_back({Kind::free});
}

void DimensionCheck::push_known(const Dimension& dimension, bool written) {
  operands_.push_back({Kind::known, dimension});
  measured_ = measured_ || written;
  written_ = written_ || (written && !dimension.is_one());
}

void DimensionCheck::place(std::size_t begin, std::size_t end) {
  operands_.back().begin = begin;
  operands_.back().end = end;
}

void DimensionCheck::apply(Operation operation, std::string_view token, std::size_t position,
                           std::optional<double> exponent) {
  const int count = operand_count(operation);
  computed_ = computed_ || operation != Operation::negate;
  assert(static_cast<int>(operands_.size()) >= count);
  const Operand* first = operands_.data() + operands_.size() - static_cast<std::size_t>(count);
  Operand result = combine(operation, first, token, position, exponent);
  result.begin = std::min(first->begin, position);
  result.end = operands_.back().end;
  operands_.resize(operands_.size() - static_cast<std::size_t>(count));
  operands_.push_back(std::move(result));
}

const std::optional<ExpressionError>& DimensionCheck::error() const {
  static const std::optional<ExpressionError> none;
  return written_ ? error_ : none;
}

std::optional<Dimension> DimensionCheck::dimension() const {
  const Operand& whole = operands_.back();
  const bool told = written_ || (measured_ && !computed_);
  return told && whole.kind == Kind::known ? std::optional(whole.dimension) : std::nullopt;
}

std::optional<PlainFactor> DimensionCheck::plain_factor() const {
  return operands_.back().factor;
}

std::string DimensionCheck::shown(const Operand& operand) const {
  constexpr std::size_t longest = 40;
  std::string_view text = text_.substr(operand.begin, operand.end - operand.begin);
  while (!text.empty() && std::string_view(" \t\r\n").find(text.back()) != std::string_view::npos)
    text.remove_suffix(1);
  if (text.size() <= longest) return quoted(text);
  std::size_t length = longest;  // cut between characters
  while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xC0) == 0x80) --length;
  return quoted(std::string(text.substr(0, length)) + "…");
}

std::string DimensionCheck::with_unit(const Operand& operand) const {
  return shown(operand) + " (" + unit_phrase(operand.dimension) + ")";
}

void DimensionCheck::fail(std::size_t position, std::string message, std::string remedy) {
  if (!error_) error_ = {static_cast<int>(position) + 1, std::move(message), std::move(remedy)};
}

// Long: one rule per operation.
DimensionCheck::Operand DimensionCheck::combine(Operation operation, const Operand* operands, std::string_view token,
                                                std::size_t position, std::optional<double> exponent) {
  const Operand& first = operands[0];
  switch (operation) {
    case Operation::constant:
    case Operation::argument:
      break;
    case Operation::negate:
    case Operation::abs:
      return first;
    case Operation::sign:
    case Operation::logical_not:
      return pure(operands, 1);
    case Operation::logical_and:
    case Operation::logical_or:
      return pure(operands, 2);
    case Operation::sin:
    case Operation::cos:
    case Operation::tan:
    case Operation::asin:
    case Operation::acos:
    case Operation::atan:
    case Operation::sinh:
    case Operation::cosh:
    case Operation::tanh:
    case Operation::exp:
    case Operation::log:
    case Operation::log10:
      require_no_unit(first, token, position);
      return pure(operands, 1);
    case Operation::floor:
    case Operation::ceil:
      require_no_unit(first, token, position);
      return first.kind == Kind::known ? pure(operands, 1) : first;
    case Operation::sqrt:
      return root(first, 1.0 / 2);
    case Operation::cbrt:
      return root(first, 1.0 / 3);
    case Operation::add:
    case Operation::subtract:
    case Operation::minimum:
    case Operation::maximum:
    case Operation::mod:
    case Operation::hypot:
      return agreed(first, operands[1], token, position);
    case Operation::multiply:
      return product(first, operands[1], 1);
    case Operation::divide:
      return product(first, operands[1], -1);
    case Operation::power:
      return power(first, operands[1], exponent, position);
    case Operation::less:
    case Operation::less_equal:
    case Operation::greater:
    case Operation::greater_equal:
    case Operation::equal:
    case Operation::not_equal:
    case Operation::atan2:
      agreed(first, operands[1], token, position);
      return pure(operands, 2);
    case Operation::select:
      return agreed(operands[1], operands[2], token, position);
    case Operation::step:
    case Operation::smoothstep5:
      return rise(operands, token, position);
  }
  assert(false);
  return first;
}

// A number of numbers alone, else without a dimension whatever the operands were.
DimensionCheck::Operand DimensionCheck::pure(const Operand* operands, int count) {
  const bool numbers =
      std::all_of(operands, operands + count, [](const Operand& each) { return each.kind == Kind::number; });
  return {numbers ? Kind::number : Kind::known};
}

DimensionCheck::Operand DimensionCheck::agreed(const Operand& left, const Operand& right, std::string_view token,
                                               std::size_t position) {
  if (left.kind == Kind::known && right.kind == Kind::known && left.dimension != right.dimension) {
    const std::string verb = is_name(token) ? " is given " : " stands between ";
    // The number that lacks a unit is sought on the right first: sums go from left to right, and the left one agreed.
    const Dimension missing = left.dimension / right.dimension;
    fail(position, quoted(token) + verb + with_unit(left) + " and " + with_unit(right),
         right.factor  ? right.factor->remedy(missing)
         : left.factor ? left.factor->remedy(missing.to_the(-1))
                       : "both must have the same unit");
  }
  if (left.kind == Kind::known) return left;
  Operand result = right.kind == Kind::known || right.kind == Kind::free ? right : left;
  if (result.kind != Kind::known) result.factor.reset();  // what is added up is no factor
  return result;
}

DimensionCheck::Operand DimensionCheck::product(const Operand& left, const Operand& right, double power) const {
  Operand result{std::max(left.kind, right.kind)};  // number < free < known
  if (left.kind == Kind::free || right.kind == Kind::free) result.kind = Kind::free;
  result.dimension = left.dimension * right.dimension.to_the(power);
  result.factor = likelier(left.factor, raised(right.factor, power));
  return result;
}

DimensionCheck::Operand DimensionCheck::root(const Operand& operand, double power) const {
  return {operand.kind, operand.dimension.to_the(power), 0, 0, raised(operand.factor, power)};
}

DimensionCheck::Operand DimensionCheck::power(const Operand& base, const Operand& exponent, std::optional<double> value,
                                              std::size_t position) {
  if (exponent.kind == Kind::known && !exponent.dimension.is_one()) {
    fail(position, "the exponent " + with_unit(exponent) + " has a unit",
         "divide it by a quantity in " + exponent.dimension.text());
    return base;
  }
  if (base.kind == Kind::free) return base;
  const bool pure_base = base.dimension.is_one();
  if (base.kind == Kind::number) {
    if (exponent.kind != Kind::number) return {exponent.kind};
    return {Kind::number, {}, 0, 0, value ? raised(base.factor, *value) : std::nullopt};
  }
  if (pure_base) return {Kind::known};
  if (!value) {
    fail(position, with_unit(base) + " has an exponent that is no constant",
         "divide it by a quantity in " + base.dimension.text());
    return base;
  }
  const auto in_range = [&](double each) { return std::abs(each * *value) <= largest_power; };
  if (!std::all_of(base.dimension.powers().begin(), base.dimension.powers().end(), in_range)) {
    fail(position, "the exponent " + shown(exponent) + " of " + with_unit(base) + " is out of range", "");
    return base;
  }
  return {Kind::known, base.dimension.to_the(*value), 0, 0, raised(base.factor, *value)};
}

// t, t0, y0, t1, y1.
DimensionCheck::Operand DimensionCheck::rise(const Operand* operands, std::string_view token, std::size_t position) {
  const Operand start = agreed(operands[0], operands[1], token, position);
  Operand argument = start;  // shown as it is written
  argument.begin = operands[start.kind == operands[0].kind ? 0 : 1].begin;
  argument.end = operands[start.kind == operands[0].kind ? 0 : 1].end;
  agreed(argument, operands[3], token, position);
  return agreed(operands[2], operands[4], token, position);
}

void DimensionCheck::require_no_unit(const Operand& operand, std::string_view token, std::size_t position) {
  if (operand.kind != Kind::known || operand.dimension.is_one()) return;
  fail(position, quoted(token) + " takes a number without a unit, not " + with_unit(operand),
       operand.factor ? operand.factor->remedy(operand.dimension.to_the(-1))
                      : "divide it by a quantity in " + operand.dimension.text() + ", such as " +
                            quoted("1[" + operand.dimension.text() + "]"));
}

}  // namespace carom::inline base
