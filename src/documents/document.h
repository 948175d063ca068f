#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/problem.h"

namespace carom::inline documents {

struct Entry;

// A value of a TOML file with its place. Our own small tree, so that one source file alone needs toml++.
struct Node {
  struct Date {};
  using List = std::vector<Node>;
  using Table = std::vector<Entry>;  // in the order of the file

  std::variant<bool, std::int64_t, double, std::string, Date, List, Table> value;
  SourceLocation where;
  int file = 0;          // number of the file in Documents::files
  bool one_line = true;  // false: a text over several lines, inside which columns cannot be reported

  template <class T>
  const T* as() const {
    return std::get_if<T>(&value);
  }
  const Node* find(std::string_view key) const;  // of a table; null if there is none
};

struct Entry {
  std::string key;
  SourceLocation where;  // of the key
  Node value;
};

// What stands there, for messages: `"5 kg"`, `3`, `a list of 2`, `a table`.
std::string found_text(const Node& node);
std::string quoted_text(std::string_view text);  // in double quotes, long ones shortened, control characters replaced

// Names the source of a model that has no file: its lines say nothing.
inline constexpr const char* built_in_cpp = "built in C++";

// A file of the model as a table.
struct Document {
  int file = 0;
  std::filesystem::path directory;  // relative names in it start here
  Node root;
};

// The file and all it includes; included files come before those that include them, each once.
struct Documents {
  std::vector<std::string> files;  // names for messages
  std::vector<Document> all;
  std::string text;  // of the outermost file
};

// Files larger than this are refused before they are read.
inline constexpr std::uintmax_t largest_file = 64u << 20;

Documents read_documents(const std::filesystem::path& file, ProblemList& problems);
Documents read_documents(std::string_view text, const std::string& file_name, const std::filesystem::path& directory,
                         ProblemList& problems);

// Parts may be larger; those beyond largest_file are not kept in results.
inline constexpr std::uintmax_t largest_part_file = 1u << 30;

// The content of a file of at most `largest` bytes; false and a problem (without a place) if there is none.
bool load_text(const std::filesystem::path& file, std::string& text, Problem& problem,
               std::uintmax_t largest = largest_file);

// Whether it is UTF-8 without NUL bytes.
bool is_text(std::string_view bytes);

// Checks that the text is UTF-8 without NUL bytes and not nested so deeply that a recursive reader would run out of
// stack; false and a problem with its place otherwise.
bool check_text(std::string_view text, Problem& problem);

// Turns a text that check_text accepts into a tree; false and a problem with its place if it is no TOML.
bool parse_toml(std::string_view text, int file, Node& root, Problem& problem);

}  // namespace carom::inline documents
