#include <charconv>

#include <fmt/format.h>

#include "base/unit_database.h"
#include "base/units.h"
#include "model_io/reading.h"

namespace carom {
namespace {

bool begins_with(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

// A byte of a unit's name, as parse_quantity understands it.
bool is_name(std::string_view text) {
  const char c = text.front();
  if (static_cast<unsigned char>(c) >= 0x80) {
    return !begins_with(text, "·") && !begins_with(text, "⋅") && !begins_with(text, "²") && !begins_with(text, "³");
  }
  return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || c == '_' || c == '%' || c == '\'' || c == '"';
}

std::string si_of(std::string_view name) {
  const std::optional<Unit> unit = look_up_unit(name);
  if (!unit) return std::string(name);  // parse_quantity will say that it is unknown
  std::string product = "(1";
  for (const auto& [symbol, power] : unit->dimensions) product += fmt::format(" {}^({})", symbol, power);
  return product + ")";
}

}  // namespace

// parse_quantity wants to be told the unit of the result: the given unit with every name in it replaced by its SI form.
QuantityResult parse_any_quantity(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  std::string_view rest = text;
  if (begins_with(rest, "+")) rest.remove_prefix(1);
  double number = 0;
  const auto end = std::from_chars(rest.data(), rest.data() + rest.size(), number);
  rest.remove_prefix(static_cast<std::size_t>(end.ptr - rest.data()));
  std::string si_unit;
  try {
    while (!rest.empty()) {
      std::size_t length = 0;
      while (length < rest.size() && is_name(rest.substr(length))) ++length;
      si_unit += length > 0 ? si_of(rest.substr(0, length)) : std::string(1, rest.front());
      rest.remove_prefix(std::max<std::size_t>(length, 1));
    }
  } catch (const ComputationError& error) {
    return {0, error.what()};
  }
  return parse_quantity(text, si_unit);
}

}  // namespace carom
