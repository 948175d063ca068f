#include "documents/reading.h"

#include <algorithm>
#include <cmath>

#include "base/nearest_name.h"
#include "base/units.h"

namespace carom::inline documents {

void add_problem(ProblemList& problems, Problem problem) {
  const std::size_t count = problems.all().size();
  if (count < most_problems) return problems.add(std::move(problem));
  if (count > most_problems) return;
  Problem last;
  last.file = problem.file;
  last.found = "more than " + std::to_string(most_problems) + " problems";
  last.remedy = "the others are not listed";
  problems.add(last);
}

void Reading::complain(int file, SourceLocation where, const KeyPath& key, Complaint complaint) {
  add({Severity::error, documents.files[file], where, key.shown, std::move(complaint.found),
       std::move(complaint.expected), std::move(complaint.remedy)});
}

void Reading::complain(const Node& at, const KeyPath& key, Complaint complaint) {
  complain(at.file, at.where, key, std::move(complaint));
}

void Reading::warn(const Node& at, const KeyPath& key, Complaint complaint) {
  add({Severity::warning, documents.files[at.file], at.where, key.shown, std::move(complaint.found),
       std::move(complaint.expected), std::move(complaint.remedy)});
}

void Reading::note(const KeyPath& key, const Node& value) {
  sources.note(key, {documents.files[value.file], value.where});
}

std::filesystem::path path_from(const Reading& reading, const Node& node, const std::string& name) {
  for (const Document& document : reading.documents.all) {
    if (document.file == node.file) return document.directory / name;
  }
  return name;
}

std::optional<ModelFile> read_file(Reading& reading, const Node& node, const KeyPath& key) {
  const std::string* name = node.as<std::string>();
  if (!name || name->empty() || name->find('\0') != std::string::npos) {
    reading.complain(node, key, {found_text(node), "the name of a file", ""});
    return std::nullopt;
  }
  const std::filesystem::path path = path_from(reading, node, *name);
  const auto known = reading.files.find(path.string());
  if (known != reading.files.end()) return ModelFile{*name, known->second.bytes};
  std::string bytes;
  Problem problem;
  if (!load_text(path, bytes, problem, largest_part_file)) {
    reading.complain(node, key, {problem.found + ": " + quoted_text(path.string()), problem.expected, problem.remedy});
    return std::nullopt;
  }
  const ModelFile file{*name, std::make_shared<const std::string>(std::move(bytes))};
  reading.files.emplace(path.string(), file);
  return file;
}

std::variant<Expression, ExpressionError> compile_expression(const Reading& reading, std::string_view text,
                                                             const ExpressionArguments& arguments) {
  const auto in_name = [](char c) {
    return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || ('0' <= c && c <= '9') || c == '_';
  };
  const std::vector<std::string>& names = arguments.names;
  // Only the names in the text: to put all together for each of very many expressions would take for ever.
  std::map<std::string, double> constants;
  KnownDimensions dimensions = reading.check_dimensions ? arguments.dimensions : KnownDimensions{};
  for (std::size_t start = 0; start < text.size();) {
    std::size_t end = start;
    while (end < text.size() && in_name(text[end])) ++end;
    const std::string name(text.substr(start, end - start));
    const auto known = reading.parameters.find(name);
    if (known != reading.parameters.end()) constants.insert(*known);
    if (reading.broken_parameters.contains(name)) constants.emplace(name, 0);
    const auto dimension = reading.dimensions.find(name);
    const bool hidden = std::find(names.begin(), names.end(), name) != names.end();
    if (reading.check_dimensions && !hidden && dimension != reading.dimensions.end())
      dimensions.written.insert(*dimension);
    start = end + 1;
  }
  auto result = Expression::compile(text, names, constants, dimensions);
  const bool few = reading.parameters.size() + reading.broken_parameters.size() < most_problems;
  if (std::holds_alternative<Expression>(result) || !few) return result;
  // Once more with all names, for a suggestion.
  constants = reading.parameters;
  for (const std::string& name : reading.broken_parameters) constants.emplace(name, 0);
  return Expression::compile(text, names, constants, dimensions);
}

std::optional<Expression> read_expression(Reading& reading, const Node& node, const ExpressionArguments& arguments,
                                          const KeyPath& key) {
  const std::string_view text = std::string_view(*node.as<std::string>()).substr(1);
  const auto result = compile_expression(reading, text, arguments);
  if (const auto* error = std::get_if<ExpressionError>(&result)) {
    SourceLocation where = node.where;
    if (node.one_line) {
      // Behind the quote and the =; columns of the file count characters, those of the expression bytes.
      where.column += 2;
      const auto bytes = static_cast<std::size_t>(std::max(0, error->column - 1));
      for (const char c : text.substr(0, bytes)) where.column += (static_cast<unsigned char>(c) & 0xc0) != 0x80;
    }
    const bool unknown = reading.takes_signals && error->message.starts_with("unknown name") &&
                         !error->remedy.starts_with("did you mean");
    reading.complain(node.file, where, key,
                     {found_text(node), "an expression: " + error->message,
                      error->remedy + (unknown ? "; quantities of the model stand in brackets, "
                                                 "[joint:NAME.rotation] or [body:NAME.x]"
                                               : "")});
    return std::nullopt;
  }
  const Expression& expression = std::get<Expression>(result);
  for (const std::string& name : expression.names_used()) {
    const bool argument = std::find(arguments.names.begin(), arguments.names.end(), name) != arguments.names.end();
    if (!argument && reading.broken_parameters.contains(name)) return std::nullopt;
    if (!argument && reading.variables.contains(name)) {
      reading.complain(
          node, key,
          {"`" + name + "`, a variable parameter", "numbers that stay as they are",
           "use it in a function of a force, a drive, a signal or an event, or leave out variable = true"});
      return std::nullopt;
    }
    if (argument && reading.parameters.contains(name) && !reading.variables.contains(name)) {
      reading.warn(node, key,
                   {"`" + name + "`, which is an argument here and also a parameter", "distinct names",
                    "the argument is taken; rename the parameter"});
    }
  }
  return expression;
}

Settings read_keys(Reading& reading, const Node& table, const std::vector<ParameterDescription>& rows,
                   const std::vector<std::string>& skipped, const KeyPath& key) {
  Settings settings;
  const Node::Table* entries = table.as<Node::Table>();
  if (!entries) return settings;
  for (const Entry& entry : *entries) {
    const KeyPath path = key / entry.key;
    reading.note(path, entry.value);
    if (std::find(skipped.begin(), skipped.end(), entry.key) != skipped.end()) continue;
    const ParameterDescription* row = find_row(rows, entry.key);
    if (!row) {
      std::vector<std::string> valid = row_names(rows);
      valid.insert(valid.end(), skipped.begin(), skipped.end());
      reading.complain(entry.value.file, entry.where, path, unknown_key(entry.key, valid));
      continue;
    }
    if (auto value = read_value(reading, entry.value, *row, path)) {
      settings.set(entry.key, std::move(*value));
    } else {
      reading.sources.mark_broken(path);
    }
  }
  return settings;
}

void require_keys(Reading& reading, const Node& table, const std::vector<ParameterDescription>& rows,
                  const KeyPath& key) {
  for (const ParameterDescription& row : rows) {
    if (!row.required || row.name == "name" || table.find(row.name)) continue;  // names are validate's business
    reading.complain(table, key / row.name,
                     {"nothing", expected_text(row, reading.planar), "add the key `" + row.name + "`"});
  }
}

}  // namespace carom::inline documents
