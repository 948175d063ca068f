#include "documents/document.h"

#include <algorithm>
#include <array>
#include <set>

#include "documents/check_value.h"

namespace carom::inline documents {

const Node* Node::find(std::string_view key) const {
  const Table* table = as<Table>();
  if (!table) return nullptr;
  const auto found = std::find_if(table->begin(), table->end(), [&](const Entry& entry) { return entry.key == key; });
  return found == table->end() ? nullptr : &found->value;
}

std::string quoted_text(std::string_view text) {
  constexpr std::size_t longest = 60;
  std::string result = "\"";
  for (std::size_t k = 0; k < std::min(text.size(), longest); ++k) {
    const auto byte = static_cast<unsigned char>(text[k]);
    result += byte < 0x20 || byte == 0x7f ? ' ' : text[k];
  }
  if (text.size() > longest) {
    // Never cut inside a character.
    std::size_t cut = longest;
    while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xc0) == 0x80) --cut;
    result.resize(1 + cut);
    result += "…";
  }
  return result + "\"";
}

namespace {

struct Describe {
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(std::int64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const { return number_text(value); }
  std::string operator()(const std::string& value) const { return quoted_text(value); }
  std::string operator()(const Node::Date&) const { return "a date or time"; }
  std::string operator()(const Node::List& value) const {
    return value.empty() ? "an empty list" : "a list of " + std::to_string(value.size());
  }
  std::string operator()(const Node::Table&) const { return "a table"; }
};

// Reads a file and, before it, those it includes.
class DocumentReader {
 public:
  DocumentReader(Documents& documents, ProblemList& problems) : documents_(documents), problems_(problems) {}

  // `asked` is the place that asks for the file: of the include entry, or empty for the outermost file.
  void read_file(const std::filesystem::path& path, const Problem& asked) {
    std::error_code error;
    const std::string identity = std::filesystem::weakly_canonical(path, error).string();
    const std::string& key = error ? path.string() : identity;
    if (std::find(open_.begin(), open_.end(), key) != open_.end()) {
      Problem problem = asked;
      problem.found = carom::quoted(path.string()) + ", which is being read already";
      problem.expected = "includes without a cycle";
      problems_.add(problem);
      return;
    }
    if (!done_.insert(key).second) return;
    std::string text;
    Problem problem = asked;
    if (!load_text(path, text, problem)) {
      if (asked.file.empty()) {
        problem.file = path.string();
      } else {
        problem.found += ": " + quoted_text(path.string());
      }
      problems_.add(problem);
      return;
    }
    open_.push_back(key);
    read_text(text, path.string(), path.parent_path());
    open_.pop_back();
  }

  void read_text(std::string_view text, const std::string& name, const std::filesystem::path& directory) {
    const bool outermost = documents_.files.empty();
    const int file = static_cast<int>(documents_.files.size());
    documents_.files.push_back(name);
    if (outermost) documents_.text = text;
    Problem problem;
    problem.file = name;
    Document document{file, directory, {}};
    if (text.size() > largest_file) {
      problem.found = "a text of " + std::to_string(text.size()) + " bytes";
      problem.expected = "at most " + std::to_string(largest_file) + " bytes";
      return problems_.add(problem);
    }
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
      problem.found = "an empty file";
      problem.expected = "a model with at least one [[body]]";
      return problems_.add(problem);
    }
    if (!check_text(text, problem) || !parse_toml(text, file, document.root, problem)) return problems_.add(problem);
    if (const Node* include = document.root.find("include")) read_includes(*include, name, directory);
    documents_.all.push_back(std::move(document));
  }

 private:
  static constexpr std::size_t deepest_include = 32;

  void read_includes(const Node& include, const std::string& name, const std::filesystem::path& directory) {
    Problem problem;
    problem.file = name;
    problem.where = include.where;
    problem.key = "include";
    problem.expected = "a list of file names";
    const Node::List* list = include.as<Node::List>();
    if (!list) {
      problem.found = found_text(include);
      return problems_.add(problem);
    }
    for (const Node& item : *list) {
      problem.where = item.where;
      const std::string* path = item.as<std::string>();
      if (!path || path->empty() || path->find('\0') != std::string::npos) {
        problem.found = found_text(item);
        problems_.add(problem);
      } else if (open_.size() >= deepest_include) {
        problem.found = "includes nested more than " + std::to_string(deepest_include) + " deep";
        problems_.add(problem);
      } else {
        read_file(directory / *path, problem);
      }
    }
  }

  Documents& documents_;
  ProblemList& problems_;
  std::vector<std::string> open_;  // files whose includes are being read
  std::set<std::string> done_;
};

}  // namespace

std::string found_text(const Node& node) {
  return std::visit(Describe{}, node.value);
}

Documents read_documents(const std::filesystem::path& file, ProblemList& problems) {
  Documents documents;
  DocumentReader(documents, problems).read_file(file, {});
  if (documents.files.empty()) documents.files.push_back(file.string());
  return documents;
}

Documents read_documents(std::string_view text, const std::string& file_name, const std::filesystem::path& directory,
                         ProblemList& problems) {
  Documents documents;
  DocumentReader(documents, problems).read_text(text, file_name, directory);
  return documents;
}

}  // namespace carom::inline documents
