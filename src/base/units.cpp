#include "base/units.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <variant>

#include "base/characters.h"
#include "base/nearest_name.h"
#include "base/problem.h"
#include "base/unit_database.h"

namespace carom::inline base {

namespace {

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool starts_with(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

std::string_view without_plus(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  return text;
}

const std::vector<std::string>& common_units() {
  static const std::vector<std::string> names = {
      "m",   "mm",   "cm",  "km",  "um",  "kg",  "g",   "t",   "s",    "ms",   "min",  "h",      "N",   "kN",
      "MN",  "mN",   "Pa",  "kPa", "MPa", "GPa", "bar", "J",   "kJ",   "W",    "kW",   "Hz",     "kHz", "rad",
      "deg", "mrad", "rev", "rpm", "K",   "A",   "V",   "lbf", "inch", "foot", "degC", "percent"};
  return names;
}

// Reads the unit grammar described in the header; `error` is set where it fails.
class UnitReader {
 public:
  explicit UnitReader(std::string_view text) : rest_(text), whole_(text) {}

  std::variant<Unit, std::string> read() {
    const Unit unit = product(0);
    if (error_.empty() && !rest_.empty()) fail("cannot read " + quoted(rest_) + " in the unit " + quoted(whole_));
    if (error_.empty() && factors_ > 1 && has_offset_) {
      fail("a unit with an offset cannot stand in the product " + quoted(whole_) + "; use K");
    }
    if (error_.empty() && !(std::isfinite(unit.scale) && unit.scale > 0)) fail("unusable unit " + quoted(whole_));
    if (!error_.empty()) return error_;
    return unit;
  }

 private:
  static constexpr int deepest_nesting = 20;
  static constexpr double largest_power = 20;

  void fail(std::string message) {
    if (error_.empty()) error_ = std::move(message);
    rest_ = {};
  }

  bool skip(std::string_view token) {
    while (!rest_.empty() && is_space(rest_.front())) rest_.remove_prefix(1);
    if (!starts_with(rest_, token)) return false;
    rest_.remove_prefix(token.size());
    return true;
  }

  bool at_end_of_product() {
    skip("");
    return rest_.empty() || rest_.front() == ')';
  }

  Unit product(int nesting) {
    skip("");
    if (starts_with(rest_, "/")) ++factors_;  // a leading 1 may be left out
    Unit result = starts_with(rest_, "/") ? Unit{} : factor(nesting);
    while (error_.empty() && !at_end_of_product()) {
      const bool divide = skip("/");
      if (!divide) skip("*") || skip("·") || skip("⋅") || skip(".");  // a space alone multiplies too
      multiply(result, factor(nesting), divide ? -1 : 1);
    }
    return result;
  }

  void multiply(Unit& result, const Unit& other, double power) {
    result.scale *= std::pow(other.scale, power);
    result.counts_cycles = result.counts_cycles || other.counts_cycles;
    for (const auto& [symbol, exponent] : other.dimensions) result.dimensions[symbol] += power * exponent;
    std::erase_if(result.dimensions, [](const auto& entry) { return std::abs(entry.second) < 1e-9; });
  }

  Unit factor(int nesting) {
    ++factors_;
    Unit base;
    if (skip("(")) {
      if (nesting == deepest_nesting) {
        fail("too many parentheses in the unit");
        return base;
      }
      base = product(nesting + 1);
      if (error_.empty() && !skip(")")) fail("a `)` is missing in the unit " + quoted(whole_));
    } else if (skip("1")) {
      if (!rest_.empty() && (is_digit(rest_.front()) || rest_.front() == '.')) fail(number_in_unit());
    } else {
      base = symbol();
    }
    const double power = error_.empty() ? exponent() : 1;
    if (power == 1) return base;
    ++factors_;  // a power is a product: no offset survives it
    Unit raised;
    multiply(raised, base, power);
    return raised;
  }

  std::string number_in_unit() const { return "a second number in the unit " + quoted(whole_); }

  // A byte of a unit's name; those beyond ASCII belong to µ, ° and the like, except operators and powers.
  static bool is_name_start(std::string_view text) {
    const char c = text.front();
    if (static_cast<unsigned char>(c) >= 0x80) {
      return !starts_with(text, "·") && !starts_with(text, "⋅") && !starts_with(text, "²") && !starts_with(text, "³");
    }
    return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || c == '_' || c == '%' || c == '\'' || c == '"';
  }

  Unit symbol() {
    if (rest_.empty()) {
      fail("the unit " + quoted(whole_) + " is not complete");
      return {};
    }
    std::size_t length = 0;
    while (length < rest_.size() && is_name_start(rest_.substr(length))) ++length;
    if (length == 0) {
      fail(is_digit(rest_.front()) ? number_in_unit()
                                   : "cannot read " + quoted(rest_) + " in the unit " + quoted(whole_));
      return {};
    }
    const std::string_view name = rest_.substr(0, length);
    const std::optional<Unit> unit = look_up_unit(name);
    if (!unit) {
      const std::string advice = did_you_mean(name, common_units());
      fail("unknown unit " + quoted(name) + (advice.empty() ? "" : "; " + advice));
      return {};
    }
    rest_.remove_prefix(length);
    has_offset_ = has_offset_ || unit->offset != 0;
    return *unit;
  }

  // "^1.5", "**2", "^(3/2)", a whole number right behind the symbol, or ² and ³; 1 if there is none.
  double exponent() {
    if (starts_with(rest_, "²") || starts_with(rest_, "³")) {
      const double power = starts_with(rest_, "²") ? 2 : 3;
      rest_.remove_prefix(std::string_view("²").size());
      return power;
    }
    const bool attached =
        !rest_.empty() && (is_digit(rest_.front()) || (rest_.size() > 1 && rest_.front() == '-' && is_digit(rest_[1])));
    if (attached) return number(true);
    if (!skip("^") && !skip("**")) return 1;
    if (!skip("(")) return number(false);
    double power = number(false);
    if (error_.empty() && skip("/")) power /= number(false);
    if (error_.empty() && !skip(")")) fail("a `)` is missing in the unit " + quoted(whole_));
    if (error_.empty() && !(std::abs(power) <= largest_power)) fail("a power out of range in " + quoted(whole_));
    return power;
  }

  double number(bool whole_number) {
    skip("");
    double result = 0;
    std::from_chars_result end{};
    if (whole_number) {
      int integer = 0;
      end = std::from_chars(rest_.data(), rest_.data() + rest_.size(), integer);
      result = integer;
    } else {
      end = std::from_chars(rest_.data(), rest_.data() + rest_.size(), result, std::chars_format::fixed);
    }
    if (end.ec != std::errc() || !(std::abs(result) <= largest_power)) {
      fail("a power is missing or out of range in the unit " + quoted(whole_));
      return 1;
    }
    rest_.remove_prefix(static_cast<std::size_t>(end.ptr - rest_.data()));
    return result;
  }

  std::string_view rest_;
  std::string_view whole_;
  std::string error_;
  int factors_ = 0;
  bool has_offset_ = false;
};

std::variant<Unit, std::string> read_unit(std::string_view text) {
  if (text.empty() || text == "1") return Unit{};
  return UnitReader(text).read();
}

bool same_dimensions(std::map<std::string, double> a, const std::map<std::string, double>& b) {
  for (const auto& [symbol, power] : b) a[symbol] -= power;
  return std::all_of(a.begin(), a.end(), [](const auto& entry) { return std::abs(entry.second) < 1e-9; });
}

// The radian may be left out where it is expected, but never added or changed.
bool compatible(std::map<std::string, double> given, std::map<std::string, double> expected) {
  if (!given.contains("rad")) expected.erase("rad");
  return same_dimensions(std::move(given), expected);
}

// "a length" for "m"; empty for combinations that have no name.
std::string quantity_name(const Unit& unit) {
  struct Named {
    const char* unit;
    const char* name;
  };
  static constexpr std::array names = {Named{"1", "a dimensionless number"},
                                       Named{"m", "a length"},
                                       Named{"kg", "a mass"},
                                       Named{"s", "a time"},
                                       Named{"rad", "an angle"},
                                       Named{"m2", "an area"},
                                       Named{"m3", "a volume"},
                                       Named{"m/s", "a speed"},
                                       Named{"m/s2", "an acceleration"},
                                       Named{"rad/s", "an angular velocity"},
                                       Named{"Hz", "a frequency"},
                                       Named{"rad/s2", "an angular acceleration"},
                                       Named{"N", "a force"},
                                       Named{"N m", "a torque"},
                                       Named{"N/m", "a stiffness"},
                                       Named{"N s/m", "a damping"},
                                       Named{"Pa", "a pressure"},
                                       Named{"kg/m3", "a density"},
                                       Named{"kg m2", "a moment of inertia"},
                                       Named{"W", "a power"},
                                       Named{"K", "a temperature"},
                                       Named{"N m/rad", "a torsional stiffness"},
                                       Named{"N m s/rad", "a torsional damping"}};
  for (const Named& named : names) {
    const auto candidate = read_unit(named.unit);
    if (same_dimensions(std::get<Unit>(candidate).dimensions, unit.dimensions)) return named.name;
  }
  return "";
}

std::string wrong_dimension(std::string_view text, const Unit& expected, const std::string& si_unit) {
  const std::string name = quantity_name(expected);
  if (si_unit.empty() || si_unit == "1") return quoted(text) + " is not " + name + ": expected no unit";
  return quoted(text) + (name.empty() ? " has the wrong dimension" : " is not " + name) + ": expected a unit like " +
         si_unit;
}

QuantityResult failure(std::string message) {
  return {0, std::move(message)};
}

QuantityResult convert(double number, std::string_view unit_text, std::string_view text, const std::string& si_unit) {
  const auto expected = read_unit(trimmed(si_unit));
  if (const std::string* error = std::get_if<std::string>(&expected)) return failure(*error);
  const auto given = read_unit(unit_text);
  if (const std::string* error = std::get_if<std::string>(&given)) return failure(*error);

  const Unit& from = std::get<Unit>(given);
  const Unit& to = std::get<Unit>(expected);
  if (from.counts_cycles && to.dimensions.contains("rad")) {
    return failure(quoted(text) + " counts cycles, not radians: expected a unit like " + si_unit + ", rpm or rev/s");
  }
  if (!compatible(from.dimensions, to.dimensions)) return failure(wrong_dimension(text, to, si_unit));
  const double value = (from.scale * number + from.offset - to.offset) / to.scale;
  if (!std::isfinite(value)) return failure(quoted(text) + " is out of range");
  return {value, ""};
}

}  // namespace

std::variant<Unit, std::string> parse_unit(std::string_view text) {
  try {
    return read_unit(trimmed(text));
  } catch (const ComputationError& error) {
    return error.what();
  }
}

std::optional<Dimension> dimension_of_unit(std::string_view unit) {
  const auto read = parse_unit(unit);
  const Unit* known = std::get_if<Unit>(&read);
  return known ? std::optional(Dimension(*known)) : std::nullopt;
}

std::optional<Unit> unit_of_quantity(std::string_view text) {
  std::string_view rest = without_plus(trimmed(text));
  double number = 0;
  const auto end = std::from_chars(rest.data(), rest.data() + rest.size(), number);
  rest = trimmed(rest.substr(static_cast<std::size_t>(end.ptr - rest.data())));
  if (rest.empty()) return std::nullopt;
  const auto read = parse_unit(rest);
  const Unit* known = std::get_if<Unit>(&read);
  return known ? std::optional(*known) : std::nullopt;
}

std::optional<Dimension> dimension_of_quantity(std::string_view text) {
  const std::optional<Unit> unit = unit_of_quantity(text);
  return unit ? std::optional(Dimension(*unit)) : std::nullopt;
}

QuantityResult parse_quantity(std::string_view text, const std::string& si_unit) {
  text = trimmed(text);
  const std::string_view digits = without_plus(text);
  const std::string_view magnitude = digits == text && starts_with(digits, "-") ? digits.substr(1) : digits;
  if (magnitude.empty() || !(is_digit(magnitude.front()) || magnitude.front() == '.')) {
    return failure(quoted(text) + " does not begin with a number");
  }
  double number = 0;
  const auto end = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (end.ec == std::errc::result_out_of_range) return failure(quoted(text) + " is out of range");
  if (end.ec != std::errc()) return failure(quoted(text) + " does not begin with a number");

  const std::string_view unit = trimmed(digits.substr(static_cast<std::size_t>(end.ptr - digits.data())));
  if (unit.empty()) return {number, ""};
  if (unit.front() == ',') return failure(quoted(text) + " has a comma: numbers take a decimal point");
  if (is_digit(unit.front()) && !starts_with(unit, "1/") && !starts_with(unit, "1 /")) {
    return failure(quoted(text) + " holds two numbers");
  }
  try {
    return convert(number, unit, text, si_unit);
  } catch (const ComputationError& error) {
    return failure(error.what());
  }
}

}  // namespace carom::inline base
