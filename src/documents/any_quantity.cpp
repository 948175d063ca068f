#include "documents/any_quantity.h"

#include <charconv>

#include <fmt/format.h>

#include "base/unit_database.h"
#include "base/units.h"
#include "documents/reading.h"

namespace carom::inline documents {
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

std::string si_unit_of(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  if (begins_with(text, "+")) text.remove_prefix(1);
  double number = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), number);
  text.remove_prefix(static_cast<std::size_t>(end.ptr - text.data()));
  std::string si_unit;
  while (!text.empty()) {
    std::size_t length = 0;
    while (length < text.size() && is_name(text.substr(length))) ++length;
    si_unit += length > 0 ? si_of(text.substr(0, length)) : std::string(1, text.front());
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return si_unit;
}

// parse_quantity wants to be reported the unit of the result.
QuantityResult parse_any_quantity(std::string_view text) {
  try {
    return parse_quantity(text, si_unit_of(text));
  } catch (const ComputationError& error) {
    return {0, error.what()};
  }
}

}  // namespace carom::inline documents
