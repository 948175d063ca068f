#include <algorithm>

#include <toml++/toml.h>

#include "documents/document.h"

namespace carom::inline documents {
namespace {

SourceLocation location(const toml::source_position& position) {
  return {static_cast<int>(position.line), static_cast<int>(position.column)};
}

// Recursion is bounded by check_text.
Node convert(const toml::node& from, int file) {
  Node node;
  node.file = file;
  node.where = location(from.source().begin);
  node.one_line = from.source().begin.line == from.source().end.line;
  if (const auto* boolean = from.as_boolean()) {
    node.value = boolean->get();
  } else if (const auto* integer = from.as_integer()) {
    node.value = integer->get();
  } else if (const auto* real = from.as_floating_point()) {
    node.value = real->get();
  } else if (const auto* text = from.as_string()) {
    node.value = text->get();
  } else if (const auto* list = from.as_array()) {
    Node::List items;
    items.reserve(list->size());
    for (const toml::node& item : *list) items.push_back(convert(item, file));
    node.value = std::move(items);
  } else if (const auto* table = from.as_table()) {
    Node::Table entries;
    entries.reserve(table->size());
    for (const auto& [key, value] : *table) {
      entries.push_back({std::string(key.str()), location(key.source().begin), convert(value, file)});
    }
    // toml++ sorts by name; problems should come in the order of the file.
    std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
      return std::pair(a.where.line, a.where.column) < std::pair(b.where.line, b.where.column);
    });
    node.value = std::move(entries);
  } else {
    node.value = Node::Date{};
  }
  return node;
}

}  // namespace

bool parse_toml(std::string_view text, int file, Node& root, Problem& problem) {
  try {
    root = convert(toml::parse(text), file);
    return true;
  } catch (const toml::parse_error& error) {
    problem.where = location(error.source().begin);
    problem.found = "no valid TOML: " + std::string(error.description());
    return false;
  }
}

}  // namespace carom::inline documents
