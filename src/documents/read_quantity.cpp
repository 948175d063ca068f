#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/units.h"
#include "documents/reading.h"

namespace carom::inline documents {
namespace {

// "parameter `speed` in kg, line 9": where the unit of a name comes from.
std::string origin_of(const Reading& reading, const std::string& name, const Dimension& dimension, const Node& user) {
  std::string text = "`" + name + (dimension.is_one() ? "` without unit" : "` in " + dimension.text());
  if (reading.replaced_parameters.contains(name)) return text + ", replaced";
  const SourceMap::Place* place = reading.sources.find(KeyPath::section("parameters") / name);
  if (!place || place->file == built_in_cpp) return text;
  const bool same_file = place->file == reading.documents.files[static_cast<std::size_t>(user.file)];
  return text + (same_file ? fmt::format(", line {}", place->where.line)
                           : fmt::format(", {}:{}", place->file, place->where.line));
}

// The parameters of an expression whose units are known: " (parameter `speed` in kg, line 9)"; empty if there are none.
std::string origins(const Reading& reading, const Expression& expression, const Node& user) {
  constexpr std::size_t most = 4;
  std::vector<std::string> parts;
  for (const std::string& name : expression.names_used()) {
    const auto known = reading.dimensions.find(name);
    if (known != reading.dimensions.end()) parts.push_back(origin_of(reading, name, known->second, user));
  }
  if (parts.empty()) return "";
  const bool cut = parts.size() > most;
  const std::string title = parts.size() == 1 ? "parameter " : "parameters ";
  if (cut) parts.resize(most);
  return fmt::format(" ({}{}{})", title, fmt::join(parts, "; "), cut ? "; …" : "");
}

// Whether the expression is nothing but the name of a parameter that counts cycles. What is computed of it may have
// been multiplied by 2π.
bool counts_cycles(const Reading& reading, const Expression& expression) {
  const std::vector<std::string>& names = expression.names_used();
  const std::string& text = expression.text();
  const std::size_t start = std::min(text.find_first_not_of(' '), text.size());
  return names.size() == 1 && reading.counted_in_cycles.contains(names[0]) &&
         text.substr(start, text.find_last_not_of(' ') + 1 - start) == names[0];
}

bool is_angular(const std::string& unit) {
  const auto read = parse_unit(unit);
  const Unit* known = std::get_if<Unit>(&read);
  return known && known->dimensions.contains("rad");
}

}  // namespace

bool check_unit(Reading& reading, const Node& node, const Expression& expression, const std::string& unit,
                const std::string& expected, const KeyPath& key) {
  const std::optional<Dimension> wanted = unit == any_unit ? std::nullopt : dimension_of_unit(unit);
  if (!reading.check_dimensions || !expression.dimension() || !wanted) return true;
  const Dimension& dimension = *expression.dimension();
  std::string fault, remedy;
  if (dimension != *wanted) {
    fault = dimension.is_one() ? "has no unit" : "is in " + dimension.text();
    if (const auto& factor = expression.plain_factor()) remedy = factor->remedy(*wanted / dimension);
  } else if (counts_cycles(reading, expression) && is_angular(unit)) {
    fault = "counts cycles, not radians";
    remedy = fmt::format("write \"=2*pi*{}\"", expression.names_used()[0]);
  } else {
    return true;
  }
  const std::string origin = origins(reading, expression, node);
  reading.complain(node, key, {found_text(node) + ", which " + fault + origin, expected, remedy});
  return false;
}

std::optional<Measured> read_measured(Reading& reading, const Node& node, const std::string& unit,
                                      const std::string& expected, const KeyPath& key) {
  std::optional<Measured> result;
  if (const auto* integer = node.as<std::int64_t>()) {
    result = Measured{static_cast<double>(*integer)};
  } else if (const auto* real = node.as<double>()) {
    result = Measured{*real};
  } else if (const auto* text = node.as<std::string>()) {
    if (text->starts_with('=')) {
      const auto expression = read_expression(reading, node, {}, key);
      if (!expression || !check_unit(reading, node, *expression, unit, expected, key)) return std::nullopt;
      result = Measured{expression->value({}), expression->dimension(), counts_cycles(reading, *expression)};
    } else {
      const QuantityResult quantity = unit == any_unit ? parse_any_quantity(*text) : parse_quantity(*text, unit);
      if (!quantity.ok()) {
        const bool parameter = reading.parameters.contains(*text);
        reading.complain(
            node, key,
            {found_text(node), expected, parameter ? "write \"=" + *text + "\" for the parameter" : quantity.error});
        return std::nullopt;
      }
      const std::optional<Unit> given = unit_of_quantity(*text);
      result = Measured{quantity.value, given ? std::optional(Dimension(*given)) : std::nullopt,
                        given && given->counts_cycles};
    }
  }
  if (!result) {
    reading.complain(node, key, {found_text(node), expected, ""});
  } else if (!std::isfinite(result->value)) {
    const std::string value = node.as<std::string>() ? ", which is " + number_text(result->value) : "";
    reading.complain(node, key, {found_text(node) + value, "a finite number", ""});
    result.reset();
  }
  return result;
}

std::optional<double> read_quantity(Reading& reading, const Node& node, const std::string& unit,
                                    const std::string& expected, const KeyPath& key) {
  const auto result = read_measured(reading, node, unit, expected, key);
  return result ? std::optional(result->value) : std::nullopt;
}

}  // namespace carom::inline documents
