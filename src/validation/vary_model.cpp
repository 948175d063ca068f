#include "validation/vary_model.h"

#include "documents/document.h"

namespace carom::inline validation {
namespace {

std::vector<std::string> split_path(const std::string& path) {
  std::vector<std::string> parts(1);
  for (const char c : path) {
    if (c == '.') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

// Of a table its value, of a list of tables the one with this name.
const Node* inside(const Node& node, const std::string& part) {
  const auto* list = node.as<Node::List>();
  if (!list) return node.find(part);
  for (const Node& item : *list) {
    const Node* name = item.find("name");
    const std::string* text = name ? name->as<std::string>() : nullptr;
    if (text && *text == part) return &item;
  }
  return nullptr;
}

const Entry* entry_of(const Node& table, const std::string& key) {
  const auto* entries = table.as<Node::Table>();
  if (!entries) return nullptr;
  for (const Entry& entry : *entries) {
    if (entry.key == key) return &entry;
  }
  return nullptr;
}

// Where a line starts; lines count from 1.
std::size_t line_begin(const std::string& text, int line) {
  std::size_t begin = 0;
  for (; line > 1 && begin != std::string::npos; --line) {
    begin = text.find('\n', begin);
    begin = begin == std::string::npos ? begin : begin + 1;
  }
  return begin == std::string::npos ? text.size() : begin;
}

class Editor {
 public:
  Editor(std::string text, const std::string& file, ProblemList& problems)
      : text_(std::move(text)), file_(file), problems_(problems) {
    if (!text_.ends_with('\n')) text_ += '\n';
  }

  bool apply(const Change& change) {
    Node root;
    if (!parse(root)) return false;
    std::vector<std::string> parts = split_path(change.path);
    const std::string key = parts.back();
    parts.pop_back();
    const Node* table = &root;
    for (const std::string& part : parts) {
      if (table) table = inside(*table, part);
    }
    if (!table || !table->as<Node::Table>())
      return complain({}, change.path, "no such table", "a key of a table of the model");
    const Entry* entry = entry_of(*table, key);
    if (entry && !alone(*entry)) {
      return complain(entry->where, change.path, "a key that shares its lines with others",
                      "a key on a line of its own");
    }
    const std::string line = key + " = " + change.value + "\n";
    const std::size_t begin = line_begin(text_, entry ? entry->where.line : table->where.line + 1);
    const std::size_t end = entry ? line_begin(text_, entry->where.line + 1) : begin;
    text_.replace(begin, end - begin, line);
    return true;
  }

  std::string text() { return std::move(text_); }

 private:
  bool parse(Node& root) {
    Problem problem{.file = file_};
    if (check_text(text_, problem) && parse_toml(text_, 0, root, problem)) return true;
    problems_.add(problem);
    return false;
  }

  bool alone(const Entry& entry) const {
    const std::size_t begin = line_begin(text_, entry.where.line);
    const std::string before = text_.substr(begin, static_cast<std::size_t>(entry.where.column - 1));
    return entry.value.one_line && before.find_first_not_of(" \t") == std::string::npos;
  }

  bool complain(SourceLocation where, const std::string& key, const std::string& found, const std::string& expected) {
    problems_.add(Problem{.file = file_, .where = where, .key = key, .found = found, .expected = expected});
    return false;
  }

  std::string text_;
  const std::string& file_;
  ProblemList& problems_;
};

}  // namespace

std::string vary_model(const std::string& text, const std::string& file, const std::vector<Change>& changes,
                       ProblemList& problems) {
  Editor editor(text, file, problems);
  for (const Change& change : changes) {
    if (!editor.apply(change)) break;
  }
  return editor.text();
}

}  // namespace carom::inline validation
