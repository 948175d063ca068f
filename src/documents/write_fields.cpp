#include "documents/write_fields.h"

#include <cmath>

#include <fmt/format.h>

#include "documents/check_value.h"
#include "model/description.h"

namespace carom::inline documents {
namespace {

template <class Range, class Write>
std::string list_text(const Range& range, Write write) {
  std::string result;
  for (const auto& each : range) result += (result.empty() ? "" : ", ") + write(each);
  return "[" + result + "]";
}

}  // namespace

std::string FieldWriter::text_value(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      result += fmt::format("\\u{:04X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    } else {
      result += c;
    }
  }
  return result + "\"";
}

std::string FieldWriter::number_value(double number) {
  if (number == 0 && std::signbit(number)) return "-0.0";  // whole numbers have no such zero
  return number_text(number);
}

void FieldWriter::heading(const std::string& title) {
  text_ += (text_.empty() ? "" : "\n") + title + "\n";
  section_ = title;
}

void FieldWriter::lines(const std::vector<SaidKey>& keys) {
  for (const SaidKey& each : keys) {
    if (const auto value = value_text(*each.row, each.value)) {
      line(each.row->name, *value);
    } else {
      complain(each.row->name, each);
    }
  }
}

void FieldWriter::inline_table(const std::string& key, const std::vector<SaidKey>& keys) {
  std::string table;
  for (const SaidKey& each : keys) {
    if (const auto value = value_text(*each.row, each.value)) {
      table += (table.empty() ? "" : ", ") + each.row->name + " = " + *value;
    } else {
      complain(key + "." + each.row->name, each);
    }
  }
  if (!table.empty()) line(key, "{ " + table + " }");
}

// What is one number in a planar model, or may be, is written as one.
std::string FieldWriter::numbers_text(const ParameterDescription& row, const std::vector<double>& numbers) const {
  const bool list = row.kind == ParameterKind::vector || row.kind == ParameterKind::counts;
  return numbers.size() == 1 && !list ? number_value(numbers.front()) : list_text(numbers, number_value);
}

// None if it has no form that a file could hold.
std::optional<std::string> FieldWriter::value_text(const ParameterDescription& row, const Value& value) const {
  if (const auto* held = std::get_if<bool>(&value)) return *held ? "true" : "false";
  if (const auto* held = std::get_if<double>(&value)) return number_value(*held);
  if (const auto* held = std::get_if<std::string>(&value)) return text_value(*held);
  if (const auto* held = std::get_if<ModelFile>(&value)) return text_value(held->name);
  if (const auto* held = std::get_if<std::vector<double>>(&value)) return numbers_text(row, *held);
  if (const auto* held = std::get_if<std::vector<std::string>>(&value)) return list_text(*held, text_value);
  if (const auto* held = std::get_if<std::vector<Eigen::Vector3d>>(&value)) {
    return list_text(*held,
                     [&](const Eigen::Vector3d& each) { return list_text(each.head(planar_ ? 2 : 3), number_value); });
  }
  if (const auto* held = std::get_if<Function>(&value)) return function_text(*held, row);
  std::vector<std::string> components;
  for (const Function& each : std::get<std::vector<Function>>(value)) {
    const auto component = function_text(each, row);
    if (!component) return std::nullopt;
    components.push_back(*component);
  }
  return list_text(components, [](const std::string& each) { return each; });
}

std::optional<std::string> FieldWriter::function_text(const Function& function, const ParameterDescription& row) const {
  if (function.is_constant()) return number_value(function.value(0.0));
  const std::string description = function.description();
  const std::string expression = "expression `";
  if (description.starts_with(expression)) {
    const std::string formula = description.substr(expression.size(), description.size() - expression.size() - 1);
    std::vector<std::string> arguments = row.arguments;
    arguments.insert(arguments.end(), function.signals().begin(), function.signals().end());
    const auto again = Expression::compile(formula, arguments, parameters_);
    return std::holds_alternative<Expression>(again) ? std::optional(text_value("=" + formula)) : std::nullopt;
  }
  if (const auto* drive = dynamic_cast<const NamedDrive*>(function.given())) return drive_text(*drive);
  const auto table = function.table_points();
  if (!table) return std::nullopt;
  std::vector<std::string> points;
  for (std::size_t k = 0; k < table->x.size(); ++k)
    points.push_back(fmt::format("[{}, {}]", number_value(table->x[k]), number_value(table->y[k])));
  return fmt::format("{{ table = {}, interpolation = \"{}\" }}",
                     list_text(points, [](const std::string& each) { return each; }),
                     table->interpolation == Interpolation::linear ? "linear" : "cubic");
}

std::optional<std::string> FieldWriter::drive_text(const NamedDrive& drive) const {
  const DriveDescription* description = find_drive(drive.name());
  std::string text = "{ drive = " + text_value(drive.name());
  for (const std::string& key : drive.settings().keys()) {
    const ParameterDescription* row = description ? find_row(description->parameters, key) : nullptr;
    const auto value = row ? value_text(*row, *drive.settings().find(key)) : std::nullopt;
    if (!value) return std::nullopt;
    text += ", " + key + " = " + *value;
  }
  return text + " }";
}

void FieldWriter::complain(const std::string& key, const SaidKey& said) {
  std::string found = "a function";
  if (const auto* function = std::get_if<Function>(&said.value)) found = function->description();
  if (const auto* functions = std::get_if<std::vector<Function>>(&said.value)) {
    for (const Function& each : *functions) {
      if (!function_text(each, *said.row)) found = each.description();
    }
  }
  text_ += "# " + key + ": " + found + " cannot be written\n";
  if (!problems_) return;
  Problem problem;
  problem.file = file_;
  problem.key = section_ + " " + key;
  problem.found = found;
  problem.expected = "a function that can be written to a file";
  problems_->add(problem);
}

}  // namespace carom::inline documents
