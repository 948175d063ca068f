#include "studies/read_varied.h"

#include <cmath>

#include <fmt/format.h>

#include "documents/any_quantity.h"
#include "studies/sampling.h"

namespace carom::inline studies {
namespace {

using Kind = ParameterKind;
using Rows = std::vector<ParameterDescription>;

// A name for the SI unit of a quantity; empty where it is none of these.
std::string unit_title(const std::string& text) {
  for (const char* unit :
       {"m",   "s",   "kg",  "N",     "Pa",     "J",      "W",   "K",     "Hz",      "m/s",    "m/s^2",
        "m^2", "m^3", "N/m", "N s/m", "kg m^2", "kg/m^3", "rad", "rad/s", "rad/s^2", "N/m^1.5"}) {
    if (parse_quantity(text, unit).ok() && !parse_quantity(text, "").ok()) return unit;
  }
  return "";
}

// What follows the number in a text such as "0.05 mm".
std::string unit_of(const Node& node) {
  if (const auto* list = node.as<Node::List>()) return list->empty() ? "" : unit_of(list->front());
  if (const Node* from = node.find("from")) return unit_of(*from);
  const auto* text = node.as<std::string>();
  if (!text || text->starts_with('=')) return "";
  const std::size_t begin = text->find_first_not_of("0123456789.+-eE ");
  return begin == std::string::npos ? "" : text->substr(begin);
}

// All values of one parameter are of the kind that the model gives it.
class VariedReader {
 public:
  VariedReader(Reading& reading, const ParameterUnit& in_model, VariedParameter& varied)
      : reading_(reading), varied_(varied) {
    if (!in_model.text.empty()) {
      take_unit_of(in_model.text);
    } else if (in_model.dimension) {
      take_unit_of("1 " + in_model.dimension->text());
    }
  }

  void read(const Node& table, const KeyPath& key) {
    const Node *values = table.find("values"), *range = table.find("range"), *spread = table.find("distribution");
    const Node& given = values ? *values : range ? *range : spread ? *spread : table;
    // A number without a unit may be replaced by quantities of any one kind.
    if (const std::string first = unit_of(given); unit_ == any_unit && !first.empty()) take_unit_of("1 " + first);
    const Rows rows = {{.name = "parameter", .kind = Kind::text},
                       {.name = "values", .kind = Kind::numbers, .unit = unit_}};
    const Settings settings = read_keys(reading_, table, rows, {"range", "distribution"}, key);
    if ((values != nullptr) + (range != nullptr) + (spread != nullptr) != 1)
      return reading_.complain(table, key,
                               {values || range || spread ? "more than one of them" : "nothing to vary it over",
                                "one of `values`, `range` or `distribution`", ""});
    varied_.shown = unit_of(given);
    if (values) {
      varied_.values = settings.numbers("values");
      if (const auto* list = values->as<Node::List>(); list && list->empty())
        reading_.complain(*values, key / "values", {"an empty list", "at least one value", ""});
    }
    if (range && is_table(*range, key / "range", "{ from = …, to = …, count = … }")) read_range(*range, key / "range");
    if (spread && is_table(*spread, key / "distribution", "{ type = \"normal\", … }"))
      read_distribution(*spread, key / "distribution");
  }

 private:
  void take_unit_of(const std::string& quantity) {
    if (!parse_any_quantity(quantity).ok()) return;
    varied_.unit = unit_title(quantity);
    if (!parse_quantity(quantity, "").ok()) unit_ = varied_.unit.empty() ? si_unit_of(quantity) : varied_.unit;
  }

  bool is_table(const Node& node, const KeyPath& key, const std::string& form) {
    if (!node.as<Node::Table>()) reading_.complain(node, key, {found_text(node), "a table " + form, ""});
    return node.as<Node::Table>() != nullptr;
  }

  Settings read_all(const Node& table, const Rows& rows, const KeyPath& key) {
    const Settings settings = read_keys(reading_, table, rows, {}, key);
    require_keys(reading_, table, rows, key);
    complete_ = true;
    for (const ParameterDescription& row : rows) complete_ = complete_ && (!row.required || settings.has(row.name));
    return settings;
  }

  void read_range(const Node& table, const KeyPath& key) {
    const Settings settings = read_all(table,
                                       {{.name = "from", .unit = unit_, .required = true},
                                        {.name = "to", .unit = unit_, .required = true},
                                        {.name = "count", .kind = Kind::integer, .minimum = 2, .maximum = 1e7},
                                        {.name = "scale", .kind = Kind::choice, .choices = {"linear", "log"}}},
                                       key);
    if (!complete_) return;
    const double from = settings.number("from"), to = settings.number("to");
    varied_.logarithmic = settings.text("scale", "linear") == "log";
    if (from == to)
      return reading_.complain(table, key,
                               {"an empty range", "`from` and `to` that differ", "use `values` for one value"});
    if (varied_.logarithmic && (from <= 0 || to <= 0))
      return reading_.complain(table, key, {"a range that reaches zero or below", "positive ends on a log scale", ""});
    varied_.spread =
        Spread{.kind = varied_.logarithmic ? Spread::Kind::log_uniform : Spread::Kind::uniform, .from = from, .to = to};
    const auto count = static_cast<std::size_t>(settings.number("count"));
    for (std::size_t k = 0; k < count; ++k) {
      const double part = static_cast<double>(k) / static_cast<double>(count - 1);
      varied_.values.push_back(k + 1 == count        ? to
                               : k == 0              ? from
                               : varied_.logarithmic ? from * std::pow(to / from, part)
                                                     : from + (to - from) * part);
    }
  }

  void read_distribution(const Node& table, const KeyPath& key) {
    const std::vector<std::string> types = {"normal", "uniform", "weibull"};
    const ParameterDescription type = {.name = "type", .kind = Kind::choice, .required = true, .choices = types};
    const ParameterDescription lower = {.name = "lower", .unit = unit_}, upper = {.name = "upper", .unit = unit_};
    const auto positive = [](const char* name, const std::string& unit) {
      return ParameterDescription{.name = name, .unit = unit, .required = true, .minimum = 0, .minimum_allowed = false};
    };
    const Node* node = table.find("type");
    const std::string* name = node ? node->as<std::string>() : nullptr;
    Spread spread;
    if (name && *name == "normal") {
      const Settings s = read_all(
          table, {type, {.name = "mean", .unit = unit_, .required = true}, positive("deviation", unit_), lower, upper},
          key);
      spread = {.kind = Spread::Kind::normal,
                .mean = s.number("mean"),
                .deviation = s.number("deviation"),
                .lower = s.number("lower", spread.lower),
                .upper = s.number("upper", spread.upper)};
    } else if (name && *name == "uniform") {
      const Settings s = read_all(
          table,
          {type, {.name = "from", .unit = unit_, .required = true}, {.name = "to", .unit = unit_, .required = true}},
          key);
      spread = {.kind = Spread::Kind::uniform, .from = s.number("from"), .to = s.number("to")};
      if (complete_ && !(spread.from < spread.to))
        reading_.complain(table, key, {"an empty range", "`from` below `to`", ""});
    } else if (name && *name == "weibull") {
      const Settings s = read_all(
          table,
          {type, positive("shape", ""), positive("scale", unit_), {.name = "location", .unit = unit_}, lower, upper},
          key);
      spread = {.kind = Spread::Kind::weibull,
                .shape = s.number("shape"),
                .scale = s.number("scale"),
                .location = s.number("location"),
                .lower = s.number("lower", spread.lower),
                .upper = s.number("upper", spread.upper)};
    } else {
      read_all(table, {type}, key);
    }
    if (complete_ && !(spread.lower < spread.upper))
      return reading_.complain(table, key, {"nothing between the bounds", "`lower` below `upper`", ""});
    constexpr double least_share = 1e-280;  // less cannot be told from nothing
    if (complete_ && !(share_between_bounds(spread) > least_share))
      return reading_.complain(table, key,
                               {"bounds so far out in a tail that nothing of the distribution lies between them",
                                "bounds around a part of it", "check `lower`, `upper` and their units"});
    varied_.spread = spread;
  }

  Reading& reading_;
  VariedParameter& varied_;
  std::string unit_ = any_unit;
  bool complete_ = false;  // all keys that the last table needs are there
};

}  // namespace

void read_varied(Reading& reading, const Node& table, const KeyPath& key, const ParameterUnit& in_model,
                 VariedParameter& varied) {
  VariedReader(reading, in_model, varied).read(table, key);
}

}  // namespace carom::inline studies
