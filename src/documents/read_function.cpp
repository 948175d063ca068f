#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "base/nearest_name.h"
#include "documents/reading.h"
#include "model/drive.h"

namespace carom::inline documents {
namespace {

const std::vector<std::string> interpolations = {"cubic", "linear"};

struct Points {
  std::vector<double> x, y;
};

std::string argument_unit(const ParameterDescription& row, std::size_t index) {
  if (index < row.argument_units.size()) return row.argument_units[index];
  return index >= row.arguments.size() || row.arguments[index] == "t" ? "s" : any_unit;
}

std::optional<Points> read_points(Reading& reading, const Node& node, const ParameterDescription& row,
                                  const KeyPath& key) {
  const std::string expected = "a list of pairs [argument, value]";
  const Node::List* list = node.as<Node::List>();
  if (!list || list->empty()) {
    reading.complain(node, key, {found_text(node), expected, ""});
    return std::nullopt;
  }
  Points points;
  bool sound = true;
  for (const Node& pair : *list) {
    const Node::List* numbers = pair.as<Node::List>();
    if (!numbers || numbers->size() != 2) {
      reading.complain(pair, key, {found_text(pair), expected, ""});
      sound = false;
      continue;
    }
    const std::string unit = argument_unit(row, 0);  // tables are given over the first argument
    const auto x = read_quantity(reading, (*numbers)[0], unit, "a quantity in " + unit, key);
    const auto y = read_quantity(reading, (*numbers)[1], row.unit, "a quantity in " + row.unit, key);
    sound = sound && x && y;
    if (!x || !y) continue;
    if (!points.x.empty() && *x <= points.x.back()) {
      reading.complain((*numbers)[0], key,
                       {number_text(*x) + " after " + number_text(points.x.back()), "arguments that increase", ""});
      sound = false;
    }
    points.x.push_back(*x);
    points.y.push_back(*y);
  }
  return sound ? std::optional(points) : std::nullopt;
}

// Two numbers of a line, separated by comma, semicolon or blanks.
bool parse_line(std::string_view line, double& x, double& y) {
  const auto skip = [&](std::string_view characters) {
    const std::size_t start = line.find_first_not_of(characters);
    line.remove_prefix(start == std::string_view::npos ? line.size() : start);
  };
  const auto number = [&](double& value) {
    if (line.starts_with('+')) line.remove_prefix(1);
    const auto end = std::from_chars(line.data(), line.data() + line.size(), value);
    line.remove_prefix(static_cast<std::size_t>(end.ptr - line.data()));
    return end.ec == std::errc();
  };
  skip(" \t");
  if (!number(x)) return false;
  const std::size_t before = line.size();
  skip(" \t");
  if (line.starts_with(',') || line.starts_with(';')) line.remove_prefix(1);
  if (line.size() == before) return false;
  skip(" \t");
  if (!number(y)) return false;
  skip(" \t\r");
  return line.empty();
}

// Whether a field of a line is a number: such a line is no line of titles.
bool holds_number(std::string_view line) {
  for (std::size_t start = 0; start < line.size();) {
    const std::size_t end = std::min(line.find_first_of(",;\t\r", start), line.size());
    std::string_view field = line.substr(start, end - start);
    while (field.starts_with(' ')) field.remove_prefix(1);
    while (field.ends_with(' ')) field.remove_suffix(1);
    double value = 0;
    const auto read = std::from_chars(field.data(), field.data() + field.size(), value);
    if (!field.empty() && read.ec == std::errc() && read.ptr == field.data() + field.size()) return true;
    start = end + 1;
  }
  return false;
}

std::optional<Points> parse_csv(Reading& reading, std::string_view text, const std::string& file, const KeyPath& key) {
  Points points;
  bool sound = true, first = true;
  int number = 0;
  const auto complain = [&](std::string found, std::string expected) {
    reading.add({Severity::error, file, {number, 1}, key.shown, std::move(found), std::move(expected), ""});
    sound = false;
  };
  while (!text.empty()) {
    ++number;
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t start = line.find_first_not_of(" \t\r");
    if (start == std::string_view::npos || line[start] == '#') continue;
    double x = 0, y = 0;
    const bool header = std::exchange(first, false) && !(line[start] >= '0' && line[start] <= '9') &&
                        std::string_view("+-.").find(line[start]) == std::string_view::npos;
    if (header && !holds_number(line)) {
      reading.add({Severity::warning,
                   file,
                   {number, 1},
                   key.shown,
                   quoted_text(line) + ", taken as a line of titles",
                   "two numbers, argument and value, or titles before them",
                   ""});
      continue;
    }
    if (!parse_line(line, x, y) || !std::isfinite(x) || !std::isfinite(y)) {
      complain(quoted_text(line), "two numbers, argument and value");
      continue;
    }
    if (!points.x.empty() && x <= points.x.back()) {
      complain(number_text(x) + " after " + number_text(points.x.back()), "arguments that increase");
    }
    points.x.push_back(x);
    points.y.push_back(y);
  }
  if (sound && points.x.empty()) {
    number = 0;
    complain("no numbers", "lines of two numbers, argument and value");
  }
  return sound ? std::optional(points) : std::nullopt;
}

std::optional<Points> read_csv(Reading& reading, const Node& node, const KeyPath& key) {
  const std::string* name = node.as<std::string>();
  if (!name || name->empty() || name->find('\0') != std::string::npos) {
    reading.complain(node, key, {found_text(node), "the name of a CSV file", ""});
    return std::nullopt;
  }
  const std::filesystem::path path = path_from(reading, node, *name);
  std::string text;
  Problem problem;
  if (!load_text(path, text, problem)) {
    reading.complain(node, key, {problem.found + ": " + quoted_text(path.string()), problem.expected, problem.remedy});
    return std::nullopt;
  }
  return parse_csv(reading, text, path.string(), key);
}

std::optional<Function> read_table(Reading& reading, const Node& node, const ParameterDescription& row,
                                   const KeyPath& key) {
  bool sound = true;
  for (const Entry& entry : *node.as<Node::Table>()) {
    if (entry.key == "table" || entry.key == "file" || entry.key == "interpolation") continue;
    reading.complain(entry.value.file, entry.where, key / entry.key,
                     unknown_key(entry.key, {"table", "file", "interpolation"}));
    sound = false;
  }
  std::string interpolation = "cubic";
  if (const Node* given = node.find("interpolation")) {
    const std::string* text = given->as<std::string>();
    if (text && (*text == "cubic" || *text == "linear")) {
      interpolation = *text;
    } else {
      reading.complain(
          *given, key / "interpolation",
          {found_text(*given), alternatives(interpolations), text ? did_you_mean(*text, interpolations) : ""});
      sound = false;
    }
  }
  const Node *table = node.find("table"), *file = node.find("file");
  if ((table != nullptr) == (file != nullptr)) {
    reading.complain(node, key, {table ? "both `table` and `file`" : "neither `table` nor `file`", "one of them", ""});
    return std::nullopt;
  }
  const auto points = table ? read_points(reading, *table, row, key / "table") : read_csv(reading, *file, key / "file");
  if (!points || !sound) return std::nullopt;
  return Function::table(points->x, points->y, interpolation == "cubic" ? Interpolation::cubic : Interpolation::linear);
}

Complaint unknown_drive(const Node& name) {
  std::vector<std::string> names;
  for (const DriveDescription& each : drive_catalogue()) names.push_back(each.name);
  const std::string* given = name.as<std::string>();
  const std::string near = given ? did_you_mean(*given, names) : "";
  return {found_text(name), names.empty() ? "the name of a drive; none is loaded" : "a drive: " + alternatives(names),
          near.empty() ? plugin_remedy : near};
}

// Whether the drive gives what the key asks for.
bool drive_fits(Reading& reading, const Node& node, const ParameterDescription& row, const DriveDescription& drive,
                const KeyPath& key) {
  const auto own = dimension_of_unit(drive.unit), asked = dimension_of_unit(row.unit);
  if (drive.unit == any_unit || row.unit == any_unit || !own || !asked || *own == *asked) return true;
  reading.complain(node, key,
                   {fmt::format("the drive `{}`, whose value is in {}", drive.name, drive.unit),
                    expected_text(row, reading.planar), ""});
  return false;
}

std::optional<Function> read_drive(Reading& reading, const Node& node, const ParameterDescription& row,
                                   const KeyPath& key) {
  const Node& name = *node.find("drive");
  const std::string* given = name.as<std::string>();
  const DriveDescription* drive = given ? find_drive(*given) : nullptr;
  if (!drive) {
    reading.complain(name, key / "drive", unknown_drive(name));
    return std::nullopt;
  }
  if (row.arguments.empty() || row.arguments.front() != "t") {
    reading.complain(name, key / "drive",
                     {found_text(name), expected_text(row, reading.planar), "a drive is a function of the time"});
    return std::nullopt;
  }
  const Settings settings = read_keys(reading, node, drive->parameters, {"drive"}, key);
  require_keys(reading, node, drive->parameters, key);
  bool sound = drive_fits(reading, node, row, *drive, key);
  for (const ParameterDescription& each : drive->parameters) {
    const Value* value = settings.find(each.name);
    const auto complaint = value ? check_value(each, *value, reading.planar) : std::nullopt;
    if (complaint) reading.complain(*node.find(each.name), key / each.name, *complaint);
    sound = sound && !complaint && (value || (!each.required && !node.find(each.name)));
  }
  return sound ? std::optional(Function::given(drive->make(settings))) : std::nullopt;
}

// What stands in brackets, but units right behind numbers.
std::vector<std::string> quantities_in(const std::string& text) {
  std::vector<std::string> found;
  for (std::size_t k = text.find('['); k != std::string::npos; k = text.find('[', k + 1)) {
    const std::size_t end = text.find(']', k);
    const bool unit = k > 0 && ((text[k - 1] >= '0' && text[k - 1] <= '9') || text[k - 1] == '.');
    if (unit || end == std::string::npos) continue;
    const std::string name = text.substr(k + 1, end - k - 1);
    if (std::find(found.begin(), found.end(), name) == found.end()) found.push_back(name);
  }
  return found;
}

// The expression as a function of the row's arguments and of the signals that it uses.
std::optional<Function> read_with_signals(Reading& reading, const Node& node, const ParameterDescription& row,
                                          const std::string& expected, const KeyPath& key) {
  ExpressionArguments arguments = arguments_of(row);
  for (const std::string& name : reading.signals) arguments.names.push_back(name);
  for (const auto& [name, dimension] : reading.signal_dimensions) arguments.dimensions.written.emplace(name, dimension);
  for (const std::string& quantity : quantities_in(*node.as<std::string>())) {
    reading.quantities.push_back({quantity, node.file, node.where, key});
    arguments.names.push_back(quantity);
    const auto dimension = reading.quantity_dimension ? reading.quantity_dimension(quantity) : std::nullopt;
    if (dimension) arguments.dimensions.written.emplace(quantity, *dimension);
  }
  const auto compiled = compile_expression(reading, std::string_view(*node.as<std::string>()).substr(1), arguments);
  const Expression* const with_all = std::get_if<Expression>(&compiled);
  if (!with_all) return read_expression(reading, node, arguments, key), std::nullopt;  // reports why
  std::vector<std::string> used;
  for (std::size_t k = row.arguments.size(); k < arguments.names.size(); ++k) {
    if (with_all->uses_argument(static_cast<int>(k))) used.push_back(arguments.names[k]);
  }
  if (row.arguments.size() + used.size() > Function::most_arguments) {
    reading.complain(node, key,
                     {fmt::format("{} signals in one expression", used.size()),
                      fmt::format("at most {}", Function::most_arguments - row.arguments.size()),
                      "say a part of it as a [[signal]] of its own"});
    return std::nullopt;
  }
  arguments.names.resize(row.arguments.size());
  arguments.names.insert(arguments.names.end(), used.begin(), used.end());
  const auto expression = read_expression(reading, node, arguments, key);
  if (!expression || !check_unit(reading, node, *expression, row.unit, expected, key)) return std::nullopt;
  return Function::of_signals(*expression, used);
}

}  // namespace

ExpressionArguments arguments_of(const ParameterDescription& row) {
  ExpressionArguments arguments{row.arguments, {}};
  for (std::size_t k = 0; k < row.arguments.size(); ++k) {
    const std::string unit = argument_unit(row, k);
    const auto dimension = unit == any_unit ? std::nullopt : dimension_of_unit(unit);
    if (dimension) arguments.dimensions.meant.emplace(row.arguments[k], *dimension);
  }
  return arguments;
}

std::optional<Function> read_function(Reading& reading, const Node& node, const ParameterDescription& row,
                                      const KeyPath& key) {
  if (node.as<Node::Table>() && node.find("drive")) return read_drive(reading, node, row, key);
  if (node.as<Node::Table>()) return read_table(reading, node, row, key);
  const std::string expected = expected_text(row, reading.planar);
  const std::string* text = node.as<std::string>();
  if (text && text->starts_with('=')) {
    if (reading.takes_signals) return read_with_signals(reading, node, row, expected, key);
    const auto expression = read_expression(reading, node, arguments_of(row), key);
    if (!expression || !check_unit(reading, node, *expression, row.unit, expected, key)) return std::nullopt;
    return Function::expression(*expression);
  }
  const auto value = read_quantity(reading, node, row.unit, expected, key);
  return value ? std::optional(Function::constant(*value)) : std::nullopt;
}

}  // namespace carom::inline documents
