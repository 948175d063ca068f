#include "studies/study_reading.h"

#include <fmt/format.h>

#include "studies/journal.h"

namespace carom::inline studies {

StudyReading::Names StudyReading::texts(const Node& table, const std::string& name, const KeyPath& key) {
  const Node* node = table.find(name);
  if (!node) return {};
  Names result;
  const auto add = [&](const Node& item) {
    const auto* text = item.as<std::string>();
    if (text && !text->empty()) result.push_back(*text);
    if (!text || text->empty()) reading.complain(item, key / name, {found_text(item), "a text", ""});
  };
  if (const auto* list = node->as<Node::List>()) {
    if (list->empty()) reading.complain(*node, key / name, {"an empty list", "at least one entry", ""});
    for (const Node& item : *list) add(item);
  } else {
    add(*node);
  }
  return result;
}

const Node& StudyReading::item_of(const Node& node, std::size_t index) {
  const auto* list = node.as<Node::List>();
  return list && index < list->size() ? (*list)[index] : node;
}

std::string StudyReading::place_of(const Node& at, const char* key) const {
  return fmt::format("{}:{}:{}: {}", study.file, at.where.line, at.where.column, key);
}

std::optional<Dimension> StudyReading::dimension_in_models(const std::string& name) const {
  std::optional<Dimension> result;
  for (const StudyModel& model : study.models) {
    const auto known = model.base.parameter_dimensions.find(name);
    if (known == model.base.parameter_dimensions.end() || (result && *result != known->second)) return std::nullopt;
    result = known->second;
  }
  return result;
}

ExpressionArguments StudyReading::parameters_as_arguments() const {
  ExpressionArguments arguments{study.parameters, {}};
  for (const std::string& name : study.parameters) {
    if (const auto dimension = dimension_in_models(name)) arguments.dimensions.written.emplace(name, *dimension);
  }
  return arguments;
}

std::optional<Expression> StudyReading::read_time(const Node& node, const KeyPath& key) {
  const auto* text = node.as<std::string>();
  const std::string expected = "a time, or an expression over the parameters in s";
  if (text && text->starts_with('=')) {
    auto expression = read_expression(reading, node, parameters_as_arguments(), key);
    if (!expression || !check_unit(reading, node, *expression, "s", expected, key)) return std::nullopt;
    return expression;
  }
  const auto value = read_quantity(reading, node, "s", expected, key);
  if (!value) return std::nullopt;
  return std::get<Expression>(Expression::compile(number_text(*value), study.parameters, {}));
}

const StudyChannels& StudyReading::channels_of(std::size_t model) {
  while (channels.size() <= model) channels.push_back(find_channels(study.models[channels.size()].base));
  return channels[model];
}

const StudyReading::Names& StudyReading::table_columns() {
  static const Names names = [] {
    Names all = {"run", "model", "model_number", "method", "status", "reason", "t"};
    for (const Component& each : statistics_columns()) all.push_back(each.name);
    return all;
  }();
  return names;
}

}  // namespace carom::inline studies
